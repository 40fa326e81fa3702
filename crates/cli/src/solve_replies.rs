//! `papan solve --replies`: proves that each reply in a position loses, one job-level search per
//! reply, with certificates in a folder.
//!
//! A reply with a valid certificate is done. The results of the others are kept beside, so that they
//! continue. Before a search begins, the proofs of other replies are simulated.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use papan_analysis::leaf::{
    EarlierResults, JobLevelError, JobLevelObserver, JobLevelOptions, LeafRecord, prove_by_jobs,
};
use papan_catalog::{AnyGame, AnyGrid, AnyLine};
use papan_rules::{Move, Player};
use papan_solve::{ClaimFile, TreeSize};
use papan_view::Messages;

use crate::exit_code::{self, UNDECIDED};
use crate::job_server::{JobServer, command_line, cores, notice};
use crate::leaf_journal::LeafJournal;
use crate::output::{self, status};
use crate::solve_jobs::ROUNDS;

/// On larger boards a leaf is not searched for draws, because none has been proved.
const MAX_DRAW_CELLS: usize = 128;
/// Maximum number of replies that are searched at once. More of them keep more workers busy, since the
/// tree of a reply is kept by one thread; fewer of them share more proofs.
const MAX_AT_ONCE: usize = 8;

/// The proofs of the replies in a position.
pub(crate) struct Study<'a> {
    pub(crate) folder: &'a Path,
    /// The job server; this process if there is none.
    pub(crate) url: Option<String>,
    /// Time limit for each reply.
    pub(crate) time: Option<Duration>,
    pub(crate) words: Messages,
}

/// What is known about a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReplyState {
    /// The reply loses, with the bytes of the certificate.
    Loses(usize),
    /// The reply does not lose.
    Holds(usize),
    Open,
}

impl ReplyState {
    fn name(self) -> &'static str {
        match self {
            Self::Loses(_) => "loses",
            Self::Holds(_) => "at least draws",
            Self::Open => "open",
        }
    }

    /// Returns the bytes of the certificate.
    fn bytes(self) -> Option<usize> {
        match self {
            Self::Loses(bytes) | Self::Holds(bytes) => Some(bytes),
            Self::Open => None,
        }
    }
}

/// A row of the table.
#[derive(Clone, Debug)]
struct Row {
    reply: Move,
    state: ReplyState,
    jobs: usize,
}

/// What all searches share.
struct Searches<'a> {
    study: &'a Study<'a>,
    game: &'a AnyGame,
    grid: AnyGrid,
    line: &'a dyn AnyLine,
    server: JobServer,
    at_once: usize,
    /// Number of replies.
    total: usize,
    /// Replies that are not searched yet.
    waiting: Mutex<VecDeque<Move>>,
    /// Results of replies that are proved.
    proved: Mutex<Vec<LeafRecord>>,
    rows: Mutex<Vec<Row>>,
}

/// The files of a reply, and the position after it.
struct ReplyFiles {
    certificate: PathBuf,
    journal: LeafJournal,
    line: Box<dyn AnyLine>,
    position: String,
}

impl Study<'_> {
    /// Proves what it can and prints the table. Exit code 0 means that every reply loses.
    pub(crate) fn run(&self, game: &AnyGame, line: &dyn AnyLine) -> anyhow::Result<ExitCode> {
        let grid = game.as_grid();
        let grid = grid.filter(|_| line.outcome().is_none());
        let grid = grid.context("--replies requires an unfinished k-in-a-row game")?;
        std::fs::create_dir_all(self.folder).with_context(|| self.folder.display().to_string())?;
        let replies = grid.distinct_moves(line);
        let searches = Searches {
            at_once: (cores() / 2).clamp(1, MAX_AT_ONCE),
            study: self,
            total: replies.len(),
            game,
            line,
            server: JobServer::open(self.url.as_deref().unwrap_or("local"))?,
            waiting: Mutex::default(),
            proved: Mutex::default(),
            rows: Mutex::default(),
            grid,
        };
        for &reply in &replies {
            searches.look_up(reply)?;
        }
        let found: Vec<anyhow::Result<()>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..searches.at_once)
                .map(|_| scope.spawn(|| searches.search_all()))
                .collect();
            let joined = threads.into_iter().map(|thread| thread.join());
            joined
                .map(|found| found.expect("a search does not panic"))
                .collect()
        });
        let mut rows = std::mem::take(&mut *lock(&searches.rows));
        rows.sort_by_key(|row| replies.iter().position(|&reply| reply == row.reply));
        output::print(&self.table(game, &rows))?;
        found.into_iter().collect::<anyhow::Result<()>>()?;
        let open = rows.iter().any(|row| row.state == ReplyState::Open);
        if open {
            return Ok(ExitCode::from(UNDECIDED));
        }
        let all_lose = |row: &Row| matches!(row.state, ReplyState::Loses(_));
        Ok(exit_code::for_answer(rows.iter().all(all_lose)))
    }

    /// Returns the table in Markdown.
    fn table(&self, game: &AnyGame, rows: &[Row]) -> String {
        let heads = ["reply", "result", "certificate, bytes", "jobs"];
        let heads = heads.map(|head| self.words.phrase(head));
        let mut text = format!("| {} |\n|---|---|---|---|\n", heads.join(" | "));
        for row in rows {
            let bytes = row
                .state
                .bytes()
                .map_or_else(|| "–".into(), |n| n.to_string());
            let result = self.words.phrase(row.state.name());
            let reply = game.format_move(row.reply);
            let _ = writeln!(text, "| {reply} | {result} | {bytes} | {} |", row.jobs);
        }
        let lost = rows.iter();
        let lost = lost.filter(|row| matches!(row.state, ReplyState::Loses(_)));
        let values = [
            ("lost", lost.count().to_string().into()),
            ("total", rows.len().to_string().into()),
        ];
        let _ = writeln!(text, "\n{}", self.words.with("solve-replies-table", values));
        text
    }
}

impl Searches<'_> {
    fn files(&self, reply: Move) -> anyhow::Result<ReplyFiles> {
        let name = self.game.format_move(reply);
        let file = |ending: &str| self.study.folder.join(format!("{name}.{ending}"));
        let mut line = self.line.clone_line();
        line.play(reply).context(name.clone())?;
        let position = self.grid.position_text(&*line);
        let position = position.expect("the line belongs to the game");
        Ok(ReplyFiles {
            certificate: file("certificate"),
            journal: LeafJournal::open(&file("leaves"), &self.grid.name(), &position)?,
            line,
            position,
        })
    }

    /// Enters a reply that is proved already, or that ends the game; the others wait.
    fn look_up(&self, reply: Move) -> anyhow::Result<()> {
        let files = self.files(reply)?;
        let state = match files.line.outcome() {
            Some(outcome) if outcome.winner() == Some(files.line.turn()) => ReplyState::Loses(0),
            Some(_) => ReplyState::Holds(0),
            None => self.certified(&files)?,
        };
        if state == ReplyState::Open {
            lock(&self.waiting).push_back(reply);
            return Ok(());
        }
        let jobs = files.journal.jobs();
        lock(&self.proved).extend(files.journal.records.into_iter().next_back());
        lock(&self.rows).push(Row { reply, state, jobs });
        Ok(())
    }

    /// Returns what a certificate in the folder proves.
    fn certified(&self, files: &ReplyFiles) -> anyhow::Result<ReplyState> {
        let path = &files.certificate;
        let bytes = match std::fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(ReplyState::Open),
            read => read.with_context(|| path.display().to_string())?,
        };
        let checked = self.grid.check_claims(&bytes);
        let file = checked.with_context(|| path.display().to_string())?;
        anyhow::ensure!(
            file.game == self.grid.name() && file.position == files.position,
            "{}: this is a certificate of {} {}, not of {} {}",
            path.display(),
            file.game,
            file.position,
            self.grid.name(),
            files.position
        );
        Ok(state_of(&file, files.line.turn(), bytes.len()))
    }

    fn search_all(&self) -> anyhow::Result<()> {
        loop {
            let next = lock(&self.waiting).pop_front();
            let Some(reply) = next else { return Ok(()) };
            if self.server.stop.is_stopped() {
                let state = ReplyState::Open;
                let jobs = self.files(reply)?.journal.jobs();
                lock(&self.rows).push(Row { reply, state, jobs });
                continue;
            }
            let row = self.search(reply)?;
            let name = self.game.format_move(reply);
            let mut rows = lock(&self.rows);
            rows.push(row.clone());
            let is_done = |row: &&Row| row.state != ReplyState::Open;
            let done = rows.iter().filter(is_done).count();
            let result = self.study.words.phrase(row.state.name());
            let values = [
                ("move", name.into()),
                ("result", result.into()),
                ("jobs", row.jobs.to_string().into()),
                ("done", done.to_string().into()),
                ("total", self.total.to_string().into()),
            ];
            status(self.study.words.with("solve-reply-done", values));
        }
    }

    fn search(&self, reply: Move) -> anyhow::Result<Row> {
        let mut files = self.files(reply)?;
        let earlier = EarlierResults {
            leaves: std::mem::take(&mut files.journal.records),
            similar: lock(&self.proved).clone(),
        };
        let earlier_jobs = earlier.leaves.len();
        let mut keeper = ResultKeeper {
            journal: &mut files.journal,
            deadline: self.study.time.map(|time| Instant::now() + time),
        };
        let options = JobLevelOptions {
            connection: &self.server.connection,
            command: &command_line(),
            rounds: ROUNDS,
            wins_only: self.grid.cells() > MAX_DRAW_CELLS,
            at_once: self.at_once,
            notice: notice(),
            stop: &self.server.stop,
        };
        let found = prove_by_jobs(self.game, &*files.line, options, &earlier, &mut keeper);
        let found = match found {
            Err(JobLevelError::Stopped) => None,
            found => found.with_context(|| self.game.format_move(reply))?,
        };
        let jobs = earlier_jobs + files.journal.jobs();
        let Some(proof) = found else {
            let state = ReplyState::Open;
            return Ok(Row { reply, state, jobs });
        };
        output::write_file(&files.certificate, &proof.certificate)?;
        if let Some(result) = proof.result {
            files.journal.conclude(jobs, &result)?;
            lock(&self.proved).push(result);
        }
        let bytes = proof.certificate.len();
        let state = if proof.wins {
            ReplyState::Loses(bytes)
        } else {
            ReplyState::Holds(bytes)
        };
        Ok(Row { reply, state, jobs })
    }
}

/// Returns what a checked certificate says about a reply after which `attacker` is to move.
fn state_of(file: &ClaimFile, attacker: Player, bytes: usize) -> ReplyState {
    let claims = |player: Player, wins: bool| {
        let mut all = file.claims.iter();
        all.any(|claim| claim.player == player && claim.kind.is_win() == wins)
    };
    if claims(attacker, true) {
        ReplyState::Loses(bytes)
    } else if claims(attacker.other(), true) || claims(attacker.other(), false) {
        ReplyState::Holds(bytes)
    } else {
        ReplyState::Open
    }
}

/// Writes results to the journal, and ends the search at its deadline.
struct ResultKeeper<'a> {
    journal: &'a mut LeafJournal,
    deadline: Option<Instant>,
}

impl JobLevelObserver for ResultKeeper<'_> {
    fn results(&mut self, records: &[LeafRecord]) -> io::Result<()> {
        self.journal.append(records)
    }

    fn progress(&mut self, _: &TreeSize) -> ControlFlow<()> {
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
