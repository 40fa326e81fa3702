// Traces and predictions.

import { expect, status, visit } from "../harness.mjs";

/** They run against the static site as well. */
export const everywhere = {
  async "a run is stepped through by links, and by keys with pan, zoom and fold of its tree"({ browser, server }) {
    const place = "/trace?game=tictactoe&moves=1+5+9+3&strategy=alphabeta&shown=9";
    for (const javaScriptEnabled of server.scripts) {
      const page = await (await browser.newContext({ javaScriptEnabled })).newPage();
      await visit(page, server.url(place));
      if (javaScriptEnabled) await page.evaluate(() => (window.kept = true));
      const line = () => page.locator(".code [aria-current]").getAttribute("value");
      expect((await line()) === "1", "the run begins at line 1");
      await page.click("#walk-next");
      await page.waitForURL(/step=2/);
      await status(page, "2: ");
      await page.click("#walk-cut");
      await status(page, "cut:");
      expect((await line()) === "8", "a cut-off is line 8");
      expect((await page.textContent(".facts")).includes("alpha"), "the reason of the cut is told");
      await page.click("#walk-out");
      await page.click("#walk-over");
      await page.click("#walk-last");
      await status(page, "play 7");
      const boards = () => page.locator(".tree .cell").count();
      const folded = await boards();
      expect(folded === 9 * 6, `the root and five moves, ${folded} cells`);
      await page.locator('.tree a[href*="open="]').first().press("Enter");
      await page.waitForURL(/open=/);
      expect((await boards()) > folded, "a position unfolds");
      // The position that is open is the one that leads back.
      await page.locator('.tree a:not([href*="open="])').press("Enter");
      if (!javaScriptEnabled) continue;
      await page.waitForFunction((count) => document.querySelectorAll(".tree .cell").length === count, folded);
      await page.evaluate(() => document.activeElement.blur());
      await page.keyboard.press("Home");
      await page.waitForURL(/step=1(&|$)/);
      await page.keyboard.press("ArrowRight");
      await page.waitForURL(/step=2(&|$)/);
      await page.keyboard.press("ArrowDown");
      await page.waitForURL((url) => Number(url.searchParams.get("step")) > 3);
      await page.keyboard.press("c");
      await status(page, "cut:");
      await page.keyboard.press("ArrowUp");
      await page.waitForFunction(() => !document.getElementById("status").textContent.includes("cut:"));
      await page.keyboard.press("ArrowLeft");
      const view = () => page.getAttribute(".tree svg", "viewBox");
      const before = await view();
      await page.click('[data-zoom="in"]');
      const zoomed = await view();
      expect(Number(zoomed.split(" ")[2]) < Number(before.split(" ")[2]), "zooming in shows less");
      const box = await page.locator(".tree").boundingBox();
      await page.mouse.move(box.x + 200, box.y + 150);
      const width = (box) => Number(box.split(" ")[2]);
      const still = await page.evaluate(() => window.scrollY);
      await page.mouse.wheel(0, -200);
      await page.waitForFunction((width) => document.querySelector(".tree svg").viewBox.baseVal.width < width, width(zoomed));
      const closer = width(await view());
      await page.mouse.wheel(0, 200);
      await page.waitForFunction((width) => document.querySelector(".tree svg").viewBox.baseVal.width > width, closer);
      expect((await page.evaluate(() => window.scrollY)) === still, "the wheel zooms and does not scroll");
      await page.mouse.down();
      await page.mouse.move(box.x + 100, box.y + 120, { steps: 4 });
      await page.mouse.up();
      const dragged = await view();
      expect(dragged.split(" ")[0] !== zoomed.split(" ")[0], "dragging moves the tree");
      expect(await page.evaluate(() => window.kept), "no page was loaded anew");
    }
  },

  async "the move of a strategy is predicted, and the score is kept"({ browser, server }) {
    for (const javaScriptEnabled of server.scripts) {
      const page = await (await browser.newContext({ javaScriptEnabled })).newPage();
      await visit(page, server.url("/laboratory"));
      await page.fill("#trace-moves", "1");
      await page.click('button[name="predict"]');
      await status(page, "Which move will alphabeta choose?");
      expect((await page.locator(".code").count()) === 0, "the run is not shown yet");
      await page.click("#cell-5");
      await page.waitForSelector("text=Right: it plays 5.");
      await page.click("#predict-next");
      await status(page, "Which move will alphabeta choose?");
      await page.click("#cell-9");
      await page.waitForSelector("text=/Your predictions: [12] of 2 right/");
    }
  },
};

export default everywhere;
