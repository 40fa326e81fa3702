//! One game at the console.

use std::time::Duration;

use papan_catalog::{AnyLine, PlayerSpec, Seat, advisor, opening};
use papan_rules::{Move, Outcome, Pieces, Player};
use papan_strategies::{Clock as _, Context, GameClock, Limits, SystemClock};
use papan_view::text_board::{self, Style};
use papan_view::{BoardView, Messages, messages};

use super::clock::shown;
use super::ending;
use super::recorder::Recorder;
use super::settings::Settings;
use crate::console::{Answer, Console};

/// Why a player left before the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leave {
    /// By saying so.
    Quit,
    /// Because nothing more came in.
    InputEnded,
}

/// The words that always work, in both languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    Undo,
    Hint,
    Moves,
    Help,
    Quit,
}

impl Word {
    pub(crate) fn of(text: &str) -> Option<Self> {
        Some(match text.to_lowercase().as_str() {
            "undo" | "batal" => Self::Undo,
            "hint" | "petunjuk" => Self::Hint,
            "moves" | "langkah" => Self::Moves,
            "help" | "bantuan" | "?" => Self::Help,
            "quit" | "exit" | "keluar" => Self::Quit,
            _ => return None,
        })
    }
}

/// One game, from its settings to its end.
pub(crate) struct Session<'a> {
    settings: &'a Settings,
    console: &'a mut Console,
    words: Messages,
    style: Style,
    line: Box<dyn AnyLine>,
    seats: [Option<Box<dyn Seat>>; 2],
    clock: Option<GameClock>,
    recorder: Option<Recorder>,
}

/// What a turn led to.
enum Turn {
    Moved(Move),
    /// Nothing was played; the board is shown again.
    Again,
    Lost(&'static str),
    Left(Leave),
}

impl<'a> Session<'a> {
    pub(crate) fn new(
        settings: &'a Settings,
        console: &'a mut Console,
        words: Messages,
        style: Style,
    ) -> anyhow::Result<Self> {
        let [first, second] = &settings.players;
        let seats = [settings.seat(first, words)?, settings.seat(second, words)?];
        let names = settings.players.each_ref().map(PlayerSpec::to_string);
        Ok(Self {
            settings,
            console,
            words,
            style,
            line: settings.line.clone(),
            seats,
            clock: settings.clock.map(GameClock::new),
            recorder: settings
                .record
                .as_deref()
                .map(|path| Recorder::new(path, names, words)),
        })
    }

    /// Plays to the end, or until the player leaves.
    pub(crate) fn play(mut self) -> anyhow::Result<Option<Leave>> {
        self.record(None)?;
        loop {
            self.show_board()?;
            if let Some(outcome) = self.line.outcome() {
                self.announce(outcome)?;
                return Ok(None);
            }
            let mover = self.line.turn();
            if self.line.legal_moves() == [Move::PASS] {
                let side = self.side(mover);
                self.say_with("passed", [("side", side.into())])?;
                self.make(Move::PASS)?;
                continue;
            }
            self.console.say(&self.turn_text(mover))?;
            let turn = match self.seats[mover.index()] {
                Some(_) => self.computer_turn(mover)?,
                None => self.human_turn(mover)?,
            };
            match turn {
                Turn::Moved(mv) => self.make(mv)?,
                Turn::Again => {}
                Turn::Left(leave) => return Ok(Some(leave)),
                Turn::Lost(reason) => {
                    let outcome = Outcome::Win(mover.other());
                    self.record(Some((outcome, reason)))?;
                    self.announce(outcome)?;
                    return Ok(None);
                }
            }
        }
    }

    fn say_with<const N: usize>(
        &mut self,
        key: &str,
        values: [(&str, papan_view::FluentValue<'_>); N],
    ) -> std::io::Result<()> {
        let text = self.words.with(key, values);
        self.console.say(&text)
    }

    fn side(&self, player: Player) -> String {
        let pieces = self.settings.game.pieces();
        messages::side(self.words, pieces, player, self.style.marks)
    }

    fn mark(&self, player: Player) -> String {
        self.style
            .piece(self.settings.game.pieces(), player)
            .to_string()
    }

    fn is_human(&self, player: Player) -> bool {
        self.settings.players[player.index()] == PlayerSpec::Human
    }

    /// What the opening is called, once it has a name that it had not a turn before.
    fn tell_opening(&mut self) -> std::io::Result<()> {
        let mut before = self.line.clone_line();
        before.undo();
        before.undo();
        match opening(&*self.line) {
            Some(name) if opening(&*before) != Some(name) => {
                self.say_with("opening", [("name", name.into())])
            }
            _ => Ok(()),
        }
    }

    fn show_board(&mut self) -> std::io::Result<()> {
        let view = BoardView::of(&*self.line);
        let board = text_board::draw(&view, self.style, self.words);
        self.console.say(&format!("\n{board}"))?;
        let sides = Player::BOTH.map(|player| self.side(player));
        let [first, second] = sides.clone();
        if view.properties.score_unit.is_discs() {
            let [a, b] = view.counts.map(|count| count.to_string());
            let values = [
                ("first", first.into()),
                ("first-count", a.into()),
                ("second", second.into()),
                ("second-count", b.into()),
            ];
            self.say_with("discs", values)?;
        }
        self.tell_opening()?;
        if let Some(clock) = self.clock {
            let [first, second] = sides;
            let now = SystemClock.now();
            let time = |player| shown(clock.left(player, now));
            let values = [
                ("first", first.into()),
                ("first-time", time(Player::First).into()),
                ("second", second.into()),
                ("second-time", time(Player::Second).into()),
            ];
            self.say_with("clock", values)?;
        }
        if !view.properties.fills_up && self.is_human(view.turn) && view.outcome.is_none() {
            let moves = messages::legal_moves(&*self.line);
            self.say_with("legal-moves", [("moves", moves.into())])?;
        }
        Ok(())
    }

    fn turn_text(&self, mover: Player) -> String {
        let mark = self.mark(mover);
        let opponent_is_human = self.is_human(mover.other());
        match (&self.settings.players[mover.index()], opponent_is_human) {
            (PlayerSpec::Human, false) => self.words.with("turn-you", [("mark", mark.into())]),
            (PlayerSpec::Strategy(_), true) => {
                self.words.with("turn-computer", [("mark", mark.into())])
            }
            (PlayerSpec::Human, true) if self.settings.game.pieces() == Pieces::Marks => {
                self.words.with("turn-mark", [("mark", mark.into())])
            }
            (PlayerSpec::Human, true) => self.words.with(
                "turn-person",
                [("side", self.side(mover).into()), ("mark", mark.into())],
            ),
            (PlayerSpec::Strategy(spec), false) => self.words.with(
                "turn-named",
                [("player", spec.to_string().into()), ("mark", mark.into())],
            ),
        }
    }

    fn make(&mut self, mv: Move) -> anyhow::Result<()> {
        self.line.play(mv)?;
        self.record(None)
    }

    fn record(&self, verdict: Option<(Outcome, &str)>) -> anyhow::Result<()> {
        match &self.recorder {
            Some(recorder) => recorder.write(&*self.line, verdict),
            None => Ok(()),
        }
    }

    fn announce(&mut self, outcome: Outcome) -> std::io::Result<()> {
        let players = &self.settings.players;
        let said = ending::announce(&*self.line, outcome, players, self.words, self.style);
        for sentence in said {
            self.console.say(&sentence)?;
        }
        if let Some(path) = &self.settings.record {
            self.say_with("recorded", [("file", path.display().to_string().into())])?;
        }
        Ok(())
    }

    /// Starts a player's clock.
    fn start_clock(&mut self, mover: Player) {
        if let Some(clock) = &mut self.clock {
            clock.start(mover, SystemClock.now());
        }
    }

    /// Stops a player's clock; the turn is lost when it ran out.
    fn stop_clock(&mut self, mover: Player) -> std::io::Result<bool> {
        let Some(clock) = &mut self.clock else {
            return Ok(true);
        };
        let now = SystemClock.now();
        clock.stop(now);
        let in_time = !clock.left(mover, now).is_zero();
        if !in_time {
            let side = self.side(mover);
            self.say_with("out-of-time", [("side", side.into())])?;
        }
        Ok(in_time)
    }

    fn press_clock(&mut self, mover: Player) {
        if let Some(clock) = &mut self.clock {
            clock.press(mover, SystemClock.now());
        }
    }

    fn computer_turn(&mut self, mover: Player) -> anyhow::Result<Turn> {
        let limits = Limits {
            clock: self
                .clock
                .map(|clock| clock.limits(mover, SystemClock.now())),
            ..Limits::default()
        };
        let context = Context::with_seed(self.settings.seed).limited(limits, &SystemClock);
        self.start_clock(mover);
        let Some(seat) = &mut self.seats[mover.index()] else {
            return Ok(Turn::Again);
        };
        match seat.choose(&*self.line, &context) {
            Ok((mv, _)) => {
                if !self.stop_clock(mover)? {
                    return Ok(Turn::Lost("time"));
                }
                self.press_clock(mover);
                let text = self.settings.game.show_move(mv);
                let side = self.side(mover);
                self.say_with("played", [("side", side.into()), ("move", text.into())])?;
                Ok(Turn::Moved(mv))
            }
            Err(error) => {
                let player = self.settings.players[mover.index()].to_string();
                let reason = messages::no_move(self.words, &error);
                let values = [("player", player.into()), ("reason", reason.into())];
                self.say_with("no-answer", values)?;
                Ok(Turn::Lost("no answer"))
            }
        }
    }

    fn human_turn(&mut self, mover: Player) -> anyhow::Result<Turn> {
        loop {
            self.start_clock(mover);
            let left = self.clock.map(|clock| clock.left(mover, SystemClock.now()));
            let prompt = self.words.text("input");
            let answer = self.console.ask(&prompt, left)?;
            if !self.stop_clock(mover)? {
                return Ok(Turn::Lost("time"));
            }
            let text = match answer {
                Answer::Line(text) => text,
                Answer::Ended => return Ok(Turn::Left(Leave::InputEnded)),
                Answer::TimedOut => return Ok(Turn::Lost("time")),
            };
            if let Some(word) = Word::of(&text) {
                match word {
                    Word::Quit => return Ok(Turn::Left(Leave::Quit)),
                    Word::Undo if self.undo()? => return Ok(Turn::Again),
                    Word::Undo => {}
                    Word::Hint => self.hint()?,
                    Word::Moves => self.show_moves()?,
                    Word::Help => self.help()?,
                }
                continue;
            }
            match self.settings.game.parse_move(&text) {
                Err(error) => {
                    let game = &self.settings.game;
                    let said = messages::notation(self.words, game, &error);
                    self.console.say(&said)?;
                }
                Ok(mv) => match self.line.check_move(mv) {
                    Ok(()) => {
                        self.press_clock(mover);
                        return Ok(Turn::Moved(mv));
                    }
                    Err(why) => {
                        let said = messages::illegal(self.words, &*self.line, mv, why);
                        self.console.say(&said)?;
                    }
                },
            }
        }
    }

    /// Takes moves back until a person has a move to make again.
    fn undo(&mut self) -> anyhow::Result<bool> {
        let mut rest = self.line.clone();
        let mut taken = Vec::new();
        while let Some(mv) = rest.undo() {
            taken.push(self.settings.game.show_move(mv));
            let may_choose = rest.legal_moves() != [Move::PASS];
            if self.is_human(rest.turn()) && may_choose {
                self.line = rest;
                self.record(None)?;
                self.say_with("undone", [("moves", taken.join(" ").into())])?;
                return Ok(true);
            }
        }
        self.console.say(&self.words.text("nothing-to-undo"))?;
        Ok(false)
    }

    /// Asks the strategy that knows most of this game, for a moment.
    fn hint(&mut self) -> anyhow::Result<()> {
        let spec = advisor(&self.settings.game);
        let limits = Limits {
            time: Some(Duration::from_secs(1)),
            ..Limits::default()
        };
        let mut seat = match self.settings.game.seat(&spec, &limits) {
            Ok(seat) => seat,
            Err(error) => {
                let reason = messages::unplayable(self.words, &error);
                return Ok(self.say_with("no-hint", [("reason", reason.into())])?);
            }
        };
        let context = Context::with_seed(self.settings.seed).limited(limits, &SystemClock);
        match seat.decide(&*self.line, &context) {
            Ok(decision) => {
                let worth = decision.chosen().and_then(|candidate| candidate.score);
                let (game, strategy) = (&self.settings.game, spec.info().name);
                let hint = messages::hint(self.words, game, strategy, decision.best, worth);
                self.console.say(&hint)?;
            }
            Err(error) => {
                self.say_with(
                    "no-hint",
                    [("reason", messages::no_move(self.words, &error).into())],
                )?;
            }
        }
        Ok(())
    }

    fn show_moves(&mut self) -> std::io::Result<()> {
        match self.line.text() {
            none if none.is_empty() => self.console.say(&self.words.text("no-moves-yet"))?,
            moves => self.say_with("moves-so-far", [("moves", moves.into())])?,
        }
        let moves = messages::legal_moves(&*self.line);
        self.say_with("legal-moves", [("moves", moves.into())])
    }

    fn help(&mut self) -> std::io::Result<()> {
        let example = messages::expected_move(self.words, &self.settings.game);
        self.say_with("help", [("example", example.into())])
    }
}
