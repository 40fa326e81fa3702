//! What the browser keeps: games, studies and results with puzzles.

use askama::Template as _;
use papan_analysis::engine_cache::AnalysisRequest;
use papan_catalog::puzzles::{self, Rating, Verdict};
use papan_rules::Move;

use super::local_game::{LocalGame, Replayed, Shown};
use super::{
    Answer, Request, Saved, Site, analysis_request, downloads, fields, home, parse, picture,
    puzzle_trainer, split_show, stored, studies, text_file,
};
use crate::downloads::Download;
use crate::error::PageError;
use crate::form_defaults::FormDefaults;
use crate::game::{GamePage, GamePart, StudyView};
use crate::games::FreshGames;
use crate::home::WrongField;
use crate::layout::Layout;
use crate::position_url::PositionUrl;
use crate::puzzle_trainer::{AttemptQuery, PuzzleChoice, PuzzleProgress};
use crate::studies::{SaveForm, Studies};

/// A day in milliseconds.
const DAY: i64 = 24 * 3600 * 1000;

impl Site {
    pub(super) fn create(&mut self, request: &Request) -> Result<Answer, PageError> {
        let words = self.context.words;
        let form = fields(&request.body)?;
        let made = LocalGame::create(&form, &request.id, &FreshGames, &self.policy, words);
        match made {
            Ok(game) => Ok(opened(game, request.now)),
            Err(PageError::Unusable(sentence)) => {
                let wrong = WrongField {
                    name: "game",
                    sentence,
                };
                let defaults = FormDefaults::from_form(&form);
                let html = home::page(
                    &self.context,
                    &FreshGames,
                    &self.policy.programs,
                    &defaults,
                    Some(wrong),
                )?;
                Ok(Answer {
                    status: 422,
                    ..Answer::html(html)
                })
            }
            Err(error) => Err(error),
        }
    }

    pub(super) fn game(
        &mut self,
        request: &Request,
        is_post: bool,
        rest: &[&str],
        query: &str,
    ) -> Result<Answer, PageError> {
        let words = self.context.words;
        let saved_game: LocalGame = stored(&request.saved)?;
        let game = saved_game.replay(&FreshGames, words)?;
        let form = fields(&request.body)?;
        let field = |name: &str| {
            let found = form.iter().find(|(field, _)| field == name);
            found.map_or("", |(_, value)| value.as_str())
        };
        let url: PositionUrl = parse(query)?;
        let changed = match (is_post, rest) {
            (false, []) => return self.show(&game, query, request.is_part),
            (false, ["record"]) => {
                return Ok(text_file(Download::record(&game.record())));
            }
            (false, ["board.svg"]) => {
                let line = game.line_at(url.ply);
                return Ok(picture(downloads::picture(words, &*line, None)));
            }
            (false, ["study", page @ ("analysis" | "review")]) => {
                let link = game.position_url(url.ply).link(&format!("/{page}"));
                return Ok(Answer::redirect(link));
            }
            (true, ["moves"]) => game.play(field("move"), words)?,
            (true, ["take-back"]) => game.take_back(),
            (true, ["resignation"]) => game.resign(),
            (true, ["rematch"]) => return Ok(opened(game.rematch(&request.id), request.now)),
            _ => return Err(PageError::NotFound),
        };
        let shown = changed.replay(&FreshGames, words)?;
        let answer = if request.is_part {
            self.show(&shown, "", true)?
        } else {
            Answer::redirect(format!("/games/{}", changed.id))
        };
        Ok(answer.saving(Saved::Game(LocalGame {
            changed_at: request.now,
            ..changed
        })))
    }

    fn show(&mut self, game: &Replayed, query: &str, is_part: bool) -> Result<Answer, PageError> {
        let words = self.context.words;
        let url: PositionUrl = parse(query)?;
        let show = split_show(query)?;
        let study = match show.as_str() {
            "hint" => {
                let strategy = game.advisor();
                let name = strategy.info().name;
                let decision = self.decide(&analysis_request(
                    game.line(),
                    game.position_url(None).start,
                    strategy,
                ))?;
                Some(StudyView::hint(words, game.line(), name, &decision))
            }
            "why" => {
                let (before, mv, spec) = game.last_strategy_turn().ok_or(PageError::NotFound)?;
                Some(self.why(game, &*before, mv, spec)?)
            }
            _ => None,
        };
        let shown = Shown {
            ply: url.ply,
            study,
            confirms_resignation: show == "resign",
        };
        let (view, board) = game.view(words, shown);
        let html = if is_part {
            GamePart { view, board }.render()?
        } else {
            let path = format!("/games/{}", view.id);
            let page = GamePage {
                layout: Layout::new(&self.context, view.heading.clone(), path),
                view,
                board,
            };
            page.render()?
        };
        Ok(Answer::html(html))
    }

    fn why(
        &mut self,
        game: &Replayed,
        before: &dyn papan_catalog::AnyLine,
        mv: Move,
        spec: papan_catalog::StrategySpec,
    ) -> Result<StudyView, PageError> {
        let name = spec.to_string();
        let request: AnalysisRequest =
            analysis_request(before, game.position_url(None).start, spec);
        let decision = self.decide(&request)?;
        let words = self.context.words;
        Ok(StudyView::why(words, before, mv, &name, &decision))
    }

    /// The puzzle trainer. Puzzles keep their rating, because their other solvers are not known here.
    pub(super) fn puzzles(
        &mut self,
        request: &Request,
        is_post: bool,
        rest: &[&str],
        query: &str,
    ) -> Result<Answer, PageError> {
        let words = self.context.words;
        let mut progress: PuzzleProgress = stored(&request.saved).unwrap_or_default();
        let id = match (is_post, rest) {
            (false, []) => {
                let today = request.now.div_euclid(DAY);
                let html = puzzle_trainer::index(&self.context, &progress, today)?;
                return Ok(Answer::html(html));
            }
            (false, ["next"]) => {
                let choice: PuzzleChoice = parse(query)?;
                let puzzle = progress.next(&choice).ok_or(PageError::NotFound)?;
                let address = puzzle_trainer::next_address(puzzle, &choice);
                return Ok(Answer::redirect(address));
            }
            (_, [id]) => *id,
            _ => return Err(PageError::NotFound),
        };
        let puzzle = puzzles::find(id).ok_or(PageError::NotFound)?;
        let tried: AttemptQuery = parse(if is_post { &request.body } else { query })?;
        let attempt = tried.play(puzzle, words)?;
        if !is_post {
            let rating = puzzle.rating;
            let html = puzzle_trainer::page(
                &self.context,
                puzzle,
                &attempt,
                &progress,
                &tried.choice,
                rating,
            )?;
            return Ok(Answer::html(html));
        }
        let answer = Answer::redirect(puzzle_trainer::address(puzzle, &attempt, &tried.choice));
        if attempt.verdict == Verdict::Open {
            return Ok(answer);
        }
        let is_solved = attempt.verdict == Verdict::Solved;
        let recorded = progress.record(id, Rating::of_puzzle(puzzle.rating), is_solved);
        Ok(match recorded {
            Some(_) => answer.saving(Saved::Puzzles(progress)),
            None => answer,
        })
    }

    pub(super) fn studies(
        &mut self,
        request: &Request,
        is_post: bool,
        rest: &[&str],
    ) -> Result<Answer, PageError> {
        let mut kept: Studies = stored(&request.saved).unwrap_or_default();
        match (is_post, rest) {
            (false, []) => {
                let html = studies::page(&self.context, &FreshGames, &kept)?;
                return Ok(Answer::html(html));
            }
            (true, []) => {
                let form: SaveForm = parse(&request.body)?;
                let (name, query) = form.parse(&FreshGames, &self.context)?;
                kept.add(name, query, request.now);
            }
            (true, [id, "deletion"]) => {
                kept.delete(id.parse().map_err(|_| PageError::NotFound)?);
            }
            _ => return Err(PageError::NotFound),
        }
        Ok(Answer::redirect("/studies".into()).saving(Saved::Studies(kept)))
    }
}

/// Returns the answer that opens a new game.
fn opened(game: LocalGame, now: i64) -> Answer {
    let answer = Answer::redirect(format!("/games/{}", game.id));
    answer.saving(Saved::Game(LocalGame {
        changed_at: now,
        ..game
    }))
}
