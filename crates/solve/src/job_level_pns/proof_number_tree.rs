//! The proof-number tree of a job-level search, with virtual loss for leaves in flight.

const INFINITE: u32 = u32::MAX;
/// Virtual loss: penalty that each leaf in flight adds to the selection number of its ancestors.
const VIRTUAL_LOSS: u32 = 4;

/// Moves of a node that are searched before the next ones, the most promising ones first. The
/// selection number doubles for every further group of moves; it does not enter proof numbers.
const WIDTH: usize = 4;
const MAX_DOUBLINGS: usize = 16;

/// Open children of a node that count as one more, besides the hardest one: a proof against one of
/// them often refutes many.
const CHILDREN_PER_NUMBER: u32 = 8;

/// The result of a solved node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeResult {
    Proved,
    Refuted,
}

#[derive(Debug)]
struct Node {
    parent: Option<usize>,
    cell: u16,
    /// Whether this is an OR node, with the attacker to move.
    attacks: bool,
    pn: u32,
    dn: u32,
    children: Vec<usize>,
    /// Whether this is a leaf in flight.
    busy: bool,
    /// Leaves below that are in flight.
    busy_leaves: u32,
    /// Leaves below that are not.
    free_leaves: u32,
}

/// The size of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeSize {
    /// Leaves that are not solved.
    pub open_leaves: usize,
    /// All nodes.
    pub nodes: usize,
    /// Nodes that were proved by simulating the proof of a similar position.
    pub simulated: usize,
}

/// The tree above the jobs.
#[derive(Debug)]
pub(super) struct ProofNumberTree {
    nodes: Vec<Node>,
}

impl Node {
    /// Creates a leaf whose numbers are those that it would have with this many open children.
    fn new(parent: Option<usize>, cell: u16, attacks: bool, children: usize) -> Self {
        let all = 1 + children.saturating_sub(1) as u32 / CHILDREN_PER_NUMBER;
        let (pn, dn) = if attacks { (1, all) } else { (all, 1) };
        Self {
            parent,
            cell,
            attacks,
            pn,
            dn,
            children: Vec::new(),
            busy: false,
            busy_leaves: 0,
            free_leaves: 1,
        }
    }

    fn is_solved(&self) -> bool {
        self.pn == 0 || self.dn == 0
    }
}

impl ProofNumberTree {
    pub(super) fn new() -> Self {
        Self {
            nodes: vec![Node::new(None, 0, true, 1)],
        }
    }

    /// Returns the cells from the root to a node.
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

    /// Returns the number of moves from the root to a node.
    pub(super) fn depth(&self, node: usize) -> usize {
        std::iter::successors(self.parent(node), |&parent| self.parent(parent)).count()
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

    /// Returns whether the attacker is to move.
    pub(super) fn attacks(&self, node: usize) -> bool {
        self.nodes[node].attacks
    }

    pub(super) fn is_solved(&self, node: usize) -> bool {
        self.nodes[node].is_solved()
    }

    /// Returns whether the node or one of its ancestors is solved.
    pub(super) fn is_solved_above(&self, node: usize) -> bool {
        let mut at = Some(node);
        while let Some(index) = at {
            if self.nodes[index].is_solved() {
                return true;
            }
            at = self.nodes[index].parent;
        }
        false
    }

    pub(super) fn is_proved(&self, node: usize) -> bool {
        self.nodes[node].pn == 0
    }

    pub(super) fn is_refuted(&self, node: usize) -> bool {
        self.nodes[node].dn == 0
    }

    /// Returns whether the attacker wins at the root, once solved.
    pub(super) fn verdict(&self) -> Option<bool> {
        let root = &self.nodes[0];
        root.is_solved().then_some(root.pn == 0)
    }

    pub(super) fn size(&self) -> TreeSize {
        let root = &self.nodes[0];
        TreeSize {
            open_leaves: (root.busy_leaves + root.free_leaves) as usize,
            nodes: self.nodes.len(),
            simulated: 0,
        }
    }

    /// Returns the most-proving leaf that is not in flight.
    pub(super) fn select(&self) -> Option<usize> {
        let mut at = 0;
        loop {
            let node = &self.nodes[at];
            if node.is_solved() || node.free_leaves == 0 {
                return None;
            }
            if node.children.is_empty() {
                return Some(at);
            }
            let unsolved = node.children.iter().copied();
            let unsolved = unsolved.filter(|&child| !self.nodes[child].is_solved());
            let free = unsolved
                .enumerate()
                .filter(|&(_, child)| self.nodes[child].free_leaves > 0);
            let (_, selected) = free.min_by_key(|&(rank, child)| {
                let child = &self.nodes[child];
                let number = if node.attacks { child.pn } else { child.dn };
                let number = number.saturating_add(child.busy_leaves.saturating_mul(VIRTUAL_LOSS));
                number.saturating_mul(1 << (rank / WIDTH).min(MAX_DOUBLINGS))
            })?;
            at = selected;
        }
    }

    /// Marks a leaf as in flight.
    pub(super) fn mark_busy(&mut self, node: usize) {
        let leaf = &mut self.nodes[node];
        if !leaf.is_solved() && leaf.children.is_empty() {
            leaf.busy = true;
            self.update(node);
        }
    }

    /// Sets the result of a node, regardless of its children.
    pub(super) fn solve(&mut self, node: usize, result: NodeResult) {
        let solved = &mut self.nodes[node];
        solved.busy = false;
        (solved.pn, solved.dn) = match result {
            NodeResult::Proved => (0, INFINITE),
            NodeResult::Refuted => (INFINITE, 0),
        };
        self.update(node);
    }

    /// Expands a leaf and returns its children, in the order of `cells`.
    pub(super) fn expand(&mut self, node: usize, cells: &[u16]) -> Vec<usize> {
        if self.nodes[node].is_solved() || !self.nodes[node].children.is_empty() {
            return Vec::new();
        }
        let attacks = !self.nodes[node].attacks;
        let first = self.nodes.len();
        for &cell in cells {
            let replies = cells.len();
            self.nodes
                .push(Node::new(Some(node), cell, attacks, replies));
        }
        let children: Vec<usize> = (first..self.nodes.len()).collect();
        self.nodes[node].children.clone_from(&children);
        self.nodes[node].busy = false;
        self.update(node);
        children
    }

    /// Moves a child to the front, so that it counts as the most promising one, and returns it.
    pub(super) fn move_to_front(&mut self, node: usize, cell: u16) -> Option<usize> {
        let children = &self.nodes[node].children;
        let at = children
            .iter()
            .position(|&child| self.nodes[child].cell == cell)?;
        let children = &mut self.nodes[node].children;
        children[..=at].rotate_right(1);
        Some(children[0])
    }

    /// Recomputes the numbers from a node up to the root.
    fn update(&mut self, node: usize) {
        let mut at = Some(node);
        while let Some(index) = at {
            let node = &self.nodes[index];
            let (mut least, mut most, mut open) = (INFINITE, 0_u32, 0_u32);
            let (mut busy, mut free) = (0, 0);
            for &child in &node.children {
                let child = &self.nodes[child];
                let (minimised, added) = if node.attacks {
                    (child.pn, child.dn)
                } else {
                    (child.dn, child.pn)
                };
                least = least.min(minimised);
                most = most.max(added);
                open += u32::from(added > 0);
                busy += child.busy_leaves;
                free += child.free_leaves;
            }
            let node = &mut self.nodes[index];
            if node.children.is_empty() {
                (busy, free) = (u32::from(node.busy), u32::from(!node.busy));
            } else if !node.is_solved() {
                // Saturating sums keep infinity infinite.
                let all = most.saturating_add(open.saturating_sub(1) / CHILDREN_PER_NUMBER);
                (node.pn, node.dn) = if node.attacks {
                    (least, all)
                } else {
                    (all, least)
                };
            }
            if node.is_solved() {
                (busy, free) = (0, 0);
            }
            (node.busy_leaves, node.free_leaves) = (busy, free);
            at = node.parent;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_in_flight_are_not_selected_again() {
        let mut tree = ProofNumberTree::new();
        let children = tree.expand(0, &[1, 2, 3]);
        let first = tree.select().unwrap();
        tree.mark_busy(first);
        let second = tree.select().unwrap();
        tree.mark_busy(second);
        assert_ne!(first, second);
        tree.mark_busy(tree.select().unwrap());
        assert_eq!(tree.select(), None, "all leaves are in flight");
        tree.solve(children[0], NodeResult::Refuted);
        tree.expand(children[1], &[5, 6]);
        assert_eq!(tree.path(tree.select().unwrap())[0], 2);
        assert_eq!(tree.verdict(), None);
        let replies = tree.children(children[1]).to_vec();
        tree.solve(replies[0], NodeResult::Proved);
        assert_eq!(tree.verdict(), None, "one reply is left");
        tree.solve(replies[1], NodeResult::Proved);
        assert_eq!(tree.verdict(), Some(true));
        assert_eq!(tree.size().open_leaves, 0);
    }
}
