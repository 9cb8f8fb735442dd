//! What is said when something is refused.
//!
//! A [`Fault`] carries a code that never changes, a sentence that says what was seen and
//! why it will not do, the rule or ruling behind it, and what to do now. Where it lies in
//! the text is a span of bytes; whoever still has the text shows the line.

use std::fmt;
use std::ops::Range;

/// A stretch of a text, in bytes.
pub type Span = Range<usize>;

/// How far the thing that is refused had come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// It was not understood: the text is no such document.
    Understood,
    /// It was understood, but it does not prove what it claims.
    Verified,
    /// It is genuine, but does not belong at this place of this game.
    Placed,
    /// It belongs here, but the rules do not allow it.
    Legal,
    /// The world outside failed: files, keys, terminal.
    World,
}

macro_rules! codes {
    ($($name:ident = $text:literal, $stage:ident, $meaning:literal, $advice:literal;)*) => {
        /// Every reason for a refusal. The text of a code never changes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Code { $(#[doc = $meaning] $name,)* }

        impl Code {
            /// All codes, in the order of the documentation.
            pub const ALL: &'static [Code] = &[$(Code::$name,)*];

            /// The code as it is printed.
            #[must_use]
            pub const fn as_str(self) -> &'static str { match self { $(Code::$name => $text,)* } }

            /// How far the refused thing had come.
            #[must_use]
            pub const fn stage(self) -> Stage { match self { $(Code::$name => Stage::$stage,)* } }

            /// What the code means, in one sentence.
            #[must_use]
            pub const fn meaning(self) -> &'static str { match self { $(Code::$name => $meaning,)* } }

            /// What to do, where a fault has nothing better to say.
            #[must_use]
            pub const fn advice(self) -> &'static str { match self { $(Code::$name => $advice,)* } }
        }
    };
}

codes! {
    TooLarge = "too-large", Understood, "The file is larger than 8 MiB.",
        "check that this is the file you mean";
    NotText = "not-text", Understood, "The file is not UTF-8 text.",
        "ask the sender for the file again";
    NotToml = "not-toml", Understood, "The text is not TOML 1.0.",
        "ask the sender for the file itself, as an attachment";
    TooDeep = "too-deep", Understood, "Tables and lists stand deeper inside each other than any document needs.",
        "check that this is the file you mean";
    DuplicateKey = "duplicate-key", Understood, "A key stands twice in one table.",
        "remove one of the two, or ask the sender for the file again";
    UnknownKey = "unknown-key", Understood, "A key that no such document has.",
        "remove it, or ask the sender for the file again";
    MissingKey = "missing-key", Understood, "A key that every such document has is missing.",
        "add it, or ask the sender for the file again";
    WrongValue = "wrong-value", Understood, "A value has the wrong type or spelling.",
        "write it as the message says, or ask the sender for the file again";
    NumberTooLarge = "number-too-large", Understood, "An integer is negative, a fraction, or larger than 2^53 - 1.",
        "write a whole number, or ask the sender for the file again";
    NoAction = "no-action", Understood, "An order without an action.",
        "ask the sender for the order file itself, as an attachment";
    TwoActions = "two-actions", Understood, "An order with more than one action.",
        "ask the sender to compose the order again";
    BadPress = "bad-press", Understood, "Press holds a character that mail changes, or is too long.",
        "say it in other words, or in the mail itself";
    NoBlock = "no-block", Understood, "A text in which no order was found.",
        "save the whole mail as text, or ask for the order file";
    CutBlock = "cut-block", Understood, "An order block that was cut off or changed beyond reading.",
        "ask the sender for the order file itself, as an attachment";
    BadHeader = "bad-header", Verified, "The game's header contradicts itself.",
        "put it right in the command that makes the game; the header of a game that runs cannot change";
    UnknownRules = "unknown-rules", Verified, "The game is played by rules that this program does not know.",
        "get the version of the program that made this game";
    BadKey = "bad-key", Verified, "A public key that is not a sound ed25519 key.",
        "ask for a key made with `sealed key new`";
    NotThisSeat = "not-a-seat", Verified, "The order is signed for a seat that the game does not have.",
        "compare its seat with the seats of the game";
    Damaged = "damaged", Verified, "The order was changed on its way: not even its check digits fit.",
        "ask the sender for the order file itself, as an attachment";
    WrongSignature = "wrong-signature", Verified, "The order is whole, but this seat's key did not sign it.",
        "ask the seat whether they wrote it, and with which key";
    NoProof = "no-proof", Verified, "Two orders that do not contradict each other, so they prove nothing.",
        "compare all copies with `sealed dispute`, which finds what can be proven";
    WrongGame = "wrong-game", Placed, "The order belongs to another game.",
        "look for the game file that begins with that id";
    StaleStep = "stale-step", Placed, "The order answers a step that has closed.",
        "nothing is to be done if the game went on rightly; else compare heads with the others";
    UnknownHead = "unknown-head", Placed, "The order answers a head that this copy does not have.",
        "compare heads with its sender, and apply each other's game files";
    WrongStep = "wrong-step", Placed, "The step number does not fit the head.",
        "ask the sender to compose the order again";
    NotAwaited = "not-awaited", Placed, "Nothing is awaited from this seat now.",
        "look at what is awaited with `sealed show`";
    TwoOrders = "two-orders", Placed, "The seat has signed two different orders for one step.",
        "keep both orders, and talk to the others before you go on";
    Yielded = "yielded", Placed, "Another entry takes precedence at this head.",
        "nothing is to be done; the game goes on from what stands";
    OutOfPlace = "out-of-place", Placed, "An entry of the game file does not follow from those before it.",
        "ask the others for their copies of the game file";
    PositionDiffers = "position-differs", Placed, "The position written in the file is not what the orders lead to.",
        "ask the others for their copies; the orders decide, not the position";
    GameOver = "game-over", Placed, "The game is over and its result is final.",
        "for another game, make a new one with `sealed new`";
    UnknownAction = "unknown-action", Legal, "The game has no such action.",
        "compose the order with `sealed order`";
    WrongPhase = "wrong-phase", Legal, "The action is not for this phase of the game.",
        "look at what is awaited with `sealed show`";
    WrongOpening = "wrong-opening", Legal, "An opening does not match what was sealed, or stands in the wrong order.",
        "check that the key is the one that sealed";
    MissingOpening = "missing-opening", Legal, "An opening that is owed here is missing.",
        "compose the order with `sealed order`, which adds every opening";
    NeedlessOpening = "needless-opening", Legal, "An opening that is not asked for here.",
        "compose the order with `sealed order`, which opens what is needed and no more";
    IllegalFleet = "illegal-fleet", Legal, "The fleet breaks the rules.",
        "put the fleet file right; a fleet that is sealed already cannot be changed, only resigned";
    IllegalMove = "illegal-move", Legal, "The rules do not allow this move.",
        "`sealed show` lists the legal moves";
    TooEarly = "too-early", Legal, "The rules do not allow this yet.",
        "`sealed show` lists what is legal now";
    NoDrawHere = "no-draw-here", Legal, "A draw cannot be offered with this order.",
        "leave the offer out, or make it with a move";
    NotThere = "not-there", World, "A file or folder that was named is not there.",
        "check the name, and the folder that you are in";
    CannotRead = "cannot-read", World, "A file could not be read.",
        "check the name and the permissions";
    CannotWrite = "cannot-write", World, "A file could not be written; the old one is untouched.",
        "check the folder, make room or mend the permissions, and try again";
    Locked = "locked", World, "Another program is changing the same file.",
        "wait until it is done, and try again";
    Exists = "exists", World, "The file exists already and is not overwritten.",
        "name another file, or move that one away";
    OpenKeyFile = "open-key-file", World, "The key file can be read by others.",
        "close it to others with chmod 600";
    BadIdentity = "bad-identity", World, "The key file is no identity.",
        "name the file that `sealed key new` made";
    NoSuchThing = "no-such-thing", World, "What was asked for is not in this game.",
        "look at the game with `sealed show`";
    Unclear = "unclear", World, "The command does not say clearly enough what is meant.",
        "see the command with --help";
    JournalForbids = "journal-forbids", World, "The signing journal forbids this signature.",
        "do not sign on this copy; ask the others for theirs";
    NotConfirmed = "not-confirmed", World, "The signature was not confirmed.",
        "add --yes to sign without being asked";
    Internal = "internal", World, "The program contradicts itself: a defect.",
        "keep the files as they are and report it";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One refusal, for people and for programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The stable code.
    pub code: Code,
    /// What was seen, and why it is refused: one or two sentences.
    pub message: String,
    /// The rule or ruling behind it, like `SB-12`.
    pub rule: Option<&'static str>,
    /// What to do now.
    pub help: Option<String>,
    /// Where in the text it lies.
    pub span: Option<Span>,
    /// Which value of the document it is about, like `move.to`, where the span is not known yet.
    pub path: Option<String>,
}

impl Fault {
    /// A refusal with its code and sentence.
    #[must_use]
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), rule: None, help: None, span: None, path: None }
    }

    /// Names the rule or ruling.
    #[must_use]
    pub fn rule(mut self, rule: &'static str) -> Self {
        self.rule = Some(rule);
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// What to do now: what this fault says, else what its code advises.
    #[must_use]
    pub fn advice(&self) -> &str {
        self.help.as_deref().unwrap_or(self.code.advice())
    }

    /// Says where it lies, unless that is known more exactly already.
    #[must_use]
    pub fn at(mut self, span: Span) -> Self {
        self.span.get_or_insert(span);
        self
    }

    /// Says which value it is about, unless that is known already.
    #[must_use]
    pub fn about(mut self, path: impl Into<String>) -> Self {
        self.path.get_or_insert(path.into());
        self
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)?;
        if let Some(rule) = self.rule {
            write!(f, " ({rule})")?;
        }
        Ok(())
    }
}

impl std::error::Error for Fault {}

/// What may be refused.
pub type Checked<T> = Result<T, Fault>;
