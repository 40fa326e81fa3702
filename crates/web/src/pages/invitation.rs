//! Invitation links. `GET` asks for confirmation, so link previews take no seat; `POST` joins.

use askama::Template;
use axum::Json;
use axum::extract::{Path, State};
use axum::response::{Html, IntoResponse, Redirect, Response};
use papan_rules::Player;
use papan_store::Digest;
use papan_view::{Marks, messages};
use serde::{Deserialize, Serialize};

use crate::game::clock::clock_name;
use crate::game::commands::Guest;
use crate::http::body::ParsedBody;
use crate::http::client::{Client, ResponseFormat};
use crate::http::names::player_name;
use crate::http::rejection::Rejection;
use crate::http::secret::Secret;
use crate::state::AppState;
use papan_pages::Layout;
use papan_pages::game_title::game_title;

#[derive(Template)]
#[template(path = "invitation.html")]
struct InvitationPage {
    layout: Layout,
    text: String,
    clock: String,
    /// Whether the client created the game.
    own: bool,
    secret: String,
    game: String,
}

/// `GET /join/{secret}`.
pub(crate) async fn confirm(
    State(app): State<AppState>,
    client: Client,
    Path(secret): Path<String>,
) -> Result<Response, Rejection> {
    let secret = Secret::parse(&secret).ok_or(Rejection::NoInvitation)?;
    let invitation = app.store.invitation(secret.digest()).await?;
    let invitation = invitation.ok_or(Rejection::NoInvitation)?;
    let live = app.games.get(&invitation.game, client.address).await?;
    let state = live.state();
    if invitation.spent {
        let is_mine = !state.seats_of(client.secret.as_ref()).is_empty();
        return if is_mine {
            Ok(Redirect::to(&format!("/games/{}", state.id)).into_response())
        } else {
            Err(Rejection::InvitationUsed {
                game: state.id.clone(),
            })
        };
    }
    let words = client.words;
    let game = state.line.game();
    let seat = Player::BOTH[invitation.player & 1];
    let host = state.names[seat.other().index()].as_deref();
    let text = words.with(
        "web-join-text",
        [
            ("name", player_name(words, "human", host).into()),
            ("game", game_title(words, &game.name()).into()),
            (
                "side",
                messages::side(words, game.pieces(), seat, Marks::default()).into(),
            ),
        ],
    );
    let path = format!("/join/{}", secret.text());
    let mut layout = Layout::new(&client.page(), words.text("web-join-title"), path);
    layout.picture = Some(format!("/games/{}/board.png", state.id));
    let page = InvitationPage {
        layout,
        clock: clock_name(words, live.header.clock),
        own: !state.seats_of(client.secret.as_ref()).is_empty(),
        text,
        secret: secret.text().into(),
        game: state.id.clone(),
    };
    Ok(Html(page.render().map_err(|_| Rejection::Internal)?).into_response())
}

#[derive(Deserialize)]
struct JoinBody {
    invitation: String,
}

/// The joined game as JSON.
#[derive(Serialize)]
struct JoinedView {
    id: String,
}

/// `POST /join`.
pub(crate) async fn accept(
    State(app): State<AppState>,
    mut client: Client,
    body: ParsedBody,
) -> Result<Response, Rejection> {
    let join: JoinBody = body.read()?;
    // API clients send the whole link; the form sends the secret alone.
    let text = join.invitation.rsplit('/').next().unwrap_or("");
    let invitation = Secret::parse(text).ok_or(Rejection::NoInvitation)?;
    let (secret, cookie) = client.secret_or_new()?;
    client.secret = Some(secret.clone());
    let id = join_game(&app, &client, &secret, invitation.digest()).await?;
    let url = format!("/games/{id}");
    let mut response = match client.format {
        ResponseFormat::Json => Json(JoinedView { id }).into_response(),
        _ => Redirect::to(&url).into_response(),
    };
    response.headers_mut().extend(cookie);
    Ok(response)
}

/// Takes the seat of an invitation and returns the id of the game. A client that has taken it
/// before gets the same answer.
pub(crate) async fn join_game(
    app: &AppState,
    client: &Client,
    secret: &Secret,
    digest: Digest,
) -> Result<String, Rejection> {
    let invitation = app.store.invitation(digest).await?;
    let invitation = invitation.ok_or(Rejection::NoInvitation)?;
    let game = app.games.get(&invitation.game, client.address).await?;
    let player = Player::BOTH[invitation.player & 1];
    if invitation.spent {
        let is_mine = game.state().seats_of(Some(secret)).contains(&player);
        return if is_mine {
            Ok(invitation.game)
        } else {
            Err(Rejection::InvitationUsed {
                game: invitation.game,
            })
        };
    }
    let guest = Guest {
        player,
        invitation: digest,
        secret: secret.clone(),
        name: client.tagged_name(),
    };
    app.commands.join(&game, guest).await?;
    Ok(invitation.game)
}
