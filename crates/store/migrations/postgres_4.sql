-- Jobs go through NATS JetStream (papan-jobs); see retired_queue.rs.
DROP TABLE refusals, results, jobs, workers, undertakings;
