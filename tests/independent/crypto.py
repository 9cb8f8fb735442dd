"""Strict Ed25519, ChaCha20 dice and derived secrets (PROTOCOL.md, sections 3.1, 6, 9 and 10)."""

import functools
import hashlib
import hmac

from documents import digest

# ---------------------------------------------------------------------------------------------------------
# The curve -x^2 + y^2 = 1 + d x^2 y^2 over the integers modulo P. A point is (X, Y, Z, T) with x = X/Z,
# y = Y/Z and xy = T/Z. For adding, a point is prepared as (Y - X, Y + X, 2dT, 2Z).

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)
IDENTITY = (0, 1, 1, 0)


def prepare(point):
    x, y, z, t = point
    return ((y - x) % P, (y + x) % P, 2 * D * t % P, 2 * z % P)


def add(point, prepared):
    x, y, z, t = point
    minus, plus, t2d, z2 = prepared
    a = (y - x) * minus % P
    b = (y + x) * plus % P
    c = t * t2d % P
    d = z * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def double(point):
    return add(point, prepare(point))


def negate(point):
    x, y, z, t = point
    return (-x % P, y, z, -t % P)


def is_identity(point):
    x, y, z, _ = point
    return x % P == 0 and (y - z) % P == 0


def times(number, point):
    result = IDENTITY
    prepared = prepare(point)
    for bit in bin(number)[2:]:
        result = double(result)
        if bit == "1":
            result = add(result, prepared)
    return result


def times_8(point):
    return double(double(double(point)))


def encode(point):
    x, y, z, _ = point
    inverse = pow(z, -1, P)
    x, y = x * inverse % P, y * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def decode(data):
    """The point that the 32 bytes name, or None if they are no canonical encoding of one."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P  # d y^2 + 1 is never 0: -1/d is no square
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * ROOT_OF_MINUS_ONE % P
        if x * x % P != square:
            return None
    if x == 0 and sign == 1:
        return None
    if x & 1 != sign:
        x = P - x
    return (x, y, 1, x * y % P)


def multiples(point):
    """For each of the 64 hexadecimal digits of a number: the point times 0 to 15 times 16^digit, prepared."""
    rows = []
    for _ in range(64):
        prepared = prepare(point)
        row, sum_ = [prepare(IDENTITY)], IDENTITY
        for _ in range(15):
            sum_ = add(sum_, prepared)
            row.append(prepare(sum_))
        rows.append(row)
        point = add(sum_, prepared)
    return rows


def add_multiple(point, number, rows):
    for row in rows:
        point = add(point, row[number & 15])
        number >>= 4
    return point


BASE = decode((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
BASE_MULTIPLES = multiples(BASE)


# ---------------------------------------------------------------------------------------------------------
# Keys and signatures


def why_bad_key(data):
    """Section 3.1: None if the 32 bytes are a good key, else the reason."""
    point = decode(data)
    if point is None:
        return "not the canonical encoding of a point"
    if is_identity(times_8(point)):
        return "a point of small order"
    if not is_identity(times(L, point)):
        return "a point with torsion"
    return None


@functools.lru_cache(maxsize=64)
def negative_multiples(key):
    return multiples(negate(decode(key)))


def signature_is_good(key, message, r, s):
    """Section 6, for a key that passed 3.1. All are bytes; R and S have 32."""
    number = int.from_bytes(s, "little")
    if number >= L:
        return False
    k = int.from_bytes(hashlib.sha512(r + key + message).digest(), "little") % L
    point = add_multiple(IDENTITY, number, BASE_MULTIPLES)
    point = add_multiple(point, k, negative_multiples(key))
    # What `encode` gives is always canonical. So if it equals R, R is canonical and decodes to this point.
    return encode(point) == r and not is_identity(times_8(point))


def sign(seed, message):
    """RFC 8032. Not needed to verify; the checks make signatures with it."""
    expanded = hashlib.sha512(seed).digest()
    secret = int.from_bytes(expanded[:32], "little") & (2**254 - 8) | 2**254
    key = encode(add_multiple(IDENTITY, secret, BASE_MULTIPLES))
    nonce = int.from_bytes(hashlib.sha512(expanded[32:] + message).digest(), "little") % L
    r = encode(add_multiple(IDENTITY, nonce, BASE_MULTIPLES))
    k = int.from_bytes(hashlib.sha512(r + key + message).digest(), "little") % L
    return r + ((nonce + k * secret) % L).to_bytes(32, "little")


def public_key(seed):
    secret = int.from_bytes(hashlib.sha512(seed).digest()[:32], "little") & (2**254 - 8) | 2**254
    return encode(add_multiple(IDENTITY, secret, BASE_MULTIPLES))


# ---------------------------------------------------------------------------------------------------------
# Dice

MASK = 0xFFFFFFFF


def chacha20_block(key, counter):
    """The 16 words of one block, with nonce 0."""
    start = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574]
    start += [int.from_bytes(key[4 * i : 4 * i + 4], "little") for i in range(8)]
    start += [counter & MASK, counter >> 32, 0, 0]
    state = start[:]

    def quarter(a, b, c, d):
        for one, two, three, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            state[one] = (state[one] + state[two]) & MASK
            word = state[three] ^ state[one]
            state[three] = (word << turn | word >> (32 - turn)) & MASK

    for _ in range(10):
        for i in range(4):
            quarter(i, 4 + i, 8 + i, 12 + i)
        for i in range(4):
            quarter(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
    return [(word + first) & MASK for word, first in zip(state, start)]


def keystream(key):
    counter = 0
    while True:
        yield from chacha20_block(key, counter)
        counter += 1


def die(key, sides):
    limit = 2**32 // sides * sides
    for word in keystream(key):
        if word < limit:
            return word % sides + 1


def roll_key(game, nonces, label):
    return bytes.fromhex(digest("roll", {"game": game, "nonces": nonces, "label": label}))


# ---------------------------------------------------------------------------------------------------------
# Derived secrets. A verifier needs none of them; the vectors are checked with them.


def game_secret(seed, game, seat, fresh):
    """HKDF-SHA-256 with a result of one block."""
    key = hmac.digest(bytes.fromhex(game), seed, "sha256")
    info = f"sealed-orders/1 secrets {seat} {fresh}".encode("ascii")
    return hmac.digest(key, info + b"\x01", "sha256")


def salt(secret, what):
    return hmac.digest(secret, what.encode("ascii"), "sha256").hex()
