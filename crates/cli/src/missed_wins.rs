//! `papan prove … --missed-wins`: how often a strategy lets an immediate win pass.

use std::io::Write as _;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use papan_catalog::{AnyGame, Family, GameVisitor, StrategySpec, Unplayable};
use papan_rules::Player;
use papan_solve::{MissedWins, ProveError, missed_wins};
use papan_strategies::Watch;
use papan_view::{Messages, json, messages};

use crate::progress::{watched, within};
use crate::prove::{factory, moves_text};

/// What is asked for: a strategy on a game, as one player or as both.
pub(crate) struct Question<'a> {
    pub(crate) game: &'a AnyGame,
    pub(crate) strategy: &'a StrategySpec,
    pub(crate) player: Option<Player>,
    pub(crate) time: Option<Duration>,
}

/// What came of it: an exit code, or why there is none; and whether time was over.
pub(crate) type Answer = (Result<ExitCode, ProveError>, bool);

struct MissedJob<'a>(&'a StrategySpec, Option<Player>, &'a Watch);

impl GameVisitor for MissedJob<'_> {
    type Output = Result<Result<MissedWins, ProveError>, Unplayable>;

    fn visit<G: Family>(self, game: &Arc<G>) -> Self::Output {
        let factory = factory(game, self.0)?;
        Ok(missed_wins(&**game, &factory, self.1, self.2))
    }
}

impl Question<'_> {
    /// Counts and prints; the exit code says whether a win is let pass.
    pub(crate) fn answer(&self, in_json: bool, words: Messages) -> anyhow::Result<Answer> {
        let watch = Arc::new(Watch::default());
        let job = MissedJob(self.strategy, self.player, &watch);
        let (counted, late) = within(self.time, &watch.stop, || {
            watched(&watch, self.game, words, || self.game.visit(job))
        });
        let counted =
            counted.map_err(|error| anyhow::anyhow!(messages::unplayable(words, &error)))?;
        let found = match counted {
            Ok(found) => found,
            Err(error) => return Ok((Err(error), late)),
        };
        let mut out = std::io::stdout().lock();
        if in_json {
            let strategy = self.strategy.to_string();
            let form = json::MissedWins::new(self.game, &strategy, self.player, &found);
            write!(out, "{}", json::line(&form))?;
        } else {
            write!(out, "{}", self.as_text(&found, words))?;
        }
        Ok((Ok(ExitCode::from(u8::from(found.missed > 0))), false))
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
            let moves = moves_text(self.game, line);
            let first = words.with("missed-wins-first", [("moves", moves.clone().into())]);
            let explain = format!("papan explain {name} --moves '{moves}' --strategy '{strategy}'");
            text.push_str(&format!("{first}\n  {explain}\n"));
        }
        text
    }
}
