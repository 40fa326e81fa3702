#!/usr/bin/env python3
"""Checks a papan certificate of version 2, for those who trust neither papan nor Rust.

usage: check_certificate.py FILE...

Prints what each file proves, or why it is not believed. The format is described in
docs/certificates.md; this program was written from that page. It needs nothing but
Python. The exit code is 0 if every file is believed, else 1.
"""

import sys
import zlib
from itertools import product

sys.setrecursionlimit(20_000)

WHOLE = 1 << 40
MOST_UNKNOWN = 6
MOST_FINISHED = 1 << 20
KINDS = ("wins", "draws", "draws-countering", "draws-moving-first")


class Refused(Exception):
    """The certificate is not believed."""


def fnv(data):
    total = 0xCBF29CE484222325
    for byte in data:
        total = ((total ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return total


class Board:
    """The cells, lines and symmetries of a board."""

    def __init__(self, name):
        if name == "tictactoe":
            name = "tictactoe:3x3"
        kind, _, size = name.partition(":")
        if kind != "tictactoe":
            raise Refused("only boards of k in a row have such certificates")
        sides, _, length = size.partition(":")
        try:
            self.sides = [int(side) for side in sides.split("x")]
            self.length = int(length) if length else min(self.sides)
        except ValueError:
            raise Refused("no such board")
        self.cells = 1
        for side in self.sides:
            self.cells *= side
        if not 1 <= self.cells <= 400 or not 1 <= self.length <= max(self.sides):
            raise Refused("no such board")
        self.lines = self.find_lines()
        self.through = [[] for _ in range(self.cells)]
        for number, line in enumerate(self.lines):
            for cell in line:
                self.through[cell].append(number)
        self.symmetries = self.find_symmetries()

    def at(self, cell):
        place = []
        for side in reversed(self.sides):
            cell, rest = divmod(cell, side)
            place.insert(0, rest)
        return place

    def cell(self, place):
        number = 0
        for side, coordinate in zip(self.sides, place):
            number = number * side + coordinate
        return number

    def find_lines(self):
        if self.length == 1:
            return [(cell,) for cell in range(self.cells)]
        lines = []
        for step in product((-1, 0, 1), repeat=len(self.sides)):
            if next((s for s in step if s), -1) != 1:
                continue
            for cell in range(self.cells):
                place = self.at(cell)
                line = []
                for k in range(self.length):
                    there = [p + k * s for p, s in zip(place, step)]
                    if all(0 <= t < side for t, side in zip(there, self.sides)):
                        line.append(self.cell(there))
                if len(line) == self.length:
                    lines.append(tuple(line))
        return lines

    def axis_orders(self, chosen=()):
        if len(chosen) == len(self.sides):
            yield chosen
            return
        for axis, side in enumerate(self.sides):
            if side == self.sides[len(chosen)] and axis not in chosen:
                yield from self.axis_orders(chosen + (axis,))

    def find_symmetries(self):
        found, seen = [], set()
        for axes in self.axis_orders():
            for mirrored in range(1 << len(self.sides)):
                images = []
                for cell in range(self.cells):
                    place = self.at(cell)
                    there = [place[axis] for axis in axes]
                    for i, side in enumerate(self.sides):
                        if mirrored >> i & 1:
                            there[i] = side - 1 - there[i]
                    images.append(self.cell(there))
                if tuple(images) not in seen:
                    seen.add(tuple(images))
                    found.append(images)
        return found


class Proof:
    """The decompressed bytes of a proof, read one number at a time."""

    def __init__(self, data):
        self.data, self.next = data, 0

    def number(self, below=1 << 28):
        value = 0
        for shift in (0, 7, 14, 21):
            if self.next >= len(self.data):
                raise Refused("the proof ends in the middle")
            byte = self.data[self.next]
            self.next += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                if value >= below:
                    break
                return value
        raise Refused("a number is out of range")


class Position:
    """Stones of the attacker and of the defender."""

    def __init__(self, board, attackers, defenders):
        self.board = board
        self.attackers, self.defenders = set(attackers), set(defenders)
        self.empty = set(range(board.cells)) - self.attackers - self.defenders
        self.count = [[0, 0] for _ in board.lines]
        for side, stones in enumerate((self.attackers, self.defenders)):
            for cell in stones:
                for line in board.through[cell]:
                    self.count[line][side] += 1

    def put(self, cell, side):
        (self.defenders if side else self.attackers).add(cell)
        self.empty.discard(cell)
        for line in self.board.through[cell]:
            self.count[line][side] += 1

    def take(self, cell, side):
        (self.defenders if side else self.attackers).discard(cell)
        self.empty.add(cell)
        for line in self.board.through[cell]:
            self.count[line][side] -= 1

    def gaps(self, line):
        return [cell for cell in self.board.lines[line] if cell in self.empty]

    def won(self, side):
        return any(count[side] == self.board.length for count in self.count)

    def completing(self, side):
        short = self.board.length - 1
        return {
            self.gaps(line)[0]
            for line, count in enumerate(self.count)
            if count[side] == short and count[1 - side] == 0
        }

    def image(self, cells, symmetry):
        images = self.board.symmetries[symmetry]
        return {images[cell] for cell in cells}


class Win:
    """Checks why an attacker wins."""

    def __init__(self, position, proof):
        self.p, self.proof = position, proof
        self.unknown, self.finished = [], []

    def node(self):
        tag = self.proof.number()
        if tag == 0:
            self.reference()
        elif tag == 1:
            before = (frozenset(self.p.attackers), frozenset(self.p.defenders))
            cell = self.attack()
            self.safe()
            self.answers()
            self.p.take(cell, 0)
            if not self.unknown and len(self.finished) < MOST_FINISHED:
                self.finished.append(before)
        else:
            self.fours(tag // 2, tag % 2 == 1)

    def attack(self):
        cell = self.proof.number(self.p.board.cells)
        if cell not in self.p.empty or any(cell in place for place in self.unknown):
            raise Refused("a cell is not certainly empty")
        self.p.put(cell, 0)
        return cell

    def reference(self):
        node = self.proof.number(len(self.finished))
        symmetry = self.proof.number(len(self.p.board.symmetries))
        attackers, defenders = self.finished[node]
        if (
            self.unknown
            or not attackers <= self.p.image(self.p.attackers, symmetry)
            or not self.p.image(self.p.defenders, symmetry) <= defenders
        ):
            raise Refused("a node that is referred to is about another position")

    def fours(self, count, goes_on):
        played = []
        for at in range(count):
            ends = at + 1 == count and not goes_on
            played.append((self.attack(), 0))
            if self.p.won(0):
                if not ends:
                    raise Refused("something follows the end of the proof")
                break
            self.safe()
            completing = self.p.completing(0).difference(*self.unknown)
            if len(completing) == 1 and not ends:
                reply = completing.pop()
                self.p.put(reply, 1)
                played.append((reply, 1))
            elif not (len(completing) >= 2 and ends):
                raise Refused("a move that should force a reply forces none")
        if goes_on:
            self.node()
        for cell, side in reversed(played):
            self.p.take(cell, side)

    def answers(self):
        head = self.proof.number()
        rest, symmetric, count = head & 1, head & 2, head >> 2
        if count > self.p.board.cells:
            raise Refused("a number is out of range")
        if symmetric and self.unknown:
            raise Refused("symmetry is used where a stone's place is not known")
        branches = [self.branch() for _ in range(count)]
        named = set().union(*(cells for cells, _ in branches))
        others = self.p.empty - named
        if rest:
            self.with_unknown(others)
        elif others and not (symmetric and others <= self.images(named)):
            raise Refused("a move is left without an answer")
        for cells, at_once in branches:
            if len(cells) > 1 and not at_once:
                self.with_unknown(cells)
                continue
            for cell in cells:
                self.p.put(cell, 1)
            if self.p.won(1):
                raise Refused("the defender can complete a line first")
            self.node()
            for cell in cells:
                self.p.take(cell, 1)

    def branch(self):
        head = self.proof.number()
        count = head >> 1
        if not 1 <= count:
            raise Refused("a number is out of range")
        cells, cell = set(), -1
        for _ in range(count):
            cell += 1 + self.proof.number(self.p.board.cells)
            if cell >= self.p.board.cells:
                raise Refused("a number is out of range")
            if cell not in self.p.empty:
                raise Refused("a cell is not certainly empty")
            cells.add(cell)
        return cells, head & 1

    def with_unknown(self, place):
        if len(self.unknown) == MOST_UNKNOWN:
            raise Refused("too many stones have no known place")
        self.unknown.append(place)
        self.node()
        self.unknown.pop()

    def images(self, named):
        found = set()
        for number in range(len(self.p.board.symmetries)):
            stones = (self.p.attackers, self.p.defenders)
            if all(self.p.image(cells, number) == cells for cells in stones):
                found |= self.p.image(named, number)
        return found

    def safe(self):
        length = self.p.board.length
        for line, (attackers, defenders) in enumerate(self.p.count):
            lacking = length - defenders
            if attackers or lacking > len(self.unknown) + 1:
                continue
            if lacking <= 1 or can_fill(self.p.gaps(line), self.unknown, lacking - 1):
                raise Refused("the defender can complete a line first")


def can_fill(gaps, unknown, wanted):
    """Whether so many gaps can be filled by different stones without a known place."""
    if wanted == 0:
        return True
    if len(unknown) < wanted:
        return False
    if can_fill(gaps, unknown[1:], wanted):
        return True
    return any(
        cell in unknown[0] and can_fill([g for g in gaps if g != cell], unknown[1:], wanted - 1)
        for cell in gaps
    )


class Hold:
    """Checks why a defender at least draws."""

    def __init__(self, position, proof, counter):
        self.p, self.proof, self.counter = position, proof, counter
        self.finished = []

    def reply(self):
        cell = self.proof.number(self.p.board.cells)
        if cell not in self.p.empty:
            raise Refused("a cell is not certainly empty")
        self.p.put(cell, 1)
        if not self.p.won(1):
            self.node()
        self.p.take(cell, 1)

    def node(self):
        tag = self.proof.number()
        if tag == 0:
            self.reference()
            return
        if tag == 1:
            self.replies()
        else:
            self.pairs(tag - 2)
        if len(self.finished) < MOST_FINISHED:
            self.finished.append((frozenset(self.p.attackers), frozenset(self.p.defenders)))

    def replies(self):
        count = self.proof.number()
        if count > self.p.board.cells:
            raise Refused("a number is out of range")
        answered, cell = set(), -1
        for _ in range(count):
            cell += 1 + self.proof.number(self.p.board.cells)
            if cell >= self.p.board.cells:
                raise Refused("a number is out of range")
            if cell not in self.p.empty:
                raise Refused("a cell is not certainly empty")
            answered.add(cell)
            self.p.put(cell, 0)
            if self.p.won(0):
                raise Refused("the attacker can complete a line")
            self.reply()
            self.p.take(cell, 0)
        completing, own = self.p.completing(0), self.p.completing(1)
        for cell in self.p.empty - answered:
            if cell in completing:
                raise Refused("the attacker can complete a line")
            if not (self.counter and own - {cell}) and not self.beaten(cell, answered):
                raise Refused("a move is left without an answer")

    def beaten(self, cell, answered):
        shared, alive = set(answered), False
        for line in self.p.board.through[cell]:
            attackers, defenders = self.p.count[line]
            if defenders == 0 or self.counter and attackers == 0:
                alive = True
                shared &= set(self.p.board.lines[line])
        return not alive or bool(shared)

    def pairs(self, count):
        if count > self.p.board.cells:
            raise Refused("a number is out of range")
        partner = {}
        for _ in range(count):
            a = self.proof.number(self.p.board.cells)
            b = self.proof.number(self.p.board.cells)
            if a == b or not {a, b} <= self.p.empty or a in partner or b in partner:
                raise Refused("a cell is not certainly empty")
            partner[a], partner[b] = b, a
        total, weights = 0, {}
        for line, (attackers, defenders) in enumerate(self.p.count):
            if defenders or attackers == self.p.board.length:
                continue
            gaps = self.p.gaps(line)
            if any(partner.get(cell) in gaps for cell in gaps if cell in partner):
                continue
            free = [cell for cell in gaps if cell not in partner]
            weight = WHOLE >> min(len(free), 40)
            total += weight
            for cell in free:
                weights[cell] = weights.get(cell, 0) + weight
        if total + max(weights.values(), default=0) >= WHOLE:
            raise Refused("the pairs leave too much over")

    def reference(self):
        node = self.proof.number(len(self.finished))
        images = self.p.board.symmetries[self.proof.number(len(self.p.board.symmetries))]
        attackers, defenders = self.finished[node]
        for number, line in enumerate(self.p.board.lines):
            here = self.p.count[number]
            if here[1] == 0:
                for cell in line:
                    better = cell in self.p.attackers and images[cell] not in attackers
                    if images[cell] in defenders or better:
                        raise Refused("a node that is referred to is about another position")
            if self.counter and not any(images[cell] in attackers for cell in line):
                worse = any(
                    images[cell] in defenders and cell not in self.p.defenders for cell in line
                )
                if here[0] or worse:
                    raise Refused("a node that is referred to is about another position")


def parse_position(board, text):
    stones = [c for c in text if not (c.isspace() or c in "/;")]
    if len(stones) != board.cells + 1 or any(c not in "XxOo*-." for c in stones):
        raise Refused("line 3: expected a position of this board")
    first = {i for i, c in enumerate(stones[:-1]) if c in "Xx*"}
    second = {i for i, c in enumerate(stones[:-1]) if c in "Oo"}
    turn = "first" if stones[-1] in "Xx*" else "second"
    right = "first" if len(first) == len(second) else "second"
    if len(first) - len(second) not in (0, 1) or stones[-1] in "-." or turn != right:
        raise Refused("line 3: expected a position that can arise")
    for line in board.lines:
        if all(c in first for c in line) or all(c in second for c in line):
            raise Refused("line 3: expected an unfinished position")
    if len(first) + len(second) == board.cells:
        raise Refused("line 3: expected an unfinished position")
    return first, second, turn


def inflate(data, length):
    stream = zlib.decompressobj(-15)
    try:
        proof = stream.decompress(data, length + 1)
    except zlib.error:
        raise Refused("the proof cannot be decompressed")
    # Reading a little further finds the end of a stream that has said everything.
    if not stream.eof and len(proof) <= length:
        try:
            proof += stream.decompress(stream.unconsumed_tail, 1)
        except zlib.error:
            raise Refused("the proof cannot be decompressed")
    if not stream.eof and len(proof) <= length:
        raise Refused("the proof cannot be decompressed")
    if len(proof) != length or stream.unused_data or not stream.eof:
        raise Refused("something follows the end of the proof")
    return proof


def check(data):
    """What a certificate proves, as a list of (player, kind), with game and position."""
    if not data.startswith(b"papan certificate 2\n"):
        raise Refused("this is not a papan certificate of version 2")
    body, last = data[:-26], data[-26:]
    if not (last.startswith(b"checksum ") and last.endswith(b"\n")):
        raise Refused("the file ends in the middle: the line `checksum` is missing")
    if last[9:25] != b"%016x" % fnv(body):
        raise Refused("the file was changed after it was written: its checksum is wrong")

    rest = body[len(b"papan certificate 2\n"):]

    def line(prefix=""):
        nonlocal rest
        text, end, rest = rest.partition(b"\n")
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError:
            raise Refused("the header is not text")
        if not end or not text.startswith(prefix):
            raise Refused(f"the header lacks `{prefix}`")
        return text[len(prefix):]

    game, position, count = line("game "), line("position "), line("claims ")
    if count not in [str(number) for number in range(1, 9)]:
        raise Refused("line 4: expected the number of claims, 1 to 8")
    claims = []
    for _ in range(int(count)):
        player, _, kind = line().partition(" ")
        if player not in ("first", "second") or kind not in KINDS:
            raise Refused("expected `first` or `second`, and a claim")
        claims.append((player, kind))
    length = line("proof ")
    if not (length.isascii() and length.isdigit()) or int(length) >= 1 << 64:
        raise Refused("expected the length of the proof")

    board = Board(game)
    first, second, turn = parse_position(board, position)
    proof = Proof(inflate(rest, int(length)))
    for player, kind in claims:
        stones = {"first": first, "second": second}
        other = "second" if player == "first" else "first"
        if kind == "wins":
            checker = Win(Position(board, stones[player], stones[other]), proof)
            if player == turn:
                checker.node()
            else:
                checker.safe()
                checker.answers()
        elif kind == "draws-moving-first":
            if first or second or player != "first":
                raise Refused("only whoever moves first on the empty board draws so")
        else:
            position = Position(board, stones[other], stones[player])
            checker = Hold(position, proof, kind == "draws-countering")
            if player == turn:
                checker.reply()
            else:
                checker.node()
    if proof.next != len(proof.data):
        raise Refused("something follows the end of the proof")
    return game, claims


def main(paths):
    believed = True
    for path in paths:
        try:
            with open(path, "rb") as file:
                game, claims = check(file.read())
        except (Refused, OSError) as reason:
            believed = False
            print(f"{path}: refused: {reason}")
        else:
            words = [f"{p} {'wins' if k == 'wins' else 'at least draws'}" for p, k in claims]
            print(f"{path}: {game}: {', '.join(words)}")
    return 0 if believed else 1


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
