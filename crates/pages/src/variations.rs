//! Variations of an analysis: the main line and other lines that were tried.
//!
//! Everything is in the URL. Leaving the main line keeps it as a variation.

use papan_catalog::AnyLine;
use papan_rules::Move;
use papan_view::Messages;

use crate::error::PageError;
use crate::games::Games;
use crate::position_url::{MAX_NOTES, PositionUrl};

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
    /// Positions with their names and comments.
    notes: Vec<(Vec<Move>, String, String)>,
}

/// A part of the tree of variations, in the order in which it is written.
pub enum TreePart {
    /// A move.
    Move(Box<TreeMove>),
    /// A variation begins: other moves than the one before.
    Begin,
    /// It ends.
    End,
}

/// A move in the tree.
pub struct TreeMove {
    /// Number of the move.
    pub number: usize,
    /// Whether the number is shown: at the beginning of a line, and after a variation.
    pub is_first: bool,
    /// The move as it is shown.
    pub text: String,
    /// The position after it.
    pub url: PositionUrl,
    /// Whether that position is shown.
    pub is_current: bool,
    /// Name of that position.
    pub name: String,
    /// The comment on it.
    pub comment: String,
}

fn too_long(words: Messages) -> PageError {
    let most = ("most", MAX_NOTES.to_string().into());
    PageError::Unusable(words.with("web-note-too-long", [most]))
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
        let given =
            [&url.note_name, &url.note_text].map(|text| text.as_ref().map_or(0, String::len));
        if given.into_iter().any(|length| length > MAX_NOTES) {
            return Err(too_long(words));
        }
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
        let here = url.prefix(&*line, ply, games, words)?;
        url.keep_note(&here.text());
        if url.notes.as_ref().map_or(0, String::len) > MAX_NOTES {
            return Err(too_long(words));
        }
        let noted = url.notes().filter_map(|note| {
            let line = url.line_of(note.moves, games, words).ok()?;
            Some((
                line.moves().to_vec(),
                note.name.to_owned(),
                note.text.to_owned(),
            ))
        });
        Ok(Self {
            ply,
            here,
            line,
            others,
            notes: noted.collect(),
            url,
        })
    }

    /// Returns name and comment of the position after some moves.
    fn note(&self, moves: &[Move]) -> (&str, &str) {
        let found = self.notes.iter().find(|(at, ..)| at == moves);
        found.map_or(("", ""), |(_, name, text)| (name, text))
    }

    /// Returns name and comment of the position shown.
    #[must_use]
    pub fn note_here(&self) -> (&str, &str) {
        self.note(self.here.moves())
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

    /// Whether there are variations.
    #[must_use]
    pub fn has_others(&self) -> bool {
        !self.others.is_empty()
    }

    /// Returns the tree: the main line, with other moves after the move that they replace.
    #[must_use]
    pub fn tree(&self) -> Vec<TreePart> {
        let variations = self.others.iter().map(|line| &**line).enumerate();
        let mut lines = vec![(None, &*self.line)];
        lines.extend(variations.map(|(index, line)| (Some(index), line)));
        let mut parts = Vec::new();
        self.write_tree(&lines, 0, &mut parts);
        parts
    }

    /// Writes the first of some lines from a ply on, at which they have the same moves before them,
    /// with the others as its variations.
    fn write_tree(
        &self,
        lines: &[(Option<usize>, &dyn AnyLine)],
        from: usize,
        parts: &mut Vec<TreePart>,
    ) {
        let (index, line) = lines[0];
        let game = line.game();
        let mut rest: Vec<_> = lines[1..].to_vec();
        let mut is_first = true;
        for (ply, &mv) in line.moves().iter().enumerate().skip(from) {
            let number = ply + 1;
            let (name, comment) = self.note(&line.moves()[..number]);
            parts.push(TreePart::Move(Box::new(TreeMove {
                number,
                is_first,
                text: game.show_move(mv),
                url: match index {
                    None => self.at(number),
                    Some(index) => self.promote(index, number),
                },
                is_current: index.is_none() && number == self.ply,
                name: name.to_owned(),
                comment: comment.to_owned(),
            })));
            is_first = false;
            // A line that ends here is a part of this one.
            rest.retain(|(_, other)| other.moves().len() > ply);
            let (same, mut differ): (Vec<_>, Vec<_>) = rest
                .into_iter()
                .partition(|(_, other)| other.moves()[ply] == mv);
            rest = same;
            while let Some(&(_, first)) = differ.first() {
                let other = first.moves()[ply];
                let (branch, left): (Vec<_>, Vec<_>) = differ
                    .into_iter()
                    .partition(|(_, line)| line.moves()[ply] == other);
                parts.push(TreePart::Begin);
                self.write_tree(&branch, ply, parts);
                parts.push(TreePart::End);
                differ = left;
                is_first = true;
            }
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::FreshGames;
    use papan_view::Language;

    fn parsed(url: PositionUrl) -> Variations {
        let words = Messages::new(Language::English);
        Variations::parse(url, &FreshGames, words).unwrap_or_else(|error| panic!("{error}"))
    }

    fn written(lines: &Variations) -> String {
        let part = |part: TreePart| match part {
            TreePart::Begin => "(".to_owned(),
            TreePart::End => ")".to_owned(),
            TreePart::Move(mv) => {
                let number = if mv.is_first {
                    format!("{}.", mv.number)
                } else {
                    String::new()
                };
                let current = if mv.is_current { "*" } else { "" };
                let name = if mv.name.is_empty() {
                    String::new()
                } else {
                    format!("[{}]", mv.name)
                };
                format!("{number}{}{current}{name}", mv.text)
            }
        };
        lines
            .tree()
            .into_iter()
            .map(part)
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn variations_form_a_tree_with_names_whose_links_lead_to_their_positions() {
        let lines = parsed(PositionUrl {
            game: "othello".into(),
            moves: "f5d6c3d3".into(),
            ply: Some(2),
            others: Some("f5f6e6.f5d6c5.f5f6c4".into()),
            notes: Some("f5f6=Diagonal|a comment".into()),
            ..PositionUrl::default()
        });
        assert_eq!(
            written(&lines),
            "1.f5 d6* ( 2.f6[Diagonal] e6 ( 3.c4 ) ) 3.c3 ( 3.c5 ) 4.d3"
        );
        for part in lines.tree() {
            let TreePart::Move(mv) = part else { continue };
            let there = parsed(mv.url);
            let last = there.here().moves().last().copied().unwrap();
            assert_eq!(there.line().game().show_move(last), mv.text);
            assert_eq!(there.ply(), mv.number);
        }
    }

    #[test]
    fn a_position_gets_a_name_that_stays_with_it() {
        let lines = parsed(PositionUrl {
            game: "othello".into(),
            moves: "f5d6c3".into(),
            ply: Some(2),
            note_name: Some("Rose".into()),
            note_text: Some("quiet".into()),
            ..PositionUrl::default()
        });
        assert_eq!(lines.note_here(), ("Rose", "quiet"));
        let again = parsed(lines.at(3));
        assert_eq!(written(&again), "1.f5 d6[Rose] c3*");
        let words = Messages::new(Language::English);
        let long = PositionUrl {
            note_text: Some("x".repeat(MAX_NOTES + 1)),
            ..lines.at(1)
        };
        assert!(Variations::parse(long, &FreshGames, words).is_err());
    }
}
