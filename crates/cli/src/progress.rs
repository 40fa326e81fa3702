//! A bar for long work, and Ctrl-C that ends it without leaving anything half done.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use papan_solve::Watch;
use papan_strategies::StopToken;
use papan_view::Words;

/// The exit code of work that Ctrl-C ended, as shells count it.
pub(crate) const INTERRUPTED: u8 = 130;

/// The work that Ctrl-C would end now.
static RUNNING: OnceLock<Mutex<StopToken>> = OnceLock::new();

/// Ctrl-C asks this work to stop; a second one ends the program.
pub(crate) fn stop_on_interrupt(stop: &StopToken) {
    if let Some(running) = RUNNING.get() {
        *running.lock().expect("nobody panics here") = stop.clone();
        return;
    }
    RUNNING.get_or_init(|| Mutex::new(stop.clone()));
    // Without a handler, Ctrl-C ends the program at once: files are whole even so.
    let _ = ctrlc::set_handler(|| {
        let Some(running) = RUNNING.get() else { return };
        let stop = running.lock().expect("nobody panics here");
        if stop.is_stopped() {
            std::process::exit(INTERRUPTED.into());
        }
        stop.stop();
    });
}

/// Does work that Ctrl-C can end, with a bar on the terminal while it lasts. The
/// bar is silent when nobody looks.
pub(crate) fn watched<T>(
    watch: &Arc<Watch>,
    shown: bool,
    words: Words,
    work: impl FnOnce() -> T,
) -> T {
    stop_on_interrupt(&watch.stop);
    let bar = ProgressBar::with_draw_target(
        None,
        if shown {
            ProgressDrawTarget::stderr_with_hz(10)
        } else {
            ProgressDrawTarget::hidden()
        },
    );
    let finished = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| draw(&bar, watch, words, &finished));
        let result = work();
        finished.store(true, Ordering::Relaxed);
        result
    })
}

fn draw(bar: &ProgressBar, watch: &Watch, words: Words, finished: &AtomicBool) {
    const STRIDE: Duration = Duration::from_millis(5);
    // Quick work shows no bar at all.
    let mut waited = Duration::ZERO;
    let template = "{elapsed_precise} [{bar:30}] {msg}";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.progress_chars("=> "));
    }
    while !finished.load(Ordering::Relaxed) {
        std::thread::sleep(STRIDE);
        waited += STRIDE;
        if waited < Duration::from_millis(300) || bar.is_hidden() {
            continue;
        }
        let far = watch.how_far();
        let rate = far.positions as f64 / bar.elapsed().as_secs_f64().max(0.001);
        bar.set_length(far.total.max(1));
        bar.set_position(far.done);
        bar.set_message(words.with(
            "prove-progress",
            [
                ("ply", far.ply.to_string().into()),
                ("positions", far.positions.to_string().into()),
                ("rate", (rate as u64).to_string().into()),
            ],
        ));
        std::thread::sleep(Duration::from_millis(95));
    }
    bar.finish_and_clear();
}
