//! `sealed key`: the own identity.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use sealed_orders::crypto::Identity;
use sealed_orders::document::{toml_text, tree};
use sealed_orders::fault::{Code, Fault};
use sealed_orders::log::{Card, printable};
use sealed_orders::store;
use serde_json::json;

use crate::failure::Failure;
use crate::output::Outcome;
use crate::world::World;

/// Make your identity, or show its public half.
#[derive(Debug, Args)]
pub(crate) struct KeyArgs {
    #[command(subcommand)]
    action: KeyAction,
}

#[derive(Debug, Subcommand)]
enum KeyAction {
    New(NewKeyArgs),
    Show(ShowKeyArgs),
}

/// Make a new identity, and a card to give to the others.
///
/// The identity is a secret file that only you can read: whoever has it can play for you,
/// and without it your games are lost. Keep a copy. The card (*.card.toml) holds your name,
/// your mail address and your public key.
#[derive(Debug, Args)]
struct NewKeyArgs {
    /// Your name, as the others shall see it.
    #[arg(long)]
    name: String,
    /// Your mail address.
    #[arg(long)]
    mail: String,
    /// Write the identity to this file instead of your configuration folder.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Show the public key of your identity.
#[derive(Debug, Args)]
struct ShowKeyArgs {}

pub(crate) fn run(world: &World, args: &KeyArgs) -> Result<Outcome, Failure> {
    match &args.action {
        KeyAction::New(args) => new(world, args),
        KeyAction::Show(_) => show(world),
    }
}

/// A name as part of a file's name: its letters and digits, in lowercase.
fn file_word(name: &str) -> String {
    let plain: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect();
    let word = plain.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-");
    if word.is_empty() { "player".to_owned() } else { word }
}

fn new(world: &World, args: &NewKeyArgs) -> Result<Outcome, Failure> {
    printable("the name", &args.name, 1, 64)?;
    printable("the mail address", &args.mail, 3, 254)?;
    let (path, card_path) = match &args.output {
        Some(path) => (path.clone(), path.with_extension("card.toml")),
        None => (world.identity_path()?, PathBuf::from(format!("{}.card.toml", file_word(&args.name)))),
    };
    if card_path.exists() {
        return Err(Fault::new(
            Code::Exists,
            format!("{} exists already and is not overwritten", card_path.display()),
        )
        .help("move it away, or name another file with -o")
        .into());
    }
    let identity = Identity::from_seed(&World::entropy()?);
    let pem = identity.to_pem().map_err(|why| Fault::new(Code::Internal, why))?;
    if args.output.is_none()
        && let Some(folder) = path.parent()
    {
        store::make_folder(folder, true)?;
    }
    store::create(&path, pem.as_bytes(), true)?;
    let card = Card { name: args.name.clone(), mail: args.mail.clone(), key: identity.public() };
    let text = tree(&card)?.as_table().map(|table| toml_text(table, "")).unwrap_or_default();
    store::create(&card_path, text.as_bytes(), false)?;
    let fingerprint = identity.public().fingerprint();
    let text = format!(
        "Your identity is in {}.\n\
         Only you may read it. Keep a copy in a safe place:\n\
         without it your games are lost.\n\
         Your card is {}: send it to whoever makes the game.\n\
         The first digits of your key, to be compared by eye: {fingerprint}\n",
        path.display(),
        card_path.display()
    );
    let json = json!({
        "identity": path.display().to_string(),
        "card": card_path.display().to_string(),
        "key": identity.public().to_string(),
        "fingerprint": fingerprint,
    });
    Ok(Outcome::new(text, json))
}

fn show(world: &World) -> Result<Outcome, Failure> {
    let path = world.identity_path()?;
    let identity = world.identity()?;
    let (key, fingerprint) = (identity.public(), identity.public().fingerprint());
    let text = format!("The identity in {}\nkey = \"{key}\"\nfirst digits: {fingerprint}\n", path.display());
    let json =
        json!({ "identity": path.display().to_string(), "key": key.to_string(), "fingerprint": fingerprint });
    Ok(Outcome::new(text, json))
}
