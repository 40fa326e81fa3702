//! Contract of the job queue for producers and workers.

mod postgres;

use std::collections::BTreeSet;

use papan_store::{Claimed, Finish, JobStanding, Key, NewJob, Queue, Undertaking};
use postgres::Postgres;

fn undertaking(name: &str) -> Undertaking {
    Undertaking {
        name: name.into(),
        kind: "sum".into(),
        needs: "papan".into(),
        body: "shared".into(),
    }
}

fn jobs(bodies: impl IntoIterator<Item = u32>) -> Vec<NewJob> {
    let jobs = bodies.into_iter().map(|number| NewJob {
        body: number.to_string(),
        priority: 0,
    });
    jobs.collect()
}

async fn queue_of(postgres: &Postgres, count: u32) -> Queue {
    let queue = Queue::open(&postgres.database("club")).await.unwrap();
    queue.begin(&undertaking("u")).await.unwrap();
    assert_eq!(
        queue.post("u", &jobs(0..count)).await.unwrap(),
        u64::from(count)
    );
    queue
}

async fn claim(queue: &Queue, worker: &str) -> Option<Claimed> {
    queue.claim(worker, &["sum"], 60).await.unwrap()
}

fn done(job: &Claimed) -> Finish {
    Finish::Done(format!("result of {}", job.body).into_bytes())
}

#[tokio::test]
async fn every_job_is_done_once_by_one_of_many_workers() {
    let postgres = Postgres::start();
    let queue = queue_of(&postgres, 60).await;
    assert_eq!(
        queue.post("u", &jobs(0..60)).await.unwrap(),
        0,
        "asking twice is asking once"
    );
    let workers = (0..4).map(|worker| {
        let queue = queue.clone();
        tokio::spawn(async move {
            let worker = format!("worker {worker}");
            let mut did = Vec::new();
            while let Some(job) = claim(&queue, &worker).await {
                queue.finish(&job, &worker, &done(&job)).await.unwrap();
                did.push(job.body);
            }
            did
        })
    });
    let mut did = Vec::new();
    for worker in workers.collect::<Vec<_>>() {
        did.extend(worker.await.unwrap());
    }
    assert_eq!(did.len(), 60);
    assert_eq!(did.iter().collect::<BTreeSet<_>>().len(), 60);
    // Read in parts, as a producer does.
    let mut read = Vec::new();
    let mut after = 0;
    loop {
        let part = queue.results("u", after, 7).await.unwrap();
        let Some(last) = part.last() else { break };
        after = last.number;
        read.extend(part);
    }
    let bodies: BTreeSet<Vec<u8>> = read.iter().map(|result| result.body.clone()).collect();
    assert_eq!((read.len(), bodies.len()), (60, 60));
    let seven = read.iter().find(|result| result.body == b"result of 7");
    assert_eq!(seven.unwrap().key, jobs([7])[0].key());
}

#[tokio::test]
async fn a_silent_worker_s_job_is_another_s_and_what_both_bring_counts_once() {
    let postgres = Postgres::start();
    let queue = queue_of(&postgres, 1).await;
    let first = queue.claim("first", &["sum"], 0).await.unwrap().unwrap();
    let second = claim(&queue, "second").await.unwrap();
    assert_eq!(first, second);
    assert!(
        claim(&queue, "third").await.is_none(),
        "the second is alive"
    );
    let late = Finish::Done(b"late".to_vec());
    queue
        .finish(&second, "second", &done(&second))
        .await
        .unwrap();
    queue.finish(&first, "first", &late).await.unwrap();
    let results = queue.results("u", 0, 10).await.unwrap();
    assert_eq!(results.len(), 1);
    assert_eq!(results[0].body, b"result of 0");
}

#[tokio::test]
async fn a_heartbeat_keeps_a_job_and_a_worker_that_dies_of_it_does_not_kill_all() {
    let postgres = Postgres::start();
    let queue = queue_of(&postgres, 1).await;
    let job = queue.claim("steady", &["sum"], 0).await.unwrap().unwrap();
    queue
        .beat("steady", "papan", 1, &[(job.id, 7)], 60)
        .await
        .unwrap();
    assert!(claim(&queue, "other").await.is_none());
    let key = jobs([0])[0].key();
    let standings = queue.standings("u", &[key]).await.unwrap();
    assert_eq!(standings, [Some(JobStanding::Running(7))]);
    queue
        .finish(&job, "steady", &Finish::PutBack)
        .await
        .unwrap();
    for _ in 0..5 {
        assert!(queue.claim("mortal", &["sum"], 0).await.unwrap().is_some());
    }
    assert!(claim(&queue, "careful").await.is_none());
    queue.beat("careful", "papan", 1, &[], 60).await.unwrap();
    let overview = queue.overview().await.unwrap();
    let (id, why) = &overview.undertakings[0].failures[0];
    assert_eq!(
        (*id, why.as_str()),
        (job.id, "every worker that began it fell silent")
    );
    assert_eq!(queue.failures("u").await.unwrap(), 1);
    assert_eq!(queue.retry(Some("another")).await.unwrap(), 0);
    assert_eq!(queue.retry(None).await.unwrap(), 1);
    assert_eq!(claim(&queue, "careful").await.unwrap().id, job.id);
}

#[tokio::test]
async fn what_a_worker_refuses_goes_to_one_that_can() {
    let postgres = Postgres::start();
    let queue = queue_of(&postgres, 2).await;
    let job = claim(&queue, "old").await.unwrap();
    queue.refuse("u", "old", "it needs papan 2").await.unwrap();
    queue.finish(&job, "old", &Finish::PutBack).await.unwrap();
    assert!(
        claim(&queue, "old").await.is_none(),
        "it is not asked again"
    );
    assert!(queue.claim("new", &["other"], 60).await.unwrap().is_none());
    assert_eq!(claim(&queue, "new").await.unwrap(), job);
    let said = queue
        .overview()
        .await
        .unwrap()
        .undertakings
        .remove(0)
        .refusals;
    assert_eq!(said, [("old".to_owned(), "it needs papan 2".to_owned())]);
    queue.leave("old").await.unwrap();
    assert!(
        claim(&queue, "old").await.is_some(),
        "it came back, and may be another now"
    );
}

#[tokio::test]
async fn what_is_stopped_is_not_begun_any_more_and_its_results_stay() {
    let postgres = Postgres::start();
    let queue = queue_of(&postgres, 3).await;
    let job = claim(&queue, "w").await.unwrap();
    queue.finish(&job, "w", &done(&job)).await.unwrap();
    let running = claim(&queue, "w").await.unwrap();
    queue.stop("u").await.unwrap();
    assert!(claim(&queue, "w").await.is_none());
    assert!(queue.undertaking("u").await.unwrap().is_none());
    // Deleting a group with a running job has no ill effect.
    queue.finish(&running, "w", &done(&running)).await.unwrap();
    assert!(!queue.results("u", 0, 10).await.unwrap().is_empty());
    queue.begin(&undertaking("u")).await.unwrap();
    assert_eq!(
        queue.undertaking("u").await.unwrap(),
        Some(undertaking("u"))
    );
    assert!(queue.forget("u").await.unwrap());
    queue.finish(&running, "w", &done(&running)).await.unwrap();
    assert!(queue.results("u", 0, 10).await.unwrap().is_empty());
}

#[tokio::test]
async fn higher_jobs_come_first_and_a_bell_rings_for_new_ones() {
    let postgres = Postgres::start();
    let queue = queue_of(&postgres, 1).await;
    let mut jobs_bell = queue.hear_jobs().await.unwrap();
    let mut results_bell = queue.hear_results().await.unwrap();
    let urgent = NewJob {
        body: "urgent".into(),
        priority: 1,
    };
    queue.post("u", &[urgent]).await.unwrap();
    assert!(jobs_bell.ring().await);
    let job = claim(&queue, "w").await.unwrap();
    assert_eq!(job.body, "urgent");
    queue.finish(&job, "w", &done(&job)).await.unwrap();
    assert!(results_bell.ring().await);
}

#[tokio::test]
async fn whoever_waits_for_single_jobs_hears_how_each_stands_until_it_is_forgotten() {
    let postgres = Postgres::start();
    let queue = queue_of(&postgres, 3).await;
    let keys: Vec<Key> = jobs(0..4).iter().map(NewJob::key).collect();
    let first = claim(&queue, "w").await.unwrap();
    queue.finish(&first, "w", &done(&first)).await.unwrap();
    let second = claim(&queue, "w").await.unwrap();
    let failed = Finish::Failed("why".into());
    queue.finish(&second, "w", &failed).await.unwrap();
    let standings = queue.standings("u", &keys).await.unwrap();
    let expected = [
        Some(JobStanding::Done(b"result of 0".to_vec())),
        Some(JobStanding::Failed("why".into())),
        Some(JobStanding::Waiting),
        None,
    ];
    assert_eq!(standings, expected);
    // A job without heartbeats waits again.
    queue.claim("mortal", &["sum"], 0).await.unwrap().unwrap();
    assert_eq!(queue.standings("u", &keys).await.unwrap(), expected);
    queue.take_back("u", &keys).await.unwrap();
    let standings = queue.standings("u", &keys).await.unwrap();
    assert_eq!(standings[..2], expected[..2], "what ended stays");
    assert_eq!(standings[2..], [None, None]);
    queue.forget_ended("sum", 3600).await.unwrap();
    assert_eq!(queue.standings("u", &keys).await.unwrap(), standings);
    queue.forget_ended("other", 0).await.unwrap();
    assert_eq!(queue.standings("u", &keys).await.unwrap(), standings);
    queue.forget_ended("sum", 0).await.unwrap();
    let none = [None, None, None, None];
    assert_eq!(queue.standings("u", &keys).await.unwrap(), none);
    assert_eq!(queue.results("u", 0, 10).await.unwrap(), []);
}

#[tokio::test]
async fn workers_are_there_that_are_alive_of_the_same_papan_and_have_not_refused() {
    let postgres = Postgres::start();
    let queue = queue_of(&postgres, 1).await;
    let there = async || queue.has_workers("u", "papan 2").await.unwrap();
    assert!(!there().await);
    queue.beat("old", "papan 1", 1, &[], 60).await.unwrap();
    assert!(!there().await);
    queue.beat("new", "papan 2", 1, &[], 60).await.unwrap();
    assert!(there().await);
    queue.refuse("u", "new", "a reason").await.unwrap();
    assert!(!there().await);
    queue.beat("newer", "papan 2", 1, &[], 60).await.unwrap();
    assert!(there().await);
    queue.leave("newer").await.unwrap();
    assert!(!there().await);
}
