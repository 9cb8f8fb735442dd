//! How often each thing must come up, per 1,000 games: about a quarter of how often it does. What
//! comes up less often than that in 40 games has a floor of nought there, and more in a full run.

pub const FLOORS: &[(&str, u64)] = &[];
