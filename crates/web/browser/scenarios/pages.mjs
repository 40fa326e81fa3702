// Scenarios: languages, accessibility, sizes, requests.

import { accessible, expect, fits, newGame, phone, status } from "../harness.mjs";

/** Returns the lines along a row of pixels of a screenshot, without the frame: the colours of each. */
async function linesAlong({ png, scale, from, length, down }) {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
  context.drawImage(image, 0, 0);
  const [x, y] = from.map((at) => Math.round(at * scale));
  const count = Math.floor(length * scale);
  const { data } = context.getImageData(x, y, down ? 1 : count, down ? count : 1);
  // In steps of 8: a tile of the screen may differ by one level.
  const pixels = Array.from({ length: count }, (_, at) => [...data.slice(4 * at, 4 * at + 3)].map((level) => level >> 3).join());
  const counts = new Map();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const field = [...counts].sort((one, two) => two[1] - one[1])[0][0];
  const text = pixels.map((pixel) => (pixel === field ? " " : `(${pixel})`)).join("");
  return text.slice(text.indexOf(" "), text.lastIndexOf(" ")).split(/ +/).filter(Boolean);
}

export default {
  async "a phone shows every game, and all pages of the menu"({ browser, server }) {
    const page = await (await browser.newContext({ viewport: phone })).newPage();
    await page.goto(server.address);
    for (const selector of [".card", ".top nav a"]) {
      const boxes = await page.locator(selector).evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
      expect(boxes.length >= 3, `${boxes.length} ${selector}`);
      for (const box of boxes) {
        expect(box.left >= 0 && box.right <= phone.width, `${selector} from ${box.left} to ${box.right}`);
        expect(box.height >= 44, `${selector} is ${box.height} high`);
      }
    }
    // Sizes and rules of the chosen game only.
    await page.click('input[value="gomoku"]');
    expect((await page.locator(".board-of:visible").count()) === 1, "one list of boards");
    await page.selectOption("#board-gomoku", "renju");
    await page.click('button[value="screen"]');
    await page.waitForSelector("#table");
    expect((await page.textContent("h1")) === "Renju", "the rule is the chosen one");
  },

  async "all lines of a board are equally wide, at any size"({ browser, server }) {
    for (const width of [360, 801, 1280]) {
      const page = await (await browser.newContext({ viewport: { width, height: 800 } })).newPage();
      for (const game of ["tictactoe", "tictactoe:4x4x4", "othello", "gomoku", "gomoku:20x20"]) {
        await page.goto(`${server.address}/analysis?game=${game}`);
        const steps = await page.evaluate(() => {
          const cells = [...document.querySelectorAll(".grid-row")[0].querySelectorAll(".cell")];
          const lefts = cells.map((cell) => cell.getBoundingClientRect().left);
          const widths = cells.map((cell) => cell.getBoundingClientRect().width);
          return [...new Set([...lefts.slice(1).map((left, at) => left - lefts[at]), ...widths.map((width) => -width)])];
        });
        const whole = steps.every((step) => Math.abs(step - Math.round(step)) < 0.01);
        expect(steps.length === 2 && whole, `${game} at ${width}: steps and widths ${steps}`);
      }
      await page.context().close();
    }
  },

  async "lines between cells have one width and one colour, on any screen"({ browser, server }) {
    const painter = await (await browser.newContext()).newPage();
    for (const deviceScaleFactor of [1, 1.1, 1.25, 1.5, 2, 2.625]) {
      const viewport = { width: 1280, height: 800 };
      const page = await (await browser.newContext({ viewport, deviceScaleFactor })).newPage();
      for (const [game, columns] of [["tictactoe", 3], ["tictactoe:4x4x4", 4], ["othello", 8], ["gomoku", 15]]) {
        await page.goto(`${server.address}/analysis?game=${game}`);
        const { x, y, width, height } = await page.locator(".grid").first().boundingBox();
        const png = (await page.screenshot()).toString("base64");
        // Through the second row, above its pieces, and through the second column.
        const rows = [0, 1].map((down) => ({
          from: down ? [x + (1.2 * width) / columns, y] : [x, y + (1.2 * height) / columns],
          length: down ? height : width,
          down,
        }));
        for (const row of rows) {
          const lines = await painter.evaluate(linesAlong, { png, scale: deviceScaleFactor, ...row });
          const what = `${game} at ${deviceScaleFactor}, ${row.down ? "down" : "across"}`;
          expect(lines.length === (game === "gomoku" ? columns : columns - 1), `${what}: ${lines.length} lines`);
          expect(new Set(lines).size === 1, `${what}: ${[...new Set(lines)].join("; ")}`);
        }
      }
      await page.context().close();
    }
  },

  async "numbers of cells are shown on request"({ browser, server }) {
    const page = await (await browser.newContext()).newPage();
    const shown = () => page.locator(".grid .name:visible").count();
    const puzzle = await fetch(`${server.address}/puzzles/next?game=tictactoe`, { headers: { accept: "text/html" } });
    const paths = ["/analysis?game=tictactoe&moves=5+1", "/analysis?game=tictactoe:3x3x3", "/review?game=tictactoe&moves=5+1+2&ply=1", new URL(puzzle.url).pathname];
    for (const path of paths) {
      await page.goto(server.address + path);
      expect((await shown()) === 0, `${path} shows numbers`);
    }
    await page.check('[data-setting="cells"]');
    expect((await shown()) > 0, "the numbers appear");
    for (const path of paths) {
      await page.goto(server.address + path);
      expect((await shown()) > 0, `${path} does not remember the choice`);
    }
    await newGame(page, server.address, "screen", (page) => page.click('input[value="tictactoe"]'));
    expect((await shown()) === 9, "a game shows them as well");
    await page.uncheck('[data-setting="cells"]');
    expect((await shown()) === 0, "and hides them");
  },

  async "the board is the largest thing on the page of a game"({ browser, server }) {
    for (const [viewport, share] of [[phone, 0.85], [{ width: 1280, height: 800 }, 0.65]]) {
      const page = await (await browser.newContext({ viewport })).newPage();
      await newGame(page, server.address, "computer", (page) => page.click('input[value="othello"]'));
      const box = await page.locator(".grid").boundingBox();
      const side = Math.min(viewport.width, viewport.height);
      expect(box.width >= share * side, `a board of ${box.width} in a window of ${side}`);
      expect(box.y + box.height <= viewport.height, `the board ends at ${box.y + box.height}`);
      await page.context().close();
    }
  },

  async "both languages, by the browser's wish and by the switch"({ browser, server }) {
    const context = await browser.newContext({ locale: "id-ID" });
    const page = await context.newPage();
    await page.goto(server.address);
    expect((await page.textContent("h1")) === "Main permainan papan", "Indonesian by wish");
    await page.click('button[value="en"]');
    expect((await page.textContent("h1")) === "Play a board game", "English by the switch");
    await newGame(page, server.address, "screen");
    await page.click('button[value="id"]');
    await status(page, "Giliran X");
  },

  async "every page is accessible, in light and dark, and fits a small screen"({ browser, server }) {
    const context = await browser.newContext({ viewport: phone });
    const page = await context.newPage();
    const look = async (name) => {
      await accessible(page, name);
      await fits(page, name);
    };
    await page.goto(server.address);
    await look("home");
    await newGame(page, server.address, "friend");
    await look("a game that waits");
    const link = await page.inputValue("#invite-link");
    const other = await (await browser.newContext({ viewport: phone })).newPage();
    await other.goto(link);
    await accessible(other, "invitation");
    await newGame(page, server.address, "screen", (page) => page.click('input[value="othello"]'));
    await page.click("#cell-f5");
    await status(page, "White to move");
    await look("othello");
    await newGame(page, server.address, "computer", async (page) => {
      // The page remembers the game before.
      await page.check('input[value="tictactoe"]');
      await page.click(".more summary");
      await page.fill("#clock", "5m");
    });
    await page.click("#cell-5");
    await status(page, "Your turn");
    await look("against the computer");
    await page.click("text=Why?");
    await look("why");
    await page.goto(`${server.address}/analysis?game=tictactoe&moves=5+2&strategy=greedy`);
    await look("analysis");
    await page.goto(`${server.address}/analysis?game=othello&moves=f5f6&others=f5d6c3`);
    await look("analysis of several lines");
    await page.goto(`${server.address}/analysis/setup?game=othello`);
    await look("setting up");
    await page.goto(`${server.address}/analysis/setup?game=tictactoe:3x3x3&start=XX${"-".repeat(25)}+X&do=analyse`);
    await look("setting up what cannot be");
    await page.goto(`${server.address}/analysis?game=tictactoe:3x3x3&moves=14`);
    await look("a cube");
    await page.goto(`${server.address}/analysis?game=tictactoe:15x15:5&moves=113`);
    await look("a large board");
    await page.goto(`${server.address}/review?game=tictactoe&moves=5+2+1`);
    await page.waitForSelector(".mistake");
    await look("review");
    await page.goto(`${server.address}/laboratory`);
    await look("laboratory");
    await page.goto(`${server.address}/proof?game=tictactoe&strategy=random&as=second`);
    await page.waitForSelector(".move-list");
    expect((await page.locator(".grid").count()) === 1, "the result has the board of the lost game");
    await look("proof");
    await page.goto(`${server.address}/automaton`);
    await look("automaton");
    await page.goto(`${server.address}/trace?game=tictactoe&moves=1+5+9+3&strategy=alphabeta&step=60&open=2`);
    await look("trace");
    await page.goto(`${server.address}/trace?game=tictactoe&moves=5+2&strategy=greedy&step=5`);
    await look("trace of scores");
    await page.goto(`${server.address}/trace?game=othello&strategy=alphabeta(depth=2)&predict=1`);
    await look("prediction");
    for (const name of ["lobby", "me", "puzzles"]) {
      await page.goto(`${server.address}/${name}`);
      await look(name);
    }
    await page.click("#today");
    await page.waitForSelector(".grid");
    await look("a puzzle");
    await page.goto(`${server.address}/analysis?game=tictactoe:20x20:5&moves=113`);
    await look("the largest board");
    await page.goto(`${server.address}/nowhere`);
    await look("nowhere");
  },

  async "boards have one measure, whatever their size"({ browser, server }) {
    for (const viewport of [phone, { width: 1280, height: 800 }]) {
      const page = await (await browser.newContext({ viewport })).newPage();
      await page.goto(server.address);
      const start = await page.locator('button[value="computer"]').first().boundingBox();
      expect(start.y + start.height <= Math.max(viewport.height, 740), "the start is on the first screen");
      await page.goto(`${server.address}/analysis?game=tictactoe:4x4x4`);
      const widths = await page.locator(".grid").evaluateAll((grids) => grids.map((grid) => grid.clientWidth));
      expect(Math.max(...widths) - Math.min(...widths) <= 1, `levels of ${widths}`);
      await page.goto(`${server.address}/analysis?game=tictactoe:20x20:5`);
      const cells = await page.locator(".cell").evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().top));
      const rows = [...new Set(cells)].sort((a, b) => a - b);
      const steps = rows.slice(1).map((top, row) => top - rows[row]);
      const width = await page.locator(".cell").first().evaluate((cell) => cell.getBoundingClientRect().width);
      expect(rows.length === 20 && Math.max(...steps) <= width + 1, `rows ${Math.max(...steps)} apart, cells of ${width}`);
      await page.goto(`${server.address}/analysis?game=tictactoe:50x3:3`);
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      expect(height < 4000, `a narrow board is ${height} high`);
    }
  },

  async "pages ask nothing from another host, and the first is small and quick"({ browser, server }) {
    const context = await browser.newContext();
    const page = await context.newPage();
    const hosts = new Set();
    const problems = [];
    let bytes = 0;
    page.on("request", (request) => hosts.add(new URL(request.url()).host));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("requestfinished", async (request) => {
      const sizes = await request.sizes().catch(() => null);
      if (sizes) bytes += sizes.responseBodySize + sizes.responseHeadersSize;
    });
    await page.goto(server.address, { waitUntil: "load" });
    await page.waitForTimeout(300);
    const first = bytes;
    const timing = await page.evaluate(() => performance.getEntriesByType("navigation")[0].domInteractive);
    await newGame(page, server.address, "computer", (page) => page.click('input[value="othello"]'));
    await page.waitForTimeout(300);
    bytes = 0;
    await page.click("#cell-f5");
    await page.waitForFunction(() => document.querySelectorAll(".move-list li").length === 2);
    await page.waitForTimeout(300);
    const move = bytes;
    expect(hosts.size === 1, `asked ${[...hosts]}`);
    expect(problems.length === 0, problems.join("\n"));
    console.log(`  first page: ${first} bytes, usable after ${timing.toFixed(0)} ms; a move and its reply: ${move} bytes`);
    expect(first <= 25 * 1024, `the first page has ${first} bytes`);
    expect(move > 0 && move <= 8 * 1024, `a move and its reply have ${move} bytes`);
  },
};
