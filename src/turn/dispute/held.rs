//! Files held against the game that stands.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::exhibit::{Evidence, Found, Position, heads};
use super::forks::Fork;
use super::{Finding, Kind};
use crate::fault::{Code, Fault};
use crate::games::{Legal, Standing};
use crate::ident::{Head, OrderDigest, SeatIndex};
use crate::log::{Entry, Header, Verified};
use crate::turn::adjudicate::Verdict;
use crate::turn::replay::Replay;
use crate::turn::tree::{Known, Tree};

pub(super) type Identity = (Head, Vec<OrderDigest>);

/// The game that stands, and all that is known beside it.
pub(super) struct Held<'a> {
    pub(super) header: &'a Arc<Header>,
    pub(super) tree: &'a Tree,
    pub(super) stands: &'a Replay,
    /// What became of each entry that no copy has, when all was taken in.
    pub(super) refusals: &'a BTreeMap<Identity, Verdict>,
    pub(super) evidence: &'a Evidence,
    pub(super) forks: &'a [Fork],
}

impl Held<'_> {
    pub(super) fn findings(&self, known: &[&Found]) -> Vec<Finding> {
        let mut findings = self.two_orders();
        findings.extend(self.proofs_entered());
        let standing: BTreeSet<Identity> = self.stands.entries().map(Entry::identity).collect();
        for found in known.iter().filter(|found| !standing.contains(&found.entry.identity())) {
            findings.extend(self.why_not(found).map(|finding| finding.in_files(found.files())));
        }
        findings.extend(self.copies(&standing));
        findings.into_iter().map(|finding| finding.of(self.header.id())).collect()
    }

    /// The legal entries at a head of the game that stands; nothing for a head beside it.
    fn standing_at(&self, head: &Head) -> Option<&[Legal]> {
        if self.stands.head() == *head {
            return Some(self.stands.open());
        }
        self.stands.steps().iter().find(|step| step.after == *head).map(|step| step.orders.as_slice())
    }

    fn name(&self, seat: SeatIndex) -> String {
        self.header.seat(seat).to_string()
    }

    /// Which files hold an order, inside a proof too.
    fn files_of(&self, order: &Verified) -> BTreeSet<String> {
        let has = |found: &&&Found| match &found.entry {
            Entry::Order(other) => other.digest() == order.digest(),
            Entry::Proof(proof) => proof.orders().any(|other| other.digest() == order.digest()),
        };
        self.evidence.entries().iter().filter(has).flat_map(|found| found.files().cloned()).collect()
    }

    /// The proof that a file has entered against a seat, if any.
    fn entered(&self, seat: SeatIndex) -> Option<(&Found, Vec<String>)> {
        let found = self.evidence.entries().into_iter().find(|found| {
            found.entry.proof().is_some_and(|proof| *proof.seat() == *self.header.seat(seat))
        })?;
        Some((found, found.files().cloned().collect()))
    }

    /// The seats that signed two orders at a head of the game that stands, and that no file
    /// has a proof against. Who signed twice on a branch that is void is not accused.
    fn two_orders(&self) -> Vec<Finding> {
        self.forks
            .iter()
            .filter(|fork| self.entered(fork.seat).is_none())
            .filter_map(|fork| Some((fork, self.standing_at(&fork.at)?)))
            .map(|(fork, stands)| self.told_fork(fork, stands))
            .collect()
    }

    fn told_fork(&self, fork: &Fork, stands: &[Legal]) -> Finding {
        let seat = self.name(fork.seat);
        let [one, other] = fork.proof.pair();
        let named = |order: &Verified| {
            let files: Vec<String> = self.files_of(order).into_iter().collect();
            format!("[{}], digest {}, in {}", order.order().action, short(order), files.join(", "))
        };
        let told = match fork.proof.claim() {
            None => format!("{seat} signed two different orders for step {}.", fork.step),
            Some(claim) => format!(
                "{seat} signed an order for step {} and, after the claim of {} had closed that step, an answer to the claim.",
                fork.step,
                claim.order().seat
            ),
        };
        let mut finding = Finding::new(Kind::TwoOrders, told)
            .more(format!("One: {}.", named(one)))
            .more(format!("The other: {}.", named(other)));
        let in_place = stands.iter().find_map(|legal| match (legal.standing(), legal.entry()) {
            (Standing::Awaited(other), Entry::Order(order)) if other == fork.seat => Some(Ok(order)),
            (Standing::Claim(_), Entry::Order(claim)) => Some(Ok(claim)),
            (Standing::Proven(other), _) if other == fork.seat => Some(Err(true)),
            (Standing::InPlaceOf(other), _) if other == fork.seat => Some(Err(false)),
            (Standing::Ruling, _) => Some(Err(false)),
            _ => None,
        });
        let rule = match in_place {
            Some(Ok(order)) => format!(
                "Others have built on the [{}] with the digest {} alone, so it stands. The proof takes the place of the next order of {seat} on which nobody has built.",
                order.order().action,
                short(order)
            ),
            Some(Err(true)) => format!(
                "Others have not built on one of the two alone, so neither stands: the proof takes the place of {seat}'s order in step {}, and {seat} is out.",
                fork.step
            ),
            _ => "An entry of the arbiter stands in the place of both.".to_owned(),
        };
        finding = finding.more(rule).more(
            "A copy that was restored from an old backup, or a second computer with the same key, does the same as intent; the files do not tell which. The rule asks only whether both orders are signed.",
        );
        finding.step = Some(fork.step);
        finding.seat = Some(self.header.seat(fork.seat).clone());
        finding.entries =
            fork.proof.claim().into_iter().chain([one, other]).cloned().map(Entry::from).collect();
        finding.files = self.files_of(one).union(&self.files_of(other)).cloned().collect();
        finding.proof = Some(fork.proof.clone());
        finding
    }

    /// Proofs that some copies have and others lack.
    fn proofs_entered(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        for seat in self.header.by_seat(|_| ()).seats() {
            let Some((found, files)) = self.entered(seat) else { continue };
            let lack: Vec<String> = self
                .evidence
                .filed
                .iter()
                .map(|filed| filed.name.clone())
                .filter(|name| !files.contains(name))
                .collect();
            if lack.is_empty() {
                continue;
            }
            let name = self.name(seat);
            let told = format!(
                "A proof that {name} signed two orders that contradict each other is entered in {}, and not in {}.",
                files.join(", "),
                lack.join(", ")
            );
            let place = self
                .stands
                .steps()
                .iter()
                .map(|step| (step.number, step.orders.as_slice()))
                .chain([(self.stands.step(), self.stands.open())])
                .find(|(_, entries)| entries.iter().any(|legal| legal.standing() == Standing::Proven(seat)));
            let rule = match place {
                Some((step, _)) => format!(
                    "It proves itself, and takes the place of {name}'s order in step {step}; what stood there, and what was built on it, is void."
                ),
                None => format!(
                    "It proves itself; nothing is awaited from {name} that it could take the place of."
                ),
            };
            let mut finding = Finding::new(Kind::ProofEntered, told).more(rule).in_files(&files);
            finding.step = place.map(|(step, _)| step);
            finding.seat = Some(self.header.seat(seat).clone());
            finding.entries = vec![found.entry.clone()];
            findings.push(finding);
        }
        findings
    }

    /// Why an entry that is genuine does not stand.
    fn why_not(&self, found: &Found) -> Option<Finding> {
        let entry = &found.entry;
        let Some(known) = self.tree.at(&entry.after()) else { return beyond(found) };
        if let Some((_, fault)) =
            known.refused.iter().find(|(refused, _)| refused.identity() == entry.identity())
        {
            return refused(found, fault);
        }
        let legal = known.legal.iter().find(|legal| legal.entry().identity() == entry.identity())?;
        // On a branch that does not stand it falls with the branch, for whatever reason that does.
        let stands = self.standing_at(&entry.after())?;
        match legal.standing() {
            Standing::Awaited(seat) => self.order_yields(entry.order()?, seat, stands),
            Standing::Claim(_) => self.claim_yields(entry, stands),
            Standing::InPlaceOf(_) | Standing::Ruling => {
                let refused = self.refusals.get(&entry.identity());
                Some(arbiter_yields(legal, known, stands, refused))
            }
            // Where a proof belongs is told with the two orders.
            Standing::Proven(_) => None,
        }
    }

    /// An awaited seat's order in whose place something else stands.
    fn order_yields(&self, order: &Verified, seat: SeatIndex, stands: &[Legal]) -> Option<Finding> {
        let name = self.name(seat);
        let step = order.order().step;
        let entry = Entry::from(order.clone());
        for legal in stands {
            let finding = match (legal.standing(), legal.order()) {
                (Standing::InPlaceOf(other), Some(arbiter)) if other == seat => Finding::new(
                    Kind::ArbiterEntry,
                    format!(
                        "The arbiter's [{}] stands in step {step} in the place of the [{}] of {name}.",
                        arbiter.order().action,
                        order.order().action
                    ),
                )
                .more("The arbiter enters a forfeit when an order does not come in time. An order that comes later all the same is dropped, with everything built on it; it is not held against its seat."),
                (Standing::Ruling, _) => Finding::new(
                    Kind::ArbiterEntry,
                    format!("The arbiter's [ruling] closed step {step}; the [{}] of {name} is dropped.", order.order().action),
                )
                .more("A ruling ends the game at its head. It holds nothing against anybody."),
                (Standing::Claim(claimer), _) => Finding::new(
                    Kind::ClaimYielded,
                    format!(
                        "The claim of {} closed step {step} and the game went on from there; the [{}] of {name} comes too late.",
                        self.name(claimer),
                        order.order().action
                    ),
                )
                .more("A claim yields to the mover's order only as long as nothing stands after it."),
                (Standing::Awaited(other), Some(stands)) if other == seat && stands.same_decision(order) => {
                    Finding::new(
                        Kind::WrittenTwice,
                        format!("{name} wrote the same [{}] for step {step} twice, at another time or with other words.", order.order().action),
                    )
                    .more(format!(
                        "It is one decision, so it is no contradiction. The one with the digest {} stands: others built on it, or its digest is the smaller.",
                        short(stands)
                    ))
                }
                _ => continue,
            };
            return Some(Finding { entries: vec![legal.entry().clone()], ..finding }.about(&entry));
        }
        None
    }

    fn claim_yields(&self, entry: &Entry, stands: &[Legal]) -> Option<Finding> {
        let legal = stands.first()?;
        let claimer = entry.order().map(|order| order.order().seat.to_string()).unwrap_or_default();
        let why = match legal.standing() {
            Standing::Claim(other) => format!("the claim of {} stands there", self.name(other)),
            Standing::Ruling => "the arbiter's ruling goes before it".to_owned(),
            Standing::InPlaceOf(_) => "the arbiter's forfeit goes before it".to_owned(),
            Standing::Proven(_) => "a proof goes before it".to_owned(),
            Standing::Awaited(seat) => {
                format!("the order of {}, who was to move, goes before it", self.name(seat))
            }
        };
        let finding = Finding::new(
            Kind::ClaimYielded,
            format!("The claim of {claimer} in step {} yields: {why}.", entry.step()),
        )
        .more("A seat that is out may claim, and its claim may come late; nobody has done wrong.");
        Some(Finding { entries: vec![legal.entry().clone()], ..finding }.about(entry))
    }

    /// What each copy lacks, and what it says of itself.
    fn copies(&self, standing: &BTreeSet<Identity>) -> Vec<Finding> {
        let mut findings = Vec::new();
        // A proof that only this dispute has made is lacking nowhere.
        let known: BTreeSet<Identity> =
            self.evidence.entries().iter().map(|found| found.entry.identity()).collect();
        let chain = heads(self.stands);
        for (filed, replay) in self.evidence.good() {
            let own: BTreeSet<Identity> = replay.entries().map(Entry::identity).collect();
            let lacks = standing.iter().filter(|id| known.contains(*id) && !own.contains(*id)).count() as u64;
            let is_part = own.is_subset(standing);
            let name = &filed.name;
            let cut_off = match &filed.position {
                Position::Elsewhere { head: Some(head), .. } => {
                    chain.contains(head) || self.tree.at(head).is_some()
                }
                _ => false,
            };
            match &filed.position {
                Position::Elsewhere { fault, .. } if !cut_off => {
                    let finding = Finding::new(
                        Kind::Invalid,
                        format!("The [position] of {name} is not what its own entries lead to: {}.", fault.message),
                    )
                    .more("Its entries hold as far as they go. Entries were cut off, or the position was changed, which anybody can do to a file.")
                    .because(fault.clone())
                    .decided_by("the others' copies, where entries are missing");
                    findings.push(finding.in_files([name]));
                }
                Position::Edited(differences) if !cut_off => {
                    let keys: Vec<&str> =
                        differences.iter().map(|difference| difference.key.as_str()).collect();
                    let mut finding = Finding::new(
                        Kind::Invalid,
                        format!(
                            "The [position] of {name} differs from what its entries lead to, in: {}.",
                            keys.join(", ")
                        ),
                    )
                    .more("The entries decide, not the position; `sealed apply` writes it anew.")
                    .because(Fault::new(Code::PositionDiffers, "[position] is not what the entries lead to"));
                    finding
                        .told
                        .extend(differences.iter().flat_map(crate::turn::position::Difference::lines));
                    findings.push(finding.in_files([name]));
                }
                _ => {}
            }
            if lacks > 0 && is_part {
                let entries = if lacks == 1 { "1 entry".to_owned() } else { format!("{lacks} entries") };
                let mut finding = Finding::new(
                    Kind::Behind,
                    format!("{name} is behind: it lacks {entries} that the other files have."),
                )
                .in_files([name]);
                if cut_off {
                    finding = finding.more("Its [position] tells of a later head, so its end was cut off; that holds nothing against anybody.");
                }
                finding.lacks = Some(lacks);
                finding.step = Some(replay.step());
                findings
                    .push(finding.more(
                        "It can catch up: apply the other files, or write a merged copy with --merge.",
                    ));
            }
        }
        findings
    }
}

fn short(order: &Verified) -> String {
    order.digest().to_string().chars().take(16).collect()
}

/// An entry after a head that these files do not lead to.
fn beyond(found: &Found) -> Option<Finding> {
    // In a copy that does not hold, something before it is missing; that was said.
    if found.loose_in.is_empty() {
        return None;
    }
    let entry = &found.entry;
    let finding = Finding::new(
        Kind::Undecided,
        format!(
            "The {} answers the head {} of step {}, to which these files do not lead.",
            entry.told(),
            entry.after().by_eye(),
            entry.step()
        ),
    )
    .more("It is genuine. Whether it is legal cannot be said without the entries before it; nobody has to have lied.");
    let who = match entry.order() {
        Some(order) => {
            format!("{}'s copy of the game, or any copy that has that head", order.order().seat)
        }
        None => "any copy that has that head".to_owned(),
    };
    Some(finding.about(entry).decided_by(who))
}

/// A genuine entry that was never allowed where it stands.
fn refused(found: &Found, fault: &Fault) -> Option<Finding> {
    // A copy with such an entry does not hold, and that was said.
    if found.loose_in.is_empty() {
        return None;
    }
    let entry = &found.entry;
    let seat = entry.order().map(|order| order.order().seat.to_string()).unwrap_or_default();
    let (kind, told) = match fault.code {
        Code::WrongOpening => (
            Kind::WrongOpening,
            format!("An opening of {seat} does not match what was sealed: {}.", fault.message),
        ),
        _ => (
            Kind::Invalid,
            format!(
                "The {} for step {} is genuine, and refused: {}.",
                entry.told(),
                entry.step(),
                fault.message
            ),
        ),
    };
    let finding = Finding::new(kind, told).more(
        "The game stands as if it had never come; its seat may still give another order if it is awaited.",
    );
    Some(finding.about(entry).because(fault.clone()))
}

/// An entry of the arbiter that does not stand.
fn arbiter_yields(legal: &Legal, known: &Known, stands: &[Legal], refused: Option<&Verdict>) -> Finding {
    let entry = legal.entry();
    let excludes = known.legal.iter().find(|other| {
        other.standing() == legal.standing()
            && match (other.order(), legal.order()) {
                (Some(one), Some(other)) => !one.same_decision(other),
                _ => false,
            }
    });
    let step = entry.step();
    if let Some(other) = excludes {
        let finding = Finding::new(
            Kind::ArbiterContradicts,
            format!("The arbiter entered two different things in one place of step {step}."),
        )
        .more("By the rules neither stands unless a copy has only one of them.")
        .decided_by("the arbiter, who signed both");
        return Finding { entries: vec![other.entry().clone()], ..finding }.about(entry);
    }
    let what = entry.order().map(|order| order.order().action.clone()).unwrap_or_default();
    let in_its_place = stands.iter().find(|other| match legal.standing() {
        Standing::InPlaceOf(seat) => {
            matches!(other.standing(), Standing::Awaited(seated) | Standing::InPlaceOf(seated) if seated == seat)
                || other.standing() == Standing::Ruling
        }
        _ => true,
    });
    match in_its_place {
        Some(other) if other.standing() == Standing::Ruling => Finding::new(
            Kind::ArbiterEntry,
            format!(
                "The arbiter's [ruling] closed step {step}, and goes before the arbiter's [{what}] there."
            ),
        ),
        Some(other) if other.standing() == legal.standing() => Finding::new(
            Kind::WrittenTwice,
            format!("The arbiter wrote the same [{what}] for step {step} twice."),
        )
        .more("It is one decision, so it is no contradiction."),
        Some(other) if known.phase == crate::games::Phase::Audit => Finding::new(
            Kind::ArbiterEntry,
            format!(
                "The arbiter's [{what}] in step {step} does not take the place of the {}.",
                other.entry().told()
            ),
        )
        .more("An audit that is in is never displaced, and a final result is never ruled on."),
        _ => match refused {
            Some(Verdict::Refused(fault)) => Finding::new(
                Kind::Invalid,
                format!("The arbiter's [{what}] for step {step} is genuine, and refused: {}.", fault.message),
            )
            .more("The game stands as if it had never come; that it turns up holds nothing against anybody.")
            .because(fault.clone()),
            _ => Finding::new(
                Kind::ArbiterEntry,
                format!(
                    "The arbiter's [{what}] in step {step} does not stand; another entry takes precedence."
                ),
            ),
        },
    }
    .about(entry)
}
