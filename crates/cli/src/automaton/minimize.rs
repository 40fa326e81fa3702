//! `papan automaton minimize`: computes the minimal equivalent automaton.

use std::fmt::Write as _;
use std::process::ExitCode;

use clap::Args;
use papan_solve::automaton::{End, MealyMachine, MinimalArc, MinimalMachine, MinimalTarget};
use papan_view::{Messages, json};

use super::{FileArgs, Seat, machine, read};
use crate::output::print;

#[derive(Args, Debug)]
pub(super) struct MinimizeArgs {
    #[command(flatten)]
    file: FileArgs,
    /// Also merge states that are equivalent on a rotated board
    #[arg(long)]
    rotation: bool,
    /// Side of the table, if it has two
    #[arg(long = "as", value_name = "SEAT")]
    seat: Option<Seat>,
}

pub(super) fn run(args: &MinimizeArgs, words: Messages) -> anyhow::Result<ExitCode> {
    let table = read(&args.file.file, words)?;
    let machine = machine(&table, args.seat, words)?;
    let small = machine.minimize(args.rotation);
    if args.file.json {
        let minimized = json::MinimizedTable {
            before: json::Size {
                states: machine.count(),
                transitions: machine.arcs(),
            },
            after: json::Size {
                states: small.count(),
                transitions: small.arcs(),
            },
            rotation: args.rotation,
            transitions: transitions(&small),
        };
        print(&json::line(&minimized))?;
        return Ok(ExitCode::SUCCESS);
    }
    let line = |key: &str, states: usize, arcs: usize| {
        let values = [
            ("states", states.to_string().into()),
            ("transitions", arcs.to_string().into()),
        ];
        words.with(key, values)
    };
    print(&format!(
        "{}\n{}\n\n{}",
        line("minimize-before", machine.count(), machine.arcs()),
        line("minimize-after", small.count(), small.arcs()),
        transition_table(&small, &names(&machine, &small))
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the name of each state: the first that the table gives to a state that was merged into
/// it, or its number.
fn names(machine: &MealyMachine, small: &MinimalMachine) -> Vec<String> {
    let name = |index: usize| {
        let merged = small.merged.iter().zip(&machine.states);
        let mut named = merged.filter(|(target, _)| **target == index);
        let own = named.find_map(|(_, state)| state.name.clone());
        own.unwrap_or_else(|| format!("Q{}", index + 1))
    };
    (0..small.states.len()).map(name).collect()
}

/// Returns the transitions in their JSON form.
fn transitions(small: &MinimalMachine) -> Vec<json::Transition> {
    let cell = |cell: usize| (cell + 1).to_string();
    let states = small.states.iter().enumerate();
    let transition = |(state, arcs): (usize, &Vec<MinimalArc>)| {
        let arcs = arcs.iter().map(move |arc| {
            let (next, turns, end) = match arc.target {
                MinimalTarget::State { state, turns } => (Some(state + 1), turns, None),
                MinimalTarget::End(End::Won) => (None, 0, Some("win")),
                MinimalTarget::End(End::Draw) => (None, 0, Some("draw")),
                MinimalTarget::End(End::Lost) => (None, 0, Some("loss")),
                MinimalTarget::Stuck => (None, 0, Some("stuck")),
            };
            json::Transition {
                state: state + 1,
                input: cell(arc.input),
                reply: arc.reply.map(cell),
                next,
                turns,
                end,
                is_flag_wrong: arc.is_flag_wrong,
            }
        });
        arcs.collect::<Vec<_>>()
    };
    states.flat_map(transition).collect()
}

/// Returns the transitions in the layout of section D of document 000: a row for each state and a
/// column for each input. `4-win` is reply 4, which wins; `5-Q10` is reply 5 and a transition to
/// state 10. Each `'` is a quarter turn of the board; `!` marks a flag of the table that is not true.
fn transition_table(small: &MinimalMachine, names: &[String]) -> String {
    let mut text = String::from("State");
    for input in 1..=9 {
        let _ = write!(text, "\t{input}");
    }
    text.push('\n');
    for (state, arcs) in small.states.iter().enumerate() {
        text.push_str(&names[state]);
        for input in 0..9 {
            let cell = arcs.iter().find(|arc| arc.input == input).map(|arc| {
                let reply = arc.reply.map_or("".into(), |cell| format!("{}-", cell + 1));
                let target = match arc.target {
                    MinimalTarget::State { state, turns } => {
                        format!("{reply}{}{}", names[state], "'".repeat(turns as usize))
                    }
                    MinimalTarget::End(End::Won) => format!("{reply}win"),
                    MinimalTarget::End(End::Draw) => format!("{reply}draw"),
                    MinimalTarget::End(End::Lost) => format!("{reply}loss"),
                    MinimalTarget::Stuck => "?".into(),
                };
                format!("{target}{}", if arc.is_flag_wrong { "!" } else { "" })
            });
            let _ = write!(text, "\t{}", cell.as_deref().unwrap_or("-"));
        }
        text.push('\n');
    }
    text
}
