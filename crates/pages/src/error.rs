//! Why an address has no page, and the page that says so.

use askama::Template;

use crate::layout::{Layout, PageContext};

/// Why an address has no page.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PageError {
    /// There is nothing at this address.
    #[error("not found")]
    NotFound,
    /// A value cannot be used, with a localized reason.
    #[error("{0}")]
    Unusable(String),
    /// The address is longer than any that a page links to.
    #[error("the address is too long")]
    TooLarge,
    /// An internal error.
    #[error("internal error")]
    Internal,
}

impl From<askama::Error> for PageError {
    fn from(_: askama::Error) -> Self {
        // Writing to a string fails only if a template does.
        Self::Internal
    }
}

#[derive(Template)]
#[template(path = "rejection.html")]
struct RejectionPage<'a> {
    layout: Layout,
    sentence: String,
    detail: Option<&'a str>,
    game: Option<String>,
}

/// Renders the page of a rejected request: a sentence, the parser's message, and the game that it was
/// about.
///
/// # Errors
/// If the template fails.
pub fn rejection_page(
    context: &PageContext,
    sentence: String,
    detail: Option<&str>,
    game: Option<String>,
) -> Result<String, PageError> {
    let page = RejectionPage {
        layout: Layout::new(context, context.words.text("web-refused"), "/"),
        sentence,
        detail,
        game,
    };
    Ok(page.render()?)
}
