// Partial updates of the analysis, the position editor, reviews and traces. Everything also works without
// scripts, by links and forms.

import "./papan.js";
import { follow, overtake, path, picture, request } from "./transport.js";

const quick = ["/analysis", "/analysis/setup", "/review", "/trace"];
let latest = 0;

/** Fetches and shows a URL; `note` is the history method to call, `options` those of the request. */
async function go(address, note, options = {}) {
  const mine = ++latest;
  // A search of the position before would delay the answer.
  stopLive();
  overtake();
  const response = await request(address, { headers: { accept: "text/html" }, ...options });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  // A newer request has been made.
  if (mine !== latest) return;
  const part = page.getElementById("study");
  if (!part) return location.assign(address);
  const focused = document.activeElement?.id;
  const piece = document.querySelector('[name="piece"]:checked')?.id;
  document.getElementById("study").replaceWith(part);
  const same = piece && document.getElementById(piece);
  if (same) same.checked = true;
  document.title = page.title;
  for (const field of document.querySelectorAll('.languages [name="back"]')) {
    field.value = page.querySelector('.languages [name="back"]').value;
  }
  if (note) history[note](null, "", response.url);
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  document.dispatchEvent(new Event("papan:shown"));
  if (wantsLive) startLive();
  document.getElementById("spoken").textContent = document.getElementById("status").textContent;
}

// ---- Live analysis ----

let live = null;
// An analysis that was running goes on with the next page that is opened.
let wantsLive = localStorage.getItem("papan-live") === "on";

function stopLive() {
  live?.close();
  live = null;
  document.getElementById("live")?.setAttribute("aria-pressed", "false");
}

/** Shows the best lines; each move shows the position after it on a small board. */
function showLines(lines, source) {
  const list = document.getElementById("live-lines");
  const position = new URL(source, location.href).searchParams;
  const rows = lines.map(({ score, moves, written }) => {
    const row = document.createElement("li");
    const head = document.createElement("b");
    head.textContent = score;
    row.append(head, " ");
    moves.forEach((move, at) => {
      const word = document.createElement("span");
      word.textContent = move;
      word.tabIndex = 0;
      const fields = new URLSearchParams(position);
      // The line continues the position shown, which may be an earlier one of a game.
      fields.set("after", written.slice(0, at + 1).join(" "));
      fields.set("show", "small");
      word.dataset.preview = `/analysis/board.svg?${fields}`;
      row.append(word, " ");
    });
    return row;
  });
  list.replaceChildren(...rows);
}

/** Shows the position after a move of a line, over the page: nothing moves. */
async function showPreview(event) {
  const word = event.target.closest?.("[data-preview]");
  const preview = document.getElementById("live-preview");
  if (!preview) return;
  if (!word) {
    preview.hidden = true;
    delete preview.dataset.of;
    return;
  }
  preview.dataset.of = word.dataset.preview;
  const source = await picture(word.dataset.preview);
  if (preview.dataset.of !== word.dataset.preview) return;
  preview.src = source;
  preview.hidden = false;
}

for (const kind of ["mouseover", "focusin"]) document.addEventListener(kind, showPreview);

/** Follows the analysis of the position shown, and updates the evaluation of every move. */
function startLive() {
  stopLive();
  const button = document.getElementById("live");
  if (!button) return;
  button.setAttribute("aria-pressed", "true");
  document.getElementById("live-text").textContent = "…";
  const mine = follow(button.dataset.source);
  live = mine;
  mine.onmessage = (message) => {
    if (live !== mine) return;
    const update = JSON.parse(message.data);
    for (const [name, { picture, label }] of Object.entries(update.cells)) {
      const cell = document.getElementById(`cell-${name}`);
      if (!cell) continue;
      cell.querySelector("svg").innerHTML = picture;
      cell.setAttribute("aria-label", label);
    }
    document.getElementById("live-text").textContent = update.text;
    showLines(update.lines, button.dataset.source);
    document.getElementById("live-win").textContent = update.win ?? "";
    document.getElementById("live-bar").innerHTML = update.bar ?? "";
    // The results stay when the search ends.
    if (update.done) stopLive();
  };
  // A refused stream is not asked for again.
  mine.onerror = () => live === mine && stopLive();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("#live");
  if (!button) return;
  wantsLive = button.getAttribute("aria-pressed") !== "true";
  localStorage.setItem("papan-live", wantsLive ? "on" : "off");
  if (wantsLive) startLive();
  else stopLive();
});

/** Returns whether a URL is one of these pages. */
function isQuick(address) {
  const [pathname] = path(address).split("?");
  return new URL(address).origin === location.origin && (quick.includes(pathname) || pathname.startsWith("/puzzles/"));
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("#study a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  // In SVG, `href` is not a string property.
  const address = new URL(link.getAttribute("href"), location.href).href;
  if (!isQuick(address)) return;
  event.preventDefault();
  go(address, "pushState").catch(() => location.assign(address));
});

// Edits of the position are sent one after the other.
let queue = Promise.resolve();

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "get" || !form.closest("#study") || !isQuick(form.action)) return;
  event.preventDefault();
  const { action, id } = form;
  const fields = new URLSearchParams(new FormData(form));
  if (event.submitter?.name) fields.set(event.submitter.name, event.submitter.value);
  queue = queue.then(() => {
    const position = document.querySelector("#setup-form [name=start]");
    if (id === "setup-form" && position) fields.set("start", position.value);
    const address = `${action}?${fields}`;
    // The editor is one entry of the history.
    const stays = path(location.href).startsWith(quick[1]) && fields.get("do") !== "analyse";
    return go(address, stays ? "replaceState" : "pushState").catch(() => location.assign(address));
  });
});

// A move of a puzzle is sent by a form; the answer is the page with the reply.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || !form.closest("#study") || !path(form.action).startsWith("/puzzles/")) return;
  event.preventDefault();
  const fields = new URLSearchParams(new FormData(form));
  if (event.submitter?.name) fields.set(event.submitter.name, event.submitter.value);
  go(form.action, "replaceState", { method: "POST", body: fields }).catch(() => form.submit());
});

// What the browser's engine is to find.
if (document.querySelector("[data-pending]")) go(location.href).catch(() => location.reload());
else if (wantsLive) startLive();

addEventListener("popstate", () => go(location.href).catch(() => location.reload()));

document.addEventListener("change", async (event) => {
  const field = event.target;
  if (field.name === "turn") field.form.requestSubmit(document.getElementById("setup-apply"));
  if (field.dataset.into && field.files.length) {
    document.getElementById(field.dataset.into).value = await field.files[0].text();
  }
});
