//! The static site: pages of `papan-pages` for a worker.

use std::sync::Arc;

use papan_catalog::puzzles;
use papan_pages::atlas;
use papan_pages::game_study::StudyRequest;
use papan_pages::site::{self, Content, Request, Saved};
use papan_pages::{PageContext, PageError, assets};
use papan_strategies::StopToken;
use qrcodegen::{QrCode, QrCodeEcc};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;

use crate::clock::PageClock;
use crate::error::{self, plain};
use crate::interrupt::Interruptible;
use crate::object::{from_object, to_object};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &'static str = r#"
/** Where the pages are shown: on a static site, or on those of a server with other people. */
export interface SiteOptions {
  origin?: string;
  embedding?: boolean;
  hasPeople?: boolean;
  /** A server for games with other people. */
  server?: string;
}

/** A request to the site; `saved` is what the browser stores of its address, as JSON. */
export interface SiteRequest {
  isPost?: boolean;
  address: string;
  body?: string;
  isPart?: boolean;
  saved?: string;
  id?: string;
  now?: number;
}

/** Files that an answer needs: the weights or certificate of a game, the puzzles. */
export interface NeededFiles {
  game: string | null;
  puzzles: boolean;
}

/** An answer of the site; `saved` is what to store. */
export interface SiteAnswer {
  status: number;
  type: string;
  text: string;
  location?: string;
  name?: string;
  saved?: { kind: "game" | "studies" | "puzzles"; value: object };
}

/** A question about a position of a game; without `explain` a hint. */
export interface StudyRequest {
  game: string;
  start?: string;
  moves: string;
  strategy: string;
  explain?: string;
  seed?: string;
}
"#;

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct SiteOptions {
    origin: String,
    embedding: bool,
    has_people: bool,
    server: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct SiteRequest {
    is_post: bool,
    address: String,
    body: String,
    is_part: bool,
    saved: String,
    id: String,
    now: f64,
}

impl From<SiteRequest> for Request {
    fn from(request: SiteRequest) -> Self {
        Self {
            is_post: request.is_post,
            address: request.address,
            body: request.body,
            is_part: request.is_part,
            saved: request.saved,
            id: request.id,
            now: request.now as i64,
        }
    }
}

#[derive(Serialize)]
struct SiteAnswer<'a> {
    status: u16,
    #[serde(rename = "type")]
    media_type: &'a str,
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    saved: Option<&'a Saved>,
}

#[derive(Serialize)]
struct BestMove {
    /// As in the ids of cells.
    cell: String,
    /// As people read it.
    name: String,
}

#[derive(Serialize)]
struct SolvedBoard<'a> {
    game: &'a str,
    slug: String,
    file: &'static str,
}

/// The pages of papan, rendered on this thread in the language of `setLanguage`.
#[wasm_bindgen]
pub struct Site {
    site: site::Site,
    /// Number of the call that is answered.
    call: i32,
}

impl Site {
    /// Makes the searches of the current call interruptible while the guard lives.
    fn interruptible(&mut self) -> Interruptible {
        let stop = StopToken::default();
        self.site.stopped_by(stop.clone());
        Interruptible::of_call(&stop, self.call)
    }
}

#[wasm_bindgen]
impl Site {
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "SiteOptions | undefined")] options: &JsValue,
    ) -> Result<Self, JsError> {
        let options: SiteOptions = from_object(options, "options")?;
        let context = PageContext {
            origin: options.origin,
            embedding: options.embedding,
            has_people: options.has_people,
            server: options.server.map(Arc::from),
            ..PageContext::of_static_site(error::messages())
        };
        Ok(Self {
            site: site::Site::new(context, Arc::new(PageClock)),
            call: 0,
        })
    }

    /// Says which call the next methods answer. Their searches stop when the first element of the array of
    /// `setInterrupt` is greater.
    #[wasm_bindgen(js_name = beginCall)]
    pub fn begin_call(&mut self, call: i32) {
        self.call = call;
    }

    /// The files that an answer needs.
    #[wasm_bindgen(unchecked_return_type = "NeededFiles")]
    pub fn needs(
        &self,
        #[wasm_bindgen(unchecked_param_type = "SiteRequest")] request: &JsValue,
    ) -> Result<JsValue, JsError> {
        let request: SiteRequest = from_object(request, "request")?;
        to_object(&self.site.needs(&request.into()))
    }

    /// Answers a request.
    #[wasm_bindgen(unchecked_return_type = "SiteAnswer")]
    pub fn respond(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "SiteRequest")] request: &JsValue,
    ) -> Result<JsValue, JsError> {
        let request: SiteRequest = from_object(request, "request")?;
        let _interruptible = self.interruptible();
        let answer = self.site.respond(&request.into());
        let (media_type, text, location, name) = match &answer.content {
            Content::Html(html) => ("text/html", html.as_str(), None, None),
            Content::Json(json) => ("application/json", json.as_str(), None, None),
            Content::Redirect(address) => ("text/html", "", Some(address.as_str()), None),
            Content::File {
                name,
                media_type,
                text,
            } => (*media_type, text.as_str(), None, Some(name.as_str())),
        };
        to_object(&SiteAnswer {
            status: answer.status,
            media_type,
            text,
            location,
            name,
            saved: answer.saved.as_ref(),
        })
    }

    /// Plays the move of the computer in a stored game; returns the changed game, if it was to move and
    /// was not interrupted.
    #[wasm_bindgen(unchecked_return_type = "object | undefined")]
    pub fn advance(&mut self, saved: &str, now: f64) -> Result<JsValue, JsError> {
        let _interruptible = self.interruptible();
        match self.site.advance(saved, now as i64).map_err(sentence)? {
            Some(game) => to_object(&game),
            None => Ok(JsValue::UNDEFINED),
        }
    }

    /// A hint or an explanation for a game that the site does not keep: a part of a page, and pictures
    /// and labels of cells.
    #[wasm_bindgen(
        unchecked_return_type = "{ html: string; cells: Record<string, { picture: string; label: string }> }"
    )]
    pub fn study(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "StudyRequest")] request: &JsValue,
    ) -> Result<JsValue, JsError> {
        let request: StudyRequest = from_object(request, "request")?;
        let _interruptible = self.interruptible();
        to_object(&self.site.study(&request).map_err(sentence)?)
    }

    /// Begins a live analysis.
    #[wasm_bindgen(js_name = beginLive)]
    pub fn begin_live(&mut self, address: &str) -> Result<(), JsError> {
        self.site.begin_live(address).map_err(sentence)
    }

    /// Runs the next pass of the live analysis; returns its update as JSON, or nothing at the end.
    #[wasm_bindgen(js_name = nextPass)]
    pub fn next_pass(&mut self) -> Option<String> {
        let _interruptible = self.interruptible();
        self.site.next_pass()
    }

    /// Does a step of the work that pages wait for; returns whether there is more.
    #[wasm_bindgen]
    pub fn work(&mut self) -> bool {
        let _interruptible = self.interruptible();
        self.site.work()
    }

    /// The moves that reach the value of a solved board, once its certificate is loaded.
    #[wasm_bindgen(js_name = bestMoves, unchecked_return_type = "{ cell: string; name: string }[]")]
    pub fn best_moves(&mut self, slug: &str) -> Result<JsValue, JsError> {
        let (game, moves) = self.site.best_moves(slug).map_err(sentence)?;
        let moves: Vec<BestMove> = moves
            .into_iter()
            .map(|mv| BestMove {
                cell: game.format_move(mv),
                name: game.show_move(mv),
            })
            .collect();
        to_object(&moves)
    }
}

/// Loads the puzzles, the file `puzzles.txt`.
#[wasm_bindgen(js_name = loadPuzzles)]
pub fn load_puzzles(text: &str) -> Result<(), JsError> {
    puzzles::install(text).map_err(plain)
}

/// A text as QR code: an SVG picture, black on white with the quiet zone of ISO/IEC 18004.
#[wasm_bindgen(js_name = qrCode)]
pub fn qr_code(text: &str) -> Result<String, JsError> {
    const QUIET: i32 = 4;
    let code = QrCode::encode_text(text, QrCodeEcc::Low).map_err(plain)?;
    let modules = (0..code.size()).flat_map(|y| (0..code.size()).map(move |x| (x, y)));
    let dark: String = modules
        .filter(|(x, y)| code.get_module(*x, *y))
        .map(|(x, y)| format!("M{} {}h1v1h-1z", x + QUIET, y + QUIET))
        .collect();
    let side = code.size() + 2 * QUIET;
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" \
         shape-rendering=\"crispEdges\"><path fill=\"#fff\" d=\"M0 0h{side}v{side}H0z\"/>\
         <path d=\"{dark}\"/></svg>"
    ))
}

fn sentence(error: PageError) -> JsError {
    plain(error)
}

/// The solved boards with certificates.
#[wasm_bindgen(js_name = solvedBoards, unchecked_return_type = "{ game: string; slug: string; file: string }[]")]
pub fn solved_boards() -> Result<JsValue, JsError> {
    let boards: Vec<SolvedBoard<'_>> = atlas::boards()
        .iter()
        .map(|board| SolvedBoard {
            game: &board.game,
            slug: board.slug(),
            file: board.certificate.file_name,
        })
        .collect();
    to_object(&boards)
}

/// The address of a file that pages link to, below `/`.
#[wasm_bindgen(js_name = assetUrl)]
pub fn asset_url(name: &str) -> String {
    assets::url(name).to_owned()
}
