// Scenarios: analysis, position editor, review.

import { expect, phone, status, visit } from "../harness.mjs";

/** They run against the static site as well. */
export const everywhere = {
  async "the board stays where it is while a review is stepped through and scores appear"({ browser, server }) {
    for (const [locale, viewport] of [["en", { width: 1280, height: 800 }], ["id", phone]]) {
      const page = await (await browser.newContext({ locale, viewport })).newPage();
      const top = () => page.locator(".grid").first().evaluate((grid) => grid.getBoundingClientRect().top + scrollY);
      await visit(page, server.url("/review?game=tictactoe&moves=5+2+1+9+7+3&ply=0"));
      await page.waitForFunction(() => document.querySelector(".mistake") && !document.querySelector("progress"));
      const before = await top();
      for (let step = 1; step <= 6; step += 1) {
        await page.click("#walk-next");
        await page.waitForURL((url) => url.searchParams.get("ply") === (step < 6 ? String(step) : null));
        expect((await top()) === before, `the board of the review moves at step ${step} (${locale})`);
      }
      await visit(page, server.url("/analysis?game=othello&moves=f5d6c3"));
      const still = await top();
      await page.click("#scores");
      await page.waitForSelector(".cell .chosen");
      expect((await top()) === still, `the scores move the board (${locale})`);
    }
  },

  async "settings hold on every step of an analysis, and moves are not confirmed in the editor"({ browser, server }) {
    const page = await (await browser.newContext()).newPage();
    await visit(page, server.url("/analysis?game=gomoku&moves=h8+i9+j10"));
    await page.check('[data-setting="numbers"]');
    await page.click("#walk-prev");
    await page.waitForURL(/ply=2/);
    expect(await page.isChecked('[data-setting="numbers"]'), "move numbers are still chosen");
    await page.evaluate(() => localStorage.setItem("papan-confirm", "on"));
    await visit(page, server.url("/analysis/setup?game=othello"));
    await page.click("#cell-a1");
    await page.waitForSelector("#cell-a1 .black");
  },

  async "a game under way, or a page on which no game was pasted, is not left"({ browser, server }) {
    const page = await (await browser.newContext()).newPage();
    const paste = (text) =>
      page.evaluate((text) => {
        const data = new DataTransfer();
        data.setData("text/plain", text);
        document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
      }, text);
    await visit(page, server.address);
    await paste("see route b12 on page 3");
    await page.waitForTimeout(700);
    expect(server.path(page.url()) === "/", "words are no game");
    await page.click('button[value="screen"]');
    await page.waitForSelector("#table");
    const game = page.url();
    await paste("f5d6c3d3c4");
    await page.waitForTimeout(700);
    expect(page.url() === game, "the game is not left");
  },

  async "the analysis deepens while it is watched, and follows to the next position"({ browser, server }) {
    const page = await (await browser.newContext()).newPage();
    await visit(page, server.url("/analysis?game=othello&moves=f5d6c3"));
    const began = Date.now();
    await page.click("#live");
    await page.waitForSelector("#live-lines li", { timeout: 20000 });
    console.log(`  first line of analysis after ${Date.now() - began} ms`);
    await page.waitForSelector(".cell .chosen");
    const first = await page.textContent("#live-text");
    await page.waitForFunction((first) => document.getElementById("live-text").textContent !== first, first, { timeout: 20000 });
    await page.click("#walk-prev");
    await page.waitForURL(/ply=2/);
    await page.waitForSelector("#live-lines li", { timeout: 20000 });
    expect((await page.getAttribute("#live", "aria-pressed")) === "true", "it follows");
    await page.click("#live");
    expect((await page.getAttribute("#live", "aria-pressed")) === "false", "it is stopped");
    expect(await page.isVisible("#live-lines li"), "the results stay");
  },

  async "a position is set up by clicking, with and without scripts"({ browser, server }) {
    for (const javaScriptEnabled of server.scripts) {
      const page = await (await browser.newContext({ javaScriptEnabled, viewport: phone })).newPage();
      await visit(page, server.url("/analysis?game=othello"));
      if (javaScriptEnabled) await page.evaluate(() => (window.kept = true));
      await page.click("text=Set up a position");
      await page.click("#setup-clear");
      await status(page, "centre squares are never empty");
      await page.check("#piece-O");
      for (const cell of ["d4", "e5", "d5"]) {
        await page.click(`#cell-${cell}`);
        await page.waitForSelector(`#cell-${cell} .white`);
      }
      if (javaScriptEnabled) {
        // Faster than the server answers: nothing is lost.
        await page.evaluate(() => {
          for (const cell of ["a1", "h1", "a8", "h8"]) document.getElementById(`cell-${cell}`).click();
        });
        await page.waitForFunction(() => document.querySelectorAll(".cell .white").length === 7);
        for (const cell of ["a1", "h1", "a8", "h8"]) {
          await page.click(`#cell-${cell}`);
          await page.waitForSelector(`#cell-${cell}:not(:has(.disc))`);
        }
      }
      // The keyboard puts pieces as well, and the focus stays where it was.
      await page.focus("#cell-e4");
      await page.keyboard.press("Enter");
      await page.waitForSelector("#cell-e4 .white");
      if (javaScriptEnabled) {
        expect((await page.evaluate(() => document.activeElement.id)) === "cell-e4", "the focus stays");
        expect((await page.textContent("#spoken")).includes("over here"), "what became of it is spoken");
      }
      await page.click("#setup-analyse");
      await page.waitForSelector("[role=alert]");
      await status(page, "game is over here: White wins 4 to 0");
      expect((await page.locator(".cell .disc").count()) === 4, "what was set up is kept");
      await page.check("#piece-X");
      for (const cell of ["e4", "d5"]) {
        await page.click(`#cell-${cell}`);
        await page.waitForSelector(`#cell-${cell} .black`);
      }
      await page.check("#turn-O");
      if (javaScriptEnabled) await status(page, "White to move");
      await page.check("#turn-X");
      await page.click("#setup-analyse");
      await page.waitForURL((url) => server.path(url) === "/analysis");
      await status(page, "Black to move");
      expect((await page.locator("a.cell").count()) === 4, "the four first moves of Othello");
      if (javaScriptEnabled) expect(await page.evaluate(() => window.kept), "no page was loaded anew");
    }
  },

  async "analysis is walked back, forth and aside, by links and by arrow keys"({ browser, server }) {
    for (const javaScriptEnabled of server.scripts) {
      const page = await (await browser.newContext({ javaScriptEnabled })).newPage();
      await visit(page, server.url("/analysis?game=othello&moves=f5d6c3"));
      await page.click("#walk-prev");
      await page.waitForURL(/ply=2/);
      await page.click("#walk-prev");
      await page.waitForURL(/ply=1/);
      expect((await page.locator(".move-list a").count()) === 3, "the line is kept");
      await page.click("#cell-f6");
      await page.waitForSelector(".branch");
      expect((await page.textContent(".move-tree")).replace(/\s+/g, " ").trim() === "1. f5 f6 2. d6 c3", "a tree");
      await page.click(".branch >> text=d6");
      await page.waitForSelector(".branch >> text=f6");
      await page.click(".note summary");
      await page.fill("#note-name", "Diagonal");
      await page.fill("#note-text", "The usual answer");
      await page.click(".note button");
      await page.waitForSelector("#comment");
      expect((await page.textContent("#comment")) === "Diagonal: The usual answer", "the position has a name");
      expect((await page.textContent(".position-name")) === "Diagonal", "and the tree shows it");
      expect((await page.getAttribute("#cell-d6", "aria-label")).includes("last move"), "where the lines part");
      if (javaScriptEnabled) {
        await page.evaluate(() => document.activeElement.blur());
        await page.keyboard.press("ArrowRight");
        await page.waitForSelector("#cell-c3 .last");
        await page.keyboard.press("ArrowLeft");
        await page.waitForSelector("#cell-d6 .last");
        await page.goBack();
        await page.waitForSelector("#cell-c3 .last");
      }
      await page.click("#scores");
      await page.waitForSelector(".cell .chosen");
      await page.click("#walk-prev");
      await page.waitForSelector(".cell .chosen", { timeout: 15000 });
      if (javaScriptEnabled) {
        const record = "papan record 1\ngame: tictactoe\nfirst: a\nsecond: b\nmoves: 5 1\nresult: unfinished\n";
        const file = { name: "game.papan", mimeType: "text/plain", buffer: Buffer.from(record) };
        await page.setInputFiles("#import-file", file);
        await page.waitForFunction(() => document.getElementById("import-text").value.includes("5 1"));
      } else {
        await page.selectOption("#pick-game", "tictactoe");
        await page.click(".game-picker button");
        await page.fill("#import-text", "5 1");
      }
      await page.click('form[action*="import"] button');
      await page.waitForURL(/game=tictactoe&moves=5/);
    }
  },

  async "a review is walked from mistake to mistake, and along its curve"({ browser, server }) {
    for (const javaScriptEnabled of server.scripts) {
      const page = await (await browser.newContext({ javaScriptEnabled })).newPage();
      await visit(page, server.url("/review?game=tictactoe&moves=5+2+1+9+7+3"));
      await page.waitForSelector("#walk-mistake-back", { timeout: 20000 });
      if (javaScriptEnabled) await page.evaluate(() => (window.kept = true));
      await page.click("#walk-first");
      await page.waitForURL(/ply=0/);
      await page.click("#walk-mistake-on");
      await status(page, "2. O 2: mistake: draw → X wins. Better: 1");
      expect((await page.locator("#cell-1 .chosen").count()) === 1, "the better move is marked");
      await page.locator(".curve .touch").nth(3).click();
      await status(page, "3. X 1: good");
      await page.click("#move-2");
      await status(page, "2. O 2");
      await page.click("main .primary");
      await page.waitForURL((url) => server.path(url) === "/analysis" && url.searchParams.get("ply") === "1");
      await page.waitForSelector("#cell-1 .chosen");
      if (javaScriptEnabled) expect(await page.evaluate(() => window.kept), "no page was loaded anew");
    }
  },
};

export default everywhere;
