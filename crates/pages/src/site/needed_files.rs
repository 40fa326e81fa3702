//! The files that an answer needs and that are not compiled in.

use papan_catalog::{AnyGame, BundledCertificate};
use serde::Serialize;

use super::local_game::LocalGame;
use super::{Request, Site, parse, split};
use crate::form_defaults::chosen_game;
use crate::position_url::PositionUrl;

/// Files that an answer needs and that are not compiled in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct NeededFiles {
    /// The game whose weights or certificate is needed.
    pub game: Option<String>,
    /// Whether the puzzles are needed.
    pub puzzles: bool,
}

impl Site {
    /// Returns the files that an answer needs.
    #[must_use]
    pub fn needs(&self, request: &Request) -> NeededFiles {
        let (path, query) = split(&request.address);
        let url: PositionUrl = parse(query).unwrap_or_default();
        let is_asked = url.strategy.as_deref().is_some_and(|text| !text.is_empty());
        let game = match path {
            "/review" | "/analysis/live" => Some(url.game),
            "/analysis" | "/analysis/board.svg" if is_asked => Some(url.game),
            // Which strategies can play a solved board depends on its proof. Weights are fetched when
            // an engine thinks.
            "/strategies" | "/trace" | "/proof" => solved(url.game),
            "/games" if request.is_post => created(&request.body).and_then(solved),
            _ if path.starts_with("/games/") && query.contains("show=") => {
                let saved: Option<LocalGame> = serde_json::from_str(&request.saved).ok();
                saved.map(|saved| saved.game)
            }
            _ => None,
        };
        NeededFiles {
            game,
            puzzles: path.starts_with("/puzzles"),
        }
    }
}

/// Returns the name of the game that the form of the home page creates.
fn created(form: &str) -> Option<String> {
    let form: Vec<(String, String)> = parse(form).ok()?;
    let name = chosen_game(&form)?;
    Some(name.to_owned())
}

/// Returns a game whose value a certificate proves.
fn solved(name: String) -> Option<String> {
    let game: AnyGame = name.parse().ok()?;
    let grid = game.as_grid()?;
    BundledCertificate::of(game.shape().sides(), grid.length())?;
    Some(name)
}
