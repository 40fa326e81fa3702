"""Strategies, proofs, values, reviews, tournaments."""

import os
import pickle
import subprocess
import sys
import threading
import time
import traceback
from pathlib import Path

import papan
import pytest

ROOT = Path(__file__).parents[3]
CERTIFICATES = ROOT / "data" / "certificates"
ASSIGNMENT = ROOT / "examples" / "assignments" / "004-greedy.toml"


class Student(papan.Strategy):
    """Wins, blocks, then centre, corners, sides."""

    order = (4, 0, 2, 6, 8, 1, 3, 5, 7)

    def choose(self, position: papan.Position) -> int:
        legal = position.legal_actions()
        for action in legal:
            if position.play(action).winner == position.turn:
                return action
        cells = position.pieces()
        for action in legal:
            for line in position.game.lines_through(action):
                others = [cells[cell] for cell in line if cell != action]
                if others == [2 - position.turn] * 2:
                    return action
        return next(action for action in self.order if action in legal)


def test_a_student_is_proved() -> None:
    first = papan.prove("tictactoe", Student(), seat="first", certificate=True)
    assert first.never_loses and first.losses == 0
    assert first.certificate is not None
    assert papan.check(first.certificate)
    second = papan.prove("tictactoe", Student, seat="second")
    assert not second.never_loses and second.losing_line is not None
    lost = papan.Board("tictactoe", second.losing_line)
    assert lost.position.winner == 0


def test_proofs_count_what_the_rust_strategies_count() -> None:
    for seat in ("first", "second"):
        own = papan.Player("branch-and-bound")
        python = papan.prove("tictactoe", lambda p: own.choose(p), seat=seat)
        rust = papan.prove("tictactoe", "branch-and-bound", seat=seat)
        assert (python.lines, python.wins, python.losses) == (rust.lines, rust.wins, rust.losses)


class ByCallCount(papan.Strategy):
    def __init__(self) -> None:
        self.calls = 0

    def choose(self, position: papan.Position) -> int:
        self.calls += 1
        return position.legal_actions()[-1 if self.calls % 7 == 0 else 0]


class ByTime(papan.Strategy):
    def choose(self, position: papan.Position) -> int:
        legal = position.legal_actions()
        return legal[time.perf_counter_ns() // 100 % len(legal)]


class ByRandom(papan.Strategy):
    def choose(self, position: papan.Position) -> int:
        import random

        return random.choice(position.legal_actions())


COUNTER = [0]


class ByGlobalState(papan.Strategy):
    def choose(self, position: papan.Position) -> int:
        COUNTER[0] += 1
        return position.legal_actions()[COUNTER[0] // 50 % 2 - 1]


@pytest.mark.parametrize("strategy", [ByCallCount, ByTime, ByRandom, ByGlobalState])
@pytest.mark.parametrize("seat", ["first", "second"])
def test_hidden_randomness_is_refused(strategy: type[papan.Strategy], seat: str) -> None:
    for given in (strategy, strategy()):
        with pytest.raises(papan.ProofError, match="is not a function of the position") as refused:
            papan.prove("tictactoe", given, seat=seat)  # type: ignore[arg-type]
        assert refused.value.reason == "not-a-function"


def test_both_answers_are_named() -> None:
    with pytest.raises(papan.ProofError, match="after no moves it answered 5, and [^5]"):
        papan.prove("tictactoe", Fickle, seat="first")
    with pytest.raises(papan.ProofError, match="bukan fungsi dari posisi"):
        papan.prove("tictactoe", Fickle, seat="first", lang="id")


class Fickle(papan.Strategy):
    """Opens in the centre, and elsewhere when asked again."""

    asked = 0

    def choose(self, position: papan.Position) -> int:
        if any(position.pieces()):
            return position.legal_actions()[0]
        Fickle.asked += 1
        return 4 if Fickle.asked % 2 else 0


class ByHash(papan.Strategy):
    def choose(self, position: papan.Position) -> str:
        return sorted(position.legal_moves(), key=hash)[0]


def test_a_hash_seed_is_noticed_in_another_process() -> None:
    with pytest.raises(ValueError, match="recheck"):
        papan.prove("tictactoe", ByHash, seat="second", recheck="proces")  # type: ignore[arg-type]
    papan.prove("tictactoe", ByHash, seat="second")
    with pytest.raises(papan.ProofError, match="another interpreter"):
        papan.prove("tictactoe", ByHash, seat="second", recheck="process")
    assert papan.prove("tictactoe", Student, seat="first", recheck="process").never_loses


SCRIPT = """
import papan

class First(papan.Strategy):
    def choose(self, position):
        return position.legal_actions()[0]

class Hashed(papan.Strategy):
    def choose(self, position):
        return min(position.legal_moves(), key=hash)

def check(strategy, lang="en"):
    try:
        proof = papan.prove("tictactoe", strategy, seat="second", recheck="process", lang=lang)
        print(f"{proof.lines} lines")
    except papan.ProofError as error:
        print(f"{error.reason}: {error}")
"""

GUARDED = """
if __name__ == "__main__":
    class Hidden(First):
        pass
    for strategy in (First, First(), Hashed, Hidden):
        check(strategy)
"""


def run_script(folder: Path, script: str) -> list[str]:
    """Runs a program of one's own; returns the lines that it prints."""
    path = folder / "script.py"
    path.write_text(script, "utf-8")
    command = [sys.executable, str(path)]
    run = subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder)
    return run.stdout.splitlines()


def test_a_class_of_a_script_is_rechecked(tmp_path: Path) -> None:
    first, again, hashed, hidden = run_script(tmp_path, SCRIPT + GUARDED)
    assert first == again == f"{papan.prove('tictactoe', First, seat='second').lines} lines"
    assert hashed.startswith("other-interpreter: ") and "another interpreter" in hashed
    assert hidden.startswith("not-importable: ") and "top level" in hidden


class First(papan.Strategy):
    def choose(self, position: papan.Position) -> int:
        return position.legal_actions()[0]


def test_a_script_without_a_guard_is_not_started_again_and_again(tmp_path: Path) -> None:
    [english, indonesian] = run_script(tmp_path, SCRIPT + "check(First)\ncheck(First, 'id')\n")
    assert english.startswith("not-importable: ") and "if __name__ == '__main__':" in english
    assert "letakkan" in indonesian


def test_a_class_of_a_prompt_is_refused_with_what_to_do() -> None:
    command = [sys.executable, "-c", SCRIPT + "check(First)\ncheck(First, 'id')\n"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    [english, indonesian] = run.stdout.splitlines()
    assert english.startswith("not-importable: ") and "%%writefile" in english
    assert "buku catatan" in indonesian


class WithAFile(papan.Strategy):
    """Keeps what cannot be copied."""

    def __init__(self) -> None:
        self.file = open(os.devnull)  # noqa: SIM115

    def choose(self, position: papan.Position) -> int:
        return position.legal_actions()[0]


def test_an_object_that_cannot_be_copied_is_not_proved() -> None:
    player = WithAFile()
    for given in (player, papan.Player(player)):
        with pytest.raises(TypeError, match="WithAFile, which cannot be copied .*give its class"):
            papan.prove("tictactoe", given, seat="second")
        with pytest.raises(TypeError, match="give its class"):
            papan.grade(ASSIGNMENT, given)
    # A class has fresh instances, and a game needs none.
    assert papan.prove("tictactoe", WithAFile, seat="second").lines > 0
    assert papan.Player(player).choose(papan.Board("tictactoe")) == "1"
    assert papan.arena("tictactoe", ["random", player], games=2).games == 2


class CountsBesideAPlayer(papan.Strategy):
    """Counts its calls, and keeps a player of papan."""

    def __init__(self) -> None:
        self.usual = papan.Player("expert")
        self.asked = 0

    def choose(self, position: papan.Position) -> str:
        self.asked += 1
        if self.asked % 50 == 0:
            return position.legal_moves()[0]
        return self.usual.choose(position)


def test_objects_with_a_player_are_copied_and_pickled() -> None:
    with pytest.raises(papan.ProofError, match="is not a function of the position"):
        papan.prove("tictactoe", CountsBesideAPlayer(), seat="first")
    assert papan.prove("tictactoe", Keeper(), seat="second", recheck="process").never_loses


class Keeper(papan.Strategy):
    """Answers as a player of papan that it keeps."""

    def __init__(self) -> None:
        self.usual = papan.Player("expert")

    def choose(self, position: papan.Position) -> str:
        return self.usual.choose(position)


class Talkative(Student):
    """Prints more than a pipe holds."""

    def choose(self, position: papan.Position) -> int:
        print("x" * 100)
        return super().choose(position)


def test_what_a_strategy_prints_does_not_disturb_the_second_interpreter() -> None:
    assert papan.prove("tictactoe", Talkative, seat="first", recheck="process").never_loses


class Broken(papan.Strategy):
    def choose(self, position: papan.Position) -> int:
        if len(position.legal_actions()) < 6:
            raise KeyError("no idea")
        return position.legal_actions()[0]


def test_exceptions_arrive_as_they_were_raised() -> None:
    with pytest.raises(KeyError, match="no idea") as raised:
        papan.prove("tictactoe", Broken(), seat="first")
    assert raised.traceback[-1].name == "choose"
    assert any("asked in the position" in note for note in raised.value.__notes__)
    with pytest.raises(KeyError):
        papan.Player(Broken()).choose(papan.Board("tictactoe", "1 2 3 4 5"))
    with pytest.raises(papan.ProofError, match="has no reply after 5 1: .*illegal") as refused:
        papan.prove("tictactoe", lambda position: 4, seat="first")
    assert (refused.value.reason, refused.value.line) == ("no-answer", ["5", "1"])
    # As it comes from another process.
    again = pickle.loads(pickle.dumps(refused.value))
    assert (str(again), again.line) == (str(refused.value), ["5", "1"])
    with pytest.raises(TypeError, match="strategy is text"):
        papan.Player(17)


def test_explanations_are_those_of_the_command() -> None:
    explanation = papan.explain(papan.Board("tictactoe", "1 5 9 3"), "alphabeta")
    assert explanation.best == "7"
    by_move = {row.move: row for row in explanation.candidates}
    assert by_move["7"].score == 1 and by_move["8"].bound == "at-most"
    indonesian = papan.explain(papan.Board("tictactoe", "1 5"), "greedy", lang="id")
    assert indonesian.why != papan.explain(papan.Board("tictactoe", "1 5"), "greedy").why


def test_values_and_certificates() -> None:
    solved = papan.solve(papan.Board("tictactoe:6x6:4"))
    assert solved is not None and solved.score == 1 and solved.certificate is not None
    assert papan.check(solved.certificate)
    damaged = bytearray(solved.certificate)
    damaged[len(damaged) // 2] ^= 1
    refused = papan.check(bytes(damaged))
    assert not refused and refused.reason
    assert papan.check(CERTIFICATES / "tictactoe-4x4.certificate").accepted
    othello = papan.solve(papan.Board("othello:4x4"))
    assert othello is not None and othello.score == -10
    assert papan.solve(papan.Board("tictactoe:15x15:5"), time=0.2) is None


def test_counts_reviews_and_tournaments() -> None:
    assert papan.count("tictactoe").positions_up_to_symmetry == 765
    review = papan.review(papan.Board("tictactoe", "1 2 5 3 9"), time=1)
    assert [move.move for move in review.moves if move.mistake] == ["2"]
    assert "<svg" in review._repr_svg_()
    table = papan.arena("tictactoe", ["random", Student()], games=40)
    assert table.players[0].player == "python:Student" and table.games == 40
    pytest.importorskip("pandas")
    assert len(table.to_pandas()) == 2


def test_levels_and_engines_choose_legal_moves() -> None:
    board = papan.Board("othello", "f5 d6 c3 d3 c4")
    for strategy in ("engine(depth=6)", "computer(level=3)", "mcts(playouts=50)"):
        assert papan.Player(strategy).choose(board) in board.position.legal_moves()
    assert "engine" in papan.players()


def test_other_threads_run_meanwhile() -> None:
    turns: list[float] = []
    is_over = threading.Event()

    def count() -> None:
        while not is_over.wait(0.001):
            turns.append(time.monotonic())

    counting = threading.Thread(target=count)
    counting.start()
    began = time.monotonic()
    papan.solve(papan.Board("tictactoe:9x9:5"), time=1)
    ended = time.monotonic()
    is_over.set()
    counting.join()
    # A call that kept the lock would leave turns before and after it alone.
    tenths = {int(10 * (turn - began) / (ended - began)) for turn in turns}
    assert ended - began > 0.5 and len(tenths & set(range(1, 9))) >= 3


def test_grades(tmp_path: Path) -> None:
    [graded] = papan.grade(ASSIGNMENT, {"Ann": Student})
    assert graded.points == 100, graded
    assert all(test.error is None for test in graded.tests)
    [bad] = papan.grade(ASSIGNMENT, {"Bo": lambda position: position.legal_actions()[0]})
    assert bad.points < 100 and not bad.tests[0].passed


def test_a_grade_has_the_exceptions_that_were_raised() -> None:
    [broken, good] = papan.grade(ASSIGNMENT, {"Ann": Broken(), "Bo": Student})
    assert good.points == 100
    raised = [test.error for test in broken.tests if test.error is not None]
    assert raised and all(not test.passed for test in broken.tests if test.error is not None)
    for error in raised:
        assert isinstance(error, KeyError) and "no idea" in str(error)
        frames = traceback.extract_tb(error.__traceback__)
        assert frames[-1].name == "choose"
        assert any("asked in the position" in note for note in error.__notes__)


def test_a_tournament_ends_with_the_first_exception() -> None:
    asked = 0

    def broken(position: papan.Position) -> int:
        nonlocal asked
        asked += 1
        raise KeyError("no idea")

    with pytest.raises(KeyError, match="no idea"):
        papan.arena("tictactoe", ["random", broken], games=100_000)
    assert asked < 50_000


def test_a_player_is_asked_by_two_threads_and_by_its_own_strategy() -> None:
    def slow(position: papan.Position) -> int:
        time.sleep(0.01)
        return position.legal_actions()[0]

    player = papan.Player(slow)
    board = papan.Board("tictactoe")
    threads = [
        threading.Thread(target=lambda: [player.choose(board) for _ in range(20)], daemon=True)
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)

    class Asking(papan.Strategy):
        def choose(self, position: papan.Position) -> str:
            move = position.legal_moves()[0]
            after = position.play(move)
            return move if after.is_over else own.choose(after)

    own = papan.Player(Asking)
    assert own.choose(board) == "7"


def test_a_choice_is_a_function_of_the_seed() -> None:
    player, board = papan.Player("random"), papan.Board("tictactoe")
    assert len({player.choose(board) for _ in range(20)}) == 1
    assert len({player.choose(board, seed=seed) for seed in range(50)}) > 3


def test_the_curve_is_that_of_the_first_player() -> None:
    from papan.results import curve_svg

    higher = curve_svg([("first", 1.0)])
    assert curve_svg([("second", -1.0)]) == higher != curve_svg([("second", 1.0)])
