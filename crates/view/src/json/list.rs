//! Output of `papan list`.

use papan_catalog::{FAMILIES, ParameterKind, STRATEGIES};
use serde::Serialize;

/// All games and strategies.
#[derive(Clone, Debug, Serialize)]
pub struct List {
    /// The families of games.
    pub games: Vec<Family>,
    /// The strategies.
    pub strategies: Vec<Recipe>,
}

/// A family of games.
#[derive(Clone, Debug, Serialize)]
pub struct Family {
    /// Its name.
    pub name: &'static str,
    /// The board sizes.
    pub sizes: &'static str,
    /// Example games.
    pub examples: &'static [&'static str],
}

/// A strategy.
#[derive(Clone, Debug, Serialize)]
pub struct Recipe {
    /// Its name.
    pub name: &'static str,
    /// A short description.
    pub summary: &'static str,
    /// The document that describes it.
    pub document: Option<&'static str>,
    /// The families of games that it plays.
    pub games: Vec<&'static str>,
    /// The parameters.
    pub parameters: Vec<Parameter>,
}

/// A parameter.
#[derive(Clone, Debug, Serialize)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// A short description.
    pub summary: &'static str,
    /// Its possible values.
    pub takes: Takes,
    /// Its default.
    pub default: &'static str,
}

/// The possible values of a parameter.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Takes {
    /// A number in a range.
    Number {
        /// The smallest.
        min: u64,
        /// The largest.
        max: u64,
    },
    /// One of these keywords.
    Choice(&'static [&'static str]),
    /// A file path.
    File,
}

impl List {
    /// Returns the contents of the catalog.
    #[must_use]
    pub fn of_catalog() -> Self {
        let family = |family: &papan_catalog::FamilyEntry| Family {
            name: family.name,
            sizes: family.sizes,
            examples: family.examples,
        };
        let recipe = |recipe: &papan_catalog::StrategyInfo| Recipe {
            name: recipe.name,
            summary: recipe.summary,
            document: recipe.document,
            games: recipe.families(),
            parameters: recipe.parameters.iter().map(Parameter::from).collect(),
        };
        Self {
            games: FAMILIES.iter().map(family).collect(),
            strategies: STRATEGIES.iter().map(recipe).collect(),
        }
    }
}

impl From<&papan_catalog::Parameter> for Parameter {
    fn from(parameter: &papan_catalog::Parameter) -> Self {
        Self {
            name: parameter.name,
            summary: parameter.summary,
            takes: match parameter.kind {
                ParameterKind::Number { min, max } => Takes::Number { min, max },
                ParameterKind::Choice(messages) => Takes::Choice(messages),
                ParameterKind::File => Takes::File,
            },
            default: parameter.default,
        }
    }
}
