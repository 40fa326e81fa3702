//! Checks at one position: legal moves, properties, the end of the game, notation.

use std::collections::HashSet;

use crate::{GameInfo, Move, Outcome, Player, ScoreUnit, Symmetric};

pub(super) fn moves<G: GameInfo>(game: &G, pos: &G::Position, moves: &[Move]) {
    let text = game.format_position(pos);
    assert_eq!(
        moves.is_empty(),
        game.outcome(pos).is_some(),
        "{text}: moves exactly while the game goes on"
    );
    assert_eq!(moves.len(), game.legal_moves(pos).count(), "{text}");
    assert!(moves.is_sorted(), "{text}: moves come first to last");
    let legal: HashSet<Move> = moves.iter().copied().collect();
    assert_eq!(legal.len(), moves.len(), "{text}: no move twice");
    for mv in (0..game.cells()).map(Move::on).chain([Move::PASS]) {
        let is_legal = legal.contains(&mv);
        assert_eq!(
            game.is_legal(pos, mv),
            is_legal,
            "{text}: {mv:?}: moves that are listed are legal, and no others"
        );
        let mut next = pos.clone();
        assert_eq!(game.play(&mut next, mv).is_ok(), is_legal, "{text}: {mv:?}");
        assert!(
            is_legal || next == *pos,
            "{text}: an illegal move changes nothing"
        );
        assert!(
            !is_legal || next == game.after(pos, mv),
            "{text}: {mv:?}: the position after a move is the one with it played"
        );
    }
    assert!(
        !game.is_legal(pos, Move::on(game.cells())),
        "{text}: off the board"
    );
}

/// Checks [`Properties`](crate::Properties).
pub(super) fn properties<G: GameInfo + Symmetric>(game: &G, pos: &G::Position, moves: &[Move]) {
    let text = game.format_position(pos);
    let properties = game.properties();
    let mover = game.turn(pos);
    if moves.contains(&Move::PASS) {
        assert!(properties.passes, "{text}: a pass in a game without them");
        assert_eq!(moves.len(), 1, "{text}: a pass only without another move");
    }
    for &mv in moves {
        let turn = game.turn(&game.after(pos, mv));
        assert_eq!(turn, mover.other(), "{text}: the players take turns");
    }
    if properties.fills_up {
        fills_up(game, pos, moves);
    }
    match game.marks(pos) {
        None => assert!(
            game.marks(&game.start()).is_none(),
            "{text}: marks everywhere or nowhere"
        ),
        Some(marks) => {
            assert!(properties.fills_up, "{text}: marks only where they stay");
            for cell in 0..game.cells() {
                let held = Player::BOTH.map(|player| game.piece(pos, cell) == Some(player));
                let marked = marks.map(|set| set >> cell & 1 == 1);
                assert_eq!(marked, held, "{text}: marks are the pieces");
            }
            assert_eq!(
                game.position_of_marks(marks).as_ref(),
                Some(pos),
                "{text}: marks lead back"
            );
        }
    }
}

fn fills_up<G: GameInfo>(game: &G, pos: &G::Position, moves: &[Move]) {
    let text = game.format_position(pos);
    let mover = game.turn(pos);
    let empty = (0..game.cells()).filter(|&cell| game.piece(pos, cell).is_none());
    let empty: Vec<Move> = empty.map(Move::on).collect();
    match game.outcome(pos) {
        None => assert_eq!(moves, empty, "{text}: any empty cell may be played"),
        Some(Outcome::Draw) => assert!(
            empty.is_empty(),
            "{text}: it fills up unless somebody has won"
        ),
        Some(Outcome::Win(_)) => {}
    }
    for &mv in moves {
        let next = game.after(pos, mv);
        for cell in 0..game.cells() {
            let expected = if mv.cell() == Some(cell) {
                Some(mover)
            } else {
                game.piece(pos, cell)
            };
            assert_eq!(
                game.piece(&next, cell),
                expected,
                "{text}: a move fills its cell and changes no other"
            );
        }
    }
}

/// Checks the score of a finished game and its winning cells.
pub(super) fn ending<G: GameInfo>(game: &G, pos: &G::Position) {
    let text = game.format_position(pos);
    let winning = game.winning_cells(pos);
    let Some(outcome) = game.outcome(pos) else {
        assert!(winning.is_empty(), "{text}: nothing has won yet");
        assert!(
            Player::BOTH.iter().any(|&player| game.can_win(pos, player)) || game.is_dead(pos),
            "{text}: dead when nobody can win"
        );
        return;
    };
    assert!(!game.is_dead(pos), "{text}: over is not dead");
    let holds = |cell: &usize| game.piece(pos, *cell) == outcome.winner();
    assert!(
        winning.iter().all(holds),
        "{text}: winning cells are the winner's"
    );
    if let (Some(length), Some(_)) = (game.winning_length(), outcome.winner()) {
        assert!(
            winning.len() >= length,
            "{text}: a won game shows what won it"
        );
    }
    for player in Player::BOTH {
        let score = game.final_score(pos, player);
        let count = |player| {
            let own = |cell: &usize| game.piece(pos, *cell) == Some(player);
            (0..game.cells()).filter(own).count() as i32
        };
        let counted = match game.properties().score_unit {
            ScoreUnit::Result => outcome.value_for(player),
            ScoreUnit::Discs => {
                let (mine, theirs) = (count(player), count(player.other()));
                let empty = game.cells() as i32 - mine - theirs;
                mine - theirs + empty * (mine - theirs).signum()
            }
        };
        assert_eq!(score, counted, "{text}: the score counts what is stated");
        assert_eq!(
            score.signum(),
            outcome.value_for(player),
            "{text}: the score has the outcome's sign"
        );
        assert!(
            score <= game.best_score(),
            "{text}: no score above the best"
        );
    }
}

pub(super) fn notation<G: GameInfo>(game: &G, pos: &G::Position, moves: &[Move]) {
    let text = game.format_position(pos);
    for &mv in moves {
        for written in [game.format_move(mv), game.show_move(mv)] {
            assert_eq!(game.parse_move(&written), Ok(mv), "{written} is read back");
        }
        let by_letter = game.show_move(mv).starts_with(|c: char| c.is_alphabetic());
        assert!(
            mv == Move::PASS || by_letter == game.names_squares(),
            "{text}: {mv:?} is shown as its game says"
        );
    }
    let read = game.parse_position(&text);
    assert_eq!(read.as_ref(), Ok(pos), "{text}: a position is read back");
}
