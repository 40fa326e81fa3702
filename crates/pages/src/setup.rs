//! The position editor. Every step is a URL, so it works without scripts.

use askama::Template;
use papan_catalog::AnyGame;
use papan_rules::{Move, Pieces, Player};
use papan_view::svg_board::DrawOptions;
use papan_view::{BoardView, Marks, Messages, Setup, messages};
use serde::Deserialize;

use crate::analysis::{counts, status};
use crate::board_grid::{BoardGrid, CellAction};
use crate::error::PageError;
use crate::game::{piece_picture, result};
use crate::game_title::{GameOption, game_options, game_title};
use crate::games::Games;
use crate::layout::{Layout, PageContext};
use crate::position_url::PositionUrl;

/// The position so far and the next edit.
#[derive(Deserialize)]
pub struct SetupQuery {
    #[serde(default)]
    game: String,
    /// The position so far.
    #[serde(default)]
    start: String,
    /// The piece to put: `X`, `O` or `-`, as in position text.
    #[serde(default)]
    piece: String,
    /// The player to move.
    #[serde(default)]
    turn: String,
    /// The cell to edit.
    put: Option<String>,
    #[serde(rename = "do")]
    action: Option<String>,
}

/// A radio button of the editor.
struct PieceChoice {
    value: char,
    picture: Option<String>,
    name: String,
    is_chosen: bool,
}

#[derive(Template)]
#[template(path = "setup.html")]
struct SetupPage {
    layout: Layout,
    heading: String,
    game: String,
    games: Vec<GameOption>,
    position: String,
    typed: String,
    status: String,
    counts: Option<String>,
    wrong: Option<String>,
    /// Whether the client tried to leave the editor.
    tried: bool,
    pieces: Vec<PieceChoice>,
    /// Empty where the number of pieces determines the turn.
    turns: Vec<PieceChoice>,
    board: BoardGrid,
}

/// The answer of the editor.
pub enum Edited {
    /// The address of the edited position.
    Moved(String),
    /// The page.
    Page {
        /// The HTML.
        html: String,
        /// Whether the visitor tried to leave with a position that cannot be played.
        refused: bool,
    },
}

/// Applies the edit and renders the page.
///
/// # Errors
/// If the game or the edited cell does not exist.
pub fn edit(
    context: &PageContext,
    games: &dyn Games,
    query: SetupQuery,
) -> Result<Edited, PageError> {
    let words = context.words;
    let name = if query.game.is_empty() {
        "tictactoe"
    } else {
        &query.game
    };
    let game = games.parse(name, words)?;
    let fresh = || Setup::of(&*game.line());
    let (mut setup, unreadable) = match query.start.trim() {
        "" => (fresh(), None),
        text => match Setup::parse(&game, text) {
            Ok(setup) => (setup, None),
            Err(error) => (fresh(), Some(messages::position(words, &error))),
        },
    };
    let piece = query.piece.chars().next().unwrap_or('X');
    setup.turn = player(&query.turn).unwrap_or(setup.turn);
    let mut changed = !query.turn.is_empty();
    if let Some(cell) = &query.put {
        put(&mut setup, &game, cell, player(&piece.to_string()), words)?;
        changed = true;
    }
    match query.action.as_deref() {
        Some("clear") => setup.cells.fill(None),
        Some("start") => setup = fresh(),
        _ => {}
    }
    setup.correct_turn(&game);
    let tried = query.action.as_deref() == Some("analyse");
    let wrong = unreadable.clone().or_else(|| error(&setup, &game, words));
    let url = PositionUrl {
        game: game.name(),
        start: Some(setup.to_string()),
        ..PositionUrl::default()
    };
    if tried && wrong.is_none() {
        return Ok(Edited::Moved(url.link("/analysis")));
    }
    let here = format!("{}&piece={piece}", url.link("/analysis/setup"));
    if !tried && (changed || query.action.is_some()) {
        return Ok(Edited::Moved(here));
    }
    let typed = match unreadable {
        Some(_) => query.start,
        None => setup.to_string(),
    };
    let view = setup.view(&game);
    let heading = game_title(words, &game.name());
    let title = format!("{}: {heading}", words.text("web-set-up"));
    let mut layout = Layout::new(context, title, here);
    if wrong.is_none() {
        layout.picture = Some(url.link("/analysis/board.png"));
    }
    let page = SetupPage {
        layout,
        heading,
        game: game.name(),
        games: game_options(words, &game.name()),
        position: setup.to_string(),
        typed,
        status: status(words, &view),
        counts: counts(words, &view),
        wrong,
        tried,
        pieces: pieces(words, game.pieces(), piece),
        turns: turns(words, &game, setup.turn),
        board: board(&view, words),
    };
    Ok(Edited::Page {
        html: page.render()?,
        refused: tried,
    })
}

/// Parses a player's letter.
fn player(letter: &str) -> Option<Player> {
    match letter {
        "X" => Some(Player::First),
        "O" => Some(Player::Second),
        _ => None,
    }
}

/// Puts a piece on a cell, or removes the same piece.
fn put(
    setup: &mut Setup,
    game: &AnyGame,
    cell: &str,
    piece: Option<Player>,
    words: Messages,
) -> Result<(), PageError> {
    let wrong = |error| PageError::Unusable(messages::notation(words, game, &error));
    let mv: Move = game.parse_move(cell).map_err(wrong)?;
    if let Some(cell) = mv.cell().and_then(|cell| setup.cells.get_mut(cell)) {
        *cell = if *cell == piece { None } else { piece };
    }
    Ok(())
}

/// Returns why no game can continue from here.
fn error(setup: &Setup, game: &AnyGame, words: Messages) -> Option<String> {
    match setup.line(game) {
        Err(error) => Some(messages::position(words, &error)),
        Ok(line) => {
            let outcome = line.outcome()?;
            let result = result(words, &BoardView::of(&*line), outcome);
            Some(words.with("web-setup-over", [("result", result.into())]))
        }
    }
}

fn pieces(words: Messages, pieces: Pieces, chosen: char) -> Vec<PieceChoice> {
    let side = |player, letter: char| PieceChoice {
        value: letter,
        picture: Some(piece_picture(pieces, player)),
        name: messages::side(words, pieces, player, Marks::default()),
        is_chosen: chosen == letter,
    };
    vec![
        side(Player::First, 'X'),
        side(Player::Second, 'O'),
        PieceChoice {
            value: '-',
            picture: None,
            name: words.text("web-setup-empty"),
            is_chosen: !matches!(chosen, 'X' | 'O'),
        },
    ]
}

/// Returns the choices for the player to move, unless the pieces determine it.
fn turns(words: Messages, game: &AnyGame, turn: Player) -> Vec<PieceChoice> {
    if game.properties().pieces_tell_turn() {
        return Vec::new();
    }
    let letter = if turn == Player::First { 'X' } else { 'O' };
    let mut turns = pieces(words, game.pieces(), letter);
    turns.pop();
    turns
}

fn board(view: &BoardView, words: Messages) -> BoardGrid {
    let options = DrawOptions {
        names: true,
        ..DrawOptions::default()
    };
    BoardGrid::new(view, &options, words, |_, _| CellAction::Submit("put"))
}
