// Screenshots of the main pages, for the documentation.
//
//   node crates/web/browser/screenshots.mjs FOLDER [BINARY]

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { launch, startServer } from "./harness.mjs";

const [folder = "pictures", binary = "target/release/papan"] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });

const server = await startServer(binary);
process.on("uncaughtException", async (error) => {
  console.error(error);
  await server.stop("SIGKILL");
  process.exit(1);
});
const browser = await launch();
const wide = { width: 1100, height: 800 };
const phone = { width: 360, height: 740 };

async function picture(name, path, { viewport = wide, colorScheme = "light", locale = "en", before } = {}) {
  const context = await browser.newContext({ viewport, colorScheme, locale });
  const page = await context.newPage();
  await page.goto(server.address + path);
  await before?.(page);
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  await context.close();
}

const computer = async (page) => {
  await page.click('button[value="computer"]');
  await page.waitForSelector("#table");
  await page.click("#cell-5");
  await page.waitForSelector(".cell .o");
};
const othello = async (page) => {
  await page.click('input[value="othello"]');
  await page.click(".more summary");
  await page.fill("#clock", "5m");
  await page.click('button[value="screen"]');
  for (const mv of ["f5", "d6", "c3", "d3", "c4", "f4"]) {
    await page.click(`#cell-${mv}`);
    await page.waitForSelector(`#cell-${mv} .last`);
  }
};

await picture("home", "/");
await picture("home-dark-phone", "/", { viewport: phone, colorScheme: "dark", locale: "id" });
await picture("othello", "/", { before: othello });
await picture("othello-dark-phone", "/", { viewport: phone, colorScheme: "dark", before: othello });
await picture("computer", "/", { before: computer });
await picture("why", "/", {
  before: async (page) => {
    await computer(page);
    await page.click("text=Why?");
  },
});
await picture("invitation", "/", {
  before: async (page) => {
    await page.click('button[value="friend"]');
    await page.waitForSelector("#invite-link");
  },
});
await picture("explain", "/analysis?game=tictactoe&moves=5+1&strategy=greedy");
await picture("cube", "/analysis?game=tictactoe:3x3x3&moves=14+1");
const game = "f5d6c4d3c2f4e6e7f7f6g5g6g4c5d7c6h5c8b5d8f8e8";
await picture("review", `/review?game=othello&moves=${game}&ply=13`, {
  before: (page) => page.waitForFunction(() => !document.querySelector("progress"), null, { timeout: 120000 }),
});
const position = "--------------------------XOX-----XXX------OX-------------------";
await picture("setup", `/analysis/setup?game=othello&start=${position}+O`);
await picture("laboratory", "/laboratory", { viewport: phone });
const trace = "/trace?game=tictactoe&moves=1+5+9+3&strategy=alphabeta&shown=9&step=40";
await picture("trace", trace);
await picture("trace-dark-phone", trace, { viewport: phone, colorScheme: "dark" });

await browser.close();
await server.stop();
