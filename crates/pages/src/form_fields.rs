//! The fields of the home page's form.

use papan_analysis::side::Side;
use papan_catalog::{ParameterKind, STRATEGIES};

/// The fields of the home page's form.
pub struct FormFields<'a>(pub &'a [(String, String)]);

impl FormFields<'_> {
    /// Returns a field that is filled in.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        let field = self.0.iter().find(|(field, _)| field == name);
        field
            .map(|(_, value)| value.trim())
            .filter(|value| !value.is_empty())
    }

    /// Returns the chosen seat, unless it is left to chance.
    #[must_use]
    pub fn seat(&self) -> Option<Side> {
        match self.text("seat") {
            Some("first") => Some(Side::First),
            Some("second") => Some(Side::Second),
            _ => None,
        }
    }

    /// Returns a strategy with the parameters that were filled in; their fields are named
    /// `role.strategy.parameter`.
    #[must_use]
    pub fn strategy(&self, role: &str) -> String {
        let name = self.text(role).unwrap_or_default();
        let Some(info) = STRATEGIES.iter().find(|info| info.name == name) else {
            return name.into();
        };
        let arguments: Vec<String> = info
            .parameters
            .iter()
            .filter(|parameter| parameter.kind != ParameterKind::File)
            .filter_map(|parameter| {
                let value = self.text(&format!("{role}.{name}.{}", parameter.name))?;
                Some(format!("{}={value}", parameter.name))
            })
            .collect();
        if arguments.is_empty() {
            name.into()
        } else {
            format!("{name}({})", arguments.join(","))
        }
    }
}
