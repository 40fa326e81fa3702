//! Fuzz targets for the server: HTTP requests, stored games, variations of an analysis and imported
//! games.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};

use papan_catalog::{AnyGame, FAMILIES, GameError};
use papan_pages::games::{FreshGames, Games};
use papan_pages::import::{self, Import};
use papan_pages::position_url::PositionUrl;
use papan_pages::variations::Variations;
use papan_view::Messages;
use papan_web::untrusted;

use crate::{Target, text, texts};

pub(crate) const REQUESTS: Target = Target {
    name: "requests",
    seeds: || {
        texts(&[
            "GET /analysis?game=othello HTTP/1.1\r\nhost: x\r\naccept: text/html\r\n\r\n\
             GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
            "POST /games HTTP/1.1\r\nhost: x\r\ncontent-length: 20\r\n\r\n{\"game\":\"tictactoe\"}\
             GET / HTTP/1.0\r\n\r\n",
            "POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n\
             3\r\na\nb\r\nA;x=y\r\n0123456789\r\n0\r\nt: 1\r\n\r\nGET / HTTP/1.1\r\nhost: x\r\n\r\n",
        ])
    },
    run: |bytes| {
        // A bare line feed is found before earlier requests of the same piece are answered.
        let one_by_one = untrusted::answer_requests(bytes, 1);
        for size in [13, 4096] {
            let answered = untrusted::answer_requests(bytes, size);
            assert!(
                answered <= one_by_one,
                "{answered} of {one_by_one} requests"
            );
        }
    },
    cases: 3000,
};

pub(crate) const EVENTS: Target = Target {
    name: "events",
    seeds: || {
        texts(&[
            r#"tictactoe
{"kind":"joined","by":"second"}
{"kind":"moved","by":"first","move":"5","charged":700}
{"kind":"greeted","by":"first","greeting":"good-luck"}
{"kind":"asked-back","by":"first","to":0}
{"kind":"taken-back","by":"first","to":0}
{"kind":"draw-offered","by":"first"}
{"kind":"timed-out","by":"first"}
{"kind":"rematch-started","game":"x"}"#,
            r#"gomoku
{"kind":"opening-rule","rule":"swap2"}
{"kind":"moved","by":"first","move":"h8"}
{"kind":"moved","by":"second","move":"i9"}
{"kind":"moved","by":"first","move":"h10"}
{"kind":"chose","by":"second","choice":"two","charged":5}"#,
        ])
    },
    run: |bytes| {
        let _ = untrusted::replay_game(&text(bytes));
    },
    cases: 1000,
};

pub(crate) const VARIATIONS: Target = Target {
    name: "variations",
    seeds: || {
        texts(&[
            "game=tictactoe&moves=5+1+9&ply=1&others=5+2.5+1+3&notes=5=middle|good",
            "game=othello&moves=f5d6c3d3c4&others=f5f6.d3&names=A|B",
            "game=tictactoe:4x4&start=X--------------O+X&moves=6&note_name=n&note_text=t",
        ])
    },
    run: |bytes| {
        let Ok(url) = serde_urlencoded::from_bytes::<PositionUrl>(bytes) else {
            return;
        };
        let words = Messages::default();
        let Ok(variations) = Variations::parse(url, &FreshGames, words) else {
            return;
        };
        let _ = variations.tree();
        let link = variations.url().link("/analysis");
        let query = link.strip_prefix("/analysis?").expect("a link has a query");
        let again = serde_urlencoded::from_str(query).expect("a written link is a query");
        let again = Variations::parse(again, &FreshGames, words).map_err(|error| error.to_string());
        let again = again.map(|variations| variations.url().link("/analysis"));
        assert_eq!(again, Ok(link), "a written link is valid");
    },
    cases: 1000,
};

/// The games of the catalog, each built once, as in a server.
#[derive(Default)]
struct CachedGames(Mutex<HashMap<String, AnyGame>>);

static GAMES: LazyLock<CachedGames> = LazyLock::new(CachedGames::default);

impl Games for CachedGames {
    fn get(&self, name: &str) -> Result<AnyGame, GameError> {
        if let Some(game) = self.0.lock().expect("no panic").get(name) {
            return Ok(game.clone());
        }
        let game = FreshGames.get(name)?;
        if FAMILIES
            .iter()
            .any(|family| family.examples.contains(&name))
        {
            let mut games = self.0.lock().expect("no panic");
            games.insert(name.to_owned(), game.clone());
        }
        Ok(game)
    }
}

pub(crate) const IMPORTS: Target = Target {
    name: "imports",
    seeds: || {
        texts(&[
            "f5d6c3d3c4",
            "1. h8 i9 2. h10",
            "X--/-O-/--X O",
            "(;GM[Othello]B[f5]W[d6])",
            include_str!("../../docs/examples/game.sgf"),
        ])
    },
    run: |bytes| {
        let text = text(bytes);
        for game in ["", "tictactoe", "othello"] {
            let import = Import {
                game: game.into(),
                text: text.clone(),
            };
            let _ = import::parse(&*GAMES, &import, Messages::default());
        }
    },
    cases: 300,
};
