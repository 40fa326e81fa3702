"""`papan.Engine` drives programs as python-chess does; here against scripted ones that misbehave."""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import papan
import pytest

# A UGI engine that plays the first free cell. `Mood` makes it misbehave at the next search.
SCRIPT = '''
import os, sys, time

log = open(sys.argv[1], "a") if len(sys.argv) > 1 else None
mood, moves = os.environ.get("MOOD", "good"), []
for line in sys.stdin:
    words = line.split()
    if log:
        print(line.strip(), file=log, flush=True)
    if line.startswith("ugi"):
        print("id name Scripted 1.0")
        print("id author A. Student")
        print("option name Game type string default tictactoe")
        print("option name Hash type spin default 16 min 1 max 1024")
        print("option name Mood type combo default good var good var crash var hang")
        print("ugiok")
    elif line.startswith("setoption name Mood"):
        mood = words[-1]
    elif line.startswith("isready"):
        print("readyok")
    elif line.startswith("position"):
        moves = words[words.index("moves") + 1 :] if "moves" in words else []
    elif line.startswith("go"):
        if mood == "crash":
            sys.exit("the disk is full")
        while mood == "hang":
            time.sleep(1)
        best = next(str(cell) for cell in range(1, 10) if str(cell) not in moves)
        if mood == "illegal":
            best = moves[0] if moves else "1"
        if mood == "nonsense":
            best = "z99"
        print("info string thinking hard")
        print("info depth 3 score cp 25 nodes 1234 pv", best, "9")
        print("bestmove", best)
    elif line.startswith("quit"):
        break
    sys.stdout.flush()
'''


@pytest.fixture
def script(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "engine.py"
    path.write_text(SCRIPT)
    yield path


def engine(script: Path, *arguments: object, **options: object) -> papan.Engine:
    command = [sys.executable, str(script), *map(str, arguments)]
    return papan.Engine(command, options=options)


BOARD = papan.Board("tictactoe", "1 5")


def test_an_engine_says_who_it_is_and_what_it_can(script: Path) -> None:
    with engine(script) as scripted:
        assert scripted.id == {"name": "Scripted 1.0", "author": "A. Student"}
        assert list(scripted.options) == ["Game", "Hash", "Mood"]
        assert scripted.options["Hash"] == "spin default 16 min 1 max 1024"


def test_an_analysis_has_what_the_engine_reported(script: Path) -> None:
    with engine(script) as scripted:
        found = scripted.analyse(BOARD, depth=3)
    assert (found.move, found.action, found.score) == ("2", 1, 25)
    assert (found.depth, found.nodes, found.pv) == (3, 1234, ["2", "9"])
    # A comment is no report about the search.
    assert found.info == "depth 3 score cp 25 nodes 1234 pv 2 9"


def test_options_are_sent_and_a_running_engine_gets_new_ones(script: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    with engine(script, log, Hash=64, Mood="good") as scripted:
        assert scripted.play(BOARD).move == "2"
        scripted.configure({"Hash": 128})
        assert scripted.play(BOARD).move == "2"
    sent = log.read_text().splitlines()
    assert [line for line in sent if "Hash" in line] == [
        "setoption name Hash value 64",
        "setoption name Hash value 128",
    ]
    # Set before, and kept.
    assert sent.count("setoption name Mood value good") == 2
    assert sent.count("ugi") == 2


def test_limits_are_sent(script: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    with engine(script, log) as scripted:
        scripted.play(BOARD, time=0.25)
        scripted.play(BOARD, nodes=5000)
        scripted.play(BOARD, depth=7)
    sent = [line for line in log.read_text().splitlines() if line.startswith("go")]
    assert sent == ["go movetime 250", "go nodes 5000", "go depth 7"]


def test_a_program_is_a_player_and_its_choice_has_a_reason(script: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    text = f"ugi:{shlex.join([sys.executable, str(script), str(log)])}@option.Hash=64"
    player = papan.Player(text)
    assert (player.name, player.choose(BOARD), player.choose_action(BOARD)) == (text, "2", 1)
    for board, move in ((BOARD, "2"), (papan.Board("tictactoe", "1 2 3"), "4")):
        explanation = papan.explain(board, player, depth=3)
        assert (explanation.best, explanation.nodes) == (move, 1234)
        assert explanation.strategy == text and explanation.why
    sent = log.read_text().splitlines()
    # One process, which gets its limits with each question.
    assert sent.count("ugi") == 1 and sent.count("setoption name Hash value 64") == 1
    assert "go depth 3" in sent
    player.close()
    with pytest.raises(ValueError, match="cannot start `/no-such-program`"):
        papan.explain(BOARD, "ugi:/no-such-program")


@pytest.mark.parametrize(
    ("mood", "why"),
    [
        ("crash", "crash: .*"),
        ("hang", "hang: .*"),
        ("illegal", "illegal: it answers 1: .*occupied"),
        ("nonsense", "illegal: `z99` is not a move"),
    ],
)
def test_a_failure_is_an_error_and_the_next_question_is_answered(
    script: Path, mood: str, why: str
) -> None:
    with engine(script, Mood=mood) as scripted:
        asked = time.monotonic()
        for _ in range(2):
            with pytest.raises(RuntimeError, match=why):
                scripted.play(BOARD, time=0.1)
        # A program that hangs is ended soon after its time, not by patience.
        assert time.monotonic() - asked < 20
        scripted.configure({"Mood": "good"})
        assert scripted.play(BOARD, time=0.1).move == "2"


def test_a_program_that_is_no_engine_is_named() -> None:
    with pytest.raises(RuntimeError, match="no-such-program"):
        papan.Engine("/no-such-program").play(BOARD)
    with pytest.raises(RuntimeError, match="crash"):
        papan.Engine([sys.executable, "-c", "print('hello')"]).play(BOARD)


def test_a_finished_game_is_no_question(script: Path) -> None:
    with engine(script) as scripted:
        with pytest.raises(ValueError, match="over"):
            scripted.play(papan.Board("tictactoe", "1 2 4 5 7"))


@pytest.mark.skipif(sys.platform == "win32", reason="looks processes up by signal")
def test_closing_ends_the_process(script: Path, tmp_path: Path) -> None:
    number = tmp_path / "pid"
    prefix = f"import os\nopen({str(number)!r}, 'w').write(str(os.getpid()))\n"
    script.write_text(prefix + SCRIPT)
    with engine(script) as scripted:
        scripted.play(BOARD)
        pid = int(number.read_text())
        os.kill(pid, 0)
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.01)
    raise AssertionError("the engine still runs")


def test_an_engine_is_proved_and_plays_tournaments(script: Path) -> None:
    with engine(script) as scripted:
        proof = papan.prove("tictactoe", scripted.player, seat="second")
        assert not proof.never_loses and proof.losing_line is not None
        own = papan.prove(
            "tictactoe", lambda position: position.legal_actions()[0], seat="second"
        )
        assert (proof.lines, proof.losses) == (own.lines, own.losses)
        table = papan.arena("tictactoe", [scripted.player, "perfect"], games=4)
        assert table.games == 4 and table.players[0].player == "perfect"
