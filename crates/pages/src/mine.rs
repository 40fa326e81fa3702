//! The list of games that the browser keeps, and the page that says what needs a server.

use askama::Template;

use crate::error::PageError;
use crate::games::FreshGames;
use crate::layout::{Layout, PageContext};
use crate::site::local_game::LocalGame;

#[derive(Template)]
#[template(path = "mine.html")]
struct MinePage {
    layout: Layout,
    open: Vec<Row>,
    finished: Vec<Row>,
}

struct Row {
    id: String,
    title: String,
    players: String,
    standing: String,
}

#[derive(Template)]
#[template(path = "people.html")]
struct PeoplePage {
    layout: Layout,
}

/// Renders the list.
///
/// # Errors
/// If the template fails. Games that cannot be replayed are left out.
pub fn page(context: &PageContext, games: &[LocalGame]) -> Result<String, PageError> {
    let words = context.words;
    let mut page = MinePage {
        layout: Layout::new(context, words.text("web-my-games"), "/me"),
        open: Vec::new(),
        finished: Vec::new(),
    };
    let mut games: Vec<&LocalGame> = games.iter().collect();
    games.sort_by_key(|game| std::cmp::Reverse(game.changed_at));
    for stored in games {
        let Ok(game) = stored.replay(&FreshGames, words) else {
            continue;
        };
        let [title, players, standing] = game.summary(words);
        let rows = if game.is_over() {
            &mut page.finished
        } else {
            &mut page.open
        };
        rows.push(Row {
            id: stored.id.clone(),
            title,
            players,
            standing,
        });
    }
    Ok(page.render()?)
}

/// Renders the page that says that other people need a server.
///
/// # Errors
/// If the template fails.
pub fn people(context: &PageContext) -> Result<String, PageError> {
    let page = PeoplePage {
        layout: Layout::new(context, context.words.text("web-lobby"), "/lobby"),
    };
    Ok(page.render()?)
}
