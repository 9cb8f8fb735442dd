//! Digests, keys, signatures, commitments, secrets and dice.
//!
//! Nothing here knows a clock or draws entropy: a caller hands in the bytes. Secrets are
//! types of their own that are wiped when dropped and show nothing in `Debug`.

mod commitment;
mod dice;
mod digest;
mod identity;
mod key;
mod secrets;
mod signature;

pub use commitment::{Promise, nonce_promise};
pub use dice::{Roll, Rolled, die_from_key, roll, words_from_key};
pub use digest::{Digest, Tag, hash, preimage};
pub use identity::Identity;
pub use key::SoundKey;
pub use secrets::{SecretBytes, Secrets};
pub use signature::{Signature, verify};
