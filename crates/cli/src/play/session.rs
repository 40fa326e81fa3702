//! A game at the console, line by line.

use std::time::Duration;

use papan_catalog::{AnyLine, PlayerSpec, Seat, advisor, opening};
use papan_rules::{Move, Outcome, Pieces, Player, SwapOpening, SwapStep};
use papan_strategies::{Clock as _, Context, GameClock, Limits, SystemClock};
use papan_view::document_screen::DocumentScreen;
use papan_view::text_board::{self, Style};
use papan_view::{BoardView, Messages, MoveNotation, clock_face, messages};

use super::ending;
use super::recorder::{Recorder, Verdict};
use super::settings::{Screen, Settings};
use crate::console::{Console, Input};
use crate::output;

/// The reason why a game was left before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leave {
    /// The player quit.
    Quit,
    /// End of input.
    InputEnded,
}

/// The commands a player can type instead of a move, in English or Indonesian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keyword {
    Undo,
    Hint,
    Moves,
    Help,
    Quit,
}

impl Keyword {
    pub(crate) fn parse(text: &str) -> Option<Self> {
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

/// A running game.
pub(crate) struct Session<'a> {
    pub(super) settings: &'a Settings,
    pub(super) console: &'a mut Console,
    pub(super) words: Messages,
    style: Style,
    pub(super) line: Box<dyn AnyLine>,
    /// The players by seat; a swap opening may exchange them.
    pub(super) players: [PlayerSpec; 2],
    pub(super) seats: [Option<Box<dyn Seat>>; 2],
    /// The swap opening, if the game began with one.
    pub(super) opening: Option<SwapOpening>,
    pub(super) clock: Option<GameClock>,
    recorder: Option<Recorder>,
    /// The result, if the game did not end by the rules.
    pub(super) verdict: Option<Verdict>,
    /// The notation in which the player typed last; answers use it.
    pub(super) notation: MoveNotation,
}

/// The result of a turn.
enum TurnResult {
    Moved(Move),
    /// No move was made; the board is shown again.
    Again,
    /// The player loses, for this reason.
    Lost(&'static str),
    Left(Leave),
}

impl<'a> Session<'a> {
    pub(crate) fn new(
        settings: &'a Settings,
        console: &'a mut Console,
        words: Messages,
        mut style: Style,
    ) -> anyhow::Result<Self> {
        // The documents write B and W.
        style.ascii |= settings.screen == Screen::Document;
        let [first, second] = &settings.players;
        let seats = [settings.seat(first, words)?, settings.seat(second, words)?];
        Ok(Self {
            settings,
            console,
            words,
            style,
            line: settings.line.clone(),
            players: settings.players.clone(),
            seats,
            opening: settings.opening,
            clock: settings.clock.map(GameClock::new),
            recorder: settings
                .record
                .as_deref()
                .map(|path| Recorder::new(path, Default::default(), words)),
            verdict: None,
            notation: match settings.screen {
                Screen::Papan => MoveNotation::Usual,
                Screen::Document => MoveNotation::RowColumn,
            },
        })
    }

    /// Plays to the end of the game, or until the player leaves.
    pub(crate) fn play(mut self) -> anyhow::Result<Option<Leave>> {
        let left = self.play_moves()?;
        if let Some(recorder) = &self.recorder {
            recorder.finish(&*self.line, self.verdict)?;
        }
        Ok(left)
    }

    fn play_moves(&mut self) -> anyhow::Result<Option<Leave>> {
        self.record()?;
        loop {
            self.show_board()?;
            let verdict = self.verdict.map(|verdict| verdict.outcome);
            if let Some(outcome) = self.line.outcome().or(verdict) {
                self.announce(outcome)?;
                return Ok(None);
            }
            let mover = self.actor();
            if let Some(SwapStep::Choose { .. }) = self.swap_step() {
                match self.swap_choice(mover)? {
                    Some(leave) => return Ok(Some(leave)),
                    None => continue,
                }
            }
            if self.line.legal_moves() == [Move::PASS] {
                let side = self.side(mover);
                self.say_with("passed", [("side", side.into())])?;
                self.make(Move::PASS)?;
                continue;
            }
            let text = self
                .swap_text(mover)
                .unwrap_or_else(|| self.turn_text(mover));
            self.console.say(&text)?;
            let opens = self.swap_step().is_some();
            let turn = match self.seats[mover.index()] {
                Some(_) if opens => {
                    self.computer_swap(mover)?;
                    TurnResult::Again
                }
                Some(_) => self.computer_turn(mover)?,
                None => self.human_turn(mover)?,
            };
            match turn {
                TurnResult::Moved(mv) => self.make(mv)?,
                TurnResult::Again => {}
                TurnResult::Left(leave) => return Ok(Some(leave)),
                TurnResult::Lost(reason) => {
                    let outcome = Outcome::Win(mover.other());
                    self.verdict = Some(Verdict { outcome, reason });
                    self.record()?;
                    self.announce(outcome)?;
                    return Ok(None);
                }
            }
        }
    }

    pub(super) fn say_with<const N: usize>(
        &mut self,
        key: &str,
        values: [(&str, papan_view::FluentValue<'_>); N],
    ) -> std::io::Result<()> {
        let text = self.words.with(key, values);
        self.console.say(&text)
    }

    pub(super) fn side(&self, player: Player) -> String {
        let pieces = self.settings.game.pieces();
        messages::side(self.words, pieces, player, self.style.marks)
    }

    fn mark(&self, player: Player) -> String {
        self.style
            .piece(self.settings.game.pieces(), player)
            .to_string()
    }

    pub(super) fn is_human(&self, player: Player) -> bool {
        self.players[player.index()] == PlayerSpec::Human
    }

    /// Prints the name of the opening if it has changed in the last two plies.
    fn show_opening(&mut self) -> std::io::Result<()> {
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

    fn board(&self, view: &BoardView) -> String {
        if self.settings.screen == Screen::Papan {
            return text_board::draw(view, self.style, self.words);
        }
        let names = self.settings.players.each_ref().map(PlayerSpec::to_string);
        let screen = DocumentScreen {
            view,
            players: names.each_ref().map(String::as_str),
            people: Player::BOTH.map(|player| self.is_human(player)),
            style: self.style,
        };
        screen.draw(self.words)
    }

    fn show_board(&mut self) -> std::io::Result<()> {
        let view = BoardView::of(&*self.line);
        let board = self.board(&view);
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
        self.show_opening()?;
        if let Some(clock) = self.clock {
            let [first, second] = sides;
            let now = SystemClock.now();
            let time = |player| clock_face(clock.left(player, now));
            let values = [
                ("first", first.into()),
                ("first-time", time(Player::First).into()),
                ("second", second.into()),
                ("second-time", time(Player::Second).into()),
            ];
            self.say_with("clock", values)?;
        }
        if !view.properties.fills_up && self.is_human(view.turn) && view.outcome.is_none() {
            let moves = messages::legal_moves(&*self.line, self.notation);
            self.say_with("legal-moves", [("moves", moves.into())])?;
        }
        Ok(())
    }

    fn turn_text(&self, mover: Player) -> String {
        let mark = self.mark(mover);
        let opponent_is_human = self.is_human(mover.other());
        match (&self.players[mover.index()], opponent_is_human) {
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
        self.record()
    }

    pub(super) fn record(&mut self) -> anyhow::Result<()> {
        let Some(recorder) = &mut self.recorder else {
            return Ok(());
        };
        recorder.players = self.players.each_ref().map(PlayerSpec::to_string);
        recorder.opening = self.opening;
        recorder.update(&*self.line, self.verdict)
    }

    fn announce(&mut self, outcome: Outcome) -> std::io::Result<()> {
        let players = &self.players;
        let messages = ending::announce(&*self.line, outcome, players, self.words, self.style);
        for message in messages {
            self.console.say(&message)?;
        }
        let record = self.settings.record.as_deref();
        if let Some(path) = record.filter(|path| !output::is_standard(path)) {
            self.say_with("recorded", [("file", path.display().to_string().into())])?;
        }
        Ok(())
    }

    /// Starts a player's clock.
    pub(super) fn start_clock(&mut self, mover: Player) {
        if let Some(clock) = &mut self.clock {
            clock.start(mover, SystemClock.now());
        }
    }

    /// Stops a player's clock; returns `false` if the flag has fallen.
    pub(super) fn stop_clock(&mut self, mover: Player) -> std::io::Result<bool> {
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

    /// Returns the context of a decision of the player in this seat.
    pub(super) fn context(&self, mover: Player) -> Context {
        let limits = Limits {
            clock: self
                .clock
                .map(|clock| clock.limits(mover, SystemClock.now())),
            ..Limits::default()
        };
        Context::with_seed(self.settings.seed).limited(limits, &SystemClock)
    }

    fn computer_turn(&mut self, mover: Player) -> anyhow::Result<TurnResult> {
        let context = self.context(mover);
        self.start_clock(mover);
        let Some(seat) = &mut self.seats[mover.index()] else {
            return Ok(TurnResult::Again);
        };
        match seat.choose(&*self.line, &context) {
            Ok((mv, _)) => {
                if !self.stop_clock(mover)? {
                    return Ok(TurnResult::Lost("time"));
                }
                self.press_clock(mover);
                let text = self.notation.format(&self.settings.game, mv);
                let side = self.side(mover);
                self.say_with("played", [("side", side.into()), ("move", text.into())])?;
                Ok(TurnResult::Moved(mv))
            }
            Err(error) => {
                let player = self.players[mover.index()].to_string();
                let reason = messages::no_move(self.words, &error);
                let values = [("player", player.into()), ("reason", reason.into())];
                self.say_with("no-answer", values)?;
                Ok(TurnResult::Lost("no answer"))
            }
        }
    }

    fn human_turn(&mut self, mover: Player) -> anyhow::Result<TurnResult> {
        loop {
            self.start_clock(mover);
            let left = self.clock.map(|clock| clock.left(mover, SystemClock.now()));
            let prompt = self.words.text("input");
            let answer = self.console.ask(&prompt, left)?;
            if !self.stop_clock(mover)? {
                return Ok(TurnResult::Lost("time"));
            }
            let text = match answer {
                Input::Line(text) => text,
                Input::Ended => return Ok(TurnResult::Left(Leave::InputEnded)),
                Input::TimedOut => return Ok(TurnResult::Lost("time")),
            };
            if let Some(keyword) = Keyword::parse(&text) {
                match keyword {
                    Keyword::Quit => return Ok(TurnResult::Left(Leave::Quit)),
                    Keyword::Undo if self.undo()? => return Ok(TurnResult::Again),
                    Keyword::Undo => {}
                    Keyword::Hint => self.hint()?,
                    Keyword::Moves => self.show_moves()?,
                    Keyword::Help => self.help()?,
                }
                continue;
            }
            if let Some(notation) = MoveNotation::of(&self.settings.game, &text) {
                self.notation = notation;
            }
            match self.settings.game.parse_move(&text) {
                Err(error) => {
                    let game = &self.settings.game;
                    let message = messages::notation(self.words, game, &error);
                    self.console.say(&message)?;
                }
                Ok(mv) => match self.line.check_move(mv) {
                    Ok(()) => {
                        self.press_clock(mover);
                        return Ok(TurnResult::Moved(mv));
                    }
                    Err(why) => {
                        let message =
                            messages::illegal(self.words, &*self.line, self.notation, mv, why);
                        self.console.say(&message)?;
                    }
                },
            }
        }
    }

    /// Takes back moves until it is a human player's turn with a choice of moves.
    pub(super) fn undo(&mut self) -> anyhow::Result<bool> {
        let before = (self.line.clone(), self.opening);
        let mut taken = Vec::new();
        while self.undo_action(&mut taken) {
            let may_choose = self.line.legal_moves() != [Move::PASS];
            if self.is_human(self.actor()) && may_choose {
                self.record()?;
                self.say_with("undone", [("moves", taken.join(" ").into())])?;
                return Ok(true);
            }
        }
        let exchanged = |opening: Option<SwapOpening>| opening.is_some_and(SwapOpening::exchanged);
        if exchanged(self.opening) != exchanged(before.1) {
            self.exchange();
        }
        (self.line, self.opening) = before;
        self.console.say(&self.words.text("nothing-to-undo"))?;
        Ok(false)
    }

    /// Shows the move of the strongest strategy for this game, after a second of search.
    pub(super) fn hint(&mut self) -> anyhow::Result<()> {
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
                let score = decision.chosen().and_then(|candidate| candidate.score);
                let (game, strategy) = (&self.settings.game, spec.info().name);
                let hint = messages::hint(
                    self.words,
                    game,
                    self.notation,
                    strategy,
                    decision.best,
                    score,
                );
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
        let played = self.line.moves().iter();
        let played: Vec<String> = played
            .map(|mv| self.notation.format(&self.settings.game, *mv))
            .collect();
        match played.join(" ") {
            none if none.is_empty() => self.console.say(&self.words.text("no-moves-yet"))?,
            moves => self.say_with("moves-so-far", [("moves", moves.into())])?,
        }
        let moves = messages::legal_moves(&*self.line, self.notation);
        self.say_with("legal-moves", [("moves", moves.into())])
    }

    fn help(&mut self) -> std::io::Result<()> {
        let example = messages::expected_move(self.words, &self.settings.game);
        self.say_with("help", [("example", example.into())])
    }
}
