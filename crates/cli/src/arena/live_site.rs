//! The running tournament in the browser.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use papan_arena::{LiveGames, Report, RunningGame, Scoreboard, Tournament, report};
use papan_view::svg_board::{self, DrawOptions};
use papan_view::{BoardView, Messages};
use papan_web::{TournamentBoard, TournamentPage};

/// How often the table is made anew.
const PAUSE: Duration = Duration::from_millis(500);
/// Boards on the page; more would only be scrolled past.
const MOST_BOARDS: usize = 24;

/// What the page shows beside the games that are being played.
struct Standing {
    report: Report,
    made: Option<Instant>,
}

/// A site that shows a tournament until the program ends.
pub(crate) struct LiveSite {
    standing: Arc<Mutex<Standing>>,
    live_games: Arc<LiveGames>,
    /// Where it is.
    pub(crate) address: SocketAddr,
}

impl LiveSite {
    /// Opens it.
    pub(crate) fn open(
        address: SocketAddr,
        tournament: &Tournament,
        words: Messages,
    ) -> std::io::Result<Self> {
        let live_games = Arc::new(LiveGames::default());
        let standing = Arc::new(Mutex::new(Standing {
            report: Report::of(tournament, &Scoreboard::new(tournament, None)),
            made: None,
        }));
        let (games, table, plan) = (live_games.clone(), standing.clone(), tournament.clone());
        let source = move || {
            let standing = table.lock().unwrap_or_else(PoisonError::into_inner);
            page(&plan, &standing.report, &games.games(), words)
        };
        let address = papan_web::show_tournament(address, Arc::new(source))?;
        Ok(Self {
            standing,
            live_games,
            address,
        })
    }

    /// Who looks on.
    pub(crate) fn live_games(&self) -> &LiveGames {
        &self.live_games
    }

    /// Shows how things stand, unless it did a moment ago.
    pub(crate) fn show(&self, tournament: &Tournament, scoreboard: &Scoreboard) {
        let mut standing = self.standing.lock().unwrap_or_else(PoisonError::into_inner);
        if standing.made.is_none_or(|made| made.elapsed() >= PAUSE) {
            standing.report = Report::of(tournament, scoreboard);
            standing.made = Some(Instant::now());
        }
    }
}

fn page(
    tournament: &Tournament,
    report: &Report,
    running: &[RunningGame],
    words: Messages,
) -> TournamentPage {
    let values = [
        ("played", report.games.to_string().into()),
        ("planned", report.planned.to_string().into()),
        ("running", running.len().to_string().into()),
    ];
    let head = words.text("tournament-head");
    let number = |value: Option<f64>| value.map_or("–".into(), |value| format!("{value:.1}"));
    let score = |score: &papan_arena::ResultCount| {
        format!("{}/{}/{}", score.wins, score.draws, score.losses)
    };
    let row = |player: &report::PlayerLine| {
        vec![
            player.player.clone(),
            player.elo.map_or("–".into(), report::signed),
            number(player.margin),
            player.points.to_string(),
            player.games.to_string(),
            score(&player.first),
            score(&player.second),
            player.forfeits.values().sum::<u64>().to_string(),
        ]
    };
    TournamentPage {
        words,
        title: report.game.clone(),
        progress: words.with("tournament-progress", values),
        warnings: report.warnings.clone(),
        boards: (running.iter().take(MOST_BOARDS))
            .map(|game| board(tournament, game, words))
            .collect(),
        plot: report::plot(report),
        head: head.split(", ").map(str::to_owned).collect(),
        rows: report.players.iter().map(row).collect(),
    }
}

fn board(tournament: &Tournament, running: &RunningGame, words: Messages) -> TournamentBoard {
    let mut line = tournament.game.line();
    for &mv in &running.moves {
        if line.play(mv).is_err() {
            break;
        }
    }
    let names = tournament.names();
    let [first, second] = running.planned.seats.map(|seat| names[seat].clone());
    let caption = words.with(
        "tournament-game",
        [
            ("first", first.into()),
            ("second", second.into()),
            ("game", (running.planned.game + 1).to_string().into()),
            ("move", line.moves().len().to_string().into()),
        ],
    );
    let view = BoardView::of(&*line);
    TournamentBoard {
        picture: svg_board::draw(&view, &DrawOptions::default(), &caption),
        caption,
    }
}
