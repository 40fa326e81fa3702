//! Validation of the `Host` header (RFC 9110, section 7.2; RFC 9112, section 3.2).
//!
//! Without a public URL, absolute links contain the host of the request. Accepting any name
//! would let an attacker put foreign links into cached pages (cache poisoning), and let a
//! foreign site reach the server through its own name (DNS rebinding). An IP address and
//! `localhost` cannot be rebound.

use std::net::IpAddr;

use axum::http::{HeaderMap, Uri, Version, header};

use crate::http::rejection::{Malformed, Rejection};
use crate::settings::Settings;

/// Which hosts a listener answers to.
#[derive(Clone, Debug)]
pub(crate) enum HostPolicy {
    /// All, because no response depends on it.
    Any,
    /// IP addresses, `localhost` and these names.
    Known(Vec<String>),
}

impl HostPolicy {
    /// Returns the policy of the public listener.
    pub(crate) fn public(settings: &Settings) -> Self {
        if settings.public_url.is_some() {
            Self::Any
        } else {
            Self::known(settings)
        }
    }

    /// Returns the policy that is independent of the public URL.
    pub(crate) fn known(settings: &Settings) -> Self {
        let names = settings.hosts.iter();
        Self::Known(
            names
                .map(|name| normalize(name).to_ascii_lowercase())
                .collect(),
        )
    }

    /// Checks the host of a request.
    ///
    /// # Errors
    /// 400 if an HTTP/1.1 request has no host or several, 421 if the host is not served here.
    pub(crate) fn check(
        &self,
        version: Version,
        uri: &Uri,
        headers: &HeaderMap,
    ) -> Result<(), Rejection> {
        let mut hosts = headers.get_all(header::HOST).iter();
        let host = match (hosts.next(), hosts.next()) {
            (Some(host), None) => host.to_str().map_err(|_| Malformed::Host)?,
            (None, _) if version < Version::HTTP_11 => "",
            _ => return Err(Malformed::Host.into()),
        };
        // The authority of an absolute URI overrides the header.
        let host = uri.authority().map_or(host, |authority| authority.as_str());
        if !host.is_empty() && !is_well_formed(host) {
            return Err(Malformed::Host.into());
        }
        if self.allows(host) {
            Ok(())
        } else {
            Err(Rejection::UnknownHost)
        }
    }

    fn allows(&self, host: &str) -> bool {
        match self {
            Self::Any => true,
            // HTTP/1.0.
            Self::Known(_) if host.is_empty() => true,
            Self::Known(names) => {
                let name = normalize(host).to_ascii_lowercase();
                is_local(&name) || names.contains(&name)
            }
        }
    }
}

/// Returns whether a text is a host with an optional port. Anything else after the host, such as
/// `localhost:x@evil.example`, would lead elsewhere in a link.
fn is_well_formed(host: &str) -> bool {
    let rest = match host.strip_prefix('[') {
        Some(address) => match address.split_once(']') {
            Some((_, rest)) => rest,
            None => return false,
        },
        None => &host[host.find(':').unwrap_or(host.len())..],
    };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || ".-_:[]".contains(c);
    let port = rest.strip_prefix(':');
    host.chars().all(is_plain)
        && (rest.is_empty()
            || port.is_some_and(|port| port.chars().all(|digit| digit.is_ascii_digit())))
}

/// Returns whether a host is an IP address or `localhost`, which cannot be rebound.
pub(crate) fn is_local(name: &str) -> bool {
    name == "localhost" || name.ends_with(".localhost") || name.parse::<IpAddr>().is_ok()
}

/// Returns a host without its port, the brackets of IPv6 and a trailing dot.
pub(crate) fn normalize(host: &str) -> &str {
    if let Some(rest) = host.strip_prefix('[') {
        return rest.split(']').next().unwrap_or(rest);
    }
    let name = host.split(':').next().unwrap_or(host);
    name.strip_suffix('.').unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_localhost_and_given_names_are_served_and_others_are_not() {
        let policy = HostPolicy::known(&Settings {
            hosts: vec!["Club.example".into()],
            ..Settings::default()
        });
        for host in [
            "localhost",
            "LOCALHOST:7272",
            "127.0.0.1:7272",
            "192.0.2.7",
            "[::1]:7272",
            "club.example",
            "CLUB.example.:80",
        ] {
            assert!(policy.allows(host), "{host}");
        }
        for host in [
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "[evil]",
            "club.example.evil",
        ] {
            assert!(!policy.allows(host), "{host}");
        }
    }

    #[test]
    fn nothing_but_a_port_follows_a_host() {
        for host in [
            "localhost",
            "127.0.0.1:80",
            "[::1]",
            "[::1]:7272",
            "a_b.example:",
        ] {
            assert!(is_well_formed(host), "{host}");
        }
        for host in [
            "127.0.0.1:x@evil.example",
            "[::1].evil.example:80",
            "[::1",
            "localhost:80/@evil.example",
            "user@localhost",
            "localhost:80:90",
        ] {
            assert!(!is_well_formed(host), "{host}");
        }
    }
}
