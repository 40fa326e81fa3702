"""Games, positions and boards, compared with plain rules and published counts."""

import copy
import pickle
import random
import re
from pathlib import Path

import papan
import pytest


def perft(position: papan.Position, depth: int) -> int:
    if depth == 0 or position.is_over:
        return 1
    return sum(perft(position.play(action), depth - 1) for action in position.legal_actions())


def test_published_counts_of_othello_and_tictactoe() -> None:
    assert [perft(papan.Game("othello").position(), d) for d in range(1, 6)] == [4, 12, 56, 244, 1396]
    assert perft(papan.Game("tictactoe").position(), 9) == 255_168


def plain_winner(cells: list[int]) -> int | None:
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    for a, b, c in lines:
        if cells[a] and cells[a] == cells[b] == cells[c]:
            return cells[a] - 1
    return None


def test_random_games_agree_with_plain_rules() -> None:
    chance = random.Random(42)
    for _ in range(300):
        position, cells = papan.Game("tictactoe").position(), [0] * 9
        while not position.is_over:
            assert position.legal_actions() == [c for c in range(9) if not cells[c]]
            action = chance.choice(position.legal_actions())
            cells[action] = position.turn + 1
            position = position.play(action)
            assert list(position.pieces()) == cells
        assert position.winner == plain_winner(cells)
        assert sum(position.returns()) == 0


# Of a square, and of a cube.
SYMMETRIES = {"tictactoe": 8, "othello": 8, "othello:6x6": 8, "renju": 8, "tictactoe:4x4x4": 48}


@pytest.mark.parametrize("name", SYMMETRIES)
def test_positions_are_values(name: str) -> None:
    game, chance = papan.Game(name), random.Random(1)
    position = game.position()
    for _ in range(4):
        position = position.play(chance.choice(position.legal_actions()))
    again = game.position(position.text)
    assert again == position and hash(again) == hash(position)
    for other in (pickle.loads(pickle.dumps(position)), copy.deepcopy(position)):
        assert other == position
    assert position != game.position()
    assert position.play(position.legal_moves()[0]) == position.play(position.legal_actions()[0])
    assert len(position.symmetries()) == SYMMETRIES[name]
    assert position.symmetries()[0] == position
    assert len({image.canonical() for image in position.symmetries()}) == 1
    assert "<svg" in position._repr_svg_()
    # After a few moves more no two images are the same.
    later = position
    for _ in range(4):
        later = later.play(chance.choice(later.legal_actions()))
    assert later.is_over or len(set(later.symmetries())) == SYMMETRIES[name]
    mask = position.action_mask()
    assert [a for a in range(game.num_actions) if mask[a]] == position.legal_actions()


@pytest.mark.parametrize("name", ["tictactoe", "othello", "renju", "tictactoe:4x4x4"])
def test_boards_have_a_size_in_a_notebook(name: str) -> None:
    drawn = papan.Board(name)._repr_svg_()
    found = re.search(r'viewBox="0 0 (\d+) (\d+)" width="(\d+)" height="(\d+)"', drawn)
    assert found is not None
    width, height, shown_width, shown_height = map(int, found.groups())
    assert 100 < max(shown_width, shown_height) <= 480
    assert shown_width / shown_height == pytest.approx(width / height, rel=0.02)
    # A picture for a page of one's own scales with it.
    assert 'width="' not in papan.Game(name).position().svg().split(">")[0]


def test_a_pass_is_the_last_action() -> None:
    game, chance = papan.Game("othello:4x4"), random.Random(3)
    passes = 0
    for _ in range(200):
        position = game.position()
        while not position.is_over:
            actions = position.legal_actions()
            passes += actions == [game.cells]
            position = position.play(chance.choice(actions))
    assert passes > 10
    assert game.num_actions == 17


def test_boards_push_and_pop() -> None:
    board = papan.Board("othello", "f5 d6 c3")
    assert board.moves == ["f5", "d6", "c3"] and len(board) == 3
    copied = board.copy()
    assert board.pop() == "c3" and len(copied) == 3
    assert pickle.loads(pickle.dumps(copied)) == copied
    with pytest.raises(IndexError):
        papan.Board("tictactoe").pop()


def test_errors_say_what_is_wrong() -> None:
    with pytest.raises(ValueError, match="otello"):
        papan.Game("otello")
    position = papan.Game("tictactoe").position()
    with pytest.raises(ValueError, match="occupied"):
        position.play("5").play("5")
    with pytest.raises(ValueError, match="no action 9000"):
        position.play(9000)
    with pytest.raises(TypeError):
        position.play(2.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError):
        papan.Game("tictactoe").position("XXXXXXXXX X")


def test_players_are_pickled_by_name() -> None:
    board = papan.Board("tictactoe", "1 5 9 3")
    for text in ("greedy", "alphabeta", "engine(depth=4)"):
        player = papan.Player(text)
        assert copy.deepcopy(player) is player
        again = pickle.loads(pickle.dumps(player))
        assert again.name == player.name and again.choose(board) == player.choose(board)
    with pytest.raises(TypeError, match="pickle the object itself"):
        pickle.dumps(papan.Player(lambda position: 0))


def test_positions_are_cloned_by_sharing() -> None:
    position = papan.Game("othello").position()
    assert position.clone() is position


def test_moves_may_be_numbers_of_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    board = papan.Board("tictactoe")
    board.push(numpy.int64(4))
    assert board.moves == ["5"] and board.position.play(numpy.int8(0)).turn == 0
    with pytest.raises(TypeError):
        board.push(2.5)  # type: ignore[arg-type]


def test_files_of_every_kind() -> None:
    board = papan.Board("othello", "f5 d6 c3 d3 c4", players=("Ann", "Bo"))
    for kind in ("sgf", "ggf", "txt", "record"):
        [read] = papan.load(papan.save(board, format=kind).encode())
        assert read == board
        assert kind == "txt" or read.players == ("Ann", "Bo")
    five = papan.Board("gomoku", "h8 h7 g9")
    for kind in ("psq", "sgf", "record"):
        [read] = papan.load(papan.save(five, format=kind).encode())
        assert read == five
    for kind in ("obf", "pos"):
        [read] = papan.load(papan.save(board, format=kind).encode())
        assert (read.position, read.moves) == (board.position, [])
    two = [papan.Board("othello", "f5"), papan.Board("othello", "c4 c3")]
    for kind in ("sgf", "ggf", "txt", "record"):
        assert papan.load(papan.save(two, format=kind).encode()) == two
    with pytest.raises(ValueError):
        papan.load(b"(;GM[2]SZ[8];B[zz])")


def test_a_file_is_replaced_atomically_with_its_link_and_mode(tmp_path: Path) -> None:
    board = papan.Board("othello", "f5d6")
    target, link = tmp_path / "target.txt", tmp_path / "link.txt"
    target.write_text("old")
    target.chmod(0o600)
    link.symlink_to(target)
    before = target.stat().st_ino
    assert papan.save(board, link, format="txt") == "f5d6\n"
    assert link.is_symlink() and target.read_bytes() == b"f5d6\n"
    assert target.stat().st_mode & 0o777 == 0o600
    # Truncated and rewritten it would have the same inode.
    assert target.stat().st_ino != before
    with pytest.raises(FileNotFoundError, match="missing"):
        papan.save(board, tmp_path / "missing" / "game.txt", format="txt")
    assert sorted(tmp_path.iterdir()) == [link, target]


def test_a_file_may_have_the_name_of_standard_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    papan.save(papan.Board("othello", "f5"), "-", format="txt")
    assert (tmp_path / "-").read_text() == "f5\n"


COMMENTED = """(;FF[4]GM[2]SZ[8]PB[Ann]PW[Bo]DT[2024-05-01]EV[Cup]OT[5m]RE[W+R]
;B[fe]C[the usual start];W[df](;B[cc]BL[3])(;B[cd]C[the other one]))"""


def test_what_a_file_says_besides_the_moves_is_kept(tmp_path: Path) -> None:
    [read] = papan.load(COMMENTED.encode())
    assert (read.moves, read.players) == (["f5", "d6", "c3"], ("Ann", "Bo"))
    assert read.details == {
        "date": "2024-05-01",
        "event": "Cup",
        "clock": "5m",
        "result": "second",
        "reason": "resigned",
        "variations": ["f5d6c4"],
        "comments": [["f5", "the usual start"], ["f5d6c4", "the other one"]],
    }
    for kind in ("sgf", "record"):
        text = papan.save(read, tmp_path / "game", format=kind)
        [again] = papan.load(text.encode())
        assert again.details == read.details, text
    for other in (read.copy(), pickle.loads(pickle.dumps(read))):
        assert other.details == read.details and other.details is not read.details
    # A player who resigned did not play on.
    read.push("d3")
    assert "result" not in read.details and "reason" not in read.details
    assert "RE[" not in papan.save(read)
    read.pop()
    read.details["date"] = "2024-05-02"
    [later] = papan.load(papan.save(read).encode())
    assert later.details["date"] == "2024-05-02" and "result" not in later.details


def test_times_are_those_of_the_moves() -> None:
    record = papan.save(papan.Board("tictactoe", "5 1 9"), format="record")
    text = record.replace("record 1", "record 2") + "times: 100 200 300\n"
    [read] = papan.load(text.encode())
    assert read.details == {"times": [100, 200, 300]}
    read.pop()
    assert "times: 100 200\n" in papan.save(read, format="record")


def test_details_that_cannot_be_written_are_named() -> None:
    board = papan.Board("othello", "f5")
    for details in ({"dates": "2024"}, {"date": 2024}, {"result": "black", "reason": "time"}):
        board.details = details
        with pytest.raises(ValueError, match="Board.details"):
            papan.save(board)


def test_planes_are_empty_own_and_other_cells() -> None:
    numpy = pytest.importorskip("numpy")
    from papan.observation import action_mask, planes

    # X at 1 and 9, O at 5; O moves.
    position = papan.Board("tictactoe", "1 5 9").position
    crosses = [[1, 0, 0], [0, 0, 0], [0, 0, 1]]
    noughts = [[0, 0, 0], [0, 1, 0], [0, 0, 0]]
    empty = [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    for player, seen in (
        (None, [empty, noughts, crosses]),
        (1, [empty, noughts, crosses]),
        (0, [empty, crosses, noughts]),
    ):
        found = planes(position, player)
        assert found.shape == (3, 3, 3) and found.dtype == numpy.float32
        assert found.tolist() == seen
    assert action_mask(position).tolist() == [0, 1, 1, 1, 0, 1, 1, 1, 0]
    # Rows first, and one plane more dimension than the board.
    assert planes(papan.Game("tictactoe:3x4").position()).shape == (3, 3, 4)
    cube = papan.Board("tictactoe:2x3x4:2", [23]).position
    assert planes(cube).shape == (3, 2, 3, 4) and planes(cube, 0)[1, 1, 2, 3] == 1
    othello = planes(papan.Game("othello").position())
    assert numpy.argwhere(othello[1]).tolist() == [[3, 4], [4, 3]]
    assert numpy.argwhere(othello[2]).tolist() == [[3, 3], [4, 4]]


def test_wthor_files_are_read_and_not_written() -> None:
    # A header of 16 bytes: created, one game, its year, board 8x8; then a game of f5 d6 c3.
    header = bytes([20, 26, 1, 1, 1, 0, 0, 0, 0, 0, 0xE9, 0x07, 8, 0, 24, 0])
    game = bytes(8) + bytes([56, 64, 33]) + bytes(57)
    [read] = papan.load(header + game)
    assert read.moves == ["f5", "d6", "c3"] and read.details["date"] == "2025"
    with pytest.raises(ValueError, match="wtb|WTHOR"):
        papan.save(read, format="wtb")


def test_games_that_cannot_be_read_are_warnings() -> None:
    with pytest.warns(UserWarning, match="line 2"):
        [read] = papan.load(b"f5d6c3d3c4\nf5f5\n")
    assert len(read) == 5
