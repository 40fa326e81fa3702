#!/usr/bin/env python3
"""Compares papan's rules of gomoku with those of c-gomoku-cli on random games.

    scripts/compare_gomoku_rules.py C_GOMOKU_CLI PAPAN [GAMES]

C_GOMOKU_CLI and PAPAN are the paths of the two programs; GAMES is the number of games for each rule (default
10,000). c-gomoku-cli (https://github.com/dhbloo/c-gomoku-cli) lets two copies of a random player, which is this
script, play each other and is the referee. papan is asked for its verdict on each game through the Universal
Game Interface. Moves of Black that make exactly five together with a forbidden shape are counted separately:
they win by the rules of renju, but c-gomoku-cli forbids some of them. The exit status is 1 if a verdict differs.
"""

import pathlib
import random
import re
import subprocess
import sys
import tempfile

RULES = {0: "", 1: ":standard", 4: ""}
SIZES = [7, 9, 11, 13, 15, 17, 19]


def play(folder):
    """Plays at random by the Gomocup protocol and writes the moves of each game to a file."""
    stream = random.Random()
    size, stones, moves = 15, set(), []

    def choose():
        # Beside a stone nine times of ten, so that lines grow.
        for _ in range(30 if moves and stream.random() < 0.9 else 0):
            x, y = stream.choice(moves)
            x, y = x + stream.randint(-1, 1), y + stream.randint(-1, 1)
            if 0 <= x < size and 0 <= y < size and (x, y) not in stones:
                return x, y
        return stream.choice([(x, y) for x in range(size) for y in range(size) if (x, y) not in stones])

    def place(point):
        stones.add(point)
        moves.append(point)

    def finish():
        if moves:
            path = pathlib.Path(folder) / f"{stream.getrandbits(64):016x}.moves"
            path.write_text(" ".join(f"{x},{y}" for x, y in moves))
        stones.clear()
        moves.clear()

    for line in sys.stdin:
        words = line.replace(",", " ").split()
        command = words[0].upper() if words else ""
        if command in ("START", "RESTART"):
            finish()
            size = int(words[1]) if command == "START" else size
            print("OK", flush=True)
        elif command == "BOARD":
            # Its lines are x, y and the side, in the order of play, until DONE.
            for line in sys.stdin:
                if line.startswith("DONE"):
                    break
                place(tuple(map(int, line.split(",")[:2])))
            place(choose())
            print("%d,%d" % moves[-1], flush=True)
        elif command in ("BEGIN", "TURN"):
            if command == "TURN":
                place((int(words[1]), int(words[2])))
            place(choose())
            print("%d,%d" % moves[-1], flush=True)
        elif command == "ABOUT":
            print('name="random"', flush=True)
        elif command == "END":
            break
    finish()


class Papan:
    """papan as an engine of the Universal Game Interface."""

    def __init__(self, program, game):
        command = [program, "engine", "ugi", game]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ask("ugi", "ugiok")

    def ask(self, question, answer):
        self.process.stdin.write(question + "\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            if line.startswith(answer):
                return line.split()[-1]
        sys.exit(f"papan ended after: {question}")

    def result(self, moves):
        """Returns p1win, p2win, draw, none where the game is not over, or illegal."""
        self.process.stdin.write("position startpos moves " + " ".join(moves) + "\n")
        # papan has no position after one that it refused.
        if self.ask("query gameover", "response") == "none":
            return "illegal"
        return self.ask("query result", "response")


def games_of(text):
    """Yields size, result, reason and moves of the games of an SGF file."""
    for game in re.findall(r"\(;.*?\)\n", text, re.S):
        field = lambda name: re.search(rf"{name}\[(.*?)\]", game).group(1)
        moves = re.findall(r";[BW]\[([a-z])([a-z])\]", game)
        points = [(ord(x) - 97, ord(y) - 97) for x, y in moves]
        yield int(field("SZ")), field("RE"), field("TE"), points


def compare(referee, papan, rule, size, count):
    """Returns the number of games, of differences, and of fives that c-gomoku-cli forbids."""
    name = ("renju" if rule == 4 else "gomoku") + f":{size}x{size}" + RULES[rule]
    with tempfile.TemporaryDirectory() as folder:
        brain = f"cmd={pathlib.Path(__file__).resolve()} --play {folder}"
        command = [referee, "-each", "tc=0/10", "-engine", "name=a", brain, "-engine", "name=b", brain]
        command += ["-rule", str(rule), "-boardsize", str(size), "-games", str(count), "-concurrency", "2"]
        sgf = pathlib.Path(folder) / "games.sgf"
        subprocess.run(command + ["-sgf", str(sgf)], check=True, stdout=subprocess.DEVNULL)
        played = [path.read_text() for path in pathlib.Path(folder).glob("*.moves")]
        engine = Papan(papan, name)
        seen = differences = fives = 0
        for side, result, reason, points in games_of(sgf.read_text()):
            seen += 1
            is_forbidden = "forbidden" in reason
            if is_forbidden:
                # The referee leaves the forbidden move out of its file.
                start = " ".join(f"{x},{y}" for x, y in points) + " "
                games = [g for g in played if g.startswith(start) and len(g.split()) == len(points) + 1]
                points.append(tuple(map(int, games[0].split()[-1].split(","))))
            moves = [f"{chr(97 + x)}{side - y}" for x, y in points]
            verdict = engine.result(moves)
            expected = {"B+1": "p1win", "W+1": "p2win", "0": "draw"}[result]
            if is_forbidden:
                if verdict == "p1win":
                    fives += 1
                    continue
                expected = "illegal"
            if verdict != expected:
                differences += 1
                print(f"{name}: papan says {verdict}, the referee {expected} ({reason}): {' '.join(moves)}")
        return seen, differences, fives


def main():
    if sys.argv[1:2] == ["--play"]:
        return play(sys.argv[2])
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    referee, papan = sys.argv[1:3]
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 10_000
    total = 0
    for rule in RULES:
        sizes = [size for size in SIZES if rule != 4 or size <= 15]
        found = [compare(referee, papan, rule, size, -(-count // len(sizes))) for size in sizes]
        seen, differences, fives = map(sum, zip(*found))
        total += differences
        print(f"rule {rule}: {seen} games, {differences} differences, {fives} fives that are forbidden there")
    sys.exit(1 if total else 0)


if __name__ == "__main__":
    main()
