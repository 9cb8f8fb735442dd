"""Every way of tampering with a bundle that the check tries, and what verify.sh must say of it.

A tampering takes a `Game` (game.toml in parts), changes it, and has it signed anew where its cheat could. The
bundle is then rebuilt around it. Or it takes the folder itself (`FOLDERS`), when the forgery lies in a file.
`says` is how the line of verify.sh begins.
"""

import crypto
from forge import forge_for_small_key, forge_with_small_r, hash_of, list_files, number_32, to_json

GAMES = []
FOLDERS = []


def game(name, base, says, **more):
    def note(change):
        GAMES.append({"name": name, "base": base, "says": "BAD: " + says, "change": change, **more})
        return change

    return note


def folder(name, base, says, **more):
    def note(change):
        FOLDERS.append({"name": name, "base": base, "says": "BAD: " + says, "change": change, **more})
        return change

    return note


# ---------------------------------------------------------------------------------------------------------
# By somebody without keys: what was signed is changed, everything around it is made to fit.


@game("changed move", "midst", "signature, the order 012-red at line")
def _(g, keys):
    g.order("red", 12).swap("b2", "c3")
    g.chain()


@game("changed press", "midst", "signature, the order 008-red at line")
def _(g, keys):
    g.order("red", 8).put("press", '"Have mercy."')
    g.chain()


@game("added press", "midst", "signature, the order 005-blue at line")
def _(g, keys):
    g.order("blue", 5).put("press", '"I resign, \\"friend\\"."')
    g.chain()


@game("changed time", "midst", "signature, the order 005-blue at line")
def _(g, keys):
    g.order("blue", 5).put("time", "2026-12-24T18:00:00Z")
    g.chain()


@game("added offer of a draw", "midst", "signature, the order 005-blue at line")
def _(g, keys):
    g.order("blue", 5).put("draw", "true")
    g.chain()


@game("flipped bit of a signature", "midst", "signature, the order 003-blue at line")
def _(g, keys):
    order = g.order("blue", 3)
    text = order.get("signature")
    place = text.index('r = "') + 8
    order.put("signature", text[:place] + format(int(text[place], 16) ^ 1, "x") + text[place + 1 :])
    g.chain()


@game("signature of another order", "midst", "signature, the order 005-blue at line")
def _(g, keys):
    g.order("blue", 5).put("signature", g.order("blue", 3).get("signature"))
    g.chain()


@game("signed with another's key", "midst", "signature, the order 005-blue at line")
def _(g, keys):
    g.chain({**keys, "blue": keys["red"]})
    for order, old in zip(g.orders(), g.was.orders(), strict=True):
        if order.group < 5:
            order.lines = old.lines


@game("wrong check digits", "midst", "check digits, the order 003-blue at line")
def _(g, keys):
    order = g.order("blue", 3)
    text = order.get("signature")
    order.put("signature", text[:11] + "01234567" + text[19:])
    g.chain()


@game("shorter check digits", "midst", "check digits, the order 003-blue at line")
def _(g, keys):
    order = g.order("blue", 3)
    text = order.get("signature")
    order.put("signature", text[:15] + text[19:])
    g.chain()


@game("s + L", "midst", "signature too large, the order 003-blue at line")
def _(g, keys):
    order = g.order("blue", 3)
    text = order.get("signature")
    s = int.from_bytes(bytes.fromhex(text[-67:-3]), "little") + crypto.L
    order.put("signature", text[:-67] + number_32(s).hex() + text[-3:])
    g.chain()


@game("dropped last order", "midst", "position head, [position]")
def _(g, keys):
    g.parts.pop()


@game("dropped middle order", "midst", "step, the order of red at line")
def _(g, keys):
    g.parts.remove(g.order("blue", 7))
    g.chain()


@game("dropped middle order, renumbered", "midst", "after, the order of red at line")
def _(g, keys):
    g.parts.remove(g.order("blue", 7))
    for order in g.orders():
        if order.group > 7:
            order.put("step", str(order.group - 1))
    g.chain()


@game("order twice", "midst", "place, the order 006-red at line")
def _(g, keys):
    order = g.order("red", 6)
    g.parts.insert(g.parts.index(order), order)
    g.chain()


@game("another game's order", "midst", "game, the order of red at line")
def _(g, keys):
    g.parts[g.parts.index(g.order("red", 6))] = g.other.order("red", action="roll")


@game("changed option", "midst", "game, the order of red at line")
def _(g, keys):
    header = g.header()
    header.put("options", header.get("options").replace("memory_aid = true", "memory_aid = false"))
    g.chain()


@game("changed option, and all that names the game", "midst", "signature, the order 000-red at line")
def _(g, keys):
    old, header = g.id(), g.header()
    header.put("options", header.get("options").replace("days_per_step = 7", "days_per_step = 0"))
    for order in g.orders():
        for line in order.lines:
            line[1] = line[1].replace(old, g.id())
    g.chain()


@game("changed name of a player", "midst", "game, the order of red at line")
def _(g, keys):
    g.find("[[game.seats]]")[0].put("name", '"Eve"')
    g.chain()


@game("replaced key", "midst", "signature, the order 000-blue at line")
def _(g, keys):
    new = bytes(32)
    g.find("[[game.seats]]")[0].put("key", f'"{crypto.public_key(new).hex()}"')
    blue = [order for order in g.orders() if order.seat() == "blue"]
    for order in blue:
        order.keep.add("signature")
    g.chain({**keys, "red": new})


@game("changed head of [position]", "midst", "position head, [position]")
def _(g, keys):
    g.position().put("head", f'"{"0" * 64}"')


@game("changed id of [position]", "midst", "position id, [position]")
def _(g, keys):
    g.position().put("id", f'"{"0" * 64}"')


@game("changed step of [position]", "midst", "position step, [position]")
def _(g, keys):
    g.position().put("step", "17")


# ---------------------------------------------------------------------------------------------------------
# By all players together: everything is signed anew, and only one thing is wrong.


@game("step too high", "midst", "step, the order of red at line")
def _(g, keys):
    order = g.order("red", 14)
    order.keep.add("step")
    order.put("step", "99")
    g.chain(keys)


@game("answers an older head", "midst", "after, the order of red at line")
def _(g, keys):
    order = g.order("red", 14)
    order.keep.add("after")
    order.put("after", g.order("red", 12).get("after"))
    g.chain(keys)


@game("signed for another game", "midst", "game, the order of red at line")
def _(g, keys):
    order = g.order("red", 14)
    order.keep.add("game")
    order.put("game", f'"{"ab" * 32}"')
    g.chain(keys)


@game("swapped orders of a step", "midst", "place, the order 000-red at line")
def _(g, keys):
    one, two = g.orders()[:2]
    places = g.parts.index(one), g.parts.index(two)
    g.parts[places[0]], g.parts[places[1]] = two, one
    g.chain(keys)


@game("two orders where one closes the step", "midst", "place, the order 014-blue at line")
def _(g, keys):
    order = g.order("blue", 13)
    more = g.copy().order("blue", 13)
    more.group = 14
    g.parts.insert(g.parts.index(g.order("red", 14)) + 1, more)
    assert order in g.parts
    g.chain(keys)


@game("step 0 without blue", "midst", "step, the order of red at line")
def _(g, keys):
    g.parts.remove(g.order("blue", 0))
    g.chain(keys)


@game("step 1 without blue", "midst", "step, the order of red at line")
def _(g, keys):
    g.parts.remove(g.order("blue", 1))
    g.cut(15)
    g.chain(keys)


@game("a seat that the game does not have", "midst", "seat, the order of green at line")
def _(g, keys):
    g.order("blue", 15).put("seat", '"green"')
    g.chain({**keys, "green": bytes(32)})


@game("an arbiter that the game does not have", "midst", "seat, the order of arbiter at line")
def _(g, keys):
    order = g.order("red", 14)
    order.drop("move")
    order.put("ruling", '{ reason = "I say so.", result = "draw" }')
    order.put("seat", '"arbiter"')
    g.cut(15)
    g.chain({**keys, "arbiter": bytes(32)})


@game("a forfeit by a player", "midst", "action, the order of blue at line")
def _(g, keys):
    order = g.order("blue", 15)
    order.drop("move")
    order.put("forfeit", '{ reason = "He is slow.", seat = "red" }')
    g.chain(keys)


@game("a move by the arbiter", "tiny", "action, the order of arbiter at line")
def _(g, keys):
    order = g.order("arbiter")
    order.drop("forfeit")
    order.put("move", '{ ship = "cruiser", to = "b2" }')
    g.chain(keys)


@game("a forfeit of nobody", "tiny", "forfeit, the order of arbiter at line")
def _(g, keys):
    g.order("arbiter").put("forfeit", '{ reason = "Who?", seat = "green" }')
    g.chain(keys)


@game("changed colour of an opening", "midst", "shield, the order 015-blue at line")
def _(g, keys):
    g.order("blue", 15).swap('"grey"', '"black"')
    g.chain(keys)


@game("changed salt of an opening", "midst", "shield, the order 015-blue at line")
def _(g, keys):
    g.order("blue", 15).swap("d72041be", "d72041bf")
    g.chain(keys)


@game("opened twice", "midst", "shield, the order 015-blue at line")
def _(g, keys):
    order = g.order("blue", 15)
    colour, salt = order.get("move").split("secondary = { ")[1].split(" }")[0].split(", ")
    order.swap(", ship", f', shields = [{{ {colour}, layer = "secondary", {salt}, ship = "destroyer" }}], ship')
    g.chain(keys)


@game("opening without a colour", "midst", "shield, the order 015-blue at line")
def _(g, keys):
    g.order("blue", 15).swap('"grey"', "2")
    g.chain(keys)


@game("a sealed shield exchanged in the fleet", "midst", "fleet, the order 001-red at line")
def _(g, keys):
    order = g.order("red", 1)
    old = order.get("deploy").split('secondary = "')[1][:64]
    order.swap(old, "12" * 32)
    g.chain(keys)


@game("another fleet sealed", "midst", "fleet, the order 001-red at line")
def _(g, keys):
    order = g.order("red", 0)
    order.swap(order.get("seal").split('fleet = "')[1][:64], "12" * 32)
    g.chain(keys)


@game("another square in the fleet", "midst", "fleet, the order 001-blue at line")
def _(g, keys):
    g.order("blue", 1).swap('square = "d7"', 'square = "d6"')
    g.chain(keys)


@game("another share of the dice", "midst", "share of the dice, the order 001-red at line")
def _(g, keys):
    g.order("red", 1).swap('nonce = "31e1', 'nonce = "31e2')
    g.chain(keys)


@game("another share of the dice in a roll", "narrows", "share of the dice, the order 0")
def _(g, keys):
    order = next(order for order in g.orders() if order.action()[0] == "roll")
    nonce = order.get("roll").split('nonce = "')[1][:64]
    order.swap(nonce, "12" * 32)
    g.chain(keys)


@game("R of small order, signed by the owner", "midst", "signature of small order, the order 014-red at line")
def _(g, keys):
    g.order("red", 14).forge = forge_with_small_r(keys["red"])
    g.chain(keys)


@game("R of small order, not canonical", "midst", "signature not canonical, the order 014-red at line")
def _(g, keys):
    g.order("red", 14).forge = forge_with_small_r(keys["red"], bytes.fromhex("ee" + "ff" * 30 + "7f"))
    g.chain(keys)


@game("two actions", "midst", "action, the order at line")
def _(g, keys):
    g.order("blue", 15).put("resign", "{}")
    g.chain(keys)


@game("no action", "midst", "action, the order of blue at line")
def _(g, keys):
    g.order("blue", 15).drop("move")
    g.chain(keys)


# ---------------------------------------------------------------------------------------------------------
# Headers.

SMALL = {
    "01" + "00" * 31: 1,
    "ec" + "ff" * 30 + "7f": 2,
    "00" * 32: 4,
    "00" * 31 + "80": 4,
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05": 8,
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85": 8,
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a": 8,
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa": 8,
    "01" + "00" * 30 + "80": 1,
    "ec" + "ff" * 31: 2,
}
SMALL_AND_NOT_CANONICAL = {
    "ee" + "ff" * 30 + "7f": 1,
    "ee" + "ff" * 31: 1,
    "ed" + "ff" * 30 + "7f": 4,
    "ed" + "ff" * 31: 4,
}


def small_key(key, order, says):
    # Openssl alone takes these signatures, though nobody knows a secret behind such a key.
    @game(f"key of order {order}, {key[:2]}..{key[-2:]}", "tiny", says, openssl_takes="000-red")
    def _(g, keys):
        g.find("[[game.seats]]")[0].put("key", f'"{key}"')
        g.order("red").forge = forge_for_small_key(bytes.fromhex(key), order)
        g.chain(keys)


for key, order in SMALL.items():
    small_key(key, order, "key of small order, the key of red")
for key, order in SMALL_AND_NOT_CANONICAL.items():
    small_key(key, order, "key not canonical, the key of red")


@game("key that is not canonical", "tiny", "key not canonical, the key of red")
def _(g, keys):
    # y = p + 3: a point, and not of small order.
    g.find("[[game.seats]]")[0].put("key", f'"{"f0" + "ff" * 30 + "7f"}"')
    g.chain(keys)


@game("key that is not hexadecimal", "tiny", "spelling, the key of red")
def _(g, keys):
    g.find("[[game.seats]]")[0].put("key", f'"{"AB" * 32}"')
    g.chain(keys)


@game("two seats with one key", "tiny", "same key, the key of blue")
def _(g, keys):
    one, two = g.find("[[game.seats]]")
    two.put("key", one.get("key"))
    g.chain(keys)


@game("two seats of one name", "tiny", "same seat, the header")
def _(g, keys):
    g.parts.insert(3, g.copy().find("[[game.seats]]")[1])
    g.parts[3].put("key", f'"{crypto.public_key(b"k" * 32).hex()}"')
    # Only red has answered yet: the step is open.
    g.parts.remove(g.order("arbiter"))
    g.position().keep.add("head")
    g.position().put("head", f'"{g.id()}"')
    g.chain(keys, steps=0)


@game("one seat", "tiny", "seats, the header")
def _(g, keys):
    g.parts.remove(g.find("[[game.seats]]")[1])
    g.parts.remove(g.order("arbiter"))
    g.chain(keys)


@game("seat named like a path", "tiny", "seat name, the header")
def _(g, keys):
    g.find("[[game.seats]]")[1].put("seat", '"../x"')
    g.chain(keys)


@game("seat named roll", "tiny", "seat name, the header")
def _(g, keys):
    g.find("[[game.seats]]")[1].put("seat", '"roll"')
    g.order("arbiter").put("forfeit", '{ reason = "Slow.", seat = "roll" }')
    g.chain(keys)


# ---------------------------------------------------------------------------------------------------------
# Spelling: what another reader of TOML could read in another way, or not at all.


@game("sealed fleet that is no digest", "tiny", "spelling, the order 000-red at line")
def _(g, keys):
    g.order("red").swap('fleet = "', 'fleet = "X')
    g.chain(keys)


@game("share of the dice that is no digest", "tiny", "spelling, the order 000-red at line")
def _(g, keys):
    g.order("red").swap('dice = "', 'dice = "X')
    g.chain(keys)


@game("next share of the dice that is no digest", "midst", "spelling, the order 001-red at line")
def _(g, keys):
    g.order("red", 1).swap('next = "', 'next = "X')
    g.chain(keys)


@game("r and s that are no hexadecimal digits", "midst", "spelling, the order 015-blue at line", crude=True)
def _(g, keys):
    order = g.order("blue", 15)
    order.put("signature", order.get("signature")[:-67] + "Z" * 64 + order.get("signature")[-3:])


def seal_again(g, fleet):
    """Seals for red what its deploy opens, or what a careless reader takes for that."""
    salt = g.order("red", 1).get("deploy")[-67:-3]
    sealed = hash_of("fleet", f'{{"fleet":{fleet},"game":"{g.id()}","salt":"{salt}","seat":"red"}}')
    seal = g.order("red", 0)
    seal.swap(seal.get("seal").split('fleet = "')[1][:64], sealed)


def fleet_of(g):
    return to_json(g.order("red", 1).get("deploy")).split('"fleet":', 1)[1].rsplit(',"salt"', 1)[0]


@game("a deploy with another key before", "midst", "spelling, the order 001-red at line")
def _(g, keys):
    g.order("red", 1).swap("{ dice", "{ a = 1, dice")
    g.chain(keys)


@game("a deploy with another key between", "midst", "spelling, the order 001-red at line")
def _(g, keys):
    g.order("red", 1).swap(', salt = "', ', more = {}, salt = "')
    seal_again(g, fleet_of(g))
    g.chain(keys)


@game("a sealed shield that is no digest", "midst", "spelling, the order 001-red at line")
def _(g, keys):
    deploy = g.order("red", 1)
    digest = deploy.get("deploy").split('secondary = "')[1][:64]
    deploy.swap(digest, digest[:60])
    seal_again(g, fleet_of(g))
    g.chain(keys)


@game("draw = false", "midst", "spelling, line")
def _(g, keys):
    g.order("red", 14).put("draw", "false")
    g.chain(keys)


@game("quoted time", "midst", "spelling, line")
def _(g, keys):
    order = g.order("red", 14)
    order.put("time", f'"{order.get("time")}"')
    g.chain(keys)


@game("keys in another order", "midst", "spelling, line")
def _(g, keys):
    lines = g.order("red", 14).lines
    lines[0], lines[1] = lines[1], lines[0]
    g.chain(keys)


@game("keys in another order, in an action", "midst", "spelling, line")
def _(g, keys):
    g.order("red", 14).put("move", '{ to = "b5", ship = "frigate" }')
    g.chain(keys)


@game("number with a line below", "midst", "spelling, line")
def _(g, keys):
    g.order("red", 14).keep.add("step")
    g.order("red", 14).put("step", "1_4")
    g.chain(keys)


@game("escape that JSON does not have", "midst", "spelling, line")
def _(g, keys):
    g.order("red", 8).put("press", '"Have at you\\u002E"')
    g.chain(keys)


@game("comment", "midst", "spelling, line")
def _(g, keys):
    g.order("red", 8).lines.insert(0, ["# step", "14"])
    g.chain()


@game("heading of another table", "midst", "spelling, line")
def _(g, keys):
    g.order("red", 8).heading = "[more]"
    g.chain()


@game("no signature", "midst", "signature, the order at line")
def _(g, keys):
    g.order("blue", 15).drop("signature")
    g.chain()


@game("no [position]", "midst", "spelling, line", crude=True)
def _(g, keys):
    g.parts.remove(g.position())


@game("a header only", "midst", "position, game.toml", crude=True)
def _(g, keys):
    g.parts = g.parts[:3]


@game("[position] without a step", "midst", "position, [position]")
def _(g, keys):
    g.position().put("step", '"16"')


@game("control character", "midst", "spelling, game.toml", bytes=lambda text: text.replace(b"Have at", b"Have\x07at"))
def _(g, keys):
    g.chain()


@game("no line end", "midst", "spelling, game.toml", bytes=lambda text: text[:-1])
def _(g, keys):
    g.chain()


# ---------------------------------------------------------------------------------------------------------
# Files that do not follow from game.toml. All lists of digests are made anew; the forgery is in one place.


def other_bytes(name, path, old, new, base="midst"):
    @folder(name, base, f"other bytes, {path}")
    def _(at):
        bytes_ = (at / path).read_bytes()
        assert old in bytes_, f"{old} is not in {path}"
        (at / path).write_bytes(bytes_.replace(old, new, 1))
        list_files(at)


other_bytes("changed die in the list", "lists/dice.txt", b"1 of 2", b"2 of 2")
other_bytes("changed die of the other game", "lists/dice.txt", b" of 20", b"0 of 20", "narrows")
other_bytes("changed label of a die", "dice/001-01.json", b"first", b"third")
other_bytes("changed preimage of an order", "orders/012-red.json", b"b2", b"c3")
other_bytes("changed header", "header.json", b"half", b"full")
other_bytes("changed opening", "openings/blue.secondary-destroyer.json", b"grey", b"black")
other_bytes("changed owner of an opening", "lists/openings.txt", b"blue.secondary-destroyer", b"blue.secondary-frigate")
other_bytes("changed list of steps", "lists/steps.txt", b"012-red", b"012-ann")
other_bytes("changed list of files", "lists/steps.txt", b"step 3", b"step 4")


@folder("another key as PEM", "midst", "other bytes, keys/red.pem")
def _(at):
    (at / "keys/red.pem").write_bytes((at / "keys/blue.pem").read_bytes())
    list_files(at)


@folder("another signature as a file", "midst", "other bytes, orders/003-blue.sig")
def _(at):
    (at / "orders/003-blue.sig").write_bytes((at / "orders/005-blue.sig").read_bytes())
    list_files(at)


@folder("changed story", "midst", "other bytes, lists/files.txt")
def _(at):
    (at / "story.txt").write_text("Red has won.\n")


@folder("a file that is not in the list of files", "midst", "other bytes, lists/files.txt")
def _(at):
    lines = (at / "lists/files.txt").read_text().splitlines(True)
    (at / "lists/files.txt").write_text("".join(lines[1:]))


@folder("extra file", "midst", "extra file, orders/099-red.json")
def _(at):
    (at / "orders/099-red.json").write_text("more")
    list_files(at)


@folder("extra hidden file", "midst", "extra file, .more")
def _(at):
    (at / ".more").write_text("more")


@folder("extra hidden file in a folder", "midst", "extra file, keys/..more")
def _(at):
    (at / "keys/..more").write_text("more")


@folder("extra folder", "midst", "extra file, more")
def _(at):
    (at / "more").mkdir()


@folder("extra folder in a folder", "midst", "extra file, keys/more")
def _(at):
    (at / "keys/more").mkdir()


@folder("a link in the place of a file", "midst", "extra file, keys/red.pem")
def _(at):
    target = at.parent / (at.name + ".pem")
    (at / "keys/red.pem").rename(target)
    (at / "keys/red.pem").symlink_to(target)


@folder("missing order", "midst", "missing file, orders/003-blue.sig")
def _(at):
    (at / "orders/003-blue.sig").unlink()
    list_files(at)


@folder("missing story", "midst", "missing file, story.txt")
def _(at):
    (at / "story.txt").unlink()
    list_files(at)


@folder("missing game", "midst", "missing file, game.toml")
def _(at):
    (at / "game.toml").unlink()
    list_files(at)


@folder("asked for another game", "midst", "another game, the header", asked="ab" * 32)
def _(at):
    assert at.is_dir()


# ---------------------------------------------------------------------------------------------------------
# Parts of verify.sh that are checks too, though they do not say BAD themselves: what stands there, what is put
# in its place, and the forgeries that must slip through then. The cheat rebuilds with the broken script.

BREAKS = [
    ('    before "${at##*.}" "$key" || return 1\n', "", ["keys in another order, in an action"]),
    ("* .[!.]* ..?* */* */.[!.]* */..?*;", "* ..?* */* */.[!.]* */..?*;", ["extra hidden file"]),
    ("* .[!.]* ..?* */* */.[!.]* */..?*;", "* .[!.]* ..?* */* */.[!.]*;", ["extra hidden file in a folder"]),
    ('        [ "$entries" -eq "$seats" ]\n', "        true\n", ["step 1 without blue"]),
    (
        '            sealed="${sealed%%"$NL$wanted$NL"*}$NL${sealed#*"$NL$wanted$NL"}"\n',
        "",
        ["opened twice"],
    ),
    (" || [ -L \"$path\" ]; then bad", "; then bad", ["a link in the place of a file"]),
]
for key, order in SMALL.items():
    start = f"    {key}) ;;"
    BREAKS.append((start, f"    {'x' * 64}) ;;", [f"key of order {order}, {key[:2]}..{key[-2:]}"]))
for key, order in SMALL_AND_NOT_CANONICAL.items():
    # Two checks find these: both have to go.
    start = f"    {key}) ;;"
    BREAKS.append((start, f"    {'x' * 64}) ;;", [f"key of order {order}, {key[:2]}..{key[-2:]}"], "[7f]f) return 1 ;;", "[7f]f) ;;"))
