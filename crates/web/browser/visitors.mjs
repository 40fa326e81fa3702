// Processor time of a server for each visitor, with and without the engine for browsers (`cargo xtask engine`):
//
//   node crates/web/browser/visitors.mjs BINARY [VISITORS [ENGINE]]
//
// A visitor plays a game of Othello against level 3 for ten moves with two hints, scores five positions, and
// reviews a game of eight moves.

import { readFileSync } from "node:fs";

import { launch, newGame, startServer } from "./harness.mjs";

const [binary = "target/release/papan", visitors = "3", engine = "target/engine"] = process.argv.slice(2);

/** User and system time of a process so far, in seconds (proc(5); a tick is 10 ms). */
function cpu(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function visit(browser, address) {
  const context = await browser.newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  await newGame(page, address, "computer", async (page) => {
    await page.click('input[value="othello"]');
    await page.selectOption("#level", "3");
    await page.check('input[name="seat"][value="first"]', { force: true });
  });
  for (let move = 0; move < 5; move += 1) {
    if (move === 1 || move === 3) {
      await page.click('a[href*="show=hint"]');
      await page.waitForSelector("section.study");
      await page.click("#now");
      await page.waitForFunction(() => !document.querySelector("section.study"));
    }
    const count = await page.locator(".grid .disc").count();
    await page.locator(".grid .play").first().click();
    await page.waitForFunction((count) => document.querySelectorAll(".grid .disc").length >= count + 2 && document.querySelector(".grid .play"), count);
  }
  await page.goto(`${address}/analysis?game=othello&moves=f5d6c3d3c4&ply=1&strategy=engine`);
  await page.waitForSelector("#opinion");
  for (let ply = 2; ply <= 5; ply += 1) {
    await page.click("#walk-next");
    await page.waitForFunction((ply) => (location.search.includes(`ply=${ply}`) || ply === 5) && document.getElementById("opinion"), ply);
  }
  await page.goto(`${address}/review?game=othello&moves=f5d6c3d3c4f4f6f3`);
  await page.waitForSelector("#progress:not([data-reload])");
  await context.close();
}

const browser = await launch();
for (const options of [[], ["--engine", engine]]) {
  const server = await startServer(binary, { options: [...options, "--studies-per-second", "1000"] });
  // Weights are unpacked once, by whoever comes first.
  await visit(browser, server.address);
  const before = cpu(server.pid);
  for (let count = 0; count < Number(visitors); count += 1) await visit(browser, server.address);
  const each = (cpu(server.pid) - before) / Number(visitors);
  console.log(`${options.length ? "with" : "without"} the engine for browsers: ${each.toFixed(2)} s of server time for each visitor`);
  await server.stop();
}
await browser.close();
