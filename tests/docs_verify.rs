//! `docs/VERIFY.md` cannot rot: its commands are run, and their output compared.
//!
//! `SEALED_UPDATE=1` writes the output anew. Needs a POSIX shell, sha256sum and openssl 3;
//! where one of them is missing the tests say so and pass.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "in a test a panic is the way to say no"
)]

mod example_games;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use example_games::{all, updating};

const FENCE: &str = "```";

/// Stands between the outputs of two commands.
const MARK: &str = "=== the next command ===";

/// Whether the tools are there that a reader of the page is told to have.
fn tools_are_here() -> bool {
    let answers = |words: &[&str]| {
        Command::new(words[0]).args(&words[1..]).output().is_ok_and(|output| output.status.success())
    };
    let here = answers(&["sh", "-c", "true"])
        && answers(&["sha256sum", "--version"])
        && answers(&["od", "--version"])
        && answers(&["openssl", "version"]);
    if !here {
        println!("not checked: sh, sha256sum, od (both of the GNU coreutils) and openssl are needed");
    }
    here
}

/// A shell that finds this build's `sealed`, and nobody's identity.
fn shell(folder: &Path) -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_sealed"));
    let mut folders = vec![program.parent().unwrap().to_path_buf()];
    folders.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap()));
    let mut shell = Command::new("sh");
    shell
        .current_dir(folder)
        .env_clear()
        .env("PATH", std::env::join_paths(folders).unwrap())
        .env("HOME", folder)
        .env("LC_ALL", "C")
        .env("SEALED", program);
    shell
}

/// A page taken apart: text between commands, and commands with the output told for them.
enum Part {
    Text(String),
    Command { typed: String, told: String },
}

fn parts(page: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut in_console = false;
    for line in page.lines() {
        if in_console && line != FENCE {
            if let Some(command) = line.strip_prefix("$ ") {
                parts.push(Part::Command { typed: format!("{command}\n"), told: String::new() });
                continue;
            }
            let Some(Part::Command { typed, told }) = parts.last_mut() else {
                panic!("a block begins with output: {line}");
            };
            match line.strip_prefix("> ") {
                Some(more) if told.is_empty() => writeln!(typed, "{more}").unwrap(),
                _ => writeln!(told, "{line}").unwrap(),
            }
            continue;
        }
        in_console = line == "```console";
        parts.push(Part::Text(format!("{line}\n")));
    }
    parts
}

fn written(parts: &[Part], outputs: &[String]) -> String {
    let mut page = String::new();
    let mut outputs = outputs.iter();
    for part in parts {
        match part {
            Part::Text(text) => page.push_str(text),
            Part::Command { typed, .. } => {
                for (place, line) in typed.lines().enumerate() {
                    writeln!(page, "{} {line}", if place == 0 { '$' } else { '>' }).unwrap();
                }
                page.push_str(outputs.next().unwrap());
            }
        }
    }
    page
}

#[test]
fn the_page_tells_what_its_commands_print() {
    if !tools_are_here() {
        return;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/VERIFY.md");
    let page = fs::read_to_string(&path).unwrap();
    let parts = parts(&page);

    // A copy of the example, since the commands leave files behind.
    let folder = tempfile::tempdir().unwrap();
    let example = &all()[0];
    fs::create_dir(folder.path().join("out")).unwrap();
    for below in ["", "out"] {
        for entry in fs::read_dir(example.path().join(below)).unwrap().map(Result::unwrap) {
            if entry.path().is_file() {
                fs::copy(entry.path(), folder.path().join(below).join(entry.file_name())).unwrap();
            }
        }
    }

    // One shell for all commands, since later ones use variables of earlier ones.
    let mut script = "exec 2>&1\n".to_owned();
    for part in &parts {
        if let Part::Command { typed, .. } = part {
            writeln!(script, "printf '%s\\n' '{MARK}'\n{typed}").unwrap();
        }
    }
    let output = shell(folder.path()).args(["-c", &script]).output().unwrap();
    let output = String::from_utf8(output.stdout).unwrap();
    let outputs: Vec<String> = output.split(&format!("{MARK}\n")).skip(1).map(str::to_owned).collect();
    let commands: Vec<_> = parts
        .iter()
        .filter_map(|part| match part {
            Part::Command { typed, told } => Some((typed, told)),
            Part::Text(_) => None,
        })
        .collect();
    assert!(commands.len() > 30, "only {} commands were found", commands.len());
    assert_eq!(outputs.len(), commands.len(), "{output}");
    if updating() {
        fs::write(&path, written(&parts, &outputs)).unwrap();
        return;
    }
    for ((typed, told), output) in commands.into_iter().zip(&outputs) {
        assert_eq!(output, told, "docs/VERIFY.md tells something else than this prints:\n{typed}");
    }
    assert_eq!(written(&parts, &outputs), page);
}

#[test]
fn stock_tools_agree_with_every_value_of_the_smallest_example() {
    if !tools_are_here() {
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stock_tools/check.sh");
    let folder = tempfile::tempdir().unwrap();
    let run = |game: &Path| {
        let output = shell(folder.path()).arg(&script).arg(game).output().unwrap();
        (output.status.success(), String::from_utf8(output.stdout).unwrap())
    };
    let example = &all()[0];
    let (good, said) = run(&example.path());
    let last = said.lines().last().unwrap().to_owned();
    assert!(good && last.ends_with(" passed, 0 failed"), "{said}");
    println!("{last}");
    let passed: usize = last.split(' ').next().unwrap().parse().unwrap();
    // Four checks an order, one a head, three a commitment, and more.
    assert!(passed > 4 * 29 + 27 + 3 * 16, "{last}");

    // The script can say no: check digits that are wrong, which `sealed` itself lets pass.
    let check = example.replay().orders().next().unwrap().signature().check.to_string();
    let text = example.game_text().replacen(&format!("check = \"{check}\""), "check = \"00000000\"", 1);
    let bad = folder.path().join("bad");
    fs::create_dir(&bad).unwrap();
    fs::write(bad.join("bad.game.toml"), text).unwrap();
    let (good, said) = run(&bad);
    assert!(!good && said.ends_with(" passed, 1 failed\n"), "{said}");
}
