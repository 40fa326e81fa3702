//! Messages about the result of a game.

use papan_catalog::{AnyLine, PlayerSpec};
use papan_rules::{Outcome, Player, ScoreUnit};
use papan_view::text_board::Style;
use papan_view::{BoardView, Messages, messages};

/// Returns the result and, if there is one, the winning line.
pub(crate) fn announce(
    line: &dyn AnyLine,
    outcome: Outcome,
    players: &[PlayerSpec; 2],
    words: Messages,
    style: Style,
) -> Vec<String> {
    let view = BoardView::of(line);
    let humans: Vec<Player> = Player::BOTH
        .into_iter()
        .filter(|player| players[player.index()] == PlayerSpec::Human)
        .collect();
    let mut messages = vec![match (outcome, humans.as_slice()) {
        (Outcome::Draw, _) => words.text("draw"),
        (Outcome::Win(winner), [human]) => words.text(if winner == *human {
            "you-win"
        } else {
            "you-lose"
        }),
        (Outcome::Win(winner), _) => winner_text(&view, winner, players, words, style),
    }];
    let winning: Vec<String> = view
        .cells
        .iter()
        .filter(|cell| cell.winning)
        .map(|cell| cell.name.clone())
        .collect();
    if !winning.is_empty() {
        messages.push(words.with("winning-line", [("cells", winning.join(" ").into())]));
    }
    messages
}

fn winner_text(
    view: &BoardView,
    winner: Player,
    players: &[PlayerSpec; 2],
    words: Messages,
    style: Style,
) -> String {
    let side = messages::side(words, view.pieces, winner, style.marks);
    let by_rules = view.outcome == Some(Outcome::Win(winner));
    match (&players[winner.index()], view.properties.score_unit) {
        (PlayerSpec::Strategy(spec), _) => words.with(
            "player-wins",
            [("side", side.into()), ("player", spec.to_string().into())],
        ),
        (PlayerSpec::Human, ScoreUnit::Discs) if by_rules => {
            let count = |player: Player| view.counts[player.index()].to_string();
            words.with(
                "side-wins-discs",
                [
                    ("side", side.into()),
                    ("winner-count", count(winner).into()),
                    ("loser-count", count(winner.other()).into()),
                ],
            )
        }
        (PlayerSpec::Human, _) => words.with("side-wins", [("side", side.into())]),
    }
}
