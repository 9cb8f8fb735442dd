#!/bin/sh
# Checks a whole game with tools that everybody has: sha256sum, openssl 3, sed, awk, od.
#
# `sealed` only prints the bytes behind each digest; that they are the right ones is found
# by others: each digest by sha256sum, each signature by openssl with the key of the header,
# each link of the chain by building it again from the file, the die by openssl's ChaCha20.
#
#     sh tests/stock_tools/check.sh [FOLDER]
#
# FOLDER holds one game (examples/two-players unless named). SEALED names the program.

set -u
LC_ALL=C
export LC_ALL

root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd) || exit 3
folder=${1:-$root/examples/two-players}
sealed=${SEALED:-sealed}
game=
for game in "$folder"/*.game.toml; do break; done
[ -f "$game" ] || { echo "no *.game.toml in $folder" >&2; exit 3; }

work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
# Nobody's own identity takes part in this.
export HOME="$work" XDG_CONFIG_HOME="$work" XDG_STATE_HOME="$work"

passed=0
failed=0
ok() { passed=$((passed + 1)); echo "ok      $1"; }
no() { failed=$((failed + 1)); echo "FAILED  $1"; }
same() { if [ -n "$2" ] && [ "$2" = "$3" ]; then ok "$1"; else no "$1: \"$2\" is not \"$3\""; fi; }

# The bytes that hex digits stand for: as octal escapes, which every printf knows.
bytes() {
    # shellcheck disable=SC2046,SC2059
    printf "$(printf '\\%03o' $(printf %s "$1" | sed 's/../ 0x&/g'))"
}
digest_of() { sha256sum "$1" | cut -d ' ' -f 1; }
# The value of a key in the table [position].
in_position() { sed -n '/^\[position\]$/,/^\[/s/^'"$1"' = "*\([^"]*\)"*$/\1/p' "$game"; }

"$sealed" preimage --list "$game" > "$work/list" || exit 1
# One line an order, in the order of the file: after step seat check r s
awk '
    function value() { sub(/^[a-z]+ = /, ""); gsub(/"/, ""); return $0 }
    /^\[/ { part = $0 }
    part == "[[order]]" && /^after = / { after = value() }
    part == "[[order]]" && /^step = / { step = value() }
    part == "[[order]]" && /^seat = / { seat = value() }
    part == "[order.signature]" && /^check = / { check = value() }
    part == "[order.signature]" && /^r = / { r = value() }
    part == "[order.signature]" && /^s = / { print after, step, seat, check, r, value() }
' "$game" > "$work/orders"
grep '  order of ' "$work/list" | cut -d ' ' -f 1 > "$work/digests"
same "the file has as many orders as the list" "$(wc -l < "$work/orders")" "$(wc -l < "$work/digests")"

# The game id.
id=$(sed -n 's/  game$//p' "$work/list")
"$sealed" preimage "$game" "$id" > "$work/header"
same "game id: sha256 of the header" "$(digest_of "$work/header")" "$id"
same "game id: it is the one of [position]" "$id" "$(in_position id)"

# Public keys, as files for openssl: a fixed head (RFC 8410) and the 32 bytes of the header.
awk '
    /^\[/ { part = $0 }
    part == "[[game.seats]]" && /^seat = / { gsub(/"/, ""); seat = $3 }
    part == "[[game.seats]]" && /^key = / { gsub(/"/, ""); print seat, $3 }
    part == "[game.arbiter]" && /^key = / { gsub(/"/, ""); print "arbiter", $3 }
' "$game" > "$work/keys"
while read -r seat key; do
    grep -q "$key" "$work/header" || no "the key of $seat is not in the header that was hashed"
    { printf '\060\052\060\005\006\003\053\145\160\003\041\000'; bytes "$key"; } > "$work/$seat.der"
done < "$work/keys"

# Orders: digest, what they answer, check digits, signature. Steps: the head that they make.
after_before=
digests=
step_before=
close() {
    printf 'sealed-orders/1 step\n{"after":"%s","orders":[%s]}' "$after_before" "$digests" > "$work/step"
    same "head after step $step_before" "$(digest_of "$work/step")" "$1"
}
exec 3< "$work/digests"
while read -r after step seat check r s; do
    read -r digest <&3
    what="order of $seat in step $step"
    "$sealed" preimage "$game" "$digest" > "$work/order"
    same "$what: digest" "$(digest_of "$work/order")" "$digest"
    if grep -q "\"after\":\"$after\"" "$work/order" && grep -q "\"seat\":\"$seat\",\"step\":$step," "$work/order"
    then ok "$what: seat, step and head are those of the file"
    else no "$what: seat, step or head are not those of the file"
    fi
    case $digest in
    "$check"*) ok "$what: check digits" ;;
    *) no "$what: check digits" ;;
    esac
    bytes "$r$s" > "$work/signature"
    if openssl pkeyutl -verify -rawin -pubin -keyform DER -inkey "$work/$seat.der" \
        -in "$work/order" -sigfile "$work/signature" > "$work/said" 2>&1
    then ok "$what: signature"
    else no "$what: signature: $(cat "$work/said")"
    fi
    if [ -n "$after_before" ] && [ "$after" != "$after_before" ]; then
        close "$after"
        digests=
    elif [ -z "$after_before" ]; then
        same "step 0 answers the game id" "$after" "$id"
    fi
    after_before=$after
    step_before=$step
    digests="$digests${digests:+,}\"$digest\""
done < "$work/orders"
exec 3<&-
close "$(in_position head)"

# Commitments that were opened: each stands in the file, and in the order that made it.
grep '  commitment of ' "$work/list" > "$work/commitments"
while read -r digest what; do
    "$sealed" preimage "$game" "$digest" > "$work/promise"
    same "$what: opens to what was sealed" "$(digest_of "$work/promise")" "$digest"
    if grep -q "= \"$digest\"\$" "$game"
    then ok "$what: stands in the file"
    else no "$what: stands nowhere in the file"
    fi
    # The salt of a shield or fleet, or the nonce itself.
    secret=$(sed -n 's/.*"salt":"\([0-9a-f]*\)".*/\1/p;s/.*"nonce":"\([0-9a-f]*\)".*/\1/p' "$work/promise")
    if grep -q -e "salt = \"$secret\"" -e "nonce = \"$secret\"" "$game"
    then ok "$what: an order of the file opens it"
    else no "$what: no order of the file opens it"
    fi
done < "$work/commitments"

# The die for the first player.
label=$(grep '  die "first"' "$work/list")
if [ -n "$label" ]; then
    key=${label%% *}
    "$sealed" preimage "$game" "$key" > "$work/roll"
    same "die first: its key" "$(digest_of "$work/roll")" "$key"
    nonces=$(sed -n '/^\[order.deploy.dice\]$/,/^$/s/^nonce = "\(.*\)"$/\1/p' "$game")
    sides=0
    for nonce in $nonces; do
        sides=$((sides + 1))
        if grep -q "$nonce" "$work/roll"
        then ok "die first: nonce $sides of the file is in it"
        else no "die first: nonce $sides of the file is not in it"
        fi
    done
    # Words of the keystream at or above a multiple of the sides would favour low numbers.
    limit=$((4294967296 / sides * sides))
    value=
    for word in $(head -c 1024 /dev/zero |
        openssl enc -chacha20 -K "$key" -iv 00000000000000000000000000000000 |
        od -An -v -tu4 --endian=little)
    do
        if [ "$word" -lt "$limit" ]; then
            value=$((word % sides + 1))
            break
        fi
    done
    told=$("$sealed" show --json "$game" | sed -n 's/.*(1 to \([0-9]*\)) shows \([0-9]*\):.*/\2 of \1/p')
    same "die first: the value that sealed shows" "$told" "$value of $sides"
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
