//! Notifications between servers by LISTEN/NOTIFY, sent in the transaction of the write. After a
//! broken connection subscribers learn that notifications may have been lost.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sqlx::PgConnection;
use sqlx::postgres::PgListener;
use tokio::sync::mpsc;

use super::PostgresGames;
use crate::tables::change::{Change, Done};
use crate::{Appended, Joined, News, StoreError};

const CHANNEL: &str = "papan_games";
/// Maximum payload; PostgreSQL allows 8000 bytes.
const MAX_PAYLOAD: usize = 7000;
/// Capacity of the channel to the subscriber.
const CHANNEL_CAPACITY: usize = 4096;
/// Delay between two attempts to reconnect.
const RECONNECT_DELAY: Duration = Duration::from_millis(500);

/// Returns a random name for this server.
pub(super) fn server_name() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let nanos = since.map_or(0, |since| since.as_nanos());
    format!("{:x}-{nanos:x}", std::process::id())
}

/// Returns the notifications of a change, one per line.
fn lines(change: &Change, done: &Done) -> Vec<String> {
    match (change, done) {
        (Change::Create(game), _) if game.listed => vec![format!("+{}", game.id)],
        (Change::Append { game, event, .. }, Done::Appended(Appended::Done)) => {
            vec![format!("{} {game}", event.version)]
        }
        (Change::Join { game, joining }, Done::Joined(Joined::Done)) => {
            vec![format!("{} {game}", joining.event.version)]
        }
        (Change::DeleteGame(game), _) => vec![format!("-{game}")],
        (_, Done::Games(games)) => games.iter().map(|game| format!("-{game}")).collect(),
        _ => Vec::new(),
    }
}

/// Sends the notifications when the transaction commits.
pub(super) async fn tell(
    transaction: &mut PgConnection,
    server: &str,
    group: &[Change],
    done: &[Done],
) -> Result<(), sqlx::Error> {
    let mut payload = String::new();
    let said = group.iter().zip(done);
    for line in said.flat_map(|(change, done)| lines(change, done)) {
        if payload.len() + line.len() > MAX_PAYLOAD {
            notify(transaction, CHANNEL, std::mem::take(&mut payload)).await?;
        }
        if payload.is_empty() {
            payload.push_str(server);
        }
        payload.push('\n');
        payload.push_str(&line);
    }
    if payload.is_empty() {
        return Ok(());
    }
    notify(transaction, CHANNEL, payload).await
}

async fn notify(
    transaction: &mut PgConnection,
    channel: &str,
    payload: String,
) -> Result<(), sqlx::Error> {
    sqlx::query("SELECT pg_notify($1, $2)")
        .bind(channel)
        .bind(payload)
        .execute(transaction)
        .await?;
    Ok(())
}

/// Channel of the messages between servers.
const MESSAGE_CHANNEL: &str = "papan_words";

/// Parses a message of another server; `None` if this server sent it.
fn read_words(payload: &str, own: &str) -> Option<News> {
    let (by, words) = payload.split_once('\n')?;
    (by != own).then(|| News::Said {
        by: by.into(),
        words: words.into(),
    })
}

/// Parses notifications of another server; an invalid payload may mean anything, so it counts as
/// lost.
fn read(payload: &str, own: &str) -> Vec<News> {
    let mut lines = payload.lines();
    if lines.next() == Some(own) {
        return Vec::new();
    }
    let news = lines.map(|line| {
        if let Some(game) = line.strip_prefix('+') {
            return News::Opened { game: game.into() };
        }
        if let Some(game) = line.strip_prefix('-') {
            return News::Gone { game: game.into() };
        }
        let parts = line.split_once(' ');
        let changed = parts.and_then(|(version, game)| Some((version.parse().ok()?, game)));
        changed.map_or(News::Missed, |(version, game)| News::Changed {
            game: game.into(),
            version,
        })
    });
    news.collect()
}

impl PostgresGames {
    /// Sends lines in as many notifications as they need.
    pub(super) async fn tell_others(&self, words: &str) -> Result<(), StoreError> {
        let telling = async {
            let mut line = self.readers.acquire().await?;
            let mut payload = format!("{}\n", self.server);
            let empty = payload.len();
            for word in words.lines().filter(|word| word.len() < MAX_PAYLOAD / 2) {
                if payload.len() + word.len() > MAX_PAYLOAD {
                    notify(&mut line, MESSAGE_CHANNEL, payload.clone()).await?;
                    payload.truncate(empty);
                }
                payload.push_str(word);
                payload.push('\n');
            }
            notify(&mut line, MESSAGE_CHANNEL, payload).await
        };
        telling.await.map_err(|error| self.options.failed(&error))
    }

    pub(super) fn hear_others(&self) -> Option<mpsc::Receiver<News>> {
        let (news, heard) = mpsc::channel(CHANNEL_CAPACITY);
        tokio::spawn(listen(self.readers.clone(), self.server.clone(), news));
        Some(heard)
    }
}

/// Listens until the subscriber is dropped or the store is closed.
async fn listen(pool: sqlx::PgPool, server: String, news: mpsc::Sender<News>) {
    while !news.is_closed() && !pool.is_closed() {
        if let Ok(mut listener) = PgListener::connect_with(&pool).await
            && listener
                .listen_all([CHANNEL, MESSAGE_CHANNEL])
                .await
                .is_ok()
        {
            // Earlier notifications were not received.
            if news.send(News::Missed).await.is_err() {
                return;
            }
            while let Ok(Some(notification)) = listener.try_recv().await {
                let payload = notification.payload();
                let heard = match notification.channel() {
                    MESSAGE_CHANNEL => read_words(payload, &server).into_iter().collect(),
                    _ => read(payload, &server),
                };
                for one in heard {
                    if news.send(one).await.is_err() {
                        return;
                    }
                }
            }
        }
        tokio::time::sleep(RECONNECT_DELAY).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Standing, StoredEvent};

    #[test]
    fn what_is_told_is_what_is_heard_and_nobody_hears_themselves() {
        let append = Change::Append {
            game: "a game".into(),
            event: StoredEvent::new(7, "x"),
            standing: Standing::default(),
        };
        let told = lines(&append, &Done::Appended(Appended::Done));
        let payload = format!("me\n{}\n-gone\n+new\nnonsense", told[0]);
        let game = |game: &str| game.to_owned();
        assert_eq!(
            read(&payload, "you"),
            [
                News::Changed {
                    game: game("a game"),
                    version: 7
                },
                News::Gone { game: game("gone") },
                News::Opened { game: game("new") },
                News::Missed,
            ]
        );
        assert_eq!(read(&payload, "me"), []);
        assert!(lines(&append, &Done::Appended(Appended::Stale)).is_empty());
    }
}
