//! Search for moves that lead from the start of a game to a position.

use std::collections::HashSet;

use papan_catalog::AnyLine;
use papan_rules::Move;

/// Positions that are looked at before a search is given up.
const MAX_NODES: usize = 200_000;

/// Returns a line from the start of the game through the position where `played` begins, followed
/// by its moves; `None` if none is found.
pub(super) fn line_through(played: &dyn AnyLine) -> Option<Box<dyn AnyLine>> {
    let mut target = played.clone_line();
    while target.undo().is_some() {}
    let mut line = played.game().line();
    let mut seen = HashSet::new();
    if !search(&mut *line, &*target, &target.position_text(), &mut seen) {
        return None;
    }
    for &mv in played.moves() {
        line.play(mv).ok()?;
    }
    Some(line)
}

/// Searches moves to the position. An occupied cell stays occupied, flipped or not, so only cells
/// occupied at the end are played.
fn search(
    line: &mut dyn AnyLine,
    target: &dyn AnyLine,
    text: &str,
    seen: &mut HashSet<String>,
) -> bool {
    let here = line.position_text();
    if here == text {
        return true;
    }
    if line.outcome().is_some() || seen.len() >= MAX_NODES || !seen.insert(here) {
        return false;
    }
    let turns = !line.game().properties().fills_up;
    let fits = |mv: &Move| match mv.cell() {
        None => true,
        Some(cell) => match target.piece(cell) {
            None => false,
            Some(player) => turns || player == line.turn(),
        },
    };
    let moves: Vec<Move> = line.legal_moves().into_iter().filter(fits).collect();
    for mv in moves {
        if line.play(mv).is_ok() {
            if search(line, target, text, seen) {
                return true;
            }
            line.undo();
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_catalog::AnyGame;
    use papan_rules::SplitMix;

    #[test]
    fn positions_of_games_by_chance_are_reached() {
        for (name, plies) in [
            ("othello", 10),
            ("tictactoe:15x15:5", 12),
            ("othello:6x6", 8),
        ] {
            let game: AnyGame = name.parse().unwrap();
            let mut random = SplitMix::new(7);
            for _ in 0..20 {
                let mut line = game.line();
                for _ in 0..plies {
                    let moves = line.legal_moves();
                    line.play(moves[random.below(moves.len())]).unwrap();
                }
                let text = line.position_text();
                let mut on = game.line_from(&text).unwrap();
                let next = on.legal_moves()[0];
                on.play(next).unwrap();
                let found = line_through(&*on).expect("there is a line");
                assert_eq!(found.moves().len(), plies + 1, "{name}");
                assert_eq!(found.position_text(), on.position_text());
            }
        }
    }

    #[test]
    fn what_no_game_leads_to_is_not_reached() {
        let game: AnyGame = "othello:6x6".parse().unwrap();
        // A disc apart from all others.
        let text = "X-----------".to_owned() + "--OX----XO--" + "------------ X";
        let line = game.line_from(&text).unwrap();
        assert!(line_through(&*line).is_none());
    }
}
