//! The page behind an invitation link. It asks first: whoever only looks at the
//! link, a program that previews it included, takes no seat.

use std::sync::Arc;

use askama::Template;
use axum::Json;
use axum::extract::{Path, State};
use axum::response::{Html, IntoResponse, Redirect, Response};
use papan_rules::Player;
use papan_view::{Marks, messages};
use serde::{Deserialize, Serialize};

use crate::http::body::ParsedBody;
use crate::http::client::{Client, ResponseFormat};
use crate::http::rejection::Rejection;
use crate::http::secret::Secret;
use crate::pages::game::game_title;
use crate::pages::layout::Layout;
use crate::state::AppState;

#[derive(Template)]
#[template(path = "invitation.html")]
struct InvitationPage {
    layout: Layout,
    text: String,
    /// Whether the client made it.
    own: bool,
    secret: String,
    game: String,
}

pub(crate) async fn ask(
    State(app): State<Arc<AppState>>,
    client: Client,
    Path(secret): Path<String>,
) -> Result<Response, Rejection> {
    let secret = Secret::parse(&secret).ok_or(Rejection::NoInvitation)?;
    let invitation = app.store.invitation(secret.digest()).await?;
    let invitation = invitation.ok_or(Rejection::NoInvitation)?;
    let live = app.room(&invitation.game, client.address).await?.live();
    if invitation.spent {
        let mine = !live.seats_of(client.secret.as_ref()).is_empty();
        return match mine {
            true => Ok(Redirect::to(&format!("/games/{}", live.id)).into_response()),
            false => Err(Rejection::Spent {
                game: live.id.clone(),
            }),
        };
    }
    let words = client.words;
    let game = live.line.game();
    let seat = Player::BOTH[invitation.player & 1];
    let text = words.with(
        "web-join-text",
        [
            ("game", game_title(words, &game.name()).into()),
            (
                "side",
                messages::side(words, game.pieces(), seat, Marks::default()).into(),
            ),
        ],
    );
    let page = InvitationPage {
        layout: Layout::new(
            &client,
            words.text("web-join-title"),
            format!("/join/{}", secret.text()),
        ),
        own: !live.seats_of(client.secret.as_ref()).is_empty(),
        text,
        secret: secret.text().into(),
        game: live.id.clone(),
    };
    Ok(Html(page.render().map_err(|_| Rejection::Broken)?).into_response())
}

#[derive(Deserialize)]
struct Acceptance {
    invitation: String,
}

/// The game that the invitation was for, as JSON.
#[derive(Serialize)]
struct Accepted {
    id: String,
}

pub(crate) async fn accept(
    State(app): State<Arc<AppState>>,
    mut client: Client,
    sent: ParsedBody,
) -> Result<Response, Rejection> {
    let acceptance: Acceptance = sent.read()?;
    // Programs hold the whole link; forms hold the secret alone.
    let text = acceptance.invitation.rsplit('/').next().unwrap_or("");
    let invitation = Secret::parse(text).ok_or(Rejection::NoInvitation)?;
    let (secret, cookie) = client.secret_or_new()?;
    client.secret = Some(secret.clone());
    let game = app.join(invitation.digest(), &client, &secret).await?;
    let place = format!("/games/{game}");
    let mut response = match client.format {
        ResponseFormat::Json => Json(Accepted { id: game }).into_response(),
        _ => Redirect::to(&place).into_response(),
    };
    response.headers_mut().extend(cookie);
    Ok(response)
}
