//! A strategy as the fields of a form: its name or a reading from the menu, and typed parameters.

use serde::{Deserialize, Deserializer};

/// The fields of a form that name a strategy.
#[derive(Deserialize)]
struct StrategyFields {
    strategy: Option<String>,
    parameters: Option<String>,
}

/// Adds typed parameters to a strategy: `alphabeta` and `depth=4` give `alphabeta(depth=4)`.
pub(crate) fn with_parameters(strategy: &str, parameters: &str) -> String {
    let typed = parameters
        .trim()
        .trim_start_matches('(')
        .trim_end_matches(')');
    let strategy = strategy.trim();
    match strategy.strip_suffix(')') {
        _ if typed.is_empty() || strategy.is_empty() => strategy.to_owned(),
        Some(open) => format!("{open},{typed})"),
        None => format!("{strategy}({typed})"),
    }
}

/// Reads the strategy of an address, with the parameters of a field of their own.
///
/// # Errors
/// As serde.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<String>, D::Error> {
    let fields = StrategyFields::deserialize(deserializer)?;
    let parameters = fields.parameters.unwrap_or_default();
    let strategy = fields.strategy.as_deref();
    Ok(strategy.map(|strategy| with_parameters(strategy, &parameters)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position_url::PositionUrl;

    #[test]
    fn typed_parameters_join_the_strategy_of_the_menu() {
        for (strategy, parameters, expected) in [
            ("alphabeta", "depth=4", "alphabeta(depth=4)"),
            ("alphabeta", " (depth=4) ", "alphabeta(depth=4)"),
            ("alphabeta", " ", "alphabeta"),
            (
                "greedy(ties=reply)",
                "formula=as-printed",
                "greedy(ties=reply,formula=as-printed)",
            ),
            ("", "depth=4", ""),
        ] {
            assert_eq!(with_parameters(strategy, parameters), expected);
        }
        let query = "game=tictactoe&strategy=alphabeta&parameters=depth%3D4&moves=5&ply=1&step=7";
        let url: PositionUrl = serde_urlencoded::from_str(query).unwrap();
        assert_eq!(url.strategy.as_deref(), Some("alphabeta(depth=4)"));
        assert_eq!((url.ply, url.moves.as_str()), (Some(1), "5"));
        let url: PositionUrl = serde_urlencoded::from_str("game=othello").unwrap();
        assert_eq!(url.strategy, None);
    }
}
