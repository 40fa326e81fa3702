//! Plot of the ratings: a dot for each player, a bar for its interval.

use askama::Template;

use super::Report;

const ROW: f64 = 26.0;
const LEFT: f64 = 230.0;
const WIDTH: f64 = 760.0;
const TOP: f64 = 10.0;
/// Room for the numbers below the last row.
const FOOT: f64 = 30.0;

/// Layout of the plot.
pub(super) struct Plot {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
    /// Where the names end.
    pub(super) names: f64,
    pub(super) ticks: Vec<Tick>,
    pub(super) rows: Vec<Row>,
}

/// A round number on the scale.
pub(super) struct Tick {
    pub(super) x: String,
    pub(super) label: String,
}

/// A player with a rating.
pub(super) struct Row {
    pub(super) name: String,
    pub(super) y: f64,
    pub(super) from: String,
    pub(super) to: String,
    pub(super) x: String,
    pub(super) rating: String,
}

#[derive(Template)]
#[template(path = "plot.html")]
struct Picture {
    plot: Plot,
}

/// Returns the plot as an SVG element; empty without rated players.
#[must_use]
pub fn plot(report: &Report) -> String {
    let plot = Plot::of(report);
    let picture = (!plot.rows.is_empty()).then_some(Picture { plot });
    picture
        .and_then(|picture| picture.render().ok())
        .unwrap_or_default()
}

impl Plot {
    /// The ratings of a report; players without one are not in it.
    pub(super) fn of(report: &Report) -> Self {
        let rated: Vec<(&str, f64, f64)> = report
            .players
            .iter()
            .filter_map(|p| Some((p.player.as_str(), p.elo?, p.margin?)))
            .collect();
        let ends = rated
            .iter()
            .flat_map(|(_, elo, margin)| [elo - margin, elo + margin]);
        let low = ends.clone().fold(0.0, f64::min);
        let high = ends.fold(0.0, f64::max);
        let span = (high - low).max(1.0);
        let x = |elo: f64| LEFT + (elo - low) / span * (WIDTH - LEFT - 20.0);
        let at = |elo: f64| format!("{:.1}", x(elo));
        let step = nice_step(span / 6.0);
        let first = (low / step).ceil() as i64;
        let last = (high / step).floor() as i64;
        let rows = rated
            .iter()
            .enumerate()
            .map(|(row, &(name, elo, margin))| Row {
                name: name.chars().take(32).collect(),
                y: TOP + ROW * (row as f64 + 0.5),
                from: at(elo - margin),
                to: at(elo + margin),
                x: at(elo),
                rating: format!("{} ± {margin:.1}", super::signed(elo)),
            });
        let height = TOP + ROW * rated.len() as f64 + FOOT;
        Self {
            width: WIDTH,
            height,
            top: TOP,
            bottom: height - FOOT,
            names: LEFT - 12.0,
            ticks: (first..=last)
                .map(|tick| tick as f64 * step)
                .map(|elo| Tick {
                    x: at(elo),
                    label: match elo {
                        0.0 => "0".into(),
                        elo => format!("{elo:+.0}"),
                    },
                })
                .collect(),
            rows: rows.collect(),
        }
    }
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
