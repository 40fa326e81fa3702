//! `papan solve --queue`: job-level proof-number search, with leaves solved by workers.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, bail, ensure};
use indicatif::ProgressBar;
use papan_catalog::{AnyGame, AnyLine};
use papan_rules::Player;
use papan_store::{Key, Undertaking};

use crate::posting::Posting;
use crate::queue_line::reproduced_by;
use crate::worker::{LEAVES, Thesis, split_leaf};
use crate::{exit_code, output};

/// Effort per leaf, in rounds of iterative widening; 5 take some seconds.
const ROUNDS: u32 = 5;

/// Proves either that the player to move wins or that the opponent at least draws. The results in
/// the queue determine the tree, so an interrupted proof continues when the command is run again.
pub(crate) fn solve(
    url: &str,
    game: &AnyGame,
    line: &dyn AnyLine,
    certificate: Option<&Path>,
) -> anyhow::Result<ExitCode> {
    let unsupported = "--queue requires an unfinished k-in-a-row game";
    let grid = game.as_grid().context(unsupported)?;
    let mut search = grid.job_level_search(line).context(unsupported)?;
    let attacker = line.turn();
    let thesis = Thesis {
        game: game.name(),
        first_wins: attacker == Player::First,
        rounds: ROUNDS,
    };
    let body = serde_json::to_string(&thesis)?;
    let needs = reproduced_by();
    // Other versions may encode results differently, so they get a key of their own.
    let key = Key::of(format!("{needs} {body} {}", line.position_text()).as_bytes()).to_string();
    let undertaking = Undertaking {
        name: format!("proof {}", &key[..16]),
        kind: LEAVES.into(),
        needs,
        body,
    };
    let mut posting = Posting::begin(url, &undertaking, false)?;
    // Hidden if standard error is not a terminal.
    let spinner = ProgressBar::new_spinner();
    let mut in_flight = 0_usize;
    while search.verdict().is_none() {
        let target = posting.ahead();
        while in_flight < target
            && let Some(job) = search.next_job()
        {
            posting.post(job)?;
            in_flight += 1;
        }
        for result in posting.results()? {
            let Some((position, answer)) = split_leaf(&result.body) else {
                bail!("invalid leaf result in the queue");
            };
            search.add_result(position, answer)?;
            in_flight = in_flight.saturating_sub(1);
        }
        let size = search.size();
        spinner.set_message(format!(
            "{} leaves open, {} positions",
            size.open_leaves, size.nodes
        ));
        spinner.tick();
    }
    spinner.finish_and_clear();
    posting.end()?;
    let wins = search.verdict() == Some(true);
    if let (Some(path), Some(bytes)) = (certificate, search.certificate()) {
        let checked = grid.check_claims(&bytes);
        ensure!(checked.is_ok(), "the certificate is invalid: {checked:?}");
        output::write_file(path, &bytes)?;
    }
    let nodes = search.size().nodes;
    let is_start = line.position_text() == game.line().position_text();
    let verdict = if wins {
        format!("{attacker} wins")
    } else if is_start {
        // By strategy stealing the first player does not lose from the empty board.
        "a draw".into()
    } else {
        format!(
            "{attacker} does not win: {} at least draws",
            attacker.other()
        )
    };
    let text = format!(
        "position  {}\n{verdict}\npositions {nodes} in the upper tree\n",
        line.position_text()
    );
    output::print_beside(certificate, &text)?;
    Ok(exit_code::for_answer(wins))
}
