#!/bin/sh
# Checks the game in this folder with tools that everybody has: a POSIX shell, the coreutils
# and openssl 3. Nothing of the program that wrote the folder is used.
#
#     sh verify.sh [GAME-ID]
#
# It ends with GOOD (0), with BAD at the first thing that is wrong (1), or with CANNOT CHECK,
# if a tool is missing (2). README.txt says what GOOD means, and what it does not mean.
#
# How it works: everything is made anew from game.toml alone, in a folder of its own: the
# bytes that were hashed and signed, the keys, the signatures, the openings, the dice, the
# lists. Along the way each value is held against what the protocol asks of it. In the end the
# files made anew are compared with those of this folder. So no list of this folder is
# believed: a list that was made to fit a forgery fits, and the forgery is found all the same.
#
# The numbers in brackets are sections of the protocol (docs/PROTOCOL.md of the program).

# shellcheck disable=SC2154 # what stands once for each seat is set by eval

set -u
LC_ALL=C
export LC_ALL
# shellcheck disable=SC2034 # the words of a line are told apart as usual
IFS=' 	
'
NL='
'

bad() { # what where why
    printf 'BAD: %s, %s: %s\n' "$1" "$2" "$3"
    exit 1
}
cannot() {
    printf 'CANNOT CHECK: %s\n' "$1"
    exit 2
}

# ---------------------------------------------------------------------------------------
# Tools.

for tool in base64 cat cmp cut dirname head mkdir mktemp od openssl rm sha256sum sort tail tr; do
    command -v "$tool" >/dev/null 2>&1 || cannot "the program $tool is missing"
done
asked=${1-}
cd -- "$(dirname -- "$0")" || cannot "this folder cannot be entered"
work=$(mktemp -d) || cannot "there is no room for temporary files"
trap 'rm -rf "$work"' EXIT
trap 'exit 2' HUP INT TERM
made=$work/made
mkdir "$made" "$made/keys" "$made/orders" "$made/openings" "$made/dice" "$made/lists" ||
    cannot "there is no room for temporary files"
[ -f game.toml ] || bad "missing file" game.toml "it is not in this folder"

# Prints the bytes that hex digits stand for.
bytes() {
    hex=$1 escapes=
    while [ -n "$hex" ]; do
        pair=${hex%"${hex#??}"}
        hex=${hex#??}
        byte=$((0x$pair))
        escapes="$escapes\\$((byte / 64))$((byte / 8 % 8))$((byte % 8))"
    done
    # shellcheck disable=SC2059 # the escapes are the format
    printf "$escapes"
}
hash_of() { # file; sets digest
    digest=$(sha256sum < "$1")
    digest=${digest%% *}
}
pem_of() { # key; an Ed25519 key for openssl: twelve fixed bytes (RFC 8410), then the key
    printf '%s\n' '-----BEGIN PUBLIC KEY-----'
    bytes "302a300506032b6570032100$1" | base64
    printf '%s\n' '-----END PUBLIC KEY-----'
}
signed_by() { # pem message signature
    openssl pkeyutl -verify -rawin -pubin -inkey "$1" -in "$2" -sigfile "$3" >/dev/null 2>&1
}

# Do the tools do what they should? A hash, and the second signature of RFC 8032, section 7.1.
printf abc > "$work/abc"
hash_of "$work/abc"
[ "$digest" = ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad ] ||
    cannot "sha256sum gives a wrong digest"
pem_of 3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c > "$work/pem"
bytes 92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00 > "$work/sig"
printf r > "$work/message"
signed_by "$work/pem" "$work/message" "$work/sig" ||
    cannot "this openssl does not verify Ed25519 signatures; version 3 does"
if signed_by "$work/pem" "$work/abc" "$work/sig"; then
    cannot "this openssl takes a wrong signature for a good one"
fi

# ---------------------------------------------------------------------------------------
# Words and numbers.

is_hex() { # text length
    case $1 in *[!0-9a-f]*) return 1 ;; esac
    [ ${#1} -eq "$2" ]
}
before() { # text text: whether the first sorts before the second
    # shellcheck disable=SC3012 # POSIX since 2024, and in every shell long before
    [ "$1" \< "$2" ]
}
pad() { # number width; sets padded
    padded=$1
    while [ ${#padded} -lt "$2" ]; do padded=0$padded; done
}
FFFF=ffffffffffffffffffffffffffffff # thirty
# A point is written as y, little-endian, with the sign of x in the topmost bit [3.1]. It is
# canonical if y < p = 2^255 - 19.
is_canonical() {
    case $1 in
    e[def]"$FFFF$FFFF"[7f]f | f?"$FFFF$FFFF"[7f]f) return 1 ;;
    esac
}
# The eight points of small order, in each way in which they can be written [3.1]. For such a
# key, or with such an R, anybody or the signer can make one signature fit many messages.
is_small() {
    case $1 in
    0100000000000000000000000000000000000000000000000000000000000000) ;; # order 1
    0100000000000000000000000000000000000000000000000000000000000080) ;;
    eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f) ;;
    eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff) ;;
    ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f) ;; # order 2
    ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff) ;;
    0000000000000000000000000000000000000000000000000000000000000000) ;; # order 4
    0000000000000000000000000000000000000000000000000000000000000080) ;;
    edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f) ;;
    edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff) ;;
    26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05) ;; # order 8
    26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85) ;;
    c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a) ;;
    c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa) ;;
    *) return 1 ;;
    esac
}
# S, little-endian, is less than the order of the group [6].
is_below_order() {
    hex=$1 turned=
    while [ -n "$hex" ]; do
        pair=${hex%"${hex#??}"}
        hex=${hex#??}
        turned=$pair$turned
    done
    before "$turned" 1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed
}

# ---------------------------------------------------------------------------------------
# The lines of game.toml. Each value is written in one way only; anything else is refused, so
# that no other reader can read another game in them.

# value KEY TEXT: makes canonical JSON of a TOML value: `json`. Appends to `flat` a line for
# each text, number, truth and time in it, as in `.move.secondary.colour="grey"` or
# `.fire#0.at="013a"`; texts and only texts have quotes. `members` are the keys of the table
# that the value is, if it is one.
value() {
    at=.$1 rest=$2 json='' members=''
    while :; do
        case $rest in
        '"'*)
            json_string || return 1
            flat="$flat$at=$string$NL" json=$json$string
            ;;
        '{}'*) rest=${rest#??} json="$json{}" ;;
        '[]'*) rest=${rest#??} json="${json}[]" ;;
        '{ '*)
            rest=${rest#??} json="$json{" at=$at.
            json_key || return 1
            continue
            ;;
        '['*)
            rest=${rest#?} json="${json}[" at=$at#0
            continue
            ;;
        *)
            word=${rest%%[!0-9a-zA-Z:-]*}
            rest=${rest#"$word"} quoted=$word
            case $word in
            true | false | 0) ;;
            [0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]Z) quoted="\"$word\"" ;;
            '' | 0* | *[!0-9]*) return 1 ;;
            *) if [ ${#word} -gt 16 ] || [ "$word" -gt 9007199254740991 ]; then return 1; fi ;;
            esac
            flat="$flat$at=$word$NL" json=$json$quoted
            ;;
        esac
        # A value has ended. What follows, in the table or list that it stands in?
        while :; do
            inner=${at##*[.#]}
            case ${at%"$inner"} in
            .)
                [ -z "$rest" ]
                return
                ;;
            *.)
                case $rest in
                ', '*)
                    rest=${rest#??} json="$json,"
                    json_key || return 1
                    continue 2
                    ;;
                ' }'*) rest=${rest#??} json="$json}" at=${at%.*} ;;
                *) return 1 ;;
                esac
                ;;
            *)
                case $rest in
                ', '*)
                    rest=${rest#??} json="$json," at=${at%"$inner"}$((inner + 1))
                    continue 2
                    ;;
                ']'*) rest=${rest#?} json="${json}]" at=${at%#*} ;;
                *) return 1 ;;
                esac
                ;;
            esac
        done
    done
}
json_key() { # takes `key = `; keys ascend
    key=${rest%%[!a-z0-9_-]*}
    [ -n "$key" ] || return 1
    before "${at##*.}" "$key" || return 1
    case $rest in "$key = "*) ;; *) return 1 ;; esac
    rest=${rest#"$key = "} json="$json\"$key\":" at=${at%.*}.$key
    case ${at#.*.} in *[.#]*) ;; *) members="$members $key" ;; esac
}
json_string() { # takes a text in quotes, where only a quote and a backslash are escaped
    rest=${rest#?} string='"'
    while :; do
        piece=${rest%%[\"\\]*}
        [ "$piece" != "$rest" ] || return 1
        string=$string$piece rest=${rest#"$piece"}
        # shellcheck disable=SC1003 # two backslashes are meant
        case $rest in
        '"'*)
            string=$string'"' rest=${rest#?}
            return 0
            ;;
        '\"'*) string=$string'\"' rest=${rest#??} ;;
        '\\'*) string=$string'\\' rest=${rest#??} ;;
        *) return 1 ;;
        esac
    done
}
# text PATH: the text at a path of what was read: `text`, without its quotes.
text() {
    text=
    case $flat in
    *"$NL$1=\""*) ;;
    *) return 1 ;;
    esac
    text=${flat#*"$NL$1=\""}
    text=${text%%"\"$NL"*}
}
# Whether anything at all stands at a path or below it.
holds() {
    case $flat in *"$NL$1"[.#=]*) ;; *) return 1 ;; esac
}
# plain PATH: the number, truth or time at a path: `text`.
plain() {
    text=
    case $flat in
    *"$NL$1="[!\"]*) ;;
    *) return 1 ;;
    esac
    text=${flat#*"$NL$1="}
    text=${text%%"$NL"*}
}

# ---------------------------------------------------------------------------------------
# The files that belong here. `expected` grows with each that is made.

expected="${NL}README.txt${NL}game.toml${NL}header.json${NL}story.txt${NL}verify.sh$NL"
expect() { expected="$expected$1$NL"; }

# ---------------------------------------------------------------------------------------
# The header [3].

seats=0 # their number; seat_1, key_1 and so on are their names and keys
place_of() { # name of a seat; sets place, 0 for the arbiter
    place=0
    [ "$1" = arbiter ] && return 0
    while [ "$place" -lt "$seats" ]; do
        place=$((place + 1))
        eval "[ \"\$1\" = \"\$seat_$place\" ]" && return 0
    done
    return 1
}
key_of_header() { # name key: checks it and makes its file
    is_hex "$2" 64 || bad "spelling" "the key of $1" "it is not 64 hex digits"
    case $keys in *" $2 "*) bad "same key" "the key of $1" "another in this game has it too" ;; esac
    keys="$keys$2 "
    is_canonical "$2" || bad "key not canonical" "the key of $1" "its y is not less than 2^255 - 19"
    if is_small "$2"; then bad "key of small order" "the key of $1" "anybody can sign for it"; fi
    pem_of "$2" > "$made/keys/$1.pem"
    expect "keys/$1.pem"
}
end_of_game() { # the part [game], but for the seats
    text .format || :
    [ "$text" = sealed-orders/1 ] || cannot "the format is ${text:-not named}, which this script does not know"
    text .rules || :
    rules=$text
    case $rules in
    shield-bashers/1 | tresurion/1) ;;
    *) cannot "the rules are ${rules:-not named}, which this script does not know" ;;
    esac
    text .options.first || :
    first=$text
    header=$body arbiter=no keys=' '
    if text .arbiter.key; then
        arbiter=yes
        key_of_header arbiter "$text"
    fi
}
end_of_seat() {
    text .seat || :
    case $text in
    '' | [!a-z]* | *[!a-z0-9-]* | arbiter | roll | ?????????????????*)
        bad "seat name" "the header" "\"$text\" is no name of a seat" ;;
    esac
    if place_of "$text"; then bad "same seat" "the header" "two seats are named $text"; fi
    name=$text
    text .key || :
    key_of_header "$name" "$text"
    seats=$((seats + 1))
    eval "seat_$seats=\$name key_$seats=\$text seal_$seats= share_$seats= sealed_in_$seats= shares_$seats=0"
    listed="$listed${listed:+,}{$body}"
}
end_of_header() {
    [ "$seats" -ge 2 ] || bad "seats" "the header" "there are less than two"
    printf 'sealed-orders/1 game\n{%s,"seats":[%s]}' "$header" "$listed" > "$made/header.json"
    hash_of "$made/header.json"
    id=$digest head=$digest
    if [ -n "$asked" ] && [ "$asked" != "$id" ]; then
        bad "another game" "the header" "its digest is $id, and you asked for $asked"
    fi
}

# ---------------------------------------------------------------------------------------
# Openings [9]. `sealed` has a line for each shield that is sealed: seat layer ship digest.

sealed=$NL
opens() { # name of the opening, name of the order that sealed: keeps the file $work/opening
    cat "$work/opening" > "$made/openings/$1.json"
    expect "openings/$1.json"
    opened="$opened$digest  $1  sealed in $2$NL"
    openings=$((openings + 1))
}
opened='' openings=0
shield() { # path of the opening, layer, ship or ships that it can be of
    holds "$1" || return 0
    text "$1.colour" || :
    colour=$text
    text "$1.salt" || :
    for ship in $3; do
        printf 'sealed-orders/1 shield\n{"colour":"%s","game":"%s","layer":"%s","salt":"%s","seat":"%s","ship":"%s"}' \
            "$colour" "$id" "$2" "$text" "$seat" "$ship" > "$work/opening"
        hash_of "$work/opening"
        wanted="$place $2 $ship $digest"
        case $sealed in
        *"$NL$wanted$NL"*)
            sealed="${sealed%%"$NL$wanted$NL"*}$NL${sealed#*"$NL$wanted$NL"}"
            pad 1 3
            opens "$seat.$2-$ship" "$padded-$seat"
            return 0
            ;;
        esac
    done
    bad "shield" "$where" "what it opens (${1#.*.}) is not what $seat sealed"
}
share() { # path of `dice`: opens the newest share of the seat, takes the next
    text "$1.nonce" || :
    nonce=$text
    text "$1.next" || :
    eval "nth=\$shares_$place sealed_share=\$share_$place sealed_in=\$sealed_in_$place"
    printf 'sealed-orders/1 nonce\n{"game":"%s","index":%s,"nonce":"%s","seat":"%s"}' \
        "$id" "$nth" "$nonce" "$seat" > "$work/opening"
    hash_of "$work/opening"
    [ "$digest" = "$sealed_share" ] ||
        bad "share of the dice" "$where" "the nonce is not the one that $seat sealed"
    is_hex "$text" 64 || bad "spelling" "$where" "the next share of the dice is not 64 hex digits"
    if counts; then opens "$seat.nonce-$nth" "$sealed_in"; fi
    eval "shares_$place=$((nth + 1)) share_$place=\$text sealed_in_$place=\$name"
}
# What an order opens counts when its step closes, an audit at once [7]. Only fleets can be
# opened in a step that stays open.
counts() { [ "$step" != 1 ] || [ "$claimed_step" -gt 1 ]; }
deploy() {
    text .deploy.dice.next || :
    next=$text
    text .deploy.dice.nonce || :
    before_fleet="{\"dice\":{\"next\":\"$next\",\"nonce\":\"$text\"},\"fleet\":"
    text .deploy.salt || :
    after_fleet=",\"salt\":\"$text\"}"
    fleet=${action_json#"$before_fleet"}
    fleet=${fleet%"$after_fleet"}
    [ "$action_members $before_fleet$fleet$after_fleet" = " dice fleet salt $action_json" ] ||
        bad "spelling" "$where" "a deploy is dice, fleet, salt, and nothing else"
    printf 'sealed-orders/1 fleet\n{"fleet":%s,"game":"%s","salt":"%s","seat":"%s"}' \
        "$fleet" "$id" "$text" "$seat" > "$work/opening"
    hash_of "$work/opening"
    eval "sealed_fleet=\$seal_$place"
    [ "$digest" = "$sealed_fleet" ] || bad "fleet" "$where" "it is not the one that $seat sealed"
    if counts; then opens "$seat.fleet" "000-$seat"; fi
    share .deploy.dice
    deployers=$((deployers + 1))
    nonces="$nonces\"$seat\":\"$nonce\"$NL"
    [ "$rules" = shield-bashers/1 ] || return 0
    for ship in cruiser destroyer frigate; do
        for layer in secondary tertiary; do
            text ".deploy.fleet.$ship.$layer" || :
            is_hex "$text" 64 || bad "spelling" "$where" "the $layer of its $ship is not 64 hex digits"
            sealed="$sealed$place $layer $ship $text$NL"
        done
    done
}
deployers=0 nonces=''
shields() { # all that an order of play opens
    ships='cruiser destroyer frigate'
    shield ".$action.secondary" secondary "$ships"
    shield ".$action.tertiary" tertiary "$ships"
    for list in lost shields; do
        count=0
        while holds ".$action.$list#$count"; do
            text ".$action.$list#$count.ship" || :
            ship=$text
            layer=tertiary
            if [ "$list" = shields ]; then
                text ".$action.$list#$count.layer" || :
                layer=$text
            fi
            shield ".$action.$list#$count" "$layer" "$ship"
            count=$((count + 1))
        done
    done
}

# ---------------------------------------------------------------------------------------
# Dice [10].

rolled='' dice=0 die_of_step=0 zeros=00000000000000000000000000000000
die() { # sides label; sets shows
    die_of_step=$((die_of_step + 1))
    dice=$((dice + 1))
    pad "$die_of_step" 2
    die_name=$padded
    pad "$step" 3
    die_name=$padded-$die_name
    printf 'sealed-orders/1 roll\n{"game":"%s","label":"%s","nonces":{%s}}' "$id" "$2" "$sorted_nonces" \
        > "$made/dice/$die_name.json"
    expect "dice/$die_name.json"
    hash_of "$made/dice/$die_name.json"
    # The key stream in words of four bytes, the smallest first; words that would favour low
    # numbers are passed over.
    shows=
    # shellcheck disable=SC2046 # the bytes as words
    set -- "$1" "$2" $(head -c 256 /dev/zero |
        openssl enc -chacha20 -K "$digest" -iv "$zeros" 2>/dev/null | od -An -v -tu1)
    sides=$1 label=$2
    shift 2
    while [ $# -ge 4 ]; do
        drawn=$(($1 + 256 * $2 + 65536 * $3 + 16777216 * $4))
        shift 4
        if [ "$drawn" -lt $((4294967296 / sides * sides)) ]; then
            shows=$((drawn % sides + 1))
            break
        fi
    done
    [ -n "$shows" ] || cannot "this openssl has no ChaCha20"
    rolled="$rolled$digest  $die_name  $shows of $sides  $label$NL"
}
sort_nonces() {
    sorted_nonces=$(printf %s "$nonces" | sort | tr '\n' ,)
    sorted_nonces=${sorted_nonces%,}
}
# Tresurion: turns, rounds, shots [19.5].
turn=0 rounds=0 fire=''
initiative() {
    turn=$((turn + 1)) rounds=0 try=0
    while :; do
        try=$((try + 1))
        die 20 "initiative $turn $seat_1 $try"
        one=$shows
        die 20 "initiative $turn $seat_2 $try"
        [ "$one" = "$shows" ] || break
    done
}
shots() { # rolls for the shots of the round that this roll answers
    while [ -n "$fire" ]; do
        shot=${fire%%"$NL"*}
        fire=${fire#*"$NL"}
        die 20 "attack $turn $shot"
        # The rate of the target is ten less the digits of its class.
        class=${shot##*/}
        case $class in [0-3][0-3][0-3]?*) ;; *) class=0000 ;; esac
        digits=${class%"${class#???}"}
        others=${digits#?}
        rate=$((10 - ${digits%??} - ${others%?} - ${others#?}))
        if [ "$shows" -eq 20 ] || { [ "$shows" -gt 1 ] && [ $((shows - rate)) -ge 10 ]; }; then
            die 10 "damage $turn $shot"
        fi
    done
}
dice_of_step() { # what is rolled when the step closes
    die_of_step=0
    case $rules:$step in
    shield-bashers/1:1)
        if [ "$first" != roll ] || [ "$deployers" -lt 2 ]; then return 0; fi
        sort_nonces
        die "$deployers" first
        ;;
    tresurion/1:1)
        [ "$deployers" -eq 2 ] || return 0
        sort_nonces
        initiative
        ;;
    tresurion/1:*)
        [ "$last_action" = roll ] || return 0
        sort_nonces
        shots
        # After the second round the next turn is drawn for, unless the game ended here.
        [ "$rounds" -eq 2 ] || return 0
        [ "$claimed_phase" = over ] && [ "$claimed_step" -eq $((step + 1)) ] && return 0
        initiative
        ;;
    esac
}
round() { # keeps what the roll that answers will be rolled for, and from
    rounds=$((rounds + 1)) fire='' count=0
    nonces="\"$seat\":\"$nonce\"$NL"
    eval "other=\$seat_$((3 - place))"
    while holds ".round.fire#$count"; do
        text ".round.fire#$count.at" || :
        target=$text
        text ".round.fire#$count.ship" || :
        fire="$fire$seat/$text $other/$target$NL"
        count=$((count + 1))
    done
}

# ---------------------------------------------------------------------------------------
# Steps [7]. A step is complete when all that it awaits is in; then it makes the next head.

step=0 steps='' entries=0 orders=0 digests='' last_place=-1 forfeited=' ' audit=no ruling=no
is_complete() {
    [ "$entries" -gt 0 ] || return 1
    [ "$ruling" = no ] || return 0
    case $step in
    0 | 1)
        [ "$entries" -eq "$seats" ]
        return
        ;;
    esac
    [ "$claimed_phase" = audit ] && [ "$claimed_step" -eq "$step" ] && audit=yes
    [ "$audit" = yes ] || return 0
    # Each seat that has something sealed is awaited, unless the arbiter struck it out.
    left=$sealed
    while [ -n "${left#"$NL"}" ]; do
        left=${left#"$NL"}
        case $forfeited in *" ${left%% *} "*) ;; *) return 1 ;; esac
        left=$NL${left#*"$NL"}
    done
}
close() {
    dice_of_step
    printf 'sealed-orders/1 step\n{"after":"%s","orders":[%s]}' "$head" "$digests" > "$work/step"
    hash_of "$work/step"
    head=$digest step=$((step + 1))
    steps="$steps  head   $head$NL"
    entries=0 digests='' last_place=-1 forfeited=' ' audit=no ruling=no
}

# ---------------------------------------------------------------------------------------
# Orders [5, 6]. An order is read into `body` (its canonical JSON without the signature).

end_of_order() {
    orders=$((orders + 1))
    text .seat || :
    seat=$text
    where="the order of ${seat:-nobody} at line $began"
    place_of "$seat" || bad "seat" "$where" "this game has no seat of that name"
    [ "$seat" != arbiter ] || [ "$arbiter" = yes ] || bad "seat" "$where" "this game has no arbiter"
    text .game || :
    [ "$text" = "$id" ] || bad "game" "$where" "it belongs to the game ${text:-without a name}"
    [ -n "$action" ] || bad "action" "$where" "it has none"
    case $place:$action in
    0:forfeit | 0:ruling) ;;
    0:* | *:forfeit | *:ruling) bad "action" "$where" "a $action is not for $seat" ;;
    esac

    # Its place in the chain.
    plain .step || :
    said=$text
    if [ "$said" != "$step" ] && is_complete; then close; fi
    [ "$said" = "$step" ] || bad "step" "$where" "it says step ${said:-none}, and $step is open"
    text .after || :
    [ "$text" = "$head" ] || bad "after" "$where" "it answers ${text:-nothing}, and the head is $head"
    pad "$step" 3
    name=$padded-$seat standing=$place
    case $action in
    forfeit)
        text .forfeit.seat || :
        if ! place_of "$text" || [ "$place" -eq 0 ]; then
            bad "forfeit" "$where" "it names no seat of this game"
        fi
        name=$name.$text standing=$place forfeited="$forfeited$place " place=0
        ;;
    ruling) standing=99 ruling=yes ;;
    audit) audit=yes ;;
    esac
    where="the order $name at line $began"
    [ "$standing" -gt "$last_place" ] ||
        bad "place" "$where" "within a step each seat has one entry, in the order of the header"
    last_place=$standing entries=$((entries + 1))
    if [ "$step" -gt 1 ] && [ "$entries" -gt 1 ] && [ "$audit" = no ]; then
        case $action in
        forfeit | ruling) audit=yes ;;
        *) bad "place" "$where" "this step has one order already" ;;
        esac
    fi

    # The bytes that were hashed and signed; the digest; the signature.
    printf 'sealed-orders/1 order\n{%s}' "$body" > "$made/orders/$name.json"
    hash_of "$made/orders/$name.json"
    order=$digest
    text .signature.r || :
    r=$text
    text .signature.s || :
    s=$text
    is_hex "$r$s" 128 || bad "spelling" "$where" "r and s are not 64 hex digits each"
    is_canonical "$r" || bad "signature not canonical" "$where" "the y of r is not less than 2^255 - 19"
    if is_small "$r"; then bad "signature of small order" "$where" "such an r fits many orders"; fi
    is_below_order "$s" || bad "signature too large" "$where" "s is not less than the order of the group"
    bytes "$r$s" > "$made/orders/$name.sig"
    signed_by "$made/keys/$seat.pem" "$made/orders/$name.json" "$made/orders/$name.sig" ||
        bad "signature" "$where" "the key of $seat did not sign these bytes"
    text .signature.check || :
    case $text:$order in
    ????????:"$text"*) ;;
    *) bad "check digits" "$where" "they are ${text:-missing}, and the digest is $order" ;;
    esac
    expect "orders/$name.json"
    expect "orders/$name.sig"
    [ "$entries" -gt 1 ] || steps="${steps}step $step$NL  after  $head$NL"
    steps="$steps  order  $order  $name$NL"
    digests="$digests${digests:+,}\"$order\""

    # What it seals and opens.
    last_action=$action
    case $action in
    seal)
        text .seal.fleet || :
        is_hex "$text" 64 || bad "spelling" "$where" "the sealed fleet is not 64 hex digits"
        eval "seal_$place=\$text sealed_in_$place=\$name"
        text .seal.dice || :
        is_hex "$text" 64 || bad "spelling" "$where" "the share of the dice is not 64 hex digits"
        eval "share_$place=\$text"
        ;;
    deploy) deploy ;;
    round)
        share .round.dice
        round
        ;;
    roll)
        share .roll.dice
        nonces="$nonces\"$seat\":\"$nonce\"$NL"
        ;;
    *) if [ "$place" -gt 0 ]; then shields; fi ;;
    esac
}

# ---------------------------------------------------------------------------------------
# The file, line by line.

if [ -n "$(tr -d '\n\040-\176\200-\377' < game.toml | od -An -v -tx1)" ] || [ -n "$(tail -c 1 game.toml)" ]; then
    bad "spelling" game.toml "it holds a control character, or its last line does not end"
fi
part=none listed='' claimed_id='' claimed_head='' claimed_step='' claimed_phase=''
end_of_part() {
    case $part in
    game) end_of_game ;;
    game.seats) end_of_seat ;;
    position)
        text .id || :
        claimed_id=$text
        text .head || :
        claimed_head=$text
        text .phase || :
        claimed_phase=$text
        plain .step || :
        claimed_step=$text
        case $claimed_step in '' | *[!0-9]*) bad "position" "[position]" "it names no step" ;; esac
        ;;
    order)
        [ "$signed" = yes ] || bad "signature" "the order at line $began" "there is none"
        end_of_order
        ;;
    esac
}
number=0
while IFS= read -r line <&3; do
    number=$((number + 1))
    case $line in
    '') continue ;;
    '['*)
        end_of_part
        case $part-$line in
        'none-[game]' | 'game-[[game.seats]]' | 'game.seats-[[game.seats]]') ;;
        'game.seats-[position]') end_of_header ;;
        'position-[[order]]' | 'order-[[order]]') ;;
        *) bad "spelling" "line $number of game.toml" "the heading $line does not belong here" ;;
        esac
        part=${line#[} part=${part#[} part=${part%]} part=${part%]}
        began=$number flat=$NL body='' last_key='' action='' signed=no
        continue
        ;;
    esac
    key=${line%%' = '*}
    case $part-$key in
    none-* | *- | *[!a-z0-9_.-]*) bad "spelling" "line $number of game.toml" "this is no line of a game" ;;
    esac
    member=$key
    value "$key" "${line#"$key = "}" ||
        bad "spelling" "line $number of game.toml" "the value is not spelt as here every value is"
    key=$member
    if [ "$part-$key-$signed" = order-signature-no ]; then
        signed=yes last_key='~'
        continue
    fi
    before "$last_key" "$key" || bad "spelling" "line $number of game.toml" "the key $key is not at its place"
    last_key=$key
    body="$body${body:+,}\"$key\":$json"
    case $part-$key in
    order-after | order-game | order-press | order-seat | order-step | order-time) ;;
    order-draw) [ "$json" = true ] || bad "spelling" "line $number of game.toml" "draw is true or not there" ;;
    order-*)
        [ -z "$action" ] || bad "action" "the order at line $began" "it has two, $action and $key"
        action=$key action_json=$json action_members=$members
        ;;
    esac
    case $part-$key in
    order-time | game-created)
        plain ".$key" || bad "spelling" "line $number of game.toml" "this is no time"
        ;;
    esac
done 3< game.toml
end_of_part
[ -n "$claimed_step" ] || bad "position" game.toml "there is no [position]"

# ---------------------------------------------------------------------------------------
# The position: only what the orders lead to without the rules.

if [ "$entries" -gt 0 ]; then
    if is_complete; then close; else steps="$steps  open$NL"; fi
fi
[ "$claimed_id" = "$id" ] || bad "position id" "[position]" "it is $claimed_id, and the header gives $id"
[ "$claimed_head" = "$head" ] || bad "position head" "[position]" "it is $claimed_head, and the orders lead to $head"
[ "$claimed_step" = "$step" ] || bad "position step" "[position]" "it is $claimed_step, and $step steps have closed"

# ---------------------------------------------------------------------------------------
# The files of this folder are those that were made, no more, no less, and say the same.

printf %s "$steps" > "$made/lists/steps.txt"
printf %s "$opened" | sort -k 2,2 > "$made/lists/openings.txt"
printf %s "$rolled" > "$made/lists/dice.txt"
for path in lists/steps.txt lists/openings.txt lists/dice.txt lists/files.txt; do expect "$path"; done

for path in * .[!.]* ..?* */* */.[!.]* */..?*; do
    if [ ! -e "$path" ] && [ ! -L "$path" ]; then continue; fi
    if [ -d "$path" ] && [ ! -L "$path" ]; then
        case $expected in *"$NL$path/"*) continue ;; esac
    fi
    case $expected in
    *"$NL$path$NL"*) ;;
    *) bad "extra file" "$path" "it does not belong to this game" ;;
    esac
    if [ ! -f "$path" ] || [ -L "$path" ]; then bad "extra file" "$path" "it is not a plain file"; fi
done
paths=$(printf %s "${expected#"$NL"}" | sort)
for path in $paths; do
    [ -f "$path" ] || bad "missing file" "$path" "the game needs it"
    [ -f "$made/$path" ] || continue
    cmp -s "$made/$path" "$path" || bad "other bytes" "$path" "game.toml gives other bytes for it"
done
hashed=
for path in $paths; do
    [ "$path" = lists/files.txt ] || hashed="$hashed $path"
done
# shellcheck disable=SC2086 # the paths as words
sha256sum $hashed > "$made/lists/files.txt"
cmp -s "$made/lists/files.txt" lists/files.txt ||
    bad "other bytes" lists/files.txt "the files of this folder have other digests"

printf 'GOOD: %s steps %s head %s (%s orders signed, %s openings as sealed, %s dice rolled again)\n' \
    "$id" "$step" "$head" "$orders" "$openings" "$dice"
