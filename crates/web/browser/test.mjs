// Real browsers play against `papan serve`.
//
//   node crates/web/browser/test.mjs [BINARY [PART OF A SCENARIO'S NAME]]
//
// `setup.sh` installs what this needs. Every scenario has a server of its own.

import { accessible, expect, fits, launch, startServer } from "./harness.mjs";
import { startPostgres, startProxy } from "./many_machines.mjs";

const binary = process.argv[2] ?? "target/release/papan";
const phone = { width: 360, height: 640 };

/** Makes a game from the home page and waits for its table. */
async function newGame(page, address, mode, choose = async () => {}) {
  await page.goto(address);
  await choose(page);
  await page.click(`button[value="${mode}"]`);
  await page.waitForSelector("#table");
}

async function status(page, text) {
  await page.waitForFunction(
    (text) => document.getElementById("status")?.textContent.includes(text),
    text,
    { timeout: 15000 },
  );
}

const scenarios = {
  async "two browsers play each other by an invitation that leaves the address bar"({ browser, server }) {
    const ann = await (await browser.newContext()).newPage();
    const bob = await (await browser.newContext()).newPage();
    const eve = await (await browser.newContext()).newPage();
    await newGame(ann, server.address, "friend");
    const link = await ann.inputValue("#invite-link");
    await bob.goto(link);
    await bob.click("main .primary");
    await bob.waitForSelector("#table");
    expect(!bob.url().includes("/join/"), "the secret is still in the address bar");
    await status(ann, "Your turn");
    await eve.goto(ann.url());
    for (const [who, cell] of [[ann, 1], [bob, 4], [ann, 2], [bob, 5]]) {
      await status(who, "Your turn");
      await who.click(`#cell-${cell}`);
    }
    await status(ann, "Your turn");
    await ann.click("#cell-3");
    for (const page of [ann, bob, eve]) await status(page, "X wins");
    expect((await eve.locator(".won").count()) === 3, "the watcher sees the winning line");
    await ann.click("text=Rematch");
    await bob.waitForSelector("text=Accept");
    await bob.click("text=Accept");
    // The rematch takes both there, and leaves the watcher where they are.
    const next = (url) => url.pathname.startsWith("/games/") && url.href !== eve.url();
    await Promise.all([ann.waitForURL(next), bob.waitForURL(next)]);
    expect(ann.url() === bob.url(), "both are at the same game");
    await status(bob, "Your turn");
  },

  async "a lost connection is resumed from the last event seen"({ browser, server }) {
    const context = await browser.newContext();
    const ann = await context.newPage();
    await newGame(ann, server.address, "screen");
    const watcher = await (await browser.newContext()).newPage();
    await watcher.goto(ann.url());
    await ann.click("#cell-1");
    await watcher.waitForSelector("#cell-1 .x");
    // The server goes away and comes back: what happened meanwhile is caught up.
    const { port, data } = server;
    await server.stop("SIGKILL", { keep: true });
    await new Promise((resolve) => setTimeout(resolve, 500));
    const again = await startServer(binary, { data, port });
    server.stop = (...args) => again.stop(...args);
    const page = await context.newPage();
    await page.goto(ann.url());
    await page.click("#cell-5");
    await page.waitForSelector("#cell-5 .o");
    await watcher.waitForSelector("#cell-5 .o", { timeout: 20000 });
    await ann.waitForSelector("#cell-5 .o", { timeout: 20000 });
  },

  async "two browsers play through two servers, and one server falls in the middle"({ browser }) {
    // Whatever was started ends again, the last first.
    const started = [];
    const start = async (what) => {
      started.unshift(await what);
      return started[0];
    };
    try {
      const { url } = await start(startPostgres());
      const options = ["--database", url];
      const falls = await start(startServer(binary, { options }));
      const stays = await start(startServer(binary, { options }));
      const proxy = await start(startProxy([falls.port, stays.port]));
      const ann = await (await browser.newContext()).newPage();
      const bob = await (await browser.newContext()).newPage();
      await newGame(ann, proxy.address, "friend");
      const link = await ann.inputValue("#invite-link");
      expect(link.startsWith(proxy.address), `the invitation leads to ${link}`);
      await bob.goto(link.replace(proxy.address, stays.address));
      await bob.click("main .primary");
      await bob.waitForSelector("#table");
      for (const [who, cell] of [[ann, 1], [bob, 4]]) {
        await status(who, "Your turn");
        await who.click(`#cell-${cell}`);
      }
      await ann.waitForSelector("#cell-4 .o");
      await ann.evaluate(() => (window.kept = true));
      await falls.stop("SIGKILL");
      // Ann's page is the same, her next move goes through the other server.
      await status(ann, "Your turn");
      await ann.click("#cell-2");
      await status(bob, "Your turn");
      await bob.click("#cell-5");
      // Bob's move reaches her through a stream that was opened anew.
      await ann.waitForSelector("#cell-5 .o", { timeout: 30000 });
      await ann.click("#cell-3");
      for (const page of [ann, bob]) await status(page, "X wins");
      expect(await ann.evaluate(() => window.kept), "the page was loaded again");
    } finally {
      for (const one of started) await one.stop("SIGKILL");
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
        await page.fill("#import-game", "tictactoe");
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
    await look("proof");
    await page.goto(`${server.address}/automaton`);
    await look("automaton");
    for (const name of ["lobby", "me", "puzzles"]) {
      await page.goto(`${server.address}/${name}`);
      await look(name);
    }
    await page.click(".puzzles a");
    await page.waitForSelector(".grid");
    await look("a puzzle");
    await page.goto(`${server.address}/analysis?game=tictactoe:20x20:5&moves=113`);
    await look("the largest board");
    await page.goto(`${server.address}/nowhere`);
    await look("nowhere");
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

  async "two people meet in the lobby; a move is made ahead, and who is here is seen"({ browser, server }) {
    const ann = await (await browser.newContext()).newPage();
    const bob = await (await browser.newContext()).newPage();
    await newGame(ann, server.address, "lobby");
    await ann.waitForTimeout(300);
    await bob.goto(`${server.address}/lobby`);
    await bob.click('.game-list button:has-text("Join the game")');
    await bob.waitForSelector("#table");
    await ann.waitForSelector('.presence[data-seat="second"][data-present="true"]', { timeout: 10000 });
    // Bob decides before Ann has moved.
    await bob.click("#cell-9");
    await bob.waitForSelector("#cell-9.premove");
    await status(ann, "Your turn");
    await ann.click("#cell-1");
    await ann.waitForSelector("#cell-9 .o", { timeout: 10000 });
    const stops = await ann.locator('.cell[tabindex="0"]').count();
    expect(stops === 1, `${stops} stops for Tab on the board`);
    expect((await ann.textContent("#spoken")).includes("O plays 9"), "the last move is spoken");
    expect((await ann.title()).startsWith("●"), "the title says whose turn it is");
    await bob.click("#greet-hello");
    await ann.waitForSelector('#greeting:has-text("Hello!")');
    await ann.click("text=Offer a draw");
    await bob.click("text=Accept");
    await status(ann, "A draw");
    await bob.close();
    await ann.waitForSelector('.presence[data-seat="second"][data-present="false"]', { timeout: 10000 });
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
    await newGame(page, server.address, "computer");
    await page.click("#cell-5");
    await status(page, "Your turn");
    expect(hosts.size === 1, `asked ${[...hosts]}`);
    expect(problems.length === 0, problems.join("\n"));
    console.log(`  first page: ${first} bytes, usable after ${timing.toFixed(0)} ms`);
    expect(first < 64 * 1024, `${first} bytes`);
    // Measured beside other work; the goal on a quiet machine is 200 ms.
    expect(timing < 2000, `${timing} ms`);
  },
};

const browser = await launch();
let failed = 0;
for (const [name, scenario] of Object.entries(scenarios)) {
  if (!name.includes(process.argv[3] ?? "")) continue;
  const server = await startServer(binary);
  const began = Date.now();
  try {
    await scenario({ browser, server });
    console.log(`ok     ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED ${name}\n${error.stack ?? error}`);
  } finally {
    for (const context of browser.contexts()) await context.close();
    await server.stop("SIGKILL");
  }
}
await browser.close();
console.log(failed ? `${failed} failed` : `all ${Object.keys(scenarios).length} scenarios passed`);
process.exit(failed ? 1 : 0);
