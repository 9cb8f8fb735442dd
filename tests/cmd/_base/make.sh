#!/bin/sh
# Makes the games that the cases begin with. Needs `sealed` on the PATH; run it in this folder,
# and then SEALED_UPDATE=1 cargo test --test cmd.
#
# Each is the beginning of a game of `sealed demo`, so anybody can make the same files again.
# Anna's identity lies in the home folder; the journals are what both signed until then.
set -eu

base() { # name seed steps [what is played: --set board=half]
    rm -rf "$1" whole
    # shellcheck disable=SC2086 # several words
    sealed demo whole --seed "$2" ${4:---set board=half} >/dev/null
    mkdir -p "$1/home/config/sealed-orders" "$1/home/state/sealed-orders" "$1/keys"
    sed '/^\[position\]/,$d' whole/demo.game.toml > "$1/demo.game.toml"
    ( cd "$1"
      for order in ../whole/out/*.order.toml; do
          number=$(sed -n 's/^step = //p' "$order")
          if [ "$number" -lt "$3" ]; then echo "$order"; fi
      done | HOME=/nowhere xargs sealed apply demo.game.toml --now 2027-01-01T00:00:00Z >/dev/null
      rm -r reports .*.lock )
    cp whole/keys/*.pem "$1/keys"
    cp whole/keys/red.example.pem "$1/home/config/sealed-orders/identity.pem"
    for seat in red blue; do
        key=$(sed -n 's/^key = "\(.*\)"/\1/p' "whole/$seat.card.toml")
        journal="$1/home/state/sealed-orders/$(echo "$key" | cut -c1-16).journal.toml"
        echo "key = \"$key\"" > "$journal"
        awk -v seat="seat = \"$seat\"" '
            /^\[\[order\]\]/ { if (mine) printf "\n%s", text; text = ""; mine = 0; inside = 1 }
            inside { text = text $0 "\n" }
            $0 == seat { mine = inside }
            END { if (mine) printf "\n%s", text }
        ' "$1/demo.game.toml" | cat -s >> "$journal"
        cp "whole/$seat.card.toml" "$1"
    done
    if [ -e whole/arbiter.card.toml ]; then cp whole/arbiter.card.toml "$1"; fi
    rm -rf whole
}

base start 3 0      # nothing is ordered yet
base sealed 3 1     # both fleets are sealed; they are to be opened
base attack 3 18    # red's cruiser can attack
base owing 3 21     # red owes the cruiser's tertiary
base defend 3 51    # red is to defend
base final 3 80     # red can declare the final battle
base audit 1 70     # the game is won by red, whose shields are to be opened
base over 3 999     # all is over
base tr-sealed 30 1 "--game tresurion" # Tresurion: both fleets are sealed
base tr-before 30 5 "--game tresurion" # blue is to give a round
base tr-round 30 9 "--game tresurion"  # red has rolled and is to give a round
base tr-start 30 0 "--game tresurion"  # nothing is ordered yet
base arb-start 3 0 "--set board=half --arbiter"  # with an arbiter: nothing is ordered yet
base arb-sealed 3 1 "--set board=half --arbiter" # with an arbiter: both fleets are sealed
base arb-play 3 18 "--set board=half --arbiter"  # with an arbiter: blue is to move
base arb-tr 30 9 "--game tresurion --arbiter"      # with an arbiter: a round is awaited
base arb-audit 3 86 "--set board=half --arbiter" # with an arbiter: red has won, and is to open its shields
