//! What the board says, as sentences in the player's language.

use papan_rules::{Counted, Move, Outcome, Player};
use papan_strategies::Score;
use papan_view::{Words, wording};

use crate::analysis::{is_chance, number, short};
use crate::state::State;

/// A player as the board's pieces have it: X and O, or Black and White.
#[must_use]
pub fn side(state: &State, player: Player) -> String {
    let pieces = state
        .table
        .as_ref()
        .map_or(state.start.game.pieces(), |table| table.game.pieces());
    wording::side(state.words(), pieces, player, state.settings.marks)
}

/// How the game ended, at the position that is looked at.
#[must_use]
pub fn result(state: &State) -> Option<String> {
    let words = state.words();
    let table = state.table.as_ref()?;
    let outcome = table.outcome()?;
    let forfeit = table.forfeit.filter(|f| f.node == table.tree.current());
    let headline = match (outcome, table.only_person()) {
        (Outcome::Draw, _) => words.text("draw"),
        (Outcome::Win(winner), Some(person)) if winner == person => words.text("you-win"),
        (Outcome::Win(_), Some(_)) => words.text("you-lose"),
        (Outcome::Win(winner), None) => {
            words.with("side-wins", [("side", side(state, winner).into())])
        }
    };
    let reason = match (forfeit, outcome, table.game.properties().counted) {
        (Some(forfeit), ..) if forfeit.by_time => {
            words.with("out-of-time", [("side", side(state, forfeit.loser).into())])
        }
        (None, Outcome::Win(winner), Counted::Discs) => {
            let counts = table.board().counts;
            words.with(
                "side-wins-discs",
                [
                    ("side", side(state, winner).into()),
                    ("winner-count", counts[winner.index()].to_string().into()),
                    (
                        "loser-count",
                        counts[winner.other().index()].to_string().into(),
                    ),
                ],
            )
        }
        (None, Outcome::Win(_), Counted::Result) => {
            let cells = table.line().winning_cells();
            let cells: Vec<String> = cells
                .into_iter()
                .map(|cell| table.game.format_move(Move::on(cell)))
                .collect();
            words.with("winning-line", [("cells", cells.join(" ").into())])
        }
        _ => return Some(headline),
    };
    Some(format!("{headline} {reason}"))
}

/// The advisor's move at the position that is looked at, if it is known.
#[must_use]
pub fn hint(state: &State) -> Option<String> {
    let words = state.words();
    let table = state.table.as_ref()?;
    let node = table.tree.current();
    let analysis = table.tree.node(node).analysis.as_ref()?;
    let mv = table.game.format_move(analysis.best);
    let strategy = table.advisor.recipe().name;
    Some(match analysis.best_score() {
        Some(score) => words.with(
            "board-hint",
            [
                ("move", mv.into()),
                ("strategy", strategy.into()),
                (
                    "score",
                    self::score(words, table.game.properties().counted, score).into(),
                ),
            ],
        ),
        None => words.with(
            "hint-guess",
            [("move", mv.into()), ("strategy", strategy.into())],
        ),
    })
}

/// A score in words: `wins in 5`, `draw`, `+12`.
#[must_use]
pub fn score(words: Words, counted: Counted, score: Score) -> String {
    match (counted, score) {
        (Counted::Result, Score::Proven { value, plies }) => {
            let key = match value.signum() {
                1 => "board-score-win",
                0 => "board-score-draw",
                _ => "board-score-loss",
            };
            match value {
                0 => words.text(key),
                _ => words.with(key, [("plies", plies.to_string().into())]),
            }
        }
        (Counted::Discs, Score::Proven { value, .. }) => words.with(
            "board-score-discs",
            [("value", format!("{value:+}").into())],
        ),
        (_, Score::Estimate(_)) if counted == Counted::Result || is_chance(score) => {
            // From -1..+1 to a chance, which everybody reads.
            let percent = (number(score).clamp(-1.0, 1.0) + 1.0) * 50.0;
            words.with(
                "board-score-chance",
                [("percent", format!("{percent:.0}").into())],
            )
        }
        _ => short(score),
    }
}
