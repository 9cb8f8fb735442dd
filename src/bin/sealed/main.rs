//! The command `sealed`. It alone has a clock, entropy, the environment and a terminal.

mod args;
mod commands;
mod failure;
mod output;
mod signing;
mod table;
mod world;

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    let args = args::Args::parse();
    let world = world::World::of_this_process(&args);
    match commands::run(&args, &world) {
        Ok(outcome) => outcome.print(args.json),
        Err(failure) => failure.print(args.json),
    }
}
