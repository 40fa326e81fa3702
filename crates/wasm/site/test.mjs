// Visits the static site with Chromium: node test.mjs SITE [SCREENSHOTS [PART OF A STEP'S NAME]]. A plain file
// server serves it below a path; then the server is gone. The scenarios of `papan serve` that need no server
// run as well.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import assert from "node:assert/strict";

import { accessible as checkAccessible, launch } from "../../web/browser/harness.mjs";
import { everywhere as playing } from "../../web/browser/scenarios/play.mjs";
import { everywhere as studying } from "../../web/browser/scenarios/study.mjs";
import { everywhere as tracing } from "../../web/browser/scenarios/trace.mjs";
import { everywhere as training } from "../../web/browser/scenarios/trainer.mjs";
import { serve } from "./file_server.mjs";

const [folder, screenshots, wanted = ""] = process.argv.slice(2);

/**
 * Bound of the time for which a search holds the worker after it was stopped, in milliseconds: less than the rest of
 * the search, also on a busy machine. docs/benchmarks has the measured time.
 */
const STOP_LIMIT = 500;

const site = await serve(folder);
const { requests } = site;
const address = site.address.replace(/\/$/, "");
const browser = await launch();
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
  if (!name.includes(wanted)) return;
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

/** How long the worker takes to answer after its search was stopped: by a button, or by a later call. */
async function freeAfter(button) {
  return page.evaluate(
    async ({ worker, button }) => {
      const { call, overtake } = await import(worker);
      const began = performance.now();
      if (button) document.getElementById(button).click();
      else overtake();
      await call("memory");
      return performance.now() - began;
    },
    { worker: await worker(), button },
  );
}

/** Prints the times, and fails if none of them is within the bound. */
function soon(what, times) {
  const shown = times.map((time) => time.toFixed(1)).join(", ");
  console.log(`    ${what}: the worker is free after ${shown} ms`);
  assert.ok(Math.min(...times) < STOP_LIMIT, `${what}: ${shown}`);
}

/** The address of the script that the pages share, which calls the worker. */
const worker = () => page.evaluate(() => new URL("engine_worker.js", document.querySelector('link[rel="modulepreload"]').href).href);

const pieces = (least) => page.waitForFunction((least) => document.querySelectorAll(".grid .mark, .grid .disc").length >= least, least);
const status = (text) => page.waitForFunction((text) => document.getElementById("status")?.textContent.includes(text), text);

const accessible = (name) => checkAccessible(page, name);

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
    const times = [];
    for (let visitor = 0; visitor < 3; visitor += 1) {
      const fresh = await browser.newContext({ locale: "en-GB" });
      const first = await fresh.newPage();
      const started = performance.now();
      await first.goto(site.address);
      await first.waitForSelector("html.scripts");
      await first.click('button[value="computer"]');
      await first.locator("#cell-5.play").click();
      await first.waitForSelector(".grid .mark");
      times.push(Math.round(performance.now() - started));
      await fresh.close();
    }
    console.log(`    first move after ${times.join(", ")} ms`);
    await newGame("computer");
    await page.locator("#cell-5.play").click();
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
    const stopped = [];
    for (let round = 0; round < 3; round += 1) {
      // In the middle of a pass.
      await page.waitForSelector("#live[aria-pressed=true]");
      await page.waitForTimeout(1000);
      stopped.push(await freeAfter("live"));
      await page.click("#live");
    }
    await page.click("#live");
    soon("live analysis", stopped);
  });
  await step("an evaluation, a review and the computer's move stop for what the visitor does next", async () => {
    await go("/");
    assert.equal(await page.evaluate(() => globalThis.crossOriginIsolated), true, "the service worker isolates pages");
    const address = "/analysis?game=gomoku&moves=h8+i9+j10+g7&strategy=engine";
    const overtaken = async (method, args) => {
      const times = [];
      for (let round = 0; round < 3; round += 1) {
        await page.evaluate(async ({ worker, method, args }) => {
          const { call } = await import(worker);
          await call("memory");
          globalThis.searched = call(method, args);
          await new Promise((resolve) => setTimeout(resolve, 400));
        }, { worker: await worker(), method, args });
        times.push(await freeAfter());
        // It has the best answer so far.
        await page.evaluate(() => globalThis.searched);
      }
      soon(`${method} of ${args.address ?? args.id}`, times);
    };
    await page.evaluate(async ({ worker, address }) => (await import(worker)).call("prepare", { address }), { worker: await worker(), address });
    await overtaken("request", { address });
    await overtaken("request", { address: "/review?game=gomoku&moves=h8+i9+j10+g7+h9+h10+i10" });
    const saved = { id: "slow", game: "gomoku", players: ["human", "engine"], moves: ["h8"], version: 1, changed_at: 1 };
    await page.evaluate(async ({ worker, text }) => (await import(worker)).call("import", { text }), { worker: await worker(), text: JSON.stringify({ format: "papan-games", version: 1, games: [saved] }) });
    await overtaken("advance", { id: "slow" });
    // A stopped move is not played; asked again, the computer moves.
    const version = await page.evaluate(async (worker) => (await import(worker)).call("advance", { id: "slow" }), await worker());
    assert.equal(version, 2);
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
  for (const [slug, least] of [["tictactoe-7x7-5", 1], ["tictactoe-4x4x4", 2]]) {
    await step(`the browser checks the proof of ${slug} and plays against it`, async () => {
      await go("/atlas/");
      await accessible("atlas");
      await page.locator(`a[href*="${slug}"]`).click();
      await page.waitForSelector("html.scripts #check");
      const best = async () => [(await page.locator("#best b").textContent()).split(" "), await page.locator(".grid .premove").count()];
      await page.waitForSelector("#best:not([hidden])");
      const [known, marked] = await best();
      assert.ok(known.length >= 1 && marked === known.length, `${known}: ${marked} marked`);
      assert.ok(await page.locator("#no-best").isHidden());
      await page.click("#check");
      await page.waitForSelector("#play-proof:not([hidden])");
      console.log(`    ${await page.locator("#check-result").textContent()} Best: ${known.join(" ")}`);
      await accessible(slug);
      // The moves of the loaded proof are those that the build wrote down.
      assert.deepEqual((await best())[0], known);
      await page.click("#play-proof button");
      await page.waitForSelector("#table .cell");
      // Where the first player wins, the proof begins.
      await pieces(least - 1);
      await page.locator(".grid .play").first().click();
      await pieces(least + 1);
    });
  }
  await step("a solved board's own strategy is offered before anything was checked", async () => {
    const fresh = await browser.newContext({ locale: "en-GB" });
    const first = await fresh.newPage();
    await first.goto(site.address);
    await first.waitForSelector("html.scripts");
    await first.click(".more summary");
    await first.fill("#other-game", "tictactoe:4x8");
    await first.dispatchEvent("#other-game", "change");
    await first.waitForFunction(() => document.querySelector('select[data-role="opponent"] option[value="alphabeta"]').disabled);
    assert.equal(await first.evaluate(() => document.querySelector('select[data-role="opponent"] option[value="perfect"]').disabled), false);
    await first.selectOption('select[data-role="opponent"]', "perfect");
    await first.click('button[value="computer"]');
    await first.locator("#cell-1.play").click();
    await first.waitForFunction(() => document.querySelectorAll(".grid .mark").length === 2);
    await fresh.close();
  });
  await step("an unknown address leads home", async () => {
    for (const path of ["/nowhere", "/no/such/page/"]) {
      const unknown = await context.newPage();
      await unknown.goto(address + path);
      await unknown.click("a[href]");
      await unknown.waitForSelector("html.scripts #home-form");
      assert.equal(unknown.url(), site.address);
      await unknown.close();
    }
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
  for (const [name, scenario] of Object.entries({ ...playing, ...studying, ...tracing, ...training })) {
    await step(name, async () => {
      await scenario({ browser, server: site });
      for (const other of browser.contexts()) if (other !== context) await other.close();
    });
  }
  site.leave();
  const before = requests.length;
  await step("without the server everything still works", async () => {
    await newGame("computer", () => page.selectOption("#level", "10"));
    await play("5", 2);
    const game = page.url();
    await newGame("computer", () => page.check('input[name="game"][value="othello"]'));
    await play("f5", 6);
    await page.goto(game);
    await page.waitForSelector("html.scripts #table");
    await pieces(2);
    await go("/atlas/tictactoe-4x4x4/");
    await page.click("#check");
    await page.waitForSelector("#play-proof:not([hidden])");
    await go("/analysis/?game=tictactoe:9x9:5&moves=41+42&strategy=engine");
    await page.waitForSelector("#opinion");
    await page.fill("#study-name", "Offline");
    await page.click("#save-study button");
    await page.waitForSelector("text=Offline");
    await go("/review/?game=tictactoe&moves=1+2+5+3+9");
    await page.waitForFunction(() => document.querySelector("#progress:not([data-reload])") && document.querySelector(".judged .mistake"));
    await go("/trace/?game=tictactoe&moves=1+5+9+3&strategy=alphabeta&step=5");
    await page.waitForSelector(".tree svg");
    await go("/proof/?game=tictactoe&strategy=branch-and-bound&as=second");
    await page.waitForFunction(() => document.querySelector("#progress:not([data-reload]) strong"));
    await go("/automaton/");
    await page.waitForSelector(".drawing svg");
    await go("/puzzles/");
    await page.waitForSelector("#today");
    await go("/rules/othello/");
    // A page of the book that was read before.
    await page.goto(`${address}/book/javascript.html`);
    await page.waitForSelector("main h1");
    // The browser itself asks for a newer service worker.
    assert.deepEqual(requests.slice(before).filter((path) => !path.endsWith("/sw.js")), []);
  });
  assert.deepEqual(faults, []);
} finally {
  await browser.close();
  site.close();
}
