//! Who asks: their secret, their language, what form of answer they take, and
//! from which address.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use papan_view::{Language, Messages};

use crate::http::names;
use crate::http::rejection::Rejection;
use crate::http::secret::Secret;
use crate::state::AppState;

/// The cookie that holds the client's secret.
const SECRET_COOKIE: &str = "papan-visitor";
/// The cookie that holds the language they chose.
pub(crate) const LANGUAGE_COOKIE: &str = "papan-language";
/// The cookie that holds what they call themselves.
const NAME_COOKIE: &str = "papan-name";
/// The cookie that holds what they chose on the first page.
const CHOICE_COOKIE: &str = "papan-choice";
/// A year, in seconds.
const YEAR: u32 = 365 * 24 * 3600;

/// The form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResponseFormat {
    /// A whole page.
    Page,
    /// The part of a page that changes, for our own script.
    Part,
    /// JSON.
    Json,
}

/// Who asks.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    /// Their secret, if they have one.
    pub secret: Option<Secret>,
    /// What they call themselves.
    pub(crate) name: Option<String>,
    /// The texts of their language.
    pub words: Messages,
    /// What they chose on the first page the last time.
    pub(crate) choice: Option<String>,
    /// What they take.
    pub format: ResponseFormat,
    /// Where they are.
    pub address: IpAddr,
    /// The address under which they see us, such as `http://localhost:7272`.
    pub origin: String,
    /// Whether they name their secret themselves, and keep no cookies.
    brings_secret: bool,
    secure: bool,
}

impl Client {
    /// Their secret, or a new one, with the cookie to set. A program that brings
    /// its own secret gets no cookie.
    ///
    /// # Errors
    /// When what it brings has not the form of a secret.
    pub(crate) fn secret_or_new(&self) -> Result<(Secret, HeaderMap), Rejection> {
        let mut headers = HeaderMap::new();
        match (&self.secret, self.brings_secret) {
            (Some(secret), true) => Ok((secret.clone(), headers)),
            (None, true) => Err(Rejection::NoSecret),
            (known, false) => {
                let secret = known.clone().unwrap_or_else(Secret::random);
                let cookie = cookie(SECRET_COOKIE, secret.text(), self.secure);
                headers.insert(header::SET_COOKIE, cookie);
                Ok((secret, headers))
            }
        }
    }

    /// Their name as others see it, told apart from equal ones.
    pub(crate) fn shown_name(&self) -> Option<String> {
        let tag = self.secret.as_ref()?.tag();
        Some(format!("{}#{tag}", self.name.as_ref()?))
    }

    /// The cookie that makes them the client of a secret.
    pub(crate) fn cookie_of(&self, secret: &Secret) -> HeaderMap {
        let cookie = cookie(SECRET_COOKIE, secret.text(), self.secure);
        HeaderMap::from_iter([(header::SET_COOKIE, cookie)])
    }

    /// Adds the cookie that remembers their name.
    pub(crate) fn set_name(&self, name: &str, headers: &mut HeaderMap) {
        let value = URL_SAFE_NO_PAD.encode(name);
        headers.append(header::SET_COOKIE, cookie(NAME_COOKIE, &value, self.secure));
    }

    /// The cookie that remembers what they chose on the first page.
    pub(crate) fn choice_cookie(&self, choice: &str) -> HeaderValue {
        let value = URL_SAFE_NO_PAD.encode(choice);
        cookie(CHOICE_COOKIE, &value, self.secure)
    }

    /// The cookie that remembers a language.
    #[must_use]
    pub(crate) fn language_cookie(&self, language: Language) -> HeaderValue {
        cookie(LANGUAGE_COOKIE, language.code(), self.secure)
    }

    pub(crate) fn of(headers: &HeaderMap, peer: Option<SocketAddr>, app: &AppState) -> Self {
        let settings = &app.settings;
        let origin = settings.public_url.clone().unwrap_or_else(|| {
            let host = headers
                .get(header::HOST)
                .and_then(|host| host.to_str().ok());
            format!("http://{}", host.unwrap_or("localhost"))
        });
        Self {
            secret: bearer(headers)
                .or_else(|| cookie_value(headers, SECRET_COOKIE))
                .and_then(Secret::parse),
            brings_secret: bearer(headers).is_some(),
            name: cookie_text(headers, NAME_COOKIE)
                .and_then(|name| names::checked(&name))
                .filter(|name| !name.is_empty()),
            choice: cookie_text(headers, CHOICE_COOKIE),
            words: Messages::new(language(headers)),
            format: response_format(headers),
            address: address(headers, peer, settings.trust_forwarded),
            secure: origin.starts_with("https://"),
            origin,
        }
    }
}

impl FromRequestParts<Arc<AppState>> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        app: &Arc<AppState>,
    ) -> Result<Self, Infallible> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        Ok(Self::of(&parts.headers, peer.map(|peer| peer.0), app))
    }
}

/// Scripts cannot read it, other sites cannot send it with what they post.
fn cookie(name: &str, value: &str, secure: bool) -> HeaderValue {
    let secure = if secure { "; Secure" } else { "" };
    let text = format!("{name}={value}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Lax{secure}");
    HeaderValue::from_str(&text).expect("names and values of our own are plain letters")
}

/// The secret that a program without cookies sends. No browser adds this header by
/// itself, so that no other site can make it.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let text = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, secret) = text.split_once(' ')?;
    scheme
        .eq_ignore_ascii_case("bearer")
        .then_some(secret.trim())
}

fn cookie_value<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|cookies| cookies.to_str().ok())
        .flat_map(|cookies| cookies.split(';'))
        .filter_map(|cookie| cookie.trim().split_once('='))
        .find(|(found, _)| *found == name)
        .map(|(_, value)| value)
}

/// What we put into a cookie as text.
fn cookie_text(headers: &HeaderMap, name: &str) -> Option<String> {
    let bytes = URL_SAFE_NO_PAD.decode(cookie_value(headers, name)?).ok()?;
    String::from_utf8(bytes).ok()
}

/// The language that was chosen, else the one that the browser likes best.
fn language(headers: &HeaderMap) -> Language {
    if let Some(chosen) = cookie_value(headers, LANGUAGE_COOKIE).and_then(Language::of_locale) {
        return chosen;
    }
    let wishes = headers.get(header::ACCEPT_LANGUAGE);
    let wishes = wishes.and_then(|wishes| wishes.to_str().ok()).unwrap_or("");
    let mut best = (Language::default(), 0.0);
    for wish in wishes.split(',').take(20) {
        let (locale, quality) = match wish.split_once(";q=") {
            Some((locale, quality)) => (locale, quality.trim().parse().unwrap_or(0.0)),
            None => (wish, 1.0),
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
    // Browsers name HTML; programs mostly name nothing or anything.
    match accept {
        Some(accept) if accept.contains("text/html") => ResponseFormat::Page,
        _ => ResponseFormat::Json,
    }
}

/// The client's address. What a proxy forwards is believed only if the operator
/// says so, and then the last entry: the one that the proxy itself wrote.
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
    fn the_language_is_the_chosen_one_or_the_one_liked_best() {
        let wish = |text| language(&headers(&[("accept-language", text)]));
        assert_eq!(wish("id-ID,id;q=0.9,en;q=0.8"), Language::Indonesian);
        assert_eq!(wish("fr,en;q=0.5,id;q=0.4"), Language::English);
        assert_eq!(wish("de"), Language::English);
        let chosen = headers(&[
            ("cookie", "a=b; papan-language=en"),
            ("accept-language", "id"),
        ]);
        assert_eq!(language(&chosen), Language::English);
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
