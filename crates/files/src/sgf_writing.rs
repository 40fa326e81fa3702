//! SGF writer: a game with its variations and comments as a tree.

use papan_catalog::AnyLine;
use papan_rules::{Comment, Move, Outcome, Player, Record, RecordResult};

use crate::sgf_tree::escape;
use crate::{Unwritable, replay};

/// Formats a game.
pub(crate) fn write(record: &Record) -> Result<String, Unwritable> {
    let cannot = || Unwritable::Game(record.game.clone());
    let line = replay::line(record).ok_or_else(cannot)?;
    let game = line.game();
    let &[rows, columns] = game.shape().sides() else {
        return Err(cannot());
    };
    let othello = game.name().starts_with("othello");
    let rule = game.gomoku_rule();
    if !(othello || rule.is_some() || game.name().ends_with(":5")) || rows.max(columns) > 52 {
        return Err(cannot());
    }
    let mut text = format!(
        "(;FF[4]GM[{}]CA[UTF-8]AP[papan]",
        if othello { 2 } else { 4 }
    );
    if rows == columns {
        text += &format!("SZ[{rows}]");
    } else {
        text += &format!("SZ[{columns}:{rows}]");
    }
    let mut tag = |name: &str, value: &str| {
        if !value.is_empty() {
            text += &format!("{name}[{}]", escape(value));
        }
    };
    tag("RU", rule.map_or("", |rule| rule.name()));
    tag("PB", &record.players[0]);
    tag("PW", &record.players[1]);
    tag("DT", record.date.as_deref().unwrap_or(""));
    tag("EV", record.event.as_deref().unwrap_or(""));
    tag("OT", record.clock.as_deref().unwrap_or(""));
    let opening = record.opening.map(|opening| opening.to_string());
    tag("ON", opening.as_deref().unwrap_or(""));
    tag("RE", &result_text(record, &*line));
    text += &setup(record, columns);
    let tree = Tree::of(record, &*line);
    tree.write(&mut text, 0, columns);
    text += ")\n";
    Ok(text)
}

fn result_text(record: &Record, line: &dyn AnyLine) -> String {
    let RecordResult::Finished(outcome) = record.result else {
        return String::new();
    };
    let Outcome::Win(player) = outcome else {
        return "0".into();
    };
    let letter = if player == Player::First { "B" } else { "W" };
    let margin = match record.reason.as_deref() {
        Some("resigned") => "R".into(),
        Some("time") => "T".into(),
        Some("forfeit") => "F".into(),
        Some(_) => String::new(),
        None => match line.final_score(player) {
            1 => String::new(),
            discs => discs.to_string(),
        },
    };
    format!("{letter}+{margin}")
}

/// Formats the stones of a start position.
fn setup(record: &Record, columns: usize) -> String {
    let Some(start) = &record.start else {
        return String::new();
    };
    let side = start.trim_end().chars().last();
    let cells = start.trim_end().len() - 1;
    let start = &start[..cells];
    let list = |name: &str, piece: char| {
        let marks = start
            .chars()
            .filter(|c| matches!(c, 'X' | 'O' | '-'))
            .enumerate();
        let points: String = marks
            .filter(|(_, c)| *c == piece)
            .map(|(cell, _)| format!("[{}]", letters(cell, columns)))
            .collect();
        if points.is_empty() {
            points
        } else {
            format!("{name}{points}")
        }
    };
    format!(
        "{}{}PL[{}]",
        list("AB", 'X'),
        list("AW", 'O'),
        if side == Some('O') { "W" } else { "B" }
    )
}

/// Formats a cell as two letters.
fn letters(cell: usize, columns: usize) -> String {
    let letter = |index: usize| match index {
        0..26 => char::from(b'a' + index as u8),
        _ => char::from(b'A' + (index - 26) as u8),
    };
    [letter(cell % columns), letter(cell / columns)]
        .iter()
        .collect()
}

/// A game tree.
struct Tree {
    nodes: Vec<TreeNode>,
}

struct TreeNode {
    played: Option<(Player, Move)>,
    comment: Option<String>,
    children: Vec<usize>,
}

impl Tree {
    fn of(record: &Record, line: &dyn AnyLine) -> Self {
        let root = TreeNode {
            played: None,
            comment: None,
            children: Vec::new(),
        };
        let mut tree = Self { nodes: vec![root] };
        let mut start = line.clone_line();
        while start.undo().is_some() {}
        tree.add(&*start, line.moves());
        for variation in &record.variations {
            let mut other = start.clone_line();
            // A record may have been edited by hand: the legal part of a variation is kept.
            let _ = other.extend(variation);
            tree.add(&*start, other.moves());
        }
        for Comment { moves, text } in &record.comments {
            let mut there = start.clone_line();
            let _ = there.extend(moves);
            let node = tree.add(&*start, there.moves());
            let said = &mut tree.nodes[node].comment;
            *said = Some(
                said.take()
                    .map_or_else(|| text.clone(), |before| format!("{before}\n{text}")),
            );
        }
        tree
    }

    /// Returns the node after these moves, created where missing.
    fn add(&mut self, start: &dyn AnyLine, moves: &[Move]) -> usize {
        let mut line = start.clone_line();
        let mut at = 0;
        for &mv in moves {
            let player = line.turn();
            if line.play(mv).is_err() {
                break;
            }
            let known = self.nodes[at].children.iter().copied();
            let known = known
                .into_iter()
                .find(|&child| self.nodes[child].played == Some((player, mv)));
            at = known.unwrap_or_else(|| {
                let node = TreeNode {
                    played: Some((player, mv)),
                    comment: None,
                    children: Vec::new(),
                };
                self.nodes.push(node);
                let child = self.nodes.len() - 1;
                self.nodes[at].children.push(child);
                child
            });
        }
        at
    }

    /// Writes a node and its descendants, with brackets only where the game branches.
    fn write(&self, text: &mut String, from: usize, columns: usize) {
        let mut at = from;
        loop {
            let node = &self.nodes[at];
            if let Some((player, mv)) = node.played {
                let letter = if player == Player::First { "B" } else { "W" };
                let point = mv
                    .cell()
                    .map_or_else(String::new, |cell| letters(cell, columns));
                *text += &format!(";{letter}[{point}]");
            }
            if let Some(comment) = &node.comment {
                *text += &format!("C[{}]", escape(comment));
            }
            match node.children[..] {
                [] => return,
                [child] => at = child,
                _ => {
                    for &child in &node.children {
                        text.push('(');
                        self.write(text, child, columns);
                        text.push(')');
                    }
                    return;
                }
            }
        }
    }
}
