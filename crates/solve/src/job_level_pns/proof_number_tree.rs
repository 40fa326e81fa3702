//! Proof numbers: how little it may take to prove a node, and to refute it.

/// More than any sum.
const NEVER: u32 = u32::MAX;
/// What a leaf that somebody works on adds to the numbers of those above it.
const BUSY: u32 = 4;

/// What became of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Proved,
    Refuted,
}

#[derive(Debug)]
struct Node {
    parent: Option<usize>,
    cell: u16,
    /// Whether the attacker is to move: one child that is proved suffices.
    attacks: bool,
    to_prove: u32,
    to_refute: u32,
    children: Vec<usize>,
    /// Whether it is a leaf that somebody works on.
    busy: bool,
    /// Leaves below that somebody works on, and that nobody does.
    below_busy: u32,
    below_free: u32,
}

/// How large the tree is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeSize {
    /// Leaves that are neither proved nor refuted.
    pub open_leaves: usize,
    /// All nodes.
    pub nodes: usize,
}

/// The upper tree.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
}

impl Node {
    fn new(parent: Option<usize>, cell: u16, attacks: bool) -> Self {
        Self {
            parent,
            cell,
            attacks,
            to_prove: 1,
            to_refute: 1,
            children: Vec::new(),
            busy: false,
            below_busy: 0,
            below_free: 1,
        }
    }

    fn is_settled(&self) -> bool {
        self.to_prove == 0 || self.to_refute == 0
    }
}

impl Tree {
    pub(super) fn new() -> Self {
        Self {
            nodes: vec![Node::new(None, 0, true)],
        }
    }

    /// The cells from the root to a node.
    pub(super) fn path(&self, node: usize) -> Vec<u16> {
        let mut path = Vec::new();
        let mut at = node;
        while let Some(parent) = self.nodes[at].parent {
            path.push(self.nodes[at].cell);
            at = parent;
        }
        path.reverse();
        path
    }

    pub(super) fn children(&self, node: usize) -> &[usize] {
        &self.nodes[node].children
    }

    pub(super) fn cell(&self, node: usize) -> u16 {
        self.nodes[node].cell
    }

    pub(super) fn parent(&self, node: usize) -> Option<usize> {
        self.nodes[node].parent
    }

    /// Whether the attacker is to move.
    pub(super) fn attacks(&self, node: usize) -> bool {
        self.nodes[node].attacks
    }

    pub(super) fn is_settled(&self, node: usize) -> bool {
        self.nodes[node].is_settled()
    }

    pub(super) fn is_proved(&self, node: usize) -> bool {
        self.nodes[node].to_prove == 0
    }

    pub(super) fn is_refuted(&self, node: usize) -> bool {
        self.nodes[node].to_refute == 0
    }

    pub(super) fn verdict(&self) -> Option<bool> {
        let root = &self.nodes[0];
        root.is_settled().then_some(root.to_prove == 0)
    }

    pub(super) fn size(&self) -> TreeSize {
        let root = &self.nodes[0];
        TreeSize {
            open_leaves: (root.below_busy + root.below_free) as usize,
            nodes: self.nodes.len(),
        }
    }

    /// The leaf that proves or refutes most, of those that nobody works on.
    pub(super) fn select(&self) -> Option<usize> {
        let mut at = 0;
        loop {
            let node = &self.nodes[at];
            if node.is_settled() || node.below_free == 0 {
                return None;
            }
            if node.children.is_empty() {
                return Some(at);
            }
            let open = node.children.iter().filter(|&&child| {
                let child = &self.nodes[child];
                !child.is_settled() && child.below_free > 0
            });
            at = *open.min_by_key(|&&child| {
                let child = &self.nodes[child];
                let number = match node.attacks {
                    true => child.to_prove,
                    false => child.to_refute,
                };
                number.saturating_add(child.below_busy.saturating_mul(BUSY))
            })?;
        }
    }

    /// Somebody works on a leaf from now on.
    pub(super) fn begin(&mut self, node: usize) {
        let leaf = &mut self.nodes[node];
        if !leaf.is_settled() && leaf.children.is_empty() {
            leaf.busy = true;
            self.update(node);
        }
    }

    /// A node is proved or refuted, whatever is below it.
    pub(super) fn settle(&mut self, node: usize, verdict: Fate) {
        let settled = &mut self.nodes[node];
        settled.busy = false;
        (settled.to_prove, settled.to_refute) = match verdict {
            Fate::Proved => (0, NEVER),
            Fate::Refuted => (NEVER, 0),
        };
        self.update(node);
    }

    /// A leaf gets children, the most promising first, which are returned.
    ///
    /// Every one of them counts as much as any other, though going deeper would be dearer: a
    /// leaf that is tried is often settled. Numbers that make moves of little promise dearer, or
    /// leaves as dear as they would be with children, took three times as long on 4x9.
    pub(super) fn open(&mut self, node: usize, cells: &[u16]) -> Vec<usize> {
        if self.nodes[node].is_settled() || !self.nodes[node].children.is_empty() {
            return Vec::new();
        }
        let attacks = !self.nodes[node].attacks;
        let first = self.nodes.len();
        for &cell in cells {
            self.nodes.push(Node::new(Some(node), cell, attacks));
        }
        let children: Vec<usize> = (first..self.nodes.len()).collect();
        self.nodes[node].children.clone_from(&children);
        self.nodes[node].busy = false;
        self.update(node);
        children
    }

    /// Works the numbers out again, from a node upwards.
    fn update(&mut self, node: usize) {
        let mut at = Some(node);
        while let Some(index) = at {
            let node = &self.nodes[index];
            let (mut least, mut sum) = (NEVER, 0_u32);
            let (mut busy, mut free) = (0, 0);
            for &child in &node.children {
                let child = &self.nodes[child];
                let (one, other) = match node.attacks {
                    true => (child.to_prove, child.to_refute),
                    false => (child.to_refute, child.to_prove),
                };
                least = least.min(one);
                sum = sum.saturating_add(other);
                busy += child.below_busy;
                free += child.below_free;
            }
            let node = &mut self.nodes[index];
            if node.children.is_empty() {
                (busy, free) = (u32::from(node.busy), u32::from(!node.busy));
            } else if !node.is_settled() {
                // One that never ends never ends, however many are added to it.
                (node.to_prove, node.to_refute) = match node.attacks {
                    true => (least, sum),
                    false => (sum, least),
                };
            }
            if node.is_settled() {
                (busy, free) = (0, 0);
            }
            (node.below_busy, node.below_free) = (busy, free);
            at = node.parent;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_do_not_all_run_to_the_same_place() {
        let mut tree = Tree::new();
        let children = tree.open(0, &[1, 2, 3]);
        let first = tree.select().unwrap();
        tree.begin(first);
        let second = tree.select().unwrap();
        tree.begin(second);
        assert_ne!(first, second);
        tree.begin(tree.select().unwrap());
        assert_eq!(tree.select(), None, "all are being worked on");
        tree.settle(children[0], Fate::Refuted);
        tree.open(children[1], &[5, 6]);
        assert_eq!(tree.path(tree.select().unwrap())[0], 2);
        assert_eq!(tree.verdict(), None);
        let replies = tree.children(children[1]).to_vec();
        tree.settle(replies[0], Fate::Proved);
        assert_eq!(tree.verdict(), None, "one reply is left");
        tree.settle(replies[1], Fate::Proved);
        assert_eq!(tree.verdict(), Some(true));
        assert_eq!(tree.size().open_leaves, 0);
    }
}
