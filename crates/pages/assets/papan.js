// Shared by all pages. Everything also works without scripts, by forms and reloads.

import { request, url } from "./transport.js";

document.documentElement.classList.add("scripts");

export function announce(text) {
  const spoken = document.getElementById("spoken");
  if (spoken) spoken.textContent = text;
}

// ---- Keyboard navigation of the board: roving tabindex (ARIA grid pattern) ----

let stop = null;

/** Makes one cell focusable with Tab: the one that was used last. */
export function oneStop() {
  const cells = [...document.querySelectorAll(".grid .cell")];
  const chosen =
    cells.find((cell) => cell.id === stop) ??
    cells.find((cell) => cell.querySelector(".last")) ??
    cells.find((cell) => cell.matches("a, .play")) ??
    cells[0];
  for (const cell of cells) cell.tabIndex = cell === chosen ? 0 : -1;
}

document.addEventListener("focusin", (event) => {
  const cell = event.target.closest?.(".grid .cell");
  if (!cell || cell.id === stop) return;
  stop = cell.id;
  oneStop();
});

document.addEventListener("keydown", (event) => {
  const cell = event.target.closest?.(".grid .cell");
  if (!cell || event.altKey || event.ctrlKey || event.metaKey) return;
  const grid = cell.closest(".grid");
  const cells = [...document.querySelectorAll(".grid .cell")];
  const columns = Number(grid.dataset.columns);
  const at = cells.indexOf(cell);
  const column = [...grid.querySelectorAll(".cell")].indexOf(cell) % columns;
  const steps = {
    ArrowLeft: column > 0 ? -1 : 0,
    ArrowRight: column < columns - 1 ? 1 : 0,
    ArrowUp: -columns,
    ArrowDown: columns,
    Home: -column,
    End: columns - 1 - column,
  };
  if (!(event.key in steps)) return;
  event.preventDefault();
  cells[at + steps[event.key]]?.focus();
});

// A key that is held down makes at most this many steps a second, within the server's rate limit.
const stepsPerSecond = 8;
let lastStep = 0;

// Arrow keys step through a game, unless a field, a cell or the tree has the focus.
document.addEventListener("keydown", (event) => {
  if (event.target.closest?.("input, textarea, select, .cell") || event.target.matches?.(".tree")) return;
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const relation = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" }[event.key];
  const link = relation && document.querySelector(`main .walk [rel="${relation}"]`);
  if (!link) return;
  event.preventDefault();
  if (event.repeat && event.timeStamp - lastStep < 1000 / stepsPerSecond) return;
  lastStep = event.timeStamp;
  link.click();
});

/** Scrolls the list of moves, but not the page, to the current one. */
export function showCurrent() {
  const current = document.querySelector(".move-list [aria-current]");
  const list = current?.closest(".move-list");
  if (list) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
}

// ---- Appearance: kept in this browser ----

function applySettings() {
  for (const field of document.querySelectorAll("[data-setting]")) {
    const name = field.dataset.setting;
    const value = localStorage.getItem(`papan-${name}`) ?? "";
    if (value) document.documentElement.dataset[name] = value;
    else delete document.documentElement.dataset[name];
    if (field.type === "checkbox") field.checked = (value === "on") !== Boolean(field.dataset.inverted);
    else field.value = value;
  }
}

document.addEventListener("change", (event) => {
  const field = event.target.closest?.("[data-setting]");
  if (!field) return;
  const on = field.checked !== Boolean(field.dataset.inverted);
  const value = field.type === "checkbox" ? (on ? "on" : "") : field.value;
  localStorage.setItem(`papan-${field.dataset.setting}`, value);
  applySettings();
});

// ---- Lines of boards are a whole number of pixels of the screen wide ----

function fitLines() {
  const scale = devicePixelRatio;
  document.documentElement.style.setProperty("--line-width", `${Math.max(1, Math.floor(scale)) / scale}px`);
}

fitLines();
addEventListener("resize", fitLines);

// ---- A page, or a part of one, is new ----

function prepare() {
  oneStop();
  showCurrent();
  applySettings();
}

prepare();
document.addEventListener("papan:shown", prepare);

// ---- A list of moves pasted anywhere is analysed, whatever the game ----

// Names of squares, three numbers of cells, or the beginning of a file.
const movesOrFile = /[a-z]\d|^\d+([\s,;]+\d+){2}|\(;|^papan |Piskvorky/i;

document.addEventListener("paste", async (event) => {
  if (event.target.closest?.("input, textarea, select, [contenteditable]")) return;
  // A player's game under way is not left for what happens to be in the clipboard.
  if (document.querySelector('#table [data-seated][data-over="false"]')) return;
  const text = event.clipboardData?.getData("text/plain").trim() ?? "";
  if (text.length > 20000 || text.length < 4 || !movesOrFile.test(text)) return;
  event.preventDefault();
  const game = new URLSearchParams(location.search).get("game") ?? "";
  const body = new URLSearchParams({ game, text });
  const response = await request("/import", { method: "POST", body, headers: { accept: "text/html" } }).catch(() => null);
  // The page stays unless the text is a game.
  if (response?.redirected) location.assign(response.url);
});

// ---- Confirmation of moves: by default where cells are smaller than a finger ----

const minTouchCell = 36;

function confirms(cell) {
  const { confirm } = document.documentElement.dataset;
  if (confirm) return confirm === "on";
  return matchMedia("(pointer: coarse)").matches && cell.getBoundingClientRect().width < minTouchCell;
}

document.addEventListener(
  "click",
  (event) => {
    // Not in the position editor, where a click moves nothing.
    const cell = event.target.closest?.(".board-form button.cell.play");
    if (!cell || cell.classList.contains("chosen-cell") || !confirms(cell)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    document.querySelector(".chosen-cell")?.classList.remove("chosen-cell");
    cell.classList.add("chosen-cell");
    document.querySelector(".confirm")?.remove();
    const bar = document.createElement("p");
    bar.className = "confirm";
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button primary";
    const name = cell.getAttribute("aria-label").split(",")[0];
    button.textContent = document.body.dataset.confirm.replace("%", name);
    button.addEventListener("click", () => {
      bar.remove();
      cell.click();
    });
    bar.append(button);
    cell.closest("form").append(bar);
  },
  true,
);

// ---- Copying ----

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  field.select();
  let isCopied = true;
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    // Without TLS there is no clipboard.
    isCopied = document.execCommand("copy");
  }
  const { copied, selected } = document.body.dataset;
  button.dataset.text ??= button.textContent;
  button.textContent = isCopied ? `✓ ${copied}` : selected;
  announce(isCopied ? copied : selected);
  setTimeout(() => (button.textContent = button.dataset.text), 3000);
});

// ---- Home page: parameters and strategies that fit the choice ----

function fit(select) {
  const fields = document.querySelectorAll(`fieldset[data-of="${select.dataset.role}"]`);
  let any = false;
  for (const field of fields) {
    field.hidden = field.dataset.strategy !== select.value;
    any ||= !field.hidden;
  }
  for (const detail of select.closest("section")?.querySelectorAll("details.parameters") ?? []) {
    if (detail.querySelector(`[data-of="${select.dataset.role}"]`)) detail.hidden = !any;
  }
}

let asked = "";

/** Enables only the strategies that can play the chosen game. */
async function offer() {
  const chosen = document.querySelector('input[name="game"]:checked')?.value ?? "";
  const board = document.querySelector(`[data-board="${chosen}"]`)?.value;
  const game = document.getElementById("other-game").value.trim() || board || chosen;
  const selects = document.querySelectorAll("select[data-role]");
  selects.forEach(fit);
  if (game === asked) return;
  asked = game;
  const response = await request(`/strategies?game=${encodeURIComponent(game)}`);
  if (!response.ok || game !== asked) return;
  const able = new Set((await response.json()).strategies);
  for (const select of selects) {
    for (const option of select.options) {
      option.hidden = option.disabled = option.value !== "" && !able.has(option.value);
    }
    if (select.selectedOptions[0]?.disabled) {
      select.value = [...select.options].find((option) => !option.disabled)?.value ?? "";
    }
    fit(select);
  }
}

if (document.getElementById("home-form")) {
  // A link to the page may choose the game.
  const wanted = new URLSearchParams(location.search).get("game");
  const card = [...document.querySelectorAll('input[name="game"]')].find((card) => card.value === wanted);
  if (card) card.checked = true;
  const quietly = () => offer().catch(() => {});
  document.addEventListener("change", quietly);
  document.querySelector(".more").addEventListener("toggle", quietly);
  document.querySelectorAll("select[data-role]").forEach(fit);
}

// ---- Background jobs and lists: poll ----

async function watchProgress() {
  const part = document.getElementById("progress");
  if (!part?.dataset.reload) return;
  await new Promise((resolve) => setTimeout(resolve, Number(part.dataset.reload)));
  try {
    const response = document.hidden ? null : await request(location.href, { headers: { accept: "text/html" } });
    if (response?.ok) {
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const focused = document.activeElement?.id;
      // The result of a proof has a board beside its part of the page.
      if (page.querySelector(".grid") && !document.querySelector(".grid")) {
        document.body.replaceWith(page.body);
        document.dispatchEvent(new Event("papan:shown"));
      } else {
        part.replaceWith(page.getElementById("progress"));
      }
      if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    }
  } catch {
    // Retry at the next interval.
  }
  watchProgress();
}

watchProgress();
