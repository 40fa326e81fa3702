// Scenarios: puzzles, studies, second tries, appearance.

import { accessible, expect, fits, phone, status } from "../harness.mjs";

/** Plays the solution, which a link of the page has; a wrong move comes first. */
async function solve(page) {
  const link = new URL(await page.getAttribute("#solution", "href"), "http://localhost").searchParams;
  const moves = link.get("moves").split(" ").slice(Number(link.get("ply")));
  const cells = await page.$$eval(".grid .cell.play", (cells) => cells.map((cell) => cell.value));
  const wrong = cells.find((cell) => cell !== moves[0]);
  await page.click(`[id="cell-${wrong}"]`);
  await status(page, "Try again");
  for (const [at, move] of moves.entries()) {
    if (at % 2) continue;
    await page.click(`[id="cell-${move}"]`);
    await status(page, at + 1 < moves.length ? "Right" : "Solved");
  }
}

export default {
  async "a puzzle is played move by move, with and without scripts"({ browser, server }) {
    for (const javaScriptEnabled of [true, false]) {
      const page = await (await browser.newContext({ javaScriptEnabled })).newPage();
      // The smallest board: its right moves are soon found.
      await page.goto(`${server.address}/puzzles/next?game=tictactoe`);
      expect((await page.textContent("#status")).includes("to move"), "the task is said");
      await solve(page);
      await status(page, "Solved");
      await page.click("#next-puzzle");
      await page.waitForSelector(".grid .cell.play");
      await page.goto(`${server.address}/puzzles`);
      expect(/of 1\./.test(await page.textContent("#puzzle-rating")), "one result is kept");
    }
  },

  async "the new pages are accessible and fit a phone"({ browser, server }) {
    const page = await (await browser.newContext({ viewport: phone })).newPage();
    for (const path of ["/puzzles", "/puzzles/next", "/rules", "/rules/gomoku", "/about", "/studies"]) {
      await page.goto(`${server.address}${path}`);
      await accessible(page, path);
      await fits(page, path);
    }
  },

  async "a line of the analysis is shown on a small board, and saved as a study"({ browser, server }) {
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${server.address}/analysis?game=othello&moves=f5d6c3`);
    expect((await page.$$("#book a")).length > 1, "book moves are listed");
    await page.click("#live");
    await page.waitForSelector("#live-lines [data-preview]", { timeout: 20000 });
    await page.click("#live");
    await page.hover("#live-lines [data-preview]");
    await page.waitForFunction(() => document.getElementById("live-preview").naturalWidth > 0);
    await page.fill("#study-name", "A tiger");
    await page.click("#save-study button");
    await page.waitForSelector("text=A tiger");
  },

  async "moves pasted on any page are analysed"({ browser, server }) {
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${server.address}/about`);
    await page.evaluate(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", "1. f5 d6 2. c3 d3");
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
    });
    await page.waitForURL(/analysis\?game=othello&moves=f5d6c3d3/);
  },

  async "colours and confirmation are chosen once"({ browser, server }) {
    const page = await (await browser.newContext({ viewport: phone, colorScheme: "light" })).newPage();
    await page.goto(server.address);
    const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await paper();
    await page.click(".settings summary");
    await page.selectOption("#set-theme", "dark");
    expect((await paper()) !== light, "the page is dark");
    await page.check('[data-setting="confirm"]');
    await page.reload();
    expect((await paper()) !== light, "it stays dark");
    await page.goto(`${server.address}/puzzles/next?game=gomoku`);
    const before = await page.textContent("#status");
    await page.click(".grid .cell.play");
    expect((await page.textContent("#status")) === before, "a tap places nothing");
    await page.click(".confirm .button");
    await page.waitForFunction((before) => document.getElementById("status").textContent !== before, before);
  },
};
