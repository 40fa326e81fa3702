//! What is counted, in the text form of Prometheus.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::game::event::Event;
use crate::state::AppState;

/// A number that only grows.
#[derive(Debug, Default)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    /// Adds to it.
    pub(crate) fn add(&self, more: u64) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }

    /// What it has come to.
    #[must_use]
    pub(crate) fn value(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Upper bounds of the histogram, in milliseconds.
const BOUNDS: [u64; 10] = [1, 2, 5, 10, 25, 50, 100, 250, 1000, 5000];

/// What is counted.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    /// Games that began.
    pub games: Counter,
    /// Moves that were made.
    pub moves: Counter,
    /// Events of any kind.
    pub events: Counter,
    /// Games that were forgotten.
    pub expired: Counter,
    /// Responses by the first digit of their status, from 1 to 5.
    responses: [Counter; 5],
    durations: [Counter; BOUNDS.len() + 1],
    microseconds: Counter,
}

impl Metrics {
    /// Counts an event.
    pub(crate) fn event(&self, event: &Event) {
        self.events.add(1);
        if matches!(event, Event::Moved { .. }) {
            self.moves.add(1);
        }
    }

    /// Counts a response.
    pub(crate) fn response(&self, status: u16, took: Duration) {
        let class = usize::from(status / 100).clamp(1, 5) - 1;
        self.responses[class].add(1);
        let millis = took.as_micros().div_ceil(1000) as u64;
        let bucket = BOUNDS.iter().position(|bound| millis <= *bound);
        self.durations[bucket.unwrap_or(BOUNDS.len())].add(1);
        self.microseconds.add(took.as_micros() as u64);
    }

    /// Everything as Prometheus reads it.
    #[must_use]
    pub(crate) fn text(&self, app: &AppState, connections: usize) -> String {
        let mut text = String::new();
        let mut one = |name: &str, kind: &str, help: &str, value: u64| {
            let _ = writeln!(
                text,
                "# HELP papan_{name} {help}\n# TYPE papan_{name} {kind}\npapan_{name} {value}"
            );
        };
        let (rooms, streams) = app.open_rooms();
        let [moves, studies] = app.pool.waiting();
        one(
            "games_total",
            "counter",
            "Games that began.",
            self.games.value(),
        );
        one(
            "moves_total",
            "counter",
            "Moves that were made.",
            self.moves.value(),
        );
        one(
            "events_total",
            "counter",
            "Events of games.",
            self.events.value(),
        );
        one(
            "games_expired_total",
            "counter",
            "Games that were forgotten.",
            self.expired.value(),
        );
        one("rooms", "gauge", "Games in memory.", rooms as u64);
        one("streams", "gauge", "Open event streams.", streams as u64);
        one(
            "connections",
            "gauge",
            "Open connections.",
            connections as u64,
        );
        one(
            "engine_moves_waiting",
            "gauge",
            "Moves that wait for a thread.",
            moves as u64,
        );
        one(
            "engine_studies_waiting",
            "gauge",
            "Studies that wait for a thread.",
            studies as u64,
        );
        text.push_str("# HELP papan_responses_total Responses by class of status.\n");
        text.push_str("# TYPE papan_responses_total counter\n");
        for (class, counter) in (1..).zip(&self.responses) {
            let value = counter.value();
            let _ = writeln!(text, "papan_responses_total{{class=\"{class}xx\"}} {value}");
        }
        self.histogram(&mut text);
        text
    }

    fn histogram(&self, text: &mut String) {
        let name = "papan_response_seconds";
        let _ = writeln!(text, "# HELP {name} Time until a response began.");
        let _ = writeln!(text, "# TYPE {name} histogram");
        let mut count = 0;
        for (bound, counter) in BOUNDS.iter().zip(&self.durations) {
            count += counter.value();
            let seconds = *bound as f64 / 1000.0;
            let _ = writeln!(text, "{name}_bucket{{le=\"{seconds}\"}} {count}");
        }
        count += self.durations[BOUNDS.len()].value();
        let sum = self.microseconds.value() as f64 / 1e6;
        let _ = writeln!(text, "{name}_bucket{{le=\"+Inf\"}} {count}");
        let _ = writeln!(text, "{name}_sum {sum}\n{name}_count {count}");
    }
}
