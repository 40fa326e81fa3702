//! `papan prove --missed-wins`: counts the positions in which a strategy misses an immediate win.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use papan_catalog::{AnyGame, Family, GameVisitor, StrategySpec, Unplayable, strategy_factory};
use papan_rules::Player;
use papan_solve::{MissedWins, ProveError, missed_wins};
use papan_strategies::Watch;
use papan_view::{Messages, json, messages};

use crate::progress::{watched, within};
use crate::{exit_code, output};

/// A strategy on a game, as one player or as both.
pub(super) struct Query<'a> {
    pub(super) game: &'a AnyGame,
    pub(super) strategy: &'a StrategySpec,
    pub(super) player: Option<Player>,
    pub(super) time: Option<Duration>,
}

/// The outcome of a query.
pub(super) enum QueryResult {
    /// The counts were printed.
    Printed(ExitCode),
    /// The count failed or was stopped.
    Failed { error: ProveError, timed_out: bool },
}

struct MissedWinsJob<'a> {
    strategy: &'a StrategySpec,
    player: Option<Player>,
    watch: &'a Watch,
}

impl GameVisitor for MissedWinsJob<'_> {
    type Output = Result<Result<MissedWins, ProveError>, Unplayable>;

    fn visit<G: Family>(self, game: &Arc<G>) -> Self::Output {
        let factory = strategy_factory(game, self.strategy)?;
        Ok(missed_wins(&**game, &factory, self.player, self.watch))
    }
}

impl Query<'_> {
    /// Counts missed wins and prints the result; the answer is negative if there are any.
    pub(super) fn run(&self, as_json: bool, words: Messages) -> anyhow::Result<QueryResult> {
        let watch = Arc::new(Watch::default());
        let job = MissedWinsJob {
            strategy: self.strategy,
            player: self.player,
            watch: &watch,
        };
        let (counted, timed_out) = within(self.time, &watch.stop, || {
            watched(&watch, self.game, words, || self.game.visit(job))
        });
        let unplayable = |error| anyhow::anyhow!(messages::unplayable(words, &error));
        let found = match counted.map_err(unplayable)? {
            Ok(found) => found,
            Err(error) => return Ok(QueryResult::Failed { error, timed_out }),
        };
        let text = if as_json {
            let strategy = self.strategy.to_string();
            json::line(&json::MissedWins::new(
                self.game,
                &strategy,
                self.player,
                &found,
            ))
        } else {
            self.as_text(&found, words)
        };
        output::print(&text)?;
        Ok(QueryResult::Printed(exit_code::for_answer(
            found.missed == 0,
        )))
    }

    fn as_text(&self, found: &MissedWins, words: Messages) -> String {
        let name = self.game.name();
        let strategy = self.strategy.to_string();
        let title = words.with(
            "missed-wins",
            [
                ("strategy", strategy.clone().into()),
                ("game", name.clone().into()),
                ("missed", found.missed.to_string().into()),
                ("winnable", found.winnable.to_string().into()),
            ],
        );
        let mut text = format!("{title}\n");
        if found.unanswered > 0 {
            let count = [("count", found.unanswered.to_string().into())];
            text.push_str(&format!(
                "{}\n",
                words.with("missed-wins-unanswered", count)
            ));
        }
        if let Some(line) = &found.first {
            let moves = json::moves(self.game, line).join(" ");
            let first = words.with("missed-wins-first", [("moves", moves.clone().into())]);
            let explain = format!("papan explain {name} --moves '{moves}' --strategy '{strategy}'");
            text.push_str(&format!("{first}\n  {explain}\n"));
        }
        text
    }
}
