//! The command `sealed`.

fn main() {}
