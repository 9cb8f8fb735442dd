//! The world outside: clock, entropy, environment, terminal.

use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use sealed_orders::crypto::Identity;
use sealed_orders::fault::{Checked, Code, Fault};
use sealed_orders::ident::Time;
use sealed_orders::store;
use zeroize::Zeroizing;

use crate::args::Args;

/// What this process knows of the world.
#[derive(Debug)]
pub(crate) struct World {
    now: Option<Time>,
    key: Option<PathBuf>,
    config: Option<PathBuf>,
    state: Option<PathBuf>,
}

impl World {
    pub(crate) fn of_this_process(args: &Args) -> Self {
        // The XDG base folders: an empty or relative variable counts as unset.
        let folder = |variable: &str, below_home: &str| {
            let set = std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
            let home = std::env::var_os("HOME").map(PathBuf::from).filter(|path| path.is_absolute());
            set.or_else(|| home.map(|home| home.join(below_home))).map(|path| path.join("sealed-orders"))
        };
        Self {
            now: args.now,
            key: args.key.clone(),
            config: folder("XDG_CONFIG_HOME", ".config"),
            state: folder("XDG_STATE_HOME", ".local/state"),
        }
    }

    /// The present time: `--now`, else the clock.
    pub(crate) fn now(&self) -> Checked<Time> {
        if let Some(now) = self.now {
            return Ok(now);
        }
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs());
        Time::from_unix_seconds(i64::try_from(seconds).unwrap_or(i64::MAX)).map_err(|why| {
            Fault::new(Code::CannotRead, format!("the clock cannot be used: {why}"))
                .help("give the time with --now")
        })
    }

    /// New random bytes: the only place where entropy enters.
    pub(crate) fn entropy<const N: usize>() -> Checked<Zeroizing<[u8; N]>> {
        let mut bytes = Zeroizing::new([0_u8; N]);
        getrandom::fill(bytes.as_mut()).map_err(|error| {
            Fault::new(Code::CannotRead, format!("the system gives no random bytes: {error}"))
        })?;
        Ok(bytes)
    }

    /// Where the user's own identity is kept.
    pub(crate) fn identity_path(&self) -> Checked<PathBuf> {
        match (&self.key, &self.config) {
            (Some(key), _) => Ok(key.clone()),
            (None, Some(config)) => Ok(config.join("identity.pem")),
            (None, None) => {
                Err(Fault::new(Code::NotThere, "there is no home folder, so your identity has no place")
                    .help("name an identity with --key FILE"))
            }
        }
    }

    /// Whether the identity is the user's own, in the configuration folder.
    pub(crate) const fn has_named_key(&self) -> bool {
        self.key.is_some()
    }

    /// Reads the identity that signs.
    pub(crate) fn identity(&self) -> Checked<Identity> {
        let path = self.identity_path()?;
        if !path.exists() {
            let fault = Fault::new(Code::NotThere, format!("there is no identity at {}", path.display()));
            return Err(fault.help("make one with: sealed key new --name NAME --mail MAIL"));
        }
        read_identity(&path)
    }

    /// Where the journal of an identity is kept.
    pub(crate) fn journal_path(&self, identity: &Identity) -> Checked<PathBuf> {
        let state = self.state.as_ref().ok_or_else(|| {
            Fault::new(Code::NotThere, "there is no home folder, so the signing journal has no place")
                .help("set XDG_STATE_HOME to a folder that stays")
        })?;
        let name: String = identity.public().to_string().chars().take(16).collect();
        Ok(state.join(format!("{name}.journal.toml")))
    }

    /// Whether somebody can be asked.
    pub(crate) fn has_terminal() -> bool {
        std::io::stdin().is_terminal()
    }

    /// Asks on the terminal. Without a terminal nobody can be asked.
    pub(crate) fn ask(question: &str) -> Checked<bool> {
        let refused = || {
            Fault::new(Code::NotConfirmed, "nothing was signed: there is no terminal to ask on")
                .help("add --yes to sign without being asked, or --dry-run to look only")
        };
        let stdin = std::io::stdin();
        if !stdin.is_terminal() {
            return Err(refused());
        }
        let mut stderr = std::io::stderr();
        let asked = write!(stderr, "{question} [y/N] ").and_then(|()| stderr.flush());
        let mut answer = String::new();
        if asked.is_err() || stdin.lock().read_line(&mut answer).is_err() {
            return Err(refused());
        }
        Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
    }
}

/// Reads an identity file, if nobody else can.
pub(crate) fn read_identity(path: &Path) -> Checked<Identity> {
    store::check_private(path)?;
    let bytes = Zeroizing::new(store::read(path)?);
    let pem = std::str::from_utf8(&bytes).map_err(|_| "it is not text");
    pem.and_then(Identity::from_pem).map_err(|why| {
        Fault::new(Code::BadIdentity, format!("{} is no identity: {why}", path.display()))
            .help("name the file that `sealed key new` made")
    })
}
