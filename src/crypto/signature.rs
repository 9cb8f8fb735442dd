//! Signatures over order preimages.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::key::SoundKey;
use crate::ident::{CheckDigits, SignatureHalf};

/// A signature as it is written: two halves, and digits that advise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Signature {
    /// The first eight digits of the order digest. Advice only: it is not signed.
    pub check: CheckDigits,
    /// The first half of the ed25519 signature (RFC 8032, section 5.1.6).
    pub r: SignatureHalf,
    /// The second half.
    pub s: SignatureHalf,
}

/// Verifies one signature strictly: s below the group order, canonical points, none of
/// small order, the cofactorless equation. Never by batch, which accepts more.
///
/// True only if the signature proves that the key's owner signed these bytes.
#[must_use]
pub fn verify(key: &SoundKey, preimage: &[u8], signature: &Signature) -> bool {
    let halves = ed25519_dalek::Signature::from_components(*signature.r.as_bytes(), *signature.s.as_bytes());
    key.verifying().verify_strict(preimage, &halves).is_ok()
}
