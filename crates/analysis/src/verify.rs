//! Verification of analyses that a worker sent.
//!
//! Moves and lines are checked by the rules, counts of a proof against each other, and a losing line
//! is replayed to its loss. A score marked exact is computed again where that takes
//! milliseconds. Estimates of a search with a time limit cannot be reproduced; a false one misleads
//! one reader, and proofs that must be certain go through certificates ([`crate::leaf`]).

use papan_catalog::{AnyGame, AnyLine};
use papan_othello::Options;
use papan_rules::Player;
use papan_strategies::{Bound, Context, Score};

use crate::job::{AnalysisJob, PositionResult};
use crate::proof_job::{ProofOutcome, ProofSummary};

/// Positions with at most this number of empty cells are solved again.
const MAX_SOLVED_EMPTY: usize = 9;

/// Checks the result of a job.
///
/// # Errors
/// With the first thing that is wrong.
pub(crate) fn verify(job: &AnalysisJob, result: &[u8]) -> Result<(), String> {
    match job {
        AnalysisJob::Position {
            game, start, moves, ..
        } => {
            let game: AnyGame = parse(game)?;
            let line = line(&game, start.as_deref(), moves)?;
            verify_position(&game, &*line, result)
        }
        AnalysisJob::Proof { game, seat, .. } => {
            let game: AnyGame = parse(game)?;
            let outcome = serde_json::from_slice(result).map_err(|error| error.to_string())?;
            verify_proof(&game, (*seat).into(), &outcome)
        }
    }
}

fn parse<T: std::str::FromStr<Err: std::fmt::Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| error.to_string())
}

fn line(game: &AnyGame, start: Option<&str>, moves: &[String]) -> Result<Box<dyn AnyLine>, String> {
    let mut line = match start {
        None => game.line(),
        Some(start) => game.line_from(start).map_err(|error| error.to_string())?,
    };
    play(game, &mut *line, moves)?;
    Ok(line)
}

fn play(game: &AnyGame, line: &mut dyn AnyLine, moves: &[String]) -> Result<(), String> {
    for text in moves {
        let mv = game.parse_move(text).map_err(|error| error.to_string())?;
        line.play(mv).map_err(|error| format!("{text}: {error}"))?;
    }
    Ok(())
}

fn verify_position(game: &AnyGame, line: &dyn AnyLine, result: &[u8]) -> Result<(), String> {
    let result: PositionResult =
        serde_json::from_slice(result).map_err(|error| error.to_string())?;
    let Ok(stored) = result else {
        // The strategy has no move here; the server shows its reason.
        return Ok(());
    };
    let insight = stored.parse(game).ok_or("it has moves of another game")?;
    let moves = insight.moves.iter().map(|(mv, _)| *mv);
    for mv in moves.chain(insight.best) {
        let checked = line.check_move(mv);
        checked.map_err(|error| format!("{}: {error}", game.format_move(mv)))?;
    }
    if let Some(score) = insight.score {
        verify_exact(game, line, score)?;
    }
    let mut line = line.clone_line();
    for mv in &insight.pv {
        let played = line.play(*mv);
        played.map_err(|error| format!("its line: {}: {error}", game.format_move(*mv)))?;
    }
    Ok(())
}

/// Solves a position with few empty cells, if its score is marked exact.
fn verify_exact(game: &AnyGame, line: &dyn AnyLine, score: Score) -> Result<(), String> {
    let is_empty = |cell: &usize| line.piece(*cell).is_none();
    let empty = (0..game.cells()).filter(is_empty).count();
    let is_small = empty <= MAX_SOLVED_EMPTY && line.outcome().is_none();
    if score.bound() != Bound::Exact || !is_small {
        return Ok(());
    }
    let options = Options {
        threads: 1,
        hash_mib: 1,
    };
    let solved = game
        .solver(&[line.clone_line()], &options)
        .and_then(|mut solver| solver.solve(line, &Context::default()));
    let Ok(solved) = solved else {
        // A game without a solver.
        return Ok(());
    };
    let truth = Score::from_final(game.properties().score_unit, solved.score);
    let is_true = truth.unit() != score.unit() || truth.value() == score.value();
    is_true
        .then_some(())
        .ok_or_else(|| format!("its score is {}, not {}", truth.value(), score.value()))
}

fn verify_proof(game: &AnyGame, player: Player, outcome: &ProofOutcome) -> Result<(), String> {
    match outcome {
        ProofOutcome::Proved(summary) => verify_summary(game, player, summary),
        ProofOutcome::NoAnswer(moves, _) => {
            let line = line(game, None, moves)?;
            if line.outcome().is_some() {
                return Err("the strategy needs no answer after the end".into());
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn verify_summary(game: &AnyGame, player: Player, summary: &ProofSummary) -> Result<(), String> {
    let count = |text: &String| text.parse::<u128>().map_err(|error| error.to_string());
    let (wins, draws) = (count(&summary.wins)?, count(&summary.draws)?);
    let (losses, lines) = (count(&summary.losses)?, count(&summary.lines)?);
    if wins
        .checked_add(draws)
        .and_then(|sum| sum.checked_add(losses))
        != Some(lines)
    {
        return Err("its counts do not add up".into());
    }
    if summary.never_loses != (losses == 0) {
        return Err("its verdict contradicts its counts".into());
    }
    match &summary.losing_line {
        None if losses == 0 => Ok(()),
        Some(moves) if losses > 0 => {
            let line = line(game, None, moves)?;
            let is_lost =
                line.outcome().and_then(papan_rules::Outcome::winner) == Some(player.other());
            is_lost
                .then_some(())
                .ok_or("its losing line is not lost".into())
        }
        _ => Err("its losing line contradicts its counts".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine_cache::EngineCache;

    fn result(text: &str) -> (AnalysisJob, Vec<u8>) {
        let job = AnalysisJob::read(text).unwrap();
        let answer = job.answer(&mut EngineCache::new(16), &job.watch()).unwrap();
        assert_eq!(verify(&job, &answer), Ok(()));
        (job, answer)
    }

    #[test]
    fn analyses_verify_and_impossible_ones_do_not() {
        let (job, answer) = result(
            r#"{"position":{"game":"tictactoe","start":null,"moves":["5","2"],
                "strategy":"perfect","milliseconds":1000}}"#,
        );
        let text = String::from_utf8(answer).unwrap();
        assert!(text.contains("\"1\""), "{text}");
        let occupied = text.replace("\"1\"", "\"5\"");
        assert!(verify(&job, occupied.as_bytes()).is_err());
        assert!(verify(&job, b"{}").is_err());
        // An edge loses against the centre.
        let mut lie: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(lie["Ok"]["score"]["score"], 1, "{text}");
        lie["Ok"]["score"]["score"] = 0.into();
        let refused = verify(&job, lie.to_string().as_bytes());
        assert!(refused.is_err_and(|reason| reason.contains("its score is")));
        let (job, answer) = result(
            r#"{"proof":{"game":"tictactoe","strategy":"greedy","seat":"first","mebibytes":64,"milliseconds":60000}}"#,
        );
        let text = String::from_utf8(answer).unwrap();
        for (truth, lie) in [
            ("\"never_loses\":false", "\"never_loses\":true"),
            ("\"losing_line\":[", "\"losing_line\":[\"5\",\"5\","),
            ("\"wins\":\"", "\"wins\":\"9"),
        ] {
            if text.contains(truth) {
                let false_text = text.replace(truth, lie);
                assert!(verify(&job, false_text.as_bytes()).is_err(), "{lie}");
            }
        }
    }
}
