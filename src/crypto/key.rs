//! Public keys that a game may rest on.

use std::fmt;

use ed25519_dalek::VerifyingKey;
use ed25519_dalek::pkcs8::EncodePublicKey;
use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;

use crate::ident::PublicKey;

/// A public key that was checked: canonically encoded, not of small order, free of torsion.
///
/// Parsing alone proves none of these. A key of small order verifies signatures that nobody
/// made; one with torsion verifies in some implementations and not in others.
#[derive(Clone, PartialEq, Eq)]
pub struct SoundKey(VerifyingKey);

impl SoundKey {
    /// Checks a key.
    ///
    /// # Errors
    /// Says in words which property fails.
    pub fn check(key: &PublicKey) -> Result<Self, &'static str> {
        let point = VerifyingKey::from_bytes(key.as_bytes()).map_err(|_| "it is no point of the curve")?;
        let edwards = point.to_edwards();
        if edwards.compress().as_bytes() != key.as_bytes() {
            return Err("its encoding is not the canonical one");
        }
        if edwards.is_small_order() {
            return Err("it is a point of small order, for which anybody can forge signatures");
        }
        if !edwards.is_torsion_free() {
            return Err(
                "it is not in the prime-order group, so programs would disagree about its signatures",
            );
        }
        Ok(Self(point))
    }

    /// The key as it is written.
    #[must_use]
    pub fn public(&self) -> PublicKey {
        PublicKey::new(self.0.to_bytes())
    }

    /// The key as a PEM that openssl reads (`SubjectPublicKeyInfo`, RFC 8410).
    ///
    /// # Errors
    /// Only if the encoder fails, which it does for no key.
    pub fn to_pem(&self) -> Result<String, &'static str> {
        self.0.to_public_key_pem(LineEnding::LF).map_err(|_| "the key cannot be encoded")
    }

    pub(super) const fn verifying(&self) -> &VerifyingKey {
        &self.0
    }
}

impl fmt::Debug for SoundKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SoundKey({})", self.public())
    }
}
