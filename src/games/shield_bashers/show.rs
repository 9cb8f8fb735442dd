//! A position for people: as the table `[position]`, as a drawing, as lists.

use super::combat::Need;
use super::fleet::{Class, Ship};
use super::judge::{QUIET_FOR_BATTLE, QUIET_FOR_DRAW};
use super::position::{Course, Position};
use super::secret::own_colour;
use super::shield::Layer;
use crate::document::{Node, Table};
use crate::games::frame::{OwnSecrets, capital};
use crate::games::{FleetSheet, Slot, Suggestion};
use crate::ident::SeatIndex;
use crate::scene::{Panel, Row, Scene, Square};

fn class_letter(class: Class) -> &'static str {
    match class {
        Class::Frigate => "F",
        Class::Destroyer => "D",
        Class::Cruiser => "C",
    }
}

impl Position {
    fn words(&self, seats: &[SeatIndex]) -> Vec<Node> {
        seats.iter().map(|seat| Node::from(self.name(*seat))).collect()
    }

    /// The game's own part of `[position]`.
    pub(super) fn table(&self, goes_on: bool) -> Table {
        let mut table = Table::default();
        table.push("quiet_turns", self.quiet_turns);
        table.push("out", self.words(&self.out));
        table.push("caught", self.words(&self.caught));
        if let Course::Defend(attack) = &self.course
            && goes_on
        {
            let mut waits = Table::default();
            waits.push("attacker", self.name(attack.attacker));
            waits.push("with", attack.with.as_str());
            waits.push("defender", self.name(attack.defender));
            waits.push("target", attack.target.as_str());
            waits.push("final", attack.is_final);
            table.push("attack", waits);
        }
        let drawn = self.scene().lines(&self.header);
        table.push("board", drawn.into_iter().map(Node::from).collect::<Vec<_>>());
        let ships = self.all_on_board().map(|(seat, class, ship, at)| {
            let mut row = Table::default();
            row.push("seat", self.name(seat));
            row.push("ship", class.as_str());
            row.push("square", self.board.name(at));
            row.push("primary", ship.primary.as_str());
            if let Some(colour) = ship.secondary.colour() {
                row.push("secondary", colour.as_str());
            }
            row.push("tertiary", ship.keeps_tertiary);
            Node::from(row)
        });
        table.push("ships", ships.collect::<Vec<_>>());
        table
    }

    /// The board.
    pub(super) fn scene(&self) -> Scene {
        let square = |square| match self.standing_on(square) {
            None => Square::Empty,
            Some((seat, class)) => Square::Piece { seat, letters: class_letter(class).to_owned() },
        };
        let panels = self.board.grids().into_iter().map(|grid| Panel {
            title: grid.title,
            columns: grid.columns,
            rows: grid
                .rows
                .into_iter()
                .map(|(label, squares)| Row { label, squares: squares.into_iter().map(square).collect() })
                .collect(),
            is_narrow: false,
        });
        Scene { panels: panels.collect(), notes: self.board.notes() }
    }

    /// All sides' ships, with what is known of each; the own sealed colours in brackets.
    pub(super) fn fleet_sheets(&self, own: Option<&OwnSecrets<'_>>) -> Vec<FleetSheet> {
        self.sides
            .iter()
            .map(|(seat, side)| {
                let own = own.filter(|own| own.seat == seat);
                let mut remarks = Vec::new();
                if self.caught.contains(&seat) {
                    remarks.push("caught".to_owned());
                }
                if side.fleet.is_none() {
                    remarks.push("left before the fleets were opened".to_owned());
                } else if !side.is_in {
                    remarks.push("out".to_owned());
                }
                if side.struck_out {
                    remarks.push("struck out".to_owned());
                }
                let fleet = side.fleet.as_ref();
                let rows = fleet.into_iter().flat_map(super::fleet::Fleet::iter).map(|(class, ship)| {
                    let shield = |layer| self.shield_word(seat, class, ship, layer, own);
                    vec![
                        class.as_str().to_owned(),
                        ship.at.map_or_else(|| "gone".to_owned(), |at| self.board.name(at)),
                        ship.primary.as_str().to_owned(),
                        shield(Layer::Secondary),
                        shield(Layer::Tertiary),
                    ]
                });
                FleetSheet {
                    seat,
                    columns: vec!["ship", "on", "primary", "secondary", "tertiary"],
                    rows: rows.collect(),
                    remarks,
                }
            })
            .collect()
    }

    fn shield_word(
        &self,
        seat: SeatIndex,
        class: Class,
        ship: &Ship,
        layer: Layer,
        own: Option<&OwnSecrets<'_>>,
    ) -> String {
        let known =
            ship.shield(layer).colour().filter(|_| self.memory_aid || own.is_some() || self.has_ended());
        let word = match known {
            Some(colour) => colour.as_str().to_owned(),
            None if ship.shield(layer).is_sealed() => {
                match own.and_then(|own| own_colour(self, own, seat, class, layer)) {
                    Some((colour, _)) => format!("({colour})"),
                    None => "sealed".to_owned(),
                }
            }
            None => "seen".to_owned(),
        };
        match layer {
            Layer::Tertiary if !ship.keeps_tertiary => format!("lost, {word}"),
            _ => word,
        }
    }

    fn has_ended(&self) -> bool {
        matches!(self.course, Course::Audit(_) | Course::Over(_))
    }

    /// Words on where the game stands.
    pub(super) fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        match &self.course {
            Course::Defend(attack) => remarks.push(format!(
                "{}'s {} is attacked by {}'s {}; the defence opens its secondary shield.",
                capital(&self.name(attack.defender)),
                attack.target,
                self.name(attack.attacker),
                attack.with
            )),
            Course::AnswerClaim { mover } => {
                remarks.push(format!("The draw is claimed: {} must fight now or accept.", self.name(*mover)));
            }
            _ => {}
        }
        if !self.has_ended() {
            let mut line = format!("Turns without combat: {}.", self.quiet_turns);
            if self.still_in().first().and_then(|seat| self.last_two(*seat)).is_some() {
                use std::fmt::Write as _;
                // Writing to a String cannot fail.
                let _ = write!(
                    line,
                    " From {QUIET_FOR_BATTLE} on the final battle may be declared, from {QUIET_FOR_DRAW} on the draw be claimed."
                );
            }
            remarks.push(line);
        }
        remarks
    }

    /// Every legal order of a seat that needs a decision.
    pub(super) fn legal_words(&self, seat: SeatIndex) -> Vec<Suggestion> {
        let mut found = Vec::new();
        let (mover, must_fight) = match self.course {
            Course::Move { mover } => (mover, false),
            Course::AnswerClaim { mover } => (mover, true),
            _ => return found,
        };
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        if mover == seat {
            for (class, ship, from) in self.on_board(seat) {
                for to in class.reach(&self.board, from) {
                    let name = self.board.name(to);
                    let remark = match self.standing_on(to) {
                        Some((owner, _)) if owner == seat => continue,
                        None if must_fight => continue,
                        None => String::new(),
                        Some((owner, target)) => {
                            let primary =
                                self.ship(owner, target).map_or(ship.primary, |other| other.primary);
                            format!(
                                "attacks {}'s {target}: yours must be {} theirs",
                                self.name(owner),
                                Need::row(ship.primary, primary).as_str()
                            )
                        }
                    };
                    found.push(Suggestion {
                        words: words(&format!("move {class} {name}")),
                        remark,
                        group: class.as_str().to_owned(),
                    });
                }
            }
            if self.last_two(seat).is_some() && self.quiet_turns >= QUIET_FOR_BATTLE {
                found.push(Suggestion {
                    words: words("final-battle"),
                    remark: "fights to the end: the loser is destroyed, wherever the ships stand".to_owned(),
                    group: "end".to_owned(),
                });
            }
            if must_fight {
                found.push(Suggestion {
                    words: words("accept-draw"),
                    remark: "the game is drawn".to_owned(),
                    group: "end".to_owned(),
                });
            }
        }
        if !must_fight
            && (mover == seat || self.claims_from_outside(seat))
            && self.last_two(mover).is_some()
            && self.quiet_turns >= QUIET_FOR_DRAW
        {
            found.push(Suggestion {
                words: words("claim-draw"),
                remark: String::new(),
                group: "end".to_owned(),
            });
        }
        found
    }

    /// Whether a seat is out but may still claim the draw (SB-20).
    pub(super) fn claims_from_outside(&self, seat: SeatIndex) -> bool {
        matches!(self.course, Course::Move { .. })
            && self.took_part(seat)
            && !self.sides[seat].is_in
            && !self.caught.contains(&seat)
    }

    /// The commitments of all shields.
    pub(super) fn slots(&self) -> Vec<Slot> {
        let mut slots = Vec::new();
        for (seat, side) in self.sides.iter() {
            for (class, ship) in side.fleet.as_ref().into_iter().flat_map(super::fleet::Fleet::iter) {
                for layer in Layer::ALL {
                    let shield = ship.shield(layer);
                    slots.push(Slot {
                        seat,
                        name: format!("{} {class}", layer.as_str()),
                        commitment: shield.commitment(),
                        opened: shield
                            .opening()
                            .map(|opening| self.promise(seat, class, layer, &opening).preimage()),
                    });
                }
            }
        }
        slots
    }
}
