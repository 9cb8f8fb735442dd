//! Rounds as a player writes them: a line a ship.
//!
//! `333a h4` moves, `333a fires 011b` fires, `333a h4 fires 011b` does both. Moves are made in
//! the order of the lines, all shots come after all moves (TR-6).

use super::action::{Action, Round, ShipMove, Shot};
use super::class::Class;
use super::field::Square;
use super::fleet::{Ship, ShipId};
use super::judge::{Part, Survey, few};
use super::odds::{to_destroy, to_hit};
use super::position::{Course, Position};
use crate::document::tree;
use crate::fault::{Checked, Code, Fault, Span};
use crate::games::frame::{Bare, OwnSecrets, names};
use crate::games::{Chart, Composed, Script, Weighed};
use crate::ident::SeatIndex;

/// How many squares a template lists; of more it says only how many they are.
const MOST_LISTED: usize = 24;

/// A round as it is written, each part with its place in the text.
#[derive(Clone, Debug, Default)]
struct Plan {
    moves: Vec<(String, String, Span)>,
    shots: Vec<(String, String, Span)>,
    faults: Vec<Fault>,
}

impl Plan {
    fn read(script: &Script) -> Self {
        let mut plan = Self::default();
        for line in script.lines() {
            let words: Vec<&str> = line.words.iter().map(String::as_str).collect();
            let span = line.span.clone();
            match words.as_slice() {
                ["hold"] => {}
                ["claim-draw" | "hold" | "resign", ..] | [_, "fires" | "fire" | "to" | "moves" | "at"] => {
                    plan.faults.push(no_line(&words, span));
                }
                [ship, "fires" | "fire", target] | [ship, "fires" | "fire", "at", target] => {
                    plan.shots.push(((*ship).to_owned(), (*target).to_owned(), span));
                }
                [ship, to] | [ship, "to" | "moves", to] | [ship, "moves", "to", to] => {
                    plan.moves.push(((*ship).to_owned(), (*to).to_owned(), span));
                }
                [ship, to, "fires" | "fire", target] | [ship, to, "fires" | "fire", "at", target] => {
                    plan.moves.push(((*ship).to_owned(), (*to).to_owned(), span.clone()));
                    plan.shots.push(((*ship).to_owned(), (*target).to_owned(), span));
                }
                _ => plan.faults.push(no_line(&words, span)),
            }
        }
        plan
    }

    fn pairs(list: &[(String, String, Span)]) -> Vec<(&str, &str)> {
        list.iter().map(|(ship, what, _)| (ship.as_str(), what.as_str())).collect()
    }

    /// The round on the board, and every fault with its place, in the order of the text.
    fn survey(self, position: &Position, seat: SeatIndex) -> (Self, Survey, Vec<Fault>) {
        let survey = position.survey(seat, &Self::pairs(&self.moves), &Self::pairs(&self.shots));
        let mut faults = self.faults.clone();
        for (part, fault) in &survey.faults {
            let written = match part {
                Part::Move(place) => self.moves.get(*place),
                Part::Shot(place) => self.shots.get(*place),
            };
            faults.push(match written {
                Some((.., span)) => fault.clone().at(span.clone()),
                None => fault.clone(),
            });
        }
        faults.sort_by_key(|fault| fault.span.as_ref().map_or(0, |span| span.start));
        (self, survey, faults)
    }
}

/// A line that is none of a round.
fn no_line(words: &[&str], span: Span) -> Fault {
    Fault::new(Code::Unclear, format!("\"{}\" is no line of a round", words.join(" ")))
        .help("write \"333a h4\" to move, \"333a fires 011b\" to fire, one ship a line, or \"hold\" alone")
        .at(span)
}

impl Position {
    /// Whether a round of a seat is awaited now.
    ///
    /// # Errors
    /// What is awaited instead.
    fn may_plan(&self, seat: SeatIndex) -> Checked<()> {
        match &self.course {
            Course::Round { seat: mover, .. } if *mover == seat => Ok(()),
            Course::Roll { by, .. } if *by != seat => {
                Err(Fault::new(Code::WrongPhase, "your roll is awaited, which needs no decision")
                    .help("answer with `sealed respond`"))
            }
            Course::Over(_) => Err(crate::games::frame::game_over()),
            Course::Round { .. } | Course::Roll { .. } => {
                let awaited = match &self.course {
                    Course::Round { seat, .. } => *seat,
                    Course::Roll { by, .. } => self.other(*by),
                    Course::Over(_) => seat,
                };
                Err(Fault::new(Code::NotAwaited, "nothing is awaited from you now")
                    .help(format!("awaited now: {}", names(&self.header, &[awaited]))))
            }
        }
    }

    /// Judges a round that is not signed, with everything that is wrong in it.
    pub(super) fn weigh_plan(&self, seat: SeatIndex, script: &Script) -> Weighed {
        if let Err(fault) = self.may_plan(seat) {
            return Weighed { faults: vec![fault], ..Weighed::default() };
        }
        let (plan, survey, faults) = Plan::read(script).survey(self, seat);
        let mut told = Vec::new();
        let idle: Vec<String> = self
            .on_board(seat)
            .map(|(ship, _)| ship.id.to_string())
            .filter(|id| !plan.moves.iter().chain(&plan.shots).any(|(ship, ..)| ship == id))
            .collect();
        if !idle.is_empty() {
            told.push(format!("Not mentioned, so they stay and hold their fire: {}.", idle.join(", ")));
        }
        let ready: Vec<String> = survey
            .after
            .on_board(seat)
            .filter(|(ship, from)| {
                let fires = plan.shots.iter().any(|(word, ..)| *word == ship.id.to_string());
                !fires && !survey.in_sight(seat, ship.id, *from).is_empty()
            })
            .map(|(ship, from)| {
                let targets: Vec<String> =
                    survey.in_sight(seat, ship.id, from).iter().map(ShipId::to_string).collect();
                format!("{} ({})", ship.id, few(&targets))
            })
            .collect();
        if !ready.is_empty() {
            told.push(format!("These could fire and do not: {}.", ready.join("; ")));
        }
        Weighed {
            faults,
            told,
            charts: survey.shots_chart(seat).into_iter().collect(),
            scene: Some(survey.after.scene()),
        }
    }

    /// A text to begin a round from: each ship with what it can do, as comments.
    pub(super) fn template(&self, seat: SeatIndex) -> Checked<String> {
        self.may_plan(seat)?;
        let survey = self.survey(seat, &[], &[]);
        let mut text = format!(
            "# The round of {}, turn {}. A line a ship; take the # away and change it.\n\
             #   333a h4              moves; moves are made in the order of the lines\n\
             #   333a fires 011b      fires, after all moves\n\
             #   333a h4 fires 011b   both\n\
             # Ships without a line stay and hold their fire.\n",
            self.name(seat),
            self.turn
        );
        for (ship, from) in self.on_board(seat) {
            text.push_str(&self.template_of(&survey, seat, ship, from));
        }
        Ok(text)
    }

    /// What one ship can do, as comments, and the line to change.
    fn template_of(&self, survey: &Survey, seat: SeatIndex, ship: &Ship, from: Square) -> String {
        let (id, row) = (ship.id, ship.id.class.row());
        let plural = |count: u32| if count == 1 { "" } else { "s" };
        let ends = self.field.reach(from, row.rate, |square| survey.stand.standing(seat, square));
        let squares: Vec<String> =
            ends.into_keys().filter(|square| *square != from).map(|square| square.to_string()).collect();
        let steps = format!("up to {} step{}", row.rate, plural(row.rate));
        let goes = match squares.len() {
            0 => "it can go nowhere before others have moved".to_owned(),
            count if count > MOST_LISTED => format!("{steps}: {count} squares"),
            _ => format!("{steps}: {}", squares.join(" ")),
        };
        let targets: Vec<String> = survey
            .in_sight(seat, id, from)
            .into_iter()
            .map(|target| format!("{target} ({})", to_hit(target.class).percent()))
            .collect();
        let fires = if targets.is_empty() {
            "no target in sight from here".to_owned()
        } else {
            format!("from here: {}", targets.join(" "))
        };
        let far = self.largest_distance(id);
        let (name, shield, damage) = (row.name, row.shield, ship.damage);
        format!(
            "\n# {id} {name}, damage {damage} of {shield}, on {from}\n\
             #   {goes}\n\
             #   reaches {far} square{}; {fires}\n\
             #{id} {from}\n",
            plural(far)
        )
    }

    /// Makes an order ready from what a player wrote.
    pub(super) fn compose_script(&self, own: &OwnSecrets<'_>, script: &Script) -> Checked<Composed> {
        let seat = own.seat;
        if script.is_one_line(&["claim-draw"]) {
            self.may_plan(seat)?;
            self.judge_claim()?;
            return Ok(Composed::new(
                Action::ClaimDraw.name(),
                tree(&Bare {})?,
                vec!["Claims the draw: the game is drawn.".to_owned()],
            ));
        }
        self.may_plan(seat)?;
        let (plan, survey, faults) = Plan::read(script).survey(self, seat);
        if let Some(fault) = faults.into_iter().next() {
            return Err(fault);
        }
        if plan.moves.is_empty() && plan.shots.is_empty() && !script.is_one_line(&["hold"]) {
            return Err(Fault::new(Code::Unclear, "the round is empty")
                .help("if nobody is to move or fire, say so: hold"));
        }
        let mut consequences = Vec::new();
        let steps: Vec<String> = plan
            .moves
            .iter()
            .map(|(ship, to, _)| {
                let from = ship.parse().ok().and_then(|id| self.ship(seat, id)).and_then(|ship| ship.at);
                format!("{ship} {}-{to}", from.map(|from| from.to_string()).unwrap_or_default())
            })
            .collect();
        consequences.push(match steps.as_slice() {
            [] => "Nobody moves.".to_owned(),
            steps => format!("Moves: {}.", steps.join(", ")),
        });
        if survey.aims.is_empty() {
            consequences.push("Nobody fires.".to_owned());
        }
        for aim in &survey.aims {
            consequences.push(format!(
                "{} fires at {}: hits on {}.",
                aim.ship,
                aim.at,
                to_hit(aim.at.class).percent()
            ));
        }
        let round = Round {
            moves: plan.moves.into_iter().map(|(ship, to, _)| ShipMove { ship, to }).collect(),
            fire: plan.shots.into_iter().map(|(ship, at, _)| Shot { ship, at }).collect(),
            dice: own.open_dice()?,
        };
        Ok(Composed::new("round", tree(&round)?, consequences))
    }
}

impl Survey {
    /// The shots of a round by their targets: how likely each hits, how likely all together
    /// destroy.
    fn shots_chart(&self, seat: SeatIndex) -> Option<Chart> {
        let position = &self.after;
        let mut targets: Vec<ShipId> = Vec::new();
        for aim in &self.aims {
            if !targets.contains(&aim.at) {
                targets.push(aim.at);
            }
        }
        let rows: Vec<Vec<String>> = targets
            .into_iter()
            .map(|target| {
                let shooters: Vec<ShipId> =
                    self.aims.iter().filter(|aim| aim.at == target).map(|aim| aim.ship).collect();
                let classes: Vec<Class> = shooters.iter().map(|id| id.class).collect();
                let damage = position.ship(position.other(seat), target).map_or(0, |ship| ship.damage);
                let words: Vec<String> = shooters.iter().map(ShipId::to_string).collect();
                vec![
                    target.to_string(),
                    few(&words),
                    to_hit(target.class).percent(),
                    to_destroy(&classes, target.class, damage).percent(),
                ]
            })
            .collect();
        (!rows.is_empty()).then(|| Chart {
            title: "Your shots".to_owned(),
            columns: vec!["target", "by", "each hits", "destroyed"],
            rows,
            notes: Vec::new(),
        })
    }
}
