//! Strategies step by step, by links alone; predictions; and the best number of the analysis.

use axum::http::StatusCode;
use papan_catalog::AnyGame;
use papan_rules::SplitMix;
use serde_json::Value;

use crate::{Person, Site};

const DOCUMENT: &str = "/trace?game=tictactoe&moves=1+5+9+3&strategy=alphabeta&shown=9";

/// The link of a control, if it can be used.
fn link(page: &str, id: &str) -> Option<String> {
    let tag = page
        .split("<a ")
        .find(|tag| tag.contains(&format!("id=\"{id}\"")))?;
    let address = tag.split("href=\"").nth(1)?.split('"').next()?;
    // Askama writes `&` as a number.
    Some(address.replace("&#38;", "&").replace("&amp;", "&"))
}

fn status(page: &str) -> &str {
    let part = page.split("id=\"status\">").nth(1).unwrap();
    part.split('<').next().unwrap()
}

/// Every step that can be reached by a control, from the first on.
async fn walked(ann: &mut Person, site: &Site, from: &str, control: &str) -> Vec<String> {
    let mut pages = Vec::new();
    let mut place = Some(from.to_owned());
    while let Some(address) = place {
        let (status, page) = ann.page(site, &address).await;
        assert_eq!(status, StatusCode::OK, "{address}: {page}");
        place = link(&page, control);
        pages.push(page);
    }
    pages
}

#[tokio::test]
async fn a_run_is_walked_by_links_as_json_has_its_steps() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let (code, run) = ann.json(&site, "GET", DOCUMENT, Value::Null).await;
    assert_eq!(code, StatusCode::OK);
    let steps = run["steps"].as_array().unwrap();
    let pages = walked(&mut ann, &site, DOCUMENT, "walk-next").await;
    assert_eq!(pages.len(), steps.len());
    for (page, step) in pages.iter().zip(steps) {
        // One line of the pseudo-code, and one position of the tree.
        let line = format!("value=\"{}\" aria-current=\"step\"", step["code"]);
        assert_eq!(page.matches("aria-current=\"step\"").count(), 1);
        assert!(page.contains(&line), "{line}");
        assert_eq!(page.matches("class=\"current\"").count(), 1);
        assert!(!page.contains("<style") && !page.contains(" style="));
    }
    assert!(status(&pages[pages.len() - 1]).contains("play 7"));
    // The tree grows.
    let drawn = |page: &String| page.matches("class=\"cell").count();
    assert!(drawn(&pages[0]) < drawn(&pages[20]));
    let cuts = walked(&mut ann, &site, DOCUMENT, "walk-cut").await;
    let expected = steps.iter().filter(|step| step["event"] == "cut").count();
    assert!(expected > 0);
    assert_eq!(cuts.len(), expected + 1);
    assert!(cuts[1..].iter().all(|page| status(page).contains("cut: ")));
    assert!(cuts[1].contains("= beta "), "the reason of the cut");
    // Over the moves of the root: each once, then the choice.
    let over = walked(&mut ann, &site, DOCUMENT, "walk-over").await;
    assert!(over.len() < pages.len() / 4, "{}", over.len());
    let back = link(&pages[5], "walk-prev").unwrap();
    let (_, before) = ann.page(&site, &back).await;
    assert_eq!(status(&before), status(&pages[4]));
}

#[tokio::test]
async fn a_folded_position_is_unfolded_by_its_link_and_folded_again() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let last = format!("{DOCUMENT}&step=99999");
    let (_, page) = ann.page(&site, &last).await;
    assert!(page.contains("≤ "), "bounds are drawn as bounds");
    assert!(page.contains("[-∞, +∞]"));
    let drawing = |page: &str| {
        let from = page.find("class=\"scroll drawing tree\"").unwrap();
        let to = page[from..].find("</svg>").unwrap();
        page[from..from + to].to_owned()
    };
    let cells = |page: &str| drawing(page).matches("class=\"cell").count();
    let first = |page: &str| {
        let drawing = drawing(page);
        let address = drawing.split("<a href=\"").nth(1).unwrap();
        address.split('"').next().unwrap().replace("&amp;", "&")
    };
    let (_, open) = ann.page(&site, &first(&page)).await;
    assert!(cells(&open) > cells(&page));
    let (_, again) = ann.page(&site, &first(&open)).await;
    assert!(cells(&again) == cells(&page) || cells(&again) > cells(&open));
}

#[tokio::test]
async fn the_empty_board_is_usable_and_long_runs_are_bounded() {
    let site = Site::new().await;
    let mut ann = Person::default();
    for strategy in ["alphabeta", "minimax"] {
        let place = format!("/trace?game=tictactoe&strategy={strategy}&step=300");
        let (code, page) = ann.page(&site, &place).await;
        assert_eq!(code, StatusCode::OK);
        assert!(page.len() < 120_000, "{} bytes", page.len());
        assert!(page.contains("Step 300 of "), "{strategy}");
    }
    // More positions than a server searches for a page.
    let place = "/trace?game=tictactoe:5x5:4&strategy=minimax(depth=9)&shown=1";
    let (code, page) = ann.page(&site, place).await;
    assert_eq!(code, StatusCode::OK);
    assert!(page.contains("longer than this server shows"), "{page}");
    for strategy in ["random", "minimax", "engine"] {
        let place = format!("/trace?game=tictactoe:15x15:5&strategy={strategy}");
        let (code, _) = ann.page(&site, &place).await;
        assert_eq!(code, StatusCode::UNPROCESSABLE_ENTITY, "{strategy}");
    }
    let (code, page) = ann
        .page(
            &site,
            "/trace?game=tictactoe:15x15:5&moves=113&strategy=greedy",
        )
        .await;
    assert_eq!(code, StatusCode::OK);
    assert!(page.len() < 500_000, "{} bytes", page.len());
}

/// Readings are in the menus, and typed parameters join the strategy, without scripts.
#[tokio::test]
async fn a_reading_and_parameters_are_chosen_in_every_form() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let (_, laboratory) = ann.page(&site, "/laboratory").await;
    assert_eq!(laboratory.matches("name=\"parameters\"").count(), 3);
    for reading in [
        "branch-and-bound(infinity=plain)",
        "branch-and-bound(ties=any)",
        "greedy-points(win=0)",
        "alphabeta(pseudo-code=as-printed)",
    ] {
        let option = format!("<option value=\"{reading}\">");
        assert_eq!(laboratory.matches(&option).count(), 3, "{reading}");
        let (name, word) = reading.trim_end_matches(')').split_once('(').unwrap();
        for (path, rest) in [("/analysis", ""), ("/trace", ""), ("/proof", "&as=second")] {
            let place = |strategy: &str| {
                format!("{path}?game=tictactoe&moves=1+5+9&strategy={strategy}{rest}")
            };
            let typed = format!("{}&parameters={word}", place(name));
            let (status, typed) = ann.json(&site, "GET", &typed, Value::Null).await;
            assert_eq!(status, StatusCode::OK, "{typed}");
            if path == "/proof" {
                continue;
            }
            let (_, chosen) = ann.json(&site, "GET", &place(reading), Value::Null).await;
            assert_eq!(typed, chosen, "{path} {reading}");
            assert_eq!(typed["strategy"], reading);
        }
    }
    let place = "/trace?game=tictactoe&moves=1+5&strategy=alphabeta&parameters=depth%3D4";
    let (_, page) = ann.page(&site, place).await;
    assert!(
        page.contains("name=\"parameters\" value=\"depth=4\""),
        "{page}"
    );
    assert!(
        page.contains("<option value=\"alphabeta\" selected>"),
        "{page}"
    );
    // The printed pseudo-code has a run, and its analysis links to it.
    let place = "/analysis?game=tictactoe&moves=1+5&strategy=alphabeta(pseudo-code%3Das-printed)";
    let (_, page) = ann.page(&site, place).await;
    let steps = page.split("href=\"/trace?").nth(1).unwrap();
    let steps = steps.split('"').next().unwrap().replace("&#38;", "&");
    let (status, page) = ann.page(&site, &format!("/trace?{steps}")).await;
    assert_eq!(status, StatusCode::OK, "{page}");
    assert!(page.contains("MaxMove(position, alpha, beta)"), "{page}");
}

#[tokio::test]
async fn every_traceable_strategy_shows_its_numbers() {
    let site = Site::new().await;
    let mut ann = Person::default();
    for (strategy, text) in [
        ("branch-and-bound", "cd"),
        ("greedy", "p"),
        ("expert", "Moves so far"),
        ("automaton", "|"),
        ("mcts(playouts=9)", "playout 3 through"),
    ] {
        // The row of the automaton's table is found with its move.
        // A playout has three or four steps.
        let step = match strategy {
            "automaton" => 99,
            "mcts(playouts=9)" => 9,
            _ => 3,
        };
        let place = format!("/trace?game=tictactoe&moves=1+2&strategy={strategy}&step={step}");
        let (code, page) = ann.page(&site, &place).await;
        assert_eq!(code, StatusCode::OK, "{strategy}: {page}");
        let part = page.split("<div class=\"trace-parts\">").nth(1).unwrap();
        assert!(part.contains("<ol class=\"queue\">"), "{strategy}");
        assert!(part.contains(text), "{strategy}: {part}");
    }
}

#[tokio::test]
async fn a_prediction_is_asked_before_the_run_and_counted_in_the_address() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let (_, page) = ann.page(&site, &format!("{DOCUMENT}&predict=1")).await;
    assert!(status(&page).contains("Which move will alphabeta choose?"));
    assert!(!page.contains("<ol class=\"code\">") && !page.contains("walk-next"));
    // Cell 7 wins; alpha-beta plays it.
    let right = link(&page, "cell-7").unwrap();
    let (_, answered) = ann.page(&site, &right).await;
    assert!(answered.contains("Right: it plays 7."), "{answered}");
    assert!(answered.contains("1 of 1 right"));
    assert!(answered.contains("<ol class=\"code\">"));
    let wrong = link(&page, "cell-2").unwrap();
    let (_, answered) = ann.page(&site, &wrong).await;
    assert!(answered.contains("You said 2; it plays 7."));
    assert!(answered.contains("0 of 1 right"));
    // The score goes along to the next position.
    let open = "/trace?game=tictactoe&moves=1&strategy=alphabeta&predict=1&guess=5";
    let (_, answered) = ann.page(&site, open).await;
    assert!(answered.contains("1 of 1 right"), "{answered}");
    let next = link(&answered, "predict-next").unwrap();
    assert!(next.contains("right=1&asked=1"), "{next}");
    let (_, question) = ann.page(&site, &next).await;
    assert!(question.contains("1 of 1 right"));
    assert!(status(&question).contains("Which move"));
}

#[tokio::test]
async fn a_won_position_shows_values_and_not_the_order_of_the_moves() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let place = "/analysis?game=tictactoe&moves=1+2+5+9&strategy=perfect";
    let (_, analysis) = ann.json(&site, "GET", place, Value::Null).await;
    let (_, page) = ann.page(&site, place).await;
    let candidates = analysis["decision"]["candidates"].as_array().unwrap();
    assert!(candidates.len() > 3);
    for candidate in candidates {
        let cell = candidate["move"].as_str().unwrap();
        let tag = page
            .split("<a ")
            .find(|tag| tag.contains(&format!("id=\"cell-{cell}\"")))
            .unwrap();
        let drawn = tag.split("class=\"number\"").nth(1);
        let text = drawn.and_then(|text| text.split('>').nth(1));
        let text = text.and_then(|text| text.split('<').next()).unwrap();
        let score = candidate["score"].as_i64().unwrap();
        let sign = ["-", "=", "+"][(score + 1) as usize];
        assert!(text.contains(sign), "{cell}: {text} for {score}");
    }
}

/// A cell of a page: whether it is marked as best, and the numbers on it.
fn cells(page: &str) -> Vec<(bool, Vec<&str>)> {
    let board = page.split("role=\"grid\"").skip(1);
    let cells = board.flat_map(|grid| grid.split("<div role=\"gridcell\">").skip(1));
    cells
        .map(|cell| {
            let cell = cell.split("</svg>").next().unwrap();
            let texts = cell.split("class=\"number\"").skip(1);
            let texts = texts.filter_map(|text| text.split('>').nth(1)?.split('<').next());
            (cell.contains("class=\"chosen\""), texts.collect())
        })
        .collect()
}

/// The name or unit and the size of a number on a cell: `54%`, `+3`, `=`, `cd ∞+2`. A bound compares as
/// its value.
fn number(text: &str) -> Option<(String, f64)> {
    let (name, value) = text.rsplit_once(' ').unwrap_or(("", text));
    let value = value.trim_start_matches(['≤', '≥', '~']).replace('−', "-");
    let digits = value.trim_end_matches('%');
    let size = match (digits, digits.split_once('∞')) {
        ("=", _) => 0.0,
        ("+", _) => 1.0,
        ("-", _) => -1.0,
        (_, Some((times, rest))) => {
            let times = times.parse().unwrap_or(1.0);
            times * 1e9 + rest.parse().unwrap_or(0.0)
        }
        _ => digits.parse().ok()?,
    };
    let unit = if value.ends_with('%') { "%" } else { "" };
    Some((format!("{name}{unit}"), size))
}

/// The move that the page marks as best has the best number of the page.
#[tokio::test]
async fn the_marked_move_has_the_best_number_on_the_page() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let mut random = SplitMix::new(5);
    for (name, strategy, times) in [
        ("tictactoe", "perfect", 8),
        ("tictactoe", "branch-and-bound", 4),
        ("tictactoe", "greedy", 4),
        ("tictactoe:4x4", "engine", 3),
        ("tictactoe:3x3x3", "engine", 2),
        ("tictactoe:3x3x3", "greedy", 2),
        ("tictactoe:7x7:5", "engine", 3),
        ("tictactoe:15x15:5", "engine", 2),
        ("gomoku:9x9:standard", "engine", 2),
        ("othello:4x4", "perfect", 3),
        ("othello:4x4", "engine", 3),
        ("othello:6x6", "engine", 3),
        ("othello", "engine", 4),
    ] {
        let mut compared = 0;
        let game: AnyGame = name.parse().unwrap();
        for _ in 0..times {
            let mut line = game.line();
            for _ in 0..random.below(6) {
                let legal = line.legal_moves();
                line.play(legal[random.below(legal.len())]).unwrap();
            }
            if line.outcome().is_some() {
                continue;
            }
            let moves = line.text().replace(' ', "+");
            let place = format!("/analysis?game={name}&moves={moves}&strategy={strategy}");
            // The decision is cached: page and JSON show the same search.
            let (_, page) = ann.page(&site, &place).await;
            let (_, analysis) = ann.json(&site, "GET", &place, Value::Null).await;
            let decision = &analysis["decision"];
            let best = decision["move"].as_str().unwrap();
            let marked = page.split("<tr class=\"chosen\">").nth(1).unwrap();
            let shown = game.show_move(game.parse_move(best).unwrap());
            assert!(
                marked.starts_with(&format!("<th scope=\"row\">{shown} ✓")),
                "{place}: {marked}"
            );
            let candidates = decision["candidates"].as_array().unwrap();
            let score = |candidate: &Value| candidate["score"].as_f64();
            let chosen = candidates.iter().find(|c| c["move"] == best).unwrap();
            for other in candidates.iter().filter(|c| c["unit"] == chosen["unit"]) {
                assert!(score(other) <= score(chosen), "{place}: {other} {chosen}");
            }
            // The numbers that a visitor reads on the cells of the page. Branch and bound shows two.
            let cells = cells(&page);
            let marked: Vec<_> = cells.iter().filter(|(is_best, _)| *is_best).collect();
            assert_eq!(marked.len(), 1, "{place}");
            let first = |texts: &[&str]| texts.first().and_then(|text| number(text));
            let Some((unit, most)) = first(&marked[0].1) else {
                continue;
            };
            for (_, texts) in &cells {
                if let Some((_, other)) = first(texts).filter(|(other, _)| *other == unit) {
                    assert!(other <= most, "{place}: {texts:?} beside {:?}", marked[0].1);
                    compared += 1;
                }
            }
        }
        assert!(compared > 0, "{name} {strategy}");
    }
}
