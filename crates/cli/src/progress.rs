//! Progress bars, time limits and Ctrl-C for commands that take long.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use papan_catalog::AnyGame;
use papan_rules::Player;
use papan_strategies::{Progress, StepKind, StopToken, Watch};
use papan_view::{Messages, score};

use crate::exit_code::INTERRUPTED;

/// The stop token that Ctrl-C triggers.
static CURRENT: OnceLock<Mutex<StopToken>> = OnceLock::new();

fn lock(token: &Mutex<StopToken>) -> MutexGuard<'_, StopToken> {
    token.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes Ctrl-C trigger this stop token; a second Ctrl-C exits at once.
pub(crate) fn stop_on_interrupt(stop: &StopToken) {
    if let Some(current) = CURRENT.get() {
        *lock(current) = stop.clone();
        return;
    }
    CURRENT.get_or_init(|| Mutex::new(stop.clone()));
    // If no handler can be set, Ctrl-C exits at once. That is safe: files are written atomically.
    let _ = papan_os::watch_interrupts(|| {
        let Some(current) = CURRENT.get() else { return };
        let stop = lock(current);
        if stop.is_stopped() {
            std::process::exit(INTERRUPTED.into());
        }
        stop.stop();
    });
}

/// Runs `work` and triggers `stop` when the time limit is reached. Also returns whether it was.
pub(crate) fn within<T>(
    time: Option<Duration>,
    stop: &StopToken,
    work: impl FnOnce() -> T,
) -> (T, bool) {
    let Some(time) = time else {
        return (work(), false);
    };
    let (done, waiting) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        let timer = scope.spawn(move || {
            let timed_out = waiting.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
            if timed_out {
                stop.stop();
            }
            timed_out
        });
        let result = work();
        drop(done);
        (result, timer.join().unwrap_or(false))
    })
}

/// Runs `work` with a progress bar on standard error, if that is a terminal, and lets Ctrl-C stop
/// it.
pub(crate) fn watched<T>(
    watch: &Arc<Watch>,
    game: &AnyGame,
    words: Messages,
    work: impl FnOnce() -> T,
) -> T {
    stop_on_interrupt(&watch.stop);
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
    let finished = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| draw(&bar, watch, game, words, &finished));
        let result = work();
        finished.store(true, Ordering::Relaxed);
        result
    })
}

fn draw(bar: &ProgressBar, watch: &Watch, game: &AnyGame, words: Messages, finished: &AtomicBool) {
    const POLL_INTERVAL: Duration = Duration::from_millis(5);
    /// Work that is done sooner shows no bar.
    const DELAY: Duration = Duration::from_millis(300);
    let mut waited = Duration::ZERO;
    while !finished.load(Ordering::Relaxed) {
        std::thread::sleep(POLL_INTERVAL);
        waited += POLL_INTERVAL;
        if waited < DELAY || bar.is_hidden() {
            continue;
        }
        let progress = watch.progress();
        bar.set_style(style(&progress));
        if let Some(part) = progress.part {
            bar.set_length(part.total.max(1));
            bar.set_position(part.done);
        }
        bar.set_message(text(&progress, bar.elapsed(), game, words));
        bar.tick();
        std::thread::sleep(Duration::from_millis(95));
    }
    bar.finish_and_clear();
}

/// A bar if the total is known, else a spinner.
fn style(progress: &Progress) -> ProgressStyle {
    let template = match progress.part {
        Some(_) => "{elapsed_precise} [{bar:30}] {msg}",
        None => "{elapsed_precise} {spinner} {msg}",
    };
    ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("=> ")
}

/// Returns the message beside the bar.
fn text(progress: &Progress, elapsed: Duration, game: &AnyGame, words: Messages) -> String {
    let mut parts = Vec::new();
    if progress.depth > 0 {
        let depth = progress.depth.to_string();
        parts.push(words.with("progress-depth", [("depth", depth.into())]));
    }
    let rate = progress.nodes as f64 / elapsed.as_secs_f64().max(0.001);
    let values = [
        ("nodes", progress.nodes.to_string().into()),
        ("rate", (rate as u64).to_string().into()),
    ];
    parts.push(words.with("progress-nodes", values));
    if let Some(score) = progress.score {
        let score = score::short(score, true);
        let next = progress.pv.first().map(|&mv| game.show_move(mv));
        parts.push(match next {
            Some(next) => format!("{next} {score}"),
            None => score,
        });
    }
    if !progress.open.is_empty() {
        let claim = |player: &Player| {
            let player = words.text(&format!("claim-player-{player}"));
            words.with("claim-wins", [("player", player.into())])
        };
        let claims: Vec<String> = progress.open.iter().map(claim).collect();
        parts.push(words.with("progress-open", [("claims", claims.join(", ").into())]));
    }
    if let Some(part) = progress.part {
        let key = match part.of {
            StepKind::Positions => "progress-positions",
            StepKind::Replies => "progress-replies",
            StepKind::Problems => "progress-problems",
            StepKind::Game => "progress-game",
            StepKind::Games => "progress-games",
            StepKind::Bytes => "progress-bytes",
        };
        let values = [
            ("done", part.done.to_string().into()),
            ("total", part.total.to_string().into()),
        ];
        parts.push(words.with(key, values));
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_rules::Move;
    use papan_strategies::{Score, StepProgress};
    use papan_view::Language;

    fn message(progress: &Progress, language: Language) -> String {
        let game: AnyGame = "othello".parse().unwrap();
        text(
            progress,
            Duration::from_secs(2),
            &game,
            Messages::new(language),
        )
    }

    #[test]
    fn the_message_of_every_kind_of_work_is_localized() {
        let part = |of| {
            let (done, total) = (3, 8);
            Some(StepProgress { of, done, total })
        };
        let search = Progress {
            depth: 12,
            nodes: 5_000,
            score: Some(Score::discs(4)),
            pv: vec![Move::on(19)],
            ..Progress::default()
        };
        let proof = Progress {
            depth: 5,
            nodes: 1_000,
            part: part(StepKind::Positions),
            ..Progress::default()
        };
        let value = Progress {
            depth: 2,
            nodes: 400,
            open: vec![Player::First, Player::Second],
            part: part(StepKind::Replies),
            ..Progress::default()
        };
        let suite = Progress {
            nodes: 60,
            part: part(StepKind::Problems),
            ..Progress::default()
        };
        let review = Progress {
            nodes: 60,
            part: part(StepKind::Game),
            ..Progress::default()
        };
        let all =
            |language| [&search, &proof, &value, &suite, &review].map(|p| message(p, language));
        assert_eq!(
            all(Language::English),
            [
                "depth 12, 5000 nodes, 2500/s, d3 +4",
                "depth 5, 1000 nodes, 500/s, 3 of 8 positions at this depth",
                "depth 2, 400 nodes, 200/s, open: the first player wins, \
                 the second player wins, 3 of 8 replies solved",
                "60 nodes, 30/s, 3 of 8 problems",
                "60 nodes, 30/s, 3 of 8 positions",
            ]
        );
        assert_eq!(
            all(Language::Indonesian),
            [
                "kedalaman 12, 5000 simpul, 2500/detik, d3 +4",
                "kedalaman 5, 1000 simpul, 500/detik, 3 dari 8 posisi pada kedalaman ini",
                "kedalaman 2, 400 simpul, 200/detik, terbuka: pemain pertama menang, \
                 pemain kedua menang, 3 dari 8 balasan terselesaikan",
                "60 simpul, 30/detik, 3 dari 8 soal",
                "60 simpul, 30/detik, 3 dari 8 posisi",
            ]
        );
    }
}
