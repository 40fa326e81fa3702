// Scenarios: two players, one or two servers.

import { expect, newGame, phone, startServer, status } from "../harness.mjs";
import { startPostgres, startProxy } from "../many_machines.mjs";

/** Returns where an element is on the screen. */
async function place(page, selector) {
  const { x, y } = await page.locator(selector).first().boundingBox();
  return `${selector} ${x.toFixed(1)} ${y.toFixed(1)}`;
}

export default {
  async "an offer is acknowledged, and neither the board nor Resign moves"({ browser, server }) {
    for (const viewport of [phone, { width: 1280, height: 800 }]) {
      const ann = await (await browser.newContext({ viewport })).newPage();
      const bob = await (await browser.newContext({ viewport })).newPage();
      await newGame(ann, server.address, "friend");
      await bob.goto(await ann.inputValue("#invite-link"));
      await bob.click("main .primary");
      await status(ann, "Your turn");
      await ann.click("#cell-5");
      await status(bob, "Your turn");
      const places = async () => {
        const all = [];
        for (const page of [ann, bob]) {
          await page.evaluate(() => scrollTo(0, 0));
          all.push(await place(page, ".grid"), await place(page, "#resign"));
        }
        return all.join(", ");
      };
      const before = await places();
      await ann.click("#action-draw");
      await ann.waitForSelector("text=You offered a draw");
      const answer = bob.locator(".ask button").first();
      await answer.waitFor();
      const { y, height } = await answer.boundingBox();
      expect(y >= 0 && y + height <= viewport.height, `the answer is at ${y}, outside the window`);
      expect((await places()) === before, `${before} became ${await places()}`);
      await answer.click();
      await status(ann, "A draw");
      await ann.context().close();
      await bob.context().close();
    }
  },

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
    await status(ann, "You won. X wins.");
    await status(bob, "Good game. X wins.");
    await status(eve, "X wins.");
    expect(!(await eve.textContent("#status")).includes("Good game"), "the watcher has lost nothing");
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

  async "a lost connection is resumed from the last event seen"({ browser, server, binary }) {
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

  async "two browsers play through two servers, and one server falls in the middle"({ browser, binary }) {
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
};
