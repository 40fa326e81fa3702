//! Proofs of strategies, compared with enumeration of every line.

use papan_rules::{
    Game, GameInfo, Grid, Line, Move, Othello, Outcome, Player, Symmetric, tictactoe,
};
use papan_solve::{Proof, ProveError, StrategyFactory, Verdict, prove};
use papan_strategies::{
    AlphaBeta, Automaton, BranchAndBound, Context, Decision, Expert, Greedy, GreedyPoints, Mcts,
    Minimax, NoMove, Perfect, Random, Strategy, TransitionTable, Turn, Watch,
};

type Board = Grid<u64>;

fn proof<G: Symmetric>(game: &G, factory: StrategyFactory<'_, G>, player: Player) -> Proof {
    prove(game, factory, player, &Watch::default()).unwrap()
}

/// Wins, draws, losses and the longest game, by enumeration.
#[derive(Default, Debug, PartialEq)]
struct Walked {
    results: [u128; 3],
    longest: usize,
    /// The shortest lost lines, in order.
    lost: Option<Vec<Move>>,
}

fn walk<G: Symmetric>(
    game: &G,
    strategy: &mut dyn Strategy<G>,
    player: Player,
    line: &Line<G>,
    walked: &mut Walked,
) {
    let pos = line.position();
    if let Some(outcome) = game.outcome(pos) {
        walked.results[(1 - outcome.value_for(player)) as usize] += 1;
        walked.longest = walked.longest.max(line.ply());
        let shorter = |lost: &Vec<Move>| line.ply() < lost.len();
        if outcome == Outcome::Win(player.other()) && walked.lost.as_ref().is_none_or(shorter) {
            walked.lost = Some(line.moves().to_vec());
        }
        return;
    }
    let mut moves: Vec<Move> = game.legal_moves(pos).collect();
    if game.turn(pos) == player {
        strategy
            .choices(Turn::new(game, line, &Context::default()), &mut moves)
            .unwrap();
    }
    for mv in moves {
        let mut next = line.clone();
        next.push(game, mv);
        walk(game, strategy, player, &next, walked);
    }
}

fn assert_like_enumeration<G: Symmetric>(game: &G, factory: StrategyFactory<'_, G>, name: &str) {
    for player in Player::BOTH {
        let mut walked = Walked::default();
        walk(game, &mut *factory(), player, &Line::new(game), &mut walked);
        let proof = proof(game, factory, player);
        let counted = Walked {
            results: [proof.wins, proof.draws, proof.losses],
            longest: proof.longest,
            lost: proof.losing_line.clone(),
        };
        assert_eq!(counted, walked, "{name} as {player}");
        assert_eq!(proof.lines, walked.results.iter().sum::<u128>());
    }
}

#[test]
fn every_strategy_has_the_counts_of_enumeration() {
    let game = tictactoe();
    assert_like_enumeration(
        &game,
        &|| Box::new(BranchAndBound::default()),
        "branch-and-bound",
    );
    assert_like_enumeration(&game, &|| Box::new(Greedy::default()), "greedy");
    assert_like_enumeration(
        &game,
        &|| Box::new(GreedyPoints::default()),
        "greedy-points",
    );
    assert_like_enumeration(&game, &|| Box::new(Expert::default()), "expert");
    assert_like_enumeration(&game, &|| Box::new(AlphaBeta::default()), "alphabeta");
    assert_like_enumeration(&game, &|| Box::new(Perfect::default()), "perfect");
    assert_like_enumeration(&game, &|| Box::new(Automaton::default()), "automaton");
    assert_like_enumeration(&game, &|| Box::new(Random::default()), "random");
}

#[test]
fn rectangular_boards_have_the_counts_of_enumeration() {
    for (sides, k) in [(&[4, 3][..], 3), (&[2, 5], 3), (&[2, 2, 2], 2), (&[9], 3)] {
        let game = Board::new(sides, k).unwrap();
        assert_like_enumeration(&game, &|| Box::new(BranchAndBound::default()), &game.name());
    }
}

#[test]
fn small_othello_is_proved() {
    let game = Othello::new(4).unwrap();
    let second = proof(&game, &|| Box::new(Perfect::default()), Player::Second);
    // The second player wins 4x4, whatever the first does.
    assert_eq!((second.verdict(), second.draws), (Verdict::NeverLoses, 0));
    let first = proof(&game, &|| Box::new(Perfect::default()), Player::First);
    assert_eq!(first.verdict(), Verdict::CanLose);
    assert_like_enumeration(
        &game,
        &|| {
            Box::new(AlphaBeta {
                depth: Some(1),
                ..Default::default()
            })
        },
        "alphabeta(depth=1)",
    );
}

/// A positional strategy that claims not to be one.
struct Hidden<S>(S);

impl<G: Game, S: Strategy<G>> Strategy<G> for Hidden<S> {
    fn choices(&mut self, turn: Turn<'_, G>, out: &mut Vec<Move>) -> Result<u64, NoMove> {
        let Turn {
            game,
            line,
            context,
        } = turn;
        self.0.choices(Turn::new(game, line, context), out)
    }
    fn decide(&mut self, turn: Turn<'_, G>) -> Result<Decision, NoMove> {
        let Turn {
            game,
            line,
            context,
        } = turn;
        self.0.decide(Turn::new(game, line, context))
    }
}

#[test]
fn the_graph_and_the_packed_count_agree() {
    let game = Board::new(&[4, 4], 4).unwrap();
    for player in Player::BOTH {
        let narrow = proof(&game, &|| Box::new(BranchAndBound::default()), player);
        let wide = proof(
            &game,
            &|| Box::new(Hidden(BranchAndBound::default())),
            player,
        );
        // The graph count visits dead positions as well.
        assert!(wide.positions > narrow.positions);
        let narrow = Proof {
            positions: wide.positions,
            ..narrow
        };
        assert_eq!(narrow, wide);
    }
}

#[test]
fn a_random_player_reaches_every_game_and_every_position() {
    let game = tictactoe();
    let proof = proof(&game, &|| Box::new(Random::default()), Player::First);
    assert_eq!((proof.lines, proof.positions), (255_168, 4_520));
}

#[test]
fn four_corners_have_four_times_the_lines_of_one() {
    let game = tictactoe();
    let all = proof(&game, &|| Box::new(Automaton::default()), Player::First);
    assert_eq!(all.verdict(), Verdict::NeverLoses);
    assert_eq!(all.lines % 4, 0);
    // The lines of one corner, by enumeration.
    let corner = Line::parse(&game, "1").unwrap();
    let mut walked = Walked::default();
    walk(
        &game,
        &mut Automaton::default(),
        Player::First,
        &corner,
        &mut walked,
    );
    assert_eq!(all.lines, 4 * walked.results.iter().sum::<u128>());
}

#[test]
fn a_table_without_a_row_is_reported_with_the_line() {
    let game = tictactoe();
    let table = || TransitionTable::parse("-o--------|2|7\n-o--------|3|9").unwrap();
    let factory = || -> Box<dyn Strategy<Board>> { Box::new(Automaton::new(table())) };
    let found = prove(&game, &factory, Player::First, &Watch::default());
    let Err(ProveError::NoAnswer { line, .. }) = found else {
        panic!("{found:?}");
    };
    assert_eq!(line.len(), 2);
}

#[test]
fn a_stopped_proof_returns_an_error() {
    let game = tictactoe();
    let watch = Watch::default();
    watch.stop.stop();
    let minimax = || -> Box<dyn Strategy<Board>> { Box::new(Minimax::default()) };
    let found = prove(&game, &minimax, Player::First, &watch);
    assert_eq!(found, Err(ProveError::Stopped));
}

#[test]
fn a_randomised_search_is_proved_only_with_a_fixed_seed() {
    let with = |seed: Option<u64>| {
        let mcts = move || -> Box<dyn Strategy<Board>> {
            Box::new(Mcts {
                playouts: Some(30),
                seed,
            })
        };
        prove(&tictactoe(), &mcts, Player::Second, &Watch::default())
    };
    assert_eq!(with(None), Err(ProveError::Random));
    // A strategy that holds with one seed can lose with another.
    let losses: Vec<u128> = (1..4)
        .map(|seed| with(Some(seed)).unwrap().losses)
        .collect();
    assert!(
        losses.windows(2).any(|pair| pair[0] != pair[1]),
        "{losses:?}"
    );
    // Random lists every legal move, so it is proved over all of its choices.
    let random = || -> Box<dyn Strategy<Board>> { Box::new(Random::default()) };
    assert_eq!(proof(&tictactoe(), &random, Player::Second).lines, 255_168);
}

#[test]
fn more_lines_than_128_bits_can_count_are_refused() {
    // On 58 cells in a row no player gets all 58, so there are 57!! ways to fill them.
    let lines = |cells: usize| {
        let game = Board::new(&[cells], cells).unwrap();
        let factory = || -> Box<dyn Strategy<Board>> { Box::new(BranchAndBound::default()) };
        prove(&game, &factory, Player::First, &Watch::default()).map(|proof| proof.lines)
    };
    let odd = |cells: u128| (1..cells).rev().step_by(2).product();
    assert_eq!(lines(20), Ok(odd(20)));
    assert_eq!(lines(60), Err(ProveError::TooManyLines));
}

#[test]
fn a_proof_that_needs_more_memory_than_allowed_is_refused() {
    let game = Board::new(&[4, 4], 4).unwrap();
    let proof = |mebibytes| {
        let factory = || Box::new(BranchAndBound::default()) as Box<dyn Strategy<Board>>;
        prove(
            &game,
            &factory,
            Player::Second,
            &Watch::with_memory_limit(mebibytes),
        )
    };
    assert!(matches!(proof(0), Err(ProveError::TooLarge { .. })));
    assert_eq!(proof(1 << 10).unwrap().lines, 8_092_238);
}
