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

// Each picture is kept as a coarse grid of grey levels and an even coarser one of colours, so that another
// font or a smoother edge changes little, and a part that is missing, moved or of another colour much.
const file = new URL("../pictures.txt", import.meta.url);
const columns = 32;
/** Levels (of 16) by which a number may differ, and the share of numbers that may differ by more. */
const tolerance = 1;
const share = 0.008;
const sizes = [["wide", wide, 20], ["phone", phone, 64]];

/** Returns the grey levels and colours of a picture, one hexadecimal digit for each number. */
async function grid(painter, png, rows) {
  return painter.evaluate(
    async ([source, columns, rows]) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      // Halved step by step, so that every pixel counts.
      const scaled = (columns, rows) => {
        let from = image;
        for (let width = image.width, height = image.height; width > columns * 2; ) {
          width = Math.ceil(width / 2);
          height = Math.ceil(height / 2);
          const half = new OffscreenCanvas(width, height);
          half.getContext("2d").drawImage(from, 0, 0, width, height);
          from = half;
        }
        const context = new OffscreenCanvas(columns, rows).getContext("2d");
        context.imageSmoothingQuality = "high";
        context.drawImage(from, 0, 0, columns, rows);
        const { data } = context.getImageData(0, 0, columns, rows);
        return Array.from({ length: columns * rows }, (_, cell) => [...data.slice(4 * cell, 4 * cell + 3)]);
      };
      const digit = (level) => Math.min(15, Math.floor(level / 16)).toString(16);
      const greys = scaled(columns, rows).map(([red, green, blue]) => digit(0.299 * red + 0.587 * green + 0.114 * blue));
      const colours = scaled(columns / 2, rows / 2).flat().map(digit);
      return [...greys, ...colours].join("");
    },
    [`data:image/png;base64,${png.toString("base64")}`, columns, rows],
  );
}

/** Returns the share of numbers that differ by more than the tolerance. */
function difference(one, two) {
  if (one?.length !== two.length) return 1;
  const far = [...one].filter((digit, at) => Math.abs(parseInt(digit, 16) - parseInt(two[at], 16)) > tolerance);
  return far.length / one.length;
}

/** Moves the pointer over everything that can be pressed. */
async function hoverAll(page) {
  const targets = await page.evaluate(() => {
    const all = [...document.querySelectorAll("main a, main button, main summary, [data-preview]")];
    const rects = all.map((one) => one.getBoundingClientRect()).filter(({ width, top, bottom }) => width && top >= 0 && bottom <= innerHeight);
    // Of hundreds of cells a few are enough.
    const step = Math.ceil(rects.length / 40);
    return rects.filter((_, at) => at % step === 0).map(({ left, top, width, height }) => [left + width / 2, top + height / 2]);
  });
  for (const [x, y] of targets) await page.mouse.move(x, y);
  await page.waitForTimeout(100);
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
          await visit(page, server.address, binary);
          for (const fault of await page.evaluate(faults, { isPhone: viewport === phone })) add(fault);
          await hoverAll(page);
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

  async "the board is as large as a large window allows"({ browser, server }) {
    const viewport = { width: 1920, height: 1200 };
    for (const name of ["analysis", "analysis-large", "game-othello", "game-gomoku", "rules-gomoku"]) {
      const page = await (await browser.newContext({ viewport })).newPage();
      await visits.find((one) => one.name === name).visit(page, server.address);
      const { height, bottom, innerHeight } = await page.evaluate(board);
      expect(height >= 0.72 && bottom <= innerHeight, `${name}: a board of ${height.toFixed(2)} that ends at ${bottom.toFixed()}`);
      const gap = await page.evaluate(() => {
        const side = document.querySelector(".side-part").getBoundingClientRect();
        return side.left - document.querySelector(".grid").getBoundingClientRect().right;
      });
      expect(gap < 80, `${name}: the controls are ${gap.toFixed()} px away from the board`);
      await page.context().close();
    }
  },

  async "a board has its size before all of it is loaded"({ browser, server }) {
    const page = await (await browser.newContext({ viewport: phone })).newPage();
    await visits.find(({ name }) => name === "analysis").visit(page, server.address);
    const size = () => [".grid", ".numbers span"].map((part) => document.querySelector(part).getBoundingClientRect().height).join(" and ");
    const whole = await page.evaluate(size);
    await page.evaluate(() => document.querySelector(".grid-row:last-child").remove());
    const part = await page.evaluate(size);
    expect(part === whole, `${part} px high instead of ${whole}`);
  },

  async "a page that has changed does not look as its picture"({ browser, server }) {
    const painter = await (await browser.newContext()).newPage();
    const page = await (await browser.newContext({ viewport: wide, reducedMotion: "reduce" })).newPage();
    const look = async () => grid(painter, await page.screenshot(), 20);
    const changes = {
      "a button is missing": () => (document.getElementById("scores").style.visibility = "hidden"),
      "the board is moved": () => (document.querySelector(".slices").style.transform = "translate(12px, 12px)"),
      "the controls are missing": () => (document.querySelector(".side-part").style.visibility = "hidden"),
      "the felt is blue": () => (document.documentElement.dataset.board = "blue"),
    };
    const open = async () => visits.find(({ name }) => name === "analysis").visit(page, server.address);
    await open();
    const kept = await look();
    await open();
    const again = difference(kept, await look());
    expect(again === 0, `the same page differs by ${again}`);
    for (const [name, change] of Object.entries(changes)) {
      await open();
      await page.evaluate(change);
      const far = difference(kept, await look());
      expect(far > share, `${name}: ${(far * 100).toFixed(2)} % of the picture differ`);
    }
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
      for (const { name, visit, hides } of visits.filter(({ varies }) => !varies)) {
        for (const [size, viewport, rows] of sizes) {
          const context = await browser.newContext({ viewport, locale: "en", reducedMotion: "reduce" });
          const page = await context.newPage();
          await visit(page, server.address);
          for (const colorScheme of ["light", "dark"]) {
            await page.emulateMedia({ colorScheme });
            if (hides) await page.$$eval(hides, (parts) => parts.forEach((part) => (part.style.visibility = "hidden")));
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
    if (renews) return void writeFileSync(file, `${seen.join("\n")}\n`);
    expect(problems.length === 0, `\n  ${problems.join("\n  ")}`);
    expect(kept.size === seen.length, `${seen.length} pictures, ${kept.size} are kept`);
  },
};
