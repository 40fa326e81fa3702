//! `papan solve --queue`: a proof whose leaves workers work on.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, bail, ensure};
use indicatif::ProgressBar;
use papan_catalog::{AnyGame, AnyLine};
use papan_files::write_atomic;
use papan_rules::Player;
use papan_store::{Key, Undertaking};

use crate::output;
use crate::posting::Posting;
use crate::queue_line::reproduced_by;
use crate::worker::{LEAVES, Thesis, split_leaf};

/// How hard a leaf is tried: some seconds.
const ROUNDS: u32 = 5;

/// Asks whether the player to move wins or the other at least draws. The tree is what came of the jobs: killed at
/// any point, the same command goes on.
pub(crate) fn solve(
    url: &str,
    game: &AnyGame,
    line: &dyn AnyLine,
    certificate: Option<&Path>,
) -> anyhow::Result<ExitCode> {
    let wrong = "--queue is for k in a row that is not over";
    let grid = game.as_grid().context(wrong)?;
    let mut search = grid.job_level_search(line).context(wrong)?;
    let attacker = line.turn();
    let thesis = Thesis {
        game: game.name(),
        first_wins: attacker == Player::First,
        rounds: ROUNDS,
    };
    let body = serde_json::to_string(&thesis)?;
    let needs = reproduced_by();
    // What another papan found may be written otherwise.
    let key = Key::of(format!("{needs} {body} {}", line.position_text()).as_bytes()).to_string();
    let undertaking = Undertaking {
        name: format!("proof {}", &key[..16]),
        kind: LEAVES.into(),
        needs,
        body,
    };
    let mut posting = Posting::begin(url, &undertaking, false)?;
    // Silent when standard error is not a terminal.
    let spinner = ProgressBar::new_spinner();
    let mut out = 0_usize;
    while search.verdict().is_none() {
        let ahead = posting.ahead();
        while out < ahead
            && let Some(job) = search.next_job()
        {
            posting.post(job)?;
            out += 1;
        }
        for result in posting.results()? {
            let Some((position, answer)) = split_leaf(&result.body) else {
                bail!("the queue holds what is no answer of a leaf");
            };
            search.add_result(position, answer)?;
            out = out.saturating_sub(1);
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
        ensure!(
            checked.is_ok(),
            "the certificate does not hold: {checked:?}"
        );
        write_atomic(path, &bytes).with_context(|| path.display().to_string())?;
    }
    let nodes = search.size().nodes;
    let says = match wins {
        true => format!("{attacker} wins"),
        // On the empty board whoever moves first does too.
        false if line.position_text() == game.line().position_text() => "a draw".into(),
        false => format!(
            "{attacker} does not win: {} at least draws",
            attacker.other()
        ),
    };
    output::print(&format!(
        "position  {}\n{says}\npositions {nodes} in the upper tree\n",
        line.position_text()
    ))?;
    Ok(match wins {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(1),
    })
}
