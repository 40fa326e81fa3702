//! The line of play that is looked at, and the others that were tried: walking
//! keeps the line, and leaving it keeps it among the others.

use papan_catalog::AnyLine;
use papan_rules::Move;
use papan_view::Messages;

use crate::http::rejection::Rejection;
use crate::pages::position_url::PositionUrl;
use crate::state::AppState;

/// What the other lines may take in an address; the oldest are forgotten first.
const LONGEST_OTHERS: usize = 1200;
/// How many other lines there may be.
const MOST_OTHERS: usize = 40;

/// A line of play with the others.
pub(crate) struct Variations {
    place: PositionUrl,
    line: Box<dyn AnyLine>,
    /// The line up to where one looks.
    here: Box<dyn AnyLine>,
    ply: usize,
    others: Vec<Box<dyn AnyLine>>,
}

/// Another line of play, as seen from the present one.
pub(crate) struct Other {
    /// The number of its first move that is not in the present line.
    pub(crate) number: usize,
    /// Its moves from there.
    pub(crate) moves: String,
    /// Where it leaves the present line.
    pub(crate) place: PositionUrl,
}

impl Variations {
    /// The lines of an address.
    pub(crate) fn of(
        mut place: PositionUrl,
        app: &AppState,
        words: Messages,
    ) -> Result<Self, Rejection> {
        let line = place.line(app, words)?;
        // Bounded before anything is played: no page of ours has more.
        let others = place.others.as_deref().unwrap_or("");
        if others.len() > LONGEST_OTHERS || others.split('.').count() > MOST_OTHERS {
            return Err(Rejection::TooLarge);
        }
        let others = others.split('.');
        let others: Vec<_> = others
            .filter(|moves| !moves.trim().is_empty())
            .map(|moves| place.line_of(moves, app, words))
            .collect::<Result<_, _>>()?;
        place.game = line.game().name();
        let last = line.moves().len();
        let ply = place.ply.unwrap_or(last).min(last);
        let mut here = place.line_of("", app, words)?;
        for mv in &line.moves()[..ply] {
            here.play(*mv).map_err(|_| Rejection::Broken)?;
        }
        Ok(Self {
            ply,
            here,
            line,
            others,
            place,
        })
    }

    /// The whole line.
    pub(crate) fn line(&self) -> &dyn AnyLine {
        &*self.line
    }

    /// How far one has walked along it.
    pub(crate) fn ply(&self) -> usize {
        self.ply
    }

    /// The line up to where one looks.
    pub(crate) fn here(&self) -> Box<dyn AnyLine> {
        self.here.clone_line()
    }

    /// The present place as it should be written.
    pub(crate) fn place(&self) -> PositionUrl {
        self.at(self.ply)
    }

    /// Another position of the present line.
    pub(crate) fn at(&self, ply: usize) -> PositionUrl {
        self.with(&*self.line, ply, self.others.iter().map(|line| &**line))
    }

    /// The position after a move: the next of the line, of another that was
    /// tried, or of a new one. `None` where it cannot be played.
    pub(crate) fn after(&self, mv: Move) -> Option<PositionUrl> {
        let mut next = self.here();
        next.play(mv).ok()?;
        let ply = next.moves().len();
        if self.line.moves().get(self.ply) == Some(&mv) {
            return Some(self.at(ply));
        }
        let mut known = self.others.iter();
        let known = known.position(|other| other.moves().starts_with(next.moves()));
        Some(match known {
            Some(index) => self.onto(index, ply),
            None => {
                let others = self.others.iter().chain([&self.line]);
                self.with(&*next, ply, others.map(|line| &**line))
            }
        })
    }

    /// The lines that were tried beside the present one.
    pub(crate) fn others(&self) -> Vec<Other> {
        let present = self.line.moves();
        let others = self.others.iter().enumerate().map(|(index, other)| {
            let common = present.iter().zip(other.moves());
            let common = common.take_while(|(a, b)| a == b).count();
            let game = other.game();
            let moves = other.moves()[common..].iter();
            let moves: Vec<String> = moves.map(|mv| game.show_move(*mv)).collect();
            Other {
                number: common + 1,
                moves: moves.join(" "),
                place: self.onto(index, common + 1),
            }
        });
        others.collect()
    }

    /// Another line becomes the present one, which joins the others.
    fn onto(&self, index: usize, ply: usize) -> PositionUrl {
        let others = self.others.iter().enumerate();
        let others = others.filter(|(other, _)| *other != index);
        let others = others.map(|(_, line)| line).chain([&self.line]);
        self.with(&*self.others[index], ply, others.map(|line| &**line))
    }

    fn with<'a>(
        &self,
        line: &dyn AnyLine,
        ply: usize,
        others: impl Iterator<Item = &'a dyn AnyLine>,
    ) -> PositionUrl {
        // What is part of the line needs no remembering beside it.
        let others = others.filter(|other| !line.moves().starts_with(other.moves()));
        let mut others: Vec<String> = others.map(AnyLine::text).collect();
        while others.len() > MOST_OTHERS
            || others.iter().map(|text| text.len() + 1).sum::<usize>() > LONGEST_OTHERS
        {
            others.remove(0);
        }
        PositionUrl {
            moves: line.text(),
            ply: (ply < line.moves().len()).then_some(ply),
            others: (!others.is_empty()).then(|| others.join(".")),
            ..self.place.clone()
        }
    }
}
