//! The command line: all commands and the options they share.

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};
use papan_othello::CodePath;

use crate::terminal_style::Appearance;
use crate::{
    arena, automaton, bench, book, check, convert, count, demo, engine, exit_code, explain, games,
    grade, jobs, league, list, manual, perft, play, prove, puzzles, review, solve, trace, worker,
};
#[cfg(feature = "serve")]
use crate::{serve, store};

/// Play, solve and prove tic-tac-toe on any board, gomoku and Othello.
#[derive(Debug, Parser)]
#[command(name = "papan", version = version(), about, long_about = None, after_help = after_help())]
pub(crate) struct Papan {
    #[command(flatten)]
    appearance: Appearance,
    #[command(subcommand)]
    command: Option<Command>,
}

/// Returns the version, the instruction set in use, and the commit where it is known.
fn version() -> &'static str {
    /// The build script sets `PAPAN_BUILD`.
    macro_rules! version {
        ($code:literal) => {
            concat!(
                env!("CARGO_PKG_VERSION"),
                " (",
                $code,
                env!("PAPAN_BUILD"),
                ")"
            )
        };
    }
    match papan_othello::code_path() {
        CodePath::Avx512 => version!("AVX2+BMI2, AVX-512"),
        CodePath::Avx2 => version!("AVX2+BMI2"),
        CodePath::Portable => version!("portable"),
    }
}

fn after_help() -> String {
    let codes = exit_code::MEANINGS.map(|(code, meaning)| format!("\n  {code:<3}  {meaning}"));
    format!(
        "Without a command, papan asks for a game and an opponent and starts to play.\n\n\
         Exit status:{}",
        codes.concat()
    )
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play against a strategy or another person, or watch two strategies
    Play(play::PlayArgs),
    /// Run matches and tournaments, with Elo ratings and confidence intervals
    Arena(Box<arena::ArenaArgs>),
    /// Run as an engine for another program (GTP, UGI, Piskvork, NBoard), or test an engine
    Engine(engine::EngineArgs),
    /// List games, strategies and their parameters
    List(list::ListArgs),
    /// Show how a strategy scores every move and why it chooses one
    Explain(explain::ExplainArgs),
    /// Show the run of a strategy step by step, with its pseudo-code
    Trace(trace::TraceArgs),
    /// Play a strategy against every possible opponent to prove that it never loses
    Prove(prove::ProveArgs),
    /// Show the worked examples of the documents
    Demo(demo::DemoArgs),
    /// Grade programs of students with the tests of an assignment
    Grade(grade::GradeArgs),
    /// Run a round robin of programs of students, with ratings and a page of their games
    League(league::LeagueArgs),
    /// Verify a certificate independently of the program that wrote it
    Check(check::CheckArgs),
    /// Compute the exact value and the best line of a position
    Solve(solve::SolveArgs),
    /// Benchmark perft, endgame solving and strategies, and print a signature
    Bench(bench::BenchArgs),
    /// Compile, check, minimize and draw strategies as finite automata
    Automaton(automaton::AutomatonArgs),
    /// Count the positions, games and final positions of a game, also up to symmetry
    Count(count::CountArgs),
    /// Count move paths of a given depth; a pass counts as one ply
    Perft(perft::PerftArgs),
    /// Analyse a played game: scores, mistakes and better moves
    Review(review::ReviewArgs),
    /// Convert games and positions between file formats
    Convert(convert::ConvertArgs),
    /// Search game collections by player, year, opening or position
    Games(games::GamesArgs),
    /// Solve, list, generate and check puzzles
    Puzzles(puzzles::PuzzlesArgs),
    /// Show, extend or build the Othello opening book
    Book(book::BookArgs),
    /// Serve the games in a web browser
    #[cfg(feature = "serve")]
    Serve(serve::ServeArgs),
    /// Copy a server's database to another database
    #[cfg(feature = "serve")]
    Store(store::StoreArgs),
    /// Run jobs of a job server (tournament games, proof leaves, self-play, analyses)
    Worker(worker::WorkerArgs),
    /// Show the groups, workers and failed jobs of a job server
    Jobs(jobs::JobsArgs),
    /// Print a man page (roff)
    Man(manual::ManArgs),
    /// Print a shell completion script
    Completions(manual::CompletionsArgs),
}

impl Papan {
    /// Runs the command and returns its exit code.
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let appearance = &self.appearance;
        match self.command {
            None => play::ask_and_play(appearance),
            Some(Command::Play(args)) => play::run(args, appearance),
            Some(Command::Arena(args)) => arena::run(&args, appearance.words()),
            Some(Command::Engine(args)) => engine::run(args, appearance.words()),
            Some(Command::List(args)) => list::run(&args, appearance),
            Some(Command::Explain(args)) => explain::run(&args, appearance),
            Some(Command::Trace(args)) => trace::run(&args, appearance),
            Some(Command::Prove(args)) => prove::run(&args, appearance),
            Some(Command::Demo(args)) => demo::run(&args, appearance),
            Some(Command::Grade(args)) => grade::run(&args, appearance),
            Some(Command::League(args)) => league::run(&args, appearance),
            Some(Command::Check(args)) => check::run(&args, appearance),
            Some(Command::Solve(args)) => solve::run(&args, appearance),
            Some(Command::Bench(args)) => bench::run(&args, appearance),
            Some(Command::Automaton(args)) => automaton::run(&args, appearance),
            Some(Command::Count(args)) => count::run(&args, appearance),
            Some(Command::Perft(args)) => perft::run(&args, appearance),
            Some(Command::Review(args)) => review::run(&args, appearance),
            Some(Command::Convert(args)) => convert::run(&args, appearance.words()),
            Some(Command::Games(args)) => games::run(&args, appearance.words()),
            Some(Command::Puzzles(args)) => puzzles::run(&args, appearance),
            Some(Command::Book(args)) => book::run(&args, appearance),
            #[cfg(feature = "serve")]
            Some(Command::Serve(args)) => serve::run(&args, appearance.words()),
            #[cfg(feature = "serve")]
            Some(Command::Store(args)) => store::run(&args),
            Some(Command::Worker(args)) => worker::run(&args),
            Some(Command::Jobs(args)) => jobs::run(&args),
            Some(Command::Man(args)) => manual::man(&args, Self::command(), appearance.words()),
            Some(Command::Completions(args)) => manual::completions(&args, Self::command()),
        }
    }
}
