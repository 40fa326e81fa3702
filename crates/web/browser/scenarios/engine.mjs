// Scenarios: the visitor's browser searches, so that the server does not. They need the engine for
// browsers (`cargo xtask engine`), in `PAPAN_ENGINE_DIR` or target/engine, and fail without it, unless
// `PAPAN_WITHOUT_ENGINE` says that it cannot be made here.

import { existsSync } from "node:fs";

import { accessible, expect, newGame, startServer } from "../harness.mjs";

const folder = process.env.PAPAN_ENGINE_DIR ?? "target/engine";

/** Runs `visit` with a server that has an engine; counts the requests that make a server search. */
async function withEngine({ browser, binary, breakEngine = false }, visit) {
  if (!existsSync(folder)) {
    const reason = `there is no ${folder}; make it with \`cargo xtask engine\``;
    expect(process.env.PAPAN_WITHOUT_ENGINE, reason);
    return reason;
  }
  const server = await startServer(binary, { options: ["--engine", folder] });
  try {
    const page = await (await browser.newContext()).newPage();
    const searches = [];
    const faults = [];
    page.on("request", (request) => {
      const address = request.url().slice(server.address.length);
      const isSearch = /[?&]show=(hint|why)|\/analysis\/live/.test(address) || ("x-papan-compute" in request.headers() && /strategy=|^\/(review|trace|proof)\?/.test(address));
      if (isSearch) searches.push(address);
    });
    page.on("pageerror", (error) => faults.push(String(error)));
    if (breakEngine) await page.route("**/papan_bg.wasm", (route) => route.abort());
    await visit({ page, searches, address: server.address });
    expect(faults.length === 0, `no script fails: ${faults}`);
  } finally {
    await server.stop("SIGKILL");
  }
}

/** A hint, an explanation, scored positions, a live analysis, a review and a proof. */
async function askEverything(page, address) {
  await newGame(page, address, "computer", (page) => page.check('input[name="seat"][value="first"]'));
  await page.locator("#cell-5.play").click();
  await page.waitForFunction(() => document.querySelectorAll(".grid .mark").length === 2);
  await page.click("text=Hint");
  await page.waitForSelector("#study-title");
  await page.waitForSelector(".cell .chosen");
  await page.click("#now");
  await page.locator('a[href*="show=why"]').click();
  await page.locator("section.study details:has(.reasons) > summary").first().click();
  await page.waitForSelector("section.study .reasons");
  await accessible(page, "a hint of the browser's engine");

  await page.goto(`${address}/analysis?game=tictactoe:4x4&moves=1+6&strategy=engine`);
  await page.waitForSelector("#opinion");
  for (let count = 0; count < 3; count += 1) {
    const before = page.url();
    await page.locator("a.cell").first().click();
    await page.waitForFunction((before) => location.href !== before && document.getElementById("opinion"), before);
  }
  await page.click("#live");
  await page.waitForSelector("#live-panel li");
  await page.locator("#live-lines span").first().hover();
  await page.waitForFunction(() => document.getElementById("live-preview").naturalWidth > 0);

  await page.goto(`${address}/review?game=tictactoe&moves=1+2+5+3+9`);
  await page.waitForFunction(() => document.querySelector("#progress:not([data-reload])") && document.querySelector(".judged .mistake"));
  await page.goto(`${address}/laboratory`);
  await page.click("section[aria-labelledby=lab-prove] button");
  await page.waitForFunction(() => document.querySelector("#progress:not([data-reload]) strong"));
}

export default {
  async "where the server has an engine for browsers, it searches nothing"({ browser, binary }) {
    return withEngine({ browser, binary }, async ({ page, searches, address }) => {
      await askEverything(page, address);
      expect(searches.length === 0, `the server was asked to search: ${searches}`);
      expect(await page.evaluate(() => globalThis.crossOriginIsolated), "a search can be interrupted");
    });
  },

  async "the first line of an analysis does not wait for the engine, which takes over when it is here"({ browser, binary }) {
    return withEngine({ browser, binary }, async ({ page, searches, address }) => {
      let release;
      const held = new Promise((resolve) => (release = resolve));
      await page.route("**/papan_bg.wasm", async (route) => {
        await held;
        await route.continue();
      });
      // The engine is fetched when the page is opened.
      const fetched = page.waitForRequest("**/papan_bg.wasm");
      await page.goto(`${address}/analysis?game=othello&moves=f5d6c3`);
      await fetched;
      await page.click("#live");
      await page.waitForSelector("#live-lines li");
      expect(searches.length === 1, `the server searches meanwhile: ${searches}`);
      const ended = page.waitForEvent("requestfailed", { predicate: (request) => request.url().includes("/analysis/live"), timeout: 60000 });
      release();
      await ended;
      const text = await page.textContent("#live-text");
      await page.waitForFunction((text) => document.getElementById("live-text").textContent !== text, text, { timeout: 60000 });
      // The next position is the engine's from the beginning.
      await page.click("#walk-prev");
      await page.waitForURL(/ply=2/);
      await page.waitForSelector("#live-lines li");
      expect(searches.length === 1, `the server was asked again: ${searches}`);
    });
  },

  async "where the engine for browsers does not load, the server searches"({ browser, binary }) {
    return withEngine({ browser, binary, breakEngine: true }, async ({ page, searches, address }) => {
      await askEverything(page, address);
      expect(searches.length >= 6, `the server is asked: ${searches}`);
    });
  },

  async "without scripts the server searches, although it has an engine for browsers"({ browser, binary }) {
    return withEngine({ browser, binary }, async ({ address }) => {
      const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
      await page.goto(`${address}/analysis?game=tictactoe&moves=5&strategy=perfect`);
      await page.waitForSelector("#opinion");
      await page.goto(`${address}/review?game=tictactoe&moves=1+2+5+3+9`);
      await page.waitForSelector(".judged .mistake", { timeout: 20000 });
    });
  },
};
