//! Verification of analyses that a worker sent.
//!
//! Moves and lines are checked by the rules, counts of a proof against each other. Then a part of the
//! job is run again, for some milliseconds: a proof or a value that is found in that time has to be
//! the one that the worker sent, and a larger proof is checked by asking the strategy
//! ([`crate::spot_check`]). Estimates of a search with a time limit cannot be reproduced; a random
//! sample is searched again, and has to be near. Proofs that must be certain go through certificates
//! ([`crate::leaf`]).

use std::hash::{BuildHasher as _, RandomState};
use std::sync::OnceLock;
use std::time::Duration;

use papan_catalog::review::PositionAnalysis;
use papan_catalog::{AnyGame, AnyLine, StrategySpec};
use papan_othello::Options;
use papan_rules::{Move, Player};
use papan_strategies::{Bound, Context, Score, StopToken, Unit, Watch};

use crate::engine_cache::EngineCache;
use crate::job::{AnalysisJob, PositionResult};
use crate::proof_job::{ProofOutcome, ProofRequest, ProofSummary, with_timeout};
use crate::spot_check::{Claim, SpotCheck};
use crate::stored::StoredInsight;

/// A proof runs again for this part of its time limit: a worker that needs more for the same is
/// false or of no use.
const PROOF_FRACTION: u64 = 20;
/// The same, at most.
const MAX_PROOF_MILLIS: u64 = 250;
/// How long a claim that is not proved again may be spot-checked.
const SPOT_CHECK_TIME: Duration = Duration::from_millis(100);
/// A certain score is searched for again for this time.
const CERTAIN_MILLIS: u64 = 100;
/// One estimate of this many is searched again.
const ESTIMATE_SAMPLE: u64 = 16;
/// The same for this time at most.
const MAX_ESTIMATE_MILLIS: u64 = 500;
/// Two estimates of one position do not differ by more discs.
const MAX_DISC_DIFFERENCE: f32 = 24.0;
/// Two estimates of the chance to win, as a balance from -1 to 1, do not differ by more.
const MAX_CHANCE_DIFFERENCE: f32 = 1.2;
/// Memory of engines that search again, in MiB.
const ENGINE_MEMORY_MIB: usize = 16;
/// Memory of proofs that run again, in MiB.
const MAX_PROOF_MEMORY_MIB: usize = 64;
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
            let claimed: PositionResult =
                serde_json::from_slice(result).map_err(|error| error.to_string())?;
            let claimed = match &claimed {
                Ok(stored) => Some(verify_position(&game, &*line, stored)?),
                // The strategy has no move here; the server shows its reason.
                Err(_) => None,
            };
            let is_sampled = sample()
                .hash_one(job.to_json())
                .is_multiple_of(ESTIMATE_SAMPLE);
            search_again(job, &game, claimed.as_ref(), is_sampled)
        }
        AnalysisJob::Proof {
            game,
            strategy,
            seat,
            mebibytes,
            milliseconds,
        } => {
            let request = ProofRequest {
                game: parse(game)?,
                strategy: parse(strategy)?,
                player: (*seat).into(),
            };
            let outcome = serde_json::from_slice(result).map_err(|error| error.to_string())?;
            verify_proof(&request.game, request.player, &outcome)?;
            prove_again(&request, *mebibytes, *milliseconds, &outcome)
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

/// The seed of the sample, which no worker knows.
fn sample() -> &'static RandomState {
    static SEED: OnceLock<RandomState> = OnceLock::new();
    SEED.get_or_init(RandomState::new)
}

fn verify_position(
    game: &AnyGame,
    line: &dyn AnyLine,
    stored: &StoredInsight,
) -> Result<PositionAnalysis, String> {
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
    Ok(insight)
}

/// Searches a position again for a short time, if its result is certain, a failure, or in the
/// sample, and compares.
fn search_again(
    job: &AnalysisJob,
    game: &AnyGame,
    claimed: Option<&PositionAnalysis>,
    is_sampled: bool,
) -> Result<(), String> {
    let is_certain = claimed.is_none_or(|claimed| {
        let moves = claimed.moves.iter().map(|(_, score)| *score);
        let mut scores = claimed.score.into_iter().chain(moves);
        scores.any(|score| score.bound() != Bound::Estimate)
    });
    let limit = match (is_sampled, is_certain) {
        (true, _) => MAX_ESTIMATE_MILLIS,
        (false, true) => CERTAIN_MILLIS,
        (false, false) => return Ok(()),
    };
    let mut again = job.clone();
    let AnalysisJob::Position {
        strategy,
        milliseconds,
        ..
    } = &mut again
    else {
        return Ok(());
    };
    let spec: StrategySpec = parse(strategy)?;
    if spec.as_guest().is_some() {
        return Ok(());
    }
    *milliseconds = (*milliseconds).min(limit);
    let mut engines = EngineCache::new(ENGINE_MEMORY_MIB);
    let own = again.answer(&mut engines, &again.watch())?;
    let own: PositionResult = serde_json::from_slice(&own).map_err(|error| error.to_string())?;
    let Some(own) = own.ok().and_then(|own| own.parse(game)) else {
        // In a shorter time the strategy may have no move.
        return Ok(());
    };
    let Some(claimed) = claimed else {
        return Err("the strategy has a move here".into());
    };
    if let (Some(claimed), Some(own)) = (claimed.score, own.score) {
        compare(claimed, own)?;
    }
    for (mv, score) in &claimed.moves {
        if let Some((_, own)) = own.moves.iter().find(|(other, _)| other == mv) {
            let compared = compare(*score, *own);
            compared.map_err(|reason| format!("{}: {reason}", game.format_move(*mv)))?;
        }
    }
    Ok(())
}

/// Compares a score with one of a search of the same position here.
fn compare(claimed: Score, own: Score) -> Result<(), String> {
    if claimed.unit() != own.unit() {
        return Ok(());
    }
    let difference = claimed.balance() - own.balance();
    let is_wrong = match (claimed.bound(), own.bound()) {
        (Bound::Exact, Bound::Exact) => difference != 0.0,
        (Bound::Exact | Bound::AtLeast, Bound::Exact | Bound::AtMost) => difference > 0.0,
        (Bound::Exact | Bound::AtMost, Bound::Exact | Bound::AtLeast) => difference < 0.0,
        (Bound::Estimate, Bound::Estimate) => {
            let most = match claimed.unit() {
                Unit::Discs => MAX_DISC_DIFFERENCE,
                Unit::Chance | Unit::Result => MAX_CHANCE_DIFFERENCE,
            };
            difference.abs() > most
        }
        _ => false,
    };
    if is_wrong {
        let (claimed, own) = (claimed.value(), own.value());
        return Err(format!("its score is {own}, not {claimed}"));
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

/// Runs a part of a proof again. An outcome that is found has to be the same; otherwise the strategy
/// is asked.
fn prove_again(
    request: &ProofRequest,
    mebibytes: usize,
    milliseconds: u64,
    claimed: &ProofOutcome,
) -> Result<(), String> {
    if request.strategy.as_guest().is_some() {
        return Ok(());
    }
    let limit = Duration::from_millis((milliseconds / PROOF_FRACTION).min(MAX_PROOF_MILLIS));
    let watch = Watch::with_memory_limit(mebibytes.min(MAX_PROOF_MEMORY_MIB));
    let own = request.run(&watch, limit);
    let found = match (&own, claimed) {
        (ProofOutcome::GivenUp | ProofOutcome::TooLarge(_) | ProofOutcome::Failed, _) => None,
        (ProofOutcome::Proved(own), ProofOutcome::Proved(claimed)) => Some(
            own.never_loses == claimed.never_loses
                && own.lines == claimed.lines
                && own.wins == claimed.wins
                && own.draws == claimed.draws
                && own.losses == claimed.losses,
        ),
        (ProofOutcome::NoAnswer(..), ProofOutcome::NoAnswer(..))
        | (ProofOutcome::TooManyLines, ProofOutcome::TooManyLines)
        | (ProofOutcome::Nondeterministic, ProofOutcome::Nondeterministic) => Some(true),
        _ => Some(false),
    };
    if found == Some(false) {
        return Err("proved again, it is another result".into());
    }
    let parse_moves = |moves: &[String]| -> Result<Vec<Move>, String> {
        let parsed = moves.iter().map(|mv| request.game.parse_move(mv));
        let parsed: Result<_, _> = parsed.collect();
        parsed.map_err(|error| error.to_string())
    };
    let claim = match claimed {
        ProofOutcome::Proved(summary) => match &summary.losing_line {
            Some(moves) => Claim::LosesBy(parse_moves(moves)?),
            None if found == Some(true) => return Ok(()),
            None => Claim::NeverLoses,
        },
        // Without moves the strategy does not play this game at all.
        ProofOutcome::NoAnswer(moves, _) => Claim::NoAnswer(parse_moves(moves)?),
        ProofOutcome::Nondeterministic => Claim::IsNondeterministic,
        // Not to be kept ([`ProofOutcome::is_checkable`]).
        ProofOutcome::GivenUp | ProofOutcome::TooLarge(_) | ProofOutcome::TooManyLines => {
            return Ok(());
        }
        ProofOutcome::Failed => return Err("a job that fails has no outcome".into()),
    };
    let stop = StopToken::default();
    let check = SpotCheck {
        strategy: &request.strategy,
        player: request.player,
        claim,
        stop: &stop,
    };
    with_timeout(SPOT_CHECK_TIME, &stop, || request.game.visit(check))
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
    use crate::strategy_failure::StrategyFailure;

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

    fn refused(job: &AnalysisJob, outcome: &ProofOutcome, reason: &str) {
        let text = serde_json::to_vec(outcome).unwrap();
        let refused = verify(job, &text).unwrap_err();
        assert!(refused.contains(reason), "{refused}");
    }

    fn never_loses(count: &str) -> ProofOutcome {
        ProofOutcome::Proved(ProofSummary {
            never_loses: true,
            lines: count.into(),
            wins: count.into(),
            draws: "0".into(),
            losses: "0".into(),
            positions: 9,
            longest: 9,
            losing_line: None,
        })
    }

    #[test]
    fn consistent_lies_about_small_proofs_are_found_by_proving_again() {
        let (job, _) = result(
            r#"{"proof":{"game":"tictactoe","strategy":"greedy","seat":"second","mebibytes":64,"milliseconds":60000}}"#,
        );
        for lie in [
            never_loses("7"),
            ProofOutcome::GivenUp,
            ProofOutcome::TooLarge(9),
            ProofOutcome::TooManyLines,
            ProofOutcome::Nondeterministic,
            ProofOutcome::Failed,
            ProofOutcome::NoAnswer(vec!["5".into()], StrategyFailure::Silent),
        ] {
            refused(&job, &lie, "another result");
        }
    }

    #[test]
    fn claims_about_proofs_that_are_too_large_are_checked_by_asking_the_strategy() {
        let job = AnalysisJob::read(
            r#"{"proof":{"game":"tictactoe:15x15:5","strategy":"greedy","seat":"second","mebibytes":64,"milliseconds":2000}}"#,
        )
        .unwrap();
        let failure = || StrategyFailure::Silent;
        let moves = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        refused(
            &job,
            &ProofOutcome::NoAnswer(moves("a1"), failure()),
            "has an answer",
        );
        let ProofOutcome::Proved(mut lost) = never_loses("0") else {
            panic!("a proof");
        };
        lost.never_loses = false;
        lost.lines = "1".into();
        lost.losses = "1".into();
        lost.wins = "0".into();
        // A line that is lost, with moves that the strategy would not choose.
        lost.losing_line = Some(moves("a1 o15 b1 o13 c1 o11 d1 o9 e1"));
        refused(&job, &ProofOutcome::Proved(lost), "does not play");
        refused(&job, &ProofOutcome::Nondeterministic, "is deterministic");
        refused(&job, &ProofOutcome::Failed, "has no outcome");
        let text = serde_json::to_vec(&ProofOutcome::GivenUp).unwrap();
        assert_eq!(verify(&job, &text), Ok(()), "it cannot be known");
        // A player that moves at random loses to some random opponent.
        let job = AnalysisJob::read(
            r#"{"proof":{"game":"tictactoe:5x5:3","strategy":"greedy","seat":"second","mebibytes":1,"milliseconds":20}}"#,
        )
        .unwrap();
        let claim = serde_json::to_vec(&never_loses("7")).unwrap();
        let reason = verify(&job, &claim).unwrap_err();
        // A fast machine proves it again in the time.
        let reasons = ["the strategy loses", "another result"];
        assert!(
            reasons.iter().any(|known| reason.contains(known)),
            "{reason}"
        );
    }

    #[test]
    fn false_failures_and_false_wins_are_found_by_searching_again() {
        let (job, answer) = result(
            r#"{"position":{"game":"tictactoe:4x4:4","start":null,"moves":["a1"],
                "strategy":"alphabeta(depth=3)","milliseconds":1000}}"#,
        );
        let failed: PositionResult = Err(StrategyFailure::Silent);
        let text = serde_json::to_vec(&failed).unwrap();
        let refused = verify(&job, &text);
        assert!(refused.is_err_and(|reason| reason.contains("has a move")));
        drop(answer);
        let chance = |share: f32| Score::chance(share);
        assert!(compare(chance(0.9), chance(0.5)).is_ok());
        assert!(compare(chance(0.9), chance(0.1)).is_err());
        let discs = Score::discs;
        assert!(compare(discs(4), discs(4)).is_ok());
        assert!(compare(discs(4), discs(2)).is_err());
        assert!(compare(discs(4).or_more(), discs(2)).is_err());
        assert!(compare(discs(4).or_more(), discs(6)).is_ok());
        assert!(compare(discs(4).or_less(), discs(6)).is_err());
        assert!(compare(discs(40), discs(2).guessed()).is_ok());
        assert!(compare(discs(40).guessed(), discs(2).guessed()).is_err());
    }
}
