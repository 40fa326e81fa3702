//! Interview of a strategy from outside: its answer in every position that it can reach.
//!
//! A program promises nothing. Every position is asked twice, the second time of fresh instances, in
//! the reverse order and, where there is one, along another line of play. A strategy that answers
//! alike is a function of the position as far as that can be observed, and its answers are a table
//! that can be proved and certified. With a [journal](InterviewJournal) an interrupted interview
//! resumes.

mod journal;

use std::hash::{Hash as _, Hasher as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use papan_rules::{Line, Move, Notation, Player, Symmetric};
use papan_strategies::{Candidate, Decision, NoMove, StepKind, Strategy, Term, Turn, Watch};
use rustc_hash::{FxHashMap, FxHasher};

use crate::ProveError;
use crate::parallel::*;
use crate::prove::{StrategyFactory, StrategyPool};
use journal::Round;
pub use journal::{InterviewJournal, JournalError};

/// Maximum number of positions of an interview.
pub const MAX_INTERVIEW: usize = 2_000_000;

/// The answers of a strategy, as a positional strategy.
#[derive(Debug)]
pub struct AnswerTable<G: Symmetric> {
    answers: Arc<FxHashMap<G::Packed, Move>>,
}

// Derived, it would ask for `G: Clone`.
impl<G: Symmetric> Clone for AnswerTable<G> {
    fn clone(&self) -> Self {
        Self {
            answers: Arc::clone(&self.answers),
        }
    }
}

/// A position with the strategy to move.
struct Asked<G: Symmetric> {
    key: G::Packed,
    /// The line to it that was found first.
    line: Line<G>,
    /// The line to it that was found last.
    other_line: Line<G>,
}

/// The questions of an interview.
struct Questions<'a, G: Symmetric> {
    game: &'a G,
    player: Player,
    journal: Option<&'a InterviewJournal>,
    watch: &'a Watch,
}

/// Asks a strategy in every position that it can reach as `player`, twice. Answers in the journal are
/// not asked again; the others are appended to it.
///
/// # Errors
/// When the strategy has no legal answer somewhere (it loses there), when two answers to a position
/// differ, when there are too many positions, when the journal cannot be written, or when it is
/// stopped.
pub fn interview<G: Symmetric + Notation>(
    game: &G,
    factory: StrategyFactory<'_, G>,
    player: Player,
    journal: Option<&InterviewJournal>,
    watch: &Watch,
) -> Result<AnswerTable<G>, ProveError> {
    let questions = Questions {
        game,
        player,
        journal,
        watch,
    };
    let mut asked: Vec<Asked<G>> = Vec::new();
    let mut answers = FxHashMap::default();
    {
        let pool = StrategyPool::new(factory, &watch.stop)?;
        let mut level = vec![Line::new(game)];
        while !level.is_empty() {
            let (mine, theirs): (Vec<_>, Vec<_>) = unfinished(game, level)
                .into_iter()
                .partition(|node| game.turn(node.line.position()) == player);
            watch.begin_step(
                mine.first().map_or(0, |node| node.line.ply()),
                StepKind::Positions,
                mine.len() as u64,
            );
            let moves = questions.ask(&pool, Round::First, &mine)?;
            let mut next = Vec::new();
            for (node, &mv) in mine.iter().zip(&moves) {
                next.push(after(game, &node.line, mv));
            }
            for node in &theirs {
                let replies = game.legal_moves(node.line.position());
                next.extend(replies.map(|mv| after(game, &node.line, mv)));
                // Another way to the same position, for the second round.
                if node.line.moves() != node.other_line.moves() {
                    let replies = game.legal_moves(node.other_line.position());
                    next.extend(replies.map(|mv| after(game, &node.other_line, mv)));
                }
            }
            answers.extend(mine.iter().map(|node| node.key).zip(moves));
            asked.extend(mine);
            if asked.len() > MAX_INTERVIEW {
                return Err(ProveError::TooLarge {
                    positions: MAX_INTERVIEW,
                    mib: watch.memory(),
                });
            }
            level = next;
        }
    }
    // The pool of the first round is gone, and its processes with it.
    asked.reverse();
    let pool = StrategyPool::new(factory, &watch.stop)?;
    watch.begin_step(0, StepKind::Game, asked.len() as u64);
    let again = match questions.ask(&pool, Round::Again, &asked) {
        Err(ProveError::NoAnswer { line, fault }) => {
            let position = replay(game, &line);
            return Err(ProveError::NotAFunction {
                first: Ok(answers[&game.pack(position.position())]),
                second: Err(fault.to_string()),
                line,
            });
        }
        again => again?,
    };
    for (node, second) in asked.iter().zip(again) {
        let first = answers[&node.key];
        if first != second {
            return Err(ProveError::NotAFunction {
                line: node.other_line.moves().to_vec(),
                first: Ok(first),
                second: Ok(second),
            });
        }
    }
    Ok(AnswerTable {
        answers: Arc::new(answers),
    })
}

fn after<G: Symmetric>(game: &G, line: &Line<G>, mv: Move) -> Line<G> {
    let mut next = line.clone();
    next.push(game, mv);
    next
}

/// Returns the distinct unfinished positions of a level, in the order of their first line.
fn unfinished<G: Symmetric>(game: &G, level: Vec<Line<G>>) -> Vec<Asked<G>> {
    let mut places: FxHashMap<G::Packed, usize> = FxHashMap::default();
    let mut nodes: Vec<Asked<G>> = Vec::new();
    for line in level {
        if game.outcome(line.position()).is_some() {
            continue;
        }
        let key = game.pack(line.position());
        match places.get(&key) {
            Some(&place) => nodes[place].other_line = line,
            None => {
                places.insert(key, nodes.len());
                nodes.push(Asked {
                    key,
                    other_line: line.clone(),
                    line,
                });
            }
        }
    }
    nodes
}

fn replay<G: Symmetric>(game: &G, moves: &[Move]) -> Line<G> {
    let mut line = Line::new(game);
    for &mv in moves {
        line.push(game, mv);
    }
    line
}

impl<G: Symmetric + Notation> Questions<'_, G> {
    /// Asks in all positions, in parallel; the answers are in their order. The error is that of the
    /// first position in this order, and positions behind it are not asked: each of them may cost
    /// the patience for a program that hangs.
    fn ask(
        &self,
        pool: &StrategyPool<'_, G>,
        round: Round,
        nodes: &[Asked<G>],
    ) -> Result<Vec<Move>, ProveError> {
        let first_fault = AtomicUsize::new(usize::MAX);
        let answer = |(index, node): (usize, &Asked<G>)| {
            if index > first_fault.load(Ordering::Relaxed) {
                return Err(ProveError::Stopped);
            }
            self.watch.check_stop()?;
            let line = match round {
                Round::First => &node.line,
                Round::Again => &node.other_line,
            };
            let answer = self.answer(pool, round, line);
            if answer.is_err() {
                first_fault.fetch_min(index, Ordering::Relaxed);
            }
            self.watch.advance(1, 1);
            answer
        };
        let answers: Vec<Result<Move, ProveError>> =
            nodes.par_iter().enumerate().map(answer).collect();
        match answers.iter().position(Result::is_err) {
            None => Ok(answers.into_iter().filter_map(Result::ok).collect()),
            Some(_) => {
                let first = first_fault.into_inner().min(nodes.len() - 1);
                Err(answers[first].clone().err().unwrap_or(ProveError::Stopped))
            }
        }
    }

    /// Returns the answer in one position, from the journal if it is there.
    fn answer(
        &self,
        pool: &StrategyPool<'_, G>,
        round: Round,
        line: &Line<G>,
    ) -> Result<Move, ProveError> {
        let Self { game, player, .. } = *self;
        if let Some(journal) = self.journal
            && let Some(known) = journal.known(game, player, round, line)?
        {
            return Ok(known);
        }
        let mv = pool.with(|instance| match instance.answer(game, line)? {
            [mv] => Ok(*mv),
            _ => Err(ProveError::Random),
        })?;
        if let Some(journal) = self.journal {
            journal.record(game, player, round, line, mv)?;
        }
        Ok(mv)
    }
}

impl<G: Symmetric> AnswerTable<G> {
    /// Returns the number of positions that were asked.
    #[must_use]
    pub fn len(&self) -> usize {
        self.answers.len()
    }

    /// Returns whether no position was asked.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }

    /// Returns a number that differs when an answer differs, but for chance: two interviews in
    /// different processes are compared by it.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        let mut answers: Vec<_> = self.answers.iter().collect();
        answers.sort_unstable();
        let mut hasher = FxHasher::default();
        answers.hash(&mut hasher);
        hasher.finish()
    }

    /// Returns the answer in a position. A position that the strategy cannot reach was not asked:
    /// there it is the first legal move, because provers also walk backwards from lost positions.
    fn answer(&self, game: &G, position: &G::Position) -> Result<Move, NoMove> {
        match self.answers.get(&game.pack(position)) {
            Some(mv) => Ok(*mv),
            None => game.legal_moves(position).next().ok_or(NoMove::GameOver),
        }
    }
}

impl<G: Symmetric> Strategy<G> for AnswerTable<G> {
    fn choices(&mut self, turn: Turn<'_, G>, out: &mut Vec<Move>) -> Result<u64, NoMove> {
        let mv = self.answer(turn.game, turn.position())?;
        out.clear();
        out.push(mv);
        Ok(1)
    }

    fn decide(&mut self, turn: Turn<'_, G>) -> Result<Decision, NoMove> {
        let best = self.answer(turn.game, turn.position())?;
        let terms = vec![Term::deciding("choice", 1)];
        Ok(Decision {
            best,
            candidates: vec![Candidate::new(best, terms)],
            nodes: 1,
        })
    }

    fn is_positional(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prove;
    use papan_rules::{Game as _, Grid, tictactoe};
    use papan_strategies::{BranchAndBound, Minimax};

    type Board = Grid<u64>;

    #[test]
    fn the_table_of_a_strategy_is_proved_like_the_strategy() {
        let (game, watch) = (tictactoe(), Watch::default());
        for player in Player::BOTH {
            let factory: StrategyFactory<'_, Board> = &|| Box::new(BranchAndBound::default());
            let table = interview(&game, factory, player, None, &watch).unwrap();
            let by_table = prove(&game, &|| Box::new(table.clone()), player, &watch).unwrap();
            let itself = prove(&game, factory, player, &watch).unwrap();
            assert_eq!(by_table, itself);
        }
    }

    /// Changes its mind after some answers, by a function of the line and the count.
    struct Fickle<'a> {
        asked: &'a AtomicUsize,
        faulty: fn(usize, &Line<Board>) -> bool,
    }

    impl Strategy<Board> for Fickle<'_> {
        fn choices(&mut self, turn: Turn<'_, Board>, out: &mut Vec<Move>) -> Result<u64, NoMove> {
            let count = self.asked.fetch_add(1, Ordering::Relaxed);
            out.clear();
            let mut legal = turn.game.legal_moves(turn.position());
            let first = legal.next();
            let last = legal.last().or(first);
            out.extend(if (self.faulty)(count, turn.line) {
                last
            } else {
                first
            });
            Ok(1)
        }
        fn decide(&mut self, _: Turn<'_, Board>) -> Result<Decision, NoMove> {
            Err(NoMove::GameOver)
        }
    }

    fn fickle(faulty: fn(usize, &Line<Board>) -> bool) -> Result<usize, ProveError> {
        let asked = AtomicUsize::new(0);
        // A strategy must be 'static; the counter outlives the interview.
        let asked: &'static AtomicUsize = Box::leak(Box::new(asked));
        let factory = || -> Box<dyn Strategy<Board>> { Box::new(Fickle { asked, faulty }) };
        let watch = Watch::default();
        interview(&tictactoe(), &factory, Player::Second, None, &watch).map(|table| table.len())
    }

    #[test]
    fn a_strategy_that_is_not_a_function_of_the_position_is_refused() {
        let steady = fickle(|_, _| false).unwrap();
        assert!(steady > 50);
        // By the number of questions, as a program with hidden state would, once.
        assert!(matches!(
            fickle(|count, _| count == 20),
            Err(ProveError::NotAFunction { .. })
        ));
        // By the order of the moves that led to the position.
        assert!(matches!(
            fickle(|_, line| line.moves().first() > line.moves().get(2)),
            Err(ProveError::NotAFunction { .. })
        ));
    }

    /// Fails on the centre.
    struct NoCentre(Minimax);

    impl Strategy<Board> for NoCentre {
        fn choices(&mut self, turn: Turn<'_, Board>, out: &mut Vec<Move>) -> Result<u64, NoMove> {
            match turn.line.moves() {
                [mv] if mv.cell() == Some(4) => Err(NoMove::Failed("no idea".into())),
                _ => self.0.choices(turn, out),
            }
        }
        fn decide(&mut self, turn: Turn<'_, Board>) -> Result<Decision, NoMove> {
            self.0.decide(turn)
        }
    }

    #[test]
    fn a_missing_answer_is_reported_with_its_line() {
        let (game, watch) = (tictactoe(), Watch::default());
        let factory = || -> Box<dyn Strategy<Board>> { Box::new(NoCentre(Minimax::default())) };
        match interview(&game, &factory, Player::Second, None, &watch).map(|table| table.len()) {
            Err(ProveError::NoAnswer { line, fault }) => {
                assert_eq!(line, [Move::on(4)]);
                assert_eq!(fault.to_string(), "no idea");
            }
            other => panic!("{other:?}"),
        }
    }

    /// Minimax that counts its questions and fails after some of them.
    struct Counted {
        asked: &'static AtomicUsize,
        most: usize,
    }

    impl Strategy<Board> for Counted {
        fn choices(&mut self, turn: Turn<'_, Board>, out: &mut Vec<Move>) -> Result<u64, NoMove> {
            if self.asked.fetch_add(1, Ordering::Relaxed) >= self.most {
                return Err(NoMove::Failed("killed".into()));
            }
            Minimax::default().choices(turn, out)
        }
        fn decide(&mut self, turn: Turn<'_, Board>) -> Result<Decision, NoMove> {
            Minimax::default().decide(turn)
        }
    }

    #[test]
    fn an_interrupted_interview_resumes_and_asks_no_answered_position_again() {
        let (game, watch) = (tictactoe(), Watch::default());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answers.txt");
        let run = |most: usize| {
            let asked: &'static AtomicUsize = Box::leak(Box::new(AtomicUsize::new(0)));
            let factory = || -> Box<dyn Strategy<Board>> { Box::new(Counted { asked, most }) };
            let journal = InterviewJournal::open(&path, "tictactoe", "minimax").unwrap();
            let known = journal.len();
            let table = interview(&game, &factory, Player::First, Some(&journal), &watch);
            let table = table.map(|table| (table.len(), table.fingerprint()));
            (known, asked.load(Ordering::Relaxed), table)
        };
        let factory: StrategyFactory<'_, Board> = &|| Box::new(Minimax::default());
        let whole = interview(&game, factory, Player::First, None, &watch).unwrap();
        let all = 2 * whole.len();
        let (_, _, stopped) = run(whole.len() / 2);
        assert!(stopped.is_err());
        // A torn last line, as after a power failure.
        let torn = std::fs::read_to_string(&path).unwrap() + "first asked XO---";
        std::fs::write(&path, torn).unwrap();
        // Stopped again, in the second round.
        let (known, asked, stopped) = run(whole.len());
        assert!(known > 0 && stopped.is_err() && asked >= whole.len());
        let (known, asked, table) = run(usize::MAX);
        assert!(known > whole.len());
        assert_eq!(known + asked, all);
        assert_eq!(table, Ok((whole.len(), whole.fingerprint())));
        let (known, asked, table) = run(0);
        assert_eq!((known, asked), (all, 0));
        assert!(table.is_ok());
    }

    #[test]
    fn a_journal_of_another_strategy_or_with_other_lines_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answers.txt");
        let open = |identity: &str| {
            let opened = InterviewJournal::open(&path, "tictactoe", identity);
            opened.map(|_| ()).map_err(|error| error.to_string())
        };
        open("a [a.py sha256 12]").unwrap();
        open("a [a.py sha256 12]").unwrap();
        let error = open("a [a.py sha256 13]").unwrap_err();
        let part = "has the answers of a [a.py sha256 12] on tictactoe, not of a [a.py sha256 13]";
        assert!(error.contains(part), "{error}");
        std::fs::write(&path, "once upon a time\n").unwrap();
        let error = open("a").unwrap_err();
        assert!(error.contains("is not a journal"), "{error}");
        std::fs::remove_file(&path).unwrap();
        open("a").unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.clone() + "third asked --------- X 5\n").unwrap();
        assert!(open("a").unwrap_err().contains("line 5"));
        // An answer that the rules do not allow is found when it is used.
        std::fs::write(&path, text + "first asked --------- X 10\n").unwrap();
        let journal = InterviewJournal::open(&path, "tictactoe", "a").unwrap();
        assert!(
            InterviewJournal::open(&path, "tictactoe", "a").is_err(),
            "in use"
        );
        let factory: StrategyFactory<'_, Board> = &|| Box::new(Minimax::default());
        let watch = Watch::default();
        let journal = Some(&journal);
        let found = interview(&tictactoe(), factory, Player::First, journal, &watch);
        assert!(matches!(found.err(), Some(ProveError::Journal(_))));
    }
}
