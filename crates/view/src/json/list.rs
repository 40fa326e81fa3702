//! What `papan list` tells.

use papan_catalog::{FAMILIES, ParameterKind, STRATEGIES};
use serde::Serialize;

/// Every game and strategy.
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
    /// Which sizes there are.
    pub sizes: &'static str,
    /// Names of games.
    pub examples: &'static [&'static str],
}

/// A strategy.
#[derive(Clone, Debug, Serialize)]
pub struct Recipe {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub summary: &'static str,
    /// The document that it comes from.
    pub document: Option<&'static str>,
    /// The families that it plays.
    pub games: Vec<&'static str>,
    /// What can be set.
    pub parameters: Vec<Parameter>,
}

/// Something that can be set.
#[derive(Clone, Debug, Serialize)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub summary: &'static str,
    /// What it takes.
    pub takes: Takes,
    /// What it is unless set.
    pub default: &'static str,
}

/// What a parameter takes.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Takes {
    /// A number within bounds.
    Number {
        /// The smallest.
        min: u64,
        /// The largest.
        max: u64,
    },
    /// One of these words.
    Choice(&'static [&'static str]),
    /// The name of a file.
    File,
}

impl List {
    /// All that the catalog holds.
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
                ParameterKind::Choice(words) => Takes::Choice(words),
                ParameterKind::File => Takes::File,
            },
            default: parameter.default,
        }
    }
}
