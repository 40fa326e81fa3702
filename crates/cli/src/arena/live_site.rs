//! `papan arena --live`: a web page of the running tournament.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use papan_arena::{LiveGames, Report, RunningGame, Scoreboard, Tournament, report};
use papan_view::svg_board::{self, DrawOptions};
use papan_view::{BoardView, Messages};
use papan_web::{TournamentBoard, TournamentPage};

/// Minimum time between two updates of the table.
const UPDATE_INTERVAL: Duration = Duration::from_millis(500);
/// Maximum number of boards on the page.
const MAX_BOARDS: usize = 24;

/// The table of the page and its age.
struct CachedReport {
    report: Report,
    updated: Option<Instant>,
}

/// A web server that shows a tournament until the program ends.
pub(crate) struct LiveSite {
    cache: Arc<Mutex<CachedReport>>,
    live_games: Arc<LiveGames>,
    /// The address it listens on.
    pub(crate) address: SocketAddr,
}

impl LiveSite {
    /// Starts the server.
    pub(crate) fn open(
        address: SocketAddr,
        tournament: &Tournament,
        words: Messages,
    ) -> std::io::Result<Self> {
        let live_games = Arc::new(LiveGames::default());
        let cache = Arc::new(Mutex::new(CachedReport {
            report: Report::of(tournament, &Scoreboard::new(tournament, None)),
            updated: None,
        }));
        let source = {
            let (live_games, cache) = (live_games.clone(), cache.clone());
            let tournament = tournament.clone();
            move || {
                let cached = cache.lock().unwrap_or_else(PoisonError::into_inner);
                page(&tournament, &cached.report, &live_games.games(), words)
            }
        };
        let address = papan_web::show_tournament(address, Arc::new(source))?;
        Ok(Self {
            cache,
            live_games,
            address,
        })
    }

    /// Returns the receiver of the moves of running games.
    pub(crate) fn live_games(&self) -> &LiveGames {
        &self.live_games
    }

    /// Updates the table unless that was done a moment ago.
    pub(crate) fn update(&self, tournament: &Tournament, scoreboard: &Scoreboard) {
        let mut cached = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = |updated: Instant| updated.elapsed() >= UPDATE_INTERVAL;
        if cached.updated.is_none_or(is_due) {
            cached.report = Report::of(tournament, scoreboard);
            cached.updated = Some(Instant::now());
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
        boards: (running.iter().take(MAX_BOARDS))
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
