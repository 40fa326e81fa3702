//! Expert rules (document 003, after Newell and Simon 1972 and Crowley and Siegler 1993), on 3x3
//! only.
//!
//! It believes in rules: win, block, fork, block a fork, centre, opposite corner, corner, side. The
//! first rule that applies decides, and within a rule the first cell.

use papan_rules::{Bits, Game, Grid, GridPosition, Move, Player};

use crate::{Candidate, Decision, NoMove, Strategy, Term, Turn, Value};

/// The rule-based player with which document 003 compares itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Expert {
    /// The reading of the rule against a fork.
    pub block_fork: BlockFork,
}

/// The readings of "a move that prevents the opponent's fork".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BlockFork {
    /// A single forking cell is taken; against several, a threat forces the other elsewhere.
    #[default]
    Force,
    /// Any cell after which no reply of the other is a fork; a threat must be answered.
    Prevent,
}

const CENTRE: usize = 4;
const CORNERS: [usize; 4] = [0, 2, 6, 8];

impl Expert {
    /// The rules, in the order in which they are tried.
    fn rules(self) -> [(&'static str, Rule); 8] {
        let block_fork = match self.block_fork {
            BlockFork::Force => force_elsewhere,
            BlockFork::Prevent => prevent_forks,
        };
        [
            ("win", win),
            ("block", block),
            ("fork", fork),
            ("block-fork", block_fork),
            ("centre", centre),
            ("opposite-corner", opposite_corner),
            ("corner", corner),
            ("side", side),
        ]
    }

    /// The cells of the first rule that applies.
    fn cells(self, game: &Grid<u64>, pos: &GridPosition<u64>) -> Option<u64> {
        if game.outcome(pos).is_some() {
            return None;
        }
        let rules = self.rules();
        let mut cells = rules.iter().map(|(_, rule)| rule(game, pos));
        cells.find(|cells| *cells != 0)
    }
}

/// The cells to which a rule leads, all of them empty.
type Rule = fn(&Grid<u64>, &GridPosition<u64>) -> u64;

fn win(game: &Grid<u64>, pos: &GridPosition<u64>) -> u64 {
    game.completing_cells(pos, game.turn(pos))
}

fn block(game: &Grid<u64>, pos: &GridPosition<u64>) -> u64 {
    game.completing_cells(pos, game.turn(pos).other())
}

/// Cells after which a player has two or more lines with two own pieces and an
/// empty cell.
fn forking_cells(game: &Grid<u64>, pos: &GridPosition<u64>, player: Player) -> u64 {
    let (mine, theirs) = (pos.stones(player), pos.stones(player.other()));
    let threats = |mine: u64| {
        let open = game
            .winning_lines()
            .iter()
            .filter(|line| !line.meets(theirs));
        open.filter(|&&line| (line & mine).count() == 2).count()
    };
    let empty = game.empty_cells(pos).cells();
    empty
        .filter(|&cell| threats(mine | 1 << cell) >= 2)
        .fold(0, |set, cell| set | 1 << cell)
}

fn fork(game: &Grid<u64>, pos: &GridPosition<u64>) -> u64 {
    forking_cells(game, pos, game.turn(pos))
}

fn force_elsewhere(game: &Grid<u64>, pos: &GridPosition<u64>) -> u64 {
    let mover = game.turn(pos);
    let forks = forking_cells(game, pos, mover.other());
    if forks.count() < 2 {
        return forks;
    }
    // Several forks cannot all be taken: force the other to answer elsewhere.
    let (mine, theirs) = (pos.stones(mover), pos.stones(mover.other()));
    let forces = |cell: usize| {
        game.winning_lines_through(cell).iter().any(|&line| {
            let answer = line.without(mine | 1 << cell);
            !line.meets(theirs) && answer.count() == 1 && !answer.meets(forks)
        })
    };
    let forcing = game
        .empty_cells(pos)
        .cells()
        .filter(|&cell| forces(cell))
        .fold(0, |set, cell| set | 1 << cell);
    if forcing != 0 { forcing } else { forks }
}

fn prevent_forks(game: &Grid<u64>, pos: &GridPosition<u64>) -> u64 {
    let other = game.turn(pos).other();
    if forking_cells(game, pos, other) == 0 {
        return 0;
    }
    let prevents = |cell: &usize| {
        let after = game.after(pos, Move::on(*cell));
        let forced = game.completing_cells(&after, other.other());
        let forks = forking_cells(game, &after, other);
        match forced {
            0 => forks == 0,
            _ => !forks.meets(forced),
        }
    };
    let empty = game.empty_cells(pos).cells();
    empty.filter(prevents).fold(0, |set, cell| set | 1 << cell)
}

fn centre(game: &Grid<u64>, pos: &GridPosition<u64>) -> u64 {
    game.empty_cells(pos) & 1 << CENTRE
}

fn opposite_corner(game: &Grid<u64>, pos: &GridPosition<u64>) -> u64 {
    let theirs = pos.stones(game.turn(pos).other());
    let opposite = CORNERS
        .iter()
        .filter(|&&corner| theirs.contains(8 - corner));
    game.empty_cells(pos) & opposite.fold(0, |set, corner| set | 1 << corner)
}

fn corner(game: &Grid<u64>, pos: &GridPosition<u64>) -> u64 {
    game.empty_cells(pos) & CORNERS.iter().fold(0, |set, corner| set | 1 << corner)
}

fn side(game: &Grid<u64>, pos: &GridPosition<u64>) -> u64 {
    game.empty_cells(pos)
}

impl Strategy<Grid<u64>> for Expert {
    fn choices(&mut self, turn: Turn<'_, Grid<u64>>, out: &mut Vec<Move>) -> Result<u64, NoMove> {
        let Turn { game, line, .. } = turn;
        let cells = self.cells(game, line.position()).ok_or(NoMove::GameOver)?;
        out.clear();
        out.extend(cells.first().map(Move::on));
        Ok(1)
    }

    /// Each cell with the first rule that would lead there.
    fn decide(&mut self, turn: Turn<'_, Grid<u64>>) -> Result<Decision, NoMove> {
        let Turn { game, line, .. } = turn;
        let pos = line.position();
        let cells = self.cells(game, pos).ok_or(NoMove::GameOver)?;
        let rules = self.rules();
        let candidates = game.legal_moves(pos).map(|mv| {
            let cell = mv.cell().unwrap_or(0);
            let place = rules
                .iter()
                .position(|(_, rule)| rule(game, pos).contains(cell))
                .unwrap_or(rules.len() - 1);
            let rank = Term::deciding("rule", -(place as i64 + 1));
            let name = Term::shown("name", Value::Rule(rules[place].0));
            Candidate::new(mv, vec![rank, name])
        });
        Ok(Decision {
            best: cells.first().map(Move::on).ok_or(NoMove::GameOver)?,
            candidates: candidates.collect(),
            nodes: 1,
        })
    }

    fn is_positional(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Context;
    use papan_rules::Line;
    use papan_rules::{Notation, tictactoe};

    fn answer(moves: &str) -> (String, Value) {
        let game = tictactoe();
        let line = Line::parse(&game, moves).unwrap();
        let decision = Expert::default()
            .decide(Turn::new(&game, &line, &Context::default()))
            .unwrap();
        let rule = decision.chosen().unwrap().terms[1].value.clone();
        (game.format_move(decision.best), rule)
    }

    #[test]
    fn each_rule_applies_in_its_turn() {
        let is = |moves: &str, cell: &str, rule: &'static str| {
            assert_eq!(answer(moves), (cell.to_owned(), Value::Rule(rule)));
        };
        is("1 4 2 5", "3", "win");
        is("1 5 2", "3", "block");
        is("1 2 5 9", "4", "fork");
        is("1 5 9", "2", "block-fork");
        is("", "5", "centre");
        is("5 1", "9", "opposite-corner");
        is("5", "1", "corner");
    }
}
