//! Metrics in the OpenMetrics text format, for Prometheus.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

use crate::analysis::remote::RemoteMetrics;
use crate::game::event::Event;

/// Media type of the exposition.
pub(crate) const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Upper bounds of the response time histogram, in seconds.
const BUCKETS: [f64; 10] = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0];

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct StatusClass {
    class: &'static str,
}

/// Status classes by first digit.
const CLASSES: [&str; 5] = ["1xx", "2xx", "3xx", "4xx", "5xx"];

/// Values that are read when metrics are scraped.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Gauges {
    /// Games in memory.
    pub(crate) games: usize,
    /// Open event streams.
    pub(crate) streams: usize,
    /// Open connections.
    pub(crate) connections: usize,
    /// Queued moves and analyses.
    pub(crate) queued: [usize; 2],
    /// Remote workers and their jobs.
    pub(crate) remote: RemoteMetrics,
}

/// All metrics.
pub(crate) struct Metrics {
    registry: Registry,
    games: Counter,
    moves: Counter,
    events: Counter,
    expired: Counter,
    responses: Family<StatusClass, Counter>,
    response_seconds: Histogram,
    live_games: Gauge<u64, AtomicU64>,
    streams: Gauge<u64, AtomicU64>,
    connections: Gauge<u64, AtomicU64>,
    moves_waiting: Gauge<u64, AtomicU64>,
    analyses_waiting: Gauge<u64, AtomicU64>,
    worker_threads: Gauge<u64, AtomicU64>,
    jobs_submitted: Counter,
    jobs_failed: Counter,
    jobs_rejected: Counter,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut metrics = Self {
            registry: Registry::with_prefix("papan"),
            games: Counter::default(),
            moves: Counter::default(),
            events: Counter::default(),
            expired: Counter::default(),
            responses: Family::default(),
            response_seconds: Histogram::new(BUCKETS),
            live_games: Gauge::default(),
            streams: Gauge::default(),
            connections: Gauge::default(),
            moves_waiting: Gauge::default(),
            analyses_waiting: Gauge::default(),
            worker_threads: Gauge::default(),
            jobs_submitted: Counter::default(),
            jobs_failed: Counter::default(),
            jobs_rejected: Counter::default(),
        };
        let registry = &mut metrics.registry;
        registry.register("games", "Games created", metrics.games.clone());
        registry.register("moves", "Moves made", metrics.moves.clone());
        registry.register("events", "Events of games", metrics.events.clone());
        registry.register("games_expired", "Games expired", metrics.expired.clone());
        registry.register("rooms", "Games in memory", metrics.live_games.clone());
        registry.register("streams", "Open event streams", metrics.streams.clone());
        registry.register(
            "connections",
            "Open connections",
            metrics.connections.clone(),
        );
        registry.register(
            "engine_moves_waiting",
            "Moves queued for a search thread",
            metrics.moves_waiting.clone(),
        );
        registry.register(
            "engine_studies_waiting",
            "Analyses queued for a search thread",
            metrics.analyses_waiting.clone(),
        );
        registry.register(
            "worker_threads",
            "Jobs that remote workers run at once",
            metrics.worker_threads.clone(),
        );
        registry.register(
            "jobs_submitted",
            "Jobs submitted to remote workers",
            metrics.jobs_submitted.clone(),
        );
        registry.register(
            "jobs_failed",
            "Jobs that failed at remote workers",
            metrics.jobs_failed.clone(),
        );
        registry.register(
            "jobs_rejected",
            "False results of remote workers",
            metrics.jobs_rejected.clone(),
        );
        for class in CLASSES {
            // Creates the time series, so that it is 0 and not absent.
            drop(metrics.responses.get_or_create(&StatusClass { class }));
        }
        registry.register(
            "responses",
            "Responses by status class",
            metrics.responses.clone(),
        );
        registry.register(
            "response_seconds",
            "Time until a response began",
            metrics.response_seconds.clone(),
        );
        metrics
    }
}

impl Metrics {
    /// Counts a new game.
    pub(crate) fn game_created(&self) {
        self.games.inc();
    }

    /// Counts expired games.
    pub(crate) fn games_expired(&self, count: usize) {
        self.expired.inc_by(count as u64);
    }

    /// Counts an event.
    pub(crate) fn event(&self, event: &Event) {
        self.events.inc();
        if matches!(event, Event::Moved { .. }) {
            self.moves.inc();
        }
    }

    /// Counts a response.
    pub(crate) fn response(&self, status: u16, took: Duration) {
        let class = CLASSES[usize::from(status / 100).clamp(1, 5) - 1];
        self.responses.get_or_create(&StatusClass { class }).inc();
        self.response_seconds.observe(took.as_secs_f64());
    }

    /// Returns the exposition.
    #[must_use]
    pub(crate) fn encode(&self, gauges: Gauges) -> String {
        let [moves, analyses] = gauges.queued;
        self.live_games.set(gauges.games as u64);
        self.streams.set(gauges.streams as u64);
        self.connections.set(gauges.connections as u64);
        self.moves_waiting.set(moves as u64);
        self.analyses_waiting.set(analyses as u64);
        let RemoteMetrics { threads, counts } = gauges.remote;
        self.worker_threads.set(threads as u64);
        for (counter, count) in [
            (&self.jobs_submitted, counts.submitted),
            (&self.jobs_failed, counts.failed),
            (&self.jobs_rejected, counts.rejected),
        ] {
            counter.inner().store(count, Ordering::Relaxed);
        }
        let mut text = String::new();
        encode(&mut text, &self.registry).expect("writing to a string cannot fail");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Dashboards and alerts refer to these names.
    #[test]
    fn the_names_of_metrics_are_stable() {
        let metrics = Metrics::default();
        metrics.game_created();
        metrics.response(404, Duration::from_millis(3));
        let text = metrics.encode(Gauges {
            streams: 2,
            remote: RemoteMetrics {
                threads: 3,
                counts: papan_jobs::RequestCounts {
                    submitted: 5,
                    failed: 1,
                    rejected: 0,
                },
            },
            ..Gauges::default()
        });
        for line in [
            "papan_games_total 1",
            "papan_moves_total 0",
            "papan_events_total 0",
            "papan_games_expired_total 0",
            "papan_rooms 0",
            "papan_streams 2",
            "papan_connections 0",
            "papan_engine_moves_waiting 0",
            "papan_engine_studies_waiting 0",
            "papan_worker_threads 3",
            "papan_jobs_submitted_total 5",
            "papan_jobs_failed_total 1",
            "papan_jobs_rejected_total 0",
            "papan_responses_total{class=\"4xx\"} 1",
            "papan_responses_total{class=\"5xx\"} 0",
            "papan_response_seconds_bucket{le=\"0.002\"} 0",
            "papan_response_seconds_bucket{le=\"0.005\"} 1",
            "papan_response_seconds_bucket{le=\"+Inf\"} 1",
            "papan_response_seconds_count 1",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}: {text}");
        }
    }
}
