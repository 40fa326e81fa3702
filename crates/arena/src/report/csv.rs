//! CSV report: one line per player.

use super::Report;

const HEADS: [&str; 17] = [
    "rank",
    "player",
    "elo",
    "margin",
    "superiority",
    "points",
    "games",
    "first_wins",
    "first_draws",
    "first_losses",
    "second_wins",
    "second_draws",
    "second_losses",
    "discs_per_game",
    "nodes_per_move",
    "microseconds_per_move",
    "forfeits",
];

/// The standings, one line per player, under a line of heads. An empty field is
/// not known; forfeits are `kind:count`, separated by spaces.
#[must_use]
pub fn csv(report: &Report) -> String {
    let mut lines = csv::Writer::from_writer(Vec::new());
    let mut write = |fields: &[String]| {
        let written = lines.write_record(fields);
        written.expect("memory takes lines, and all have as many fields");
    };
    write(&HEADS.map(String::from));
    for player in &report.players {
        let number =
            |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.4}"));
        let forfeits = player.forfeits.iter().map(|(kind, count)| {
            let kind = kind.replace(' ', "-");
            format!("{kind}:{count}")
        });
        let counts = |score: &crate::ResultCount| {
            [score.wins, score.draws, score.losses].map(|count| count.to_string())
        };
        let mut fields = vec![
            player.rank.to_string(),
            player.player.clone(),
            number(player.elo),
            number(player.margin),
            number(player.superiority),
            player.points.to_string(),
            player.games.to_string(),
        ];
        fields.extend(counts(&player.first));
        fields.extend(counts(&player.second));
        fields.extend([player.discs, player.nodes, player.microseconds].map(number));
        fields.push(forfeits.collect::<Vec<_>>().join(" "));
        write(&fields);
    }
    let bytes = lines.into_inner().expect("memory takes everything");
    String::from_utf8(bytes).expect("only text was written")
}
