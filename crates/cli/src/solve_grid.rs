//! `papan solve` for k in a row: values that come with proofs.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use papan_catalog::{AnyGame, AnyLine, GridSolution, ReplyProgress};
use papan_files::write_atomic;
use papan_solve::{ClaimFile, ClaimKind, SearchCheckpoint, ValueLimits};
use papan_strategies::{Clock as _, Context, Limits, Score, SystemClock, Watch, parse_time};
use papan_view::{Messages, json};

use crate::progress::watched;

/// What is for k in a row only.
#[derive(Args, Clone, Debug)]
pub(crate) struct GridOptions {
    /// Write the proof to a file that `papan check` verifies (k in a row)
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
    /// Stop after this time, such as 30s or 5m (k in a row)
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    time: Option<Duration>,
    /// Go on from this file, and keep there what was found when stopped (k in a row)
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Ask whether the player to move wins or the other at least draws, and let workers find out,
    /// through this database: postgres://USER@HOST/NAME (k in a row)
    #[arg(long, value_name = "URL", conflicts_with_all = ["time", "resume"])]
    pub(crate) queue: Option<String>,
}

impl GridOptions {
    /// Whether something was asked for that only this solver does.
    pub(crate) fn are_given(&self) -> bool {
        self.certificate.is_some() || self.time.is_some() || self.resume.is_some()
    }
}

/// What the solver may use.
pub(crate) struct Means<'a> {
    pub(crate) options: &'a GridOptions,
    pub(crate) hash_mib: usize,
    pub(crate) threads: usize,
    pub(crate) watch: &'a Arc<Watch>,
    pub(crate) json: bool,
    pub(crate) words: Messages,
}

/// The exit code of a value that is not known within the limits.
const UNKNOWN: u8 = 3;
/// Bytes that a remembered position takes, about.
const POSITION: usize = 32;

/// Solves positions of k in a row; `None` when the game is another one or is over.
pub(crate) fn solve_all(
    game: &AnyGame,
    lines: &[Box<dyn AnyLine>],
    means: &Means<'_>,
) -> anyhow::Result<Option<ExitCode>> {
    let mut worst = 0;
    for line in lines {
        match solve(game, &**line, means)? {
            None => return Ok(None),
            Some(code) => worst = worst.max(code),
        }
        if means.watch.stop.is_stopped() {
            break;
        }
    }
    Ok(Some(ExitCode::from(worst)))
}

/// Solves one; the exit code of its answer.
fn solve(game: &AnyGame, line: &dyn AnyLine, means: &Means<'_>) -> anyhow::Result<Option<u8>> {
    let position = line.position_text();
    let mut memory = match &means.options.resume {
        Some(path) => recall(path, game, &position)?,
        None => SearchCheckpoint::default(),
    };
    let limits = ValueLimits {
        // Four searches share the memory.
        positions: ((means.hash_mib << 20) / POSITION / 4).max(1_000),
        threads: means.threads,
        ..ValueLimits::default()
    };
    let began = SystemClock.now();
    let time = Limits {
        time: means.options.time,
        ..Limits::default()
    };
    let context = Context::default()
        .watched_by(means.watch)
        .limited(time, &SystemClock);
    let answer = watched(means.watch, game, means.words, || {
        let grid = game.as_grid()?;
        grid.solve(line, &limits, &mut memory, &context)
    });
    let Some(answer) = answer else {
        return Ok(None);
    };
    let certificate = means.options.certificate.as_deref();
    if let (Some(path), Some(bytes)) = (certificate, &answer.certificate) {
        write_atomic(path, bytes).with_context(|| path.display().to_string())?;
    }
    if let (Some(path), None) = (&means.options.resume, answer.value) {
        let bytes = memory.to_bytes(&game.name(), &position);
        write_atomic(path, &bytes).with_context(|| path.display().to_string())?;
    }
    let elapsed = SystemClock.now() - began;
    print(game, &position, &answer, elapsed, means)?;
    // Whatever ended it, Ctrl-C too: what was established is in the answer.
    Ok(Some(match answer.value {
        Some(_) => 0,
        None => UNKNOWN,
    }))
}

fn recall(path: &Path, game: &AnyGame, position: &str) -> anyhow::Result<SearchCheckpoint> {
    match std::fs::read(path) {
        Ok(bytes) => SearchCheckpoint::parse(&bytes, &game.name(), position)
            .with_context(|| path.display().to_string()),
        // The first time there is nothing to go on from.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Ok(SearchCheckpoint::default())
        }
        Err(error) => Err(error).with_context(|| path.display().to_string()),
    }
}

/// What was established, for a person.
pub(crate) fn claims_text(file: &ClaimFile, words: Messages) -> String {
    let claim = |claim: &papan_solve::PositionClaim| {
        let key = match claim.kind {
            ClaimKind::Wins => "claim-wins",
            _ => "claim-draws",
        };
        let player = words.text(&format!("claim-player-{}", claim.player));
        words.with(key, [("player", player.into())])
    };
    file.claims.iter().map(claim).collect::<Vec<_>>().join(", ")
}

/// Which replies to the most promising move are closed.
fn replies_text(game: &AnyGame, answer: &GridSolution, words: Messages) -> Option<String> {
    let ReplyProgress { best, losing, open } = answer.replies.as_ref()?;
    let total = losing.len() + open.len();
    let key = match losing.is_empty() {
        true => "solve-replies-open",
        false => "solve-replies",
    };
    let percent = 100 * losing.len() / total.max(1);
    let values = [
        ("move", game.show_move(*best).into()),
        ("closed", losing.len().to_string().into()),
        ("total", total.to_string().into()),
        ("percent", percent.to_string().into()),
        ("moves", json::moves(game, losing).join(" ").into()),
    ];
    Some(words.with(key, values))
}

fn print(
    game: &AnyGame,
    position: &str,
    answer: &GridSolution,
    elapsed: Duration,
    means: &Means<'_>,
) -> anyhow::Result<()> {
    let words = means.words;
    let pv = json::moves(game, &answer.pv);
    let seconds = elapsed.as_secs_f64();
    let certificate = means.options.certificate.as_ref();
    let certificate = certificate.filter(|_| answer.certificate.is_some());
    let certificate = certificate.map(|path| path.display().to_string());
    let mut out = std::io::stdout().lock();
    if means.json {
        let form = json::Solution {
            game: game.name(),
            position: position.to_owned(),
            score: answer.value.map(Score::result).into(),
            best: pv.first().cloned(),
            pv,
            nodes: answer.nodes,
            seconds,
            established: Some(
                answer
                    .established
                    .as_ref()
                    .map_or_else(Vec::new, json::CertificateClaim::all),
            ),
            replies: answer.replies.as_ref().map(|replies| json::Replies {
                opening: game.format_move(replies.best),
                closed: json::moves(game, &replies.losing),
                open: json::moves(game, &replies.open),
            }),
            certificate,
        };
        write!(out, "{}", json::line(&form))?;
        return Ok(());
    }
    let first_to_move = position.ends_with('X');
    let verdict = match (answer.value, first_to_move) {
        (Some(0), _) => "solve-draw",
        (Some(1), true) | (Some(-1), false) => "solve-first-wins",
        (Some(_), _) => "solve-second-wins",
        (None, _) => "solve-unknown",
    };
    writeln!(out, "{}", words.text(verdict))?;
    match &answer.established {
        Some(file) => {
            let claims = claims_text(file, words);
            writeln!(
                out,
                "{}",
                words.with("solve-established", [("claims", claims.into())])
            )?;
        }
        None => writeln!(out, "{}", words.text("solve-nothing"))?,
    }
    if let Some(text) = replies_text(game, answer, words) {
        writeln!(out, "{text}")?;
    }
    writeln!(out, "position  {position}")?;
    let score = match answer.value {
        Some(1) => "+1".into(),
        Some(value) => value.to_string(),
        None => "?".into(),
    };
    writeln!(out, "score     {score}")?;
    writeln!(out, "best      {}", pv.first().map_or("-", String::as_str))?;
    writeln!(out, "line      {}", pv.join(" "))?;
    writeln!(out, "nodes     {}", answer.nodes)?;
    writeln!(out, "seconds   {seconds:.3}")?;
    if let Some(file) = certificate {
        writeln!(
            out,
            "{}",
            words.with("solve-certificate", [("file", file.into())])
        )?;
    }
    if let (Some(path), None) = (&means.options.resume, answer.value) {
        let file = path.display().to_string();
        writeln!(out, "{}", words.with("solve-kept", [("file", file.into())]))?;
    }
    Ok(())
}
