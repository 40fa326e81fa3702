// Harness of the browser tests: a server, Chromium, axe-core.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";

const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
const folder = process.env.PAPAN_BROWSER_DIR ?? join(cache, "papan", "browser");
const require = createRequire(join(folder, "package.json"));
const { chromium } = require("playwright-core");
const axe = require.resolve("axe-core/axe.min.js");

/** Starts `papan serve` over a folder; without one, over a new folder. */
export async function startServer(binary, { data, port = 0, options = [] } = {}) {
  const own = data ?? mkdtempSync(join(tmpdir(), "papan-"));
  const args = ["serve", "--listen", `127.0.0.1:${port}`, "--data", own, "--log", "warn"];
  const process = spawn(binary, [...args, ...options], { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((resolve, reject) => {
    let text = "";
    process.stdout.on("data", (part) => {
      text += part;
      const found = text.match(/http:\/\/[^/]+/);
      if (found) resolve(found[0]);
    });
    process.on("exit", () => reject(new Error(`the server ended: ${text}`)));
  });
  return {
    address,
    /** Whether scenarios run with and without scripts. */
    scripts: [true, false],
    /** The URL of a page, and the page of a URL. */
    url: (path) => address + path,
    path: (url) => new URL(url).pathname,
    data: own,
    port: Number(new URL(address).port),
    pid: process.pid,
    async stop(signal = "SIGTERM", { keep = false } = {}) {
      if (process.exitCode === null && process.signalCode === null) {
        const ended = new Promise((resolve) => process.once("exit", resolve));
        process.kill(signal);
        await ended;
      }
      if (!keep) rmSync(own, { recursive: true, force: true });
    },
  };
}

/** Starts a long tournament with a live page. */
export async function startTournament(binary) {
  const args = ["arena", "othello", "--players", "alphabeta(depth=3),random", "--games", "2000", "--concurrency", "1", "--live", "127.0.0.1:0"];
  const process = spawn(binary, args, { stdio: ["ignore", "ignore", "pipe"] });
  const address = await new Promise((resolve, reject) => {
    let text = "";
    process.stderr.on("data", (part) => {
      text += part;
      const found = text.match(/http:\/\/[\d.:]+/);
      if (found) resolve(found[0]);
    });
    process.on("exit", () => reject(new Error(`the tournament ended: ${text}`)));
  });
  return { address, stop: () => process.kill("SIGKILL") };
}

export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/** Fails if axe-core finds anything on the page, in the light or in the dark. */
export async function accessible(page, name) {
  for (const colorScheme of ["light", "dark"]) {
    // Without motion: a colour on its way to another one is not what people read.
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // The page's policy allows no foreign script; the debugger may evaluate one.
    const source = (await import("node:fs")).readFileSync(axe, "utf8");
    await page.evaluate(source);
    const result = await page.evaluate(() => globalThis.axe.run());
    const found = result.violations.map((violation) => {
      const nodes = violation.nodes.slice(0, 3).map((node) => `${node.target}: ${node.failureSummary}`);
      return `${violation.id}: ${violation.help}\n    ${nodes.join("\n    ")}`;
    });
    if (found.length) throw new Error(`${name} (${colorScheme}):\n  ${found.join("\n  ")}`);
  }
  await page.emulateMedia({ colorScheme: "light", reducedMotion: null });
}

/** Fails if the page is wider than the screen. */
export async function fits(page, name) {
  const [content, screen] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  if (content > screen) throw new Error(`${name} is ${content} wide on a screen of ${screen}`);
}

export function expect(holds, what) {
  if (!holds) throw new Error(what);
}

export const phone = { width: 360, height: 740 };

/** Opens a page. The forms and links of the static site work when its scripts are here. */
export async function visit(page, address) {
  await page.goto(address);
  if (await page.locator("html[data-root]").count()) await page.waitForSelector("html.scripts");
}

/** Makes a game from the home page and waits for its table. */
export async function newGame(page, address, mode, choose = async () => {}) {
  await visit(page, address);
  await choose(page);
  await page.click(`button[value="${mode}"]`);
  await page.waitForSelector("#table");
}

export async function status(page, text) {
  await page.waitForFunction(
    (text) => document.getElementById("status")?.textContent.includes(text),
    text,
    { timeout: 15000 },
  );
}
