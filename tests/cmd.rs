//! What people type, and what they see: every folder of `tests/cmd` is a case.
//!
//! A case is copied into a fresh folder, its command lines are run there one after the
//! other, and what is seen is compared with the file `seen` of the case. A case has
//!
//! - `cmd`: the lines, for `sh`; with `@` in front a few that only the test can do
//!   ([`Helper`]); `#` begins a comment;
//! - `from`: names of folders of `tests/cmd/_base` that are copied first (optional);
//! - `in/`: further files to begin with (optional);
//! - `seen`: each line with its output, errors marked `2>`, the exit code, and which files
//!   were made (`+`), changed (`~`) or removed (`-`);
//! - `out/`: files as they must be in the end; only those that stand there are compared.
//!
//! `SEALED_UPDATE=1` writes `seen` and `out/` anew, to be read before they are committed;
//! `SEALED_CASE=word` runs the cases with that word in their names. Whatever a snapshot
//! says, no command may panic, print what a terminal obeys, or draw a report wider than its
//! page; and in a case named `bad-...` a command that fails may change nothing at all.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "in a test a panic is the way to say no"
)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use sealed_orders::crypto::{Identity, Tag, hash, preimage};
use sealed_orders::document::parse;
use sealed_orders::ident::to_hex;
use sealed_orders::report::WIDTH;
use sealed_orders::store::Lock;

/// What a line with `@` does.
enum Helper<'a> {
    /// `@sign FILE KEY`: signs the order of a file as nobody's `sealed` would, legal or not.
    Sign(&'a str, &'a str),
    /// `@lock FILE`: holds the lock of a file until the case ends.
    Lock(&'a str),
    /// `@random`: from here on hexadecimal digits differ each time, and are masked.
    Random,
    /// `@nobody`: from here on commands run as a user to whom folders can be closed; root
    /// could write everywhere.
    Nobody,
    /// `@root`: only root can run this case (it mounts); others pass it over.
    Root,
}

impl<'a> Helper<'a> {
    fn of(line: &'a str) -> Option<Self> {
        let words: Vec<&str> = line.strip_prefix('@')?.split_whitespace().collect();
        Some(match words.as_slice() {
            ["sign", file, key] => Self::Sign(file, key),
            ["lock", file] => Self::Lock(file),
            ["random"] => Self::Random,
            ["nobody"] => Self::Nobody,
            ["root"] => Self::Root,
            _ => panic!("the test cannot do {line:?}"),
        })
    }
}

/// The user to whom nothing belongs.
const NOBODY: u32 = 65_534;

/// How many changed files are named after a command; a whole game would drown the reader.
const MOST_CHANGES: usize = 12;

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cmd")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn is_root() -> bool {
    tempfile::tempfile().unwrap().metadata().unwrap().uid() == 0
}

/// Copies what is in a folder. Version control keeps no file modes, so keys get theirs here.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (path, copied) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &copied);
        } else {
            fs::write(&copied, fs::read(&path).unwrap()).unwrap();
            if path.extension().is_some_and(|ending| ending == "pem") {
                fs::set_permissions(&copied, Permissions::from_mode(0o600)).unwrap();
            }
        }
    }
}

/// Every file below a folder with its bytes, by its path; locks left aside, which are empty.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    fn walk(top: &Path, folder: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            let name = path.strip_prefix(top).unwrap().display().to_string();
            if path.is_dir() {
                found.insert(format!("{name}/"), Vec::new());
                walk(top, &path, found);
            } else if path.extension().is_none_or(|ending| ending != "lock") {
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    let mut found = BTreeMap::new();
    walk(folder, folder, &mut found);
    found
}

/// What a terminal would obey, and what turns the direction of writing.
fn obeyed(c: char) -> bool {
    (c.is_control() && c != '\n')
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// Masks runs of hexadecimal digits of the lengths in which keys, digests, salts and their
/// first digits are printed.
fn mask(text: &str) -> String {
    let mut masked = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let hex = word.bytes().all(|c| matches!(c, b'0'..=b'9' | b'a'..=b'f'));
        let mask_it = hex && matches!(word.len(), 4 | 8 | 16 | 32 | 64);
        masked.push_str(&if mask_it { "#".repeat(word.len()) } else { word.to_owned() });
        let next = after.chars().next().map_or(0, char::len_utf8);
        masked.push_str(&after[..next]);
        rest = &after[next..];
    }
    masked
}

/// How a file differs from what it should be; the shell's tools are needed here anyway.
fn difference(expected: &Path, actual: &[u8]) -> String {
    let made = tempfile::NamedTempFile::new().unwrap();
    fs::write(made.path(), actual).unwrap();
    let old = if expected.exists() { expected } else { Path::new("/dev/null") };
    let output = Command::new("diff").arg("-U1").arg(old).arg(made.path()).output().unwrap();
    // Without the two lines that name the files.
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .skip(2)
        .map(|line| format!("    {line}"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// A case while it runs.
struct Case {
    name: String,
    source: PathBuf,
    folder: PathBuf,
    seen: String,
    wrong: Vec<String>,
    random: bool,
    nobody: bool,
    locks: Vec<Lock>,
}

impl Case {
    fn run(&mut self) {
        for line in read(&self.source.join("cmd")).lines() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let _ = writeln!(self.seen, "$ {line}");
            let Some(helper) = Helper::of(line) else {
                self.line(line);
                continue;
            };
            match helper {
                Helper::Sign(file, key) => self.sign(file, key),
                Helper::Lock(file) => self.locks.push(Lock::take(&self.folder.join(file)).unwrap()),
                Helper::Random => self.random = true,
                Helper::Nobody => {
                    self.nobody = is_root();
                    if self.nobody {
                        chown(&self.folder, Some(NOBODY), Some(NOBODY)).unwrap();
                        for name in files(&self.folder).keys() {
                            chown(self.folder.join(name), Some(NOBODY), Some(NOBODY)).unwrap();
                        }
                    }
                }
                Helper::Root => {}
            }
        }
    }

    fn sign(&self, file: &str, key: &str) {
        let path = self.folder.join(file);
        let text = read(&path);
        let identity = Identity::from_pem(&read(&self.folder.join(key))).unwrap();
        let unsigned = preimage(Tag::Order, &parse(&text).unwrap());
        let signature = identity.sign(&unsigned);
        let check: String = to_hex(&hash(&unsigned)).chars().take(8).collect();
        let signed = format!(
            "{text}\n[signature]\ncheck = \"{check}\"\nr = \"{}\"\ns = \"{}\"\n",
            signature.r, signature.s
        );
        fs::write(path, signed).unwrap();
    }

    fn line(&mut self, line: &str) {
        let before = files(&self.folder);
        let output = self.shell(line);
        let after = files(&self.folder);
        let here = self.folder.display().to_string();
        let show = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes).replace(&here, "[DIR]");
            if self.random { mask(&text) } else { text }
        };
        let (stdout, stderr) = (show(&output.stdout), show(&output.stderr));
        let code = output.status.code();
        let mut changes = Vec::new();
        for name in before.keys().chain(after.keys().filter(|name| !before.contains_key(*name))) {
            let sign = match (before.get(name), after.get(name)) {
                (None, _) => '+',
                (_, None) => '-',
                (old, new) if old != new => '~',
                _ => continue,
            };
            changes.push(format!("{sign} {name}"));
        }
        let traces = !changes.is_empty();
        if changes.len() > MOST_CHANGES {
            let more = changes.split_off(MOST_CHANGES).len();
            changes.push(format!("and {more} more"));
        }
        let changes = changes.iter().fold(String::new(), |all, change| all + change + "\n");
        self.seen.push_str(&stdout);
        if !stdout.is_empty() && !stdout.ends_with('\n') {
            self.seen.push_str("(no line end)\n");
        }
        for line in stderr.lines() {
            self.seen.push_str(format!("2> {line}").trim_end());
            self.seen.push('\n');
        }
        self.seen.push_str(&changes);
        let _ = writeln!(self.seen, "= {}\n", code.map_or("killed".to_owned(), |code| code.to_string()));

        let mut wrong = Vec::new();
        if code.is_none_or(|code| code > 3) || stderr.contains("panicked") {
            wrong.push(format!("`{line}` ended with {code:?}: {stderr}"));
        }
        if stdout.chars().chain(stderr.chars()).any(obeyed) {
            wrong.push(format!("`{line}` prints what a terminal obeys"));
        }
        let wide = stdout.lines().find(|line| line.chars().count() > WIDTH);
        if line.starts_with("sealed show")
            && !line.contains("--json")
            && !line.contains("--help")
            && wide.is_some()
        {
            wrong.push(format!("`{line}` draws a line that is too wide: {wide:?}"));
        }
        let fails = line.contains("sealed") && code != Some(0);
        if self.name.starts_with("bad-") && fails && traces {
            wrong.push(format!("`{line}` fails, but not without a trace:\n{changes}"));
        }
        self.wrong.extend(wrong);
    }

    fn shell(&self, line: &str) -> Output {
        let home = self.folder.join("home");
        let bin = Path::new(env!("CARGO_BIN_EXE_sealed")).parent().unwrap();
        let mut command = Command::new("/bin/sh");
        command
            .args(["-c", line])
            .current_dir(&self.folder)
            .env_clear()
            .env("PATH", format!("{}:/usr/bin:/bin", bin.display()))
            .env("HOME", &home)
            .env("XDG_CONFIG_HOME", home.join("config"))
            .env("XDG_STATE_HOME", home.join("state"))
            .envs([("TZ", "UTC"), ("LANG", "C.UTF-8")])
            .stdin(Stdio::null());
        if self.nobody {
            command.uid(NOBODY).gid(NOBODY);
        }
        command.output().unwrap()
    }

    /// Compares with the snapshots, or writes them.
    fn compare(&mut self, update: bool) {
        // Reports lie about for weeks: each is as narrow as what `show` prints.
        for (name, bytes) in files(&self.folder).iter().filter(|(name, _)| name.contains("reports/")) {
            let text = String::from_utf8_lossy(bytes);
            if text.lines().any(|line| line.chars().count() > WIDTH) || text.chars().any(obeyed) {
                self.wrong.push(format!("{name} is too wide, or holds what a terminal obeys"));
            }
        }
        let path = self.source.join("seen");
        if update {
            fs::write(&path, &self.seen).unwrap();
        } else {
            let expected = fs::read_to_string(&path).unwrap_or_default();
            if expected != self.seen {
                self.wrong.push(difference(&path, self.seen.as_bytes()));
            }
        }
        let out = self.source.join("out");
        if !out.is_dir() {
            return;
        }
        for (name, expected) in files(&out).iter().filter(|(name, _)| !name.ends_with('/')) {
            let made = fs::read(self.folder.join(name)).unwrap_or_default();
            if update {
                fs::write(out.join(name), made).unwrap();
            } else if *expected != made {
                self.wrong.push(format!("{name}:\n{}", difference(&out.join(name), &made)));
            }
        }
    }
}

fn run(source: PathBuf, update: bool) -> Result<(), String> {
    let name = source.file_name().unwrap().to_string_lossy().into_owned();
    let root_only = read(&source.join("cmd")).lines().any(|line| line == "@root");
    if root_only && !is_root() {
        println!("{name}: passed over, since only root can run it");
        return Ok(());
    }
    // The folder's name has a fixed length, so that no line breaks elsewhere.
    let temporary = tempfile::Builder::new().prefix("sealed-").rand_bytes(8).tempdir().unwrap();
    let folder = temporary.path().canonicalize().unwrap();
    fs::set_permissions(&folder, Permissions::from_mode(0o755)).unwrap();
    let bases = fs::read_to_string(source.join("from")).unwrap_or_default();
    for base in bases.split_whitespace() {
        copy(&cases().join("_base").join(base), &folder);
    }
    if source.join("in").is_dir() {
        copy(&source.join("in"), &folder);
    }
    let mut case = Case {
        name,
        source,
        folder,
        seen: String::new(),
        wrong: Vec::new(),
        random: false,
        nobody: false,
        locks: Vec::new(),
    };
    case.run();
    case.compare(update);
    if case.wrong.is_empty() { Ok(()) } else { Err(format!("{}:\n{}", case.name, case.wrong.join("\n"))) }
}

#[test]
fn every_case_is_as_it_was() {
    let update = std::env::var_os("SEALED_UPDATE").is_some();
    let only = std::env::var("SEALED_CASE").unwrap_or_default();
    let mut folders: Vec<PathBuf> = fs::read_dir(cases())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("cmd").is_file() && path.to_string_lossy().contains(&only))
        .collect();
    folders.sort();
    assert!(!folders.is_empty(), "there is no case");
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(folder) = folders.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(why) = run(folder.clone(), update) {
                        failed.lock().unwrap().push(why);
                    }
                }
            });
        }
    });
    let mut failed = failed.into_inner().unwrap();
    failed.sort();
    println!("{} cases, {} failed", folders.len(), failed.len());
    assert!(
        failed.is_empty(),
        "{} of {} cases failed\n\n{}",
        failed.len(),
        folders.len(),
        failed.join("\n\n")
    );
}
