//! Setting a position up: choose what to put, then the cells. Every step has an
//! address, so that it works without scripts and can be sent to somebody.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Redirect, Response};
use papan_catalog::{AnyGame, FAMILIES};
use papan_rules::{Move, Pieces, Player};
use papan_view::svg_board::DrawOptions;
use papan_view::{BoardView, Marks, Messages, Setup, messages};
use serde::Deserialize;

use crate::api::create_game::game_named;
use crate::http::client::Client;
use crate::http::rejection::Rejection;
use crate::pages::analysis::{counts, status};
use crate::pages::board_grid::{BoardGrid, Touch};
use crate::pages::game::{game_title, picture_of, result};
use crate::pages::layout::Layout;
use crate::pages::position_url::PositionUrl;
use crate::state::AppState;

/// What a client has set up, and what they do next.
#[derive(Deserialize)]
pub(crate) struct SettingUp {
    #[serde(default)]
    game: String,
    /// The position so far.
    #[serde(default)]
    start: String,
    /// What is put on cells: `X`, `O` or `-`, as positions are written.
    #[serde(default)]
    piece: String,
    /// Whose turn it shall be.
    #[serde(default)]
    turn: String,
    /// The cell it is put on.
    put: Option<String>,
    #[serde(rename = "do")]
    action: Option<String>,
}

#[derive(Template)]
#[template(path = "setup.html")]
struct SetupPage {
    layout: Layout,
    heading: String,
    game: String,
    games: Vec<&'static str>,
    position: String,
    typed: String,
    status: String,
    counts: Option<String>,
    wrong: Option<String>,
    /// Whether the client wanted to go on from here.
    tried: bool,
    /// Value, picture, name, whether it is chosen.
    pieces: Vec<(char, Option<String>, String, bool)>,
    /// The same for the side to move; empty where the pieces tell it.
    turns: Vec<(char, Option<String>, String, bool)>,
    board: BoardGrid,
}

pub(crate) async fn setup(
    State(app): State<Arc<AppState>>,
    client: Client,
    Query(wish): Query<SettingUp>,
) -> Result<Response, Rejection> {
    let words = client.words;
    let name = if wish.game.is_empty() {
        "tictactoe"
    } else {
        &wish.game
    };
    let game = game_named(&app, name, words)?;
    let fresh = || Setup::of(&*game.line());
    let (mut setup, unreadable) = match wish.start.trim() {
        "" => (fresh(), None),
        text => match Setup::parse(&game, text) {
            Ok(setup) => (setup, None),
            Err(error) => (fresh(), Some(messages::position(words, &error))),
        },
    };
    let piece = wish.piece.chars().next().unwrap_or('X');
    setup.turn = player(&wish.turn).unwrap_or(setup.turn);
    let mut changed = !wish.turn.is_empty();
    if let Some(cell) = &wish.put {
        put(&mut setup, &game, cell, player(&piece.to_string()), words)?;
        changed = true;
    }
    match wish.action.as_deref() {
        Some("clear") => setup.cells.fill(None),
        Some("start") => setup = fresh(),
        _ => {}
    }
    setup.correct_turn(&game);
    let tried = wish.action.as_deref() == Some("analyse");
    let wrong = unreadable
        .clone()
        .or_else(|| objection(&setup, &game, words));
    let place = PositionUrl {
        game: game.name(),
        start: Some(setup.to_string()),
        ..PositionUrl::default()
    };
    if tried && wrong.is_none() {
        return Ok(Redirect::to(&place.link("/analysis")).into_response());
    }
    let here = format!("{}&piece={piece}", place.link("/analysis/setup"));
    if !tried && (changed || wish.action.is_some()) {
        return Ok(Redirect::to(&here).into_response());
    }
    let typed = match unreadable {
        Some(_) => wish.start,
        None => setup.to_string(),
    };
    let view = setup.view(&game);
    let heading = game_title(words, &game.name());
    let title = format!("{}: {heading}", words.text("web-set-up"));
    let page = SetupPage {
        layout: Layout::new(&client, title, here),
        heading,
        game: game.name(),
        games: FAMILIES
            .iter()
            .flat_map(|family| family.examples)
            .copied()
            .collect(),
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
    let code = match tried {
        true => StatusCode::UNPROCESSABLE_ENTITY,
        false => StatusCode::OK,
    };
    let html = Html(page.render().map_err(|_| Rejection::Broken)?);
    Ok((code, html).into_response())
}

/// The player whose letter this is.
fn player(letter: &str) -> Option<Player> {
    match letter {
        "X" => Some(Player::First),
        "O" => Some(Player::Second),
        _ => None,
    }
}

/// Puts a piece on a cell; where it stands already, takes it away.
fn put(
    setup: &mut Setup,
    game: &AnyGame,
    cell: &str,
    piece: Option<Player>,
    words: Messages,
) -> Result<(), Rejection> {
    let wrong = |error| Rejection::Unusable(messages::notation(words, game, &error));
    let mv: Move = game.parse_move(cell).map_err(wrong)?;
    if let Some(cell) = mv.cell().and_then(|cell| setup.cells.get_mut(cell)) {
        *cell = if *cell == piece { None } else { piece };
    }
    Ok(())
}

/// Why nothing can be played from here, if so.
fn objection(setup: &Setup, game: &AnyGame, words: Messages) -> Option<String> {
    match setup.line(game) {
        Err(error) => Some(messages::position(words, &error)),
        Ok(line) => {
            let outcome = line.outcome()?;
            let result = result(words, &BoardView::of(&*line), outcome);
            Some(words.with("web-setup-over", [("result", result.into())]))
        }
    }
}

fn pieces(
    words: Messages,
    pieces: Pieces,
    chosen: char,
) -> Vec<(char, Option<String>, String, bool)> {
    let side = |player, letter: char| {
        let name = messages::side(words, pieces, player, Marks::default());
        let picture = Some(picture_of(pieces, player));
        (letter, picture, name, chosen == letter)
    };
    let chosen = !matches!(chosen, 'X' | 'O');
    vec![
        side(Player::First, 'X'),
        side(Player::Second, 'O'),
        ('-', None, words.text("web-setup-empty"), chosen),
    ]
}

/// Whose turn it may be; where pieces stay, their number tells it.
fn turns(
    words: Messages,
    game: &AnyGame,
    turn: Player,
) -> Vec<(char, Option<String>, String, bool)> {
    if game.properties().pieces_tell_turn() {
        return Vec::new();
    }
    let letter = if turn == Player::First { 'X' } else { 'O' };
    let mut turns = pieces(words, game.pieces(), letter);
    turns.pop();
    turns
}

fn board(view: &BoardView, words: Messages) -> BoardGrid {
    let look = DrawOptions {
        names: true,
        ..DrawOptions::default()
    };
    BoardGrid::new(view, &look, words, |_, _| Touch::Send("put"))
}
