//! Every check of the conformance suite can fail: games that break one promise each, and the
//! message with which the suite refuses them.

use std::panic::{AssertUnwindSafe, catch_unwind};

use papan_rules::{
    Game, GameInfo, IllegalMove, Move, Notation, NotationError, Othello, Outcome, Pieces, Player,
    PositionError, Properties, ScoreUnit, Shape, Symmetric, Symmetry, conformance, tictactoe,
};

/// The promise that is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Promise {
    None,
    Fills,
    AnyEmptyCell,
    PiecesStay,
    NoPasses,
    Counted,
    BestScore,
    LegalAndListed,
    MovesInOrder,
    MovesWhileItGoesOn,
    Turns,
    Pack,
    Identity,
    Transform,
    Canonical,
    Marks,
    PositionOfMarks,
    CanWin,
    DeadUnseen,
    Dead,
    DeadAtTheEnd,
    WinningMoves,
    UrgentValue,
    UrgentPlies,
    UrgentLegal,
    WinningCells,
    WinningCellsTooFew,
    FormatMove,
    ShowMove,
    Squares,
    PositionText,
    Shape,
}

struct Broken<G> {
    game: G,
    promise: Promise,
    symmetries: Vec<Symmetry>,
    shape: Shape,
}

impl<G: GameInfo + Symmetric> Broken<G> {
    fn new(game: G, promise: Promise) -> Self {
        let mut symmetries = game.symmetries().to_vec();
        if promise == Promise::Identity {
            symmetries.rotate_left(1);
        }
        let mut shape = game.shape().clone();
        if promise == Promise::Shape {
            shape = Shape::new(&[2, 2]);
        }
        Self {
            game,
            promise,
            symmetries,
            shape,
        }
    }

    fn breaks(&self, promise: Promise) -> bool {
        self.promise == promise
    }

    fn pieces_on(&self, pos: &G::Position) -> usize {
        let cells = 0..self.game.cells();
        cells
            .filter(|&cell| self.game.piece(pos, cell).is_some())
            .count()
    }
}

impl<G: GameInfo + Symmetric> Game for Broken<G> {
    type Position = G::Position;
    type Moves = std::vec::IntoIter<Move>;

    fn cells(&self) -> usize {
        self.game.cells()
    }
    fn properties(&self) -> Properties {
        let mut properties = self.game.properties();
        properties.fills_up |= self.breaks(Promise::Fills);
        properties.passes &= !self.breaks(Promise::NoPasses);
        if self.breaks(Promise::Counted) {
            properties.score_unit = match properties.score_unit {
                ScoreUnit::Result => ScoreUnit::Discs,
                ScoreUnit::Discs => ScoreUnit::Result,
            };
        }
        properties
    }
    fn start(&self) -> G::Position {
        self.game.start()
    }
    fn turn(&self, pos: &G::Position) -> Player {
        match self.promise {
            Promise::Turns => Player::First,
            _ => self.game.turn(pos),
        }
    }
    fn legal_moves(&self, pos: &G::Position) -> Self::Moves {
        let mut moves: Vec<Move> = self.game.legal_moves(pos).collect();
        match self.promise {
            Promise::LegalAndListed | Promise::AnyEmptyCell if moves.len() > 1 => {
                moves.pop();
            }
            Promise::MovesInOrder => moves.reverse(),
            Promise::MovesWhileItGoesOn if moves.is_empty() => moves.push(Move::on(0)),
            _ => {}
        }
        moves.into_iter()
    }
    fn play_unchecked(&self, pos: &mut G::Position, mv: Move) {
        let last = self.game.legal_moves(pos).last();
        let elsewhere = last.filter(|_| self.breaks(Promise::PiecesStay));
        self.game.play_unchecked(pos, elsewhere.unwrap_or(mv));
    }
    fn outcome(&self, pos: &G::Position) -> Option<Outcome> {
        self.game.outcome(pos)
    }
    fn check_move(&self, pos: &G::Position, mv: Move) -> Result<(), IllegalMove> {
        let unlisted = self.breaks(Promise::AnyEmptyCell)
            && self.game.is_legal(pos, mv)
            && !self.legal_moves(pos).any(|listed| listed == mv);
        if unlisted {
            return Err(IllegalMove::Occupied);
        }
        self.game.check_move(pos, mv)
    }
    fn piece(&self, pos: &G::Position, cell: usize) -> Option<Player> {
        self.game.piece(pos, cell)
    }
    fn final_score(&self, pos: &G::Position, player: Player) -> i32 {
        self.game.final_score(pos, player)
    }
    fn best_score(&self) -> i32 {
        match self.promise {
            Promise::BestScore => 0,
            _ => self.game.best_score(),
        }
    }
    fn can_win(&self, pos: &G::Position, player: Player) -> bool {
        !self.breaks(Promise::CanWin) && self.game.can_win(pos, player)
    }
    fn is_dead(&self, pos: &G::Position) -> bool {
        match self.promise {
            Promise::Dead => self.game.outcome(pos).is_none() && self.pieces_on(pos) > 4,
            Promise::CanWin => self.game.outcome(pos).is_none(),
            Promise::DeadUnseen => false,
            Promise::DeadAtTheEnd => self.game.outcome(pos).is_some(),
            _ => self.game.is_dead(pos),
        }
    }
    fn winning_moves(&self, pos: &G::Position) -> Option<Self::Moves> {
        let mut moves: Vec<Move> = self.game.winning_moves(pos)?.collect();
        if self.breaks(Promise::WinningMoves) {
            moves.pop();
        }
        Some(moves.into_iter())
    }
    fn urgent_moves(&self, pos: &G::Position) -> Self::Moves {
        let all: Vec<Move> = self.game.legal_moves(pos).collect();
        let urgent: Vec<Move> = match self.promise {
            Promise::UrgentValue => all.into_iter().take(1).collect(),
            Promise::UrgentLegal if all.len() > 1 => vec![Move::on(self.game.cells())],
            // Any move but one that wins at once, while another wins later.
            Promise::UrgentPlies => {
                let wins = |mv: &Move| {
                    let next = self.game.after(pos, *mv);
                    self.game
                        .outcome(&next)
                        .is_some_and(|o| o.winner().is_some())
                };
                let slow: Vec<Move> = all.iter().copied().filter(|mv| !wins(mv)).collect();
                if slow.is_empty() { all } else { slow }
            }
            _ => self.game.urgent_moves(pos).collect(),
        };
        urgent.into_iter()
    }
}

impl<G: GameInfo + Symmetric> Symmetric for Broken<G> {
    type Packed = Option<G::Packed>;

    fn pack(&self, pos: &G::Position) -> Option<G::Packed> {
        (!self.breaks(Promise::Pack)).then(|| self.game.pack(pos))
    }
    fn symmetries(&self) -> &[Symmetry] {
        &self.symmetries
    }
    fn transform(&self, pos: &G::Position, symmetry: &Symmetry) -> G::Position {
        match self.promise {
            Promise::Transform => pos.clone(),
            _ => self.game.transform(pos, symmetry),
        }
    }
    fn canonical<'a>(&'a self, pos: &G::Position) -> (G::Position, &'a Symmetry) {
        if self.breaks(Promise::Canonical) {
            return (pos.clone(), &self.symmetries[0]);
        }
        let images = self.symmetries.iter().map(|s| (self.transform(pos, s), s));
        images
            .min_by_key(|(image, _)| self.pack(image))
            .expect("the identity")
    }
    fn marks(&self, pos: &G::Position) -> Option<[u32; 2]> {
        let marks = self.game.marks(pos);
        match self.promise {
            Promise::Marks => marks.map(|[a, b]| [b, a]),
            _ => marks,
        }
    }
    fn position_of_marks(&self, marks: [u32; 2]) -> Option<G::Position> {
        match self.promise {
            Promise::PositionOfMarks => Some(self.game.start()),
            _ => self.game.position_of_marks(marks),
        }
    }
}

impl<G: GameInfo + Symmetric> Notation for Broken<G> {
    fn format_move(&self, mv: Move) -> String {
        match self.promise {
            Promise::FormatMove => "1".into(),
            _ => self.game.format_move(mv),
        }
    }
    fn show_move(&self, mv: Move) -> String {
        match self.promise {
            Promise::ShowMove => "one".into(),
            _ => self.game.show_move(mv),
        }
    }
    fn names_squares(&self) -> bool {
        self.game.names_squares() != self.breaks(Promise::Squares)
    }
    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        self.game.parse_move(text)
    }
    fn runs_together(&self) -> bool {
        self.game.runs_together()
    }
    fn position(
        &self,
        cells: &[Option<Player>],
        turn: Player,
    ) -> Result<G::Position, PositionError> {
        match self.promise {
            Promise::PositionText => Ok(self.game.start()),
            _ => self.game.position(cells, turn),
        }
    }
}

impl<G: GameInfo + Symmetric> GameInfo for Broken<G> {
    fn name(&self) -> String {
        self.game.name()
    }
    fn shape(&self) -> &Shape {
        &self.shape
    }
    fn pieces(&self) -> Pieces {
        self.game.pieces()
    }
    fn winning_length(&self) -> Option<usize> {
        self.game.winning_length()
    }
    fn winning_cells(&self, pos: &G::Position) -> Vec<usize> {
        match self.promise {
            Promise::WinningCells => (0..self.game.cells()).collect(),
            Promise::WinningCellsTooFew => Vec::new(),
            _ => self.game.winning_cells(pos),
        }
    }
}

/// Returns the message for a game that breaks a promise.
fn refusal<G: GameInfo + Symmetric>(game: G, promise: Promise) -> Option<String> {
    let broken = Broken::new(game, promise);
    said(|| conformance::check(&broken, 80))
}

fn said(check: impl FnOnce()) -> Option<String> {
    let panic = catch_unwind(AssertUnwindSafe(check)).err()?;
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
}

#[test]
fn a_game_that_breaks_nothing_is_accepted() {
    assert_eq!(refusal(tictactoe(), Promise::None), None);
    assert_eq!(refusal(Othello::new(4).unwrap(), Promise::None), None);
}

#[test]
fn every_broken_promise_of_a_grid_is_found() {
    for (promise, sentence) in [
        (Promise::AnyEmptyCell, "any empty cell may be played"),
        (
            Promise::PiecesStay,
            "a move fills its cell and changes no other",
        ),
        (Promise::Counted, "the score counts what is stated"),
        (Promise::BestScore, "no score above the best"),
        (Promise::LegalAndListed, "moves that are listed are legal"),
        (Promise::MovesInOrder, "moves come first to last"),
        (
            Promise::MovesWhileItGoesOn,
            "moves exactly while the game goes on",
        ),
        (Promise::Turns, "the players take turns"),
        (Promise::Pack, "the packed form is exact"),
        (Promise::Identity, "the identity comes first"),
        (
            Promise::Transform,
            "turning and playing is playing and turning",
        ),
        (
            Promise::Canonical,
            "symmetric positions have one representative",
        ),
        (Promise::Marks, "marks are the pieces"),
        (Promise::PositionOfMarks, "marks lead back"),
        (Promise::CanWin, "can win after all"),
        (Promise::DeadUnseen, "dead when nobody can win"),
        (Promise::Dead, "not every game from here is drawn"),
        (Promise::DeadAtTheEnd, "over is not dead"),
        (Promise::WinningMoves, "the moves that win at once"),
        (Promise::UrgentValue, "urgent moves suffice"),
        (Promise::UrgentPlies, "urgent moves suffice"),
        (Promise::UrgentLegal, "urgent moves are legal"),
        (Promise::WinningCells, "nothing has won yet"),
        (Promise::WinningCellsTooFew, "a won game shows what won it"),
        (Promise::FormatMove, "is read back"),
        (Promise::ShowMove, "is read back"),
        (Promise::Squares, "is shown as its game says"),
        (Promise::PositionText, "a position is read back"),
        (Promise::Shape, "the shape has as many cells"),
    ] {
        let said = refusal(tictactoe(), promise);
        let said = said.unwrap_or_else(|| panic!("{promise:?} was not found"));
        assert!(said.contains(sentence), "{promise:?}: {said}");
    }
}

#[test]
fn every_broken_promise_of_othello_is_found() {
    for (promise, sentence) in [
        (Promise::Fills, "any empty cell may be played"),
        (Promise::NoPasses, "a pass in a game without them"),
        (Promise::Counted, "the score counts what is stated"),
        (Promise::UrgentValue, "urgent moves suffice"),
    ] {
        let said = refusal(Othello::new(4).unwrap(), promise);
        let said = said.unwrap_or_else(|| panic!("{promise:?} was not found"));
        assert!(said.contains(sentence), "{promise:?}: {said}");
    }
}

#[test]
fn a_symmetry_that_leaves_the_pieces_is_found_where_there_are_some() {
    let broken = Broken::new(tictactoe(), Promise::Transform);
    let pos = tictactoe().parse_position("X---O---- X").unwrap();
    let said = said(|| conformance::check_position(&broken, &pos)).unwrap();
    assert!(said.contains("a symmetry moves the pieces"), "{said}");
}
