// Scenarios: the checklist of the design on every page, in two sizes, and pictures with a tolerance.

import { readFileSync, writeFileSync } from "node:fs";
import { accessible, expect, phone, startServer } from "../harness.mjs";
import { visits } from "../visits.mjs";

const wide = { width: 1280, height: 800 };

/** Counts layout shifts that no input caused. */
function countShifts() {
  globalThis.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput) continue;
      const places = entry.sources.map(({ node }) => node?.id || node?.className || node?.nodeName);
      globalThis.shifts.push(`${entry.value.toFixed(4)} of ${places}`);
    }
  }).observe({ type: "layout-shift", buffered: true });
}

/** Returns what is wrong with the design of the page; runs in the page. */
function faults({ isPhone }) {
  const found = [];
  const name = (node) => `${node.tagName.toLowerCase()}${node.id ? `#${node.id}` : ""} "${(node.textContent || node.value || "").trim().slice(0, 30)}"`;
  const shown = (node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: false });
  const all = (selector) => [...document.querySelectorAll(selector)].filter((node) => shown(node) && !node.matches(".spoken"));
  const scrolls = (node) => node.closest(".scroll, .move-list, .code, .queue, .drawing, svg, .skip, .spoken");

  // Nothing is cut, and nothing is outside the window.
  const { clientWidth, scrollWidth } = document.documentElement;
  if (scrollWidth > clientWidth) found.push(`the page is ${scrollWidth} wide`);
  for (const node of all("body *")) {
    const { left, right, width } = node.getBoundingClientRect();
    if (width && !scrolls(node) && (right > clientWidth + 0.5 || left < -0.5)) found.push(`${name(node)} is outside`);
  }
  for (const node of all("main a, main button, h1, h2, label, legend, summary, .status")) {
    if (!node.closest("svg, .grid") && node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).display !== "inline") {
      found.push(`${name(node)} is cut`);
    }
  }

  // One main action.
  const primary = all(".primary");
  if (primary.length > 1) found.push(`main actions: ${primary.map(name)}`);

  // Lines of text have less than 80 characters.
  for (const node of all("main p, main dd, main small, main li, footer p")) {
    if (node.closest(".move-list, .code, .queue, .game-list, .puzzles, .ways, svg")) continue;
    for (const child of node.childNodes) {
      if (child.nodeType !== Node.TEXT_NODE || child.length < 80) continue;
      const range = document.createRange();
      range.selectNodeContents(child);
      const widths = [...range.getClientRects()].map((rect) => rect.width);
      const longest = (child.length * Math.max(...widths)) / widths.reduce((sum, width) => sum + width, 0);
      if (widths.length > 1 && longest > 80) found.push(`${name(node)} has lines of ${Math.round(longest)} characters`);
    }
  }

  // Targets: as large as a finger on a phone, and none over another.
  const targets = all("a[href], button, select, summary, textarea, input:not([type=hidden])")
    .filter((node) => !node.closest("svg, .grid, .skip") && getComputedStyle(node).display !== "inline")
    .map((node) => {
      const target = node.matches("[type=radio], [type=checkbox]") ? (node.closest("label") ?? node) : node;
      return [target, target.getBoundingClientRect()];
    });
  if (isPhone) {
    for (const [node, { width, height }] of targets) {
      if (width < 43.5 || height < 43.5) found.push(`${name(node)} is ${width.toFixed()} x ${height.toFixed()}`);
    }
  }
  for (const [at, [node, one]] of targets.entries()) {
    for (const [other, two] of targets.slice(at + 1)) {
      if (node === other || node.contains(other) || other.contains(node) || node.closest(".ask") || other.closest(".ask")) continue;
      const across = Math.min(one.right, two.right) - Math.max(one.left, two.left);
      const down = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
      if (across > 1 && down > 1 && !scrolls(node) && !scrolls(other)) found.push(`${name(node)} overlaps ${name(other)}`);
    }
  }
  return found;
}

/** Returns the size of the board relative to the window, and whether all of it is on the first screen. */
function board() {
  const rects = [...document.querySelectorAll(".grid")].map((grid) => grid.getBoundingClientRect());
  const left = Math.min(...rects.map((rect) => rect.left));
  const right = Math.max(...rects.map((rect) => rect.right));
  const top = Math.min(...rects.map((rect) => rect.top + scrollY));
  const bottom = Math.max(...rects.map((rect) => rect.bottom + scrollY));
  return { width: (right - left) / innerWidth, height: (bottom - top) / innerHeight, bottom, innerHeight };
}

// ---- Pictures ----

// Each picture is kept as a coarse grid of grey levels, so that another font or a smoother edge changes
// little, and a part that is missing, moved or of another colour changes much.
const file = new URL("../pictures.txt", import.meta.url);
const columns = 32;
/** Grey levels (of 16) by which a cell may differ, and the share of cells that may differ by more. */
const tolerance = 2;
const share = 0.06;

/** Returns the grey levels of a picture, one hexadecimal digit for each cell. */
async function grid(painter, png, rows) {
  return painter.evaluate(
    async ([source, columns, rows]) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = new OffscreenCanvas(columns, rows);
      const context = canvas.getContext("2d");
      context.imageSmoothingQuality = "high";
      // Halved step by step, so that every pixel counts.
      let from = image;
      for (let width = image.width, height = image.height; width > columns * 2; ) {
        width = Math.ceil(width / 2);
        height = Math.ceil(height / 2);
        const half = new OffscreenCanvas(width, height);
        half.getContext("2d").drawImage(from, 0, 0, width, height);
        from = half;
      }
      context.drawImage(from, 0, 0, columns, rows);
      const { data } = context.getImageData(0, 0, columns, rows);
      let digits = "";
      for (let at = 0; at < data.length; at += 4) {
        const grey = 0.299 * data[at] + 0.587 * data[at + 1] + 0.114 * data[at + 2];
        digits += Math.min(15, Math.floor(grey / 16)).toString(16);
      }
      return digits;
    },
    [`data:image/png;base64,${png.toString("base64")}`, columns, rows],
  );
}

/** Returns the share of cells that differ by more than the tolerance. */
function difference(one, two) {
  if (one?.length !== two.length) return 1;
  const far = [...one].filter((digit, at) => Math.abs(parseInt(digit, 16) - parseInt(two[at], 16)) > tolerance);
  return far.length / one.length;
}

export default {
  async "every page keeps to the checklist of the design"({ browser, binary }) {
    const server = await startServer(binary, { options: ["--embedding"] });
    const problems = [];
    try {
      for (const viewport of [wide, phone]) {
        for (const { name, visit, board: hasBoard } of visits) {
          const context = await browser.newContext({ viewport, locale: "en", reducedMotion: "reduce" });
          await context.addInitScript(countShifts);
          const page = await context.newPage();
          const add = (fault) => problems.push(`${name} at ${viewport.width}: ${fault}`);
          await visit(page, server.address);
          for (const fault of await page.evaluate(faults, { isPhone: viewport === phone })) add(fault);
          for (const shift of await page.evaluate(() => globalThis.shifts)) add(`shifts by ${shift}`);
          if (hasBoard) {
            const { width, height, bottom, innerHeight } = await page.evaluate(board);
            if (viewport === phone ? width < 0.85 : height < 0.6) add(`a board of ${width.toFixed(2)} x ${height.toFixed(2)}`);
            if (bottom > innerHeight) add(`the board ends at ${bottom.toFixed()} of ${innerHeight}`);
          }
          if (viewport === phone) await accessible(page, name).catch((error) => add(error.message));
          await context.close();
        }
      }
    } finally {
      await server.stop("SIGKILL");
    }
    expect(problems.length === 0, `\n  ${problems.join("\n  ")}`);
  },

  // Renewed by PAPAN_OVERWRITE=1 node crates/web/browser/test.mjs BINARY "as their pictures".
  async "pages look as their pictures"({ browser, binary }) {
    const server = await startServer(binary, { options: ["--embedding"] });
    const painter = await (await browser.newContext()).newPage();
    const renews = Boolean(process.env.PAPAN_OVERWRITE);
    const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
    const kept = new Map(lines.map((line) => line.split(" ")));
    const seen = [];
    const problems = [];
    try {
      for (const { name, visit } of visits.filter(({ varies }) => !varies)) {
        for (const [size, viewport, rows] of [["wide", wide, 20], ["phone", phone, 64]]) {
          const context = await browser.newContext({ viewport, locale: "en", reducedMotion: "reduce" });
          const page = await context.newPage();
          await visit(page, server.address);
          for (const colorScheme of ["light", "dark"]) {
            await page.emulateMedia({ colorScheme });
            const digits = await grid(painter, await page.screenshot(), rows);
            const key = `${name}-${size}-${colorScheme}`;
            seen.push(`${key} ${digits}`);
            const far = difference(kept.get(key), digits);
            if (far > share) problems.push(`${key}: ${(far * 100).toFixed()} % of the picture differ`);
          }
          await context.close();
        }
      }
    } finally {
      await server.stop("SIGKILL");
    }
    if (renews) return writeFileSync(file, `${seen.join("\n")}\n`);
    expect(problems.length === 0, `\n  ${problems.join("\n  ")}`);
    expect(kept.size === seen.length, `${seen.length} pictures, ${kept.size} are kept`);
  },
};
