//! The accounts of `deploy/nats-server.conf`: workers take jobs and answer, observers look.

mod kinds;
mod nats_server;

use std::time::Duration;

use kinds::{Honest, Said, collect, connect, group, numbers, producer, until, worker};
use nats_server::NatsServer;
use papan_jobs::Overview;

fn server() -> NatsServer {
    let config = include_str!("../../../deploy/nats-server.conf");
    let start = config.find("authorization {").expect("the accounts");
    NatsServer::with(&config[start..])
}

fn url(server: &NatsServer, user: &str) -> String {
    let account = format!("nats://{user}:{user}-password@");
    server.url().replace("nats://", &account)
}

#[test]
fn a_worker_account_is_enough_for_a_worker_and_for_nothing_else() {
    let server = server();
    let connection = connect(&url(&server, "coordinator"));
    let mut large = group("accounts", 1);
    // Results that do not fit into one message.
    large.padding = 700_000;
    let said = Said::default();
    let group_again = large.clone();
    let mut squares = producer(&connection, large, &said);
    squares.submit(&numbers(4)).unwrap();
    let _worker = worker::<Honest>(&connect(&url(&server, "worker")), "one", 2);
    assert_eq!(collect(&mut squares, 4).len(), 4);
    let observer = connect(&url(&server, "observer"));
    until("the observer sees the worker", || {
        !Overview::read(&observer).unwrap().workers.is_empty()
    });
    let before = Overview::read(&observer).unwrap();
    assert_eq!(before.groups[0].counts.done, 4);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let mut listeners = Vec::new();
        for user in ["worker", "observer"] {
            let password = format!("{user}-password");
            let options = async_nats::ConnectOptions::with_user_and_password(user.into(), password)
                .custom_inbox_prefix(format!("_INBOX_{user}"));
            let client = options.connect(server.url()).await.unwrap();
            for subject in [
                "$JS.API.STREAM.PURGE.RESULTS",
                "$JS.API.STREAM.DELETE.JOBS",
                "$JS.API.STREAM.MSG.DELETE.RESULTS",
                "$JS.API.STREAM.PURGE.KV_GROUPS",
                "$JS.API.STREAM.MSG.GET.RESULTS",
                "$JS.API.CONSUMER.CREATE.RESULTS",
                "jobs.route.bulk.group.key",
                "$KV.GROUPS.squares-0",
            ] {
                let request = client.request(subject, "".into());
                let answer = tokio::time::timeout(Duration::from_millis(300), request).await;
                assert!(!matches!(answer, Ok(Ok(_))), "{subject}: {answer:?}");
            }
            // It can ask at all: an observer and a worker may look for groups.
            let allowed = client.request("$JS.API.STREAM.INFO.KV_GROUPS", "".into());
            allowed.await.unwrap();
            listeners.push((user, client));
        }
        // Results are delivered to the inbox of the coordinator.
        let mut heard = Vec::new();
        for (user, client) in &listeners {
            for subject in ["_INBOX.>", "_INBOX_coordinator.>", "results.>", ">"] {
                let messages = client.subscribe(subject).await.unwrap();
                client.flush().await.unwrap();
                heard.push((*user, subject, messages));
            }
        }
        tokio::task::spawn_blocking(move || {
            let mut again = producer(&connection, group_again, &Said::default());
            assert_eq!(collect(&mut again, 4).len(), 4);
        })
        .await
        .unwrap();
        for (user, subject, messages) in &mut heard {
            use futures_util::StreamExt as _;
            let next = tokio::time::timeout(Duration::from_millis(300), messages.next()).await;
            assert!(!matches!(next, Ok(Some(_))), "{user} reads {subject}");
        }
    });
    let after = Overview::read(&observer).unwrap();
    assert_eq!(before.groups[0].counts, after.groups[0].counts);
    assert_eq!(before.groups.len(), after.groups.len());
}
