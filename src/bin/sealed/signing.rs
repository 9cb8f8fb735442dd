//! The way of a signature: compose, look into the journal, show what it means, ask, sign,
//! note it in the journal, record it in the game, write what is to be mailed.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use sealed_orders::crypto::Identity;
use sealed_orders::document::Node;
use sealed_orders::fault::{Checked, Code, Fault};
use sealed_orders::games::{Composed, Keyholder, Legal, Phase, Standing, State};
use sealed_orders::ident::{Head, Seat, SeatIndex};
use sealed_orders::log::{Fate, Intent, Journal, Order, SignedOrder, Verified};
use sealed_orders::mail;
use sealed_orders::report::{WIDTH, wrap};
use sealed_orders::store::{self, Lock};
use sealed_orders::turn::{Extras, Replay, Step, adjudicate, arbiter_of, prospect, seat_of, sign_as};
use serde_json::json;

use crate::args::SigningArgs;
use crate::failure::Failure;
use crate::output::Outcome;
use crate::table::{self, Table};
use crate::world::World;

/// Who signs at a game: a player, by the seat's index, or the arbiter.
pub(crate) trait Writer: Copy {
    /// What it writes, in a word.
    const WORD: &'static str;
    /// What an identity is in a game.
    fn of(replay: &Replay, identity: &Identity) -> Checked<Self>;
    /// The name that it signs as.
    fn name(self, replay: &Replay) -> Seat;
    /// Whether the open step has what this writer would sign once only.
    fn is_in(self, replay: &Replay) -> bool;
    /// What the signed order leads to in the copy at hand.
    fn prospect(replay: &Replay, legal: &Verified) -> Checked<Vec<String>>;
}

impl Writer for SeatIndex {
    const WORD: &'static str = "order";

    fn of(replay: &Replay, identity: &Identity) -> Checked<Self> {
        seat_of(replay, identity)
    }

    fn name(self, replay: &Replay) -> Seat {
        replay.header().seat(self).clone()
    }

    fn is_in(self, replay: &Replay) -> bool {
        replay.open().iter().any(|legal| legal.standing() == Standing::Awaited(self))
    }

    /// The consequences say it all.
    fn prospect(_: &Replay, _: &Verified) -> Checked<Vec<String>> {
        Ok(Vec::new())
    }
}

/// The arbiter, who may enter several things in one step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arbiter;

impl Writer for Arbiter {
    const WORD: &'static str = "entry";

    fn of(replay: &Replay, identity: &Identity) -> Checked<Self> {
        arbiter_of(replay.header(), identity).map(|_| Self)
    }

    fn name(self, _: &Replay) -> Seat {
        Seat::arbiter()
    }

    /// What takes the place of what is for each entry to say.
    fn is_in(self, _: &Replay) -> bool {
        false
    }

    fn prospect(replay: &Replay, legal: &Verified) -> Checked<Vec<String>> {
        prospect(replay, legal)
    }
}

/// A player, or the arbiter, at a game, about to sign.
pub(crate) struct Sitting<'a, W = SeatIndex> {
    world: &'a World,
    args: &'a SigningArgs,
    pub(crate) table: Table,
    pub(crate) identity: Identity,
    pub(crate) seat: W,
    kept: Option<Node>,
    _lock: Lock,
}

impl Sitting<'_> {
    pub(crate) const fn keyholder(&self) -> Keyholder<'_> {
        Keyholder { seat: self.seat, identity: &self.identity, kept: self.kept.as_ref() }
    }
}

impl<'a, W: Writer> Sitting<'a, W> {
    /// Opens the game for what the identity is in it.
    pub(crate) fn open(world: &'a World, args: &'a SigningArgs) -> Result<Self, Failure> {
        let path = table::find(args.game.as_deref())?;
        let lock = Lock::take(&path)?;
        let table = Table::open(&path)?;
        let identity = world.identity()?;
        let seat = W::of(&table.replay, &identity)?;
        let journal = read_journal(world, &identity)?;
        let kept = journal.kept_fleet(table.header().id(), &seat.name(&table.replay)).cloned();
        Ok(Self { world, args, table, identity, seat, kept, _lock: lock })
    }

    /// Takes this for the fleet that was sealed, instead of what the journal keeps.
    pub(crate) fn with_fleet(mut self, fleet: Node) -> Self {
        self.kept = Some(fleet);
        self
    }

    pub(crate) fn state(&self) -> &dyn State {
        self.table.replay.state()
    }

    fn seat_name(&self) -> Seat {
        self.seat.name(&self.table.replay)
    }

    /// The seal that this identity has signed for the open step already, if any.
    pub(crate) fn signed_already(&self) -> Result<Option<SignedOrder>, Failure> {
        let journal = read_journal(self.world, &self.identity)?;
        let replay = &self.table.replay;
        Ok(journal.signed_for(replay.header().id(), &replay.head()).cloned())
    }

    /// Shows again what was signed for the open step.
    pub(crate) fn again(&self) -> Result<Outcome, Failure> {
        let replay = &self.table.replay;
        let here = self.signed_already()?;
        let last = replay.orders().filter(|order| order.order().seat == self.seat_name()).last().cloned();
        let verified = match here {
            Some(signed) => Some(signed.verify(replay.header())?),
            None => last,
        };
        match verified {
            Some(verified) => self.hand_over(&verified, &format!("This is your last {} again.", W::WORD)),
            None => Err(Fault::new(Code::NoSuchThing, "you have signed nothing in this game yet").into()),
        }
    }

    /// Signs a composed order, if the journal and the player agree.
    pub(crate) fn sign(&self, composed: Composed, draw: bool) -> Result<Outcome, Failure> {
        self.sign_after(composed, draw, "")
    }

    /// As [`Sitting::sign`], with something to be looked at before the question.
    pub(crate) fn sign_after(
        &self,
        composed: Composed,
        draw: bool,
        preview: &str,
    ) -> Result<Outcome, Failure> {
        let replay = &self.table.replay;
        let header = replay.header();
        if self.seat.is_in(replay) {
            let fault = Fault::new(
                Code::NotAwaited,
                "your order for this step is in already; a signed order cannot be changed",
            );
            return Err(fault.help("to mail it again, type: sealed order --again").into());
        }
        let journal_path = self.world.journal_path(&self.identity)?;
        if let Some(folder) = journal_path.parent() {
            store::make_folder(folder, true)?;
        }
        let _lock = Lock::take(&journal_path)?;
        let mut journal = read_journal(self.world, &self.identity)?;
        let intent = Intent {
            game: header.id(),
            after: replay.head(),
            step: replay.step(),
            action: composed.action,
            details: &composed.details,
            draw,
        };
        if let Some(digits) = &self.args.head {
            confirm_head(&replay.head(), digits)?;
            if journal.of_game(header.id()).next().is_none() {
                journal.adopt(header.id(), replay.head());
            }
        }
        let on_chain = |head: &Head| heads(replay).any(|known| known == *head);
        let before = journal.permit(&intent, |signed| fate(replay, signed), on_chain)?;
        if let Some(signed) = before {
            let verified = signed.verify(header)?;
            self.record(&verified)?;
            return self.hand_over(
                &verified,
                &format!("You have signed this {} before; this is the same one again.", W::WORD),
            );
        }
        let mut consequences = format!("{preview}{}", self.consequences(&composed, draw));
        let private = composed.private.clone();
        // Judged before it is signed, as everybody else will judge it.
        let extras = Extras { press: self.args.press.clone(), draw };
        let now = self.world.now()?;
        let kept = composed.kept.clone();
        let verified = sign_as(replay, &self.seat_name(), &self.identity, composed, &extras, now)?;
        for line in W::prospect(replay, &verified)? {
            let quote = if line.starts_with("| ") { "| " } else { "" };
            for (number, part) in wrap(&line, WIDTH - 4, "").iter().enumerate() {
                let _ = writeln!(consequences, "  {}{part}", if number > 0 { quote } else { "" });
            }
        }
        let mut shown = consequences.clone();
        for line in private.iter().flat_map(|line| wrap(line, WIDTH - 4, "")) {
            let _ = writeln!(shown, "  {line}");
        }
        if self.args.dry_run {
            let text = format!("{shown}Nothing was signed (--dry-run).\n");
            return Ok(Outcome::new(text, json!({ "signed": false, "consequences": shown })));
        }
        if !self.args.yes {
            eprint!("{}", crate::output::visible(&shown));
            if !World::ask("A signed order cannot be changed. Sign it?")? {
                return Err(Fault::new(Code::NotConfirmed, "nothing was signed").into());
            }
        }
        journal.note(signed_order(&verified)?);
        if let Some(fleet) = kept {
            journal.keep_fleet(header.id(), &self.seat_name(), fleet);
        }
        store::write_private(&journal_path, journal.to_toml()?.as_bytes())?;
        self.record(&verified)?;
        self.hand_over(&verified, &consequences)
    }

    fn consequences(&self, composed: &Composed, draw: bool) -> String {
        let mut text =
            format!("Step {}, {}: [{}]\n", self.table.replay.step(), self.seat_name(), composed.action);
        let offer =
            draw.then(|| "Offers a draw; once all who are still in offer it, the game is drawn.".to_owned());
        for line in composed.consequences.iter().chain(&offer) {
            for part in wrap(line, WIDTH - 4, "") {
                let _ = writeln!(text, "  {part}");
            }
        }
        text
    }

    /// Records the signed order in the player's own game file at once.
    fn record(&self, verified: &Verified) -> Result<(), Failure> {
        let taken = adjudicate(self.table.header(), &self.table.entries(), &[verified.clone().into()])?;
        store::write(&self.table.path, table::game_text(&taken.replay).as_bytes())?;
        Ok(())
    }

    /// The rolls that this player signed right before an order: they decide nothing and
    /// travel with it.
    fn rolls_before(&self, verified: &Verified) -> Vec<Verified> {
        let steps = self.table.replay.steps().iter().rev();
        let own = |step: &&Step| {
            step.number < verified.order().step
                && step.phase == Phase::Roll
                && step
                    .orders
                    .iter()
                    .all(|legal| legal.order().is_some_and(|order| order.order().seat == self.seat_name()))
        };
        let rolls = steps.skip_while(|step| step.number >= verified.order().step).take_while(own);
        let mut rolls: Vec<Verified> =
            rolls.flat_map(|step| &step.orders).filter_map(Legal::order).cloned().collect();
        rolls.reverse();
        rolls
    }

    /// Writes the text to mail and the order as a file, and prints the text.
    fn hand_over(&self, verified: &Verified, before: &str) -> Result<Outcome, Failure> {
        let order = verified.order();
        let folder = self.table.path.parent().unwrap_or(Path::new("")).join("out");
        store::make_folder(&folder, false)?;
        let name = match forfeited(order) {
            // The arbiter may forfeit several seats in one step.
            Some(seat) => format!("step-{:03}-{}-{seat}", order.step, order.seat),
            None => format!("step-{:03}-{}", order.step, order.seat),
        };
        let text_path = folder.join(format!("{name}.txt"));
        let order_path = folder.join(format!("{name}.order.toml"));
        let letter = self.letter(verified);
        store::write(&order_path, verified.to_toml().as_bytes())?;
        let mut attached = Vec::new();
        for roll in self.rolls_before(verified) {
            let path = folder.join(format!("step-{:03}-{}.order.toml", roll.order().step, order.seat));
            store::write(&path, roll.to_toml().as_bytes())?;
            attached.push(shown(&path));
        }
        attached.push(shown(&order_path));
        store::write(&text_path, letter.as_bytes())?;
        let mut text = String::new();
        let _ = writeln!(text, "{}\n", before.trim_end());
        text.push_str(&letter);
        let _ = write!(
            text,
            "\nMail this text to all, or attach {}.\n{} in {}.\n",
            attached.join(" and "),
            if attached.len() == 1 { "Both are" } else { "All are" },
            shown(&folder)
        );
        let json = json!({
            "signed": true,
            "digest": verified.digest().to_string(),
            "step": order.step,
            "seat": order.seat.as_str(),
            "action": order.action,
            "mail": text_path.display().to_string(),
            "order": order_path.display().to_string(),
        });
        Ok(Outcome::new(text, json))
    }

    fn letter(&self, verified: &Verified) -> String {
        let blocks: Vec<String> =
            self.rolls_before(verified).iter().chain([verified]).map(mail::block).collect();
        let header = self.table.header();
        let order = verified.order();
        let others = header
            .players()
            .iter()
            .filter(|player| player.seat != order.seat)
            .map(|player| player.mail.clone());
        let arbiter =
            header.arbiter().filter(|_| !order.seat.is_arbiter()).map(|arbiter| arbiter.mail.clone());
        let to: Vec<String> = others.chain(arbiter).collect();
        format!(
            "To: {}\nSubject: {}, step {}: {}\n\n{}",
            to.join(", "),
            header.name(),
            order.step,
            order.seat,
            blocks.join("\n")
        )
    }
}

/// The seat that an entry forfeits.
pub(crate) fn forfeited(order: &Order) -> Option<&str> {
    let is_forfeit = order.seat.is_arbiter() && order.action == "forfeit";
    order.details().nearest("seat").as_text().filter(|_| is_forfeit)
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// A verified order as the journal keeps it.
fn signed_order(verified: &Verified) -> Checked<SignedOrder> {
    SignedOrder::read(&verified.written())
}

/// Every head of a game so far.
fn heads(replay: &Replay) -> impl Iterator<Item = Head> {
    std::iter::once(Head::first(replay.header().id())).chain(replay.steps().iter().map(|step| step.head))
}

/// Checks the digits of the head that the others told.
pub(crate) fn confirm_head(head: &Head, digits: &str) -> Checked<()> {
    let plain: String = digits.chars().filter(|c| !c.is_whitespace()).collect();
    if plain.len() < 8 {
        return Err(Fault::new(Code::Unclear, format!("{plain:?} is too short to tell heads apart"))
            .help("give eight or more of the first digits that the others have"));
    }
    if !head.to_string().starts_with(&plain) {
        return Err(Fault::new(
            Code::JournalForbids,
            format!("the head of this copy begins with {}, not with {plain:?}", head.by_eye()),
        )
        .help("your copies differ: ask the others for theirs, and apply it"));
    }
    Ok(())
}

/// What became of an order that was signed before, in this copy of the game.
pub(crate) fn fate(replay: &Replay, signed: &SignedOrder) -> Fate {
    let order = signed.order();
    if replay.orders().any(|known| known.digest() == signed.digest()) {
        return Fate::Stands;
    }
    if order.seat.is_arbiter() {
        return fate_of_entry(replay, order);
    }
    let takes_over = |step: &sealed_orders::turn::Step| {
        step.orders.iter().any(|legal| {
            let same = legal.order().map(Verified::order).is_some_and(|other| {
                other.seat == order.seat
                    && other.action == order.action
                    && other.details() == order.details()
                    && other.draw == order.draw
            });
            let arbiter = overrules(legal.standing());
            let mover = matches!(legal.standing(), Standing::Awaited(_) | Standing::Claim(_))
                && order.action == "claim-draw";
            same || arbiter || mover
        })
    };
    if let Some(step) = replay.steps().iter().find(|step| step.after == order.after) {
        return if takes_over(step) { Fate::Void } else { Fate::Lost };
    }
    // Its head is not of this chain: void if something took precedence before it.
    let overruled = replay
        .steps()
        .iter()
        .filter(|step| step.number <= order.step)
        .any(|step| step.orders.iter().any(|legal| overrules(legal.standing())));
    if overruled { Fate::Void } else { Fate::Lost }
}

/// Whether an entry takes the place of orders that were legal, by the arbiter's word or a proof.
const fn overrules(standing: Standing) -> bool {
    matches!(standing, Standing::Ruling | Standing::InPlaceOf(_) | Standing::Proven(_))
}

/// What became of an arbiter's own entry. Nothing of a player takes its place, save that an
/// audit does where no entry follows any more; its own ruling does, at the same head. An
/// entry on a branch that a proof has made void is void with it.
fn fate_of_entry(replay: &Replay, order: &Order) -> Fate {
    let step = replay.steps().iter().find(|step| step.after == order.after);
    let is_void = step.into_iter().flat_map(|step| &step.orders).any(|legal| {
        let same = legal.order().is_some_and(|other| other.order().details() == order.details());
        match legal.standing() {
            Standing::Ruling => same || order.action == "forfeit",
            Standing::InPlaceOf(_) => same,
            Standing::Awaited(_) | Standing::Claim(_) | Standing::Proven(_) => false,
        }
    });
    let by_proof = step.is_none()
        && replay
            .steps()
            .iter()
            .filter(|step| step.number <= order.step)
            .any(|step| step.orders.iter().any(|legal| matches!(legal.standing(), Standing::Proven(_))));
    if is_void || by_proof { Fate::Void } else { Fate::Lost }
}

/// Reads the journal of an identity; an empty one if there is none yet.
pub(crate) fn read_journal(world: &World, identity: &Identity) -> Result<Journal, Failure> {
    let path: PathBuf = world.journal_path(identity)?;
    if !path.exists() {
        return Ok(Journal::new(identity.public()));
    }
    let text = table::read_text(&path)?;
    Journal::parse(&text, identity.public())
        .map_err(|fault| Failure::in_text(fault, &path.display().to_string(), &text))
}
