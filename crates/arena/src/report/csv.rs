//! The report as comma-separated values: one line per player.

use std::fmt::Write;

use super::Report;

/// The standings, one line per player, under a line of heads. An empty field is
/// not known; forfeits are `kind:count`, separated by spaces.
#[must_use]
pub fn csv(report: &Report) -> String {
    let mut out = String::from(
        "rank,player,elo,margin,superiority,points,games,\
         first_wins,first_draws,first_losses,second_wins,second_draws,second_losses,\
         discs_per_game,nodes_per_move,microseconds_per_move,forfeits\n",
    );
    for player in &report.players {
        let number =
            |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.4}"));
        let forfeits = player.forfeits.iter().map(|(kind, count)| {
            let kind = kind.replace(' ', "-");
            format!("{kind}:{count}")
        });
        let (first, second) = (&player.first, &player.second);
        let _ = writeln!(
            out,
            "{},{},{:.4},{:.4},{},{},{},{},{},{},{},{},{},{},{},{},{}",
            player.rank,
            quoted(&player.player),
            player.elo,
            player.margin,
            number(player.superiority),
            player.points,
            player.games,
            first.wins,
            first.draws,
            first.losses,
            second.wins,
            second.draws,
            second.losses,
            number(player.discs),
            number(player.nodes),
            number(player.microseconds),
            forfeits.collect::<Vec<_>>().join(" "),
        );
    }
    out
}

/// Fields with commas or quotation marks get quotation marks around them (RFC 4180).
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.into()
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn fields_are_quoted_where_they_have_to_be() {
        assert_eq!(quoted("greedy"), "greedy");
        assert_eq!(quoted("a(b=1,c=2)"), "\"a(b=1,c=2)\"");
        assert_eq!(quoted("gtp:\"x\""), "\"gtp:\"\"x\"\"\"");
    }
}
