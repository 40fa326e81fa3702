//! The ratings as a picture: a dot for each player, a bar for its interval.

use std::fmt::Write;

use super::Report;
use super::html::escaped;

const ROW: f64 = 26.0;
const LEFT: f64 = 230.0;
const WIDTH: f64 = 760.0;
const TOP: f64 = 10.0;

/// The plot as SVG.
pub(super) fn plot(report: &Report) -> String {
    let ends = report
        .players
        .iter()
        .flat_map(|p| [p.elo - p.margin, p.elo + p.margin]);
    let low = ends.clone().fold(f64::INFINITY, f64::min).min(0.0);
    let high = ends.fold(f64::NEG_INFINITY, f64::max).max(0.0);
    let span = (high - low).max(1.0);
    let x = |elo: f64| LEFT + (elo - low) / span * (WIDTH - LEFT - 20.0);
    let height = TOP + ROW * report.players.len() as f64 + 30.0;
    let bottom = height - 30.0;
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"ratings with 95 % intervals\">\n"
    );
    let step = nice_step(span / 6.0);
    let mut tick = (low / step).ceil() * step;
    while tick <= high {
        let at = x(tick);
        let _ = writeln!(
            svg,
            "<line class=\"grid\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{TOP}\" y2=\"{bottom:.1}\"/>\
             <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{tick:+.0}</text>",
            bottom + 18.0
        );
        tick += step;
    }
    for (row, player) in report.players.iter().enumerate() {
        let y = TOP + ROW * (row as f64 + 0.5);
        let (from, to) = (x(player.elo - player.margin), x(player.elo + player.margin));
        let name: String = player.player.chars().take(32).collect();
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\
             <line class=\"bar\" x1=\"{from:.1}\" x2=\"{to:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
             <circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"4.5\"><title>{:+.1} ± {:.1}</title></circle>",
            LEFT - 12.0,
            y + 4.5,
            escaped(&name),
            x(player.elo),
            player.elo,
            player.margin
        );
    }
    svg + "</svg>\n"
}

/// 1, 2 or 5 times a power of ten, not below `least`.
fn nice_step(least: f64) -> f64 {
    let power = 10_f64.powf(least.max(1e-6).log10().floor());
    let fits = |factor: &f64| factor * power >= least * 0.999;
    [1.0, 2.0, 5.0].into_iter().find(fits).unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    #[test]
    fn steps_are_round_numbers() {
        for (least, step) in [(1.0, 1.0), (1.1, 2.0), (30.0, 50.0), (60.0, 100.0)] {
            assert!((super::nice_step(least) - step).abs() < 1e-9, "{least}");
        }
    }
}
