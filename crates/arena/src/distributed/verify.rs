//! Verification of games that a worker played: they are replayed by the rules.
//!
//! The winner, the discs and the reason of every game are recomputed. What players thought cannot be
//! checked this way; where they are deterministic, `--recheck` plays a sample of the games again.

use papan_catalog::{AnyLine, Family, GameVisitor, TypedLine};
use papan_protocol::{Forfeit, ForfeitKind};
use papan_rules::{Move, Outcome, Player, SwapStep};
use papan_strategies::{Context, LimitChecker, Limits, Perfect, SystemClock};

use super::batch::{Batch, PlayedBatch};
use crate::entrant::EntrantKind;
use crate::game::adjudication::{AdjudicatedBy, EngineScores};
use crate::game::game_result::GameResult;
use crate::tournament::{ScheduledGame, Tournament};

/// An adjudicated value is searched for with this many times the nodes of the referee, which may
/// have known more positions.
const MORE_NODES: u64 = 16;

/// Checks that the results are possible games of the batch.
///
/// # Errors
/// With the first thing that is wrong.
pub(super) fn verify(
    tournament: &Tournament,
    batch: &Batch,
    played: &PlayedBatch,
) -> Result<(), String> {
    if !batch.fits(tournament) {
        return Err("the batch has games of another tournament".into());
    }
    if batch.games.len() != played.games.len() {
        let (wanted, got) = (batch.games.len(), played.games.len());
        return Err(format!("{got} games of {wanted}"));
    }
    for (planned, game) in batch.games.iter().zip(&played.games) {
        let checked = verify_game(tournament, planned, game);
        checked.map_err(|reason| format!("game {}: {reason}", planned.game))?;
    }
    Ok(())
}

fn verify_game(
    tournament: &Tournament,
    planned: &ScheduledGame,
    game: &GameResult,
) -> Result<(), String> {
    if game.game != planned.game {
        return Err(format!("it has the number {}", game.game));
    }
    let opening = &tournament.openings[planned.opening];
    if !game.moves.starts_with(opening) {
        return Err("it does not start with its opening".into());
    }
    let mut line = tournament.game.line();
    for (ply, &mv) in game.moves.iter().enumerate() {
        if line.outcome().is_some() {
            return Err(format!("it continues after its end at ply {ply}"));
        }
        let played = line.play(mv);
        played.map_err(|reason| format!("ply {}: {reason}", ply + 1))?;
    }
    if game.notes.len() > game.moves.len() - opening.len() {
        return Err("it has more notes than moves".into());
    }
    verify_opening(tournament, game)?;
    let passes = game.moves.iter().filter(|mv| **mv == Move::PASS).count();
    let chosen = game.moves.len() - opening.len();
    let counted = game.costs.iter().map(|cost| cost.moves).sum::<u64>();
    // A move that forfeits the game is counted and not played; passes are not counted.
    if counted > chosen as u64 + 1 || counted + (passes as u64) < chosen as u64 {
        return Err(format!(
            "{counted} moves were counted, {chosen} were played"
        ));
    }
    verify_end(tournament, planned, game, &*line)
}

/// Checks the choices of a swap opening.
fn verify_opening(tournament: &Tournament, game: &GameResult) -> Result<(), String> {
    if game.opening.map(|opening| opening.rule()) != tournament.swap {
        return Err("it was opened by another rule".into());
    }
    let Some(opening) = game.opening else {
        return Ok(());
    };
    let plies = game.moves.len();
    opening.check(plies).map_err(|error| error.to_string())?;
    if opening.step(plies) != SwapStep::Over && game.forfeit.is_none() {
        return Err("it ended in the opening".into());
    }
    Ok(())
}

/// Checks the outcome against its reason.
fn verify_end(
    tournament: &Tournament,
    planned: &ScheduledGame,
    game: &GameResult,
    line: &dyn AnyLine,
) -> Result<(), String> {
    match (&game.forfeit, game.adjudicated, line.outcome()) {
        (None, None, Some(outcome)) => {
            if game.outcome != outcome {
                let names = [game.outcome, outcome].map(name);
                return Err(format!(
                    "it says {}; by the rules it is {}",
                    names[0], names[1]
                ));
            }
            if game.discs != discs(tournament, line) {
                return Err("its discs are not those on the board".into());
            }
            Ok(())
        }
        (None, None, None) => Err("it is not over".into()),
        (_, _, Some(_)) => Err("it is over by the rules, and says otherwise".into()),
        _ if game.discs.is_some() => Err("it counts discs before its end".into()),
        (Some(forfeit), None, None) => verify_forfeit(tournament, planned, game, line, forfeit),
        (None, Some(by), None) => verify_adjudication(tournament, planned, game, line, by),
        (Some(_), Some(_), None) => Err("it has two reasons".into()),
    }
}

fn verify_forfeit(
    tournament: &Tournament,
    planned: &ScheduledGame,
    game: &GameResult,
    line: &dyn AnyLine,
    forfeit: &Forfeit,
) -> Result<(), String> {
    let Some(winner) = game.outcome.winner() else {
        return Err("a forfeit is not a draw".into());
    };
    let loser = winner.other();
    let opening = tournament.openings[planned.opening].len();
    let plies = game.moves.len();
    let actor = game.opening.and_then(|opening| opening.step(plies).actor());
    // Before the first move, an engine may fail to get ready.
    if plies > opening && actor.unwrap_or(line.turn()) != loser {
        return Err("the player not to move forfeits".into());
    }
    let entrant = game.seats(planned)[loser.index()];
    let is_strategy = matches!(tournament.entrants[entrant].kind, EntrantKind::Strategy(_));
    let limits = tournament.limits_of(entrant);
    let has_time = limits.time.is_some() || limits.clock.is_some();
    let is_possible = match forfeit.kind {
        ForfeitKind::NoMove => is_strategy && !has_answer(tournament, planned, game, line, entrant),
        ForfeitKind::Late => has_time,
        _ => !is_strategy,
    };
    if is_possible {
        Ok(())
    } else {
        Err(format!(
            "its player cannot forfeit by `{}`",
            forfeit.kind.word()
        ))
    }
}

/// Asks a deterministic strategy for the move that it is claimed to lack.
fn has_answer(
    tournament: &Tournament,
    planned: &ScheduledGame,
    game: &GameResult,
    line: &dyn AnyLine,
    entrant: usize,
) -> bool {
    let limits = tournament.limits_of(entrant);
    let EntrantKind::Strategy(spec) = &tournament.entrants[entrant].kind else {
        return false;
    };
    if !tournament.is_repeatable() {
        return false;
    }
    let Ok(mut seat) = tournament.game.seat(spec, &limits) else {
        return false;
    };
    let mut context = Context::with_seed(tournament.seed);
    context.round = planned.game;
    context.begin(limits, &SystemClock);
    let plies = game.moves.len();
    let swap = game.opening;
    match swap.filter(|opening| opening.step(plies).actor().is_some()) {
        Some(opening) => seat
            .answer_swap(opening, line, &context)
            .is_ok_and(|actions| !actions.is_empty()),
        None => seat
            .choose(line, &context)
            .is_ok_and(|(mv, _)| line.check_move(mv).is_ok()),
    }
}

fn verify_adjudication(
    tournament: &Tournament,
    planned: &ScheduledGame,
    game: &GameResult,
    line: &dyn AnyLine,
    by: AdjudicatedBy,
) -> Result<(), String> {
    let rules = tournament.adjudication;
    let is_right = match by {
        AdjudicatedBy::Length => {
            let limit = rules.draw_after.map(|plies| plies as usize);
            game.outcome == Outcome::Draw && limit.is_some_and(|limit| game.moves.len() >= limit)
        }
        AdjudicatedBy::Knowledge => match rules.exact {
            None => false,
            Some(nodes) => {
                let value = tournament.game.visit(Value { line, nodes });
                value.is_none_or(|value| value == game.outcome)
            }
        },
        AdjudicatedBy::Agreement => match rules.agreement {
            None => false,
            // Without notes the scores were not recorded.
            Some(_) if game.notes.is_empty() => game.outcome.winner().is_some(),
            Some(agreement) => {
                let opening = tournament.openings[planned.opening].len();
                agreed(tournament, game, opening, agreement) == game.outcome.winner()
            }
        },
    };
    if is_right {
        Ok(())
    } else {
        Err(format!("it cannot be adjudicated by {}", by.word()))
    }
}

/// The winner on which the scores of both players agree after the last move.
fn agreed(
    tournament: &Tournament,
    game: &GameResult,
    opening: usize,
    agreement: crate::Agreement,
) -> Option<Player> {
    let mut line = tournament.game.line();
    let mut scores = EngineScores::default();
    let mut winner = None;
    for (ply, &mv) in game.moves.iter().enumerate() {
        let seat = line.turn().index();
        line.play(mv).ok()?;
        if ply >= opening && mv != Move::PASS {
            let score = game.note(ply).and_then(|note| note.score);
            winner = scores.record(agreement, seat, score);
        }
    }
    winner.map(|seat| Player::BOTH[seat])
}

/// The value of a position, as far as an exact search finds it.
struct Value<'a> {
    line: &'a dyn AnyLine,
    nodes: u64,
}

impl GameVisitor for Value<'_> {
    type Output = Option<Outcome>;

    fn visit<G: Family>(self, game: &std::sync::Arc<G>) -> Option<Outcome> {
        let line = TypedLine::of(game, self.line)?;
        let limits = Limits {
            nodes: Some(self.nodes.saturating_mul(MORE_NODES)),
            ..Limits::default()
        };
        let mut checker = LimitChecker::new(&Context::default().limited(limits, &SystemClock));
        let position = line.position();
        let solution = Perfect::default().solve(&**game, position, &mut checker)?;
        let mover = game.turn(position);
        Some(match solution.value {
            0 => Outcome::Draw,
            1.. => Outcome::Win(mover),
            _ => Outcome::Win(mover.other()),
        })
    }
}

/// The discs of both players, in games that count them.
fn discs(tournament: &Tournament, line: &dyn AnyLine) -> Option<[u32; 2]> {
    if !tournament.game.properties().score_unit.is_discs() {
        return None;
    }
    let mut discs = [0; 2];
    let cells = 0..tournament.game.cells();
    for player in cells.filter_map(|cell| line.piece(cell)) {
        discs[player.index()] += 1;
    }
    Some(discs)
}

fn name(outcome: Outcome) -> String {
    match outcome.winner() {
        None => "a draw".into(),
        Some(player) => format!("a win of {player}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distributed::TournamentGames;
    use crate::game::game_result::MoveNote;
    use crate::tournament::schedule::Schedule;
    use crate::tournament::tests::tournament;
    use papan_jobs::JobKind as _;
    use papan_strategies::Watch;
    use std::sync::Arc;

    fn played(plan: &Tournament, games: u64) -> (Batch, PlayedBatch) {
        let schedule = Schedule::new(plan);
        let batch = Batch {
            games: (0..games).filter_map(|game| schedule.game(game)).collect(),
        };
        let mut table = TournamentGames::start(plan).unwrap();
        let watch = Arc::new(Watch::default());
        let played = TournamentGames::run(&mut table, &batch, &watch).unwrap();
        (batch, played)
    }

    #[test]
    fn true_games_verify_in_both_families_and_with_adjudication() {
        let mut short = tournament("othello:6x6", &["random", "mcts(playouts=10)"], 4);
        short.adjudication.draw_after = Some(20);
        let mut exact = tournament("tictactoe:4x4", &["random", "greedy"], 4);
        exact.adjudication.exact = Some(100_000);
        for plan in [
            tournament("othello:6x6", &["random", "mcts(playouts=10)"], 4),
            tournament("tictactoe", &["random", "greedy"], 4),
            short,
            exact,
        ] {
            let (batch, played) = played(&plan, 4);
            assert_eq!(verify(&plan, &batch, &played), Ok(()));
        }
    }

    #[test]
    fn every_lie_is_found() {
        let plan = tournament("othello:6x6", &["random", "mcts(playouts=10)"], 2);
        let (batch, truth) = played(&plan, 2);
        let lie = |change: &dyn Fn(&mut GameResult), reason: &str| {
            let mut lying = truth.clone();
            change(&mut lying.games[1]);
            let error = verify(&plan, &batch, &lying).unwrap_err();
            assert!(error.contains(reason), "{error}");
        };
        lie(&|game| game.game = 0, "it has the number 0");
        lie(
            &|game| {
                game.outcome = match game.outcome.winner() {
                    Some(winner) => Outcome::Win(winner.other()),
                    None => Outcome::Win(Player::First),
                };
            },
            "by the rules it is",
        );
        lie(&|game| game.discs = Some([1, 2]), "discs");
        lie(&|game| game.moves.truncate(9), "");
        lie(&|game| game.moves.swap(2, 9), "");
        lie(&|game| game.costs[0].moves += 5, "were counted");
        lie(&|game| game.notes = vec![MoveNote::default(); 99], "notes");
        lie(
            &|game| game.adjudicated = Some(AdjudicatedBy::Length),
            "over by the rules",
        );
        lie(
            &|game| {
                game.forfeit = Some(Forfeit::new(ForfeitKind::Crash, "no"));
                game.outcome = Outcome::Win(Player::First);
            },
            "over by the rules",
        );
        let mut fewer = truth.clone();
        fewer.games.pop();
        assert_eq!(verify(&plan, &batch, &fewer), Err("1 games of 2".into()));
        let elsewhere: Batch = "0 0 0 7 0\n".parse().unwrap();
        assert!(verify(&plan, &elsewhere, &truth).is_err());
    }

    #[test]
    fn a_strategy_that_has_a_move_does_not_forfeit_for_lack_of_one() {
        let plan = tournament("tictactoe", &["minimax", "greedy"], 2);
        let (batch, mut lying) = played(&plan, 1);
        let game = &mut lying.games[0];
        game.moves.truncate(2);
        game.costs[0].moves = 1;
        game.costs[1].moves = 1;
        game.forfeit = Some(Forfeit::new(ForfeitKind::NoMove, "nothing"));
        game.outcome = Outcome::Win(Player::Second);
        let error = verify(&plan, &batch, &lying).unwrap_err();
        assert!(error.contains("cannot forfeit by"), "{error}");
    }

    #[test]
    fn failures_that_only_the_worker_saw_are_doubted() {
        let plan = tournament("tictactoe", &["random", "greedy"], 2);
        let (_, mut played) = played(&plan, 2);
        assert_eq!(TournamentGames::doubt(&plan, &played), None);
        for kind in ForfeitKind::ALL {
            played.games[1].forfeit = Some(Forfeit::new(kind, "no"));
            let is_doubted = TournamentGames::doubt(&plan, &played).is_some();
            let is_seen_by_all = matches!(kind, ForfeitKind::Resigned | ForfeitKind::NoMove);
            assert_eq!(is_doubted, !is_seen_by_all, "{}", kind.word());
        }
    }

    #[test]
    fn a_strategy_without_a_clock_does_not_lose_on_time() {
        let plan = tournament("tictactoe", &["random", "greedy"], 2);
        let (batch, mut lying) = played(&plan, 1);
        let game = &mut lying.games[0];
        game.moves.truncate(2);
        game.costs[0].moves = 1;
        game.costs[1].moves = 1;
        game.forfeit = Some(Forfeit::new(ForfeitKind::Late, "5 s"));
        game.outcome = Outcome::Win(Player::Second);
        let error = verify(&plan, &batch, &lying).unwrap_err();
        assert!(error.contains("cannot forfeit by `time`"), "{error}");
    }
}
