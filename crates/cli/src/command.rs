//! The commands and what they share.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use papan_othello::CodePath;

use crate::terminal_style::Appearance;
use crate::{
    arena, automaton, bench, book, check, convert, count, engine, explain, games, jobs, list,
    manual, perft, play, prove, review, serve, solve, store, worker,
};

/// Plays, solves and proves tic-tac-toe on any board, and Othello.
#[derive(Debug, Parser)]
#[command(name = "papan", version = version(), about, long_about = None, after_help = AFTER_HELP)]
pub(crate) struct Papan {
    #[command(flatten)]
    appearance: Appearance,
    #[command(subcommand)]
    command: Option<Command>,
}

/// The version, and the code path in use.
fn version() -> &'static str {
    match papan_othello::code_path() {
        CodePath::Avx512 => concat!(env!("CARGO_PKG_VERSION"), " (AVX2+BMI2, AVX-512)"),
        CodePath::Avx2 => concat!(env!("CARGO_PKG_VERSION"), " (AVX2+BMI2)"),
        CodePath::Portable => concat!(env!("CARGO_PKG_VERSION"), " (portable)"),
    }
}

const AFTER_HELP: &str = "\
Without a command, papan asks for a game and an opponent, and plays.
Exit codes: 0 done, 1 the answer is no, 2 the input is wrong.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Play a game: against a strategy, a friend at this keyboard, or watch two strategies
    Play(play::PlayArgs),
    /// Play matches and tournaments, with ratings and honest intervals
    Arena(Box<arena::ArenaArgs>),
    /// Be an engine for somebody's program, or check one
    Engine(engine::EngineArgs),
    /// List every game, strategy and parameter
    List(list::ListArgs),
    /// Show a strategy's own numbers for every move, and why it chooses as it does
    Explain(explain::ExplainArgs),
    /// Play a strategy against every possible opponent: does it ever lose?
    Prove(prove::ProveArgs),
    /// Verify a certificate without trusting the prover
    Check(check::CheckArgs),
    /// Find the exact value of a position, and the best line
    Solve(solve::SolveArgs),
    /// Measure perft, endgames and strategies; prints a signature
    Bench(bench::BenchArgs),
    /// Strategies as finite automata, in the file format of document 000
    Automaton(automaton::AutomatonArgs),
    /// Count a game's positions, games and endings, also up to symmetry
    Count(count::CountArgs),
    /// Count move paths of a depth; a pass is one ply
    Perft(perft::PerftArgs),
    /// Look at a played game move by move: scores, mistakes, better moves
    Review(review::ReviewArgs),
    /// Turn games and positions from one kind of file into another
    Convert(convert::ConvertArgs),
    /// Search collections of games: by player, year, position
    Games(games::GamesArgs),
    /// The openings of Othello that the engine plays from: look, learn, make
    Book(book::BookArgs),
    /// Serve the games in a browser, for two people on two machines
    Serve(serve::ServeArgs),
    /// Copy what servers keep from one database to another
    Store(store::StoreArgs),
    /// Do what is in a queue: games of tournaments, leaves of proofs, on as many machines as wanted
    Worker(worker::WorkerArgs),
    /// Show a queue, who works on it, and what failed
    Jobs(jobs::JobsArgs),
    /// Print the manual page (roff)
    Man,
    /// Print completions for a shell
    Completions(manual::CompletionsArgs),
}

impl Papan {
    /// Does what was asked for.
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let appearance = &self.appearance;
        match self.command {
            None => play::ask_and_play(appearance),
            Some(Command::Play(args)) => play::run(args, appearance),
            Some(Command::Arena(args)) => arena::run(&args, appearance.words()),
            Some(Command::Engine(args)) => engine::run(args, appearance.words()),
            Some(Command::List(args)) => list::run(&args, appearance),
            Some(Command::Explain(args)) => explain::run(&args, appearance),
            Some(Command::Prove(args)) => prove::run(&args, appearance),
            Some(Command::Check(args)) => check::run(&args, appearance),
            Some(Command::Solve(args)) => solve::run(&args, appearance),
            Some(Command::Bench(args)) => bench::run(&args, appearance),
            Some(Command::Automaton(args)) => automaton::run(&args, appearance),
            Some(Command::Count(args)) => count::run(&args, appearance),
            Some(Command::Perft(args)) => perft::run(&args, appearance),
            Some(Command::Review(args)) => review::run(&args, appearance),
            Some(Command::Convert(args)) => convert::run(&args, appearance.words()),
            Some(Command::Games(args)) => games::run(&args, appearance.words()),
            Some(Command::Book(args)) => book::run(&args, appearance),
            Some(Command::Serve(args)) => serve::run(&args),
            Some(Command::Store(args)) => store::run(&args),
            Some(Command::Worker(args)) => worker::run(&args),
            Some(Command::Jobs(args)) => jobs::run(&args),
            Some(Command::Man) => manual::page(),
            Some(Command::Completions(args)) => manual::completions(&args),
        }
    }
}
