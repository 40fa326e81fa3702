//! The atlas of solved boards: the value of each, its proof, and a button that checks the proof here.

use std::sync::LazyLock;

use askama::Template;
use papan_catalog::BundledCertificate;
use papan_view::svg_board::{self, DrawOptions};
use papan_view::{BoardView, messages};

use crate::board_grid::{BoardGrid, CellAction};
use crate::error::PageError;
use crate::game_title::game_title;
use crate::games::{FreshGames, Games as _};
use crate::layout::{Layout, PageContext};
use crate::position_url::PositionUrl;

/// A solved board with a certificate.
pub struct SolvedBoard {
    /// Name of the game.
    pub game: String,
    /// `first`, `draw` or `second`.
    pub value: String,
    /// The published value, if there is one.
    pub literature: Option<String>,
    /// Its certificate.
    pub certificate: &'static BundledCertificate,
}

impl SolvedBoard {
    /// Returns its name in addresses.
    #[must_use]
    pub fn slug(&self) -> String {
        self.game.replace(':', "-")
    }
}

/// The rows of the table in `docs/values.md`, which is not part of the published crate.
const TABLE: &str = include_str!("solved_boards.md");

/// The rows that have a certificate.
static BOARDS: LazyLock<Vec<SolvedBoard>> = LazyLock::new(|| {
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, name, literature, value, ..] = cells[..] else {
            return None;
        };
        let game = name.strip_prefix('`')?.strip_suffix('`')?;
        let parsed = FreshGames.get(game).ok()?;
        let grid = parsed.as_grid()?;
        let certificate = BundledCertificate::of(parsed.shape().sides(), grid.length())?;
        let is_value = |text: &&str| matches!(*text, "first" | "draw" | "second");
        Some(SolvedBoard {
            game: game.to_owned(),
            value: Some(value).filter(is_value)?.to_owned(),
            literature: Some(literature).filter(is_value).map(str::to_owned),
            certificate,
        })
    };
    TABLE.lines().filter_map(row).collect()
});

/// Returns all boards.
pub fn boards() -> &'static [SolvedBoard] {
    &BOARDS
}

/// Returns the board of a name in an address.
#[must_use]
pub fn find(slug: &str) -> Option<&'static SolvedBoard> {
    BOARDS.iter().find(|board| board.slug() == slug)
}

#[derive(Template)]
#[template(path = "atlas.html")]
struct AtlasPage {
    layout: Layout,
    boards: Vec<Card>,
}

struct Card {
    link: String,
    title: String,
    value: String,
    size: String,
    picture: String,
}

#[derive(Template)]
#[template(path = "solved_board.html")]
struct SolvedBoardPage {
    layout: Layout,
    board: BoardGrid,
    value: String,
    literature: Option<String>,
    size: String,
    game: String,
    slug: String,
    file: &'static str,
    analysis: String,
    /// The seat from which the visitor plays against the proof.
    seat: &'static str,
}

/// Renders the list.
///
/// # Errors
/// If the template fails.
pub fn list(context: &PageContext) -> Result<String, PageError> {
    let words = context.words;
    let card = |board: &SolvedBoard| Card {
        link: format!("/atlas/{}", board.slug()),
        title: game_title(words, &board.game),
        value: words.text(&format!("site-value-{}", board.value)),
        size: size(context, board),
        picture: FreshGames.get(&board.game).map_or_else(
            |_| String::new(),
            |game| svg_board::thumbnail(&BoardView::of(&*game.line())),
        ),
    };
    let page = AtlasPage {
        layout: Layout::new(context, words.text("site-atlas"), "/atlas"),
        boards: BOARDS.iter().map(card).collect(),
    };
    Ok(page.render()?)
}

fn size(context: &PageContext, board: &SolvedBoard) -> String {
    let bytes = messages::count(board.certificate.size as u64);
    context.words.with("site-bytes", [("bytes", bytes.into())])
}

/// Renders the page of a board.
///
/// # Errors
/// If the template fails.
pub fn page(context: &PageContext, solved: &SolvedBoard) -> Result<String, PageError> {
    let words = context.words;
    let game = FreshGames.parse(&solved.game, words)?;
    let options = DrawOptions {
        names: true,
        ..DrawOptions::default()
    };
    let view = BoardView::of(&*game.line());
    let url = PositionUrl {
        game: solved.game.clone(),
        ..PositionUrl::default()
    };
    let slug = solved.slug();
    let title = game_title(words, &solved.game);
    let page = SolvedBoardPage {
        layout: Layout::new(context, title, format!("/atlas/{slug}")),
        board: BoardGrid::new(&view, &options, words, |_, _| CellAction::None),
        value: words.text(&format!("site-value-{}", solved.value)),
        literature: solved.literature.as_ref().map(|value| {
            let value = words.text(&format!("site-literature-{value}"));
            words.with("site-literature", [("value", value.into())])
        }),
        size: size(context, solved),
        game: solved.game.clone(),
        slug,
        file: solved.certificate.file_name,
        analysis: url.link("/analysis"),
        seat: match solved.value.as_str() {
            "first" => "second",
            _ => "first",
        },
    };
    Ok(page.render()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_that_of_the_documentation() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/values.md");
        let page = std::fs::read_to_string(page).unwrap();
        let rows: Vec<&str> = (page.lines().filter(|line| line.starts_with("| `"))).collect();
        let table: Vec<&str> = TABLE.lines().collect();
        assert_eq!(
            rows, table,
            "copy the rows to crates/pages/src/solved_boards.md"
        );
    }

    #[test]
    fn every_bundled_certificate_has_a_page() {
        let files: Vec<&str> = boards()
            .iter()
            .map(|board| board.certificate.file_name)
            .collect();
        for certificate in BundledCertificate::all() {
            assert!(
                files.contains(&certificate.file_name),
                "{}",
                certificate.file_name
            );
        }
        assert_eq!(find("tictactoe-4x4x4").unwrap().value, "first");
        assert_eq!(find("tictactoe-7x7-5").unwrap().value, "draw");
    }
}
