"""Observations for learning: planes of zeros and ones, as NumPy arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._papan import Position

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray


def planes(position: Position, player: int | None = None) -> NDArray[numpy.float32]:
    """Returns planes of shape (3, *board): empty cells, own pieces, the opponent's.

    `player` is the side from which it is seen; the player to move without it.
    """
    import numpy as np

    cells: Any = np.frombuffer(position.pieces(), dtype=np.uint8)
    own = (position.turn if player is None else player) + 1
    stacked = np.stack([cells == 0, cells == own, cells == 3 - own])
    return stacked.reshape(3, *position.game.shape).astype(np.float32)


def action_mask(position: Position) -> NDArray[numpy.int8]:
    """Returns 1 for each legal action and 0 for the others."""
    import numpy as np

    return np.frombuffer(position.action_mask(), dtype=np.int8).copy()
