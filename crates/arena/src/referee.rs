//! Who judges a game: papan's rules and papan's clock, never a player's word.

use std::time::{Duration, Instant};

use papan_catalog::Family;
use papan_rules::{Line, Move, Outcome, Player};
use papan_strategies::{Context, Limits, SystemClock, format_time};

use crate::allowance::{Allowance, Timekeeper};
use crate::finished::{Effort, Finished};
use crate::forfeit::{Forfeit, ForfeitKind};
use crate::seated_player::{SeatedPlayer, Turn};
use crate::tournament::{PlannedGame, Tournament};

/// Leads games of a tournament, one after another.
pub(crate) struct Referee<'a, G: Family> {
    game: &'a G,
    tournament: &'a Tournament,
    line: Line<G>,
    contexts: [Context; 2],
    /// What every player of the tournament may use.
    limits: Vec<Limits>,
    /// Who sits where in this game.
    seats: [usize; 2],
    /// Their clocks.
    times: [Timekeeper; 2],
}

impl<'a, G: Family> Referee<'a, G> {
    pub(crate) fn new(game: &'a G, tournament: &'a Tournament) -> Self {
        let players = 0..tournament.entrants.len();
        Self {
            game,
            tournament,
            line: Line::new(game),
            contexts: [(); 2].map(|()| Context::with_seed(tournament.seed)),
            limits: players.map(|player| tournament.limits_of(player)).collect(),
            seats: [0; 2],
            times: [Timekeeper::new(&Limits::default(), Allowance::Unlimited); 2],
        }
    }

    /// Plays one game to its end.
    pub(crate) fn play(
        &mut self,
        planned: &PlannedGame,
        mut players: [&mut SeatedPlayer<G>; 2],
    ) -> Finished {
        self.line.clear();
        for &mv in &self.tournament.openings[planned.opening] {
            let played = self.line.play(self.game, mv);
            played.expect("openings are checked before the first game");
        }
        for context in &mut self.contexts {
            context.round = planned.game;
        }
        self.seats = planned.seats;
        let mut efforts = [Effort::default(); 2];
        let ended = self.lead(&mut players, &mut efforts);
        let (outcome, forfeit) = match ended {
            Ok(outcome) => (outcome, None),
            Err((loser, forfeit)) => {
                players[loser.index()].has_forfeited(&forfeit);
                (Outcome::Win(loser.other()), Some(forfeit))
            }
        };
        Finished {
            game: planned.game,
            outcome,
            discs: self.discs().filter(|_| forfeit.is_none()),
            forfeit,
            efforts,
            moves: self.line.moves().to_vec(),
        }
    }

    fn lead(
        &mut self,
        players: &mut [&mut SeatedPlayer<G>; 2],
        efforts: &mut [Effort; 2],
    ) -> Result<Outcome, (Player, Forfeit)> {
        let game = self.game;
        for player in Player::BOTH {
            let seat = player.index();
            let limits = &self.limits[self.seats[seat]];
            let ready = players[seat].new_game(limits);
            ready.map_err(|forfeit| (player, forfeit))?;
            self.times[seat] = Timekeeper::new(limits, players[seat].announced(limits));
        }
        loop {
            let pos = self.line.position();
            if let Some(outcome) = game.outcome(pos) {
                return Ok(outcome);
            }
            // Nobody needs to think about a pass that is forced.
            if game.legal_moves(pos).next() == Some(Move::PASS) {
                let passed = self.line.play(game, Move::PASS);
                passed.expect("the rules offered the pass");
                continue;
            }
            let player = game.turn(pos);
            let seat = player.index();
            let chosen = self.ask(seat, players[seat], &mut efforts[seat]);
            let mv = chosen.map_err(|forfeit| (player, forfeit))?;
            self.line.play(game, mv).map_err(|objection| {
                let why = format!("`{}`: {objection}", game.format_move(mv));
                (player, Forfeit::new(ForfeitKind::Illegal, why))
            })?;
        }
    }

    /// Asks for a move and holds the player to its time.
    fn ask(
        &mut self,
        seat: usize,
        player: &mut SeatedPlayer<G>,
        effort: &mut Effort,
    ) -> Result<Move, Forfeit> {
        let time = &mut self.times[seat];
        let limits = Limits {
            clock: time.clock(),
            ..self.limits[self.seats[seat]]
        };
        let allowed = time.allowed();
        let margin = self.tournament.margin;
        let measured = self.tournament.timed || allowed.is_some();
        let begun = measured.then(Instant::now);
        self.contexts[seat].begin(limits, &SystemClock);
        let turn = Turn {
            game: self.game,
            line: &self.line,
            context: &self.contexts[seat],
            other_clock: self.times[1 - seat].clock(),
            wait: allowed.map_or(self.tournament.patience, |time| time + margin),
        };
        let answer = player.choose(&turn)?;
        let taken = begun.map_or(Duration::ZERO, |begun| begun.elapsed());
        effort.moves += 1;
        effort.nodes += answer.nodes.unwrap_or(0);
        if self.tournament.timed {
            effort.time += taken;
        }
        if let Some(allowed) = allowed
            && taken > allowed + margin
        {
            let (taken, allowed) = (format_time(taken), format_time(allowed));
            let why = format!("{taken} instead of {allowed}");
            return Err(Forfeit::new(ForfeitKind::Late, why));
        }
        self.times[seat].spend(taken);
        Ok(answer.mv)
    }

    /// The discs of both players, in games that count them.
    fn discs(&self) -> Option<[u32; 2]> {
        if !self.game.properties().counted.is_discs() {
            return None;
        }
        let pos = self.line.position();
        let mut discs = [0; 2];
        let pieces = (0..self.game.cells()).filter_map(|cell| self.game.piece(pos, cell));
        pieces.for_each(|player| discs[player.index()] += 1);
        Some(discs)
    }
}
