//! Implementation of `GameStore` for both databases: changes go to the writing task, queries to the
//! readers.

use super::dialect::Games;
use super::rows;
use crate::tables::change::Change;
use crate::{
    Appended, Digest, GameStore, GameSummary, Invitation, Joined, Joining, NewGame, News, Run,
    Standing, StoreAnswer, StoreError, StoredEvent, StoredGame, StoredStudy,
};

impl Games {
    /// Adds the name of the database to a reader's error.
    fn read<'a, T>(
        &'a self,
        read: impl Future<Output = Result<T, sqlx::Error>> + Send + 'a,
    ) -> StoreAnswer<'a, T> {
        Box::pin(async move {
            self.verify()?;
            let read = read.await;
            read.map_err(|error| StoreError::database(&self.name, &error))
        })
    }
}

impl GameStore for Games {
    fn create(&self, game: NewGame) -> StoreAnswer<'_, ()> {
        Box::pin(self.writer.write(Change::Create(Box::new(game))))
    }

    fn append<'a>(
        &'a self,
        game: &'a str,
        event: StoredEvent,
        standing: Standing,
    ) -> StoreAnswer<'a, Appended> {
        Box::pin(self.writer.write(Change::Append {
            game: game.into(),
            event,
            standing,
        }))
    }

    fn join<'a>(&'a self, game: &'a str, joining: Joining) -> StoreAnswer<'a, Joined> {
        Box::pin(self.writer.write(Change::Join {
            game: game.into(),
            joining: Box::new(joining),
        }))
    }

    fn load<'a>(&'a self, game: &'a str) -> StoreAnswer<'a, Option<StoredGame>> {
        self.read(rows::load(&self.readers, game))
    }

    fn versions<'a>(&'a self, games: &'a [String]) -> StoreAnswer<'a, Vec<(String, u64)>> {
        self.read(rows::versions(&self.readers, games))
    }

    fn invitation(&self, digest: Digest) -> StoreAnswer<'_, Option<Invitation>> {
        self.read(rows::invitation(&self.readers, digest))
    }

    fn games_of(&self, visitor: Digest, most: u32, skip: u32) -> StoreAnswer<'_, Vec<GameSummary>> {
        self.read(rows::games_of(&self.readers, visitor, most, skip))
    }

    fn visitor_at<'a>(&'a self, game: &'a str, player: usize) -> StoreAnswer<'a, Option<Digest>> {
        self.read(rows::visitor_at(&self.readers, game, player))
    }

    fn delete_game<'a>(&'a self, game: &'a str) -> StoreAnswer<'a, bool> {
        Box::pin(self.writer.write(Change::DeleteGame(game.into())))
    }

    fn delete_visitor(&self, visitor: Digest) -> StoreAnswer<'_, Vec<String>> {
        Box::pin(self.writer.write(Change::DeleteVisitor(visitor)))
    }

    fn delete_name<'a>(&'a self, name: &'a str) -> StoreAnswer<'a, Vec<String>> {
        Box::pin(self.writer.write(Change::DeleteName(name.into())))
    }

    fn expire(&self, before: i64) -> StoreAnswer<'_, Vec<String>> {
        Box::pin(self.writer.write(Change::Expire { before }))
    }

    fn keep_study(&self, study: StoredStudy) -> StoreAnswer<'_, ()> {
        Box::pin(self.writer.write(Change::KeepStudy(study)))
    }

    fn study<'a>(&'a self, subject: &'a str) -> StoreAnswer<'a, Option<StoredStudy>> {
        self.read(rows::study(&self.readers, subject))
    }

    fn forget_studies(&self, before: i64, most: u32) -> StoreAnswer<'_, u64> {
        Box::pin(self.writer.write(Change::ForgetStudies { before, most }))
    }

    fn beat(&self, run: Run) -> StoreAnswer<'_, ()> {
        Box::pin(self.writer.write(Change::Beat(run)))
    }

    fn runs(&self) -> StoreAnswer<'_, Vec<Run>> {
        self.read(rows::runs(&self.readers))
    }

    fn check(&self) -> StoreAnswer<'_, ()> {
        Box::pin(async move {
            self.runs().await?;
            self.writer.failure().map_or(Ok(()), Err)
        })
    }

    fn lease<'a>(&'a self, name: &'a str, seconds: u32) -> StoreAnswer<'a, bool> {
        Box::pin(self.take_lease(name, seconds))
    }

    fn end_lease<'a>(&'a self, name: &'a str) -> StoreAnswer<'a, ()> {
        Box::pin(self.give_back_lease(name))
    }

    fn is_shared(&self) -> bool {
        Self::SHARED
    }

    fn say<'a>(&'a self, words: &'a str) -> StoreAnswer<'a, ()> {
        Box::pin(self.tell_others(words))
    }

    fn news(&self) -> Option<tokio::sync::mpsc::Receiver<News>> {
        self.hear_others()
    }

    fn close(&self) -> StoreAnswer<'_, ()> {
        Box::pin(async move {
            self.writer.close().await;
            self.readers.close().await;
            self.let_go();
            Ok(())
        })
    }
}
