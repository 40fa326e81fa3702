// The pages that the checks of the design visit: each with what it takes to get there. All of them look
// the same every time: no clock, no engine with a time limit, no date.

import { expect, startTournament } from "./harness.mjs";

const othello = "f5d6c3d3c4f4f6";
const go = (path) => (page, address) => page.goto(address + path);

/** Starts a game of two people at one screen, and plays its moves. */
async function play(page, address, game, moves) {
  await page.goto(address);
  await page.click(`input[value="${game}"]`);
  await page.click('button[value="screen"]');
  await page.waitForSelector("#table");
  for (const mv of moves) {
    await page.click(`#cell-${mv}`);
    await page.waitForSelector(`#cell-${mv} .last`);
  }
}

/**
 * `board`: the board is the largest thing. `small`: what else the board may be, as in the laboratory.
 * `varies`: no picture is kept, because names or links differ; `hides`: a picture is kept without these
 * parts, which differ.
 */
export const visits = [
  { name: "home", visit: go("/") },
  {
    name: "home-more",
    visit: async (page, address) => {
      await page.goto(address);
      await page.click(".more summary");
    },
  },
  { name: "lobby", visit: go("/lobby") },
  {
    name: "lobby-challenges",
    visit: async (page, address) => {
      const context = await page.context().browser().newContext({ locale: "en" });
      page.context().once("close", () => context.close());
      const other = await context.newPage();
      await other.goto(address);
      await other.click('input[value="othello"]');
      await other.click('button[value="lobby"]');
      await other.waitForSelector("#invite-link");
      await page.goto(`${address}/lobby`);
      await page.waitForSelector(".game-list form");
    },
    varies: true,
  },
  { name: "me", visit: go("/me") },
  {
    name: "me-games",
    visit: async (page, address) => {
      await play(page, address, "othello", ["f5", "d6", "c3"]);
      await play(page, address, "tictactoe", ["1", "4", "2", "5", "3"]);
      await page.waitForSelector('[data-over="true"]');
      await page.goto(`${address}/me`);
      await page.waitForSelector(".game-list .mini");
    },
    varies: true,
  },
  { name: "puzzles", visit: go("/puzzles"), hides: "#today" },
  { name: "puzzle", visit: go("/puzzles/next?theme=win"), board: true },
  { name: "rules", visit: go("/rules") },
  { name: "rules-othello", visit: go("/rules/othello"), board: true },
  { name: "rules-gomoku", visit: go("/rules/gomoku"), board: true },
  { name: "about", visit: go("/about") },
  { name: "laboratory", visit: go("/laboratory") },
  { name: "analysis", visit: go(`/analysis?game=othello&moves=${othello}`), board: true },
  { name: "analysis-threats", visit: go("/analysis?game=gomoku&moves=h8+a1+i8+a3+j8+c5+c6"), board: true },
  {
    name: "analysis-tree",
    visit: go("/analysis?game=othello&moves=f5d6c3d3&ply=2&others=f5f6e6f4.f5d6c5.f5f4&notes=f5d6%3DDiagonal%7CThe+usual+answer"),
    board: true,
  },
  { name: "analysis-scores", visit: go("/analysis?game=tictactoe&moves=5+1&strategy=greedy"), board: true },
  { name: "analysis-cube", visit: go("/analysis?game=tictactoe:3x3x3&moves=14+1") },
  { name: "analysis-large", visit: go("/analysis?game=gomoku:20x20&moves=k10+l11"), board: true },
  {
    name: "analysis-live",
    visit: async (page, address) => {
      await page.goto(`${address}/analysis?game=tictactoe&moves=5+1`);
      await page.click("#live");
      await page.waitForSelector("#live-lines li");
      // Everything is proved at once.
      await page.waitForFunction(() => document.getElementById("live").getAttribute("aria-pressed") === "false");
    },
    board: true,
    hides: "#live-text",
  },
  {
    name: "import-error",
    visit: async (page, address) => {
      await page.goto(`${address}/analysis?game=othello`);
      await page.fill("#import-text", "no game at all");
      await page.click('form[action="/import"] button');
      await page.waitForSelector("#import-wrong");
    },
    board: true,
  },
  { name: "setup", visit: go("/analysis/setup?game=othello"), board: true },
  { name: "setup-wrong", visit: go(`/analysis/setup?game=tictactoe:3x3x3&start=XX${"-".repeat(25)}+X&do=analyse`) },
  {
    name: "review",
    visit: async (page, address) => {
      await page.goto(`${address}/review?game=tictactoe&moves=5+2+1+9+7+3&ply=2`);
      await page.waitForFunction(() => document.querySelector(".mistake") && !document.querySelector("progress"));
    },
    board: true,
  },
  {
    name: "review-again",
    visit: async (page, address) => {
      await page.goto(`${address}/review?game=tictactoe&moves=5+2+1+9+7+3&ply=2&tried=%3F`);
      await page.waitForSelector("#back-to-review");
    },
    board: true,
  },
  {
    name: "review-othello",
    visit: async (page, address) => {
      await page.goto(`${address}/review?game=othello&moves=f5d6c3d3&ply=2`);
      await page.waitForFunction(() => document.querySelector(".judged tbody tr") && !document.querySelector("progress"), null, { timeout: 60000 });
    },
    board: true,
    varies: true,
  },
  {
    name: "review-running",
    visit: go(`/review?game=othello&moves=${othello}`),
    board: true,
    hides: ".bar-slot, .curve, .side-part",
  },
  { name: "trace", visit: go("/trace?game=tictactoe&moves=1+5+9+3&strategy=alphabeta&step=60&open=2") },
  { name: "prediction", visit: go("/trace?game=othello&strategy=alphabeta(depth=2)&predict=1") },
  {
    name: "proof",
    visit: async (page, address) => {
      await page.goto(`${address}/proof?game=tictactoe&strategy=random&as=second`);
      await page.waitForSelector(".move-list");
    },
    hides: ".proof, .share",
  },
  {
    name: "embed-proof",
    visit: async (page, address) => {
      await page.goto(`${address}/embed/proof?game=tictactoe&strategy=random&as=second`);
      await page.waitForSelector(".move-list");
    },
    varies: true,
  },
  {
    name: "tournament",
    visit: async (page, _address, binary) => {
      const tournament = await startTournament(binary);
      page.context().once("close", tournament.stop);
      // The page loads itself anew every two seconds, in the middle of a check.
      await page.route(`${tournament.address}/`, async (route) => {
        const response = await route.fetch();
        const body = (await response.text()).replace(/<meta http-equiv="refresh"[^>]*>/, "");
        await route.fulfill({ response, body });
      });
      await page.goto(tournament.address);
      await page.waitForSelector(".tournament-boards figure");
    },
    varies: true,
  },
  { name: "automaton", visit: go("/automaton") },
  { name: "studies-none", visit: go("/studies") },
  {
    name: "studies",
    visit: async (page, address) => {
      await page.goto(`${address}/analysis?game=othello&moves=f5d6c3`);
      await page.fill("#study-name", "An opening");
      await page.click("#save-study button");
      await page.waitForURL(/studies/);
    },
  },
  { name: "game-othello", visit: (page, address) => play(page, address, "othello", ["f5", "d6", "c3"]), board: true },
  {
    name: "game-gomoku",
    visit: (page, address) => play(page, address, "gomoku", ["h8", "i9", "j10"]),
    board: true,
  },
  {
    name: "game-over",
    visit: async (page, address) => {
      await play(page, address, "tictactoe", ["1", "4", "2", "5", "3"]);
      await page.waitForSelector('[data-over="true"]');
    },
    board: true,
  },
  {
    name: "game-resigns",
    visit: async (page, address) => {
      await play(page, address, "othello", ["f5", "d6", "c3"]);
      await page.click("#resign");
      await page.waitForSelector(".ask");
    },
    board: true,
  },
  {
    name: "game-swap",
    visit: async (page, address) => {
      await page.goto(address);
      await page.click('input[value="gomoku"]');
      await page.click(".more summary");
      await page.selectOption("#opening-rule", "swap2");
      await page.click('button[value="screen"]');
      await page.waitForSelector("#table");
      for (const mv of ["h8", "i9", "j10"]) {
        await page.click(`#cell-${mv}`);
        await page.waitForSelector(`#cell-${mv} .last`);
      }
      await page.waitForSelector(".ask");
    },
    board: true,
  },
  {
    name: "game-why",
    visit: async (page, address) => {
      await page.goto(address);
      await page.click('button[value="computer"]');
      await page.waitForSelector("#table");
      await page.click("#cell-5");
      await page.waitForSelector(".cell .o");
      await page.click("text=Why?");
      await page.waitForSelector(".study");
    },
    board: true,
    hides: ".grid, .study, .moves, .share, .detail",
  },
  {
    name: "game-waits",
    visit: async (page, address) => {
      await page.goto(address);
      await page.click('button[value="friend"]');
      await page.waitForSelector("#invite-link");
    },
    board: true,
    hides: "#invite-link, .share, .who",
  },
  {
    name: "invitation",
    visit: async (page, address) => {
      await page.goto(address);
      await page.click('button[value="friend"]');
      await page.waitForSelector("#invite-link");
      const link = await page.inputValue("#invite-link");
      await page.context().clearCookies();
      await page.goto(link);
    },
  },
  {
    name: "identity",
    visit: async (page, address) => {
      await page.goto(`${address}/me`);
      await page.click('form[action="/me/link"] button');
      await page.waitForSelector("#identity-link");
      await page.goto(await page.inputValue("#identity-link"));
      expect((await page.title()).length > 0, "the page has a title");
    },
  },
  { name: "embed", visit: go(`/embed?game=othello&moves=${othello}`) },
  { name: "nowhere", visit: go("/nowhere") },
];
