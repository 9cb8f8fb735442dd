//! `sealed apply` and `sealed check`: take orders into a game, or only look.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use clap::Args;
use sealed_orders::document;
use sealed_orders::fault::{Checked, Code, Fault};
use sealed_orders::games::{Phase, Standing};
use sealed_orders::log::{Entry, Header, Order, SignedEntry, SignedOrder, Verified};
use sealed_orders::mail::Reading;
use sealed_orders::report::{WIDTH, wrap};
use sealed_orders::store::{self, Lock};
use sealed_orders::turn::{Adjudication, Replay, Verdict, adjudicate};
use serde_json::{Value, json};

use crate::args::SigningArgs;
use crate::failure::{Failure, Source};
use crate::output::Outcome;
use crate::signing::{Sitting, forfeited};
use crate::table::{self, Table, game_text, waiting_text, write_reports};
use crate::world::World;

/// Take orders into a game: verify everything, write the new game file and the reports.
///
/// FILE is an order file, a text with order blocks, another player's copy of the game
/// file, or - for standard input. Any number, in any order; what does not fit yet is kept
/// beside the game and tried again the next time.
#[derive(Debug, Args)]
pub(crate) struct ApplyArgs {
    #[command(flatten)]
    what: What,
    /// Write the new game file here instead of in place.
    #[arg(short, long, value_name = "NEW")]
    output: Option<PathBuf>,
    /// The folder for the reports, one a player (reports/ beside the game, unless named).
    #[arg(long, value_name = "DIR")]
    reports: Option<PathBuf>,
    /// Sign a roll that you owe without asking: it decides nothing.
    #[arg(long)]
    yes: bool,
}

/// Look at orders as `apply` does, without writing anything.
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    what: What,
}

impl ApplyArgs {
    /// Taking files into a game, as it is typed without any options.
    pub(crate) const fn of_files(game: PathBuf, files: Vec<PathBuf>) -> Self {
        Self { what: What { game: Some(game), files }, output: None, reports: None, yes: false }
    }
}

#[derive(Debug, Args)]
struct What {
    /// The game file, where the folder holds more than one.
    #[arg(short, long, value_name = "GAME")]
    game: Option<PathBuf>,
    /// The game file, if it is not the only one of this folder; then what to take in.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Which game is meant, and what is to be taken in.
fn meant(what: &What) -> Result<(PathBuf, Vec<PathBuf>), Failure> {
    if let Some(game) = &what.game {
        return Ok((game.clone(), what.files.clone()));
    }
    let here = table::games_in(Path::new("."));
    let Some((first, rest)) = what.files.split_first() else {
        return Ok((table::find(None)?, Vec::new()));
    };
    let same = |path: &Path| {
        path.canonicalize().ok().is_some_and(|path| first.canonicalize().is_ok_and(|first| first == path))
    };
    match here.as_slice() {
        [only] if same(only) => Ok((only.clone(), rest.to_vec())),
        // A copy of the folder's own game is something to take in; another game is the one meant.
        [only] => match (game_id(first), game_id(only)) {
            (Some(first_id), Some(own_id)) if first_id != own_id && !rest.is_empty() => {
                Ok((first.clone(), rest.to_vec()))
            }
            _ => Ok((only.clone(), what.files.clone())),
        },
        // An order, and several games that it could be for.
        [_, _, ..] if is_no_game(first) => Ok((table::find(None)?, Vec::new())),
        // Which of two copies is to take in the other, only the player knows.
        [_, _, ..] if rest.is_empty() => match here.iter().find(|game| is_copy(first, game)) {
            Some(own) => {
                let (own, first) = (own.display(), first.display());
                Err(Fault::new(Code::Unclear, format!("{first} and {own} are copies of one game"))
                    .help(format!("to take one into the other, type: sealed apply {own} {first}"))
                    .into())
            }
            None => Ok((first.clone(), Vec::new())),
        },
        // An order without a game beside it.
        [] if rest.is_empty() && is_no_game(first) => Ok((table::find(None)?, Vec::new())),
        _ => Ok((first.clone(), rest.to_vec())),
    }
}

/// Whether two files are copies of the same game.
fn is_copy(one: &Path, other: &Path) -> bool {
    let same_file = one.canonicalize().ok().is_some_and(|one| other.canonicalize().is_ok_and(|it| it == one));
    !same_file && game_id(one).is_some_and(|id| game_id(other) == Some(id))
}

/// Whether a file can be read and is no game file.
fn is_no_game(path: &Path) -> bool {
    table::read_text(path).is_ok()
        && game_id(path).is_none()
        && !path.to_string_lossy().ends_with(table::GAME_ENDING)
}

fn game_id(path: &Path) -> Option<sealed_orders::ident::GameId> {
    let text = table::read_text(path).ok()?;
    let node = document::parse(&text).ok()?;
    Header::read(node.as_table()?.get("game")?).ok().map(|header| header.id())
}

/// One entry that was found, or what was found instead.
pub(super) struct Found {
    pub(super) from: String,
    pub(super) entry: Result<Entry, Failure>,
    /// What an order says to be, as soon as it was understood.
    pub(super) claimed: Option<SignedOrder>,
    /// The text that it stood in, to point at what is refused.
    pub(super) source: Option<Rc<Source>>,
    /// Whether it came with another player's whole game file, or as the chain before a proof.
    pub(super) of_a_copy: bool,
}

impl Found {
    /// A text in which no entry could be read.
    pub(super) fn unread(file: &Path, failure: Failure) -> Self {
        let from = if file.as_os_str() == "-" { "standard input".into() } else { file.display().to_string() };
        Self { from, entry: Err(failure), claimed: None, source: None, of_a_copy: false }
    }
}

/// Reads one input: a game file, a proof file, an order file, or a text with blocks.
pub(super) fn read_input(path: &Path, header: &Header, found: &mut Vec<Found>) -> Result<(), Failure> {
    let (name, bytes) = if path.as_os_str() == "-" {
        ("standard input".to_owned(), store::read_limited(std::io::stdin().lock(), "standard input")?)
    } else {
        (path.display().to_string(), store::read(path)?)
    };
    let text = document::utf8(&bytes)?.to_owned();
    let source = Rc::new(Source { name: name.clone(), text: text.clone() });
    let fail = |fault| Failure::in_text(fault, &name, &text);
    let entry = |entry: Checked<Entry>, of_a_copy| Found {
        from: name.clone(),
        entry: entry.map_err(fail),
        claimed: None,
        source: Some(Rc::clone(&source)),
        of_a_copy,
    };
    let of_this_game = |other: &Header, what: &str| -> Result<(), Failure> {
        if other.id() == header.id() {
            return Ok(());
        }
        let fault = Fault::new(
            Code::WrongGame,
            format!("{name} is {what} of another game, {:?} ({})", other.name(), other.id()),
        );
        Err(fault.help(format!("this game is {:?} ({})", header.name(), header.id())).into())
    };
    match Reading::of_text(&text).map_err(fail)? {
        Reading::Blocks(blocks) => found.extend(blocks.into_iter().map(|block| match block.order {
            Ok(signed) => Found {
                claimed: Some(signed.clone()),
                ..entry(signed.verify(header).map(Entry::Order), false)
            },
            Err(fault) => Found { source: None, ..entry(Err(fault), false) },
        })),
        Reading::Entry(signed) => {
            let claimed = match &signed {
                SignedEntry::Order(order) => Some(order.clone()),
                SignedEntry::Proof(_) => None,
            };
            found.push(Found { claimed, ..entry(signed.verify(header), false) });
        }
        Reading::Game(file) => {
            of_this_game(&file.header, "a copy")?;
            found.extend(file.entries.into_iter().map(|signed| entry(signed.verify(header), true)));
        }
        Reading::Proof(file) => {
            of_this_game(&file.header, "a proof")?;
            found.extend(file.entries.into_iter().map(|signed| entry(signed.verify(header), true)));
            found.push(entry(file.accusation.verify(header).map(Entry::Proof), false));
        }
    }
    Ok(())
}

/// A line on one entry: what it is and what became of it.
struct Line {
    text: String,
    json: Value,
    refused: bool,
}

fn line(from: &str, entry: &Entry, verdict: &Verdict, source: Option<&Source>) -> Line {
    let what = format!("{from}: {}", place_told(entry));
    let (word, fault) = match verdict {
        Verdict::Accepted => ("accepted", None),
        Verdict::Known => ("already known", None),
        Verdict::Waiting(fault) => ("waiting", Some(fault)),
        Verdict::Refused(fault) => ("refused", Some(fault)),
    };
    let mut text = format!("{what}: {word}\n");
    let failure = fault.map(|fault| Failure { fault: Box::new(fault.clone()), source: source.cloned() });
    match (verdict, fault, &failure) {
        (Verdict::Refused(_), _, Some(failure)) => text.push_str(&failure.text()),
        (_, Some(fault), _) => {
            explain(&mut text, &format!("{fault}."));
            explain(&mut text, &format!("What to do: {}.", fault.advice()));
        }
        _ => {}
    }
    let mut json = entry_json(entry);
    if let Some(json) = json.as_object_mut() {
        json.insert("from".to_owned(), json!(from));
        json.insert("verdict".to_owned(), json!(word));
        json.insert("error".to_owned(), json!(failure.as_ref().map(Failure::json)));
    }
    Line { text, json, refused: matches!(verdict, Verdict::Refused(_)) }
}

/// An entry in a few words: `step 4, red, [move]`.
fn place_told(entry: &Entry) -> String {
    match entry {
        Entry::Order(order) => {
            let said = order.order();
            format!("step {}, {}, [{}]", said.step, said.seat, said.action)
        }
        Entry::Proof(proof) => format!("[proof] against {}, of step {}", proof.seat(), proof.fork_step()),
    }
}

fn entry_json(entry: &Entry) -> Value {
    match entry {
        Entry::Order(order) => json!({
            "step": order.order().step, "seat": order.order().seat.as_str(),
            "action": order.order().action, "digest": order.digest().to_string(),
        }),
        Entry::Proof(proof) => json!({
            "step": proof.fork_step(), "seat": proof.seat().as_str(), "action": "proof",
            "digests": proof.digests().map(|digest| digest.to_string()),
        }),
    }
}

fn explain(text: &mut String, sentence: &str) {
    for part in wrap(sentence, WIDTH - 4, "") {
        let _ = writeln!(text, "    {part}");
    }
}

/// An entry that is genuine, and where it comes from.
struct New {
    from: String,
    entry: Entry,
    source: Option<Rc<Source>>,
    of_a_copy: bool,
}

/// Everything that apply and check have in common: the same path, but for writing.
struct Taken {
    table: Table,
    adjudication: Adjudication,
    still_waiting: Vec<Entry>,
    lines: Vec<Line>,
}

fn take(path: &Path, files: &[PathBuf]) -> Result<Taken, Failure> {
    let table = Table::open(path)?;
    let mut found: Vec<Found> = Vec::new();
    for file in files {
        if let Err(failure) = read_input(file, table.header(), &mut found) {
            found.push(Found::unread(file, failure));
        }
    }
    let kept = table.waiting();
    let in_file = table.entries();
    let mut new: Vec<New> = Vec::new();
    let mut lines = Vec::new();
    for Found { from, entry, source, of_a_copy, .. } in found {
        match entry {
            Ok(entry) => new.push(New { from, entry, source, of_a_copy }),
            Err(failure) => lines.push(Line {
                text: format!("{from}: refused\n{}", failure.text()),
                json: json!({ "from": from, "verdict": "refused", "error": failure.json() }),
                refused: true,
            }),
        }
    }
    let given = new.len();
    let given_digests: BTreeSet<_> = new.iter().map(|new| new.entry.digests()).collect();
    let kept = kept.into_iter().filter(|entry| !given_digests.contains(&entry.digests()));
    new.extend(kept.map(|entry| New {
        from: "kept from before".to_owned(),
        entry,
        source: None,
        of_a_copy: false,
    }));
    let entries: Vec<Entry> = new.iter().map(|new| new.entry.clone()).collect();
    let adjudication = adjudicate(table.header(), &in_file, &entries)?;
    let mut still_waiting: Vec<Entry> = Vec::new();
    let mut known_in_copies = 0_usize;
    for (place, (one, verdict)) in new.iter().zip(&adjudication.verdicts).enumerate() {
        let New { from, entry, source, of_a_copy } = one;
        if matches!(verdict, Verdict::Waiting(_))
            && !still_waiting.iter().any(|kept| kept.digests() == entry.digests())
        {
            still_waiting.push(entry.clone());
        }
        // Of another's whole game file only what is new deserves a line.
        if *of_a_copy && *verdict == Verdict::Known {
            known_in_copies += 1;
            continue;
        }
        if place >= given && matches!(verdict, Verdict::Waiting(_)) {
            continue;
        }
        // Where the same order stood in several texts, a place may be of any of them.
        let digests = entry.digests();
        let alone = new.iter().filter(|other| other.entry.digests() == digests).count() == 1
            && !in_file.iter().any(|other| other.digests() == digests);
        lines.push(line(from, entry, verdict, source.as_deref().filter(|_| alone)));
    }
    if known_in_copies > 0 {
        lines.push(Line {
            text: format!("copies of the game: {known_in_copies} orders already known\n"),
            json: json!({ "verdict": "already known", "count": known_in_copies }),
            refused: false,
        });
    }
    for entry in &adjudication.dropped {
        let why = match entry.order() {
            Some(order) => why_dropped(&adjudication.replay, order.order()),
            None => "Another entry takes precedence at its head.".to_owned(),
        };
        let mut text = format!("in the game before: {}: stands no more\n", place_told(entry));
        explain(&mut text, &why);
        let mut json = entry_json(entry);
        if let Some(json) = json.as_object_mut() {
            json.insert("verdict".to_owned(), json!("dropped"));
            json.insert("why".to_owned(), json!(why));
        }
        lines.push(Line { text, json, refused: false });
    }
    Ok(Taken { table, adjudication, still_waiting, lines })
}

/// Why an order of the file stands no more.
fn why_dropped(replay: &Replay, said: &Order) -> String {
    let closed = replay.steps().iter().find(|step| step.after == said.after).map(|step| &*step.orders);
    let here = closed.or((replay.head() == said.after).then_some(replay.open()));
    let Some(here) = here else { return "What it was built on stands no more.".to_owned() };
    let seat = replay.header().index(&said.seat);
    let entry = here.iter().find(|legal| match legal.standing() {
        Standing::InPlaceOf(other) | Standing::Proven(other) => Some(other) == seat,
        Standing::Ruling => true,
        _ => false,
    });
    entry.map_or_else(
        || "Another entry takes precedence at its head.".to_owned(),
        |legal| {
            let Some(entry) = legal.order().map(Verified::order) else {
                return "A proof takes its place.".to_owned();
            };
            let reason = entry.details().nearest("reason").as_text().unwrap_or_default();
            let what =
                forfeited(entry).map_or_else(|| "[ruling]".to_owned(), |seat| format!("[forfeit] of {seat}"));
            format!("The arbiter's {what} takes precedence at its head; the reason given: {reason}")
        },
    )
}

impl Taken {
    fn outcome(self, after: &str) -> Outcome {
        let mut text: String = self.lines.iter().map(|line| line.text.as_str()).collect();
        let replay = &self.adjudication.replay;
        let header = replay.header();
        let missing: Vec<String> =
            replay.missing().iter().map(|seat| header.seat(*seat).to_string()).collect();
        let _ = writeln!(text, "Steps closed: {}. Head: {}", replay.step(), replay.head().by_eye());
        if let Some(ending) = replay.ending() {
            let _ = writeln!(text, "{}", ending.told(header));
        }
        let awaited = if missing.is_empty() { "nobody".to_owned() } else { missing.join(", ") };
        let _ = writeln!(text, "Awaited: {awaited} ({})", replay.counted().phase());
        text.push_str(after);
        let json = json!({
            "orders": self.lines.iter().map(|line| line.json.clone()).collect::<Vec<_>>(),
            "step": replay.step(), "head": replay.head().to_string(), "awaits": missing,
            "phase": replay.counted().phase().as_str(),
        });
        let refused = self.lines.iter().any(|line| line.refused);
        Outcome { text, json, refused }
    }
}

pub(crate) fn run(world: &World, args: &ApplyArgs) -> Result<Outcome, Failure> {
    let (path, files) = meant(&args.what)?;
    let output = args.output.clone().unwrap_or_else(|| path.clone());
    let lock = Lock::take(&output)?;
    let now = world.now()?;
    let taken = take(&path, &files)?;
    if output == path && !files.is_empty() && taken.lines.iter().all(|line| line.refused) {
        return Ok(taken.outcome("Nothing was written.\n"));
    }
    let replay = &taken.adjudication.replay;
    let text = game_text(replay);
    // An unchanged file is left alone: its time of change says when something happened.
    if output != path || text != taken.table.text {
        store::write(&output, text.as_bytes())?;
    }
    let waiting_path = Table::waiting_path(&output);
    if taken.still_waiting.is_empty() {
        store::remove(&waiting_path)?;
    } else {
        store::write(&waiting_path, waiting_text(&taken.still_waiting).as_bytes())?;
    }
    let folder =
        args.reports.clone().unwrap_or_else(|| output.parent().unwrap_or(Path::new("")).join("reports"));
    write_reports(replay, &folder, now)?;
    let mut after =
        format!("The game is in {}, the reports are in {}.\n", output.display(), folder.display());
    let own = world.identity().ok().and_then(|own| replay.header().seat_of(&own.public()));
    if let Some(seat) = own {
        let mine = replay.missing().iter().any(|index| *replay.header().seat(*index) == seat);
        if mine && replay.counted().phase() == Phase::Roll {
            drop(lock);
            let mut outcome = taken.outcome(&after);
            // What was taken in stands, whatever becomes of the roll.
            if let Err(failure) = roll(world, &output, &folder, args.yes, &mut outcome) {
                outcome.text.push_str(
                    "The roll that is awaited from you was not signed; `sealed respond` signs it:\n",
                );
                outcome.text.push_str(&failure.text());
                outcome.refused = true;
            }
            return Ok(outcome);
        }
        after.push_str(if mine {
            "It is your turn. Type: sealed show\n"
        } else {
            "To see your report, type: sealed show\n"
        });
    }
    Ok(taken.outcome(&after))
}

/// Offers the roll that the player owes. It decides nothing, so it is signed at once, and it
/// travels with the player's next mail.
fn roll(world: &World, game: &Path, reports: &Path, yes: bool, outcome: &mut Outcome) -> Result<(), Failure> {
    let question = "A roll is awaited from you. It decides nothing. Sign it now?";
    let later = "A roll is awaited from you. Type: sealed respond\n";
    let agreed = yes || (World::has_terminal() && World::ask(question)?);
    if !agreed {
        outcome.text.push_str(later);
        return Ok(());
    }
    let signing =
        SigningArgs { game: Some(game.to_path_buf()), press: None, yes: true, dry_run: false, head: None };
    let sitting: Sitting<'_> = Sitting::open(world, &signing)?;
    let step = sitting.table.replay.step();
    let composed = sitting.state().respond(sitting.keyholder())?;
    let handed = sitting.sign(composed, false)?;
    let seat = sitting.seat;
    drop(sitting);
    let table = Table::open(game)?;
    let replay = &table.replay;
    write_reports(replay, reports, world.now()?)?;
    let text = &mut outcome.text;
    text.push_str("You rolled:\n");
    for closed in replay.steps().iter().filter(|closed| closed.number == step) {
        for line in closed.events.iter().flat_map(|event| &event.told) {
            explain(text, line);
        }
    }
    if let Some(json) = outcome.json.as_object_mut() {
        json.insert("rolled".to_owned(), handed.json);
    }
    if replay.missing().contains(&seat) {
        text.push_str("The roll travels with your next order. It is your turn. Type: sealed show\n");
    } else {
        text.push_str("Mail it now:\n\n");
        text.push_str(&handed.text);
    }
    Ok(())
}

pub(crate) fn check(_: &World, args: &CheckArgs) -> Result<Outcome, Failure> {
    let (path, files) = meant(&args.what)?;
    Ok(take(&path, &files)?.outcome("Nothing was written.\n"))
}
