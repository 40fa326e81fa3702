//! The static site, asked as its worker asks it.

use std::sync::Arc;

use papan_pages::PageContext;
use papan_pages::game_study::StudyRequest;
use papan_pages::site::local_game::LocalGame;
use papan_pages::site::{Answer, Content, Request, Saved, Site};
use papan_strategies::{StopToken, SystemClock};
use papan_view::{Language, Messages};

fn site(language: Language) -> Site {
    let context = PageContext::of_static_site(Messages::new(language));
    Site::new(context, Arc::new(SystemClock))
}

fn get(site: &mut Site, address: &str) -> Answer {
    site.respond(&Request {
        address: address.into(),
        now: 20_775 * 86_400_000,
        ..Request::default()
    })
}

fn html(answer: &Answer) -> &str {
    match &answer.content {
        Content::Html(html) => html,
        other => panic!("{other:?}"),
    }
}

fn post(site: &mut Site, address: &str, body: &str, saved: &str) -> Answer {
    site.respond(&Request {
        is_post: true,
        address: address.into(),
        body: body.into(),
        saved: saved.into(),
        id: "abc".into(),
        ..Request::default()
    })
}

fn json(game: &LocalGame) -> String {
    serde_json::to_string(game).unwrap()
}

#[test]
fn every_page_is_rendered_in_both_languages() {
    for (language, code) in [(Language::English, "en"), (Language::Indonesian, "id")] {
        let mut site = site(language);
        for address in [
            "/",
            "/laboratory",
            "/lobby",
            "/analysis",
            "/analysis?game=othello&moves=f5+d6",
            "/analysis?game=tictactoe&moves=5&strategy=branch-and-bound",
            "/analysis/setup?game=tictactoe",
            "/review?game=tictactoe&moves=5+1",
            "/trace?game=tictactoe&moves=1+5+9+3&step=3",
            "/automaton",
            "/rules",
            "/rules/renju",
            "/about",
            "/puzzles",
            "/studies",
            "/atlas",
            "/atlas/tictactoe-4x4x4",
        ] {
            let answer = get(&mut site, address);
            assert_eq!(answer.status, 200, "{address}");
            let page = html(&answer);
            assert!(
                page.contains(&format!("<html lang=\"{code}\"")),
                "{address}"
            );
            assert!(!page.contains("href=\"/lobby\">Lobby"), "{address}");
        }
    }
}

#[test]
fn a_wrong_address_is_explained() {
    let mut site = site(Language::English);
    assert_eq!(get(&mut site, "/nowhere").status, 404);
    assert_eq!(get(&mut site, "/atlas/nowhere").status, 404);
    let wrong = get(&mut site, "/analysis?game=tictactoe&moves=5+5");
    assert_eq!(wrong.status, 422);
    assert!(html(&wrong).contains("role=\"alert\""));
    assert_eq!(get(&mut site, "/analysis?ply=x").status, 422);
    let missing = site.respond(&Request {
        address: "/games/unknown".into(),
        saved: "null".into(),
        ..Request::default()
    });
    assert_eq!(missing.status, 404);
}

#[test]
fn a_game_against_the_computer_is_played_taken_back_and_resigned() {
    let mut site = site(Language::English);
    let form = "game=tictactoe&mode=computer&level=3&seat=first";
    let created = post(&mut site, "/games", form, "");
    assert_eq!(created.content, Content::Redirect("/games/abc".into()));
    let game = created.saved_game().unwrap();
    assert_eq!(game.players, ["human", "computer(level=3)"]);

    let moved = post(&mut site, "/games/abc/moves", "move=5", &json(&game));
    let game = moved.saved_game().unwrap();
    assert_eq!((game.moves.len(), game.version), (1, 1));
    let game = site.advance(&json(&game), 7).unwrap().unwrap();
    assert_eq!((game.moves.len(), game.version, game.changed_at), (2, 2, 7));
    assert!(
        site.advance(&json(&game), 8).unwrap().is_none(),
        "the visitor's turn"
    );

    let illegal = post(&mut site, "/games/abc/moves", "move=5", &json(&game));
    assert!(illegal.status == 422 && illegal.saved.is_none());

    let back = post(&mut site, "/games/abc/take-back", "", &json(&game));
    assert!(back.saved_game().unwrap().moves.is_empty(), "both moves");

    let hint = site.respond(&Request {
        address: "/games/abc?show=hint".into(),
        saved: json(&game),
        ..Request::default()
    });
    assert!(html(&hint).contains("study-title"));

    let over = post(
        &mut site,
        "/games/abc/resignation",
        "answer=agree",
        &json(&game),
    );
    let game = over.saved_game().unwrap();
    let page = site.respond(&Request {
        address: "/games/abc".into(),
        saved: json(&game),
        ..Request::default()
    });
    assert!(html(&page).contains("data-over=\"true\""));
    let record = site.respond(&Request {
        address: "/games/abc/record".into(),
        saved: json(&game),
        ..Request::default()
    });
    assert!(matches!(record.content, Content::File { ref text, .. } if text.contains("resigned")));
    let rematch = post(&mut site, "/games/abc/rematch", "", &json(&game))
        .saved_game()
        .unwrap();
    assert_eq!(rematch.players, ["computer(level=3)", "human"]);
}

#[test]
fn other_people_need_a_server_and_the_page_says_so() {
    let mut site = site(Language::English);
    let home = get(&mut site, "/");
    assert!(!html(&home).contains("value=\"friend\""));
    let refused = post(&mut site, "/games", "game=tictactoe&mode=lobby", "");
    assert_eq!(refused.status, 422);
    assert!(html(&get(&mut site, "/lobby")).contains("need a server"));
}

#[test]
fn reviews_and_proofs_are_worked_out_between_requests() {
    let mut site = site(Language::English);
    let address = "/review?game=tictactoe&moves=1+2+3";
    assert!(html(&get(&mut site, address)).contains("data-reload"));
    while site.work() {}
    assert!(!html(&get(&mut site, address)).contains("data-reload"));

    let address = "/proof?game=tictactoe&strategy=branch-and-bound&as=second";
    assert!(html(&get(&mut site, address)).contains("data-reload"));
    while site.work() {}
    let page = get(&mut site, address);
    assert!(!html(&page).contains("data-reload"));
}

#[test]
fn a_stopped_search_plays_nothing_and_its_step_of_a_review_is_repeated() {
    let mut site = site(Language::English);
    let stopped = StopToken::default();
    stopped.stop();

    let form = "game=tictactoe:4x4&mode=computer&level=5&seat=second";
    let game = post(&mut site, "/games", form, "").saved_game().unwrap();
    site.stopped_by(stopped.clone());
    assert!(site.advance(&json(&game), 7).unwrap().is_none());
    site.stopped_by(StopToken::default());
    let moved = site.advance(&json(&game), 7).unwrap().unwrap();
    assert_eq!(moved.moves.len(), 1);

    let address = "/review?game=tictactoe&moves=1+2+3";
    get(&mut site, address);
    site.stopped_by(stopped);
    for _ in 0..10 {
        assert!(site.work(), "it is not done");
    }
    site.stopped_by(StopToken::default());
    while site.work() {}
    assert!(!html(&get(&mut site, address)).contains("data-reload"));
}

#[test]
fn a_board_solved_by_a_fetched_certificate_needs_it_before_its_game_exists() {
    let site = site(Language::English);
    let needed = |is_post, address: &str, body: &str| {
        let request = Request {
            is_post,
            address: address.into(),
            body: body.into(),
            ..Request::default()
        };
        site.needs(&request).game
    };
    for name in [
        "tictactoe:4x6",
        "tictactoe:4x8",
        "tictactoe:7x7:5",
        "tictactoe:7x8:5",
        "tictactoe:4x4x4",
    ] {
        let expected = Some(name.to_owned());
        assert_eq!(
            needed(false, &format!("/strategies?game={name}"), ""),
            expected
        );
        let form = format!("game=tictactoe&other_game={name}&mode=computer&opponent=perfect");
        assert_eq!(needed(true, "/games", &form), expected, "{form}");
        let form = format!("game=tictactoe&board.tictactoe={name}&mode=watch&first=perfect");
        assert_eq!(needed(true, "/games", &form), expected, "{form}");
        let proof = format!("/proof?game={name}&strategy=perfect&as=first");
        assert_eq!(needed(false, &proof, ""), expected);
    }
    // The weights of Othello are fetched when its computer thinks.
    assert_eq!(needed(false, "/strategies?game=othello", ""), None);
    assert_eq!(needed(true, "/games", "game=othello&mode=computer"), None);
    assert_eq!(needed(false, "/strategies?game=nothing", ""), None);
}

#[test]
fn a_live_analysis_ends_when_everything_is_proved() {
    let mut site = site(Language::English);
    site.begin_live("/analysis/live?game=tictactoe&moves=5+1")
        .unwrap();
    let mut updates = Vec::new();
    while let Some(update) = site.next_pass() {
        updates.push(update);
    }
    assert!(updates.last().unwrap().contains("\"done\":true"));
    assert!(
        site.begin_live("/analysis/live?game=tictactoe&moves=1+4+2+5+3")
            .is_err()
    );
}

#[test]
fn the_best_moves_of_a_solved_board_come_from_its_proof() {
    let mut site = site(Language::English);
    let mut best = |slug: &str| {
        let (game, moves) = site.best_moves(slug).unwrap();
        let names = moves.iter().map(|mv| game.format_move(*mv));
        names.collect::<Vec<_>>()
    };
    assert_eq!(best("tictactoe-3x3x3"), ["14"], "the centre");
    // The corners and the cells around the centre lie on seven lines each.
    let corners = ["1", "4", "13", "16", "49", "52", "61", "64"];
    let central = ["22", "23", "26", "27", "38", "39", "42", "43"];
    let cubes = best("tictactoe-4x4x4");
    assert!(
        cubes.len() == 16
            && corners
                .iter()
                .chain(&central)
                .all(|cell| cubes.iter().any(|mv| mv == cell)),
        "{cubes:?}"
    );
    assert_eq!(best("tictactoe-7x7-5"), ["25"], "the centre");
}

/// Asks for a page of what the browser keeps.
fn kept(site: &mut Site, address: &str, saved: &str) -> Answer {
    site.respond(&Request {
        address: address.into(),
        saved: saved.into(),
        ..Request::default()
    })
}

#[test]
fn a_puzzle_is_solved_and_its_result_kept() {
    let mut site = site(Language::English);
    let next = get(&mut site, "/puzzles/next?theme=fork");
    let Content::Redirect(address) = next.content else {
        panic!("{next:?}");
    };
    let puzzle = papan_catalog::puzzles::find(address.split(['/', '?']).nth(2).unwrap()).unwrap();
    let game: papan_catalog::AnyGame = puzzle.game.parse().unwrap();
    let (mut at, mut saved) = (address.clone(), None);
    let solution = puzzle.steps().unwrap();
    for (count, mv) in (1..).zip(solution.iter().step_by(2)) {
        let tried: Vec<String> = solution[..2 * count - 2]
            .iter()
            .step_by(2)
            .map(|mv| game.format_move(*mv))
            .collect();
        let body = format!("tried={}&move={}", tried.join("+"), game.format_move(*mv));
        let answer = post(&mut site, &address, &body, "null");
        let Content::Redirect(to) = answer.content else {
            panic!("{answer:?}");
        };
        at = to;
        saved = answer.saved;
    }
    let Some(Saved::Puzzles(progress)) = saved else {
        panic!("the solution is rated");
    };
    assert_eq!((progress.solved, progress.streak), (1, 1));
    let progress = serde_json::to_string(&progress).unwrap();
    let page = kept(&mut site, &at, &progress);
    assert!(html(&page).contains("id=\"next-puzzle\""));
    assert!(html(&kept(&mut site, "/puzzles", &progress)).contains("Solved 1 of 1"));
    let again = kept(&mut site, "/puzzles/next?theme=fork", &progress);
    assert_ne!(again.content, Content::Redirect(address));
    assert_eq!(get(&mut site, "/puzzles/nothing").status, 404);
}

#[test]
fn a_study_is_saved_listed_and_deleted() {
    let mut site = site(Language::English);
    let body = "name=Mine&address=%2Fanalysis%3Fgame%3Dothello%26moves%3Df5d6";
    let answer = post(&mut site, "/studies", body, "null");
    assert_eq!(answer.content, Content::Redirect("/studies".into()));
    let json = |answer: Answer| match answer.saved {
        Some(Saved::Studies(studies)) => serde_json::to_string(&studies).unwrap(),
        other => panic!("{other:?}"),
    };
    let saved = json(answer);
    let page = kept(&mut site, "/studies", &saved);
    assert!(html(&page).contains("<b>Mine</b>"));
    let answer = post(&mut site, "/studies/1/deletion", "", &saved);
    let saved = json(answer);
    assert!(!html(&kept(&mut site, "/studies", &saved)).contains("Mine"));
    let refused = post(&mut site, "/studies", "address=%2Flobby", "null");
    assert!(refused.status == 422 && refused.saved.is_none());
}

#[test]
fn downloads_know_formats_and_plies() {
    let mut site = site(Language::English);
    let mut file = |address: &str| match get(&mut site, address).content {
        Content::File { name, text, .. } => (name, text),
        other => panic!("{address}: {other:?}"),
    };
    let (name, text) = file("/analysis/record?game=othello&moves=f5d6&format=sgf");
    assert!(name == "game.sgf" && text.contains("GM[2]"), "{text}");
    let (name, text) = file("/analysis/record?game=othello&moves=f5d6");
    assert!(name == "game.papan" && text.starts_with("papan record"));
    let (_, small) = file("/analysis/board.svg?game=tictactoe&moves=5&after=1+9&show=small");
    assert_eq!(small.matches("class=\"x\"").count(), 2, "{small}");

    let form = "game=tictactoe&mode=screen";
    let mut game = post(&mut site, "/games", form, "").saved_game().unwrap();
    for mv in ["5", "1", "9"] {
        let answer = post(
            &mut site,
            "/games/abc/moves",
            &format!("move={mv}"),
            &json(&game),
        );
        game = answer.saved_game().unwrap();
    }
    let mut marks = |address: &str| match kept(&mut site, address, &json(&game)).content {
        Content::File { text, .. } => text.matches("class=\"mark").count(),
        other => panic!("{other:?}"),
    };
    assert_eq!(marks("/games/abc/board.svg"), 3);
    assert_eq!(marks("/games/abc/board.svg?ply=1"), 1);
}

#[test]
fn hints_and_reasons_are_worked_out_for_games_of_a_server() {
    let mut site = site(Language::English);
    let hint = StudyRequest {
        game: "tictactoe".into(),
        moves: "1 5 9".into(),
        strategy: "perfect".into(),
        ..StudyRequest::default()
    };
    let answer = site.study(&hint).unwrap();
    assert!(answer.html.contains("study-title") && answer.cells.len() == 1);
    let best = answer.cells.keys().next().unwrap();
    assert!(["2", "4", "6", "8"].contains(&best.as_str()), "{best}");
    let why = StudyRequest {
        strategy: "alphabeta(depth=3)".into(),
        explain: Some("2".into()),
        seed: Some("ffffffffffffffff".into()),
        ..hint.clone()
    };
    assert_eq!(why.seed(), u64::MAX);
    let answer = site.study(&why).unwrap();
    assert!(answer.html.contains("reasons") && answer.cells.len() > 1);
    let wrong = StudyRequest {
        strategy: "perfectly".into(),
        ..hint
    };
    assert!(site.study(&wrong).is_err());
}

#[test]
fn every_solved_board_of_the_book_is_in_the_atlas() {
    let page = include_str!("../../../docs/values.md");
    let solved = |line: &&str| line.starts_with("| `") && line.matches('|').count() == 7;
    let rows: Vec<&str> = page.lines().filter(solved).collect();
    let boards = papan_pages::atlas::boards();
    assert!(rows.len() > 20);
    for row in rows {
        let name = row.split('`').nth(1).unwrap();
        assert!(boards.iter().any(|board| board.game == name), "{name}");
    }
}

#[test]
fn a_server_for_other_people_is_linked() {
    let context = PageContext {
        server: Some("https://play.example".into()),
        ..PageContext::of_static_site(Messages::new(Language::English))
    };
    let mut site = Site::new(context, Arc::new(SystemClock));
    for address in ["/", "/lobby"] {
        let page = get(&mut site, address);
        assert!(
            html(&page).contains("href=\"https://play.example\""),
            "{address}"
        );
    }
}

#[test]
fn the_reason_is_a_sentence_on_the_page() {
    for (language, reason) in [
        (Language::English, "8 cannot be better than 7"),
        (
            Language::Indonesian,
            "8 tidak mungkin lebih baik daripada 7",
        ),
    ] {
        let mut site = site(language);
        let address = "/analysis?game=tictactoe&moves=1+5+9+3&strategy=alphabeta";
        let page = get(&mut site, address);
        assert!(html(&page).contains(reason), "{}", html(&page));
    }
}

#[test]
fn a_start_on_which_o_began_keeps_its_marks() {
    let mut site = site(Language::English);
    let page = get(&mut site, "/analysis?game=tictactoe&start=O---X-O--+X");
    assert_eq!(page.status, 200);
    let page = html(&page);
    assert_eq!(page.matches("mark o").count(), 2, "{page}");
    assert_eq!(page.matches("mark x").count(), 1, "{page}");
    let imported = post(&mut site, "/import", "game=tictactoe&text=O---X-O--+X", "");
    let Content::Redirect(address) = &imported.content else {
        panic!("{imported:?}");
    };
    assert!(address.contains("start=O---X-O--+X"), "{address}");
}

#[test]
fn the_automaton_is_drawn_as_o_and_has_only_its_own_keys() {
    let mut site = site(Language::English);
    let page = get(
        &mut site,
        "/trace?game=tictactoe&moves=9+6&strategy=automaton",
    );
    let page = html(&page);
    let board = page.split("class=\"walk\"").next().unwrap();
    // The automaton opened on 9, and the person answered on 6.
    let [six, nine] = ["mark x", "mark o"].map(|mark| board.find(mark));
    assert!(six.is_some() && six < nine, "{board}");
    assert!(!page.contains("cut-off") && !page.contains("over (down arrow)"));
    let searched = get(
        &mut site,
        "/trace?game=tictactoe&moves=9+6+1&strategy=alphabeta",
    );
    assert!(html(&searched).contains("cut-off"));
    assert!(html(&searched).contains("terminal test"));
}

#[test]
fn pictures_have_the_names_and_numbers_of_the_page() {
    let mut site = site(Language::English);
    let mut file = |address: &str| match get(&mut site, address).content {
        Content::File { text, .. } => text,
        other => panic!("{address}: {other:?}"),
    };
    let board = file("/analysis/board.svg?game=tictactoe&moves=5");
    assert_eq!(board.matches("class=\"label\"").count(), 8);
    let scored = file("/analysis/board.svg?game=tictactoe&moves=5&strategy=branch-and-bound");
    assert!(
        scored.contains("cd") && scored.contains("comes first"),
        "{scored}"
    );
    let step = file("/trace/step.svg?game=tictactoe&moves=1+5+9+3&strategy=alphabeta&step=3");
    assert!(step.contains("alphabeta: 3/"), "{step}");
    let attack = file("/automaton/graph.svg?machine=0");
    let defence = file("/automaton/graph.svg?machine=1");
    assert!(attack.contains("<svg") && attack != defence);
    for page in [
        "/trace?game=tictactoe&moves=1+5&strategy=greedy",
        "/automaton",
    ] {
        let page = get(&mut site, page);
        assert!(html(&page).contains(".svg?") && html(&page).contains(".png?"));
    }
}
