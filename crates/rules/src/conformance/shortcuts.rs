//! Checks of the shortcuts that searches rely on, against exhaustive play.

use std::collections::HashMap;

use crate::{Game, GameInfo, Move, Outcome, Player, Symmetric};

/// Maximum number of positions of one exhaustive check.
const MAX_POSITIONS: usize = 20_000;

/// The result of exhaustive play from a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Truth {
    /// The final score that the player to move can reach.
    value: i32,
    /// Plies until the game ends with best play: wins as soon, losses as late as possible.
    plies: i32,
    /// Whether the first and the second player can still win.
    can_win: [bool; 2],
}

impl Truth {
    /// Orders results for the player to move.
    fn rank(self) -> (i32, i32) {
        (self.value, -self.value.signum() * self.plies)
    }

    /// Returns the result before the move that led here.
    fn before(self) -> Self {
        Self {
            value: -self.value,
            plies: self.plies + 1,
            ..self
        }
    }
}

/// Memo of exhaustive play.
pub(super) struct PlayedOut<G: Game> {
    known: HashMap<G::Position, Truth>,
}

impl<G: Game> Default for PlayedOut<G> {
    fn default() -> Self {
        Self {
            known: HashMap::new(),
        }
    }
}

impl<G: GameInfo + Symmetric> PlayedOut<G> {
    /// Compares the shortcuts with exhaustive play; returns whether it was feasible.
    pub(super) fn check(&mut self, game: &G, pos: &G::Position) -> bool {
        let mut left = MAX_POSITIONS;
        let Some(truth) = self.truth(game, pos, &mut left) else {
            return false;
        };
        let text = game.format_position(pos);
        for player in Player::BOTH {
            assert!(
                game.can_win(pos, player) || !truth.can_win[player.index()],
                "{text}: the {player} player can win after all"
            );
        }
        let over = game.outcome(pos).is_some();
        assert!(
            !game.is_dead(pos) || !over && truth.can_win == [false; 2],
            "{text}: not every game from here is drawn"
        );
        let urgent: Vec<Move> = game.urgent_moves(pos).collect();
        assert_eq!(
            urgent.is_empty(),
            over,
            "{text}: urgent moves while it goes on"
        );
        let all_legal = urgent.iter().all(|&mv| game.is_legal(pos, mv));
        assert!(all_legal, "{text}: urgent moves are legal");
        let best = urgent
            .iter()
            .map(|&mv| self.after(game, pos, mv).before().rank())
            .max();
        let sought = (!over).then(|| truth.rank());
        // The length of a drawn game is not part of the contract.
        let shown = |rank: (i32, i32)| if rank.0 == 0 { (0, 0) } else { rank };
        assert_eq!(
            best.map(shown),
            sought.map(shown),
            "{text}: urgent moves suffice for the value and how soon it comes"
        );
        true
    }

    fn after(&self, game: &G, pos: &G::Position, mv: Move) -> Truth {
        let next = game.after(pos, mv);
        self.known[&next]
    }

    fn truth(&mut self, game: &G, pos: &G::Position, left: &mut usize) -> Option<Truth> {
        if let Some(&truth) = self.known.get(pos) {
            return Some(truth);
        }
        *left = left.checked_sub(1)?;
        let mover = game.turn(pos);
        let mut truth: Option<Truth> = None;
        let mut can_win = [false; 2];
        for mv in game.legal_moves(pos) {
            let next = game.after(pos, mv);
            let found = self.truth(game, &next, left)?.before();
            for player in Player::BOTH {
                can_win[player.index()] |= found.can_win[player.index()];
            }
            if truth.is_none_or(|best| found.rank() > best.rank()) {
                truth = Some(found);
            }
        }
        let truth = match truth {
            Some(truth) => Truth { can_win, ..truth },
            None => Truth {
                value: game.final_score(pos, mover),
                plies: 0,
                can_win: Player::BOTH.map(|p| game.outcome(pos) == Some(Outcome::Win(p))),
            },
        };
        self.known.insert(pos.clone(), truth);
        Some(truth)
    }
}

/// Checks [`Game::winning_moves`] by making every move.
pub(super) fn winning_moves<G: GameInfo>(game: &G, pos: &G::Position) {
    let Some(told) = game.winning_moves(pos) else {
        return;
    };
    let text = game.format_position(pos);
    let all: Vec<Move> = game.legal_moves(pos).collect();
    let (mut wins, mut ends) = (Vec::new(), 0);
    for &mv in &all {
        let after = game.after(pos, mv);
        match game.outcome(&after).map(|outcome| outcome.winner()) {
            Some(Some(winner)) if winner == game.turn(pos) => wins.push(mv),
            Some(_) => ends += 1,
            None => {}
        }
    }
    assert_eq!(
        told.collect::<Vec<_>>(),
        wins,
        "{text}: the moves that win at once"
    );
    assert!(
        ends == 0 || all.len() == 1,
        "{text}: a move ends the game and does not win it"
    );
}
