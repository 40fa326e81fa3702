// Scenarios: one player against the computer, by mouse, keyboard and without scripts.

import { expect, newGame, phone, status } from "../harness.mjs";

export default {
  async "the board never moves during a game, and the list of moves follows it"({ browser, server }) {
    for (const viewport of [phone, { width: 1280, height: 800 }]) {
      const page = await (await browser.newContext({ viewport })).newPage();
      await newGame(page, server.address, "screen", (page) => page.click('input[value="othello"]'));
      const top = () => page.evaluate(() => document.querySelector(".grid").getBoundingClientRect().top + scrollY);
      const before = await top();
      for (const cell of ["f5", "d6", "c3"]) {
        await page.click(`#cell-${cell}`);
        await page.waitForSelector(`#cell-${cell} .last`);
      }
      await page.waitForSelector(".opening");
      for (let moves = 4; moves < 40; moves++) {
        const pass = page.locator('button[value="pass"]');
        await ((await pass.count()) ? pass : page.locator(".cell.play").first()).click();
        await page.waitForFunction((moves) => document.querySelectorAll(".move-list li").length === moves, moves);
      }
      expect((await top()) === before, `the board moved from ${before} to ${await top()}`);
      const seen = await page.evaluate(() => {
        const list = document.querySelector(".move-list").getBoundingClientRect();
        const current = document.querySelector(".move-list [aria-current]").getBoundingClientRect();
        return current.top >= list.top - 1 && current.bottom <= list.bottom + 1;
      });
      expect(seen, "the current move is not in the visible part of the list");
      await page.context().close();
    }
  },

  async "the whole of a game works without scripts"({ browser, server }) {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await newGame(page, server.address, "computer");
    await page.click("#cell-5");
    // The page reloads itself until the computer has moved.
    await page.waitForSelector(".cell .o", { timeout: 15000 });
    await page.fill("#typed-move", "nonsense");
    await page.click(".typed button");
    expect((await page.textContent("[role=alert]")).includes("nonsense"), "the mistake is named");
    await page.goBack();
    await page.click("text=Take back");
    await page.waitForFunction(() => true);
    expect((await page.locator(".cell .mark").count()) === 0, "the moves were taken back");
    await page.click("text=Hint");
    expect((await page.locator(".cell .chosen").count()) === 1, "the hint is on the board");
    await page.click("text=Back to the game");
    await page.click("text=Resign");
    await page.click("text=Yes, resign");
    expect((await page.textContent("#status")).includes("O wins"), "resigning loses");
  },

  async "the keyboard alone plays: arrows, Enter, typed squares"({ browser, server }) {
    const page = await (await browser.newContext()).newPage();
    await newGame(page, server.address, "screen", (page) => page.click('input[value="othello"]'));
    await page.focus("#cell-a1");
    for (const key of ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight"]) {
      await page.keyboard.press(key);
    }
    for (let row = 0; row < 4; row++) await page.keyboard.press("ArrowDown");
    expect((await page.evaluate(() => document.activeElement.id)) === "cell-f5", "arrows lead to f5");
    await page.keyboard.press("Enter");
    await status(page, "White to move");
    expect((await page.getAttribute("#cell-e5", "aria-label")).includes("flipped"), "a flipped disc is announced");
    await page.fill("#typed-move", "d6");
    await page.keyboard.press("Enter");
    await status(page, "Black to move");
  },

  async "what is typed is neither lost to news nor to an answer that is late"({ browser, server }) {
    const context = await browser.newContext();
    const page = await context.newPage();
    await newGame(page, server.address, "screen", (page) => page.click('input[value="othello"]'));
    // The stream of events tells of the move long before the answer to it arrives.
    let late = 2;
    await page.route("**/moves", async (route) => {
      const response = await route.fetch();
      if (late-- > 0) await new Promise((resolve) => setTimeout(resolve, 1000));
      await route.fulfill({ response });
    });
    await page.click("#cell-f5");
    await status(page, "White to move");
    await page.fill("#typed-move", "d6");
    await page.keyboard.press("Enter");
    await status(page, "Black to move");
    expect((await page.inputValue("#typed-move")) === "", "a move that was made leaves the field");
    // Half a move is typed when the other one's arrives from elsewhere.
    await page.fill("#typed-move", "c");
    const elsewhere = await context.newPage();
    await elsewhere.goto(page.url());
    await elsewhere.click("#cell-c3");
    await status(page, "White to move");
    expect((await page.inputValue("#typed-move")) === "c", "news took away what was typed");
    await page.fill("#typed-move", "a1");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".complaint");
    expect((await page.inputValue("#typed-move")) === "a1", "what was refused can be mended");
  },

  async "a hint, a walk or a lost line does not end the following of a game"({ browser, server }) {
    const context = await browser.newContext();
    const page = await context.newPage();
    await newGame(page, server.address, "computer");
    await page.click("text=Hint");
    await page.waitForSelector(".cell .chosen");
    await page.click("#cell-5");
    await page.waitForSelector(".cell .o", { timeout: 15000 });
    await status(page, "Your turn");
    const moves = () => page.locator(".move-list li").count();
    expect((await moves()) === 2, "the answer came by itself");
    await page.click("#walk-prev");
    await status(page, "After move 1");
    await page.click("#walk-last");
    await status(page, "Your turn");
    // Offline: nothing is lost silently, and the page comes back by itself.
    await context.setOffline(true);
    const free = await page.locator(".cell.play").first().getAttribute("id");
    await page.click(`#${free}`);
    await page.waitForSelector(".complaint");
    await page.waitForSelector("#connection:not([hidden])");
    await context.setOffline(false);
    await page.waitForSelector("#connection", { state: "hidden", timeout: 20000 });
    await page.click(`#${free}`);
    await page.waitForFunction(() => document.querySelectorAll(".move-list li").length >= 3);
  },
};
