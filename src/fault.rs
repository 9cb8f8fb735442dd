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
    ($($name:ident = $text:literal, $stage:ident, $meaning:literal;)*) => {
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
        }
    };
}

codes! {
    TooLarge = "too-large", Understood, "The file is larger than 8 MiB.";
    NotText = "not-text", Understood, "The file is not UTF-8 text.";
    NotToml = "not-toml", Understood, "The text is not TOML 1.0.";
    TooDeep = "too-deep", Understood, "Tables and lists stand deeper inside each other than any document needs.";
    DuplicateKey = "duplicate-key", Understood, "A key stands twice in one table.";
    UnknownKey = "unknown-key", Understood, "A key that no such document has.";
    MissingKey = "missing-key", Understood, "A key that every such document has is missing.";
    WrongValue = "wrong-value", Understood, "A value has the wrong type or spelling.";
    NumberTooLarge = "number-too-large", Understood, "An integer is negative, a fraction, or larger than 2^53 - 1.";
    NoAction = "no-action", Understood, "An order without an action.";
    TwoActions = "two-actions", Understood, "An order with more than one action.";
    BadPress = "bad-press", Understood, "Press holds a character that mail changes, or is too long.";
    NoBlock = "no-block", Understood, "A text in which no order was found.";
    CutBlock = "cut-block", Understood, "An order block that was cut off or changed beyond reading.";
    BadHeader = "bad-header", Verified, "The game's header contradicts itself.";
    UnknownRules = "unknown-rules", Verified, "The game is played by rules that this program does not know.";
    BadKey = "bad-key", Verified, "A public key that is not a sound ed25519 key.";
    NotThisSeat = "not-a-seat", Verified, "The order is signed for a seat that the game does not have.";
    Damaged = "damaged", Verified, "The order was changed on its way: not even its check digits fit.";
    WrongSignature = "wrong-signature", Verified, "The order is whole, but this seat's key did not sign it.";
    WrongGame = "wrong-game", Placed, "The order belongs to another game.";
    StaleStep = "stale-step", Placed, "The order answers a step that has closed.";
    UnknownHead = "unknown-head", Placed, "The order answers a head that this copy does not have.";
    WrongStep = "wrong-step", Placed, "The step number does not fit the head.";
    NotAwaited = "not-awaited", Placed, "Nothing is awaited from this seat now.";
    TwoOrders = "two-orders", Placed, "The seat has signed two different orders for one step.";
    Yielded = "yielded", Placed, "Another entry takes precedence at this head.";
    OutOfPlace = "out-of-place", Placed, "An entry of the game file does not follow from those before it.";
    PositionDiffers = "position-differs", Placed, "The position written in the file is not what the orders lead to.";
    GameOver = "game-over", Placed, "The game is over and its result is final.";
    UnknownAction = "unknown-action", Legal, "The game has no such action.";
    WrongPhase = "wrong-phase", Legal, "The action is not for this phase of the game.";
    WrongOpening = "wrong-opening", Legal, "An opening does not match what was sealed, or stands in the wrong order.";
    MissingOpening = "missing-opening", Legal, "An opening that is owed here is missing.";
    NeedlessOpening = "needless-opening", Legal, "An opening that is not asked for here.";
    IllegalFleet = "illegal-fleet", Legal, "The fleet breaks the rules.";
    IllegalMove = "illegal-move", Legal, "The rules do not allow this move.";
    TooEarly = "too-early", Legal, "The rules do not allow this yet.";
    NoDrawHere = "no-draw-here", Legal, "A draw cannot be offered with this order.";
    NotThere = "not-there", World, "A file or folder that was named is not there.";
    CannotRead = "cannot-read", World, "A file could not be read.";
    CannotWrite = "cannot-write", World, "A file could not be written; the old one is untouched.";
    Locked = "locked", World, "Another program is changing the same file.";
    Exists = "exists", World, "The file exists already and is not overwritten.";
    OpenKeyFile = "open-key-file", World, "The key file can be read by others.";
    BadIdentity = "bad-identity", World, "The key file is no identity.";
    NoSuchThing = "no-such-thing", World, "What was asked for is not in this game.";
    Unclear = "unclear", World, "The command does not say clearly enough what is meant.";
    JournalForbids = "journal-forbids", World, "The signing journal forbids this signature.";
    NotConfirmed = "not-confirmed", World, "The signature was not confirmed.";
    Internal = "internal", World, "The program contradicts itself: a defect.";
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
