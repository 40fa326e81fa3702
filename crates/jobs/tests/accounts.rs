//! Accounts and encryption: the users of `deploy/nats-server.conf`, of which workers take jobs and
//! answer and observers look; credentials files; TLS.

mod kinds;
mod nats_server;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use kinds::{Honest, Said, collect, connect, group, numbers, producer, until, worker};
use nats_server::NatsServer;
use nkeys::KeyPair;
use papan_jobs::{Connection, JobsAddress, Notice, Overview};
use serde_json::{Value, json};

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

#[test]
fn a_cluster_of_three_has_the_same_accounts_and_loses_a_node() {
    let mut servers = NatsServer::deployed_cluster();
    let url = |servers: &[NatsServer; 3], user: &str| {
        let urls: Vec<String> = servers.iter().map(|server| url(server, user)).collect();
        format!("{}?replicas=3", urls.join(","))
    };
    let coordinator = url(&servers, "coordinator");
    let connection = connect(&coordinator);
    let mut squares = producer(&connection, group("cluster", 5), &Said::default());
    let _worker = worker::<Honest>(&connect(&url(&servers, "worker")), "one", 2);
    squares.submit(&numbers(100)).unwrap();
    assert_eq!(collect(&mut squares, 100).len(), 100);
    servers[0].kill();
    let more: Vec<kinds::Number> = (101..=200).map(kinds::Number).collect();
    squares.submit(&more).unwrap();
    assert_eq!(collect(&mut squares, 100).len(), 100);
    squares.end().unwrap();
}

/// A signed token of NATS's decentralised authentication.
fn token(signer: &KeyPair, name: &str, subject: &KeyPair, nats: &Value) -> String {
    let header = json!({ "typ": "JWT", "alg": "ed25519-nkey" });
    let claims = json!({
        "jti": name,
        "iat": 1_700_000_000,
        "iss": signer.public_key(),
        "name": name,
        "sub": subject.public_key(),
        "nats": nats,
    });
    let parts = [header, claims].map(|part| URL_SAFE_NO_PAD.encode(part.to_string()));
    let signed = parts.join(".");
    let signature = signer.sign(signed.as_bytes()).unwrap();
    format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
}

/// The subjects of a list in `deploy/nats-server.conf`.
fn permitted(user: &str, verb: &str) -> Vec<String> {
    let config = include_str!("../../../deploy/nats-server.conf");
    let (_, block) = config.split_once(&format!("{user} = {{")).unwrap();
    let (_, list) = block.split_once(&format!("{verb}: [")).unwrap();
    let (list, _) = list.split_once(']').unwrap();
    let subjects = list.split('"').skip(1).step_by(2);
    subjects.map(str::to_owned).collect()
}

#[test]
fn credentials_files_are_enough_for_a_worker_and_for_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let operator = KeyPair::new_operator();
    let [account, system] = [(); 2].map(|()| KeyPair::new_account());
    let kind = json!({ "type": "operator", "version": 2 });
    let operator_file = folder.path().join("operator.jwt");
    std::fs::write(
        &operator_file,
        token(&operator, "operator", &operator, &kind),
    )
    .unwrap();
    let mut limits = json!({
        "subs": -1, "data": -1, "payload": -1, "imports": -1, "exports": -1, "wildcards": true,
        "conn": -1, "leaf": -1,
    });
    let mut preload = |name: &str, account: &KeyPair| {
        let kind = json!({ "type": "account", "version": 2, "limits": limits });
        for limit in ["mem_storage", "disk_storage", "streams", "consumer"] {
            limits[limit] = (-1).into();
        }
        let token = token(&operator, name, account, &kind);
        format!("{}: \"{token}\"", account.public_key())
    };
    // The system account may not have JetStream, which requires that there is one.
    let accounts = [("system", &system), ("papan", &account)];
    let accounts = accounts.map(|(name, account)| preload(name, account));
    let server = NatsServer::with(&format!(
        "operator: \"{}\"\nsystem_account: {}\nresolver: MEMORY\nresolver_preload: {{ {} }}\n",
        operator_file.display(),
        system.public_key(),
        accounts.join(", "),
    ));
    let credentials = |name: &str, permissions: Value| {
        let user = KeyPair::new_user();
        let mut kind =
            json!({ "type": "user", "version": 2, "subs": -1, "data": -1, "payload": -1 });
        for (key, value) in permissions.as_object().unwrap() {
            kind[key] = value.clone();
        }
        let text = format!(
            "-----BEGIN NATS USER JWT-----\n{}\n------END NATS USER JWT------\n\n\
             -----BEGIN USER NKEY SEED-----\n{}\n------END USER NKEY SEED------\n",
            token(&account, name, &user, &kind),
            user.seed().unwrap()
        );
        let file = folder.path().join(format!("{name}.creds"));
        std::fs::write(&file, text).unwrap();
        format!("{}?credentials={}", server.url(), file.display())
    };
    let coordinator = connect(&credentials("coordinator", json!({})));
    let permissions = json!({
        "pub": { "allow": permitted("WORKER", "publish") },
        "sub": { "allow": permitted("WORKER", "subscribe") },
    });
    let worker_connection = connect(&credentials("worker", permissions));
    let mut squares = producer(&coordinator, group("credentials", 1), &Said::default());
    squares.submit(&numbers(4)).unwrap();
    let _worker = worker::<Honest>(&worker_connection, "one", 2);
    assert_eq!(collect(&mut squares, 4).len(), 4);
    // It may take jobs and answer, and not open groups.
    let file = folder.path().join("worker.creds");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let options = async_nats::ConnectOptions::with_credentials_file(file).await;
        let options = options.unwrap().custom_inbox_prefix("_INBOX_worker");
        let client = options.connect(server.url()).await.unwrap();
        let allowed = client.request("$JS.API.STREAM.INFO.KV_GROUPS", "".into());
        allowed.await.unwrap();
        let refused = client.request("$JS.API.STREAM.PURGE.RESULTS", "".into());
        let refused = tokio::time::timeout(Duration::from_millis(300), refused).await;
        assert!(!matches!(refused, Ok(Ok(_))), "{refused:?}");
    });
    for (wrong, words) in [
        (server.url(), "authorization"),
        (
            format!("{}?credentials=/nowhere.creds", server.url()),
            "/nowhere.creds",
        ),
    ] {
        let error = refusal(&wrong);
        assert!(error.to_lowercase().contains(words), "{error}");
    }
}

fn refusal(url: &str) -> String {
    let address: JobsAddress = url.parse().unwrap();
    let opened = Connection::open(&address, Notice::none());
    opened.map(|_| "it connects").unwrap_err().to_string()
}

/// Creates `NAME.pem` and `NAME.key` in a folder: a certificate signed by another one, or else an
/// authority.
fn certificate(folder: &Path, name: &str, authority: Option<&str>) -> (PathBuf, PathBuf) {
    let file = |name: &str, end: &str| folder.join(format!("{name}.{end}"));
    let files = (file(name, "pem"), file(name, "key"));
    let mut openssl = Command::new("openssl");
    openssl.args(["req", "-x509", "-nodes", "-days", "2", "-newkey", "ec"]);
    openssl.args(["-pkeyopt", "ec_paramgen_curve:prime256v1"]);
    openssl.args(["-subj", &format!("/CN={name}")]);
    openssl.arg("-out").arg(&files.0);
    openssl.arg("-keyout").arg(&files.1);
    if let Some(authority) = authority {
        openssl.arg("-CA").arg(file(authority, "pem"));
        openssl.arg("-CAkey").arg(file(authority, "key"));
        openssl.args(["-addext", "subjectAltName=IP:127.0.0.1"]);
        openssl.args(["-addext", "basicConstraints=critical,CA:FALSE"]);
    }
    let made = openssl.output().expect("openssl is installed");
    assert!(
        made.status.success(),
        "{}",
        String::from_utf8_lossy(&made.stderr)
    );
    files
}

#[test]
fn connections_are_encrypted_and_certificates_checked() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (ca, _) = certificate(folder, "authority", None);
    let (other_ca, _) = certificate(folder, "other", None);
    let (pem, key) = certificate(folder, "server", Some("authority"));
    let files = format!(
        "cert_file: \"{}\", key_file: \"{}\"",
        pem.display(),
        key.display()
    );
    let server = NatsServer::with(&format!("tls {{ {files} }}\n"));
    let secure = server.url().replace("nats://", "tls://");
    let trusting = |url: &str, ca: &Path| format!("{url}?ca={}", ca.display());
    let connection = connect(&trusting(&secure, &ca));
    let mut squares = producer(&connection, group("tls", 1), &Said::default());
    let _worker = worker::<Honest>(&connect(&trusting(&secure, &ca)), "one", 2);
    squares.submit(&numbers(20)).unwrap();
    assert_eq!(collect(&mut squares, 20).len(), 20);
    for wrong in [&secure, &trusting(&secure, &other_ca)] {
        let error = refusal(wrong);
        assert!(error.contains("certificate"), "{error}");
    }
    // A server without TLS is refused, not used in the clear.
    let plain = NatsServer::start();
    let error = refusal(&plain.url().replace("nats://", "tls://"));
    assert!(error.to_lowercase().contains("tls"), "{error}");
    // A server that asks for client certificates.
    let strict = format!(
        "tls {{ {files}, ca_file: \"{}\", verify: true }}\n",
        ca.display()
    );
    let strict = NatsServer::with(&strict);
    let strict = trusting(&strict.url().replace("nats://", "tls://"), &ca);
    let (pem, key) = certificate(folder, "client", Some("authority"));
    let named = format!("{strict}&cert={}&key={}", pem.display(), key.display());
    assert_eq!(Overview::read(&connect(&named)).unwrap().groups, []);
    assert!(!refusal(&strict).is_empty());
}
