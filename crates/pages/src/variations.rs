//! Variations of an analysis: the main line and other lines that were tried.
//!
//! Everything is in the URL. Leaving the main line keeps it as a variation.

use papan_catalog::AnyLine;
use papan_rules::Move;
use papan_view::Messages;

use crate::error::PageError;
use crate::games::Games;
use crate::position_url::PositionUrl;

/// Maximum length of the variations in a URL; the oldest are dropped first.
pub(crate) const MAX_LENGTH: usize = 1200;
/// Maximum number of variations.
pub(crate) const MAX_VARIATIONS: usize = 40;

/// The main line with its variations.
pub struct Variations {
    url: PositionUrl,
    line: Box<dyn AnyLine>,
    /// The main line up to the position shown.
    here: Box<dyn AnyLine>,
    ply: usize,
    others: Vec<Box<dyn AnyLine>>,
}

/// A variation as seen from the main line.
pub struct Variation {
    /// Number of its first move that differs.
    pub number: usize,
    /// Its moves from there.
    pub moves: String,
    /// The position after the first move that differs.
    pub url: PositionUrl,
}

impl Variations {
    /// Parses the lines of a URL.
    ///
    /// # Errors
    /// If the game, the start position or a move is invalid, or there are too many lines.
    pub fn parse(
        mut url: PositionUrl,
        games: &dyn Games,
        words: Messages,
    ) -> Result<Self, PageError> {
        let line = url.line(games, words)?;
        // Bounded before anything is replayed.
        let texts = url.others.as_deref().unwrap_or("");
        if texts.len() > MAX_LENGTH || texts.split('.').count() > MAX_VARIATIONS {
            return Err(PageError::TooLarge);
        }
        let others: Vec<_> = texts
            .split('.')
            .filter(|moves| !moves.trim().is_empty())
            .map(|moves| url.line_of(moves, games, words))
            .collect::<Result<_, _>>()?;
        url.game = line.game().name();
        let last = line.moves().len();
        let ply = url.ply.unwrap_or(last).min(last);
        Ok(Self {
            ply,
            here: url.prefix(&*line, ply, games, words)?,
            line,
            others,
            url,
        })
    }

    /// Returns the whole main line.
    #[must_use]
    pub fn line(&self) -> &dyn AnyLine {
        &*self.line
    }

    /// Returns the ply of the position shown.
    #[must_use]
    pub fn ply(&self) -> usize {
        self.ply
    }

    /// Returns the main line up to the position shown.
    #[must_use]
    pub fn here(&self) -> Box<dyn AnyLine> {
        self.here.clone_line()
    }

    /// Returns the canonical URL of the position shown.
    #[must_use]
    pub fn url(&self) -> PositionUrl {
        self.at(self.ply)
    }

    /// Returns the URL of another position of the main line.
    #[must_use]
    pub fn at(&self, ply: usize) -> PositionUrl {
        self.url_of(&*self.line, ply, self.others.iter().map(|line| &**line))
    }

    /// Returns the URL of the position after a move: in the main line, in a variation, or in a
    /// new one. Returns `None` if the move is illegal.
    #[must_use]
    pub fn after(&self, mv: Move) -> Option<PositionUrl> {
        let mut next = self.here();
        next.play(mv).ok()?;
        let ply = next.moves().len();
        if self.line.moves().get(self.ply) == Some(&mv) {
            return Some(self.at(ply));
        }
        let known = self
            .others
            .iter()
            .position(|other| other.moves().starts_with(next.moves()));
        Some(match known {
            Some(index) => self.promote(index, ply),
            None => {
                let others = self.others.iter().chain([&self.line]);
                self.url_of(&*next, ply, others.map(|line| &**line))
            }
        })
    }

    /// Returns the moves of every variation.
    #[must_use]
    pub fn texts(&self) -> Vec<String> {
        self.others.iter().map(|line| line.text()).collect()
    }

    /// Returns the variations.
    #[must_use]
    pub fn others(&self) -> Vec<Variation> {
        let main = self.line.moves();
        let variation = |(index, other): (usize, &dyn AnyLine)| {
            let common = main
                .iter()
                .zip(other.moves())
                .take_while(|(a, b)| a == b)
                .count();
            let game = other.game();
            let moves: Vec<String> = other.moves()[common..]
                .iter()
                .map(|mv| game.show_move(*mv))
                .collect();
            Variation {
                number: common + 1,
                moves: moves.join(" "),
                url: self.promote(index, common + 1),
            }
        };
        self.others
            .iter()
            .map(|line| &**line)
            .enumerate()
            .map(variation)
            .collect()
    }

    /// Returns the URL in which a variation is the main line.
    fn promote(&self, index: usize, ply: usize) -> PositionUrl {
        let others = self
            .others
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != index)
            .map(|(_, line)| line)
            .chain([&self.line]);
        self.url_of(&*self.others[index], ply, others.map(|line| &**line))
    }

    fn url_of<'a>(
        &self,
        line: &dyn AnyLine,
        ply: usize,
        others: impl Iterator<Item = &'a dyn AnyLine>,
    ) -> PositionUrl {
        // A prefix of the main line is not a variation.
        let mut texts: Vec<String> = others
            .filter(|other| !line.moves().starts_with(other.moves()))
            .map(AnyLine::text)
            .collect();
        while texts.len() > MAX_VARIATIONS
            || texts.iter().map(|text| text.len() + 1).sum::<usize>() > MAX_LENGTH
        {
            texts.remove(0);
        }
        PositionUrl {
            moves: line.text(),
            ply: (ply < line.moves().len()).then_some(ply),
            others: (!texts.is_empty()).then(|| texts.join(".")),
            ..self.url.clone()
        }
    }
}
