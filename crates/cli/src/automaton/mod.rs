//! `papan automaton`: strategies as finite automata, in the file format of
//! document 000.

mod findings;

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, Subcommand, ValueEnum};
use papan_catalog::{AnyGame, Family, Job, StrategySpec, Unplayable};
use papan_rules::{Move, Player};
use papan_solve::ProveError;
use papan_solve::automaton::{
    CompileError, Compiled, End, Machine, Minimized, MinimizedArc, MinimizedTarget, Side,
    SmallestError, compile, smallest,
};
use papan_strategies::{Table, Watch};
use papan_view::{Words, automaton_graph, json, wording};

use crate::game_file;
use crate::output::tell;
use crate::progress::{INTERRUPTED, watched};
use crate::prove::{factory, moves_text};
use crate::terminal_style::Appearance;

#[derive(Args, Debug)]
pub(crate) struct AutomatonArgs {
    #[command(subcommand)]
    command: AutomatonCommand,
}

#[derive(Debug, Subcommand)]
enum AutomatonCommand {
    /// Write any deterministic strategy on 3x3 as a table
    Compile(CompileArgs),
    /// Find what is wrong with a table, line by line, and whether it ever loses
    Check(FileArgs),
    /// Find the smallest machine that behaves as a table does
    Minimize(MinimizeArgs),
    /// Draw a table: states as small boards, transitions between them
    Draw(DrawArgs),
    /// Find a strategy that never loses, with the fewest positions to look up
    Smallest(SmallestArgs),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Seat {
    /// The computer begins
    First,
    /// The person begins
    Second,
}

impl Seat {
    const fn player(self) -> Player {
        match self {
            Self::First => Player::First,
            Self::Second => Player::Second,
        }
    }
    const fn side(self) -> Side {
        match self {
            Self::First => Side::Attack,
            Self::Second => Side::Defence,
        }
    }
}

#[derive(Args, Debug)]
struct CompileArgs {
    /// The game
    #[arg(long, value_name = "GAME", default_value = "tictactoe")]
    game: AnyGame,
    /// The strategy
    #[arg(long, value_name = "STRATEGY")]
    strategy: StrategySpec,
    /// The strategy's seat
    #[arg(long = "as", value_name = "SEAT")]
    seat: Seat,
    /// Where to write the table; without, to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Args, Debug)]
struct FileArgs {
    /// A table
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args, Debug)]
struct MinimizeArgs {
    #[command(flatten)]
    file: FileArgs,
    /// Also merge states that do the same on a turned board
    #[arg(long)]
    rotation: bool,
    /// Which side of the table, where it has two
    #[arg(long = "as", value_name = "SEAT")]
    seat: Option<Seat>,
}

#[derive(Args, Debug)]
struct DrawArgs {
    /// A table
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Write the picture here
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write a graph for Graphviz here
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Which side of the table, where it has two
    #[arg(long = "as", value_name = "SEAT")]
    seat: Option<Seat>,
}

#[derive(Args, Debug)]
struct SmallestArgs {
    /// The game
    #[arg(long, value_name = "GAME", default_value = "tictactoe")]
    game: AnyGame,
    /// The strategy's seat
    #[arg(long = "as", value_name = "SEAT")]
    seat: Seat,
    /// Where a first player opens; without, wherever it needs least
    #[arg(long, value_name = "MOVE")]
    opening: Option<String>,
    /// Where to write the list; without, to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) fn run(args: &AutomatonArgs, appearance: &Appearance) -> anyhow::Result<ExitCode> {
    let words = appearance.words();
    match &args.command {
        AutomatonCommand::Compile(args) => compile_table(args, words),
        AutomatonCommand::Check(args) => findings::run(args, words),
        AutomatonCommand::Minimize(args) => minimize_table(args, words),
        AutomatonCommand::Draw(args) => draw_table(args, words),
        AutomatonCommand::Smallest(args) => find_smallest(args, words),
    }
}

fn read(path: &Path, words: Words) -> anyhow::Result<Table> {
    let file = path.display();
    let text = game_file::text(&file.to_string(), words)?;
    Table::parse(&text).map_err(|cause| anyhow::anyhow!("{file}: {cause}"))
}

/// Writes a file whole, or to standard output.
fn deliver(path: Option<&Path>, text: &str) -> anyhow::Result<()> {
    match path {
        None => std::io::stdout().write_all(text.as_bytes())?,
        Some(path) => papan_files::write_whole(path, text.as_bytes())
            .map_err(|cause| anyhow::anyhow!("{}: {cause}", path.display()))?,
    }
    Ok(())
}

struct CompileJob<'a> {
    spec: &'a StrategySpec,
    player: Player,
    watch: &'a Watch,
}

impl Job for CompileJob<'_> {
    type Output = Result<Result<Compiled, CompileError>, Unplayable>;

    fn run<G: Family>(self, game: &Arc<G>) -> Self::Output {
        let factory = factory(game, self.spec)?;
        Ok(compile(&**game, &factory, self.player, self.watch))
    }
}

fn compile_table(args: &CompileArgs, words: Words) -> anyhow::Result<ExitCode> {
    let watch = Arc::new(Watch::default());
    let job = CompileJob {
        spec: &args.strategy,
        player: args.seat.player(),
        watch: &watch,
    };
    let made = watched(&watch, &args.game, words, || args.game.run(job));
    let made = made.map_err(|error| anyhow::anyhow!(wording::unplayable(words, &error)))?;
    let compiled = match made {
        Ok(compiled) => compiled,
        Err(CompileError::Prove(ProveError::Stopped)) => {
            tell(words.text("stopped"));
            return Ok(ExitCode::from(INTERRUPTED));
        }
        Err(error) => {
            let reason = refusal(&error, &args.game, words);
            let strategy = args.strategy.to_string();
            let values = [("strategy", strategy.into()), ("reason", reason.into())];
            anyhow::bail!(words.with("compile-refused", values));
        }
    };
    let mut text = format!(
        "# {} on {} as {}.\n# A row: flag after the reply, the board before the input | input | reply.\n",
        args.strategy,
        args.game.name(),
        args.seat.player(),
    );
    for (_, row) in compiled.table.rows() {
        let _ = writeln!(text, "{row}");
    }
    deliver(args.output.as_deref(), &text)?;
    report_compiled(args, &compiled, words);
    Ok(ExitCode::SUCCESS)
}

/// Says on standard error what was written and where the strategy itself would
/// answer otherwise.
fn report_compiled(args: &CompileArgs, compiled: &Compiled, words: Words) {
    let rows = compiled.table.rows().len().to_string();
    eprintln!("{}", words.with("compile-rows", [("rows", rows.into())]));
    if compiled.differences.is_empty() {
        eprintln!("{}", words.text("compile-same"));
        return;
    }
    let count = compiled.differences.len().to_string();
    eprintln!(
        "{}",
        words.with("compile-differs", [("count", count.into())])
    );
    for difference in &compiled.differences {
        let line = moves_text(&args.game, &difference.line);
        let values = [
            (
                "moves",
                if line.is_empty() {
                    "-".into()
                } else {
                    line.into()
                },
            ),
            ("table", moves_text(&args.game, &difference.table).into()),
            (
                "strategy",
                moves_text(&args.game, &difference.strategy).into(),
            ),
        ];
        eprintln!("  {}", words.with("compile-difference", values));
    }
}

fn refusal(error: &CompileError, game: &AnyGame, words: Words) -> String {
    match error {
        CompileError::Board(game) => words.with("compile-board", [("game", game.clone().into())]),
        CompileError::Random { line, moves } => words.with(
            "compile-draws-lots",
            [
                ("line", moves_text(game, line).into()),
                ("moves", moves_text(game, moves).into()),
            ],
        ),
        CompileError::Remembers { line } => words.with(
            "compile-remembers",
            [("line", moves_text(game, line).into())],
        ),
        CompileError::Prove(error) => error.to_string(),
    }
}

/// The side of a table that was asked for, or its only one.
fn machine(table: &Table, seat: Option<Seat>, words: Words) -> anyhow::Result<Machine> {
    let side = match (seat, &Side::of(table)[..]) {
        (Some(seat), _) => seat.side(),
        (None, [side, ..]) => *side,
        (None, []) => anyhow::bail!(words.text("inspect-no-start")),
    };
    Machine::of(table, side).ok_or_else(|| anyhow::anyhow!(words.text("automaton-other-side")))
}

fn minimize_table(args: &MinimizeArgs, words: Words) -> anyhow::Result<ExitCode> {
    let table = read(&args.file.file, words)?;
    let machine = machine(&table, args.seat, words)?;
    let small = machine.minimized(args.rotation);
    let mut out = std::io::stdout().lock();
    if args.file.json {
        let minimized = json::Minimized {
            before: json::Size {
                states: machine.count(),
                transitions: machine.arcs(),
            },
            after: json::Size {
                states: small.count(),
                transitions: small.arcs(),
            },
            rotation: args.rotation,
            transitions: transitions(&small),
        };
        write!(out, "{}", json::line(&minimized))?;
        return Ok(ExitCode::SUCCESS);
    }
    let line = |key: &str, states: usize, arcs: usize| {
        let values = [
            ("states", states.to_string().into()),
            ("transitions", arcs.to_string().into()),
        ];
        words.with(key, values)
    };
    writeln!(
        out,
        "{}",
        line("minimize-before", machine.count(), machine.arcs())
    )?;
    writeln!(
        out,
        "{}",
        line("minimize-after", small.count(), small.arcs())
    )?;
    write!(out, "\n{}", transition_table(&small))?;
    Ok(ExitCode::SUCCESS)
}

/// The transitions as programs read them.
fn transitions(small: &Minimized) -> Vec<json::Transition> {
    let cell = |cell: usize| (cell + 1).to_string();
    let states = small.states.iter().enumerate();
    let transition = |(state, arcs): (usize, &Vec<MinimizedArc>)| {
        let arcs = arcs.iter().map(move |arc| {
            let (next, turns, end) = match arc.target {
                MinimizedTarget::State { state, turns } => (Some(state + 1), turns, None),
                MinimizedTarget::End(End::Won) => (None, 0, Some("win")),
                MinimizedTarget::End(End::Draw) => (None, 0, Some("draw")),
                MinimizedTarget::End(End::Lost) => (None, 0, Some("loss")),
                MinimizedTarget::Stuck => (None, 0, Some("stuck")),
            };
            json::Transition {
                state: state + 1,
                input: cell(arc.input),
                reply: arc.reply.map(cell),
                next,
                turns,
                end,
            }
        });
        arcs.collect::<Vec<_>>()
    };
    states.flat_map(transition).collect()
}

/// The transitions as section D of the document prints them: a state per row, an
/// input per column, `4-win` for reply 4 and the end, `5-Q10` for reply 5 and on.
/// A quarter turn on the way is a `'`.
fn transition_table(small: &Minimized) -> String {
    let mut text = String::from("State");
    for input in 1..=9 {
        let _ = write!(text, "\t{input}");
    }
    text.push('\n');
    for (state, arcs) in small.states.iter().enumerate() {
        let _ = write!(text, "Q{}", state + 1);
        for input in 0..9 {
            let cell = arcs.iter().find(|arc| arc.input == input).map(|arc| {
                let reply = arc.reply.map_or("".into(), |cell| format!("{}-", cell + 1));
                match arc.target {
                    MinimizedTarget::State { state, turns } => {
                        format!("{reply}Q{}{}", state + 1, "'".repeat(turns as usize))
                    }
                    MinimizedTarget::End(End::Won) => format!("{reply}win"),
                    MinimizedTarget::End(End::Draw) => format!("{reply}draw"),
                    MinimizedTarget::End(End::Lost) => format!("{reply}loss"),
                    MinimizedTarget::Stuck => "?".into(),
                }
            });
            let _ = write!(text, "\t{}", cell.as_deref().unwrap_or("-"));
        }
        text.push('\n');
    }
    text
}

fn draw_table(args: &DrawArgs, words: Words) -> anyhow::Result<ExitCode> {
    let table = read(&args.file, words)?;
    let machine = machine(&table, args.seat, words)?;
    if args.svg.is_none() && args.dot.is_none() {
        anyhow::bail!(words.text("draw-nothing"));
    }
    let name = args.file.file_name().unwrap_or_default().to_string_lossy();
    if let Some(path) = &args.svg {
        deliver(Some(path), &automaton_graph::draw(&machine, &name, words))?;
    }
    if let Some(path) = &args.dot {
        deliver(Some(path), &automaton_graph::dot(&machine))?;
    }
    Ok(ExitCode::SUCCESS)
}

struct SmallestJob<'a> {
    player: Player,
    opening: Option<Move>,
    watch: &'a Watch,
}

impl Job for SmallestJob<'_> {
    type Output = Result<(String, usize, u64), SmallestError>;

    fn run<G: Family>(self, game: &Arc<G>) -> Self::Output {
        let found = smallest(&**game, self.player, self.opening, self.watch)?;
        Ok((found.text(&**game), found.answers.len(), found.tried))
    }
}

fn find_smallest(args: &SmallestArgs, words: Words) -> anyhow::Result<ExitCode> {
    let watch = Arc::new(Watch::default());
    let opening = match &args.opening {
        None => None,
        Some(text) => Some(
            args.game
                .parse_move(text)
                .map_err(|error| anyhow::anyhow!(wording::notation(words, &args.game, &error)))?,
        ),
    };
    let job = SmallestJob {
        player: args.seat.player(),
        opening,
        watch: &watch,
    };
    match watched(&watch, &args.game, words, || args.game.run(job)) {
        Ok((text, positions, tried)) => {
            deliver(args.output.as_deref(), &text)?;
            let values = [
                ("positions", positions.to_string().into()),
                ("tried", tried.to_string().into()),
            ];
            eprintln!("{}", words.with("smallest-found", values));
            Ok(ExitCode::SUCCESS)
        }
        Err(SmallestError::Stopped(_)) => {
            tell(words.text("stopped"));
            Ok(ExitCode::from(INTERRUPTED))
        }
        Err(SmallestError::Lost) => {
            tell(words.text("smallest-lost"));
            Ok(ExitCode::from(1))
        }
        Err(error) => anyhow::bail!("{error}"),
    }
}
