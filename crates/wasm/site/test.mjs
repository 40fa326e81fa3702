// Visits the static site with Chromium: node test.mjs SITE [SCREENSHOTS]. A plain file server serves it
// below a path; then the server is gone.

import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { extname, join, normalize } from "node:path";
import assert from "node:assert/strict";

const [site, screenshots] = process.argv.slice(2);
const PREFIX = "/some/path";
const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
const folder = process.env.PAPAN_BROWSER_DIR ?? join(cache, "papan", "browser");
const require = createRequire(join(folder, "package.json"));
const { chromium } = require("playwright-core");
const axe = require.resolve("axe-core/axe.min.js");

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".wasm": "application/wasm", ".json": "application/json", ".webmanifest": "application/manifest+json" };

/** A server that knows nothing but files. */
function serve() {
  const requests = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://x").pathname);
    requests.push(path);
    let file = path.startsWith(`${PREFIX}/`) ? join(site, normalize(path.slice(PREFIX.length))) : "";
    if (file && existsSync(file) && statSync(file).isDirectory()) file = join(file, "index.html");
    if (!file || !existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream", "cache-control": "no-store" });
    createReadStream(file).pipe(response);
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve({ server, requests, address: `http://127.0.0.1:${server.address().port}${PREFIX}` })));
}

const { server, requests, address } = await serve();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const context = await browser.newContext({ locale: "en-GB", acceptDownloads: true });
const page = await context.newPage();
page.setDefaultTimeout(180_000);
const faults = [];
page.on("pageerror", (error) => faults.push(String(error)));
page.on("console", (message) => message.type() === "error" && faults.push(`${message.text()} ${message.location().url}`));
page.on("request", (request) => {
  const url = request.url();
  if (!url.startsWith(address) && !url.startsWith("data:") && !url.startsWith("blob:")) faults.push(`a request elsewhere: ${url}`);
});

let count = 0;
async function step(name, work) {
  const started = performance.now();
  try {
    await work();
  } catch (error) {
    if (screenshots) await page.screenshot({ path: join(screenshots, "failed.png") });
    console.log(`FAILED ${name} at ${page.url()}`, faults);
    throw error;
  }
  if (screenshots) await page.screenshot({ path: join(screenshots, `${++count}.png`) });
  console.log(`ok  ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
}

/** Opens an address; the scripts of a page are loaded when it is complete. */
async function go(path) {
  await page.goto(address + path);
  await page.waitForSelector("html.scripts");
}

/** The address of the script that the pages share, which calls the worker. */
const worker = () => page.evaluate(() => new URL("engine_worker.js", document.querySelector('link[rel="modulepreload"]').href).href);

const pieces = (least) => page.waitForFunction((least) => document.querySelectorAll(".grid .mark, .grid .disc").length >= least, least);
const status = (text) => page.waitForFunction((text) => document.getElementById("status")?.textContent.includes(text), text);

async function accessible(name) {
  await page.evaluate(readFileSync(axe, "utf8"));
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 2).map(({ target }) => target)}`);
  assert.deepEqual(found, [], name);
}

/** Starts a game on the home page. */
async function newGame(mode, choose = async () => {}) {
  await go("/");
  await choose();
  await page.click(`button[value="${mode}"]`);
  await page.waitForSelector("#table .cell");
}

async function play(cell, least) {
  await page.locator(`#cell-${cell}.play`).click();
  await pieces(least);
}

try {
  await step("the first visit plays a move", async () => {
    const started = performance.now();
    await newGame("computer");
    await page.locator("#cell-5.play").click();
    await pieces(1);
    console.log(`    first move after ${Math.round(performance.now() - started)} ms`);
    await pieces(2);
    await status("turn");
    await accessible("game");
  });
  await step("a hint, a move taken back, a resignation and a rematch", async () => {
    await page.click("text=Hint");
    await page.waitForSelector("#study-title");
    await page.click("#now");
    await page.waitForSelector("#action-take-back:not([aria-disabled])");
    await page.click("#action-take-back");
    await page.waitForFunction(() => document.querySelectorAll(".grid .mark").length === 0);
    await play("1", 2);
    await page.click("#resign");
    await page.click('.ask button[value="agree"]');
    await page.waitForSelector("[data-over=true]");
    // A link carries the game to a phone, as QR code as well.
    await page.click("[data-qr]");
    await page.waitForFunction(() => document.querySelector(".qr-code")?.naturalWidth > 0);
    await page.click("#action-rematch");
    await page.waitForFunction(() => document.querySelector("[data-over=false]") && document.querySelectorAll(".grid .mark").length === 1);
  });
  await step("games are kept, saved as a file, and read again", async () => {
    await go("/me/");
    await page.waitForSelector(".game-list li >> nth=1");
    await accessible("my games");
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#export")]);
    const file = await download.path();
    assert.equal(JSON.parse(readFileSync(file, "utf8")).games.length, 2);
    await page.evaluate(() => new Promise((resolve) => {
      const opened = indexedDB.open("papan");
      opened.onsuccess = () => {
        const change = opened.result.transaction(["games", "others"], "readwrite");
        for (const name of ["games", "others"]) change.objectStore(name).clear();
        change.oncomplete = resolve;
      };
    }));
    await go("/me/");
    await page.setInputFiles("#import-games", file);
    await page.waitForFunction(() => document.getElementById("imported")?.textContent.includes("2"));
  });
  await step("Othello fetches its weights when its computer thinks", async () => {
    assert.ok(!requests.some((path) => path.endsWith("othello.weights")));
    await newGame("computer", async () => {
      await page.check('input[name="game"][value="othello"]');
      await page.selectOption("#level", "4");
    });
    await play("f5", 6);
    assert.ok(requests.some((path) => path.endsWith("othello.weights")));
  });
  await step("a link carries a whole game; every move of it is a link", async () => {
    await go("/analysis/?game=tictactoe&moves=5+1+9");
    await pieces(3);
    await page.click("#cell-3");
    await pieces(4);
    assert.match(page.url(), /\/analysis\/\?game=tictactoe&moves=5(\+|%20)1(\+|%20)9(\+|%20)3/);
    await page.click("#scores");
    await page.waitForSelector("#opinion");
    await accessible("analysis");
  });
  await step("live analysis deepens and stops", async () => {
    await go("/analysis/?game=gomoku&moves=h8+i9");
    await page.waitForSelector("#live");
    await page.click("#live");
    await page.waitForSelector("#live-panel:not([hidden]) li");
    // A line of the analysis is previewed.
    await page.waitForSelector("#live-lines span");
    await page.locator("#live-lines span").first().hover();
    await page.waitForFunction(() => document.getElementById("live-preview").naturalWidth > 0);
    // The analysis follows to the next position, and is not lost on the way.
    for (const cell of ["h9", "g7", "j10"]) {
      await page.click(`#cell-${cell}`);
      await page.waitForFunction((cell) => location.search.includes(cell), cell);
    }
    await page.waitForSelector("#live-panel:not([hidden]) li");
    // In the middle of a pass.
    await page.waitForTimeout(1000);
    const stopped = await page.evaluate(async (worker) => {
      const { call } = await import(worker);
      const began = performance.now();
      document.getElementById("live").click();
      await call("memory");
      return performance.now() - began;
    }, await worker());
    console.log(`    the worker is free ${stopped.toFixed(1)} ms after the click`);
  });
  await step("the memory of the worker is bounded", async () => {
    await go("/analysis/?game=othello&moves=f5+d6+c3&strategy=engine");
    await page.waitForSelector("#opinion");
    await page.click("#live");
    await page.waitForSelector("#live-panel:not([hidden]) li");
    await page.click("#live");
    const bytes = await page.evaluate(async (worker) => (await import(worker)).call("memory"), await worker());
    console.log(`    ${(bytes / 2 ** 20).toFixed(0)} MiB`);
    assert.ok(bytes <= 160 * 2 ** 20, `${bytes} bytes`);
  });
  await step("a review, a proof, a trace, an automaton", async () => {
    await go("/review/?game=tictactoe&moves=1+2+5+3+9");
    await page.waitForFunction(() => document.querySelector("#progress:not([data-reload])") && document.querySelector(".judged .mistake"));
    await accessible("review");
    await go("/laboratory/");
    await page.click("section[aria-labelledby=lab-prove] button");
    await page.waitForFunction(() => document.querySelector("#progress:not([data-reload]) strong"));
    await go("/trace/?game=tictactoe&moves=1+5+9+3&strategy=alphabeta&step=5");
    await page.waitForSelector(".tree svg");
    await page.click('.walk [rel="next"]');
    await page.waitForFunction(() => location.search.includes("step=6"));
    await go("/automaton/");
    await page.waitForSelector(".drawing svg");
  });
  await step("a puzzle is tried; its result is kept", async () => {
    await go("/puzzles/");
    await page.waitForSelector("#today");
    await accessible("puzzles");
    await page.click("#next-puzzle");
    await page.waitForSelector("#study .cell.play");
    await page.locator(".cell.play").first().click();
    await page.waitForFunction(() => document.getElementById("verdict") || document.querySelectorAll("[name=tried]")[0].value);
    await go("/puzzles/?theme=fork");
    await page.locator(".choices a").first().click();
    await page.waitForSelector("#study .cell.play");
    // A wrong or a right answer is the first result with this puzzle.
    for (;;) {
      const decided = await page.evaluate(() => Boolean(document.getElementById("verdict")) || !document.querySelector(".cell.play"));
      if (decided) break;
      const before = await page.evaluate(() => document.querySelector("[name=tried]").value);
      await page.locator(".cell.play").last().click();
      await page.waitForFunction((before) => document.getElementById("verdict") || document.querySelector("[name=tried]")?.value !== before, before);
    }
    await go("/puzzles/");
    await page.waitForFunction(() => /of [1-9]/.test(document.getElementById("puzzle-rating")?.textContent ?? ""));
  });
  await step("a study is saved, listed and deleted; rules and what papan is", async () => {
    await go("/analysis/?game=othello&moves=f5+d6");
    await page.fill("#study-name", "Diagonal");
    await page.click("#save-study button");
    await page.waitForSelector(".studies li");
    assert.match(page.url(), /\/studies\/$/);
    await accessible("studies");
    const [download] = await Promise.all([page.waitForEvent("download"), page.click(".studies .downloads a >> nth=0")]);
    assert.match(readFileSync(await download.path(), "utf8"), /GM\[2\]/);
    await page.click(".studies form button");
    await page.waitForFunction(() => !document.querySelector(".studies li"));
    for (const link of ["rules", "about", "studies"]) {
      await go("/");
      await page.click(`footer a[href*="${link}"]`);
      await page.waitForSelector(`html.scripts main h1`);
      assert.ok(page.url().endsWith(`/${link}/`), page.url());
    }
    await go("/rules/");
    await page.click('main a[href*="renju"]');
    await page.waitForSelector("html.scripts .grid a.cell");
  });
  await step("pasted moves are analysed; the swap openings need two people", async () => {
    await go("/");
    assert.equal(await page.locator("#opening-rule").count(), 0);
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.setData("text/plain", "f5 d6 c3");
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
    });
    await page.waitForSelector("#study .disc");
    assert.match(page.url(), /\/analysis\/\?game=othello/);
  });
  await step("the browser checks the proof of 7x7:5", async () => {
    await go("/atlas/");
    await accessible("atlas");
    await page.locator('a[href*="tictactoe-7x7-5"]').click();
    await page.waitForSelector("html.scripts #check");
    await page.click("#check");
    await page.waitForSelector("#play-proof:not([hidden])");
    console.log(`    ${await page.locator("#check-result").textContent()}`);
    await accessible("7x7:5");
  });
  await step("the browser checks the proof of 4x4x4 and plays against it", async () => {
    await go("/atlas/tictactoe-4x4x4/");
    await page.click("#check");
    await page.waitForSelector("#play-proof:not([hidden])");
    console.log(`    ${await page.locator("#check-result").textContent()}`);
    await page.click("#play-proof button");
    await page.waitForSelector("#table .cell");
    await pieces(1);
    await page.locator(".grid .play").first().click();
    await pieces(3);
  });
  await step("every page in Indonesian", async () => {
    await go("/");
    await page.click('.languages button[value="id"]');
    await page.waitForFunction(() => document.documentElement.lang === "id");
    for (const path of ["/analysis/?game=othello&moves=f5", "/laboratory/", "/atlas/tictactoe-4x4x4/", "/me/", "/lobby/", "/puzzles/", "/studies/", "/rules/"]) {
      await go(path);
      await page.waitForFunction(() => document.documentElement.lang === "id" && document.documentElement.classList.contains("scripts"));
    }
    await page.evaluate(() => localStorage.setItem("papan-language", "en"));
  });
  await step("the page is isolated, so that a search can be interrupted", async () => {
    await go("/");
    assert.equal(await page.evaluate(() => globalThis.crossOriginIsolated), true);
  });
  await step("the site can be installed, and has the book", async () => {
    const devtools = await context.newCDPSession(page);
    const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors");
    // The contexts of Playwright are incognito.
    const errors = installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito");
    assert.deepEqual(errors, []);
    await page.goto(`${address}/book/javascript.html`);
    await page.waitForSelector("main h1");
  });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  const before = requests.length;
  await step("without the server everything still works", async () => {
    await newGame("computer", () => page.selectOption("#level", "10"));
    await play("5", 2);
    await newGame("computer", () => page.check('input[name="game"][value="othello"]'));
    await play("f5", 6);
    await go("/atlas/tictactoe-4x4x4/");
    await page.click("#check");
    await page.waitForSelector("#play-proof:not([hidden])");
    await go("/analysis/?game=tictactoe:9x9:5&moves=41+42&strategy=engine");
    await page.waitForSelector("#opinion");
    await go("/puzzles/");
    await page.waitForSelector("#today");
    await go("/rules/othello/");
    assert.equal(requests.length, before);
  });
  assert.deepEqual(faults, []);
} finally {
  await browser.close();
  server.close();
}
