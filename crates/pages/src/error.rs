//! Why an address has no page.

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
