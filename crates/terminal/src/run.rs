//! The runtime of The Elm Architecture: wait for a message, update, perform the effects, draw.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use papan_catalog::{AnyLine, PlayerSpec};
use papan_rules::{Record, SwapOpening};
use papan_strategies::{GameClock, TimeControl};
use papan_view::{Language, Marks};

use crate::effects::engine_tasks::EngineTasks;
use crate::effects::files;
use crate::message::{Effect, Message};
use crate::settings::{Drawing, Settings};
use crate::state::{Environment, State};
use crate::terminal::{self, Screen};
use crate::text;
use crate::theme::Theme;
use crate::update::{begin, update};

/// Options of the command line. The others come from the settings file.
#[derive(Default)]
pub struct Options {
    /// The line of play to start from; without it the start page is shown.
    pub line: Option<Box<dyn AnyLine>>,
    /// The record that the line was read from, with its variations and comments.
    pub loaded: Option<Record>,
    /// The swap opening of the line.
    pub opening: Option<SwapOpening>,
    /// The players.
    pub players: [Option<PlayerSpec>; 2],
    /// The time control.
    pub clock: Option<TimeControl>,
    /// Maximum time per move of computer players.
    pub move_time: Option<Duration>,
    /// Seed of random choices.
    pub seed: Option<u64>,
    /// The marks of the players.
    pub marks: Option<Marks>,
    /// The language.
    pub language: Option<Language>,
    /// The colours.
    pub theme: Option<Theme>,
    /// The characters.
    pub drawing: Option<Drawing>,
    /// Whether to use colours; without it the environment decides.
    pub colour: Option<bool>,
    /// File to write the record to after every move.
    pub record: Option<String>,
}

impl Options {
    /// Overrides the saved settings.
    fn apply(&self, settings: &mut Settings) {
        if let Some(line) = &self.line {
            settings.game = line.game().name();
        }
        for (name, player) in settings.players.iter_mut().zip(&self.players) {
            if let Some(player) = player {
                *name = player.to_string();
            }
        }
        settings.clock = self.clock.or(settings.clock);
        settings.move_time = self.move_time.or(settings.move_time);
        settings.seed = self.seed.or(settings.seed);
        settings.marks = self.marks.unwrap_or(settings.marks);
        settings.language = self.language.or(settings.language);
        settings.theme = self.theme.unwrap_or(settings.theme);
        settings.drawing = self.drawing.unwrap_or(settings.drawing);
    }
}

/// Runs the terminal interface until the user quits.
///
/// # Errors
/// When standard input or output is not a terminal, or the terminal is gone.
pub fn run(options: Options) -> io::Result<()> {
    let (mut settings, trouble) = match files::load_settings() {
        Ok(settings) => (settings, None),
        Err(trouble) => (Settings::default(), Some(trouble)),
    };
    let remembered = settings.clone();
    options.apply(&mut settings);
    let mut environment = environment();
    environment.colour = options.colour.unwrap_or(environment.colour);
    let mut screen = Screen::take()?;
    let mut state = State::new(settings, environment, screen.size()?);
    state.remembered = remembered;
    state.record = options.record.clone();
    state.began = since_1970();
    state.entropy = state.began.as_nanos() as u64;
    if let Some(games) = files::games_dir() {
        if let Some(kept) = files::unfinished(&games) {
            state.start.offer(kept);
        }
        state.games = games.to_str().map(str::to_owned);
    }
    if let Some((file, reason)) = trouble {
        let file = file.display().to_string();
        let reason = text::settings(state.messages(), &reason);
        let values = [("file", file.into()), ("reason", reason.into())];
        let text = state.messages().with("board-broken-settings", values);
        state.report_error(text);
    }
    if let Some(line) = &options.line {
        // A player that is not given is a person, as in line mode.
        let players = options.players.map(|p| p.unwrap_or(PlayerSpec::Human));
        let notice = state.notice.take();
        begin(&mut state, &**line, players);
        if let (Some(record), Some(game)) = (options.loaded, &mut state.game) {
            game.apply_record(&record);
            if let Some(control) = options.clock {
                game.clock = Some(GameClock::new(control));
            }
        }
        if let Some(game) = &mut state.game {
            game.opening = options.opening;
        }
        state.notice = notice;
    }
    let (sender, inbox) = channel();
    terminal::catch_signals(sender.clone())?;
    terminal::read_input(sender.clone());
    // Resizes before this point were missed; later ones arrive as messages.
    state.size = screen.size()?;
    let left = event_loop(&mut state, &mut screen, &inbox, &sender);
    drop(screen);
    if let Some(signal) = left? {
        papan_os::raise(signal);
    }
    Ok(())
}

/// Runs the message loop; returns the signal that ended it, if any.
fn event_loop(
    state: &mut State,
    screen: &mut Screen,
    inbox: &Receiver<Message>,
    sender: &Sender<Message>,
) -> io::Result<Option<i32>> {
    let began = Instant::now();
    let mut tasks = EngineTasks::new(sender.clone());
    let mut message = Some(Message::Tick);
    loop {
        // Apply all pending messages before drawing.
        while let Some(next) = message.take() {
            for effect in update(state, next, began.elapsed()) {
                match effect {
                    Effect::Think(job) => tasks.think(*job),
                    Effect::Stop(job) => tasks.stop(job),
                    Effect::Quit(signal) => {
                        tasks.stop_all();
                        return Ok(signal);
                    }
                    effect => perform(effect, screen, sender)?,
                }
            }
            message = inbox.try_recv().ok();
        }
        screen.draw(state)?;
        message = Some(match state.deadline() {
            // No deadline: sleep until the next message.
            None => inbox.recv().unwrap_or(Message::InputEnded),
            Some(due) => {
                let wait = due.saturating_sub(began.elapsed());
                match inbox.recv_timeout(wait) {
                    Ok(message) => message,
                    Err(RecvTimeoutError::Timeout) => Message::Tick,
                    Err(RecvTimeoutError::Disconnected) => Message::InputEnded,
                }
            }
        });
    }
}

fn perform(effect: Effect, screen: &mut Screen, sender: &Sender<Message>) -> io::Result<()> {
    match effect {
        Effect::Save { path, text } => {
            let result = files::save(&path, &text);
            let _ = sender.send(Message::Saved(path, result));
        }
        Effect::Record { path, text } => {
            if let Err(error) = files::write_record(path.as_ref(), &text) {
                let _ = sender.send(Message::Saved(path, Err(error)));
            }
        }
        Effect::Open { path } => {
            let result = files::open(&path);
            let _ = sender.send(Message::Opened(path, result));
        }
        Effect::Remember(settings) => files::save_settings(&settings),
        Effect::Copy(text) => screen.copy(&text)?,
        Effect::Suspend => {
            screen.suspend()?;
            send_size(screen, sender)?;
        }
        Effect::Resume => {
            screen.resume()?;
            send_size(screen, sender)?;
        }
        Effect::Redraw => {
            screen.redraw()?;
            send_size(screen, sender)?;
        }
        Effect::Think(_) | Effect::Stop(_) | Effect::Quit(_) => {}
    }
    Ok(())
}

/// Sends the window size, which may have changed while the process was suspended.
fn send_size(screen: &Screen, sender: &Sender<Message>) -> io::Result<()> {
    let (columns, rows) = screen.size()?;
    let _ = sender.send(Message::Resized(columns, rows));
    Ok(())
}

fn environment() -> Environment {
    let given = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = given("LC_ALL")
        .or_else(|| given("LC_CTYPE"))
        .or_else(|| given("LANG"))
        .map(|locale| locale.to_ascii_lowercase());
    Environment {
        colour: given("NO_COLOR").is_none(),
        // Without a locale, as in containers, assume UTF-8.
        unicode: locale.is_none_or(|l| l.contains("utf-8") || l.contains("utf8")),
        language: Language::of_environment(),
    }
}

fn since_1970() -> Duration {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap_or_default()
}
