//! Guarantees to producers and workers, in process and over NATS.

mod kinds;
mod nats_server;

use std::time::Duration;

use kinds::{
    Broken, DEAF, ENDLESS, FAILS, Failing, Flaky, Honest, Lying, Newer, Number, PANICS, Said,
    Subtle, collect, connect, group, numbers, producer, until, worker,
};
use nats_server::NatsServer;
use papan_jobs::{
    AskError, Class, Connection, Digest, JobStatus, Notice, Overview, Payload as _, Requests,
};

/// Runs a test in process and over NATS.
fn both(test: impl Fn(&Connection)) {
    test(&Connection::local().unwrap());
    let server = NatsServer::start();
    test(&connect(&server.url()));
}

#[test]
fn each_job_has_one_result_however_often_it_is_submitted() {
    both(|connection| {
        let said = Said::default();
        let _worker = worker::<Honest>(connection, "one", 4);
        let mut squares = producer(connection, group("once", 1), &said);
        squares.submit(&numbers(200)).unwrap();
        squares.submit(&numbers(200)).unwrap();
        let results = collect(&mut squares, 200);
        assert_eq!(results.len(), 200);
        squares.submit(&numbers(200)).unwrap();
        assert_eq!(squares.in_flight(), 0);
        assert!(
            squares
                .results(Duration::from_millis(300))
                .unwrap()
                .is_empty()
        );
        // A coordinator that starts again gets all results without running a job again.
        let mut again = producer(connection, group("once", 1), &said);
        assert_eq!(collect(&mut again, 200).len(), 200);
        again.end().unwrap();
        assert_eq!(Overview::read(connection).unwrap().groups, []);
        assert!(said.all().is_empty(), "{:?}", said.all());
    });
}

#[test]
fn jobs_that_fail_panic_or_never_end_become_dead_letters() {
    both(|connection| {
        let said = Said::default();
        let _worker = worker::<Honest>(connection, "one", 3);
        let mut squares = producer(connection, group("dead", 1), &said);
        squares
            .submit(&[PANICS, FAILS, ENDLESS, Number(5)])
            .unwrap();
        collect(&mut squares, 1);
        until("three dead letters", || {
            Overview::read(connection).unwrap().dead_letters.len() == 3
        });
        until("the producer says so", || {
            let _ = squares.results(Duration::from_millis(100)).unwrap();
            said.contains("3 jobs of squares-")
        });
        let letters = Overview::read(connection).unwrap().dead_letters;
        for reason in ["panicked: thirteen", "fourteen", "time limit of 5 s"] {
            let found = letters.iter().find(|letter| letter.reason.contains(reason));
            assert_eq!(found.expect(reason).worker, "one");
        }
        // Retried, they fail again; dropped, they are gone.
        let (retried, dropped) = letters.split_at(1);
        connection.drop_letters(dropped).unwrap();
        connection.retry(retried).unwrap();
        until("one dead letter again", || {
            let letters = Overview::read(connection).unwrap().dead_letters;
            letters.len() == 1 && letters[0].key() == retried[0].key()
        });
        squares.end().unwrap();
        assert!(Overview::read(connection).unwrap().dead_letters.is_empty());
    });
}

#[test]
fn a_lying_worker_is_named_and_its_jobs_are_done_again() {
    both(|connection| {
        let said = Said::default();
        let _liar = worker::<Lying>(connection, "liar", 2);
        let _honest = worker::<Honest>(connection, "honest", 2);
        let mut squares = producer(connection, group("lies", 20), &said);
        squares.submit(&numbers(60)).unwrap();
        let results = collect(&mut squares, 60);
        assert!(results.values().all(|worker| worker == "honest"));
        assert!(
            said.contains("a result of worker liar is false"),
            "{:?}",
            said.all()
        );
        assert!(squares.false_results()["liar"] >= 3);
        // It was notified and leaves the group to others.
        until("the liar declines", || {
            let workers = Overview::read(connection).unwrap().workers;
            let liar = workers.iter().find(|worker| worker.name == "liar");
            liar.is_some_and(|liar| {
                liar.declined
                    .iter()
                    .any(|declined| declined.reason.contains("rejected results of this worker"))
            })
        });
        squares.end().unwrap();
    });
}

#[test]
fn the_right_results_of_a_distrusted_worker_are_refused() {
    both(|connection| {
        let said = Said::default();
        let liar = worker::<Lying>(connection, "liar", 1);
        let mut squares = producer(connection, group("distrust", 5), &said);
        squares.submit(&numbers(10)).unwrap();
        until("it is distrusted", || {
            assert_eq!(squares.results(Duration::from_millis(50)).unwrap().len(), 0);
            said.contains("worker liar is not trusted any more")
        });
        liar.drain();
        liar.join();
        // Another worker that has its name, or itself after a restart.
        let again = worker::<Honest>(connection, "liar", 1);
        let honest = worker::<Honest>(connection, "honest", 1);
        let results = collect(&mut squares, 10);
        assert!(results.values().all(|worker| worker == "honest"));
        for worker in [again, honest] {
            worker.drain();
            worker.join();
        }
    });
}

#[test]
fn two_servers_that_ask_for_the_same_jobs_run_each_once() {
    const JOBS: u64 = 150;
    both(|connection| {
        let one = worker::<Honest>(connection, "one", 2);
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let ask_for_all = || async {
            let group = group("once", 2);
            let notice = Notice::none();
            let requests =
                Requests::<kinds::Squares<Honest>>::begin(connection, group, "a test", notice);
            let requests = requests.await.unwrap();
            while requests.threads().await == 0 {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            let jobs: Vec<(Number, Class)> = numbers(JOBS)
                .into_iter()
                .map(|number| (number, Class::Page))
                .collect();
            loop {
                let mut is_done = true;
                // A review asks for some positions at a time.
                for some in jobs.chunks(8) {
                    let states = requests.poll(some).await.unwrap();
                    is_done &= states
                        .iter()
                        .all(|state| matches!(state, JobStatus::Done(_)));
                }
                if is_done {
                    return;
                }
            }
        };
        runtime.block_on(async {
            tokio::join!(ask_for_all(), ask_for_all());
        });
        one.drain();
        assert_eq!(one.join().done, JOBS);
    });
}

#[test]
fn results_that_only_look_right_are_found_by_computing_a_sample_again() {
    both(|connection| {
        let said = Said::default();
        let _liar = worker::<Subtle>(connection, "subtle", 1);
        let _honest = worker::<Honest>(connection, "honest", 1);
        let wide = kinds::Group {
            padding: 10,
            ..group("subtle", 5)
        };
        let mut squares = producer(connection, wide, &said).with_recheck(1.0);
        squares.submit(&numbers(40)).unwrap();
        let results = collect(&mut squares, 40);
        assert!(results.values().all(|worker| worker == "honest"));
        assert!(said.contains("worker subtle is false"), "{:?}", said.all());
        assert!(said.contains("computed again"), "{:?}", said.all());
    });
}

#[test]
fn a_failure_that_only_its_worker_saw_counts_after_a_second_run() {
    both(|connection| {
        let said = Said::default();
        // Its name makes the jobs new for each transport.
        let name = format!("flaky {}", connection.server());
        let flaky = worker::<Flaky>(connection, "flaky", 2);
        let mut squares = producer(connection, group(&name, 1), &said);
        squares.submit(&numbers(5)).unwrap();
        let mut results = Vec::new();
        while results.len() < 5 {
            results.extend(squares.results(Duration::from_secs(1)).unwrap());
        }
        assert!(results.iter().all(|result| !result.output.has_failed));
        let words = "worker flaky reported that a program failed; run again by worker flaky";
        assert!(said.contains(words), "{:?}", said.all());
        squares.end().unwrap();
        flaky.drain();
        assert_eq!(flaky.join().done, 10);
        // A worker that is alone confirms it; of two, one confirms the other.
        let mut squares = producer(connection, group("failing", 1), &said);
        squares.submit(&numbers(5)).unwrap();
        let one = worker::<Failing>(connection, "one", 1);
        let results = collect(&mut squares, 5);
        assert!(results.values().all(|worker| worker == "one"));
        one.drain();
        assert_eq!(one.join().done, 10);
        let three = worker::<Failing>(connection, "three", 1);
        let four = worker::<Failing>(connection, "four", 1);
        let more: Vec<Number> = (6..=10).map(Number).collect();
        squares.submit(&more).unwrap();
        assert_eq!(collect(&mut squares, 5).len(), 5);
        squares.end().unwrap();
        let runs = [three, four].map(|worker| {
            worker.drain();
            worker.join().done
        });
        assert!(runs.iter().sum::<u64>() >= 10, "{runs:?}");
    });
}

#[test]
fn workers_that_fail_at_every_job_are_named_and_another_runs_their_jobs() {
    both(|connection| {
        let said = Said::default();
        let broken = worker::<Broken>(connection, "broken", 2);
        let again = worker::<Broken>(connection, "broken again", 2);
        let honest = worker::<Honest>(connection, "honest", 1);
        let mut squares = producer(connection, group("broken", 100), &said);
        until("all can run its jobs", || {
            let workers = Overview::read(connection).unwrap().workers;
            let able = workers.iter().filter(|worker| !worker.routes.is_empty());
            able.count() == 3
        });
        squares.submit(&numbers(40)).unwrap();
        let results = collect(&mut squares, 40);
        assert!(results.values().all(|worker| worker == "honest"));
        for words in [
            "worker broken",
            " reported that a job failed: the memory is full; run again by worker honest, it has a",
        ] {
            assert!(said.contains(words), "{:?}", said.all());
        }
        assert!(squares.false_results()["broken"] >= 3);
        until("a broken one leaves the group", || {
            let workers = Overview::read(connection).unwrap().workers;
            let broken = workers.iter().find(|worker| worker.name == "broken");
            broken.is_some_and(|broken| !broken.declined.is_empty())
        });
        assert!(Overview::read(connection).unwrap().dead_letters.is_empty());
        squares.end().unwrap();
        for worker in [broken, again, honest] {
            worker.drain();
            worker.join();
        }
    });
}

#[test]
fn the_first_result_of_each_worker_is_computed_again() {
    both(|connection| {
        let said = Said::default();
        let subtle = worker::<Subtle>(connection, "subtle", 1);
        let wide = kinds::Group {
            padding: 10,
            ..group("first", 5)
        };
        // No other result is in a sample of this size.
        let mut squares = producer(connection, wide, &said).with_recheck(f64::MIN_POSITIVE);
        squares.submit(&numbers(40)).unwrap();
        until("the first result is found", || {
            assert_eq!(squares.results(Duration::from_millis(50)).unwrap().len(), 0);
            said.contains("worker subtle is not trusted any more")
        });
        let honest = worker::<Honest>(connection, "honest", 1);
        let results = collect(&mut squares, 40);
        assert!(results.values().all(|worker| worker == "honest"));
        squares.end().unwrap();
        for worker in [subtle, honest] {
            worker.drain();
            worker.join();
        }
    });
}

#[test]
fn urgent_jobs_start_before_bulk_jobs_that_wait() {
    const BULK: u64 = 400;
    both(|connection| {
        let said = Said::default();
        let _worker = worker::<Honest>(connection, "one", 1);
        let mut bulk = producer(connection, group("urgent", 200), &said);
        bulk.submit(&numbers(BULK)).unwrap();
        let counts = || Overview::read(connection).unwrap().groups[0].counts;
        until("bulk jobs run", || counts().done > 0);
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let group = group("urgent", 200);
            let requests = Requests::<kinds::Squares<Honest>>::begin(
                connection,
                group,
                "a test",
                Notice::none(),
            );
            let requests = requests.await.unwrap();
            for number in BULK + 1..=BULK + 5 {
                let job = Number(number);
                let square = requests.ask(&job, Class::Page, |_| {}).await;
                assert_eq!(square.unwrap().value, number * number);
            }
        });
        // In the order of their submission they would be the last.
        let done = counts().done;
        assert!(done < BULK / 2, "{done} jobs were done before");
        bulk.end().unwrap();
    });
}

#[test]
fn a_worker_of_another_version_takes_nothing_and_says_why() {
    both(|connection| {
        let said = Said::default();
        let _newer = worker::<Newer>(connection, "newer", 2);
        let mut squares = producer(connection, group("versions", 5), &said);
        squares.submit(&numbers(20)).unwrap();
        until("the newer one declines", || {
            let workers = Overview::read(connection).unwrap().workers;
            let newer = workers.iter().find(|worker| worker.name == "newer");
            newer.is_some_and(|newer| {
                let reason = newer
                    .declined
                    .first()
                    .map(|declined| declined.reason.as_str());
                newer.routes.is_empty()
                    && reason == Some("it needs version 1; this machine has version 2")
            })
        });
        let _honest = worker::<Honest>(connection, "honest", 2);
        let results = collect(&mut squares, 20);
        assert!(results.values().all(|worker| worker == "honest"));
    });
}

#[test]
fn closing_a_group_and_withdrawing_a_job_stop_what_runs() {
    both(|connection| {
        let said = Said::default();
        let running = |connection: &Connection| {
            let workers = Overview::read(connection).unwrap().workers;
            workers
                .iter()
                .map(|worker| worker.running.len())
                .sum::<usize>()
        };
        let _worker = worker::<Honest>(connection, "one", 1);
        let mut squares = producer(connection, group("stop", 1), &said);
        squares.submit(&[ENDLESS]).unwrap();
        until("it runs", || running(connection) == 1);
        squares.withdraw(&[ENDLESS]).unwrap();
        squares.submit(&[Number(2)]).unwrap();
        // Before its time limit, which would be a dead letter.
        collect(&mut squares, 1);
        assert!(Overview::read(connection).unwrap().dead_letters.is_empty());
        let endless = [ENDLESS];
        let mut second = producer(connection, group("stop again", 1), &said);
        second.submit(&endless).unwrap();
        until("it runs", || running(connection) == 1);
        second.end().unwrap();
        squares.submit(&[Number(3)]).unwrap();
        collect(&mut squares, 1);
        assert!(Overview::read(connection).unwrap().dead_letters.is_empty());
    });
}

#[test]
fn a_job_that_ignores_its_stop_becomes_a_dead_letter_and_the_rest_runs() {
    both(|connection| {
        let said = Said::default();
        let deaf = worker::<Honest>(connection, "deaf", 1);
        let mut squares = producer(connection, group("deaf", 1), &said);
        squares.submit(&[DEAF]).unwrap();
        until("a dead letter", || {
            let letters = Overview::read(connection).unwrap().dead_letters;
            let reason = letters.first().map(|letter| letter.reason.as_str());
            reason == Some("it exceeded its time limit of 5 s and did not stop")
        });
        // Its only thread is lost, so the worker leaves and others take the rest.
        deaf.join();
        squares.submit(&numbers(3)).unwrap();
        let _other = worker::<Honest>(connection, "other", 1);
        let results = collect(&mut squares, 3);
        assert!(results.values().all(|worker| worker == "other"));
        squares.end().unwrap();
    });
}

#[test]
fn a_producer_without_workers_says_so_and_ends_when_only_failed_jobs_are_left() {
    both(|connection| {
        let said = Said::default();
        let mut squares = producer(connection, group("alone", 1), &said);
        squares.submit(&[PANICS, FAILS, Number(5)]).unwrap();
        until("it says that there are none", || {
            assert_eq!(
                squares.results(Duration::from_millis(100)).unwrap().len(),
                0
            );
            said.contains("waiting for workers: none can run jobs of squares-")
        });
        let _worker = worker::<Honest>(connection, "one", 1);
        collect(&mut squares, 1);
        let mut failure = None;
        until("an error", || {
            failure = squares.results(Duration::from_millis(100)).err();
            failure.is_some()
        });
        let failure = failure.unwrap().to_string();
        for words in [
            "panicked: thirteen",
            "fourteen",
            &format!("`papan jobs --retry {}`", squares.name()),
        ] {
            assert!(failure.contains(words), "{failure}");
        }
        assert!(
            said.contains("workers run jobs of squares-"),
            "{:?}",
            said.all()
        );
        // The same command again tries the failed jobs again.
        let mut again = producer(connection, group("alone", 1), &said);
        again.submit(&[FAILS]).unwrap();
        until("one letter is dropped and comes again", || {
            let letters = Overview::read(connection).unwrap().dead_letters;
            again.results(Duration::from_millis(100)).is_err() && letters.len() == 2
        });
        again.end().unwrap();
    });
}

#[test]
fn withdrawing_all_jobs_stops_what_runs_and_keeps_results() {
    both(|connection| {
        let said = Said::default();
        let _worker = worker::<Honest>(connection, "one", 2);
        let mut squares = producer(connection, group("withdraw", 1), &said);
        squares.submit(&numbers(5)).unwrap();
        collect(&mut squares, 5);
        let mut long = numbers(40);
        long.retain(|number| number.0 > 5);
        long.push(ENDLESS);
        squares.submit(&[ENDLESS]).unwrap();
        until("it runs", || {
            let workers = Overview::read(connection).unwrap().workers;
            workers.iter().any(|worker| worker.running.len() == 1)
        });
        squares.submit(&long).unwrap();
        squares.withdraw_all().unwrap();
        until("nothing waits or runs", || {
            let overview = Overview::read(connection).unwrap();
            let workers = &overview.workers;
            overview.groups[0].counts.queued == 0
                && workers.iter().all(|worker| worker.running.is_empty())
        });
        let overview = Overview::read(connection).unwrap();
        assert!(overview.groups[0].counts.done >= 5);
        assert!(overview.dead_letters.is_empty());
        squares.end().unwrap();
    });
}

#[test]
fn a_client_that_only_reports_progress_loses_its_job() {
    let server = NatsServer::start();
    let connection = connect(&server.url());
    let said = Said::default();
    let mut squares = producer(&connection, group("progress", 1), &said);
    squares.submit(&numbers(1)).unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let url = server.url();
    let (taken, is_taken) = std::sync::mpsc::channel();
    runtime.spawn(async move {
        use futures_util::StreamExt as _;
        let client = async_nats::connect(url).await.unwrap();
        let context = async_nats::jetstream::new(client);
        let stream = context.get_stream("JOBS").await.unwrap();
        let mut names = stream.consumer_names();
        while let Some(name) = names.next().await {
            let name = name.unwrap();
            if !name.ends_with("-bulk") {
                continue;
            }
            let consumer = stream
                .get_consumer::<async_nats::jetstream::consumer::pull::Config>(&name)
                .await
                .unwrap();
            let mut messages = consumer.messages().await.unwrap();
            let job = messages.next().await.unwrap().unwrap();
            taken.send(()).unwrap();
            loop {
                let progress = async_nats::jetstream::AckKind::Progress;
                job.ack_with(progress).await.unwrap();
                tokio::time::sleep(Duration::from_secs(2)).await;
            }
        }
    });
    is_taken.recv_timeout(Duration::from_secs(30)).unwrap();
    let _honest = worker::<Honest>(&connection, "honest", 1);
    let results = collect(&mut squares, 1);
    assert!(results.values().all(|worker| worker == "honest"));
    let words = "a worker that is not in the list has held it for";
    assert!(said.contains(words), "{:?}", said.all());
}

#[test]
fn a_result_that_cannot_be_read_is_dropped_and_its_worker_named() {
    let server = NatsServer::start();
    let connection = connect(&server.url());
    let said = Said::default();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let (job, group) = (Number(7), group("unreadable", 1));
        let notice = said.notice();
        let requests =
            Requests::<kinds::Squares<Honest>>::begin(&connection, group, "a test", notice);
        let requests = requests.await.unwrap();
        let name = tokio::task::block_in_place(|| {
            Overview::read(&connection).unwrap().groups[0]
                .record
                .name
                .clone()
        });
        let client = async_nats::connect(server.url()).await.unwrap();
        let stored = async_nats::jetstream::new(client);
        let mut headers = async_nats::HeaderMap::new();
        headers.insert("Papan-Worker", "liar");
        headers.insert("Papan-Blob", "nothing");
        let subject = format!("results.{name}.{}", Digest::of(&job.to_bytes()));
        let sent = stored
            .publish_with_headers(subject, headers, "".into())
            .await;
        sent.unwrap().await.unwrap();
        let _honest = worker::<Honest>(&connection, "honest", 1);
        while requests.threads().await == 0 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let square = requests.ask(&job, Class::Page, |_| {}).await;
        assert_eq!(square.unwrap().value, 49);
    });
    let words = "a result of worker liar is false";
    assert!(said.contains(words), "{:?}", said.all());
}

#[test]
fn a_worker_that_drains_finishes_its_jobs_and_leaves_the_list() {
    both(|connection| {
        let said = Said::default();
        let first = worker::<Honest>(connection, "first", 2);
        let mut squares = producer(connection, group("drain", 50), &said);
        squares.submit(&numbers(40)).unwrap();
        let mut before = std::collections::BTreeMap::new();
        while before.len() < 4 {
            for result in squares.results(Duration::from_secs(1)).unwrap() {
                before.insert(result.job, result.worker);
            }
        }
        first.drain();
        let summary = first.join();
        assert!(summary.done >= 4);
        assert!(Overview::read(connection).unwrap().workers.is_empty());
        let _second = worker::<Honest>(connection, "second", 4);
        let rest = collect(&mut squares, 40 - before.len());
        let by_first = before.len() + rest.values().filter(|worker| *worker == "first").count();
        assert_eq!(
            by_first as u64, summary.done,
            "nothing it began was done again"
        );
    });
}

#[test]
fn a_group_with_more_workers_wants_more_jobs() {
    both(|connection| {
        let mut squares = producer(connection, group("ahead", 1), &Said::default());
        assert_eq!(squares.target_in_flight(), 8);
        let _worker = worker::<Honest>(connection, "wide", 10);
        until("ten threads", || squares.target_in_flight() == 30);
    });
}

#[test]
fn large_groups_and_results_travel_in_chunks() {
    both(|connection| {
        let said = Said::default();
        let large = kinds::Group {
            name: "large ".repeat(400_000),
            millis: 0,
            padding: 1_700_000,
        };
        let _worker = worker::<Honest>(connection, "one", 2);
        let mut squares = producer(connection, large, &said);
        squares.submit(&numbers(4)).unwrap();
        assert_eq!(collect(&mut squares, 4).len(), 4);
        squares.end().unwrap();
    });
}

#[test]
fn a_server_asks_for_single_jobs_and_learns_that_there_are_no_workers() {
    both(|connection| {
        let said = Said::default();
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let ask = |job: Number| {
            runtime.block_on(async {
                let requests = Requests::<kinds::Squares<Honest>>::begin(
                    connection,
                    group("ask", 200),
                    "a test",
                    said.notice(),
                );
                let requests = requests.await.unwrap();
                let limit = Duration::from_secs(60);
                let answer = requests.ask(&job, Class::Page, |_| {});
                tokio::time::timeout(limit, answer).await.unwrap()
            })
        };
        assert_eq!(ask(Number(7)).unwrap_err(), AskError::NoWorkers);
        let liar = worker::<Lying>(connection, "liar", 1);
        let _honest = worker::<Honest>(connection, "honest", 1);
        until("two workers", || {
            let workers = Overview::read(connection).unwrap().workers;
            workers
                .iter()
                .filter(|worker| !worker.routes.is_empty())
                .count()
                == 2
        });
        for number in 7..15 {
            assert_eq!(ask(Number(number)).unwrap().value, number * number);
        }
        liar.drain();
        let failed = ask(FAILS).unwrap_err();
        assert_eq!(failed, AskError::Failed("fourteen".into()));
        // A stored result is returned at once.
        assert_eq!(ask(Number(7)).unwrap().value, 49);
    });
}
