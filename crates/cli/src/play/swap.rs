//! Swap openings at the console: stones placed for both colours, and the choice of a colour.

use papan_catalog::PlayerSpec;
use papan_rules::{Player, SwapAction, SwapChoice, SwapStep};
use papan_strategies::{Clock as _, SystemClock};
use papan_view::messages;

use super::recorder::Verdict;
use super::session::{Keyword, Leave, Session};
use crate::console::Input;

/// Parses a choice, in English or Indonesian.
fn parse_choice(text: &str) -> Option<SwapChoice> {
    let text = text.trim().to_lowercase();
    SwapChoice::parse(&text).or(match text.as_str() {
        "b" | "hitam" | "h" => Some(SwapChoice::Black),
        "w" | "putih" | "p" => Some(SwapChoice::White),
        "2" | "dua" => Some(SwapChoice::PlaceTwo),
        _ => None,
    })
}

impl Session<'_> {
    /// Returns the step of the swap opening; `None` when there is none or it is over.
    pub(super) fn swap_step(&self) -> Option<SwapStep> {
        let step = self.opening?.step(self.line.moves().len());
        (step != SwapStep::Over).then_some(step)
    }

    /// Returns the seat of the player who acts: in a swap opening not always the side to move.
    pub(super) fn actor(&self) -> Player {
        let step = self.swap_step().and_then(SwapStep::actor);
        step.unwrap_or(self.line.turn())
    }

    /// Returns the task of the player in this seat in the opening.
    pub(super) fn swap_text(&self, mover: Player) -> Option<String> {
        let player = self.players[mover.index()].to_string();
        Some(match self.swap_step()? {
            SwapStep::Place { left, .. } if self.is_human(mover) => self.words.with(
                "swap-place",
                [
                    ("side", self.side(self.line.turn()).into()),
                    ("left", left.to_string().into()),
                ],
            ),
            _ => self.words.with("swap-opens", [("player", player.into())]),
        })
    }

    /// Lets the player in this seat choose; returns how it left the game, if it did.
    pub(super) fn swap_choice(&mut self, mover: Player) -> anyhow::Result<Option<Leave>> {
        if self.seats[mover.index()].is_some() {
            self.console
                .say(&self.swap_text(mover).unwrap_or_default())?;
            self.computer_swap(mover)?;
            return Ok(None);
        }
        let choices = self.swap_step().map_or(&[][..], SwapStep::choices);
        let may_place_two = choices.contains(&SwapChoice::PlaceTwo);
        let key = if may_place_two {
            "swap-choose-three"
        } else {
            "swap-choose"
        };
        loop {
            let text = match self.console.ask(&self.words.text(key), None)? {
                Input::Line(text) => text,
                Input::Ended | Input::TimedOut => return Ok(Some(Leave::InputEnded)),
            };
            match Keyword::parse(&text) {
                Some(Keyword::Quit) => return Ok(Some(Leave::Quit)),
                Some(Keyword::Undo) if self.undo()? => return Ok(None),
                Some(Keyword::Hint) => self.hint()?,
                _ => {}
            }
            if let Some(choice) = parse_choice(&text).filter(|choice| choices.contains(choice)) {
                self.swap_act(SwapAction::Choose(choice))?;
                return Ok(None);
            }
        }
    }

    /// Lets a strategy act in the opening. A strategy that fails loses.
    pub(super) fn computer_swap(&mut self, mover: Player) -> anyhow::Result<()> {
        let (Some(opening), context) = (self.opening, self.context(mover)) else {
            return Ok(());
        };
        self.start_clock(mover);
        let Some(seat) = &mut self.seats[mover.index()] else {
            return Ok(());
        };
        let answer = seat.answer_swap(opening, &*self.line, &context);
        if !self.stop_clock(mover)? {
            return self.lose(mover, "time");
        }
        match answer {
            Ok(actions) => {
                for action in actions {
                    if let SwapAction::Place(mv) = action {
                        let side = self.side(self.line.turn());
                        let text = self.settings.game.show_move(mv);
                        self.say_with("played", [("side", side.into()), ("move", text.into())])?;
                    }
                    self.swap_act(action)?;
                }
                Ok(())
            }
            Err(error) => {
                let player = self.players[mover.index()].to_string();
                let reason = messages::no_move(self.words, &error);
                let values = [("player", player.into()), ("reason", reason.into())];
                self.say_with("no-answer", values)?;
                self.lose(mover, "no answer")
            }
        }
    }

    fn lose(&mut self, loser: Player, reason: &'static str) -> anyhow::Result<()> {
        let outcome = papan_rules::Outcome::Win(loser.other());
        self.verdict = Some(Verdict { outcome, reason });
        self.record()
    }

    /// Places a stone or makes a choice, which may exchange the players.
    fn swap_act(&mut self, action: SwapAction) -> anyhow::Result<()> {
        let plies = self.line.moves().len();
        match (action, &mut self.opening) {
            (SwapAction::Place(mv), _) => self.line.play(mv)?,
            (SwapAction::Choose(choice), Some(opening)) => {
                opening.choose(plies, choice)?;
                if opening.exchanged() {
                    self.exchange();
                }
                if self.swap_step().is_none() {
                    let [black, white] = self.players.each_ref().map(PlayerSpec::to_string);
                    let values = [("black", black.into()), ("white", white.into())];
                    self.say_with("swap-colours", values)?;
                }
            }
            (SwapAction::Choose(_), None) => {}
        }
        self.record()
    }

    /// Exchanges the players with their clocks.
    pub(super) fn exchange(&mut self) {
        self.players.swap(0, 1);
        self.seats.swap(0, 1);
        if let Some(clock) = &mut self.clock {
            clock.exchange(SystemClock.now());
        }
    }

    /// Takes back the last stone or choice and adds the stone to `taken`; returns whether there was
    /// one.
    pub(super) fn undo_action(&mut self, taken: &mut Vec<String>) -> bool {
        let plies = self.line.moves().len();
        if let Some(opening) = &mut self.opening {
            let exchanged = opening.exchanged();
            if opening.undo_choice(plies) {
                if exchanged {
                    self.exchange();
                }
                return true;
            }
        }
        let undone = self.line.undo();
        taken.extend(undone.map(|mv| self.settings.game.show_move(mv)));
        undone.is_some()
    }
}
