// Scenarios: puzzles, studies, second tries, appearance.

import { accessible, expect, fits, newGame, phone, status, visit } from "../harness.mjs";

/** Plays the solution, which a link of the page has, after a wrong move if it errs. */
async function solve(page, { errs = false } = {}) {
  const link = new URL(await page.getAttribute("#solution", "href"), "http://localhost").searchParams;
  const moves = link.get("moves").split(" ").slice(Number(link.get("ply")));
  if (errs) {
    const cells = await page.$$eval(".grid .cell.play", (cells) => cells.map((cell) => cell.value));
    const wrong = cells.find((cell) => cell !== moves[0]);
    await page.click(`[id="cell-${wrong}"]`);
    await status(page, "Try again");
  }
  for (const [at, move] of moves.entries()) {
    if (at % 2) continue;
    await page.click(`[id="cell-${move}"]`);
    await status(page, at + 1 < moves.length ? "Right" : "Solved");
  }
}

/** They run against the static site as well. */
export const everywhere = {
  async "a puzzle is played move by move, with and without scripts"({ browser, server }) {
    for (const javaScriptEnabled of server.scripts) {
      const page = await (await browser.newContext({ javaScriptEnabled })).newPage();
      // The smallest board: its right moves are soon found.
      await visit(page, server.url("/puzzles/next?game=tictactoe"));
      expect((await page.textContent("#status")).includes("to move"), "the task is said");
      await solve(page, { errs: true });
      await page.click("#next-puzzle");
      await page.waitForSelector(".grid .cell.play");
      await visit(page, server.url("/puzzles"));
      const standing = async () => [await page.textContent("#puzzle-rating"), await page.textContent("#puzzle-streak")];
      const rating = async () => Number((await standing())[0].match(/rating: (\d+)/)[1]);
      expect((await standing())[0].includes("Solved 0 of 1."), `one result is kept: ${await standing()}`);
      const before = await rating();
      expect(before < 1200, `an error costs rating: ${before}`);
      // In one visit: puzzle after puzzle without an error.
      await visit(page, server.url("/puzzles/next?game=tictactoe"));
      for (let solved = 1; solved <= 2; solved += 1) {
        await solve(page);
        if (solved === 2) break;
        const here = page.url();
        await page.click("#next-puzzle");
        await page.waitForFunction((here) => location.href !== here && document.querySelector(".grid .cell.play"), here);
      }
      await visit(page, server.url("/puzzles"));
      const [solved, streak] = await standing();
      expect(solved.includes("Solved 2 of 3."), solved);
      expect(streak.includes("Streak: 2, best 2."), streak);
      expect((await rating()) > before, "solving raises the rating");
    }
  },

  async "the new pages are accessible and fit a phone"({ browser, server }) {
    const page = await (await browser.newContext({ viewport: phone })).newPage();
    for (const path of ["/puzzles", "/puzzles/next", "/rules", "/rules/gomoku", "/about", "/studies"]) {
      await visit(page, server.url(path));
      await accessible(page, path);
      await fits(page, path);
    }
  },

  async "a line of the analysis is shown on a small board, and saved as a study"({ browser, server }) {
    const page = await (await browser.newContext()).newPage();
    await visit(page, server.url("/analysis?game=othello&moves=f5d6c3"));
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
    await visit(page, server.url("/about"));
    await page.evaluate(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", "1. f5 d6 2. c3 d3");
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
    });
    await page.waitForURL(/analysis\/?\?game=othello&moves=f5d6c3d3/);
  },

  async "a tap on a small cell of a phone only chooses it"({ browser, server }) {
    const page = await (await browser.newContext({ viewport: phone, hasTouch: true, isMobile: true })).newPage();
    await newGame(page, server.address, "screen", (page) => page.tap('input[value="gomoku"]'));
    const top = () => page.evaluate(() => document.querySelector(".grid").getBoundingClientRect().top);
    const before = await top();
    await page.tap("#cell-h8");
    await page.waitForSelector("#cell-h8.chosen-cell");
    expect((await page.locator(".grid .disc").count()) === 0, "nothing is placed");
    // The finger was beside the cell it meant.
    await page.tap("#cell-h9");
    expect((await page.textContent(".confirm .button")) === "Play h9", "the button says where");
    expect((await page.locator(".chosen-cell").count()) === 1, "one cell is chosen");
    const bar = await page.locator(".confirm .button").boundingBox();
    expect(bar.height >= 44 && bar.y + bar.height <= phone.height, "a finger reaches the button");
    expect((await top()) === before, "the board does not move");
    await page.tap(".confirm .button");
    await page.waitForSelector("#cell-h9 .last");
    // Cells as large as a finger are played at once.
    await newGame(page, server.address, "screen", (page) => page.tap('input[value="tictactoe"]'));
    await page.tap("#cell-5");
    await page.waitForSelector("#cell-5 .last");
  },

  async "colours and confirmation are chosen once"({ browser, server }) {
    const page = await (await browser.newContext({ viewport: phone, colorScheme: "light" })).newPage();
    await visit(page, server.address);
    const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await paper();
    await page.click(".settings summary");
    await page.selectOption("#set-theme", "dark");
    expect((await paper()) !== light, "the page is dark");
    await page.selectOption("#set-confirm", "on");
    await visit(page, server.address);
    expect((await paper()) !== light, "it stays dark");
    await visit(page, server.url("/puzzles/next?game=gomoku"));
    const before = await page.textContent("#status");
    await page.click(".grid .cell.play");
    expect((await page.textContent("#status")) === before, "a tap places nothing");
    await page.click(".confirm .button");
    await page.waitForFunction((before) => document.getElementById("status").textContent !== before, before);
  },
};

export default {
  ...everywhere,

  async "numbers of cells pasted on any page, and moves pasted on the page of a finished or watched game, are analysed"({ browser, server }) {
    const page = await (await browser.newContext()).newPage();
    const paste = (page, text) =>
      page.evaluate((text) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData("text/plain", text);
        document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
      }, text);
    for (const [path, text, analysed] of [
      ["/puzzles", "5 1 9 3", /analysis\?game=tictactoe&moves=5/],
      ["/analysis?game=tictactoe:4x4", "1, 6, 11", /analysis\?game=tictactoe(:|%3A)4x4&moves=1/],
    ]) {
      await page.goto(server.address + path);
      await paste(page, text);
      await page.waitForURL(analysed);
    }
    // A game that is watched, and one that is over.
    await newGame(page, server.address, "screen", (page) => page.click('input[value="tictactoe"]'));
    const game = page.url();
    const watcher = await (await browser.newContext()).newPage();
    await watcher.goto(game);
    await paste(watcher, "5 1 9 3");
    await watcher.waitForURL(/analysis\?game=tictactoe/);
    for (const cell of [1, 4, 2, 5, 3]) {
      await page.click(`#cell-${cell}`);
      await page.waitForSelector(`#cell-${cell} .last`);
    }
    await page.waitForSelector('[data-over="true"]');
    await paste(page, "5 1 9 3");
    await page.waitForURL(/analysis\?game=tictactoe/);
  },

  async "easier and harder puzzles are asked for, and follow each other"({ browser, server }) {
    const page = await (await browser.newContext()).newPage();
    const rating = async () => Number(await page.textContent(".facts dd"));
    const open = async (name) => {
      await page.goto(`${server.address}/puzzles`);
      await page.click(`text=${name}`);
      await page.waitForSelector(".grid .cell.play");
      return rating();
    };
    const [easier, harder] = [await open("Easier"), await open("Harder")];
    expect(easier < 1100 && harder > 1300, `${easier} and ${harder} around 1200`);
    await page.click("#skip");
    await page.waitForURL(/difficulty=harder/);
    await solve(page);
    await page.waitForURL(/difficulty=harder/);
    const here = page.url();
    await page.click("#next-puzzle");
    await page.waitForFunction((here) => location.href !== here && document.querySelector(".grid .cell.play"), here);
    expect(page.url().includes("difficulty=harder") && (await rating()) > 1300, "the next one is hard as well");
  },
};
