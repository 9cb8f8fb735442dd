//! A player's identity: one ed25519 key pair.

use std::fmt;

use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
use ed25519_dalek::pkcs8::{DecodePrivateKey, EncodePrivateKey, KeypairBytes};
use ed25519_dalek::{Signer, SigningKey};
use zeroize::Zeroizing;

use super::Secrets;
use super::signature::Signature;
use crate::ident::{CheckDigits, Fresh, GameId, OrderDigest, PublicKey, Seat, SignatureHalf};

/// A key pair. The secret half is wiped when dropped and shown nowhere.
pub struct Identity(SigningKey);

impl Identity {
    /// The identity that follows from a 32-byte seed.
    #[must_use]
    pub fn from_seed(seed: &Zeroizing<[u8; 32]>) -> Self {
        Self(SigningKey::from_bytes(seed))
    }

    /// Reads a PKCS#8 PEM, of version 1 or 2 (RFC 8410).
    ///
    /// # Errors
    /// The text is no such PEM, or its two halves do not belong together.
    pub fn from_pem(pem: &str) -> Result<Self, &'static str> {
        SigningKey::from_pkcs8_pem(pem.trim_start())
            .map(Self)
            .map_err(|_| "it is not an ed25519 private key in PKCS#8 PEM")
    }

    /// Writes a PKCS#8 PEM of version 1, the one that every openssl reads.
    ///
    /// # Errors
    /// Only if the encoder fails, which it does for no key.
    pub fn to_pem(&self) -> Result<Zeroizing<String>, &'static str> {
        let mut pair = KeypairBytes::from(&self.0);
        // With the public key in it, it would be a version 2, which openssl 3.0 refuses.
        pair.public_key = None;
        pair.to_pkcs8_pem(LineEnding::LF).map_err(|_| "the key cannot be encoded")
    }

    /// The public half.
    #[must_use]
    pub fn public(&self) -> PublicKey {
        PublicKey::new(self.0.verifying_key().to_bytes())
    }

    /// Signs an order's preimage (RFC 8032, deterministic).
    #[must_use]
    pub fn sign(&self, preimage: &[u8]) -> Signature {
        let signature = self.0.sign(preimage);
        let digest = OrderDigest::new(super::hash(preimage));
        Signature {
            check: CheckDigits::new(*digest.check_digits().as_bytes()),
            r: SignatureHalf::new(*signature.r_bytes()),
            s: SignatureHalf::new(*signature.s_bytes()),
        }
    }

    /// The secrets of one seat of one game, from the randomness that its `[seal]` published.
    #[must_use]
    pub fn secrets(&self, game: &GameId, seat: &Seat, fresh: &Fresh) -> Secrets {
        Secrets::derive(self.0.as_bytes(), game, seat, fresh)
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Identity({})", self.public())
    }
}
