// Visits the static site with Chromium: node test.mjs SITE. A plain file server serves it below a
// path; then the server is gone.

import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { extname, join, normalize } from "node:path";
import assert from "node:assert/strict";

const [site] = process.argv.slice(2);
const PREFIX = "/some/path";
const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
const folder = process.env.PAPAN_BROWSER_DIR ?? join(cache, "papan", "browser");
const require = createRequire(join(folder, "package.json"));
const { chromium } = require("playwright-core");
const axe = require.resolve("axe-core/axe.min.js");

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".wasm": "application/wasm", ".webmanifest": "application/manifest+json" };

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
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
const context = await browser.newContext();
const page = await context.newPage();
page.setDefaultTimeout(60_000);
const faults = [];
page.on("pageerror", (error) => faults.push(String(error)));
page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
page.on("request", (request) => {
  if (!request.url().startsWith(address) && !request.url().startsWith("data:")) faults.push(`a request elsewhere: ${request.url()}`);
});

const step = async (name, work) => {
  const started = performance.now();
  await work();
  console.log(`ok  ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
};

const pieces = () => page.locator("#board svg .mark, #board svg .disc").count();

async function accessible(name) {
  const { readFileSync } = await import("node:fs");
  await page.evaluate(readFileSync(axe, "utf8"));
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 2).map(({ target }) => target)}`);
  assert.deepEqual(found, [], name);
}

async function playMove(cell, atLeast) {
  await page.locator(`#cell-${cell}.play`).click();
  await page.waitForFunction((count) => document.querySelectorAll("#board svg .mark, #board svg .disc").length >= count && document.querySelector("#board .play"), atLeast);
}

try {
  await step("the first visit plays a move", async () => {
    await page.goto(`${address}/`);
    await accessible("home");
    await page.getByRole("button", { name: "Play the computer" }).click();
    await page.waitForSelector("#board .play");
    await playMove("5", 2);
    assert.match(page.url(), /moves=5_\d/);
    await accessible("play");
  });
  await step("a link carries a whole game, in both languages", async () => {
    await page.goto(`${address}/id/play/?game=tictactoe&level=10&side=second&moves=5_1`);
    await page.waitForFunction(() => document.querySelectorAll("#board svg .mark").length === 3);
    assert.equal(await page.locator("html").getAttribute("lang"), "id");
  });
  await step("Othello fetches its weights when it is opened", async () => {
    assert.ok(!requests.some((path) => path.endsWith("othello.weights")));
    await page.goto(`${address}/play/?game=othello&level=4&side=first`);
    await page.waitForSelector("#board .play");
    await playMove("f5", 6);
    assert.ok(requests.some((path) => path.endsWith("othello.weights")));
  });
  await step("analysis deepens until it is stopped", async () => {
    await page.goto(`${address}/analysis/?game=tictactoe:15x15:5&moves=113_114`);
    await page.waitForFunction(() => document.querySelectorAll("#lines tr").length >= 3);
    await page.locator("#stop").click();
    await page.waitForSelector("#go:not([hidden])");
    await accessible("analysis");
  });
  await step("the browser checks the proof of 7x7:5", async () => {
    await page.goto(`${address}/atlas/`);
    await accessible("atlas");
    await page.locator('a[href*="tictactoe-7x7-5"]').click();
    await page.locator("#check").click();
    await page.waitForSelector("#proof:not([hidden])");
    const result = await page.locator("#result").textContent();
    assert.match(result, /holds/);
    console.log(`    ${result}`);
    await accessible("7x7:5");
  });
  await step("the browser checks the proof of 4x4x4 and plays against it", async () => {
    await page.goto(`${address}/atlas/tictactoe-4x4x4/`);
    await page.locator("#check").click();
    await page.waitForSelector("#proof:not([hidden])");
    console.log(`    ${await page.locator("#result").textContent()}`);
    await page.locator("#proof a").click();
    await page.waitForFunction(() => document.querySelectorAll("#board svg .mark").length === 1);
    await page.locator("#board .play").first().click();
    await page.waitForFunction(() => document.querySelectorAll("#board svg .mark").length === 3);
  });
  await step("the page is isolated, so that a search can be interrupted", async () => {
    await page.reload();
    assert.equal(await page.evaluate(() => globalThis.crossOriginIsolated), true);
  });
  await step("every page of both languages loads without an error", async () => {
    await page.goto(`${address}/`);
    const core = await page.evaluate(async () => (await (await caches.open((await caches.keys())[0])).keys()).map(({ url }) => url));
    const pages = core.filter((url) => url.endsWith("/index.html"));
    assert.ok(pages.length > 40, `${pages.length} pages`);
    for (const url of pages.filter((_, at) => at % 6 === 0)) {
      await page.goto(url.replace(/index\.html$/, ""));
      await page.waitForLoadState("networkidle");
    }
  });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  const before = requests.length;
  await step("without the server everything still works", async () => {
    for (const path of ["/", "/play/?game=tictactoe:4x4&level=2", "/play/?game=othello&level=5"]) {
      await page.goto(address + path);
    }
    await page.waitForSelector("#board .play");
    await playMove("f5", 6);
    await page.goto(`${address}/atlas/tictactoe-4x4x4/`);
    await page.locator("#check").click();
    await page.waitForSelector("#proof:not([hidden])");
    await page.goto(`${address}/id/analysis/?game=tictactoe:9x9:5&moves=41_42`);
    await page.waitForSelector("#lines tr");
    assert.equal(requests.length, before);
  });
  assert.deepEqual(faults, []);
} finally {
  await browser.close();
  server.close();
}
