"""A bundle in the hands of a cheat: game.toml taken apart, changed, signed anew, and every other file rebuilt.

The cheat is as strong as can be: it has the keys of all players, and it makes preimages, keys, signatures,
openings, dice and lists anew with `verify.sh` itself, so that no list and no file betrays it.
"""

import copy
import hashlib
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "independent"))

import crypto  # noqa: E402

VERIFY = (ROOT / "src" / "report" / "bundle" / "verify.sh").read_text()
MADE_FOLDERS = ["keys", "orders", "openings", "dice", "lists"]
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ|([a-z0-9_-]+) = |\{ | \}|, |.')


def to_json(text):
    """The JSON that a line of game.toml stands for; keys stay in the order in which they stand."""

    def one(token):
        if token[1]:
            return f'"{token[1]}":'
        if re.fullmatch(r"\d{4}-.*Z", token[0]):
            return f'"{token[0]}"'
        return token[0] if token[0].startswith('"') else token[0].strip()

    return "".join(one(token) for token in TOKEN.finditer(text))


def hash_of(tag, body):
    return hashlib.sha256(f"sealed-orders/1 {tag}\n{body}".encode()).hexdigest()


class Part:
    """A heading and its lines. `keep` names what is not put right again, since it is the forgery."""

    def __init__(self, heading):
        self.heading = heading
        self.lines = []
        self.keep = set()
        self.group = None  # of an order: the step that it belongs to
        self.forge = None  # of an order: makes r and s of the message, as another would not

    def get(self, key):
        return next(value for name, value in self.lines if name == key)

    def put(self, key, value):
        """Changes a line, or adds it at its place."""
        for line in self.lines:
            if line[0] == key:
                line[1] = value
                return
        self.lines.append([key, value])
        self.lines.sort(key=lambda line: (line[0] == "signature", line[0]))

    def drop(self, key):
        self.lines = [line for line in self.lines if line[0] != key]

    def action(self):
        envelope = {"after", "draw", "game", "press", "seat", "step", "time", "signature"}
        return next(line for line in self.lines if line[0] not in envelope)

    def swap(self, old, new):
        """Replaces a text in the action, where it stands once at least."""
        line = self.action()
        assert old in line[1], f"{old} is not in {line}"
        line[1] = line[1].replace(old, new, 1)

    def body(self):
        return ",".join(f'"{key}":{to_json(value)}' for key, value in self.lines if key != "signature")

    def seat(self):
        return self.get("seat").strip('"')


class Game:
    def __init__(self, text):
        self.parts = []
        for line in text.splitlines():
            if line.startswith("["):
                self.parts.append(Part(line))
            elif line:
                key, value = line.split(" = ", 1)
                self.parts[-1].lines.append([key, value])
        for order in self.orders():
            order.group = int(order.get("step"))

    def copy(self):
        return copy.deepcopy(self)

    def find(self, heading):
        return [part for part in self.parts if part.heading == heading]

    def orders(self):
        return self.find("[[order]]")

    def order(self, seat, step=None, action=None):
        """The first order of a seat, in a step, with an action."""
        return next(
            order
            for order in self.orders()
            if order.seat() == seat
            and step in (None, order.group)
            and action in (None, order.action()[0])
        )

    def header(self):
        return self.find("[game]")[0]

    def position(self):
        return self.find("[position]")[0]

    def text(self):
        blocks = ["\n".join([part.heading] + [f"{key} = {value}" for key, value in part.lines]) for part in self.parts]
        return "\n\n".join(blocks) + "\n"

    def id(self):
        seats = ",".join("{" + seat.body() + "}" for seat in self.find("[[game.seats]]"))
        return hash_of("game", "{" + self.header().body() + f',"seats":[{seats}]' + "}")

    def cut(self, steps):
        """Only so many steps, as if no more had been played."""
        self.parts = [part for part in self.parts if part.group is None or part.group < steps]
        self.position().put("phase", '"move"')

    def chain(self, keys=None, steps=None):
        """Puts the chain right: with keys every order is signed anew, without them none is; the position anew."""
        head, closed, orders = self.id(), 0, self.orders()
        self.settle(self.position(), "id", f'"{head}"')
        while orders:
            run = [order for order in orders if order.group == orders[0].group]
            orders = orders[len(run) :]
            digests = []
            for order in run:
                if keys is not None:
                    self.settle(order, "after", f'"{head}"')
                    self.settle(order, "game", f'"{self.id()}"')
                    self.settle(order, "step", str(closed))
                    self.sign(order, keys)
                digests.append(hash_of("order", "{" + order.body() + "}"))
            listed = ",".join(f'"{digest}"' for digest in digests)
            head, closed = hash_of("step", f'{{"after":"{head}","orders":[{listed}]}}'), closed + 1
        self.settle(self.position(), "head", f'"{head}"')
        self.settle(self.position(), "step", str(closed if steps is None else steps))

    @staticmethod
    def settle(part, key, value):
        if key not in part.keep and any(line[0] == key for line in part.lines):
            part.put(key, value)

    @staticmethod
    def sign(order, keys):
        if "signature" in order.keep:
            return
        message = ("sealed-orders/1 order\n{" + order.body() + "}").encode()
        if order.forge:
            r, s = order.forge(message)
        else:
            both = crypto.sign(keys[order.seat()], message)
            r, s = both[:32], both[32:]
        check = hashlib.sha256(message).hexdigest()[:8]
        order.put("signature", f'{{ check = "{check}", r = "{r.hex()}", s = "{s.hex()}" }}')


def cheats_script(verify=VERIFY):
    """`verify.sh` as a cheat uses it: nothing stops it, and what it made replaces what the folder holds."""
    script = verify.replace("    printf 'BAD: %s, %s: %s\\n' \"$1\" \"$2\" \"$3\"\n    exit 1\n", "    return 0\n", 1)
    assert script != verify, "verify.sh says BAD in another way than forge.py knows"
    before, found, after = script.partition("for path in * .[!.]*")
    _, and_found, listing = after.partition("paths=$(")
    assert found and and_found, "verify.sh compares files in another way than forge.py knows"
    return f'{before}cp -R "$made/." .\npaths=$({listing}cat "$made/lists/files.txt" > lists/files.txt\n'


def list_files(folder):
    """lists/files.txt of what is there."""
    lines = []
    for path in sorted(folder.rglob("*"), key=lambda path: path.relative_to(folder).as_posix().encode()):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not path.is_symlink() and name != "lists/files.txt":
            lines.append(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {name}\n")
    (folder / "lists" / "files.txt").write_text("".join(lines))


def rebuild(folder, game, crude=False, verify=VERIFY):
    """Writes game.toml, and makes every file that follows from it anew, whatever is wrong with it.

    With `crude` the other files may stay as they are: the forgery is so coarse that nothing follows from it.
    """
    (folder / "game.toml").write_bytes(game if isinstance(game, bytes) else game.text().encode())
    if crude:
        list_files(folder)
        return
    for name in MADE_FOLDERS:
        shutil.rmtree(folder / name, ignore_errors=True)
    script = folder / "cheat.sh"
    script.write_text(cheats_script(verify))
    done = subprocess.run(["sh", script], capture_output=True, text=True, check=False)
    script.unlink()
    assert done.returncode == 0, f"the cheat's own tools fail: {done.stdout}{done.stderr}"
    for name in MADE_FOLDERS:
        if (folder / name).is_dir() and not any((folder / name).iterdir()):
            (folder / name).rmdir()


def private_key(path):
    """The seed in a PKCS#8 PEM of an example."""
    import base64

    return base64.b64decode("".join(path.read_text().splitlines()[1:-1]))[-32:]


def secret_number(seed):
    return int.from_bytes(hashlib.sha512(seed).digest()[:32], "little") & (2**254 - 8) | 2**254


def challenge(r, key, message):
    return int.from_bytes(hashlib.sha512(r + key + message).digest(), "little") % crypto.L


def number_32(number):
    return number.to_bytes(32, "little")


def base_multiple(number):
    return crypto.encode(crypto.add_multiple(crypto.IDENTITY, number, crypto.BASE_MULTIPLES))


def forge_for_small_key(key, order):
    """Signs for a key of small order without knowing any secret. [S]B = R + [k]A holds whenever [k]A is nothing."""

    def forge(message):
        for s in range(1, 4000):
            r = base_multiple(s)
            if challenge(r, key, message) % order == 0:
                return r, number_32(s)
        raise AssertionError("no luck in 4000 trials")

    return forge


def forge_with_small_r(seed, r=number_32(1)):
    """The key's owner signs with R = nothing: S = k a. Naive programs take it."""

    def forge(message):
        k = challenge(r, crypto.public_key(seed), message)
        return r, number_32(k * secret_number(seed) % crypto.L)

    return forge
