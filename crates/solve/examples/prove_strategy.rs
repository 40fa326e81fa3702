//! Write a strategy, prove that it never loses, and check the certificate of the proof.
//!
//! ```sh
//! cargo run -p papan-solve --example prove_strategy
//! ```

use papan_rules::{Bits as _, Game, Grid, Line, Move, Notation as _, Player, tictactoe};
use papan_solve::{Certificate, Verdict, check, prove};
use papan_strategies::{Decision, NoMove, Perfect, Strategy, Turn, Watch};

/// Completes a line, else blocks one, else takes the first empty cell of a fixed order.
struct Greedy;

const PREFERENCE: [usize; 9] = [4, 0, 2, 6, 8, 1, 3, 5, 7];

impl Greedy {
    fn choose(game: &Grid<u64>, line: &Line<Grid<u64>>) -> Option<Move> {
        let position = line.position();
        let me = game.turn(position);
        let is_legal = |cell: &usize| game.is_legal(position, Move::on(*cell));
        let winning = game.completing_cells(position, me).first();
        let blocking = game.completing_cells(position, me.other()).first();
        let preferred = PREFERENCE.into_iter().find(is_legal);
        winning.or(blocking).or(preferred).map(Move::on)
    }
}

impl Strategy<Grid<u64>> for Greedy {
    fn choices(&mut self, turn: Turn<'_, Grid<u64>>, out: &mut Vec<Move>) -> Result<u64, NoMove> {
        out.clear();
        out.extend(Self::choose(turn.game, turn.line));
        Ok(1)
    }

    fn decide(&mut self, turn: Turn<'_, Grid<u64>>) -> Result<Decision, NoMove> {
        let best = Self::choose(turn.game, turn.line).ok_or(NoMove::GameOver)?;
        Ok(Decision {
            best,
            candidates: Vec::new(),
            nodes: 1,
        })
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (game, watch) = (tictactoe(), Watch::default());

    // Against every possible opponent, going second.
    let proof = prove(&game, &|| Box::new(Greedy), Player::Second, &watch)?;
    println!(
        "greedy: {} games, {} won, {} drawn, {} lost",
        proof.lines, proof.wins, proof.draws, proof.losses
    );
    if let Some(line) = &proof.losing_line {
        let cells: Vec<String> = line.iter().map(|&mv| game.format_move(mv)).collect();
        println!("shortest loss: {}", cells.join(" "));
    }
    assert_eq!(proof.verdict(), Verdict::CanLose);

    // Perfect play never loses. Its certificate lists a move for every reachable position, and the
    // checker verifies it with the rules alone.
    let certificate = Certificate::new(
        &game,
        &|| Box::new(Perfect::default()),
        "perfect",
        Player::Second,
        &watch,
    )?;
    let claim = check(&game, certificate.text().as_bytes())?;
    println!(
        "{} never loses as {}: {} positions checked",
        claim.strategy, claim.player, claim.positions
    );
    Ok(())
}
