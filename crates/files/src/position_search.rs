//! Position search: finds a position in games by transposition and in all symmetries.

use std::sync::Arc;

use papan_catalog::{AnyGame, AnyLine, Family, GameVisitor};
use papan_rules::{Move, Symmetry};

/// A position to search for.
pub struct PositionSearch(Box<dyn Find>);

trait Find: Send + Sync {
    fn reply(
        &self,
        start: Option<&str>,
        moves: &mut dyn Iterator<Item = Move>,
    ) -> Option<Option<Move>>;
}

impl PositionSearch {
    /// Searches for the position at the end of a line of play.
    #[must_use]
    pub fn new(asked: &dyn AnyLine) -> Self {
        struct Build<'a>(&'a dyn AnyLine);
        impl GameVisitor for Build<'_> {
            type Output = Box<dyn Find>;
            fn visit<G: Family>(self, game: &Arc<G>) -> Self::Output {
                Box::new(Images::of(game, self.0))
            }
        }
        let game: AnyGame = asked.game();
        Self(game.visit(Build(asked)))
    }

    /// Follows a game from its start to the position. Returns `None` if it never arises, else the
    /// next move, mapped to the orientation of the query. Passes may be omitted.
    pub fn reply(
        &self,
        start: Option<&str>,
        moves: impl IntoIterator<Item = Move>,
    ) -> Option<Option<Move>> {
        self.0.reply(start, &mut moves.into_iter())
    }
}

/// The symmetric images of the position, each with its inverse.
struct Images<G: Family> {
    game: Arc<G>,
    images: Vec<(G::Position, Symmetry)>,
    /// Number of pieces of the position; other positions are skipped.
    pieces: usize,
}

impl<G: Family> Images<G> {
    fn of(game: &Arc<G>, asked: &dyn AnyLine) -> Self {
        let position = game
            .parse_position(&asked.position_text())
            .expect("a position is read as it was written");
        let image = |symmetry: &Symmetry| (game.transform(&position, symmetry), symmetry.inverse());
        Self {
            images: game.symmetries().iter().map(image).collect(),
            pieces: pieces(&**game, &position),
            game: Arc::clone(game),
        }
    }
}

fn pieces<G: Family>(game: &G, pos: &G::Position) -> usize {
    (0..game.cells())
        .filter(|&cell| game.piece(pos, cell).is_some())
        .count()
}

impl<G: Family> Find for Images<G> {
    fn reply(
        &self,
        start: Option<&str>,
        moves: &mut dyn Iterator<Item = Move>,
    ) -> Option<Option<Move>> {
        let game = &*self.game;
        let mut pos = match start {
            None => game.start(),
            Some(text) => game.parse_position(text).ok()?,
        };
        let mut count = pieces(game, &pos);
        let mut next = moves.next();
        loop {
            if count == self.pieces {
                let found = self.images.iter().find(|(image, _)| *image == pos);
                if let Some((_, back)) = found {
                    return Some(next.map(|mv| back.apply(mv)));
                }
            }
            let mv = next?;
            if mv != Move::PASS && game.is_legal(&pos, Move::PASS) {
                game.play_unchecked(&mut pos, Move::PASS);
                continue;
            }
            game.play(&mut pos, mv).ok()?;
            count += usize::from(mv != Move::PASS);
            if count > self.pieces {
                return None;
            }
            next = moves.next();
        }
    }
}
