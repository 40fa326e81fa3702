//! What the review says of one move.

use papan_catalog::{AnyGame, AnyLine};
use papan_rules::{Counted, Move, Player};
use papan_strategies::{Score, Unit};
use papan_view::{Marks, Words, score, wording};

use crate::studies::Insight;

/// What is said of one move.
pub(super) struct Verdict {
    pub(super) number: usize,
    pub(super) player: Player,
    pub(super) side: String,
    pub(super) mv: String,
    /// What the position after it is worth, if that is known yet.
    pub(super) value: String,
    /// What is said of it, in a few words and in fewer.
    pub(super) text: String,
    pub(super) short: String,
    pub(super) mistake: bool,
    /// What it cost the player.
    pub(super) lost: Option<f32>,
    pub(super) better: Option<String>,
    pub(super) played: Move,
    pub(super) better_move: Option<Move>,
}

impl Verdict {
    /// The move and what is said of it.
    pub(super) fn sentence(&self, words: Words) -> String {
        let known = match (&self.better, self.text.as_str()) {
            (_, "") => "web-review-move",
            (None, _) => "web-review-judged",
            (Some(_), _) => "web-review-better",
        };
        words.with(
            known,
            [
                ("number", self.number.to_string().into()),
                ("side", self.side.clone().into()),
                ("move", self.mv.clone().into()),
                ("verdict", self.text.clone().into()),
                ("better", self.better.clone().unwrap_or_default().into()),
            ],
        )
    }
}

/// A value for the first player in words where it is certain: who wins. Discs are
/// counted instead.
fn value_text(words: Words, game: &AnyGame, score: Score) -> String {
    let wins = |player| {
        let side = wording::side(words, game.pieces(), player, Marks::default());
        words.with("web-review-wins", [("side", side.into())])
    };
    match (score.unit(), score.proven()) {
        (Unit::Result, Some(1)) => wins(Player::First),
        (Unit::Result, Some(-1)) => wins(Player::Second),
        (Unit::Result, _) => score::text(score, words),
        _ => score::short(score, false),
    }
}

/// What is said of every move, as far as is known.
pub(super) fn verdicts(
    words: Words,
    line: &dyn AnyLine,
    insights: &[Insight],
    values: &[Option<Score>],
) -> Vec<Verdict> {
    let game = line.game();
    let counted = game.properties().counted;
    // A disc or two is within an estimate's error; so is a small chance.
    let tolerance = match counted {
        Counted::Discs => 2.0,
        Counted::Result => 0.3,
    };
    let judge = |ply: usize, player: Player, mv: Move| {
        let known = |ply: usize| values.get(ply).copied().flatten();
        let (before, after) = (known(ply), known(ply + 1));
        let sign = if player == Player::First { 1.0 } else { -1.0 };
        let lost = before
            .zip(after)
            .map(|(before, after)| (before.balance() - after.balance()) * sign);
        // Two searches of different positions may differ by more than the move:
        // it is a mistake only if the one before it says so as well.
        let lost = lost.map(|lost| match insights[ply].lost_by(mv) {
            Some(seen_before) => lost.min(seen_before),
            None => lost,
        });
        let mistake = lost.is_some_and(|lost| lost > tolerance);
        let best = insights.get(ply).and_then(|insight| insight.best);
        let better = best.filter(|best| mistake && *best != mv);
        let (text, short) = match (lost, before.zip(after)) {
            (Some(lost), _) if mistake && counted.is_discs() => {
                let lost = format!("{lost:.0}");
                let short = format!("−{lost}");
                (words.with("web-mistake", [("lost", lost.into())]), short)
            }
            (Some(_), Some((before, after))) if mistake => {
                let text = |value| value_text(words, &game, value);
                let turn = format!("{} → {}", text(before), text(after));
                let said = words.with("web-mistake-turn", [("turn", turn.clone().into())]);
                (said, turn)
            }
            (Some(_), _) => (words.text("web-good-move"), words.text("web-good-move")),
            (None, _) => (String::new(), String::new()),
        };
        Verdict {
            number: ply + 1,
            player,
            side: wording::side(words, game.pieces(), player, Marks::default()),
            mv: game.show_move(mv),
            played: mv,
            value: after.map_or_else(String::new, |value| value_text(words, &game, value)),
            text,
            short,
            mistake,
            lost,
            better: better.map(|best| game.show_move(best)),
            better_move: better,
        }
    };
    let mut walked = line.clone_line();
    let mut verdicts = Vec::with_capacity(line.moves().len());
    while let Some(mv) = walked.undo() {
        verdicts.push(judge(walked.moves().len(), walked.turn(), mv));
    }
    verdicts.reverse();
    verdicts
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_view::Language;

    #[test]
    fn a_mistake_is_one_before_and_after_the_move() {
        let game: AnyGame = "othello".parse().unwrap();
        let mut line = game.line();
        line.extend("f5").unwrap();
        let [played, best] = ["f5", "d3"].map(|text| game.parse_move(text).unwrap());
        let judged = |before: f32, among: f32, after: f32| {
            let scores = [(best, before), (played, among)];
            let insight = |score: f32, moves: &[(Move, f32)]| Insight {
                best: Some(best),
                score: Some(Score::about_discs(score)),
                moves: moves
                    .iter()
                    .map(|(mv, score)| (*mv, Score::about_discs(*score)))
                    .collect(),
            };
            let insights = [insight(before, &scores), insight(-after, &[])];
            let values = [before, after].map(|value| Some(Score::about_discs(value)));
            let words = Words::new(Language::English);
            verdicts(words, &*line, &insights, &values).remove(0)
        };
        // The two searches disagree by four discs, the one before by none.
        assert!(!judged(2.0, 2.0, -2.0).mistake);
        assert!(!judged(2.0, -2.0, 2.0).mistake);
        let mistake = judged(2.0, -3.0, -2.0);
        assert_eq!((mistake.mistake, mistake.lost), (true, Some(4.0)));
        assert_eq!(
            mistake.sentence(Words::new(Language::English)),
            "1. Black f5: mistake, loses 4. Better: d3"
        );
    }
}
