//! What holds for every document, block and text: written and read again it is the same,
//! and nothing that comes from outside makes the program panic.

#![allow(
    clippy::format_collect,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "in a test a panic is the way to say no"
)]

use proptest::prelude::*;
use sealed_orders::crypto::Identity;
use sealed_orders::document::{self, Node, Table, Value};
use sealed_orders::games::{self, Keyholder};
use sealed_orders::ident::{Fresh, GameNonce, LARGEST_INTEGER, PublicKey, Seat, Time};
use sealed_orders::log::{
    Draft, GameFile, Header, Journal, Player, SignedOrder, Verified, check_press, tidy_press,
};
use sealed_orders::{mail, report};
use zeroize::Zeroizing;

fn time() -> impl Strategy<Value = Time> {
    (-62_135_596_800_i64..=253_402_300_799).prop_map(|seconds| Time::from_unix_seconds(seconds).unwrap())
}

fn value() -> impl Strategy<Value = Node> {
    let leaf = prop_oneof![
        any::<String>().prop_map(Node::from),
        (0..=LARGEST_INTEGER).prop_map(Node::from),
        any::<bool>().prop_map(Node::from),
        time().prop_map(Node::from),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Node::from),
            table_of(inner).prop_map(Node::from),
        ]
    })
}

fn table_of(inner: impl Strategy<Value = Node>) -> impl Strategy<Value = Table> {
    prop::collection::btree_map("[a-zA-Z0-9_-]{1,8}|[ -~]{1,6}", inner, 0..5).prop_map(|map| {
        let mut table = Table::default();
        for (key, node) in map {
            table.push(key, node);
        }
        table
    })
}

fn json(node: &Node) -> serde_json::Value {
    match &node.value {
        Value::Text(text) => serde_json::json!(text),
        Value::Integer(number) => serde_json::json!(number),
        Value::Boolean(flag) => serde_json::json!(flag),
        Value::Time(time) => serde_json::json!(time.to_string()),
        Value::List(list) => list.iter().map(json).collect(),
        Value::Table(table) => serde_json::Value::Object(
            table.entries.iter().map(|entry| (entry.key.to_string(), json(&entry.node))).collect(),
        ),
    }
}

/// A game of two in which red has to seal.
fn sealing() -> (Header, [Identity; 2]) {
    let identities = [1_u8, 2].map(|seed| Identity::from_seed(&Zeroizing::new([seed; 32])));
    let players = identities.iter().zip(["red", "blue"]).map(|(identity, seat)| Player {
        seat: seat.parse().unwrap(),
        name: seat.to_owned(),
        mail: format!("{seat}@example.org"),
        key: identity.public(),
    });
    let game = games::all()[0];
    let options = game.options(2, &std::collections::BTreeMap::new()).unwrap();
    let created = "2026-11-30T05:48:16Z".parse().unwrap();
    let header = Header::new(
        game.rules(),
        "a game",
        created,
        GameNonce::new([7; 32]),
        options,
        players.collect(),
        None,
    )
    .unwrap();
    (header, identities)
}

/// An order of red's that says something to all.
fn order_with(press: Option<String>, time: Time) -> (Header, Verified) {
    let (header, identities) = sealing();
    let state = games::by_rules(header.rules()).unwrap().begin(&std::sync::Arc::new(header.clone())).unwrap();
    let red = header.index(&"red".parse::<Seat>().unwrap()).unwrap();
    let by = Keyholder { seat: red, identity: &identities[0], kept: None };
    let fleet = state.random_fleet(red, &[4; 32]).unwrap();
    let composed = state.seal(by, &fleet, Fresh::new([5; 16])).unwrap();
    let draft = Draft {
        game: header.id(),
        after: sealed_orders::ident::Head::first(header.id()),
        step: 0,
        seat: "red".parse().unwrap(),
        time,
        press,
        draw: false,
        action: composed.action.to_owned(),
        details: composed.details,
    };
    let verified = draft.sign(&identities[0]).unwrap().verify(&header).unwrap();
    (header, verified)
}

fn only_block(text: &str, header: &Header) -> Verified {
    let mut found = mail::blocks(text);
    assert_eq!(found.len(), 1, "{text}");
    found.remove(0).order.unwrap_or_else(|fault| panic!("{fault}\n{text}")).verify(header).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn toml_that_is_written_reads_the_same(table in table_of(value())) {
        let text = document::toml_text(&table, "");
        let read = document::parse(&text).unwrap_or_else(|fault| panic!("{fault:?}\n{text}"));
        prop_assert_eq!(&read, &Node::from(table.clone()), "{}", &text);
        let Value::Table(again) = read.value else { panic!("a document is a table") };
        prop_assert_eq!(document::toml_text(&again, ""), text);
    }

    /// serde_json keeps its keys sorted and writes no blanks: for these values that is RFC 8785.
    #[test]
    fn canonical_json_is_what_another_writer_writes(node in value()) {
        prop_assert_eq!(document::canonical(&node), serde_json::to_string(&json(&node)).unwrap());
    }

    #[test]
    fn times_have_one_spelling(time in time()) {
        let text = time.to_string();
        prop_assert_eq!(text.len(), 20);
        prop_assert_eq!(text.parse::<Time>(), Ok(time));
    }

    #[test]
    fn tidied_press_is_always_sound(typed in any::<String>()) {
        let press: String = tidy_press(&typed).chars().take(2_000).collect();
        // What a keyboard cannot type may remain, and is refused; what mail folds never does.
        let folded = press.chars().any(|c| matches!(c, '\u{2018}'..='\u{201f}' | '\u{2010}'..='\u{2015}' | '\n' | '\r' | '\u{a0}' | '\u{feff}'));
        prop_assert!(!folded);
        prop_assert_eq!(tidy_press(&press), press.trim());
    }

    /// Whatever mail does to blanks, line ends, quotes and the beginnings of lines.
    #[test]
    fn a_block_survives_the_mail(
        words in prop::collection::vec("[!-~äöüßéλЖ]{1,12}", 0..40),
        time in time(),
        quoting in prop::sample::select(vec!["", "> ", ">", "> > ", "| "]),
        line_end in prop::sample::select(vec!["\n", "\r\n", "\r", "\n\n", " \n"]),
        curly in any::<bool>(),
        blank in prop::sample::select(vec![" ", "\u{a0}", "  ", "\t"]),
    ) {
        let press = words.join(" ");
        let (header, order) = order_with((!press.is_empty()).then_some(press), time);
        let block = mail::block(&order);
        let widest = block.lines().map(|line| line.chars().count()).max().unwrap();
        prop_assert!(widest <= 120, "{}", block);
        let mangled: String = block
            .lines()
            .map(|line| {
                let line = if curly && !line.contains("press") && !line.starts_with(' ') {
                    line.replacen('"', "\u{201c}", 1).replacen('"', "\u{201d}", 1)
                } else {
                    line.to_owned()
                };
                format!("{quoting}{}{line_end}", line.replace(' ', blank))
            })
            .collect();
        let text = format!("Hello Bert,\n\nhere it is.\n\n{mangled}\nGreetings,\nAnna\n");
        prop_assert_eq!(only_block(&text, &header).digest(), order.digest());
    }

    #[test]
    fn no_text_makes_the_readers_panic(text in any::<String>(), bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = document::parse(&text);
        let _ = document::utf8(&bytes);
        let _ = GameFile::parse(&text);
        let _ = mail::blocks(&format!("{text}{}\n{text}\n{}", mail::BEGIN, mail::END));
        let _ = Journal::parse(&text, PublicKey::new([1; 32]));
        let _ = check_press(&text);
        let _ = report::wrap(&text, 20, "  ");
    }

    /// Pieces of real documents in any order reach deeper than noise does.
    #[test]
    fn no_mixture_of_tokens_makes_the_readers_panic(tokens in prop::collection::vec(prop::sample::select(vec![
        "[game]", "[[order]]", "[order.move]", "[signature]", "game", "after", "seat", "time", " = ", "\"", "'", "\"\"\"",
        "{", "}", "[", "]", ",", "\n", "#", "\\", "\\e", "1", "-1", "2026-11-30T05:48:16Z", "true", "0x10", "1.5", ".", "ä", "\u{202e}",
    ]), 0..60)) {
        let text: String = tokens.concat();
        if let Ok(node) = document::parse(&text) {
            let _ = SignedOrder::read(&node);
            let _ = Header::read(&node);
        }
        let _ = GameFile::parse(&text);
        let _ = mail::blocks(&format!("{} {text} {}", mail::BEGIN, mail::END));
    }

    #[test]
    fn wrapped_lines_keep_their_words(text in "[a-z]{1,9}( [a-z]{1,9}){0,30}", width in 12_usize..80) {
        let lines = report::wrap(&text, width, "  ");
        prop_assert!(lines.iter().all(|line| line.chars().count() <= width));
        let words: Vec<String> = lines.join(" ").split_whitespace().map(str::to_owned).collect();
        prop_assert_eq!(words.join(" "), text);
    }
}

/// Other spellings, and what is no time, are refused.
#[test]
fn no_other_spelling_is_a_time() {
    for text in [
        "2016-12-31T23:59:60Z",
        "2026-12-01T12:00:60Z",
        "2026-12-01T24:00:00Z",
        "2026-02-29T00:00:00Z",
        "0000-01-01T00:00:00Z",
        "2026-12-01T12:00:00z",
        "2026-12-01t12:00:00Z",
        "2026-12-01 12:00:00Z",
        "2026-12-01T12:00:00+00:00",
        "2026-12-01T12:00:00.0Z",
        "2026-12-01T12:00Z",
        "+2026-12-01T12:00:00Z",
        "2026-12-1T12:00:00Z",
        "12026-12-01T12:00:00Z",
        " 2026-12-01T12:00:00Z",
    ] {
        assert!(text.parse::<Time>().is_err(), "{text}");
    }
}

/// What a journal has noted it gives back, and it never permits a second decision.
#[test]
fn a_journal_forbids_a_second_decision() {
    use sealed_orders::log::{Fate, Intent};
    let (header, order) = order_with(None, "2026-12-01T08:00:00Z".parse().unwrap());
    let (_, identities) = sealing();
    let mut journal = Journal::new(identities[0].public());
    let said = order.order();
    let details = said.details().clone();
    let intent = |details| Intent {
        game: header.id(),
        after: said.after,
        step: 0,
        action: "seal",
        details,
        draw: false,
    };
    assert!(journal.permit(&intent(&details), |_| Fate::Stands, |_| true).unwrap().is_none());
    journal.note(SignedOrder::read(&order.written()).unwrap());
    let journal = Journal::parse(&journal.to_toml().unwrap(), identities[0].public()).unwrap();
    let again = journal.permit(&intent(&details), |_| Fate::Stands, |_| true).unwrap();
    assert_eq!(again.unwrap().digest(), order.digest());
    let other = Node::from(Table::default());
    let fault = journal.permit(&intent(&other), |_| Fate::Stands, |_| true).unwrap_err();
    assert_eq!(fault.code.as_str(), "journal-forbids");
    // At another head it may sign, unless the old order is lost there.
    let elsewhere = Intent { after: sealed_orders::ident::Head::new([8; 32]), step: 1, ..intent(&other) };
    assert!(journal.permit(&elsewhere, |_| Fate::Stands, |_| true).unwrap().is_none());
    assert!(journal.permit(&elsewhere, |_| Fate::Void, |_| true).unwrap().is_none());
    assert_eq!(
        journal.permit(&elsewhere, |_| Fate::Lost, |_| true).unwrap_err().code.as_str(),
        "journal-forbids"
    );
    // Without a word on a game that has begun it asks first.
    let empty = Journal::new(identities[0].public());
    assert_eq!(
        empty.permit(&elsewhere, |_| Fate::Stands, |_| true).unwrap_err().code.as_str(),
        "journal-forbids"
    );
}
