//! The same orders on other ways: shuffled, in batches, twice, with what does not stand among
//! them. What comes out must be the same bytes.

use std::collections::BTreeSet;
use std::sync::Arc;

use curve25519_dalek::edwards::EdwardsPoint;
use curve25519_dalek::scalar::{Scalar, clamp_integer};
use sealed_orders::crypto::Signature;
use sealed_orders::document::{Node, Value, tree};
use sealed_orders::ident::{OrderDigest, SignatureHalf};
use sealed_orders::log::{Entry, GameFile, SignedOrder, Verified, write_game_file};
use sealed_orders::turn::{Replay, Verdict, adjudicate, compare_position, position};
use sha2::{Digest as _, Sha512};

use super::play::{Play, orders_of};
use super::writing::{Place, sign};

fn written(replay: &Replay) -> String {
    write_game_file(replay.header(), &position(replay).into(), replay.entries())
}

fn digests<'a>(orders: impl IntoIterator<Item = &'a Verified>) -> Vec<OrderDigest> {
    orders.into_iter().map(Verified::digest).collect()
}

impl Play {
    /// All orders of the game, as a file has them.
    fn chain(&self) -> Vec<Verified> {
        let seats = &self.oracle.setup.seats;
        let mut open = self.open.clone();
        open.sort_by_key(|entry| seats.iter().position(|seat| seat == entry.order.place()));
        let open = open.into_iter().map(|entry| entry.verified);
        self.closed.iter().flatten().cloned().chain(open).collect()
    }

    /// The game that was played is found again from its orders, wherever they come from.
    pub fn arrive_in_many_ways(&mut self) {
        let mut chain = self.chain();
        let text = self.straight_on(&chain);
        self.file_is_read_back(&text);

        let mut shuffled = chain.clone();
        self.dice.shuffle(&mut shuffled);
        let all = adjudicate(&self.party.header, &[], &shuffled).unwrap();
        assert_eq!(written(&all.replay), text, "the orders in another order");
        assert!(all.verdicts.iter().all(|verdict| *verdict == Verdict::Accepted), "{:?}", all.verdicts);
        assert!(all.dropped.is_empty());
        self.in_batches(&chain, &text);

        let mut beside = std::mem::take(&mut self.beside);
        self.add_a_variant(&mut beside);
        self.sign_one_again(&mut chain, &mut beside);
        // The smaller signature may be the new one, so this text may differ in that alone.
        let text = self.straight_on(&chain);
        let some: Vec<Verified> = chain.iter().chain(&beside).cloned().collect();
        let all: Vec<Verified> = some.iter().chain(&self.beside_at_once).cloned().collect();
        if all.len() > chain.len() {
            self.all_at_once(&chain, all, &text);
        }
        if some.len() > chain.len() {
            self.in_batches(&some, &text);
            self.in_batches(&some, &text);
        }
    }

    /// All that was ever signed, from no file and from the finished one.
    fn all_at_once(&mut self, chain: &[Verified], mut all: Vec<Verified>, text: &str) {
        self.dice.shuffle(&mut all);
        let standing: BTreeSet<OrderDigest> = digests(chain).into_iter().collect();
        for file in [&[], chain] {
            let taken = adjudicate(&self.party.header, file, &all).unwrap();
            assert_eq!(written(&taken.replay), text, "with what does not stand among them");
            assert!(taken.dropped.is_empty());
            for (order, verdict) in all.iter().zip(&taken.verdicts) {
                let stands = standing.contains(&order.digest());
                // A variant of what stands is known, in a way.
                let variant = chain.iter().any(|other| other.same_decision(order));
                match verdict {
                    Verdict::Accepted => assert!(stands && file.is_empty(), "{order:?}"),
                    Verdict::Known => assert!(stands || variant, "{order:?}"),
                    Verdict::Waiting(fault) => panic!("{order:?}: {fault:?}"),
                    Verdict::Refused(_) => assert!(!stands, "{order:?}: {verdict:?}"),
                }
            }
        }
        self.counts.add("arrival: with orders that do not stand");
    }

    /// Takes the orders in as they were played. What comes of it is what was played.
    fn straight_on(&self, chain: &[Verified]) -> String {
        let replay = adjudicate(&self.party.header, &[], chain).unwrap().replay;
        assert_eq!(replay.head(), self.head);
        assert_eq!(replay.step(), self.closed.len() as u64);
        assert_eq!(digests(replay.orders()), digests(chain));
        let audits = orders_of(&self.open);
        super::compare::same(&self.party.header, &*replay.counted(), &self.oracle.with_audits(&audits));
        let is_in = |seat: &String| audits.iter().any(|order| order.place() == seat);
        let missing: Vec<String> =
            replay.missing().into_iter().map(|seat| self.party.header.seat(seat).to_string()).collect();
        let wanted: Vec<String> = self.oracle.awaits().into_iter().filter(|seat| !is_in(seat)).collect();
        assert_eq!(missing, wanted);
        written(&replay)
    }

    fn file_is_read_back(&mut self, text: &str) {
        let file = GameFile::parse(text).unwrap_or_else(|fault| panic!("{fault:?}\n{text}"));
        let replay = Replay::of_file(&file).unwrap_or_else(|fault| panic!("{fault:?}\n{text}"));
        assert_eq!(replay.head(), self.head);
        assert_eq!(compare_position(&replay, file.position.as_ref().unwrap()), Ok(vec![]));
        assert_eq!(written(&replay), text, "written again");
        // Cut off after any entry, a file is still one (protocol, section 14).
        let length = self.dice.below(file.entries.len() + 1);
        let cut = GameFile { position: None, entries: file.entries[..length].to_vec(), ..file.clone() };
        let shorter = Replay::of_file(&cut).unwrap_or_else(|fault| panic!("cut to {length}: {fault:?}"));
        assert_eq!(digests(shorter.orders()), digests(&self.chain()[..length]));
        // And as far as some step.
        let steps = self.dice.below(self.closed.len() + 1);
        let until = Replay::of_file_until(&file, steps as u64).unwrap();
        let head = self.closed.get(steps).map_or(self.head, |step| step[0].order().after);
        assert_eq!((until.step(), until.head()), (steps as u64, head));
    }

    /// In batches, each taken into the file that the one before made. What did not stand is
    /// offered again each time, as a folder of mail is.
    ///
    /// One thing depends on what the file had: once its result is final, an entry of the arbiter
    /// at an older head comes too late (protocol, section 18). Then this arrival shows nothing.
    fn in_batches(&mut self, orders: &[Verified], text: &str) {
        let header = Arc::clone(&self.party.header);
        let mut mail = orders.to_vec();
        // Some come more than once.
        for _ in 0..self.dice.below(3) {
            mail.push(self.dice.pick(orders).clone());
        }
        self.dice.shuffle(&mut mail);
        let batches = 2 + self.dice.below(4);
        let size = mail.len().div_ceil(batches);
        // Mail comes mostly in order; a shuffled game would wait for its first step to the end.
        if self.dice.chance(600) {
            mail.sort_by_key(|order| order.order().step / 3);
            let swaps = self.dice.below(1 + mail.len() / 4);
            for _ in 0..swaps {
                let (one, other) = (self.dice.below(mail.len()), self.dice.below(mail.len()));
                mail.swap(one, other);
            }
        }
        let mut file: Vec<Verified> = Vec::new();
        let mut pending: Vec<Verified> = Vec::new();
        let mut last = String::new();
        let mut final_head = None;
        for batch in mail.chunks(size.max(1)) {
            pending.extend_from_slice(batch);
            let mut of_arbiter = pending.iter().map(Verified::order).filter(|order| order.seat.is_arbiter());
            if last != text && final_head.is_some_and(|head| of_arbiter.any(|order| order.after != head)) {
                self.counts.add("arrival: an entry of the arbiter after a final result");
                return;
            }
            let taken = adjudicate(&header, &file, &pending).unwrap();
            let stands = digests(taken.replay.orders()).into_iter().collect::<BTreeSet<_>>();
            pending.extend(taken.dropped.iter().filter_map(Entry::order).cloned());
            pending.retain(|order| !stands.contains(&order.digest()));
            last = written(&taken.replay);
            let is_final = taken.replay.ending().is_some_and(|ending| !ending.provisional);
            final_head = is_final.then(|| taken.replay.head());
            // The file is what is kept, so it is read again.
            let read = GameFile::parse(&last).unwrap_or_else(|fault| panic!("{fault:?}\n{last}"));
            file = if self.dice.chance(250) {
                Replay::of_file(&read).unwrap().orders().cloned().collect()
            } else {
                taken.replay.orders().cloned().collect()
            };
        }
        assert_eq!(last, text, "in {batches} batches");
        self.counts.add("arrival: in batches");
    }

    /// The same decision at another time, with other press: the one that others built on stands,
    /// or else the one with the smaller digest (protocol, section 8).
    fn add_a_variant(&mut self, beside: &mut Vec<Verified>) {
        if !self.dice.chance(500) {
            return;
        }
        let step = self.dice.below(self.closed.len() + usize::from(!self.open.is_empty()));
        let orders: Vec<Verified> = match self.closed.get(step) {
            Some(orders) => orders.clone(),
            None => self.open.iter().map(|entry| entry.verified.clone()).collect(),
        };
        let order = self.dice.pick(&orders).clone();
        let said = order.order();
        let next = self.closed.get(step + 1).cloned().unwrap_or_default();
        let built_on = next.iter().any(|next| next.order().seat != said.seat);
        let seat = said.seat.as_str().to_owned();
        for _ in 0..64 {
            let place = self.place();
            let place = Place { after: said.after, step: said.step, ..place };
            let identity = match seat.as_str() {
                "arbiter" => &self.party.arbiter.as_ref().unwrap().1,
                seat => &self.person(seat).identity,
            };
            let details = said.details().clone();
            let variant =
                sign(&self.party, identity, &seat, &place, said.draw, &said.action, details).unwrap();
            assert!(variant.same_decision(&order));
            if built_on || variant.digest() > order.digest() {
                beside.push(variant);
                self.counts.add(if built_on {
                    "arrival: a variant of an order that others built on"
                } else {
                    "arrival: a variant of an order that nobody built on"
                });
                return;
            }
        }
    }

    /// A second signature over the same body, by another nonce than RFC 8032 would take. It is
    /// the same order, and of the two the smaller is kept (protocol, section 6).
    fn sign_one_again(&mut self, chain: &mut [Verified], beside: &mut Vec<Verified>) {
        if !self.dice.chance(300) {
            return;
        }
        let place = self.dice.below(chain.len());
        let order = chain[place].clone();
        let seat = order.order().seat.as_str();
        let seed = match seat {
            "arbiter" => self.party.arbiter.as_ref().unwrap().0,
            seat => self.person(seat).seed,
        };
        let again = sign_again(&order, &seed, self.dice.bytes(), &self.party.header);
        assert_eq!(again.digest(), order.digest());
        let text = |order: &Verified| format!("{}{}", order.signature().r, order.signature().s);
        assert_ne!(text(&again), text(&order));
        // Both are in the mail; the smaller one is what is expected in the file.
        beside.push(order.clone());
        self.counts.add("arrival: the same body signed twice");
        if text(&again) < text(&order) {
            chain[place] = again;
            self.counts.add("arrival: the second signature is the smaller");
        } else {
            beside.push(again);
        }
    }
}

/// Ed25519 by hand (RFC 8032, section 5.1.6) with a nonce of one's own.
fn sign_again(
    order: &Verified,
    seed: &[u8; 32],
    nonce: [u8; 32],
    header: &sealed_orders::log::Header,
) -> Verified {
    let message = order.order().preimage();
    let expanded: [u8; 64] = Sha512::digest(seed).into();
    let secret = Scalar::from_bytes_mod_order(clamp_integer(expanded[..32].try_into().unwrap()));
    let public = EdwardsPoint::mul_base(&secret).compress();
    let nonce = Scalar::from_bytes_mod_order(nonce);
    let r = EdwardsPoint::mul_base(&nonce).compress();
    let mut hash = Sha512::new();
    hash.update(r.as_bytes());
    hash.update(public.as_bytes());
    hash.update(&message);
    let k = Scalar::from_bytes_mod_order_wide(&hash.finalize().into());
    let s = nonce + k * secret;
    let signature = Signature {
        check: order.digest().check_digits(),
        r: SignatureHalf::new(r.to_bytes()),
        s: SignatureHalf::new(s.to_bytes()),
    };
    let mut node: Node = order.written();
    let Value::Table(table) = &mut node.value else { panic!("an order is a table") };
    table.take("signature");
    table.push("signature", tree(&signature).unwrap());
    SignedOrder::read(&node).unwrap().verify(header).unwrap()
}
