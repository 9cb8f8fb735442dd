//! Shield Bashers, slowly and obviously, without cryptography.
//!
//! The oracle knows every seat's true colours; "opening" a shield is naming (ship, layer). Rules are
//! quoted by number: SB-n are the rulings, P-n the sections of the protocol.
//!
//! - `judge` (judge.rs): is this one order allowed at this open step?
//! - `close` (close.rs): what does a whole step do?
//! - what follows from what happened (quiet turns, offers, what is open, who is out) is read off the
//!   log of events again and again (here).

pub mod board;
pub mod close;
pub mod combat;
pub mod judge;
pub mod legal;

use board::Board;
use std::collections::BTreeMap;

/// The three ships, in the order of every list (P-7).
pub const SHIPS: [&str; 3] = ["frigate", "destroyer", "cruiser"];
/// The two layers that are sealed (SB-2), in the order of the audit (P-7).
pub const LAYERS: [&str; 2] = ["secondary", "tertiary"];

#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    pub board: String,
    /// In the header's order, which is clockwise (P-3).
    pub seats: Vec<String>,
    /// "roll" or a seat (SB-10).
    pub first: String,
}

/// A ship as it really is. The secondaries and tertiaries of a fleet may break SB-1: that is the
/// cheat that SB-22 and SB-23 are about.
#[derive(Clone, Debug, PartialEq)]
pub struct TrueShip {
    pub ship: String,
    pub square: String,
    pub primary: String,
    pub secondary: String,
    pub tertiary: String,
}

/// (ship, layer)
pub type Opening = (String, String);

#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    Seal,
    /// In the order frigate, destroyer, cruiser.
    Deploy(Vec<TrueShip>),
    Resign,
    /// `opens`: the secondary if any, then the owed tertiaries (frigate, destroyer, cruiser).
    Move {
        ship: String,
        to: String,
        opens: Vec<Opening>,
    },
    /// `opens`: the secondary, the attacked ship's tertiary if any, then the owed tertiaries.
    Defend {
        opens: Vec<Opening>,
    },
    /// `opens`: as for a move.
    FinalBattle {
        opens: Vec<Opening>,
    },
    ClaimDraw,
    AcceptDraw,
    /// `opens`: all secondaries that are sealed, then all such tertiaries.
    Audit {
        opens: Vec<Opening>,
    },
    /// By "arbiter", in place of the seat's order.
    Forfeit {
        seat: String,
    },
    /// A proof of equivocation in place of the seat's order (P-5); `Order::seat` is "proof".
    Proof {
        seat: String,
    },
    /// By "arbiter": "draw" or "void".
    Ruling {
        result: String,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    /// A seat, or "arbiter", or "proof".
    pub seat: String,
    pub draw: bool,
    pub action: Action,
}

impl Order {
    pub fn new(seat: &str, action: Action) -> Order {
        Order { seat: seat.to_string(), draw: false, action }
    }
    pub fn offering(mut self) -> Order {
        self.draw = true;
        self
    }
    /// In whose place in the step the order stands (P-5).
    pub fn place(&self) -> &str {
        match &self.action {
            Action::Forfeit { seat } | Action::Proof { seat } => seat,
            _ => &self.seat,
        }
    }
}

/// A ship that stands on the board.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    pub seat: String,
    pub ship: String,
    pub square: String,
}

/// An attack that waits for the defender, or is being decided.
#[derive(Clone, Debug, PartialEq)]
pub struct Attack {
    pub attacker: String,
    pub attacking_ship: String,
    pub defender: String,
    pub defending_ship: String,
    pub final_battle: bool,
}

/// What happened, in order. Almost every question is answered by reading through this.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    Opened {
        seat: String,
        ship: String,
        layer: String,
    },
    /// A move, defend or final-battle took effect, with or without an offer of a draw.
    Ordered {
        seat: String,
        draw: bool,
    },
    CombatDecided,
    /// A ship lost its tertiary in a combat.
    TertiaryLost {
        seat: String,
        ship: String,
    },
    ShipLeft {
        seat: String,
        ship: String,
    },
    WentOut {
        seat: String,
    },
    Caught {
        seat: String,
    },
    /// Its audit never came (SB-23).
    StruckOut {
        seat: String,
    },
    TurnOver,
}

/// How play ended, before audits say more (SB-23).
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    Win { seat: String },
    Draw { sharers: Vec<String> },
    Void { by: String },
}

/// A ship as everyone sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    pub seat: String,
    pub ship: String,
    pub square: String,
    pub primary: String,
    /// Does it still have its tertiary?
    pub tertiary: bool,
    /// Only when it is open.
    pub secondary: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// win, draw, void, none
    pub kind: String,
    pub seat: Option<String>,
    pub by: Option<String>,
    pub provisional: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Oracle {
    pub setup: Setup,
    pub board: Board,
    /// How many steps have closed.
    pub step: usize,
    pub(crate) phase: String,
    /// The true fleets of those who deployed.
    pub(crate) fleets: BTreeMap<String, Vec<TrueShip>>,
    pub(crate) on_board: Vec<Placed>,
    pub(crate) mover: String,
    pub(crate) attack: Option<Attack>,
    pub(crate) end: Option<End>,
    pub(crate) log: Vec<Event>,
}

impl Oracle {
    pub fn new(setup: Setup) -> Oracle {
        let board = Board::new(&setup.board);
        assert!(setup.seats.len() >= 2, "a game has two seats or more");
        assert!(setup.seats.len() <= board.corners.len(), "SB-7: a board that has enough corners");
        assert!(setup.first == "roll" || setup.seats.contains(&setup.first), "SB-10: first");
        Oracle {
            setup,
            board,
            step: 0,
            phase: "seal".to_string(),
            fleets: BTreeMap::new(),
            on_board: Vec::new(),
            mover: String::new(),
            attack: None,
            end: None,
            log: Vec::new(),
        }
    }

    /// seal, deploy, move, defend, answer-claim, audit, over
    pub fn phase(&self) -> &str {
        &self.phase
    }

    /// Whom the open step awaits, in the header's order.
    pub fn awaits(&self) -> Vec<String> {
        let all = self.setup.seats.iter().cloned();
        match self.phase.as_str() {
            // P-7: "step 0, all seats", "step 1, all seats".
            "seal" | "deploy" => all.collect(),
            "move" | "answer-claim" => vec![self.mover.clone()],
            "defend" => vec![self.attack.as_ref().expect("an attack").defender.clone()],
            // P-7: "one step that awaits every seat that deployed and has sealed shields".
            "audit" => all.filter(|seat| self.deployed(seat) && !self.sealed(seat).is_empty()).collect(),
            "over" => Vec::new(),
            other => panic!("no phase {other:?}"),
        }
    }

    /// The ships on the board: seats in the header's order; frigate, destroyer, cruiser.
    pub fn ships(&self) -> Vec<Shown> {
        let mut shown = Vec::new();
        for seat in &self.setup.seats {
            for ship in SHIPS {
                if let Some(placed) = self.placed(seat, ship) {
                    let truth = self.truth(seat, ship);
                    shown.push(Shown {
                        seat: seat.clone(),
                        ship: ship.to_string(),
                        square: placed.square.clone(),
                        primary: truth.primary.clone(),
                        tertiary: self.has_tertiary(seat, ship),
                        secondary: self.is_open(seat, ship, "secondary").then(|| truth.secondary.clone()),
                    });
                }
            }
        }
        shown
    }

    /// Who went out, in that order (SB-16, SB-17).
    pub fn out(&self) -> Vec<String> {
        let mut out = Vec::new();
        for event in &self.log {
            if let Event::WentOut { seat } = event {
                out.push(seat.clone());
            }
        }
        out
    }

    /// Who was caught, in that order (SB-22, SB-23).
    pub fn caught(&self) -> Vec<String> {
        let mut caught = Vec::new();
        for event in &self.log {
            if let Event::Caught { seat } = event {
                caught.push(seat.clone());
            }
        }
        caught
    }

    /// Whose audit never came (SB-23).
    pub fn struck_out(&self) -> Vec<String> {
        let mut struck = Vec::new();
        for event in &self.log {
            if let Event::StruckOut { seat } = event {
                struck.push(seat.clone());
            }
        }
        struck
    }

    /// SB-18: "A quiet turn is one without combat. The count goes back to nought when a combat is
    /// decided and whenever ships leave the board." And a turn in which that happened does not count
    /// itself.
    pub fn quiet_turns(&self) -> usize {
        let mut count = 0;
        let mut loud = false;
        for event in &self.log {
            match event {
                Event::CombatDecided | Event::ShipLeft { .. } => {
                    count = 0;
                    loud = true;
                }
                Event::TurnOver => {
                    if !loud {
                        count += 1;
                    }
                    loud = false;
                }
                _ => {}
            }
        }
        count
    }

    /// P-7: an offer "stands until that seat's next order of these kinds. [...] When a seat goes
    /// out, all offers lapse, that of the same order too."
    pub fn offers(&self) -> Vec<String> {
        let mut standing: Vec<String> = Vec::new();
        for event in &self.log {
            match event {
                Event::Ordered { seat, draw } => {
                    standing.retain(|other| other != seat);
                    if *draw {
                        standing.push(seat.clone());
                    }
                }
                Event::WentOut { .. } => standing.clear(),
                _ => {}
            }
        }
        standing
    }

    /// The result as it stands after all steps that have closed.
    pub fn result(&self) -> Option<Outcome> {
        let win = |seat: &str| Outcome {
            kind: "win".to_string(),
            seat: Some(seat.to_string()),
            by: None,
            // SB-23: "provisional until the shields of all clean seats that it names are open".
            provisional: !self.sealed(seat).is_empty(),
        };
        let bare = |kind: &str, provisional: bool| Outcome {
            kind: kind.to_string(),
            seat: None,
            by: None,
            provisional,
        };
        match self.end.as_ref()? {
            End::Void { by } => {
                let mut void = bare("void", false);
                void.by = Some(by.clone());
                Some(void)
            }
            End::Win { seat } if self.clean(seat) => Some(win(seat)),
            // SB-23: "if it had won in a game of two seats, the opponent that deployed and is neither
            // caught nor struck out wins (though it resigned), else there is no winner (none)".
            End::Win { seat } => {
                if self.setup.seats.len() == 2 {
                    let is_other = |other: &&String| *other != seat;
                    let opponent = self.setup.seats.iter().find(is_other).expect("the other");
                    if self.deployed(opponent) && self.clean(opponent) {
                        return Some(win(opponent));
                    }
                }
                Some(bare("none", false))
            }
            // SB-23: "if it shared a draw, it has lost; two or more clean sharers left have drawn, a
            // single one has won, none left is none."
            End::Draw { sharers } => {
                let clean: Vec<&String> = sharers.iter().filter(|s| self.clean(s)).collect();
                match clean.len() {
                    0 => Some(bare("none", false)),
                    1 => Some(win(clean[0])),
                    _ => Some(bare("draw", clean.iter().any(|s| !self.sealed(s).is_empty()))),
                }
            }
        }
    }

    /// The result while the audit step is still open and these audits are in (P-7: "Each counts as
    /// soon as it is in").
    pub fn result_with(&self, audits_in: &[Order]) -> Option<Outcome> {
        self.with_audits(audits_in).result()
    }

    // ---- small questions ----

    /// Did the seat take part? Those who left in step 0 or 1 never did.
    pub fn deployed(&self, seat: &str) -> bool {
        self.fleets.contains_key(seat)
    }

    /// The seats still in: those with ships (SB-16), in the header's order.
    pub fn seats_in(&self) -> Vec<String> {
        let has_ships = |seat: &&String| self.on_board.iter().any(|p| p.seat == **seat);
        self.setup.seats.iter().filter(has_ships).cloned().collect()
    }

    /// Neither caught nor struck out (SB-23).
    pub fn clean(&self, seat: &str) -> bool {
        let seat = seat.to_string();
        !self.caught().contains(&seat) && !self.struck_out().contains(&seat)
    }

    /// SB-19, SB-20: "With two ships left, one each".
    pub fn two_ships_one_each(&self) -> bool {
        self.on_board.len() == 2 && self.on_board[0].seat != self.on_board[1].seat
    }

    pub fn is_open(&self, seat: &str, ship: &str, layer: &str) -> bool {
        let opens_it = |event: &Event| match event {
            Event::Opened { seat: s, ship: h, layer: l } => s == seat && h == ship && l == layer,
            _ => false,
        };
        self.log.iter().any(opens_it)
    }

    /// Every shield of the seat that is still sealed, lost ships' too: secondaries first, then
    /// tertiaries, each frigate, destroyer, cruiser (P-7).
    pub fn sealed(&self, seat: &str) -> Vec<Opening> {
        let mut sealed = Vec::new();
        for layer in LAYERS {
            for ship in SHIPS {
                if !self.is_open(seat, ship, layer) {
                    sealed.push((ship.to_string(), layer.to_string()));
                }
            }
        }
        sealed
    }

    /// SB-14. (A ship that was never hit has its tertiary, open or not.)
    pub fn has_tertiary(&self, seat: &str, ship: &str) -> bool {
        !self.log.contains(&Event::TertiaryLost { seat: seat.to_string(), ship: ship.to_string() })
    }

    /// P-7: "A seat whose ship lost a sealed tertiary without opening it owes it", a ship that is
    /// destroyed by now too.
    pub fn owed(&self, seat: &str) -> Vec<Opening> {
        let mut owed = Vec::new();
        for ship in SHIPS {
            if !self.has_tertiary(seat, ship) && !self.is_open(seat, ship, "tertiary") {
                owed.push((ship.to_string(), "tertiary".to_string()));
            }
        }
        owed
    }

    /// SB-22: "A seat that has opened two shields of the same layer in the same colour".
    pub fn has_opened_a_colour_twice(&self, seat: &str) -> bool {
        for layer in LAYERS {
            for one in SHIPS {
                for other in SHIPS {
                    if one != other
                        && self.is_open(seat, one, layer)
                        && self.is_open(seat, other, layer)
                        && self.colour(seat, one, layer) == self.colour(seat, other, layer)
                    {
                        return true;
                    }
                }
            }
        }
        false
    }

    pub fn truth(&self, seat: &str, ship: &str) -> &TrueShip {
        let fleet = &self.fleets[seat];
        fleet.iter().find(|s| s.ship == ship).expect("every fleet has every ship")
    }

    pub fn colour(&self, seat: &str, ship: &str, layer: &str) -> String {
        match layer {
            "secondary" => self.truth(seat, ship).secondary.clone(),
            "tertiary" => self.truth(seat, ship).tertiary.clone(),
            other => panic!("no layer {other:?}"),
        }
    }

    pub fn placed(&self, seat: &str, ship: &str) -> Option<&Placed> {
        self.on_board.iter().find(|p| p.seat == seat && p.ship == ship)
    }

    pub fn at(&self, square: &str) -> Option<&Placed> {
        self.on_board.iter().find(|p| p.square == square)
    }

    pub fn attack(&self) -> Option<&Attack> {
        self.attack.as_ref()
    }

    /// Who wins that attack, in truth.
    pub fn attacker_would_win(&self, attack: &Attack) -> bool {
        let attacker = self.truth(&attack.attacker, &attack.attacking_ship);
        let defender = self.truth(&attack.defender, &attack.defending_ship);
        combat::attacker_wins(&attacker.primary, &defender.primary, &attacker.secondary, &defender.secondary)
    }
}
