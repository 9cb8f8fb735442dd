//! What came up how often, and how often it must.

use std::collections::BTreeMap;

#[derive(Default)]
pub struct Counts(BTreeMap<String, u64>);

impl Counts {
    pub fn add(&mut self, what: &str) {
        self.add_many(what, 1);
    }

    pub fn add_many(&mut self, what: &str, times: u64) {
        *self.0.entry(what.to_owned()).or_default() += times;
    }

    pub fn merge(&mut self, other: Counts) {
        for (what, times) in other.0 {
            self.add_many(&what, times);
        }
    }

    pub fn of(&self, what: &str) -> u64 {
        self.0.get(what).copied().unwrap_or(0)
    }

    /// Prints all counts, and returns what came up too seldom. A floor is per 1,000 games.
    pub fn print(&self, games: u64, floors: &[(&str, u64)]) -> Vec<String> {
        let wanted: BTreeMap<&str, u64> = floors.iter().copied().collect();
        let mut names: Vec<&str> = self.0.keys().map(String::as_str).chain(wanted.keys().copied()).collect();
        names.sort_unstable();
        names.dedup();
        println!("{:<64} {:>9} {:>9}", format!("in {games} games"), "count", "at least");
        let mut too_seldom = Vec::new();
        for name in names {
            let (count, floor) = (self.of(name), wanted.get(name).map(|floor| floor * games / 1000));
            let floor_text = floor.map(|floor| floor.to_string()).unwrap_or_default();
            println!("{name:<64} {count:>9} {floor_text:>9}");
            if floor.is_some_and(|floor| count < floor) {
                too_seldom.push(format!("{name}: {count}"));
            }
        }
        too_seldom
    }
}
