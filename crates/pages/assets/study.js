// Partial updates of the analysis, the position editor, reviews and traces. Everything also works without
// scripts, by links and forms.

import { oneStop, showCurrent } from "./papan.js";
import { follow, path, request } from "./transport.js";

const quick = ["/analysis", "/analysis/setup", "/review", "/trace"];
let latest = 0;

/** Fetches and shows a URL; `note` is the history method to call. */
async function go(address, note) {
  const mine = ++latest;
  const response = await request(address, { headers: { accept: "text/html" } });
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
  showCurrent();
  oneStop();
  document.dispatchEvent(new Event("papan:shown"));
  if (wantsLive) startLive();
  document.getElementById("spoken").textContent = document.getElementById("status").textContent;
}

// ---- Live analysis ----

let live = null;
let wantsLive = false;

function stopLive() {
  live?.close();
  live = null;
  document.getElementById("live")?.setAttribute("aria-pressed", "false");
}

/** Follows the analysis of the position shown, and updates the evaluation of every move. */
function startLive() {
  stopLive();
  const button = document.getElementById("live");
  if (!button) return;
  button.setAttribute("aria-pressed", "true");
  live = follow(button.dataset.source);
  live.onmessage = (message) => {
    const update = JSON.parse(message.data);
    for (const [name, picture] of Object.entries(update.cells)) {
      const cell = document.querySelector(`[id="cell-${name}"] svg`);
      if (cell) cell.innerHTML = picture;
    }
    document.getElementById("live-text").textContent = update.text;
    document.getElementById("live-line").textContent = update.line;
    document.getElementById("live-bar").innerHTML = update.bar ?? "";
    document.getElementById("live-panel").hidden = false;
    // The results stay when the search ends.
    if (update.done) stopLive();
  };
  // A refused stream is not asked for again.
  live.onerror = stopLive;
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("#live");
  if (!button) return;
  wantsLive = button.getAttribute("aria-pressed") !== "true";
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

addEventListener("popstate", () => go(location.href).catch(() => location.reload()));

document.addEventListener("change", async (event) => {
  const field = event.target;
  if (field.name === "turn") field.form.requestSubmit(document.getElementById("setup-apply"));
  if (field.dataset.into && field.files.length) {
    document.getElementById(field.dataset.into).value = await field.files[0].text();
  }
});
