// Scenarios: analysis, position editor, review.

import { expect, phone, status } from "../harness.mjs";

export default {
  async "the analysis deepens while it is watched, and follows to the next position"({ browser, server }) {
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${server.address}/analysis?game=othello&moves=f5d6c3`);
    const began = Date.now();
    await page.click("#live");
    await page.waitForSelector("#live-panel:not([hidden])", { timeout: 20000 });
    console.log(`  first line of analysis after ${Date.now() - began} ms`);
    await page.waitForSelector(".cell .chosen");
    const first = await page.textContent("#live-text");
    await page.waitForFunction((first) => document.getElementById("live-text").textContent !== first, first, { timeout: 20000 });
    await page.click("#walk-prev");
    await page.waitForURL(/ply=2/);
    await page.waitForSelector("#live-panel:not([hidden])", { timeout: 20000 });
    expect((await page.getAttribute("#live", "aria-pressed")) === "true", "it follows");
    await page.click("#live");
    expect((await page.getAttribute("#live", "aria-pressed")) === "false", "it is stopped");
    expect(await page.isVisible("#live-lines li"), "the results stay");
  },

  async "a position is set up by clicking, with and without scripts"({ browser, server }) {
    for (const javaScriptEnabled of [true, false]) {
      const page = await (await browser.newContext({ javaScriptEnabled, viewport: phone })).newPage();
      await page.goto(`${server.address}/analysis?game=othello`);
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
      await page.waitForURL((url) => url.pathname === "/analysis");
      await status(page, "Black to move");
      expect((await page.locator("a.cell").count()) === 4, "the four first moves of Othello");
      if (javaScriptEnabled) expect(await page.evaluate(() => window.kept), "no page was loaded anew");
    }
  },

  async "analysis is walked back, forth and aside, by links and by arrow keys"({ browser, server }) {
    for (const javaScriptEnabled of [true, false]) {
      const page = await (await browser.newContext({ javaScriptEnabled })).newPage();
      await page.goto(`${server.address}/analysis?game=othello&moves=f5d6c3`);
      await page.click("#walk-prev");
      await page.waitForURL(/ply=2/);
      await page.click("#walk-prev");
      await page.waitForURL(/ply=1/);
      expect((await page.locator(".move-list a").count()) === 3, "the line is kept");
      await page.click("#cell-f6");
      await page.waitForSelector("text=2. d6 c3");
      await page.click("text=2. d6 c3");
      await page.waitForSelector("text=2. f6");
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
      await page.click('form[action="/import"] button');
      await page.waitForURL(/game=tictactoe&moves=5/);
    }
  },

  async "a review is walked from mistake to mistake, and along its curve"({ browser, server }) {
    for (const javaScriptEnabled of [true, false]) {
      const page = await (await browser.newContext({ javaScriptEnabled })).newPage();
      await page.goto(`${server.address}/review?game=tictactoe&moves=5+2+1+9+7+3`);
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
      await page.waitForURL((url) => url.pathname === "/analysis" && url.searchParams.get("ply") === "1");
      await page.waitForSelector("#cell-1 .chosen");
      if (javaScriptEnabled) expect(await page.evaluate(() => window.kept), "no page was loaded anew");
    }
  },
};
