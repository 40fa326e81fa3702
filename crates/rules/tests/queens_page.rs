//! Makes the numbers of the pages about n queens (docs/queens.md, docs/id/queens.md) again.

const PAGES: [&str; 2] = [
    include_str!("../../../docs/queens.md"),
    include_str!("../../../docs/id/queens.md"),
];

/// Nodes of the tree of permutations, the root included.
fn complete_tree(n: u64) -> u64 {
    let mut row = 1;
    let mut nodes = 1;
    for left in (1..=n).rev() {
        row *= left;
        nodes += row;
    }
    nodes
}

/// Whether the last queen is attacked by no other; columns differ already.
fn is_safe(queens: &[usize]) -> bool {
    let Some((&last, others)) = queens.split_last() else {
        return true;
    };
    let rows = others.len();
    others
        .iter()
        .enumerate()
        .all(|(row, &column)| column.abs_diff(last) != rows - row)
}

fn children(queens: &[usize], n: usize) -> Vec<Vec<usize>> {
    let free = (0..n).filter(|column| !queens.contains(column));
    free.map(|column| [queens, &[column]].concat()).collect()
}

/// Depth-first search; returns the first solution and counts the generated nodes.
fn backtrack(queens: &[usize], n: usize, nodes: &mut u64) -> Option<Vec<usize>> {
    *nodes += 1;
    if !is_safe(queens) {
        return None;
    }
    if queens.len() == n {
        return Some(queens.to_vec());
    }
    children(queens, n)
        .iter()
        .find_map(|child| backtrack(child, n, nodes))
}

/// The distance to the nearest solution at or below a node.
fn ideal_cost(queens: &[usize], n: usize) -> Option<usize> {
    if !is_safe(queens) {
        return None;
    }
    if queens.len() == n {
        return Some(0);
    }
    let below = children(queens, n);
    let costs = below.iter().filter_map(|child| ideal_cost(child, n));
    costs.min().map(|cost| cost + 1)
}

/// The document's six steps, with a queue of live nodes.
fn branch_and_bound(n: usize) -> (u64, Option<Vec<usize>>) {
    let mut nodes = 1;
    let mut queue = vec![(ideal_cost(&[], n), Vec::new())];
    loop {
        // The first of the least costs; an infinite cost is a dropped node.
        let live = queue
            .iter()
            .enumerate()
            .filter(|(_, (cost, _))| cost.is_some());
        let Some((index, _)) = live.min_by_key(|(_, (cost, _))| *cost) else {
            return (nodes, None);
        };
        let (_, queens) = queue.remove(index);
        if queens.len() == n {
            return (nodes, Some(queens));
        }
        for child in children(&queens, n) {
            nodes += 1;
            queue.push((ideal_cost(&child, n), child));
        }
    }
}

#[test]
fn the_page_shows_what_the_algorithms_count() {
    let mut table = String::from("|---|---|---|---|---|\n");
    for n in 4..=8 {
        let mut nodes = 0;
        let solution = backtrack(&[], n, &mut nodes).expect("there is a solution from 4 on");
        let (bounded, best) = branch_and_bound(n);
        assert_eq!(best.as_ref(), Some(&solution), "{n}");
        let columns: Vec<String> = solution.iter().map(|c| (c + 1).to_string()).collect();
        table += &format!(
            "| {n} | {} | {nodes} | {bounded} | {} |\n",
            complete_tree(n as u64),
            columns.join(" ")
        );
    }
    for page in PAGES {
        assert!(page.contains(&table), "the page should have\n{table}");
    }
}

#[test]
fn two_and_three_queens_have_no_place() {
    for n in [2, 3] {
        assert_eq!(backtrack(&[], n, &mut 0), None);
        assert_eq!(branch_and_bound(n).1, None);
    }
}
