//! Binary encoding of draw proofs in results of leaf jobs.

use papan_mnk::{CellSet, DrawLink, DrawNode, DrawNodeKind, DrawProof, DrawReply};
use papan_rules::Bits as _;

use super::varint::{VarintReader, push};

/// Maximum depth of a proof; each level takes two cells.
const MAX_DEPTH: usize = 1000;

const PAIRS: u32 = 0;
const REPLIES: u32 = 1;

/// Appends a draw proof. The stones of its nodes are left out, because the certificate checker
/// recomputes them.
pub(super) fn write(proof: &DrawProof, out: &mut Vec<u8>) {
    push(out, proof.nodes.len() as u32);
    for node in &proof.nodes {
        match &node.kind {
            DrawNodeKind::Pairs(pairs) => {
                push(out, PAIRS);
                push(out, pairs.len() as u32);
                for &(a, b) in pairs {
                    push(out, a.into());
                    push(out, b.into());
                }
            }
            DrawNodeKind::Replies(replies) => {
                push(out, REPLIES);
                push(out, replies.len() as u32);
                for reply in replies {
                    push(out, reply.cell.into());
                    push(out, reply.reply.into());
                    link(reply.next, out);
                }
            }
        }
    }
    push(out, proof.first.map_or(0, |cell| u32::from(cell) + 1));
    link(proof.root, out);
}

fn link(link: Option<DrawLink>, out: &mut Vec<u8>) {
    push(out, link.map_or(0, |link| link.node as u32 + 1));
    if let Some(link) = link {
        push(out, link.symmetry as u32);
    }
}

/// Decodes a proof on a board with this many cells and symmetries.
pub(super) fn read(bytes: &[u8], cells: usize, symmetries: usize) -> Option<DrawProof> {
    let mut reader = Reader {
        numbers: VarintReader { bytes, cells },
        symmetries,
        depths: Vec::new(),
    };
    let count = reader.numbers.count()?;
    let nodes = (0..count).map(|_| reader.node()).collect::<Option<_>>()?;
    let first = match reader.numbers.next()? {
        0 => None,
        cell => Some(cell as usize - 1).filter(|cell| *cell < cells),
    };
    let root = reader.link()?.map(|(link, _)| link);
    reader.numbers.bytes.is_empty().then_some(DrawProof {
        nodes,
        root,
        first: first.map(|cell| cell as u16),
        counter: true,
    })
}

struct Reader<'a> {
    numbers: VarintReader<'a>,
    symmetries: usize,
    /// Depth below each node read so far.
    depths: Vec<usize>,
}

impl Reader<'_> {
    fn node(&mut self) -> Option<DrawNode> {
        let mut depth = 0;
        let kind = match self.numbers.next()? {
            PAIRS => {
                let count = self.numbers.count()?;
                let pairs = (0..count).map(|_| Some((self.numbers.cell()?, self.numbers.cell()?)));
                DrawNodeKind::Pairs(pairs.collect::<Option<_>>()?)
            }
            REPLIES => {
                let count = self.numbers.count()?;
                let mut replies = Vec::with_capacity(count);
                for _ in 0..count {
                    let (cell, reply) = (self.numbers.cell()?, self.numbers.cell()?);
                    let next = self.link()?;
                    depth = depth.max(next.map_or(0, |(_, below)| below + 1));
                    let next = next.map(|(link, _)| link);
                    replies.push(DrawReply { cell, reply, next });
                }
                DrawNodeKind::Replies(replies)
            }
            _ => return None,
        };
        self.depths.push(depth);
        (depth <= MAX_DEPTH).then_some(DrawNode {
            stones: [CellSet::EMPTY; 2],
            kind,
        })
    }

    /// Reads a link to an earlier node, with the depth below that node.
    fn link(&mut self) -> Option<Option<(DrawLink, usize)>> {
        let node = match self.numbers.next()? {
            0 => return Some(None),
            number => number as usize - 1,
        };
        let symmetry = self.numbers.next()? as usize;
        let depth = *self.depths.get(node)?;
        (symmetry < self.symmetries).then_some(Some((DrawLink { node, symmetry }, depth)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_proof_round_trips_and_a_broken_one_is_rejected() {
        let stones = [CellSet::EMPTY; 2];
        let last = DrawLink {
            node: 0,
            symmetry: 3,
        };
        let reply = |cell, next| DrawReply {
            cell,
            reply: cell + 1,
            next,
        };
        let replies = vec![reply(2, Some(last)), reply(5, None)];
        let kinds = [
            DrawNodeKind::Pairs(vec![(1, 200)]),
            DrawNodeKind::Replies(replies.clone()),
        ];
        let proof = DrawProof {
            nodes: kinds.map(|kind| DrawNode { stones, kind }).to_vec(),
            root: Some(DrawLink {
                node: 1,
                symmetry: 0,
            }),
            first: Some(0),
            counter: true,
        };
        let mut bytes = Vec::new();
        write(&proof, &mut bytes);
        assert_eq!(read(&bytes, 300, 8), Some(proof));
        assert_eq!(read(&bytes, 200, 8), None, "no such cell");
        assert_eq!(read(&bytes, 300, 3), None, "no such symmetry");
        for end in 0..bytes.len() {
            assert_eq!(read(&bytes[..end], 300, 8), None);
        }
    }
}
