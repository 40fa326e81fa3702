//! Boxes and their symmetries: rotations, reflections, exchanged axes.

use std::collections::HashSet;
use std::fmt::Debug;
use std::hash::Hash;

use crate::{Game, Move};

/// A game with the symmetries of its board, and an exact packed form of positions.
pub trait Symmetric: Game {
    /// A position as plain ordered data, exact: equal if and only if the positions are. A hash
    /// would not suffice for a proof.
    type Packed: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static;

    /// Returns the exact packed form.
    fn pack(&self, pos: &Self::Position) -> Self::Packed;
    /// Returns the symmetries of the board that preserve the rules, the identity first.
    fn symmetries(&self) -> &[Symmetry];
    /// Returns the image of a position under a symmetry.
    fn transform(&self, pos: &Self::Position, symmetry: &Symmetry) -> Self::Position;
    /// Returns the canonical image of a position, the one with the smallest packed form, and the
    /// symmetry that leads to it.
    fn canonical<'a>(&'a self, pos: &Self::Position) -> (Self::Position, &'a Symmetry) {
        self.symmetries()
            .iter()
            .map(|symmetry| (self.transform(pos, symmetry), symmetry))
            .min_by_key(|(image, _)| self.pack(image))
            .expect("the identity is always a symmetry")
    }
    /// Returns the cells of each player as bits, cell 1 the lowest, for games that [fill
    /// up](crate::Properties::fills_up) on at most 32 cells: a position in two words, which
    /// [`Self::position_of_marks`] inverts. Proofs hold hundreds of millions of positions.
    fn marks(&self, _pos: &Self::Position) -> Option<[u32; 2]> {
        None
    }
    /// Returns the position of [`Self::marks`]; `None` where that returns `None`.
    fn position_of_marks(&self, _marks: [u32; 2]) -> Option<Self::Position> {
        None
    }
}

/// The sides of a box-shaped board, in the order rows, columns, …: the last coordinate varies
/// fastest in the numbering of cells.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    sides: Vec<usize>,
}

impl Shape {
    /// Creates a box with these sides.
    #[must_use]
    pub fn new(sides: &[usize]) -> Self {
        Self {
            sides: sides.to_vec(),
        }
    }

    /// Returns the lengths of the sides.
    #[must_use]
    pub fn sides(&self) -> &[usize] {
        &self.sides
    }

    /// Returns the number of cells.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.sides.iter().product()
    }

    /// Returns the coordinates of a cell, counted from 0.
    #[must_use]
    pub fn coordinates(&self, cell: usize) -> Vec<usize> {
        let mut rest = cell;
        let mut coordinates = vec![0; self.sides.len()];
        for (coordinate, &side) in coordinates.iter_mut().zip(&self.sides).rev() {
            *coordinate = rest % side;
            rest /= side;
        }
        coordinates
    }

    /// Returns the cell at these coordinates.
    #[must_use]
    pub fn cell(&self, coordinates: &[usize]) -> usize {
        self.sides
            .iter()
            .zip(coordinates)
            .fold(0, |cell, (&side, &at)| cell * side + at)
    }

    /// Returns the sides as written in names, such as `4x4x4`.
    #[must_use]
    pub fn text(&self) -> String {
        self.sides
            .iter()
            .map(usize::to_string)
            .collect::<Vec<_>>()
            .join("x")
    }

    /// Returns every symmetry of the box, the identity first, without duplicates.
    #[must_use]
    pub fn symmetries(&self) -> Vec<Symmetry> {
        let mut seen = HashSet::new();
        let mut all = Vec::new();
        for axes in axis_orders(&self.sides) {
            for mirrored in 0..1_u32 << self.sides.len() {
                let symmetry = self.symmetry(&axes, mirrored);
                if seen.insert(symmetry.clone()) {
                    all.push(symmetry);
                }
            }
        }
        all
    }

    /// Coordinate `axes[i]` of a cell becomes coordinate `i` of its image, counted from the far end
    /// when bit `i` of `mirrored` is set.
    fn symmetry(&self, axes: &[usize], mirrored: u32) -> Symmetry {
        let images = (0..self.cells()).map(|cell| {
            let from = self.coordinates(cell);
            let to: Vec<usize> = (0..axes.len())
                .map(|i| match mirrored >> i & 1 {
                    0 => from[axes[i]],
                    _ => self.sides[i] - 1 - from[axes[i]],
                })
                .collect();
            self.cell(&to) as u16
        });
        Symmetry {
            images: images.collect(),
        }
    }
}

/// Returns the orders of the axes that map each side to one of equal length.
fn axis_orders(sides: &[usize]) -> Vec<Vec<usize>> {
    fn extend(sides: &[usize], order: &mut Vec<usize>, all: &mut Vec<Vec<usize>>) {
        let at = order.len();
        if at == sides.len() {
            all.push(order.clone());
            return;
        }
        for axis in 0..sides.len() {
            if sides[axis] == sides[at] && !order.contains(&axis) {
                order.push(axis);
                extend(sides, order, all);
                order.pop();
            }
        }
    }
    let mut all = Vec::new();
    extend(sides, &mut Vec::new(), &mut all);
    all
}

/// A symmetry of a board: the image of each cell.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry {
    images: Box<[u16]>,
}

impl Symmetry {
    /// Returns the image of a cell.
    #[must_use]
    pub fn cell(&self, cell: usize) -> usize {
        usize::from(self.images[cell])
    }

    /// Returns the image of a move; a pass stays a pass.
    #[must_use]
    pub fn apply(&self, mv: Move) -> Move {
        mv.cell().map_or(mv, |cell| Move::on(self.cell(cell)))
    }

    /// Returns the inverse.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let mut images = vec![0; self.images.len()].into_boxed_slice();
        for (cell, &image) in self.images.iter().enumerate() {
            images[usize::from(image)] = cell as u16;
        }
        Self { images }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_have_the_symmetries_that_geometry_gives_them() {
        for (sides, expected) in [
            (&[3][..], 2),
            (&[3, 3], 8),
            (&[4, 3], 4),
            (&[1, 5], 2),
            (&[3, 3, 3], 48),
            (&[3, 3, 4], 16),
            (&[2, 2, 2, 2], 384),
        ] {
            assert_eq!(Shape::new(sides).symmetries().len(), expected, "{sides:?}");
        }
    }

    #[test]
    fn an_inverse_leads_back() {
        for symmetry in Shape::new(&[3, 3, 3]).symmetries() {
            let inverse = symmetry.inverse();
            assert!((0..27).all(|cell| inverse.cell(symmetry.cell(cell)) == cell));
        }
    }
}
