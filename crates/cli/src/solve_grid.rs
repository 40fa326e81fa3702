//! `papan solve` for k-in-a-row games: exact values with certificates.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use papan_catalog::{AnyGame, AnyLine, GridSolution, ReplyProgress};
use papan_solve::{ClaimFile, SearchCheckpoint, ValueLimits};
use papan_strategies::{Clock as _, Context, Limits, Score, SystemClock, Watch, parse_time};
use papan_view::{Messages, json};

use crate::exit_code::UNDECIDED;
use crate::output::{self, fields_text};
use crate::progress::watched;

/// Options for k-in-a-row games.
#[derive(Args, Clone, Debug)]
pub(crate) struct GridOptions {
    /// Write a certificate for `papan check`; - is standard output (k in a row)
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
    /// Time limit, such as 30s or 5m (k in a row)
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub(crate) time: Option<Duration>,
    /// Continue from this file, and save the search there if it is stopped (k in a row)
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,
    /// Let workers (papan worker) decide whether the player to move wins, through this job server:
    /// nats://HOST:PORT, or local:N for N threads of this process (k in a row) [env: PAPAN_JOBS]
    #[arg(long, alias = "queue", value_name = "URL", conflicts_with = "resume")]
    pub(crate) jobs: Option<String>,
    /// Prove that every reply in this position loses, each with a certificate in this folder, and print a
    /// table; --time is the limit for each reply, and the search continues where it stopped (k in a row)
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["resume", "certificate"])]
    pub(crate) replies: Option<PathBuf>,
}

impl GridOptions {
    /// Returns whether an option is given that only this solver supports.
    pub(crate) fn are_given(&self) -> bool {
        self.certificate.is_some() || self.time.is_some() || self.resume.is_some()
    }
}

/// The proof search for k-in-a-row games and its settings.
pub(crate) struct GridSolver<'a> {
    pub(crate) options: &'a GridOptions,
    pub(crate) hash_mib: usize,
    pub(crate) threads: usize,
    pub(crate) watch: &'a Arc<Watch>,
    pub(crate) json: bool,
    pub(crate) words: Messages,
}

/// Approximate size of an entry of the transposition table, in bytes.
const ENTRY_BYTES: usize = 32;

impl GridSolver<'_> {
    /// Solves positions of a k-in-a-row game; `None` for another game or a finished one.
    pub(crate) fn solve_all(
        &self,
        game: &AnyGame,
        lines: &[Box<dyn AnyLine>],
    ) -> anyhow::Result<Option<ExitCode>> {
        let mut worst = 0;
        for line in lines {
            match self.solve(game, &**line)? {
                None => return Ok(None),
                Some(code) => worst = worst.max(code),
            }
            if self.watch.stop.is_stopped() {
                break;
            }
        }
        Ok(Some(ExitCode::from(worst)))
    }

    /// Solves one position and returns the exit code.
    fn solve(&self, game: &AnyGame, line: &dyn AnyLine) -> anyhow::Result<Option<u8>> {
        let position = line.position_text();
        let mut memory = match &self.options.resume {
            Some(path) => load_memory(path, game, &position)?,
            None => SearchCheckpoint::default(),
        };
        let limits = ValueLimits {
            // Four searches share the memory.
            positions: ((self.hash_mib << 20) / ENTRY_BYTES / 4).max(1_000),
            threads: self.threads,
            ..ValueLimits::default()
        };
        let started = SystemClock.now();
        let time = Limits {
            time: self.options.time,
            ..Limits::default()
        };
        let context = Context::default()
            .watched_by(self.watch)
            .limited(time, &SystemClock);
        let answer = watched(self.watch, game, self.words, || {
            let grid = game.as_grid()?;
            grid.solve(line, &limits, &mut memory, &context)
        });
        let Some(answer) = answer else {
            return Ok(None);
        };
        if let (Some(path), None) = (&self.options.resume, answer.value) {
            let bytes = memory.to_bytes(&game.name(), &position);
            output::write_file(path, &bytes)?;
        }
        let elapsed = SystemClock.now() - started;
        self.report(game, &position, &answer, elapsed)?;
        // Ctrl-C counts as a limit here, because bounds found so far are reported.
        Ok(Some(match answer.value {
            Some(_) => 0,
            None => UNDECIDED,
        }))
    }
}

fn load_memory(path: &Path, game: &AnyGame, position: &str) -> anyhow::Result<SearchCheckpoint> {
    match std::fs::read(path) {
        Ok(bytes) => SearchCheckpoint::parse(&bytes, &game.name(), position)
            .with_context(|| path.display().to_string()),
        // The file is created when the first search is stopped.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Ok(SearchCheckpoint::default())
        }
        Err(error) => Err(error).with_context(|| path.display().to_string()),
    }
}

/// Returns the localized claims of a certificate.
pub(crate) fn claims_text(file: &ClaimFile, words: Messages) -> String {
    let claim = |claim: &papan_solve::PositionClaim| {
        let key = if claim.kind.is_win() {
            "claim-wins"
        } else {
            "claim-draws"
        };
        let player = words.text(&format!("claim-player-{}", claim.player));
        words.with(key, [("player", player.into())])
    };
    file.claims.iter().map(claim).collect::<Vec<_>>().join(", ")
}

/// Describes how many replies to the most promising move are refuted.
fn replies_text(game: &AnyGame, answer: &GridSolution, words: Messages) -> Option<String> {
    let ReplyProgress { best, losing, open } = answer.replies.as_ref()?;
    let total = losing.len() + open.len();
    let key = if losing.is_empty() {
        "solve-replies-open"
    } else {
        "solve-replies"
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

impl GridSolver<'_> {
    /// Writes the certificate and prints the value.
    pub(crate) fn report(
        &self,
        game: &AnyGame,
        position: &str,
        answer: &GridSolution,
        elapsed: Duration,
    ) -> anyhow::Result<()> {
        let path = self.options.certificate.as_deref();
        if let (Some(path), Some(bytes)) = (path, &answer.certificate) {
            output::write_file(path, bytes)?;
        }
        let text = if self.json {
            self.as_json(game, position, answer, elapsed)
        } else {
            self.as_text(game, position, answer, elapsed)
        };
        output::print_beside(path, &text)?;
        Ok(())
    }

    /// Returns the name of the certificate file, if it was written.
    fn certificate(&self, answer: &GridSolution) -> Option<String> {
        let path = self.options.certificate.as_ref()?;
        answer.certificate.as_ref()?;
        Some(path.display().to_string())
    }

    fn as_json(
        &self,
        game: &AnyGame,
        position: &str,
        answer: &GridSolution,
        elapsed: Duration,
    ) -> String {
        let pv = json::moves(game, &answer.pv);
        let established = answer
            .established
            .as_ref()
            .map_or_else(Vec::new, json::CertificateClaim::all);
        let replies = answer.replies.as_ref();
        json::line(&json::Solution {
            game: game.name(),
            position: position.to_owned(),
            score: answer.value.map(Score::result).into(),
            best: pv.first().cloned(),
            pv,
            nodes: answer.nodes,
            seconds: elapsed.as_secs_f64(),
            established: Some(established),
            replies: replies.map(|replies| json::Replies {
                opening: game.format_move(replies.best),
                closed: json::moves(game, &replies.losing),
                open: json::moves(game, &replies.open),
            }),
            certificate: self.certificate(answer),
        })
    }

    fn as_text(
        &self,
        game: &AnyGame,
        position: &str,
        answer: &GridSolution,
        elapsed: Duration,
    ) -> String {
        let words = self.words;
        let first_to_move = position.ends_with('X');
        let verdict = match (answer.value, first_to_move) {
            (Some(0), _) => "solve-draw",
            (Some(1), true) | (Some(-1), false) => "solve-first-wins",
            (Some(_), _) => "solve-second-wins",
            (None, _) => "solve-unknown",
        };
        let established = match &answer.established {
            Some(file) => {
                let claims = claims_text(file, words);
                words.with("solve-established", [("claims", claims.into())])
            }
            None => words.text("solve-nothing"),
        };
        let score = match answer.value {
            Some(1) => "+1".into(),
            Some(value) => value.to_string(),
            None => "?".into(),
        };
        let pv = json::moves(game, &answer.pv);
        let mut text = format!("{}\n{established}\n", words.text(verdict));
        if let Some(replies) = replies_text(game, answer, words) {
            let _ = writeln!(text, "{replies}");
        }
        text += &fields_text(
            &[
                ("position", position.to_owned()),
                ("score", score),
                ("best", pv.first().cloned().unwrap_or("-".into())),
                ("line", pv.join(" ")),
                ("nodes", answer.nodes.to_string()),
                ("seconds", format!("{:.3}", elapsed.as_secs_f64())),
            ],
            words,
        );
        if let Some(file) = self.certificate(answer) {
            let values = [("file", file.into())];
            let _ = writeln!(text, "{}", words.with("solve-certificate", values));
        }
        if let (Some(path), None) = (&self.options.resume, answer.value) {
            let values = [("file", path.display().to_string().into())];
            let _ = writeln!(text, "{}", words.with("solve-kept", values));
        }
        text
    }
}
