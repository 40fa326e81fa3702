//! Handlers that create, show and change games. The same handlers serve pages and the API.

use askama::Template;
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect};
use papan_rules::{Player, SwapChoice};
use papan_store::NewGame;
use papan_view::messages;
use serde::{Deserialize, Serialize};

use crate::api::create_game::CreateGame;
use crate::api::hints::{ask_hint, ask_why, explain_last_move, show_hint};
use crate::api::request::GameRequest;
use crate::game::command::Command;
use crate::game::commands::scoped_key;
use crate::game::event::{Event, Greeting};
use crate::game::live_game::LiveGame;
use crate::game::snapshot::GameSnapshot;
use crate::game::state::GameState;
use crate::handlers::home;
use crate::http::body::ParsedBody;
use crate::http::client::{Client, ResponseFormat};
use crate::http::rejection::{Conflict, Handled, Rejection};
use crate::http::secret::random_game_id;
use crate::pages::game::GamePageBuilder;
use crate::pages::lobby;
use crate::side::Side;
use crate::state::AppState;
use papan_pages::Layout;
use papan_pages::form_defaults::FormDefaults;
use papan_pages::game::{GamePage, GamePart, StudyView};
use papan_pages::home::WrongField;
use papan_pages::numbers::optional_ply;

/// Reload interval of a page without scripts that waits for the opponent, in seconds.
const RELOAD_SECONDS: u32 = 3;

/// A game as one client sees it, as JSON.
#[derive(Serialize)]
struct GameView {
    #[serde(flatten)]
    state: GameSnapshot,
    /// The client's seats.
    you: Vec<Side>,
    /// The invitation link to the vacant seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    invitation: Option<String>,
}

impl GameView {
    fn new(state: &GameState, client: &Client) -> Self {
        let seats = state.seats_of(client.secret.as_ref());
        let invitation = state.invitation(client.secret.as_ref());
        Self {
            state: GameSnapshot::of(state),
            you: seats.into_iter().map(Side::from).collect(),
            invitation: invitation
                .map(|invitation| format!("{}/join/{}", client.origin, invitation.text())),
        }
    }
}

/// What of a game a page shows.
#[derive(Default)]
struct PageOptions {
    /// A past position.
    ply: Option<usize>,
    study: Option<StudyView>,
    /// Whether to ask for confirmation of a resignation.
    confirms_resignation: bool,
}

/// Renders a game in the format that the client accepts.
fn render(
    app: &AppState,
    client: &Client,
    game: &LiveGame,
    state: &GameState,
    options: PageOptions,
) -> Handled {
    if client.format == ResponseFormat::Json {
        return Ok(Json(GameView::new(state, client)).into_response());
    }
    let seats = state.seats_of(client.secret.as_ref());
    let opponent_moves = state.turn().is_some_and(|turn| !seats.contains(&turn));
    let waits = state.vacant.is_some() || opponent_moves;
    let is_static =
        options.ply.is_some() || options.study.is_some() || options.confirms_resignation;
    let now = app.clock.now();
    let (view, board) = GamePageBuilder {
        client,
        programs: &app.programs,
        state,
        elapsed: app.commands.elapsed(state),
        ply: options.ply,
        study: options.study,
        confirms_resignation: options.confirms_resignation,
        present: Player::BOTH.map(|player| game.is_present(player, now)),
    }
    .build();
    let html = if client.format == ResponseFormat::Part {
        GamePart { view, board }.render()
    } else {
        let path = format!("/games/{}", state.id);
        let mut layout = Layout::new(&client.page(), view.heading.clone(), path);
        layout.reload = (waits && !is_static).then_some(RELOAD_SECONDS);
        layout.picture = Some(format!("/games/{}/board.png", state.id));
        GamePage {
            layout,
            view,
            board,
        }
        .render()
    };
    Ok(Html(html.map_err(|_| Rejection::Internal)?).into_response())
}

/// Responds to a change: a redirect for a page (POST/redirect/GET), else the game.
fn render_changed(app: &AppState, client: &Client, game: &LiveGame, state: &GameState) -> Handled {
    match client.format {
        ResponseFormat::Page => Ok(Redirect::to(&format!("/games/{}", state.id)).into_response()),
        _ => render(app, client, game, state, PageOptions::default()),
    }
}

/// `POST /games`.
pub(crate) async fn create(
    State(app): State<AppState>,
    mut client: Client,
    body: ParsedBody,
) -> Handled {
    let request = CreateGame::read(&body)?;
    let (secret, cookie) = client.secret_or_new()?;
    client.secret = Some(secret.clone());
    let game = match (request.new_game(&app, &client, &secret), &body) {
        // The form is shown again with the error at its field.
        (Err(Rejection::UnusableField { field, what }), ParsedBody::Form(fields))
            if client.format == ResponseFormat::Page =>
        {
            let wrong = WrongField {
                name: field,
                sentence: what,
            };
            return home::page(&app, &client, &FormDefaults::from_form(fields), Some(wrong));
        }
        (game, _) => game?,
    };
    let waiting = if request.pairs {
        lobby::join_challenge(&app, &client, &secret, &game).await?
    } else {
        None
    };
    let game = match waiting {
        Some(waiting) => waiting,
        None => {
            let rule = request.opening_rule;
            app.games.create(game, rule, client.address).await?
        }
    };
    let state = game.state();
    let url = format!("/games/{}", state.id);
    let mut response = match client.format {
        ResponseFormat::Json => {
            let location = [(header::LOCATION, url)];
            let view = Json(GameView::new(&state, &client));
            (StatusCode::CREATED, location, view).into_response()
        }
        _ => Redirect::to(&url).into_response(),
    };
    let headers = response.headers_mut();
    headers.extend(cookie);
    if let ParsedBody::Form(fields) = &body {
        let defaults = FormDefaults::from_form(fields).to_text();
        headers.append(header::SET_COOKIE, client.form_defaults_cookie(&defaults));
    }
    Ok(response)
}

/// The query of a game's page and its exports.
#[derive(Deserialize)]
pub(crate) struct GameQuery {
    #[serde(default, deserialize_with = "optional_ply")]
    pub(crate) ply: Option<usize>,
    pub(crate) show: Option<String>,
    /// The same as `show`, to be worked out by the browser.
    pub(crate) ask: Option<String>,
}

/// `GET /games/{id}`.
pub(crate) async fn show(
    State(app): State<AppState>,
    client: Client,
    Path(id): Path<String>,
    Query(query): Query<GameQuery>,
) -> Handled {
    let game = app.games.get(&id, client.address).await?;
    let state = game.state();
    let seats = state.seats_of(client.secret.as_ref());
    game.touch(&seats, client.address, app.clock.now());
    let study = match (query.show.as_deref(), query.ask.as_deref()) {
        (Some("hint"), _) => Some(show_hint(&app, &client, &game, &state).await?),
        (Some("why"), _) => Some(explain_last_move(&app, &client, &game, &state).await?),
        (None, Some("hint")) => Some(ask_hint(&client, &game, &state)?),
        (None, Some("why")) => Some(ask_why(&client, &game, &state)?),
        _ => None,
    };
    let options = PageOptions {
        ply: query.ply,
        study,
        confirms_resignation: query.show.as_deref() == Some("resign"),
    };
    render(&app, &client, &game, &state, options)
}

impl<B> GameRequest<B> {
    /// Executes a command and renders the game after it.
    async fn execute(self, command: Command) -> Handled {
        let request = self.command(command);
        let state = self.app.commands.execute(&self.game, request).await?;
        render_changed(&self.app, &self.client, &self.game, &state)
    }
}

/// The body of a move.
#[derive(Deserialize)]
pub(crate) struct MoveBody {
    #[serde(rename = "move")]
    mv: String,
}

/// `POST /games/{id}/moves`.
pub(crate) async fn make_move(request: GameRequest<MoveBody>) -> Handled {
    let GameRequest {
        app, client, game, ..
    } = &request;
    let seats = game.state().seats_of(client.secret.as_ref());
    game.touch(&seats, client.address, app.clock.now());
    let mv = game.rules.parse_move(&request.body.mv).map_err(|error| {
        Rejection::Unusable(messages::notation(client.words, &game.rules, &error))
    })?;
    request.execute(Command::Move(mv)).await
}

/// The body of a choice in a swap opening.
#[derive(Deserialize)]
pub(crate) struct ChoiceBody {
    answer: String,
}

/// `POST /games/{id}/colour`: chooses a colour, or to place two more stones.
pub(crate) async fn choose_colour(request: GameRequest<ChoiceBody>) -> Handled {
    let Some(choice) = SwapChoice::parse(&request.body.answer) else {
        let text = [("text", request.body.answer.clone().into())];
        let sentence = request.client.words.with("web-no-such-answer", text);
        return Err(Rejection::Unusable(sentence));
    };
    request.execute(Command::Choose(choice)).await
}

/// The body of a command without fields of its own.
#[derive(Deserialize)]
pub(crate) struct EmptyBody {}

/// `POST /games/{id}/resignation`.
pub(crate) async fn resign(request: GameRequest<EmptyBody>) -> Handled {
    request.execute(Command::Resign).await
}

/// `POST /games/{id}/withdrawal`: deletes a game whose invitation has not been accepted.
pub(crate) async fn withdraw(request: GameRequest<EmptyBody>) -> Handled {
    let GameRequest {
        app, client, game, ..
    } = &request;
    let state = game.state();
    let [seat] = state.seats_of(client.secret.as_ref())[..] else {
        return Err(Rejection::NotYourSeat);
    };
    if state.vacant.is_none() {
        return Err(Rejection::stale(Conflict::Outdated, &state));
    }
    // Stored before the deletion: of a join and a withdrawal at the same version one fails.
    let event = Event::Resigned { by: seat.into() };
    app.commands
        .append_at(game, state.version, event, None)
        .await?;
    if !game.state().is_over() {
        return Err(Rejection::stale(Conflict::Outdated, &game.state()));
    }
    app.store.delete_game(&state.id).await?;
    app.games.evict(std::slice::from_ref(&state.id));
    Ok(match client.format {
        ResponseFormat::Json => StatusCode::NO_CONTENT.into_response(),
        _ => Redirect::to("/lobby").into_response(),
    })
}

/// The body of an offer or the answer to one.
#[derive(Deserialize)]
pub(crate) struct OfferBody {
    answer: Option<String>,
}

impl GameRequest<OfferBody> {
    /// Returns the command for the `answer` field.
    fn answer(&self, [offer, accept, decline]: [Command; 3]) -> Result<Command, Rejection> {
        match self.body.answer.as_deref() {
            None | Some("ask") => Ok(offer),
            Some("agree") => Ok(accept),
            Some("decline") => Ok(decline),
            Some(other) => {
                let text = [("text", other.to_owned().into())];
                let sentence = self.client.words.with("web-no-such-answer", text);
                Err(Rejection::Unusable(sentence))
            }
        }
    }
}

/// `POST /games/{id}/draw`: offers a draw, or answers the offer.
pub(crate) async fn draw(request: GameRequest<OfferBody>) -> Handled {
    let command = request.answer([
        Command::OfferDraw,
        Command::AcceptDraw,
        Command::DeclineDraw,
    ])?;
    request.execute(command).await
}

/// `POST /games/{id}/take-back`: asks to take back, or answers the request.
pub(crate) async fn take_back(request: GameRequest<OfferBody>) -> Handled {
    let command = request.answer([
        Command::TakeBack,
        Command::AcceptTakeBack,
        Command::DeclineTakeBack,
    ])?;
    request.execute(command).await
}

/// The body of a canned message.
#[derive(Deserialize)]
pub(crate) struct GreetingBody {
    greeting: Greeting,
}

/// `POST /games/{id}/greeting`.
pub(crate) async fn greet(mut request: GameRequest<GreetingBody>) -> Handled {
    // A message fits every version.
    request.version = None;
    let greeting = request.body.greeting;
    request.execute(Command::Greet(greeting)).await
}

/// `POST /games/{id}/rematch`: offers a rematch, or creates it if the opponent has offered one
/// or there is no opponent to ask.
pub(crate) async fn rematch(request: GameRequest<OfferBody>) -> Handled {
    let command = request.answer([
        Command::OfferRematch,
        Command::OfferRematch,
        Command::DeclineRematch,
    ])?;
    if command == Command::DeclineRematch {
        return request.execute(command).await;
    }
    let GameRequest {
        app, client, game, ..
    } = &request;
    let state = game.state();
    let seats = state.seats_of(client.secret.as_ref());
    let key = scoped_key(&seats, request.key.as_deref());
    if key.as_deref().is_some_and(|key| started_rematch(game, key)) {
        return redirect_to_rematch(app, client, &state).await;
    }
    let opponent_offers = state.rematch_offer.is_some_and(|by| !seats.contains(&by));
    let may_start = !seats.is_empty() && state.is_over() && state.rematch.is_none();
    if !may_start || !opponent_offers && state.needs_consent() {
        return request.execute(command).await;
    }
    let old = game.header.clone();
    let next = NewGame {
        players: [1, 0].map(|seat: usize| state.players[seat].to_string()),
        holders: [state.holders[1], state.holders[0]],
        visitors: match state.opening {
            Some(opening) if opening.exchanged() => old.visitors,
            _ => [old.visitors[1], old.visitors[0]],
        },
        names: [state.names[1].clone(), state.names[0].clone()],
        listed: false,
        invitation: None,
        created_at: app.clock.unix_millis(),
        id: random_game_id(),
        ..old
    };
    let rule = state.opening.map(|opening| opening.rule());
    let next = app.games.create(next, rule, client.address).await?;
    let event = Event::RematchStarted {
        game: next.header.id.clone(),
    };
    app.commands
        .append_at(game, state.version, event, key)
        .await?;
    // A concurrent request may have created another rematch first.
    redirect_to_rematch(app, client, &game.state()).await
}

/// Returns whether the request with this key created the rematch.
fn started_rematch(game: &LiveGame, key: &str) -> bool {
    matches!(game.answered(key), Some((_, Event::RematchStarted { .. })))
}

async fn redirect_to_rematch(app: &AppState, client: &Client, state: &GameState) -> Handled {
    let Some(next) = &state.rematch else {
        return Err(Rejection::stale(Conflict::Outdated, state));
    };
    let next = app.games.get(next, client.address).await?.state();
    match client.format {
        ResponseFormat::Json => {
            Ok((StatusCode::CREATED, Json(GameView::new(&next, client))).into_response())
        }
        _ => Ok(Redirect::to(&format!("/games/{}", next.id)).into_response()),
    }
}
