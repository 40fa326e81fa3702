//! The client of a request: secret, language, response format, IP address.
//!
//! The secret comes from a cookie (RFC 6265) or, for API clients, from a bearer token
//! (RFC 6750). The language and the format are negotiated (RFC 9110, section 12).

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, FromRef, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use papan_pages::PageContext;
use papan_view::{Language, Messages};
use serde::Deserialize;

use crate::http::engine_files::EngineFiles;
use crate::http::identity_key::IdentityKey;
use crate::http::names;
use crate::http::rejection::Rejection;
use crate::http::secret::Secret;
use crate::settings::Settings;

/// Prefix of cookies over TLS: browsers accept them from this host only, not from a sibling
/// subdomain (RFC 6265bis, section 4.1.3.2).
const HOST_PREFIX: &str = "__Host-";
/// Cookie with the client's secret.
const SECRET_COOKIE: &str = "papan-visitor";
/// Cookie with the chosen language.
const LANGUAGE_COOKIE: &str = "papan-language";
/// Cookie with the display name, in base64.
const NAME_COOKIE: &str = "papan-name";
/// Cookie with the last choices on the home page, in base64.
const FORM_DEFAULTS_COOKIE: &str = "papan-choice";
/// `Max-Age` of all cookies: a year, in seconds.
const MAX_AGE: u32 = 365 * 24 * 3600;
/// Language ranges read from `Accept-Language`.
const MAX_LANGUAGE_RANGES: usize = 20;

/// The representation that a client accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ResponseFormat {
    /// A whole HTML page.
    Page,
    /// The HTML fragment of a page that changes, for our own script.
    Part,
    /// JSON.
    Json,
}

/// Who searches, as an address says: `by=server` for browsers without scripts.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Searcher {
    by: Option<String>,
}

/// The secret in an unsigned cookie whose visitor the database knows, as an extension of the request.
#[derive(Clone, Debug)]
pub(crate) struct KnownSecret(pub(crate) Secret);

/// The client of a request.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    /// Its secret, if it has one.
    pub(crate) secret: Option<Secret>,
    /// The secret in an unsigned cookie of an earlier version.
    pub(crate) unsigned: Option<Secret>,
    /// Its display name.
    pub(crate) name: Option<String>,
    /// Messages in its language.
    pub(crate) words: Messages,
    /// The last choices on the home page.
    pub(crate) form_defaults: Option<String>,
    /// The representation it accepts.
    pub(crate) format: ResponseFormat,
    /// Its IP address.
    pub(crate) address: IpAddr,
    /// The origin under which it sees this server, such as `http://localhost:7272`.
    pub(crate) origin: String,
    /// Whether other sites may frame `/embed`.
    embedding: bool,
    /// URL of the engine that browsers run.
    engine: Option<Arc<str>>,
    /// Whether scripts of the page ask the server to search.
    asks_server: bool,
    /// Whether the secret is a bearer token; such a client gets no cookie.
    has_bearer_token: bool,
    /// The key that signs the cookie with the secret.
    key: Arc<IdentityKey>,
    /// Whether cookies are `Secure`.
    secure: bool,
}

impl Client {
    /// Reads the client from a request's headers and its peer address.
    pub(crate) fn new(
        headers: &HeaderMap,
        peer: Option<SocketAddr>,
        settings: &Settings,
        key: &Arc<IdentityKey>,
    ) -> Self {
        let origin = settings.public_url.clone().unwrap_or_else(|| {
            let host = headers
                .get(header::HOST)
                .and_then(|host| host.to_str().ok());
            format!("http://{}", host.unwrap_or("localhost"))
        });
        let token = bearer_token(headers);
        let secure = origin.starts_with("https://");
        let cookies = Cookies { headers, secure };
        let cookie = cookies.value(SECRET_COOKIE).filter(|_| token.is_none());
        Self {
            secret: match token {
                Some(token) => Secret::parse(token),
                None => cookie.and_then(|cookie| key.verify(cookie)),
            },
            unsigned: cookie.and_then(|cookie| key.unsigned(cookie)),
            has_bearer_token: token.is_some(),
            key: Arc::clone(key),
            name: cookies
                .text(NAME_COOKIE)
                .and_then(|name| names::normalize(&name, &settings.programs))
                .filter(|name| !name.is_empty()),
            form_defaults: cookies.text(FORM_DEFAULTS_COOKIE),
            words: Messages::new(language(&cookies)),
            format: response_format(headers),
            address: address(headers, peer, settings.trust_forwarded),
            embedding: settings.embedding,
            engine: settings.engine.as_ref().map(EngineFiles::url),
            asks_server: headers.contains_key("x-papan-compute"),
            secure,
            origin,
        }
    }

    /// Returns what a page needs to know of the client.
    pub(crate) fn page(&self) -> PageContext {
        PageContext {
            words: self.words,
            origin: self.origin.clone(),
            embedding: self.embedding,
            has_people: true,
            engine: self.engine.clone(),
            server: None,
        }
    }

    /// Returns whether the client's browser searches, so that the server need not: a page is loaded,
    /// whose scripts ask the engine that this server has for browsers.
    pub(crate) fn searches(&self, searcher: &Searcher) -> bool {
        let is_page = self.format == ResponseFormat::Page;
        is_page && self.engine.is_some() && !self.asks_server && searcher.by.is_none()
    }

    /// Returns the client's secret, or a new one with the cookie to set.
    ///
    /// # Errors
    /// If the client sent a bearer token that is not a secret.
    pub(crate) fn secret_or_new(&self) -> Result<(Secret, HeaderMap), Rejection> {
        if self.has_bearer_token {
            let secret = self.secret.clone().ok_or(Rejection::NoSecret)?;
            return Ok((secret, HeaderMap::new()));
        }
        let secret = self.secret.clone().unwrap_or_else(Secret::random);
        let headers = self.secret_cookie(&secret);
        Ok((secret, headers))
    }

    /// Returns the name with a tag that distinguishes it from equal names.
    pub(crate) fn tagged_name(&self) -> Option<String> {
        let tag = self.secret.as_ref()?.tag();
        Some(format!("{}#{tag}", self.name.as_ref()?))
    }

    /// Returns the cookie that makes the client the owner of a secret.
    pub(crate) fn secret_cookie(&self, secret: &Secret) -> HeaderMap {
        let cookie = cookie(SECRET_COOKIE, &self.key.sign(secret), self.secure);
        HeaderMap::from_iter([(header::SET_COOKIE, cookie)])
    }

    /// Sets the cookie that makes the client the owner of a secret, unless the response already sets
    /// that of another secret.
    pub(crate) fn keep_secret(&self, secret: &Secret, headers: &mut HeaderMap) {
        let name = format!("{SECRET_COOKIE}=");
        let is_set = headers.get_all(header::SET_COOKIE).iter().any(|cookie| {
            let cookie = cookie.as_bytes();
            let cookie = cookie
                .strip_prefix(HOST_PREFIX.as_bytes())
                .unwrap_or(cookie);
            cookie.starts_with(name.as_bytes())
        });
        if !is_set {
            let cookie = cookie(SECRET_COOKIE, &self.key.sign(secret), self.secure);
            headers.append(header::SET_COOKIE, cookie);
        }
    }

    /// Adds the cookie with a display name.
    pub(crate) fn set_name(&self, name: &str, headers: &mut HeaderMap) {
        let value = URL_SAFE_NO_PAD.encode(name);
        headers.append(header::SET_COOKIE, cookie(NAME_COOKIE, &value, self.secure));
    }

    /// Returns the cookie with the choices on the home page.
    pub(crate) fn form_defaults_cookie(&self, text: &str) -> HeaderValue {
        let value = URL_SAFE_NO_PAD.encode(text);
        cookie(FORM_DEFAULTS_COOKIE, &value, self.secure)
    }

    /// Returns the cookie with a language.
    #[must_use]
    pub(crate) fn language_cookie(&self, language: Language) -> HeaderValue {
        cookie(LANGUAGE_COOKIE, language.code(), self.secure)
    }
}

impl<S> FromRequestParts<S> for Client
where
    S: Sync,
    Arc<Settings>: FromRef<S>,
    Arc<IdentityKey>: FromRef<S>,
{
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let settings = Arc::<Settings>::from_ref(state);
        let mut client = Self::new(
            &parts.headers,
            peer.map(|peer| peer.0),
            &settings,
            &Arc::from_ref(state),
        );
        if let Some(KnownSecret(secret)) = parts.extensions.get() {
            client.secret = Some(secret.clone());
        }
        Ok(client)
    }
}

/// `HttpOnly` hides a cookie from scripts, `SameSite=Lax` from other sites' POST requests.
fn cookie(name: &str, value: &str, secure: bool) -> HeaderValue {
    let (prefix, attribute) = if secure {
        (HOST_PREFIX, "; Secure")
    } else {
        ("", "")
    };
    let text = format!(
        "{prefix}{name}={value}; Path=/; Max-Age={MAX_AGE}; HttpOnly; SameSite=Lax{attribute}"
    );
    HeaderValue::from_str(&text).expect("cookie names and values are visible ASCII")
}

/// Returns the bearer token. Browsers never add this header by themselves, so a request
/// with it needs no CSRF protection.
fn bearer_token(headers: &HeaderMap) -> Option<&str> {
    let text = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = text.split_once(' ')?;
    scheme
        .eq_ignore_ascii_case("bearer")
        .then_some(token.trim())
}

/// The cookies of a request.
struct Cookies<'a> {
    headers: &'a HeaderMap,
    secure: bool,
}

impl<'a> Cookies<'a> {
    /// Returns the value of a cookie. Over TLS only the one with the prefix counts: a sibling
    /// subdomain can set one of the plain name.
    fn value(&self, name: &str) -> Option<&'a str> {
        if self.secure {
            self.find(&format!("{HOST_PREFIX}{name}"))
        } else {
            self.find(name)
        }
    }

    fn find(&self, name: &str) -> Option<&'a str> {
        self.headers
            .get_all(header::COOKIE)
            .iter()
            .filter_map(|cookies| cookies.to_str().ok())
            .flat_map(|cookies| cookies.split(';'))
            .filter_map(|cookie| cookie.trim().split_once('='))
            .find(|(found, _)| *found == name)
            .map(|(_, value)| value)
    }

    /// Returns the text of a cookie in base64.
    fn text(&self, name: &str) -> Option<String> {
        let bytes = URL_SAFE_NO_PAD.decode(self.value(name)?).ok()?;
        String::from_utf8(bytes).ok()
    }
}

/// Returns the chosen language, or the best match for `Accept-Language`.
fn language(cookies: &Cookies<'_>) -> Language {
    let chosen = cookies.value(LANGUAGE_COOKIE).and_then(Language::of_locale);
    if let Some(chosen) = chosen {
        return chosen;
    }
    let accepted = cookies
        .headers
        .get(header::ACCEPT_LANGUAGE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or("");
    let mut best = (Language::default(), 0.0);
    for range in accepted.split(',').take(MAX_LANGUAGE_RANGES) {
        let (locale, quality) = match range.split_once(";q=") {
            Some((locale, quality)) => (locale, quality.trim().parse().unwrap_or(0.0)),
            None => (range, 1.0),
        };
        match Language::of_locale(locale.trim()) {
            Some(language) if quality > best.1 => best = (language, quality),
            _ => {}
        }
    }
    best.0
}

fn response_format(headers: &HeaderMap) -> ResponseFormat {
    let accept = headers
        .get(header::ACCEPT)
        .and_then(|accept| accept.to_str().ok());
    if headers.contains_key("x-papan-part") {
        return ResponseFormat::Part;
    }
    // Browsers name HTML; other programs mostly send `*/*` or nothing.
    match accept {
        Some(accept) if accept.contains("text/html") => ResponseFormat::Page,
        _ => ResponseFormat::Json,
    }
}

/// Returns the client's address. Of a trusted `X-Forwarded-For` only the last entry counts,
/// the one that our own proxy appended.
fn address(headers: &HeaderMap, peer: Option<SocketAddr>, trust_forwarded: bool) -> IpAddr {
    let peer = peer.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |peer| peer.ip());
    if !trust_forwarded {
        return peer;
    }
    let forwarded = headers.get_all("x-forwarded-for").iter().next_back();
    forwarded
        .and_then(|forwarded| forwarded.to_str().ok())
        .and_then(|forwarded| forwarded.rsplit(',').next())
        .and_then(|last| last.trim().parse().ok())
        .unwrap_or(peer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| {
                let name = header::HeaderName::from_static(name);
                (name, HeaderValue::from_static(value))
            })
            .collect()
    }

    #[test]
    fn the_language_is_the_chosen_one_or_the_best_accepted_one() {
        let language_of = |headers: &HeaderMap| {
            language(&Cookies {
                headers,
                secure: false,
            })
        };
        let accepting = |text| language_of(&headers(&[("accept-language", text)]));
        assert_eq!(accepting("id-ID,id;q=0.9,en;q=0.8"), Language::Indonesian);
        assert_eq!(accepting("fr,en;q=0.5,id;q=0.4"), Language::English);
        assert_eq!(accepting("de"), Language::English);
        let chosen = headers(&[
            ("cookie", "a=b; papan-language=en"),
            ("accept-language", "id"),
        ]);
        assert_eq!(language_of(&chosen), Language::English);
    }

    #[test]
    fn over_tls_only_cookies_with_the_host_prefix_count() {
        let tls = Settings {
            public_url: Some("https://play.example".into()),
            ..Settings::default()
        };
        let key = Arc::new(IdentityKey::random());
        let client = |settings: &Settings, cookies: String| {
            let cookies = HeaderValue::from_str(&cookies).unwrap();
            let headers = HeaderMap::from_iter([(header::COOKIE, cookies)]);
            Client::new(&headers, None, settings, &key)
        };
        let (own, planted) = (Secret::random(), Secret::random());
        let signed = |secret| key.sign(secret);
        let plain = format!(
            "papan-visitor={}; papan-language=id; papan-name=QW5u; papan-choice=YQ",
            signed(&planted)
        );
        let host = format!("__Host-papan-visitor={}", signed(&own));
        let both = client(&tls, format!("{plain}; {host}"));
        assert_eq!(both.secret.as_ref(), Some(&own));
        let only_planted = client(&tls, plain.clone());
        assert_eq!(only_planted.secret, None, "a sibling subdomain can set it");
        assert_eq!(only_planted.name, None);
        assert_eq!(only_planted.form_defaults, None);
        assert_eq!(only_planted.words, Messages::new(Language::English));
        let (secret, cookie) = only_planted.secret_or_new().unwrap();
        assert_ne!(secret, planted);
        let cookie = cookie[header::SET_COOKIE].to_str().unwrap();
        assert!(cookie.starts_with("__Host-papan-visitor=") && cookie.ends_with("; Secure"));
        assert!(cookie.contains("; Path=/;") && !cookie.contains("Domain"));
        let without_tls = client(&Settings::default(), plain);
        assert_eq!(without_tls.secret.as_ref(), Some(&planted));
        let cookie = without_tls.secret_cookie(&own);
        let cookie = cookie[header::SET_COOKIE].to_str().unwrap();
        assert!(
            cookie.starts_with("papan-visitor="),
            "no TLS, no prefix: {cookie}"
        );
    }

    #[test]
    fn an_invented_secret_in_a_cookie_is_not_an_identity() {
        let key = Arc::new(IdentityKey::random());
        let invented = Secret::random();
        for cookie in [
            invented.text().to_owned(),
            format!("{}.AAAAAAAAAAAAAAAA", invented.text()),
            IdentityKey::random().sign(&invented),
        ] {
            let cookie = HeaderValue::from_str(&format!("papan-visitor={cookie}")).unwrap();
            let headers = HeaderMap::from_iter([(header::COOKIE, cookie)]);
            let client = Client::new(&headers, None, &Settings::default(), &key);
            assert_eq!(client.secret, None);
            let (issued, _) = client.secret_or_new().unwrap();
            assert_ne!(issued, invented);
        }
    }

    #[test]
    fn a_forwarded_address_counts_only_where_it_is_trusted() {
        let headers = headers(&[("x-forwarded-for", "203.0.113.9, 198.51.100.7")]);
        let peer = Some("127.0.0.1:9".parse().unwrap());
        assert!(address(&headers, peer, false).is_loopback());
        let trusted: IpAddr = "198.51.100.7".parse().unwrap();
        assert_eq!(address(&headers, peer, true), trusted);
    }
}
