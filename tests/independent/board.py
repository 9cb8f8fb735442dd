"""Boards, steps and the combat table (shield-bashers.md, A.2, A.3, A.4 and A.6)."""

CORNERS = {
    "full": ("a1", "a8", "h8", "h1"),
    "half": ("a1", "d8"),
    "wedges3": ("a44", "b44", "c44"),
    "wedges5": ("a44", "b44", "c44", "d44", "e44"),
    "wedges6": ("a44", "b44", "c44", "d44", "e44", "f44"),
}


class Board:
    """`straight` and `diagonal` give for each square the set of its neighbours."""

    def __init__(self, name):
        self.corners = CORNERS[name]
        if name.startswith("wedges"):
            squares, straight, diagonal = wedge_pairs("abcdef"[: len(self.corners)])
        else:
            squares, straight, diagonal = rectangle_pairs("abcdefgh" if name == "full" else "abcd", "12345678")
        self.straight = {square: set() for square in squares}
        self.diagonal = {square: set() for square in squares}
        for pairs, neighbours in ((straight, self.straight), (diagonal, self.diagonal)):
            for one, other in pairs:
                neighbours[one].add(other)
                neighbours[other].add(one)

    def reach(self, ship, square):
        """The squares that a ship of this class reaches with one step."""
        if ship == "frigate":
            return self.straight[square]
        if ship == "destroyer":
            return self.diagonal[square]
        return self.straight[square] | self.diagonal[square]

    def corner_of(self, number, seats):
        return self.corners[number * len(self.corners) // seats]


def rectangle_pairs(files, ranks):
    squares = [file + rank for file in files for rank in ranks]
    straight, diagonal = [], []
    for one in squares:
        for other in squares:
            apart = (abs(ord(one[0]) - ord(other[0])), abs(ord(one[1]) - ord(other[1])))
            if apart in ((0, 1), (1, 0)):
                straight.append((one, other))
            elif apart == (1, 1):
                diagonal.append((one, other))
    return squares, straight, diagonal


def wedge_pairs(wedges):
    digits = range(1, 5)
    squares = [f"{z}{a}{b}" for z in wedges for a in digits for b in digits]
    straight, diagonal = [], []
    following = dict(zip(wedges, wedges[1:] + wedges[:1]))
    for z in wedges:
        for first in [(a, b) for a in digits for b in digits]:
            for second in [(a, b) for a in digits for b in digits]:
                apart = (abs(first[0] - second[0]), abs(first[1] - second[1]))
                pair = (f"{z}{first[0]}{first[1]}", f"{z}{second[0]}{second[1]}")
                if sum(apart) == 1:
                    straight.append(pair)
                elif apart == (1, 1):
                    diagonal.append(pair)
        for t in digits:
            straight.append((f"{z}1{t}", f"{following[z]}{t}1"))
            for other in (t - 1, t + 1):
                if other in digits:
                    diagonal.append((f"{z}1{t}", f"{following[z]}{other}1"))
        for y in wedges:
            if y != z and following[y] != z and following[z] != y:
                diagonal.append((f"{y}11", f"{z}11"))
    return squares, straight, diagonal


DARKNESS = {"white": 0, "grey": 1, "black": 2}


def attacker_wins(attacker_primary, attacker_secondary, defender_primary, defender_secondary):
    darker = DARKNESS[attacker_secondary] - DARKNESS[defender_secondary]
    if attacker_primary == "grey":
        return darker == 0
    if attacker_primary == "white":
        return darker > 0 if defender_primary == "white" else darker <= 0
    return darker < 0 if defender_primary == "black" else darker >= 0
