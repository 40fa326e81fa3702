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

use crate::body::Sent;
use crate::hub::Hub;
use crate::page::Frame;
use crate::pages::game::game_title;
use crate::rejection::Rejection;
use crate::secret::Secret;
use crate::visitor::{Form, Visitor};

#[derive(Template)]
#[template(path = "invitation.html")]
struct InvitationPage {
    frame: Frame,
    text: String,
    /// Whether the visitor made it.
    own: bool,
    secret: String,
    game: String,
}

pub(crate) async fn ask(
    State(hub): State<Arc<Hub>>,
    visitor: Visitor,
    Path(secret): Path<String>,
) -> Result<Response, Rejection> {
    let secret = Secret::parse(&secret).ok_or(Rejection::NoInvitation)?;
    let invitation = hub.store.invitation(secret.digest()).await?;
    let invitation = invitation.ok_or(Rejection::NoInvitation)?;
    let live = hub.room(&invitation.game, visitor.address).await?.live();
    if invitation.spent {
        let mine = !live.seats_of(visitor.secret.as_ref()).is_empty();
        return match mine {
            true => Ok(Redirect::to(&format!("/games/{}", live.id)).into_response()),
            false => Err(Rejection::Spent {
                game: live.id.clone(),
            }),
        };
    }
    let words = visitor.words;
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
        frame: Frame::new(
            &visitor,
            words.text("web-join-title"),
            format!("/join/{}", secret.text()),
        ),
        own: !live.seats_of(visitor.secret.as_ref()).is_empty(),
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
    State(hub): State<Arc<Hub>>,
    mut visitor: Visitor,
    sent: Sent,
) -> Result<Response, Rejection> {
    let acceptance: Acceptance = sent.read()?;
    // Programs hold the whole link; forms hold the secret alone.
    let text = acceptance.invitation.rsplit('/').next().unwrap_or("");
    let invitation = Secret::parse(text).ok_or(Rejection::NoInvitation)?;
    let (secret, cookie) = visitor.secret_or_new()?;
    visitor.secret = Some(secret.clone());
    let game = hub.join(invitation.digest(), &visitor, &secret).await?;
    let place = format!("/games/{game}");
    let mut response = match visitor.form {
        Form::Json => Json(Accepted { id: game }).into_response(),
        _ => Redirect::to(&place).into_response(),
    };
    response.headers_mut().extend(cookie);
    Ok(response)
}
