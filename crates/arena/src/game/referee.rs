//! The referee: papan's rules and clock decide a game, whatever the players report.

use std::time::{Duration, Instant};

use papan_catalog::Family;
use papan_rules::{Line, Move, Outcome, Player, SwapOpening};
use papan_strategies::{
    Context, LimitChecker, Limits, Perfect, StopToken, SystemClock, format_time,
};

use super::clock::PlayerClock;
use crate::game::adjudication::{AdjudicatedBy, EngineScores};
use crate::game::game_result::{Cost, GameResult, MoveNote};
use crate::game::player::{MoveQuery, SeatedPlayer};
use crate::game::spectate::LiveBoard;
use crate::tournament::{ScheduledGame, Tournament};
use papan_protocol::AnnouncedTime;
use papan_protocol::MoveOverhead;
use papan_protocol::{Forfeit, ForfeitKind};

/// Leads games of a tournament, one after another.
pub(crate) struct Referee<'a, G: Family> {
    pub(super) game: &'a G,
    tournament: &'a Tournament,
    pub(super) line: Line<G>,
    pub(super) contexts: [Context; 2],
    /// Limits of each player.
    limits: Vec<Limits>,
    /// Who sits where in this game.
    pub(super) seats: [usize; 2],
    /// The swap opening of this game, if the tournament has one.
    pub(super) opening: Option<SwapOpening>,
    /// Their clocks.
    pub(super) times: [PlayerClock; 2],
    /// When the last answer came, where the next player's time may begin with it.
    answered: Option<Instant>,
    /// How late the machine lets strategies be; engines see to that themselves.
    overhead: MoveOverhead,
    /// Notes on this game's moves, if they are stored: a deterministic game needs none.
    notes: Vec<MoveNote>,
    takes_notes: bool,
    engine_scores: EngineScores,
    /// For games that are ended as soon as their result is known.
    perfect: Perfect<G>,
    /// Where people look on.
    table: Option<LiveBoard<'a>>,
}

impl<'a, G: Family> Referee<'a, G> {
    pub(crate) fn new(
        game: &'a G,
        tournament: &'a Tournament,
        table: Option<LiveBoard<'a>>,
    ) -> Self {
        let players = 0..tournament.entrants.len();
        Self {
            game,
            tournament,
            line: Line::new(game),
            contexts: [(); 2].map(|()| Context::with_seed(tournament.seed)),
            limits: players.map(|player| tournament.limits_of(player)).collect(),
            seats: [0; 2],
            opening: None,
            times: [PlayerClock::new(&Limits::default(), AnnouncedTime::Unlimited); 2],
            answered: None,
            overhead: MoveOverhead::default(),
            notes: Vec::new(),
            takes_notes: tournament.timed && !tournament.is_repeatable(),
            engine_scores: EngineScores::default(),
            perfect: Perfect::default(),
            table,
        }
    }

    /// Ends games early, with any result, once `stop` is set.
    pub(crate) fn stopped_by(mut self, stop: &StopToken) -> Self {
        for context in &mut self.contexts {
            context.stop = stop.clone();
        }
        self
    }

    /// Plays one game to its end.
    pub(crate) fn play(
        &mut self,
        planned: &ScheduledGame,
        mut players: [&mut SeatedPlayer<G>; 2],
    ) -> GameResult {
        self.line.clear();
        for &mv in &self.tournament.openings[planned.opening] {
            let played = self.line.play(self.game, mv);
            played.expect("openings are checked before the first game");
        }
        for context in &mut self.contexts {
            context.round = planned.game;
        }
        self.seats = planned.seats;
        self.opening = self.tournament.swap.map(SwapOpening::new);
        let mut costs = [Cost::default(); 2];
        self.notes.clear();
        self.answered = None;
        self.engine_scores = EngineScores::default();
        let ended = self.lead(planned, &mut players, &mut costs);
        if let Some(table) = &self.table {
            table.clear();
        }
        let (outcome, adjudicated, forfeit) = match ended {
            Ok((outcome, adjudicated)) => (outcome, adjudicated, None),
            Err((loser, forfeit)) => {
                players[loser.index()].has_forfeited(&forfeit);
                (Outcome::Win(loser.other()), None, Some(forfeit))
            }
        };
        let to_the_end = forfeit.is_none() && adjudicated.is_none();
        GameResult {
            game: planned.game,
            outcome,
            discs: self.discs().filter(|_| to_the_end),
            forfeit,
            adjudicated,
            opening: self.opening,
            costs,
            moves: self.line.moves().to_vec(),
            notes: self.notes.clone(),
        }
    }

    fn lead(
        &mut self,
        planned: &ScheduledGame,
        players: &mut [&mut SeatedPlayer<G>; 2],
        costs: &mut [Cost; 2],
    ) -> Result<(Outcome, Option<AdjudicatedBy>), (Player, Forfeit)> {
        let game = self.game;
        for player in Player::BOTH {
            let seat = player.index();
            let limits = &self.limits[self.seats[seat]];
            let ready = players[seat].new_game(limits);
            ready.map_err(|forfeit| (player, forfeit))?;
            self.times[seat] = PlayerClock::new(limits, players[seat].announced(limits));
        }
        self.lead_opening(players, costs)?;
        let planned = &ScheduledGame {
            seats: self.seats,
            ..*planned
        };
        loop {
            if let Some(table) = &self.table {
                table.show(planned, self.line.moves());
            }
            let pos = self.line.position();
            if let Some(outcome) = game.outcome(pos) {
                return Ok((outcome, None));
            }
            if self.contexts[0].stop.is_stopped() {
                // The caller drops the result.
                return Ok((Outcome::Draw, None));
            }
            if let Some((outcome, by)) = self.adjudicate() {
                return Ok((outcome, Some(by)));
            }
            let pos = self.line.position();
            // Nobody needs to think about a pass that is forced.
            if game.legal_moves(pos).next() == Some(Move::PASS) {
                let passed = self.line.play(game, Move::PASS);
                passed.expect("the rules offered the pass");
                self.note(MoveNote::default());
                continue;
            }
            let player = game.turn(pos);
            let seat = player.index();
            let chosen = self.ask(seat, players[seat], &mut costs[seat]);
            let (mv, note) = chosen.map_err(|forfeit| (player, forfeit))?;
            self.line.play(game, mv).map_err(|objection| {
                let why = format!("`{}`: {objection}", game.format_move(mv));
                (player, Forfeit::new(ForfeitKind::Illegal, why))
            })?;
            self.note(note);
            if let Some(agreement) = self.tournament.adjudication.agreement
                && let Some(winner) = self.engine_scores.record(agreement, seat, note.score)
                && game.outcome(self.line.position()).is_none()
            {
                let outcome = Outcome::Win(Player::BOTH[winner]);
                return Ok((outcome, Some(AdjudicatedBy::Agreement)));
            }
        }
    }

    /// Asks for a move and holds the player to its time.
    fn ask(
        &mut self,
        seat: usize,
        player: &mut SeatedPlayer<G>,
        cost: &mut Cost,
    ) -> Result<(Move, MoveNote), Forfeit> {
        let (answer, taken) = self.timed(seat, player, |player, turn| player.choose(turn))?;
        cost.moves += 1;
        cost.nodes += answer.nodes.unwrap_or(0);
        let micros = self.spend(seat, taken, cost)?;
        let note = MoveNote {
            micros,
            score: answer.score,
        };
        Ok((answer.mv, note))
    }

    /// Asks a player and measures the time of the answer.
    pub(super) fn timed<T>(
        &mut self,
        seat: usize,
        player: &mut SeatedPlayer<G>,
        ask: impl FnOnce(&mut SeatedPlayer<G>, &MoveQuery<'_, G>) -> Result<T, Forfeit>,
    ) -> Result<(T, Duration), Forfeit> {
        let time = &mut self.times[seat];
        let limits = Limits {
            clock: time.clock(),
            ..self.limits[self.seats[seat]]
        };
        let allowed = time.allowed();
        let measured = self.tournament.timed || allowed.is_some();
        let before = self.answered.take().filter(|_| allowed.is_none());
        let begun = measured.then(|| before.unwrap_or_else(Instant::now));
        let left = match player {
            SeatedPlayer::Strategy { .. } if allowed.is_some() => {
                self.overhead.apply(&limits, Duration::ZERO)
            }
            _ => limits,
        };
        self.contexts[seat].begin(left, &SystemClock);
        let margin = self.tournament.margin;
        let turn = MoveQuery {
            game: self.game,
            line: &self.line,
            context: &self.contexts[seat],
            other_clock: self.times[1 - seat].clock(),
            wait: allowed.map_or(self.tournament.patience, |time| time + margin),
        };
        let answer = ask(player, &turn)?;
        let answered = measured.then(Instant::now);
        let taken = match (begun, answered) {
            (Some(begun), Some(answered)) => answered - begun,
            _ => Duration::ZERO,
        };
        // Reading the clock takes a quarter of a short game. Without a time limit, and with only a
        // rule check in between, one reading serves both players.
        if allowed.is_none() && self.tournament.adjudication.exact.is_none() && self.table.is_none()
        {
            self.answered = answered;
        }
        if let SeatedPlayer::Strategy { .. } = player
            && allowed.is_some()
        {
            self.overhead.record(&limits, taken);
        }
        Ok((answer, taken))
    }

    /// Takes the time of an answer from the clock; returns the microseconds to note.
    pub(super) fn spend(
        &mut self,
        seat: usize,
        taken: Duration,
        cost: &mut Cost,
    ) -> Result<u64, Forfeit> {
        if self.tournament.timed {
            cost.time += taken;
        }
        if let Some(allowed) = self.times[seat].allowed()
            && taken > allowed + self.tournament.margin
        {
            let (taken, allowed) = (format_time(taken), format_time(allowed));
            let why = format!("{taken} instead of {allowed}");
            return Err(Forfeit::new(ForfeitKind::Late, why));
        }
        self.times[seat].spend(taken);
        Ok(if self.takes_notes {
            taken.as_micros().try_into().unwrap_or(u64::MAX)
        } else {
            0
        })
    }

    pub(super) fn note(&mut self, note: MoveNote) {
        if self.takes_notes {
            self.notes.push(note);
        }
    }

    /// Returns the adjudicated result, if there is one.
    fn adjudicate(&mut self) -> Option<(Outcome, AdjudicatedBy)> {
        let rules = self.tournament.adjudication;
        let plies = self.line.moves().len();
        if rules.draw_after.is_some_and(|most| plies >= most as usize) {
            return Some((Outcome::Draw, AdjudicatedBy::Length));
        }
        let limits = Limits {
            nodes: Some(rules.exact?),
            ..Limits::default()
        };
        let mut pace = LimitChecker::new(&Context::default().limited(limits, &SystemClock));
        let pos = self.line.position();
        let solution = self.perfect.solve(self.game, pos, &mut pace)?;
        let mover = self.game.turn(pos);
        let outcome = match solution.value {
            0 => Outcome::Draw,
            1.. => Outcome::Win(mover),
            _ => Outcome::Win(mover.other()),
        };
        Some((outcome, AdjudicatedBy::Knowledge))
    }

    /// The discs of both players, in games that count them.
    fn discs(&self) -> Option<[u32; 2]> {
        if !self.game.properties().score_unit.is_discs() {
            return None;
        }
        let pos = self.line.position();
        let mut discs = [0; 2];
        let pieces = (0..self.game.cells()).filter_map(|cell| self.game.piece(pos, cell));
        pieces.for_each(|player| discs[player.index()] += 1);
        Some(discs)
    }
}
