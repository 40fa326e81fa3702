//! Addresses of job servers, as given to `--jobs`.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use percent_encoding::percent_decode_str;
use url::Url;

use crate::JobsError;

/// Where jobs go: `nats://HOST:PORT` for workers on any machine, `local:N` for N threads of this
/// process.
///
/// `USER:PASSWORD@` or `TOKEN@` before the host authenticate; `%40` encodes an `@` in them. Several
/// servers of a cluster are separated by commas; `tls://` requires TLS. Options follow a
/// question mark: `credentials=FILE` (a NATS credentials file), `ca=FILE` (PEM certificates to
/// trust), `cert=FILE&key=FILE` (a client certificate), `replicas=3` (copies of each stream, used
/// when the streams are created).
///
/// ```
/// use papan_jobs::JobsAddress;
///
/// let address: JobsAddress = "nats://ann:secret@10.0.0.7:4222?replicas=3".parse()?;
/// assert_eq!(address.to_string(), "nats://10.0.0.7:4222");
/// assert!("postgres://papan@db/papan".parse::<JobsAddress>().is_err());
/// # Ok::<(), papan_jobs::JobsError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub enum JobsAddress {
    /// Threads of this process.
    Local {
        /// The number of threads; `None` for one per core.
        threads: Option<usize>,
    },
    /// A NATS server or cluster.
    Nats(NatsAddress),
}

/// A NATS server or cluster, and how to authenticate.
#[derive(Clone, PartialEq, Eq)]
pub struct NatsAddress {
    pub(crate) servers: Vec<Url>,
    pub(crate) credentials: Option<PathBuf>,
    pub(crate) ca: Option<PathBuf>,
    pub(crate) client_certificate: Option<(PathBuf, PathBuf)>,
    pub(crate) replicas: usize,
}

const EXPECTED: &str =
    "an address of a job server is nats://HOST:PORT, tls://HOST:PORT or local:THREADS";

/// The password, if any, is not repeated in messages.
fn without_password(text: &str) -> String {
    match (text.split_once("://"), text.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, rest))) => format!("{scheme}://{rest}"),
        _ => text.to_owned(),
    }
}

fn wrong(text: &str) -> JobsError {
    JobsError::Address(format!("{EXPECTED}, not {}", without_password(text)))
}

impl FromStr for JobsAddress {
    type Err = JobsError;

    fn from_str(text: &str) -> Result<Self, JobsError> {
        if text.starts_with("postgres:") || text.starts_with("postgresql:") {
            return Err(JobsError::Address(format!(
                "jobs no longer go through PostgreSQL: start nats-server with JetStream \
                 (`nats-server -js`), give its address here and to `papan worker`, such as \
                 nats://127.0.0.1:4222, not {}; docs/cluster.md has \
                 the commands",
                without_password(text)
            )));
        }
        if text == "local" {
            return Ok(Self::Local { threads: None });
        }
        if let Some(threads) = text.strip_prefix("local:") {
            let count = threads
                .parse()
                .ok()
                .filter(|count| (1..=1024).contains(count));
            let threads = Some(count.ok_or_else(|| wrong(text))?);
            return Ok(Self::Local { threads });
        }
        NatsAddress::parse(text).map(Self::Nats)
    }
}

/// Who connects, from the part of an address before `@`.
#[derive(PartialEq, Eq)]
pub(crate) enum Login {
    User { name: String, password: String },
    Token(String),
}

impl NatsAddress {
    /// Returns the user and password, or the token, of the first server that has one.
    pub(crate) fn login(&self) -> Option<Login> {
        let decode = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
        let url = self.servers.iter().find(|url| !url.username().is_empty())?;
        let name = decode(url.username());
        Some(match url.password() {
            Some(password) => Login::User {
                name,
                password: decode(password),
            },
            None => Login::Token(name),
        })
    }

    fn parse(text: &str) -> Result<Self, JobsError> {
        let (list, query) = text.split_once('?').unwrap_or((text, ""));
        let servers = list.split(',').map(|server| {
            let url = Url::parse(server).map_err(|_| wrong(text))?;
            let is_known = matches!(url.scheme(), "nats" | "tls");
            if !is_known || url.host_str().is_none() {
                return Err(wrong(text));
            }
            Ok(url)
        });
        let mut address = Self {
            servers: servers.collect::<Result<_, _>>()?,
            credentials: None,
            ca: None,
            client_certificate: None,
            replicas: 1,
        };
        let (mut certificate, mut key) = (None, None);
        for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
            let path = || Some(PathBuf::from(&*value));
            match &*name {
                "credentials" => address.credentials = path(),
                "ca" => address.ca = path(),
                "cert" => certificate = path(),
                "key" => key = path(),
                "replicas" => {
                    let replicas = value
                        .parse()
                        .ok()
                        .filter(|count| matches!(count, 1 | 3 | 5));
                    address.replicas = replicas.ok_or_else(|| {
                        JobsError::Address("replicas of a job server are 1, 3 or 5".into())
                    })?;
                }
                _ => {
                    return Err(JobsError::Address(format!(
                        "an address of a job server has no option `{name}`; there are \
                         credentials, ca, cert, key and replicas"
                    )));
                }
            }
        }
        address.client_certificate = match (certificate, key) {
            (Some(certificate), Some(key)) => Some((certificate, key)),
            (None, None) => None,
            _ => {
                return Err(JobsError::Address(
                    "a client certificate needs both cert=FILE and key=FILE".into(),
                ));
            }
        };
        Ok(address)
    }
}

impl fmt::Display for NatsAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let servers = self.servers.iter().map(|url| {
            let port = url.port().map_or(String::new(), |port| format!(":{port}"));
            format!("{}://{}{port}", url.scheme(), url.host_str().unwrap_or(""))
        });
        f.write_str(&servers.collect::<Vec<_>>().join(","))
    }
}

/// Without user, password and options.
impl fmt::Display for JobsAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Local { threads: None } => f.write_str("local"),
            Self::Local {
                threads: Some(count),
            } => write!(f, "local:{count}"),
            Self::Nats(address) => address.fmt(f),
        }
    }
}

impl fmt::Debug for JobsAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for NatsAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_and_passwords_are_not_shown() {
        let text =
            "nats://ann:s3cret@a.example:4222,tls://b.example?credentials=/etc/w.creds&replicas=3";
        let address: JobsAddress = text.parse().unwrap();
        assert_eq!(address.to_string(), "nats://a.example:4222,tls://b.example");
        let JobsAddress::Nats(nats) = address else {
            panic!("a NATS address");
        };
        assert!(
            nats.login()
                == Some(Login::User {
                    name: "ann".into(),
                    password: "s3cret".into()
                })
        );
        assert_eq!(nats.replicas, 3);
        assert_eq!(nats.credentials, Some("/etc/w.creds".into()));
        for wrong in [
            "postgres://ann:s3cret@db/x",
            "http://ann:s3cret@a",
            "nats://ann:s3cret@a?replicas=2",
            "nats://ann:s3cret@a?tries=2",
            "nats://ann:s3cret@a?cert=/x",
            "local:0",
            "",
        ] {
            let error = wrong.parse::<JobsAddress>().unwrap_err().to_string();
            assert!(!error.contains("s3cret"), "{error}");
            assert!(!error.is_empty());
        }
        let error = "postgres://x".parse::<JobsAddress>().unwrap_err();
        assert!(error.to_string().contains("nats-server -js"), "{error}");
    }
}
