//! The rules of each game with boards that can be played, and the page about papan.

use askama::Template;
use papan_catalog::AnyGame;
use papan_rules::Move;
use papan_view::svg_board::{self, DrawOptions};
use papan_view::{BoardView, Messages};

use crate::board_grid::{BoardGrid, CellAction};
use crate::error::PageError;
use crate::game_title::game_title;
use crate::layout::{Layout, PageContext};
use crate::position_url::PositionUrl;

/// A game with rules of its own.
struct Ruled {
    /// Its name in URLs, and the suffix of its messages (`rules-…`).
    name: &'static str,
    game: &'static str,
    /// A position from which the first moves can be tried.
    moves: &'static str,
    /// Number of paragraphs.
    paragraphs: usize,
}

const RULED: [Ruled; 4] = [
    Ruled {
        name: "tictactoe",
        game: "tictactoe",
        moves: "5 1 9",
        paragraphs: 3,
    },
    Ruled {
        name: "gomoku",
        game: "gomoku",
        moves: "h8 i9 h10 h9 g9 i11",
        paragraphs: 4,
    },
    Ruled {
        name: "renju",
        game: "renju",
        moves: "h8 h9 i8 i9",
        paragraphs: 3,
    },
    Ruled {
        name: "othello",
        game: "othello",
        moves: "f5d6c3",
        paragraphs: 4,
    },
];

#[derive(Template)]
#[template(path = "rules_list.html")]
struct RulesList {
    layout: Layout,
    games: Vec<RulesCard>,
}

struct RulesCard {
    link: String,
    title: String,
    text: String,
    picture: String,
}

/// Renders the list of games.
///
/// # Errors
/// If the template fails.
pub fn list(context: &PageContext) -> Result<String, PageError> {
    let words = context.words;
    let card = |ruled: &Ruled| {
        let mut line = game(ruled)?.line();
        line.extend(ruled.moves).map_err(|_| PageError::Internal)?;
        Ok(RulesCard {
            link: format!("/rules/{}", ruled.name),
            title: game_title(words, ruled.game),
            text: words.text(&format!("rules-{}-1", ruled.name)),
            picture: svg_board::thumbnail(&BoardView::of(&*line)),
        })
    };
    let page = RulesList {
        layout: Layout::new(context, words.text("web-rules"), "/rules"),
        games: RULED.iter().map(card).collect::<Result<_, PageError>>()?,
    };
    Ok(page.render()?)
}

fn game(ruled: &Ruled) -> Result<AnyGame, PageError> {
    ruled.game.parse().map_err(|_| PageError::Internal)
}

#[derive(Template)]
#[template(path = "rules.html")]
struct RulesPage {
    layout: Layout,
    board: BoardGrid,
    paragraphs: Vec<String>,
    /// Where the game can be played.
    play: String,
    analysis: String,
}

/// Renders the rules of a game.
///
/// # Errors
/// If there is no such game.
pub fn page(context: &PageContext, name: &str) -> Result<String, PageError> {
    let words = context.words;
    let ruled = RULED.iter().find(|ruled| ruled.name == name);
    let ruled = ruled.ok_or(PageError::NotFound)?;
    let game = game(ruled)?;
    let mut line = game.line();
    line.extend(ruled.moves).map_err(|_| PageError::Internal)?;
    let options = DrawOptions {
        legal: true,
        ..DrawOptions::default()
    };
    let after = |mv: Move| {
        let mut next = line.clone_line();
        next.play(mv).ok()?;
        let url = PositionUrl {
            game: game.name(),
            moves: next.text(),
            ..PositionUrl::default()
        };
        Some(url.link("/analysis"))
    };
    let board = BoardGrid::new(
        &BoardView::of(&*line),
        &options,
        words,
        |index, cell| match after(Move::on(index)).filter(|_| cell.legal) {
            Some(link) => CellAction::Link(link),
            None => CellAction::None,
        },
    );
    let url = PositionUrl {
        game: game.name(),
        ..PositionUrl::default()
    };
    let title = format!(
        "{}: {}",
        words.text("web-rules"),
        game_title(words, ruled.game)
    );
    let mut layout = Layout::new(context, title, format!("/rules/{name}"));
    let shown = PositionUrl {
        moves: line.text(),
        ..url.clone()
    };
    layout.picture = Some(shown.link("/analysis/board.png"));
    let page = RulesPage {
        layout,
        board,
        paragraphs: paragraphs(words, ruled),
        play: format!("/?game={}", ruled.game),
        analysis: url.link("/analysis"),
    };
    Ok(page.render()?)
}

fn paragraphs(words: Messages, ruled: &Ruled) -> Vec<String> {
    (1..=ruled.paragraphs)
        .map(|number| words.text(&format!("rules-{}-{number}", ruled.name)))
        .collect()
}

#[derive(Template)]
#[template(path = "about.html")]
struct AboutPage {
    layout: Layout,
    version: &'static str,
}

/// Renders the page about papan.
///
/// # Errors
/// If the template fails.
pub fn about(context: &PageContext) -> Result<String, PageError> {
    let page = AboutPage {
        layout: Layout::new(context, context.words.text("web-about"), "/about"),
        version: env!("CARGO_PKG_VERSION"),
    };
    Ok(page.render()?)
}
