#!/usr/bin/env python3
"""Checks papan certificates of versions 2 and 3 independently of papan.

usage: check_certificate.py FILE...

Prints the claims that each file proves, or the reason why it is refused. The format is
described in docs/certificates.md; this program was written from that page alone and needs
only Python's standard library. The exit code is 0 if every file is accepted, else 1.
"""

import re
import sys
import zlib
from array import array
from itertools import product

sys.setrecursionlimit(20_000)

WHOLE = 1 << 40
MAX_UNKNOWN = 6
MAX_FINISHED = 1 << 20
MAX_CELLS = 400
MAX_PERMUTATIONS = 1_000
CHUNK = 1 << 16
GAME = re.compile(r"tictactoe(?::([1-9][0-9]{0,2}(?:x[1-9][0-9]{0,2}){0,3})(?::([1-9][0-9]{0,2}))?)?")
LENGTH = re.compile(r"0|[1-9][0-9]{0,18}")
KINDS = ("wins", "wins-by-sequences", "draws", "draws-countering", "draws-moving-first")


class Refused(Exception):
    """The certificate is not accepted."""


def fnv(data):
    total = 0xCBF29CE484222325
    for byte in data:
        total = ((total ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return total


class Board:
    """The cells, lines and symmetries of a board."""

    def __init__(self, name):
        match = GAME.fullmatch(name)
        if not match:
            raise Refused("line 2: expected the name of a board of k in a row")
        sides, length = match.group(1) or "3x3", match.group(2)
        self.sides = [int(side) for side in sides.split("x")]
        # The shortest side of a strip such as 1x5 is its length; a single number is a strip.
        shortest = min([side for side in self.sides if side > 1] or self.sides)
        self.length = int(length) if length else shortest
        self.cells = 1
        for side in self.sides:
            self.cells *= side
        # One board has one name: k is left out where it is the shortest side, and so is 3x3.
        if sides == "3x3" and match.group(1) and not length or length and self.length == shortest:
            raise Refused("line 2: expected the shortest name of this board")
        if self.cells > MAX_CELLS or self.length > max(self.sides):
            raise Refused("line 2: no such board")
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
    """The bytes of a proof, decompressed in pieces and read one number at a time."""

    def __init__(self, compressed, length):
        self.stream = zlib.decompressobj(-15)
        self.compressed, self.length = compressed, length
        self.data, self.next, self.total = b"", 0, 0

    def fill(self):
        """Decompresses the next piece; leaves `data` empty at the end of the stream."""
        self.data, self.next = b"", 0
        while not self.data and not self.stream.eof:
            try:
                self.data = self.stream.decompress(self.compressed, CHUNK)
            except zlib.error:
                raise Refused("the proof cannot be decompressed")
            if not self.data and not self.stream.eof and not self.stream.unconsumed_tail:
                raise Refused("the proof cannot be decompressed")
            self.compressed = self.stream.unconsumed_tail
        self.total += len(self.data)
        if self.total > self.length:
            raise Refused("the proof is longer than the header says")

    def byte(self):
        if self.next == len(self.data):
            self.fill()
            if not self.data:
                raise Refused("the proof ends in the middle")
        self.next += 1
        return self.data[self.next - 1]

    def finish(self):
        """Checks that nothing follows."""
        if self.next == len(self.data):
            self.fill()
        if self.next != len(self.data) or self.total != self.length or self.stream.unused_data:
            raise Refused("something follows the end of the proof")

    def number(self, below=1 << 28):
        value = 0
        for shift in (0, 7, 14, 21):
            byte = self.byte()
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


class Finished:
    """Stones of finished nodes, packed: a proof may have a million of them."""

    def __init__(self, cells):
        self.width = (cells + 7) // 8
        self.packed, self.count = bytearray(), 0

    def add(self, position):
        for stones in (position.attackers, position.defenders):
            bits = sum(1 << cell for cell in stones)
            self.packed += bits.to_bytes(self.width, "little")
        self.count += 1

    def get(self, node):
        """The attacker's and the defender's stones of a node."""
        start = 2 * node * self.width
        sides = []
        for at in (start, start + self.width):
            bits = int.from_bytes(self.packed[at : at + self.width], "little")
            sides.append({cell for cell in range(8 * self.width) if bits >> cell & 1})
        return sides


class Win:
    """Checks why an attacker wins."""

    def __init__(self, position, proof):
        self.p, self.proof = position, proof
        self.unknown, self.finished = [], Finished(position.board.cells)

    def node(self):
        tag = self.proof.number()
        if tag == 0:
            self.reference()
        elif tag == 1:
            cell = self.attack()
            self.safe()
            self.answers()
            self.p.take(cell, 0)
            if not self.unknown and self.finished.count < MAX_FINISHED:
                self.finished.add(self.p)
        else:
            self.fours(tag // 2, tag % 2 == 1)

    def attack(self):
        cell = self.proof.number(self.p.board.cells)
        if cell not in self.p.empty or any(cell in place for place in self.unknown):
            raise Refused("a cell is not certainly empty")
        self.p.put(cell, 0)
        return cell

    def reference(self):
        node = self.proof.number(self.finished.count)
        symmetry = self.proof.number(len(self.p.board.symmetries))
        attackers, defenders = self.finished.get(node)
        if (
            self.unknown
            or not attackers <= self.p.image(self.p.attackers, symmetry)
            or not self.p.image(self.p.defenders, symmetry) <= defenders
        ):
            raise Refused("a node that is referred to is about another position")

    def fours(self, count, continues):
        played = []
        for at in range(count):
            ends = at + 1 == count and not continues
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
        if continues:
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
        if len(self.unknown) == MAX_UNKNOWN:
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
    """Whether `wanted` gaps can be filled by different unknown stones."""
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


class Sequences:
    """Checks why an attacker wins by strategic moves and sequences of fours."""

    def __init__(self, position, proof):
        self.p, self.proof = position, proof
        self.finished = Finished(position.board.cells)
        self.permutations = self.permuted()

    def permuted(self):
        """Reads the listed permutations; the first is the identity."""
        board = self.p.board
        lines = {frozenset(line) for line in board.lines}
        found = [range(board.cells)]
        for _ in range(self.proof.number(MAX_PERMUTATIONS + 1)):
            images = [self.proof.number(board.cells) for _ in range(board.cells)]
            if len(set(images)) != board.cells or any(
                frozenset(images[cell] for cell in line) not in lines for line in lines
            ):
                raise Refused("a permutation does not map lines to lines")
            found.append(array("H", images))
        return found

    def node(self):
        tag = self.proof.number(self.p.board.cells + 1)
        if tag == 0:
            self.reference()
            return
        cell = tag - 1
        if cell not in self.p.empty:
            raise Refused("a cell is not certainly empty")
        self.p.put(cell, 0)
        if not self.p.won(0):
            self.safe()
            self.replies()
        self.p.take(cell, 0)
        if self.finished.count < MAX_FINISHED:
            self.finished.add(self.p)

    def reference(self):
        node = self.proof.number(self.finished.count)
        # A symmetry is a permutation, then a symmetry of the board.
        geometric = self.p.board.symmetries
        symmetry = self.proof.number(len(self.permutations) * len(geometric))
        permutation, symmetry = divmod(symmetry, len(geometric))
        images = [geometric[symmetry][image] for image in self.permutations[permutation]]
        attackers, defenders = self.finished.get(node)
        if (
            not attackers <= {images[cell] for cell in self.p.attackers}
            or not {images[cell] for cell in self.p.defenders} <= defenders
        ):
            raise Refused("a node that is referred to is about another position")

    def safe(self):
        if self.p.completing(1):
            raise Refused("the defender can complete a line first")

    def replies(self):
        left = set(self.p.empty)
        cells = self.p.board.cells
        for _ in range(self.proof.number(cells + 1)):
            sequence = [self.proof.number(cells) for _ in range(self.proof.number(cells + 1))]
            for reply in sorted(left):
                if self.refutes(sequence, reply):
                    left.discard(reply)
        for reply in sorted(left):
            self.p.put(reply, 1)
            self.node()
            self.p.take(reply, 1)

    def refutes(self, sequence, reply):
        """Whether the sequence wins after the reply. The defender is safe before it, and no line
        changes but those through the stones that are played, so only these are looked at."""
        self.p.put(reply, 1)
        played, won = [(reply, 1)], False
        own, threats = self.p.completing(0), self.threats(reply, 1)
        for cell in sequence:
            if cell not in self.p.empty:
                break
            if cell in own:
                won = True
                break
            self.p.put(cell, 0)
            played.append((cell, 0))
            if threats - {cell}:
                break
            own = {c for c in own if c in self.p.empty} | self.threats(cell, 0)
            if len(own) != 1:
                won = len(own) > 1
                break
            answer = own.pop()
            self.p.put(answer, 1)
            played.append((answer, 1))
            threats = self.threats(answer, 1)
        for cell, side in reversed(played):
            self.p.take(cell, side)
        return won

    def threats(self, cell, side):
        """The cells that complete a line of a side through one of its stones."""
        short = self.p.board.length - 1
        found = set()
        for line in self.p.board.through[cell]:
            count = self.p.count[line]
            if count[side] == short and count[1 - side] == 0:
                found.update(self.p.gaps(line))
        return found


class Hold:
    """Checks why a defender at least draws."""

    def __init__(self, position, proof, counter):
        self.p, self.proof, self.counter = position, proof, counter
        self.finished = Finished(position.board.cells)

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
        if self.finished.count < MAX_FINISHED:
            self.finished.add(self.p)

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
        node = self.proof.number(self.finished.count)
        images = self.p.board.symmetries[self.proof.number(len(self.p.board.symmetries))]
        attackers, defenders = self.finished.get(node)
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
    if not re.fullmatch(f"[XO-]{{{board.cells}}} [XO]", text):
        raise Refused("line 3: expected a position of this board")
    first = {i for i, c in enumerate(text[: board.cells]) if c == "X"}
    second = {i for i, c in enumerate(text[: board.cells]) if c == "O"}
    turn = "first" if text[-1] == "X" else "second"
    right = "first" if len(first) == len(second) else "second"
    if len(first) - len(second) not in (0, 1) or turn != right:
        raise Refused("line 3: expected a position that can arise")
    for line in board.lines:
        if all(c in first for c in line) or all(c in second for c in line):
            raise Refused("line 3: expected an unfinished position")
    if len(first) + len(second) == board.cells:
        raise Refused("line 3: expected an unfinished position")
    return first, second, turn


def check(data):
    """Returns the game and the proved claims, as a list of (player, kind)."""
    if not data.startswith((b"papan certificate 2\n", b"papan certificate 3\n")):
        raise Refused("this is not a papan certificate of version 2 or 3")
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
    by_sequences = any(kind == "wins-by-sequences" for _, kind in claims)
    if data.startswith(b"papan certificate 3\n") != by_sequences:
        raise Refused("line 1: expected version 3 if and only if a claim is `wins-by-sequences`")
    length = line("proof ")
    if not LENGTH.fullmatch(length):
        raise Refused("expected the length of the proof")

    board = Board(game)
    first, second, turn = parse_position(board, position)
    proof = Proof(rest, int(length))
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
        elif kind == "wins-by-sequences":
            checker = Sequences(Position(board, stones[player], stones[other]), proof)
            if player == turn:
                checker.node()
            else:
                checker.safe()
                checker.replies()
        elif kind == "draws-moving-first":
            if first or second or player != "first":
                raise Refused("only the first player on the empty board draws so")
        else:
            position = Position(board, stones[other], stones[player])
            checker = Hold(position, proof, kind == "draws-countering")
            if player == turn:
                checker.reply()
            else:
                checker.node()
    proof.finish()
    return game, claims


def main(paths):
    accepted = True
    for path in paths:
        try:
            with open(path, "rb") as file:
                game, claims = check(file.read())
        except (Refused, OSError) as reason:
            accepted = False
            print(f"{path}: refused: {reason}")
        else:
            words = [f"{p} {'wins' if k.startswith('wins') else 'at least draws'}" for p, k in claims]
            print(f"{path}: {game}: {', '.join(words)}")
    return 0 if accepted else 1


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
