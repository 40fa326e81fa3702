// Scenarios: one player against the computer, by mouse, keyboard and without scripts.

import { expect, newGame, phone, status, visit } from "../harness.mjs";

/** They run against the static site as well. */
export const everywhere = {
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

  async "a sound says that it is your turn, unless it is off"({ browser, server }) {
    const page = await (await browser.newContext()).newPage();
    // What is played, as the browser hears it.
    await page.addInitScript(() => {
      globalThis.tones = 0;
      globalThis.AudioContext = class {
        currentTime = 0;
        destination = {};
        createOscillator() {
          return { frequency: {}, connect: (to) => to, start: () => (globalThis.tones += 1), stop() {} };
        }
        createGain() {
          return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect: (to) => to };
        }
      };
    });
    const answered = (moves) => page.waitForFunction((moves) => document.querySelectorAll(".move-list li").length === moves, moves);
    await newGame(page, server.address, "computer");
    await page.click("#cell-5");
    await answered(2);
    expect((await page.evaluate(() => globalThis.tones)) === 1, "the reply of the computer is heard");
    await page.click("#sound");
    expect((await page.getAttribute("#sound", "aria-pressed")) === "false", "the sound is off");
    await page.locator(".cell.play").first().click();
    await answered(4);
    expect((await page.evaluate(() => globalThis.tones)) === 1, "silence");
    // It stays off in the next game; switching it on is heard.
    await newGame(page, server.address, "computer");
    expect((await page.getAttribute("#sound", "aria-pressed")) === "false", "it stays off");
    await page.click("#sound");
    expect((await page.evaluate(() => globalThis.tones)) === 1, "it is tried when it is switched on");
  },
};

export default {
  ...everywhere,

  async "pieces are placed and discs turn, unless motion is reduced or switched off"({ browser, server }) {
    for (const [reducedMotion, isSwitchedOff, placed, turned] of [
      ["no-preference", false, "place", "turn"],
      ["no-preference", true, "none", "none"],
      ["reduce", false, "none", "none"],
    ]) {
      const page = await (await browser.newContext({ reducedMotion })).newPage();
      await newGame(page, server.address, "screen", (page) => page.click('input[value="othello"]'));
      if (isSwitchedOff) {
        await page.click(".settings summary");
        await page.uncheck('[data-setting="still"]');
      }
      await page.click("#cell-f5");
      await page.waitForSelector("#cell-f5.placed");
      const animation = (cell) => page.locator(`${cell} .disc`).evaluate((disc) => getComputedStyle(disc).animationName);
      const seen = [await animation("#cell-f5.placed"), await animation("#cell-e5.turned"), await animation("#cell-d4")];
      expect(seen.join() === [placed, turned, "none"].join(), `${reducedMotion}, ${isSwitchedOff}: ${seen}`);
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

  async "a game of two strategies is paused, and watched at a slower pace"({ browser, server }) {
    const page = await (await browser.newContext()).newPage();
    await newGame(page, server.address, "watch", async (page) => {
      await page.click('input[value="othello"]');
      await page.click(".more summary");
      await page.selectOption('select[data-role="first"]', "random");
      await page.selectOption('select[data-role="second"]', "random");
    });
    expect((await page.locator("#notify").count()) === 0, "a spectator has no turn");
    const shown = () =>
      page.evaluate(() => [...document.querySelectorAll(".move-list a")].findIndex((move) => move.hasAttribute("aria-current")) + 1);
    await page.waitForFunction(() => document.querySelectorAll(".move-list a").length >= 2);
    await page.click("#pause");
    const at = await shown();
    // The game goes on without the spectator.
    const path = new URL(page.url()).pathname;
    const moves = () =>
      page.evaluate(async (path) => (await (await fetch(path, { headers: { accept: "application/json" } })).json()).moves.length, path);
    while ((await moves()) < at + 3) await page.waitForTimeout(200);
    expect((await shown()) === at, "the position stays");
    // Then move by move, none is left out.
    await page.evaluate(() => {
      globalThis.seen = [];
      new MutationObserver(() => {
        const all = [...document.querySelectorAll(".move-list a")];
        const now = all.findIndex((move) => move.hasAttribute("aria-current")) + 1;
        if (globalThis.seen.at(-1) !== now) globalThis.seen.push(now);
      }).observe(document.getElementById("table"), { childList: true });
    });
    await page.click("#pause");
    await page.waitForFunction((at) => globalThis.seen.includes(at + 3), at);
    const seen = await page.evaluate(() => globalThis.seen);
    expect(seen.slice(0, 3).join() === [at + 1, at + 2, at + 3].join(), `${seen} after ${at}`);
    // At a slower pace the next move waits.
    await page.selectOption("#pace", "5");
    await page.click("#pause");
    await page.click("#walk-prev");
    expect((await page.getAttribute("#pause", "aria-pressed")) === "true", "who walks back pauses");
  },

  async "what is copied is said, and is on the clipboard"({ browser, server }) {
    const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
    const page = await context.newPage();
    const copyAll = async () => {
      const buttons = await page.locator("[data-copy]:visible").all();
      for (const button of buttons) {
        await button.click();
        const element = await button.elementHandle();
        await page.waitForFunction((button) => button.textContent === "✓ Copied", element);
        const [field, clipboard] = await button.evaluate(async (button) => [
          document.getElementById(button.dataset.copy).value,
          await navigator.clipboard.readText(),
        ]);
        expect(field && clipboard === field, `${clipboard} instead of ${field}`);
      }
      return buttons.length;
    };
    await newGame(page, server.address, "friend");
    expect((await copyAll()) === 2, "the invitation and the spectator's link");
    await page.goto(`${server.address}/analysis?game=gomoku&moves=h8+i9`);
    expect((await copyAll()) === 1, "the moves");
    await page.waitForFunction(() => document.querySelector("[data-copy]").textContent === "Copy");
    // Without a clipboard the text is selected, and the button says what to press.
    await page.evaluate(() => {
      Object.defineProperty(navigator, "clipboard", { value: undefined });
      document.execCommand = () => false;
    });
    await page.click("[data-copy]");
    await page.waitForFunction(() => document.querySelector("[data-copy]").textContent.includes("Ctrl+C"));
  },
};
