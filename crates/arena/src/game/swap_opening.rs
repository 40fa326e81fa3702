//! Swap openings under the referee: the players place the first stones and choose the colours.

use papan_catalog::Family;
use papan_protocol::{Forfeit, ForfeitKind};
use papan_rules::{Player, SwapAction, SwapStep};

use crate::game::game_result::{Cost, MoveNote};
use crate::game::player::SeatedPlayer;
use crate::game::referee::Referee;

impl<G: Family> Referee<'_, G> {
    /// Leads the swap opening, if the tournament has one. Players, costs and clocks are exchanged
    /// with the seats.
    pub(super) fn lead_opening(
        &mut self,
        players: &mut [&mut SeatedPlayer<G>; 2],
        costs: &mut [Cost; 2],
    ) -> Result<(), (Player, Forfeit)> {
        while let Some(opening) = self.opening
            && let Some(player) = opening.step(self.line.moves().len()).actor()
            && !self.contexts[0].stop.is_stopped()
        {
            let mut seat = player.index();
            let before = (opening, self.line.moves().len());
            let answered = self.timed(seat, players[seat], |player, turn| {
                player.answer_swap(opening, turn)
            });
            let noted = answered.and_then(|(actions, taken)| {
                let micros = self.spend(seat, taken, &mut costs[seat])?;
                Ok((actions, micros))
            });
            let (actions, micros) = noted.map_err(|forfeit| (player, forfeit))?;
            // The time of the answer is noted at its first stone.
            let mut note = MoveNote {
                micros,
                score: None,
            };
            for action in actions {
                let exchanges = self.apply(action, seat).map_err(|why| {
                    let forfeit = Forfeit::new(ForfeitKind::Illegal, why);
                    (Player::BOTH[seat], forfeit)
                })?;
                if exchanges {
                    players.swap(0, 1);
                    costs.swap(0, 1);
                    self.seats.swap(0, 1);
                    self.times.swap(0, 1);
                    seat = 1 - seat;
                }
                if let SwapAction::Place(_) = action {
                    costs[seat].moves += 1;
                    self.note(std::mem::take(&mut note));
                }
            }
            if (self.opening, self.line.moves().len()) == (Some(before.0), before.1) {
                let why = "it places no stone and makes no choice";
                return Err((player, Forfeit::new(ForfeitKind::Protocol, why)));
            }
        }
        Ok(())
    }

    /// Applies an action of the player in this seat; returns whether the players exchange seats.
    fn apply(&mut self, action: SwapAction, seat: usize) -> Result<bool, String> {
        let plies = self.line.moves().len();
        let Some(opening) = &mut self.opening else {
            return Ok(false);
        };
        match action {
            SwapAction::Choose(choice) => {
                let chosen = opening.choose(plies, choice);
                chosen.map_err(|why| why.to_string())?;
                Ok(opening.exchanged())
            }
            SwapAction::Place(mv) => {
                let word = self.game.format_move(mv);
                // After the opening White may move at once, with its choice.
                let is_due = match opening.step(plies) {
                    SwapStep::Place { .. } => true,
                    SwapStep::Choose { .. } => false,
                    SwapStep::Over => self.game.turn(self.line.position()).index() == seat,
                };
                if !is_due {
                    return Err(format!("`{word}`: it is not the turn to place a stone"));
                }
                let played = self.line.play(self.game, mv);
                played.map_err(|why| format!("`{word}`: {why}"))?;
                Ok(false)
            }
        }
    }
}
