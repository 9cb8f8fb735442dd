//! Everything that a player keeps secret, derived from the identity.

use std::fmt;

use hkdf::Hkdf;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use crate::ident::{Fresh, GameId, Nonce, Salt, Seat};

/// The key behind one seat's salts and nonces in one game.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct Secrets([u8; 32]);

/// A salt or nonce that is not opened yet.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct SecretBytes([u8; 32]);

impl SecretBytes {
    /// Gives it away as the salt of an opening.
    #[must_use]
    pub const fn open_salt(&self) -> Salt {
        Salt::new(self.0)
    }

    /// Gives it away as an opened nonce.
    #[must_use]
    pub const fn open_nonce(&self) -> Nonce {
        Nonce::new(self.0)
    }
}

impl Secrets {
    pub(super) fn derive(seed: &[u8; 32], game: &GameId, seat: &Seat, fresh: &Fresh) -> Self {
        let info = format!("sealed-orders/1 secrets {seat} {fresh}");
        let mut key = Zeroizing::new([0_u8; 32]);
        // 32 bytes are one block of RFC 5869 and cannot fail.
        let expanded = Hkdf::<Sha256>::new(Some(game.as_bytes()), seed).expand(info.as_bytes(), key.as_mut());
        debug_assert!(expanded.is_ok(), "32 bytes are a valid length");
        Self(*key)
    }

    fn keyed(&self, what: &str) -> SecretBytes {
        // HMAC (RFC 2104) takes a key of any length; the error is for other constructions.
        let mac = Hmac::<Sha256>::new_from_slice(&self.0).map(|mac| mac.chain_update(what.as_bytes()));
        SecretBytes(mac.map_or([0; 32], |mac| mac.finalize().into_bytes().into()))
    }

    /// The salt of what is sealed: `fleet`, or layer and ship, like `secondary cruiser`.
    #[must_use]
    pub fn salt(&self, what: &str) -> SecretBytes {
        self.keyed(what)
    }

    /// The seat's nonce number `index`, from 0.
    #[must_use]
    pub fn nonce(&self, index: u64) -> SecretBytes {
        self.keyed(&format!("nonce {index}"))
    }

    /// The key itself, for vectors and for escrow.
    #[must_use]
    pub fn reveal(&self) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(self.0)
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secrets(kept)")
    }
}

impl fmt::Debug for SecretBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretBytes(kept)")
    }
}
