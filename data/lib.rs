//! Data that papan embeds: tables of the automaton player, puzzles, and certificates of solved boards.
//!
//! A crate of its own, because a published crate contains no files of other directories. Constants
//! that a program does not use are not in it.

/// The automaton that moves first.
pub const ATTACK: &str = include_str!("automata/attack.txt");
/// The automaton that moves second.
pub const DEFENCE: &str = include_str!("automata/defence.txt");
/// Both automata, one after the other.
pub const AUTOMATA: &str = concat!(
    include_str!("automata/attack.txt"),
    "\n",
    include_str!("automata/defence.txt")
);

/// The puzzles, one on each line.
pub const PUZZLES: &str = include_str!("puzzles.txt");

macro_rules! certificates {
    ($($name:ident = $file:literal)*) => {
        $(
            #[doc = concat!("The certificate `", $file, "`.")]
            pub const $name: &[u8] = include_bytes!(concat!("certificates/", $file));
        )*
    };
}

certificates! {
    TICTACTOE_3X3X3 = "tictactoe-3x3x3.certificate"
    TICTACTOE_3X4 = "tictactoe-3x4.certificate"
    TICTACTOE_4X4_3 = "tictactoe-4x4-3.certificate"
    TICTACTOE_4X4 = "tictactoe-4x4.certificate"
    TICTACTOE_4X4X4 = "tictactoe-4x4x4.certificate"
    TICTACTOE_4X5 = "tictactoe-4x5.certificate"
    TICTACTOE_4X6 = "tictactoe-4x6.certificate"
    TICTACTOE_4X7 = "tictactoe-4x7.certificate"
    TICTACTOE_4X8 = "tictactoe-4x8.certificate"
    TICTACTOE_4X9 = "tictactoe-4x9.certificate"
    TICTACTOE_5X5_4 = "tictactoe-5x5-4.certificate"
    TICTACTOE_5X5 = "tictactoe-5x5.certificate"
    TICTACTOE_5X6_4 = "tictactoe-5x6-4.certificate"
    TICTACTOE_5X6 = "tictactoe-5x6.certificate"
    TICTACTOE_5X7_4 = "tictactoe-5x7-4.certificate"
    TICTACTOE_6X6_4 = "tictactoe-6x6-4.certificate"
    TICTACTOE_6X6_5 = "tictactoe-6x6-5.certificate"
    TICTACTOE_6X7_4 = "tictactoe-6x7-4.certificate"
    TICTACTOE_6X8_5 = "tictactoe-6x8-5.certificate"
    TICTACTOE_7X7_5 = "tictactoe-7x7-5.certificate"
    TICTACTOE_7X8_5 = "tictactoe-7x8-5.certificate"
    TICTACTOE = "tictactoe.certificate"
}
