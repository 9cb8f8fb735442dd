//! A position for people: as the table `[position]`, as a drawing, as lists.

use super::class::Class;
use super::fleet::ShipId;
use super::odds::{to_destroy, to_hit};
use super::position::{Course, Position};
use crate::document::{Node, Table};
use crate::games::frame::capital;
use crate::games::{Chart, FleetSheet, Suggestion};
use crate::ident::SeatIndex;
use crate::scene::{Panel, Row, Scene, Square as Drawn};

/// The letter by which the board shows a seat's ship: its place in the fleet, a is the first.
fn mark(position: &Position, seat: SeatIndex, id: ShipId) -> String {
    let place = position.ships(seat).position(|ship| ship.id == id).unwrap_or(0);
    let letter = u8::try_from(place).ok().and_then(|place| b'a'.checked_add(place)).unwrap_or(b'?');
    char::from(letter).to_string()
}

impl Position {
    /// The game's own part of `[position]`; what awaits its roll only while the game goes on.
    pub(super) fn table(&self, goes_on: bool) -> Table {
        let mut table = Table::default();
        table.push("turn", self.turn);
        table.push("first", self.name(self.first));
        table.push("quiet_turns", self.quiet_turns);
        if let Course::Roll { shots, .. } = &self.course
            && goes_on
            && !shots.is_empty()
        {
            let fired = shots.iter().map(|aim| {
                let mut row = Table::default();
                row.push("ship", aim.ship.to_string());
                row.push("at", aim.at.to_string());
                Node::from(row)
            });
            table.push("fired", fired.collect::<Vec<_>>());
        }
        let drawn = self.scene().lines(&self.header);
        table.push("board", drawn.into_iter().map(Node::from).collect::<Vec<_>>());
        let mut rows: Vec<Node> = Vec::new();
        for seat in self.fleets.seats() {
            for (ship, at) in self.on_board(seat) {
                let mut row = Table::default();
                row.push("seat", self.name(seat));
                row.push("id", ship.id.to_string());
                row.push("at", at.to_string());
                row.push("damage", u64::from(ship.damage));
                rows.push(row.into());
            }
        }
        table.push("ships", rows);
        table
    }

    /// The board, one letter a ship.
    pub(super) fn scene(&self) -> Scene {
        let stand = self.stand();
        let gates: Vec<_> = self.field.wormholes().collect();
        let gate = |square| {
            let place = gates.iter().position(|(one, other)| *one == square || *other == square)?;
            Some(if place < 9 { (place + 1).to_string() } else { "*".to_owned() })
        };
        let draw = |square| match stand.on(square) {
            Some((seat, id)) => Drawn::Piece { seat, letters: mark(self, seat, id) },
            None if self.field.is_asteroid(square) => Drawn::Obstacle,
            None => gate(square).map_or(Drawn::Empty, Drawn::Gate),
        };
        let width = self.field.width();
        let rows = (0..self.field.length()).rev().map(|rank| Row {
            label: (rank + 1).to_string(),
            squares: (0..width).map(|file| draw(super::field::Square { file, rank })).collect(),
        });
        let columns = (0..width).map(|file| char::from(b'a' + file).to_string()).collect();
        let panel = Panel { title: String::new(), columns, rows: rows.collect(), is_narrow: true };
        let first = self.name(SeatIndex::FIRST);
        let other = self.name(self.other(SeatIndex::FIRST));
        let mut notes = vec![format!("Capital letters are {first}'s ships, small letters {other}'s.")];
        if !gates.is_empty() {
            let pairs: Vec<String> = gates
                .iter()
                .map(|(one, other)| format!("{} {one}-{other}", gate(*one).unwrap_or_default()))
                .collect();
            notes.push(format!("Wormholes: {}.", pairs.join(", ")));
        }
        Scene { panels: vec![panel], notes }
    }

    /// Both fleet record sheets.
    pub(super) fn fleet_sheets(&self) -> Vec<FleetSheet> {
        let sheet = |seat: SeatIndex| {
            let mut remarks = Vec::new();
            if self.fleets[seat].is_none() {
                remarks.push("left before the fleets were opened".to_owned());
            }
            let rows = self.ships(seat).map(|ship| {
                let row = ship.id.class.row();
                let letter = mark(self, seat, ship.id);
                vec![
                    if seat == SeatIndex::FIRST { letter.to_uppercase() } else { letter },
                    ship.id.to_string(),
                    row.name.to_owned(),
                    ship.at.map_or_else(
                        || if ship.damage >= row.shield { "lost" } else { "gone" }.to_owned(),
                        |at| at.to_string(),
                    ),
                    row.rate.to_string(),
                    ship.id.class.power(),
                    self.largest_distance(ship.id).to_string(),
                    format!("{} of {}", ship.damage, row.shield),
                ]
            });
            FleetSheet {
                seat,
                columns: vec!["", "ship", "class", "on", "moves", "fire", "reach", "damage"],
                rows: rows.collect(),
                remarks,
            }
        };
        self.fleets.seats().map(sheet).collect()
    }

    /// Words on where the game stands.
    pub(super) fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        match &self.course {
            Course::Round { is_second, .. } => {
                let which = if *is_second { "second" } else { "first" };
                remarks.push(format!("Turn {}, the {which} round.", self.turn));
            }
            Course::Roll { by, shots, .. } => remarks.push(if shots.is_empty() {
                format!("Turn {} is over; the next initiative awaits the roll.", self.turn)
            } else {
                let shots = match shots.len() {
                    1 => "shot awaits its".to_owned(),
                    more => format!("{more} shots await their"),
                };
                format!("{}'s {shots} roll.", capital(self.name(*by)))
            }),
            Course::Over(_) => return remarks,
        }
        if self.quiet_limit > 0 {
            remarks.push(format!(
                "Quiet turns in a row: {}. From {} on the draw may be claimed.",
                self.quiet_turns, self.quiet_limit
            ));
        }
        remarks
    }

    /// The orders that a seat can give in a few words.
    pub(super) fn legal_words(&self, seat: SeatIndex) -> Vec<Suggestion> {
        let Course::Round { seat: mover, .. } = self.course else { return Vec::new() };
        if mover != seat {
            return Vec::new();
        }
        let mut found = vec![Suggestion {
            words: vec!["hold".to_owned()],
            remark: "nobody moves, nobody fires".to_owned(),
            group: "hold".to_owned(),
        }];
        if self.judge_claim().is_ok() {
            found.push(Suggestion {
                words: vec!["claim-draw".to_owned()],
                remark: "the game is drawn".to_owned(),
                group: "end".to_owned(),
            });
        }
        found
    }

    /// What the seat to move has in range and in sight from where its ships stand.
    pub(super) fn outlook(&self, seat: SeatIndex) -> Vec<Chart> {
        match self.course {
            Course::Round { seat: mover, .. } if mover == seat => vec![self.targets(seat)],
            _ => Vec::new(),
        }
    }

    /// A row for each shot that is possible now, and one for all shots at one target.
    fn targets(&self, seat: SeatIndex) -> Chart {
        let survey = self.survey(seat, &[], &[]);
        let mut rows = Vec::new();
        for (target, on) in self.on_board(self.other(seat)) {
            let shooters: Vec<ShipId> = self
                .on_board(seat)
                .filter(|(ship, from)| survey.in_sight(seat, ship.id, *from).contains(&target.id))
                .map(|(ship, _)| ship.id)
                .collect();
            let name = format!("{} {on}", target.id);
            for (place, shooter) in shooters.iter().enumerate() {
                rows.push(vec![
                    if place == 0 { name.clone() } else { String::new() },
                    shooter.to_string(),
                    to_hit(target.id.class).percent(),
                    to_destroy(&[shooter.class], target.id.class, target.damage).percent(),
                ]);
            }
            if shooters.len() > 1 {
                let classes: Vec<Class> = shooters.iter().map(|id| id.class).collect();
                rows.push(vec![
                    String::new(),
                    "all".to_owned(),
                    String::new(),
                    to_destroy(&classes, target.id.class, target.damage).percent(),
                ]);
            }
        }
        let notes = if rows.is_empty() {
            vec!["Nothing is in range and in sight before you move.".to_owned()]
        } else {
            Vec::new()
        };
        Chart {
            title: "Targets in range and in sight before you move".to_owned(),
            columns: vec!["target", "by", "hits", "destroys"],
            rows,
            notes,
        }
    }
}
