// A live game. Server-sent events announce new versions, the page then fetches its HTML; failed
// requests are retried. Without this script the page reloads periodically.

import { announce, oneStop, showCurrent } from "./papan.js";
import { follow as followEvents, path, request, url } from "./transport.js";

const table = document.getElementById("table");
const here = table.dataset.game;
const lost = document.getElementById("connection");
const title = document.title;
const state = () => table.querySelector("[data-version]").dataset;

// ---- Rendering ----

let premove = null;
let shownVersion = -1;

let leaving = false;

/** Navigates to another game, once: a second call would cancel the first navigation. */
function leave(address) {
  if (leaving) return;
  leaving = true;
  location.href = url(path(address));
}

/** Replaces the part of the page that changes, and keeps focus and typed text. */
function show(html) {
  if (leaving) return;
  const focused = document.activeElement?.id;
  const typed = document.getElementById("typed-move")?.value;
  const before = { version: Number(state().version), turn: state().yourTurn };
  const pieces = new Map([...table.querySelectorAll(".cell")].map((cell) => [cell.id, pieceOf(cell)]));
  table.innerHTML = html;
  animate(pieces);
  const field = document.getElementById("typed-move");
  if (field && typed) field.value = typed;
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  oneStop();
  showCurrent();
  tick();
  const now = state();
  const last = document.getElementById("last-move")?.textContent ?? "";
  const status = document.getElementById("status")?.textContent ?? "";
  const ask = table.querySelector(".ask p, .pending, .greeting")?.textContent ?? "";
  announce(`${last} ${status} ${ask}`);
  if (now.rematch && now.seated && before.version < Number(now.version)) {
    leave(now.rematch);
    return;
  }
  if (Number(now.version) > before.version && now.yourTurn && !before.turn) yourTurn(last);
  document.title = now.yourTurn ? `● ${status}` : title;
  offerPremoves();
  playPremove();
  // A newer version was announced while this response was in flight.
  if (!pause && now.follows === "true" && shownVersion > Number(now.version)) refresh();
}

/** Returns the piece on a cell: its class names. */
function pieceOf(cell) {
  return cell.querySelector(".disc, .mark")?.getAttribute("class") ?? "";
}

/** Marks new and flipped pieces; the style sheet animates them. */
function animate(before) {
  for (const cell of table.querySelectorAll(".cell")) {
    const [was, is] = [before.get(cell.id), pieceOf(cell)];
    if (was === undefined || was === is || !is) continue;
    cell.classList.add(was ? "turned" : "placed");
  }
}

async function part(address) {
  const response = await request(address, { headers: { "x-papan-part": "1" } });
  if (!response.ok) throw new Error(response.statusText);
  return response.text();
}

/** Fetches with exponential backoff until it succeeds or `wanted` returns false. */
async function insist(address, wanted = () => true) {
  for (let wait = 500; wanted(); wait = Math.min(wait * 2, 10000)) {
    try {
      const html = await part(address);
      lost.hidden = true;
      return html;
    } catch {
      lost.hidden = false;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
  return null;
}

let latest = 0;

/** Fetches and shows a URL of this game, and updates the location bar. */
async function go(address) {
  const mine = ++latest;
  const html = await insist(address, () => mine === latest);
  if (html === null || mine !== latest) return;
  show(html);
  // The address of the last position follows the game.
  history.replaceState(null, "", url(state().follows === "true" ? here : path(address)));
}

const refresh = () => go(here);

// ---- Forms ----

let sending = false;

/** Submits a form in the background and shows errors. */
async function send(form, button) {
  if (sending) return;
  sending = true;
  premove = null;
  const fields = new URLSearchParams(new FormData(form));
  if (button?.name) fields.set(button.name, button.value);
  latest += 1;
  try {
    const response = await request(form.action, {
      method: "POST",
      headers: { "x-papan-part": "1" },
      body: fields,
    });
    if (response.redirected && path(response.url).split("?")[0] !== here) {
      leave(response.url);
    } else if (response.ok) {
      const html = await response.text();
      form.reset();
      history.replaceState(null, "", url(here));
      show(html);
    } else {
      const problem = await response.json().catch(() => ({}));
      await refresh();
      complain(problem.error ?? response.statusText);
    }
  } catch {
    lost.hidden = false;
    complain(table.dataset.notSent);
    refresh();
  } finally {
    sending = false;
  }
}

function complain(text) {
  table.querySelector(".complaint")?.remove();
  const notice = document.createElement("p");
  notice.className = "notice wrong complaint";
  notice.setAttribute("role", "alert");
  notice.textContent = text;
  // Below the board, which must not move.
  table.querySelector(".board-form").after(notice);
}

table.addEventListener("submit", (event) => {
  event.preventDefault();
  send(event.target, event.submitter);
});

// Links to other positions of this game, hints and confirmations are loaded in place.
table.addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const address = path(link.href);
  if (address.split("?")[0] !== here) return;
  event.preventDefault();
  go(address).then(() => pause && setPaused(state().follows !== "true"));
});

// ---- Server-sent events; the browser resumes from the last event id ----

function follow() {
  const stream = followEvents(`${here}/events?content=version&after=${state().version}`);
  stream.onmessage = (message) => {
    shownVersion = Math.max(shownVersion, Number(message.lastEventId));
    // The response to the pending form shows this version. Rendering before it would accept a
    // move that cannot be sent.
    if (sending || shownVersion <= Number(state().version)) return;
    if (pause && !isPaused()) return playOn();
    // A past position stays; the link to the current one is highlighted.
    if (!pause && state().follows === "true") refresh();
    else document.getElementById("now")?.classList.add("news");
  };
  stream.addEventListener("presence", (message) => {
    const present = JSON.parse(message.data);
    for (const sign of table.querySelectorAll("[data-seat]")) {
      const is = present[sign.dataset.seat];
      sign.dataset.present = is;
      sign.textContent = is ? table.dataset.here : table.dataset.away;
    }
  });
  stream.onopen = () => {
    lost.hidden = true;
  };
  stream.onerror = () => {
    lost.hidden = false;
    // The browser gives up after a response that is not a stream, as during a restart.
    if (stream.readyState !== EventSource.CLOSED) return;
    setTimeout(async () => {
      const html = await insist(path(location.href));
      if (state().follows === "true") show(html);
      follow();
    }, 1000);
  };
}

// ---- Watching two strategies: pause, and a slower pace ----

const pause = document.getElementById("pause");
const pace = document.getElementById("pace");
let nextStep = 0;
let shownAt = 0;

function isPaused() {
  return pause.getAttribute("aria-pressed") === "true";
}

function setPaused(is) {
  pause.setAttribute("aria-pressed", String(is));
  if (!is) playOn();
}

/** Shows the next move when it is due, then the moves after it that have been played meanwhile. */
function playOn() {
  clearTimeout(nextStep);
  if (isPaused()) return;
  const due = shownAt + Number(pace.value) * 1000 - performance.now();
  nextStep = setTimeout(async () => {
    const moves = [...table.querySelectorAll(".move-list a")];
    const shown = moves.findIndex((move) => move.hasAttribute("aria-current")) + 1;
    await go(`${here}?ply=${shown + 1}`);
    shownAt = performance.now();
    if (state().follows !== "true" || shownVersion > Number(state().version)) playOn();
  }, Math.max(due, 0));
}

pause?.addEventListener("click", () => setPaused(!isPaused()));
pace?.addEventListener("change", playOn);

// ---- Premoves ----

function mayPremove() {
  const now = state();
  return now.seated && !now.yourTurn && now.over !== "true" && now.follows === "true";
}

/** Enables the cells that can be chosen as a premove. */
function offerPremoves() {
  if (!mayPremove()) return;
  for (const cell of table.querySelectorAll(".cell.still:not(:has(.mark, .disc))")) {
    cell.removeAttribute("aria-disabled");
  }
}

table.addEventListener("click", (event) => {
  const cell = event.target.closest(".cell.still:not([aria-disabled])");
  if (!cell || !mayPremove()) return;
  table.querySelector(".premove")?.classList.remove("premove");
  premove = premove === cell.value ? null : cell.value;
  if (!premove) return;
  cell.classList.add("premove");
  announce(`${table.dataset.premove} ${premove}`);
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !premove) return;
  premove = null;
  table.querySelector(".premove")?.classList.remove("premove");
});

function playPremove() {
  if (!premove) return;
  const cell = document.getElementById(`cell-${premove}`);
  if (state().yourTurn) {
    premove = null;
    if (cell?.matches(".play")) cell.click();
  } else cell?.classList.add("premove");
}

// ---- Sound and notification on your turn ----

const sound = document.getElementById("sound");
const notify = document.getElementById("notify");
let audio = null;

function pressed(button, is) {
  button.setAttribute("aria-pressed", String(is));
}

function beep() {
  audio ??= new AudioContext();
  const [tone, loudness] = [audio.createOscillator(), audio.createGain()];
  tone.frequency.value = 523;
  loudness.gain.setValueAtTime(0.15, audio.currentTime);
  loudness.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.25);
  tone.connect(loudness).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.25);
}

function yourTurn(last) {
  if (localStorage.getItem("papan-sound") !== "off") {
    try {
      beep();
    } catch {
      // Audio is not available.
    }
  }
  if (document.hidden && localStorage.getItem("papan-notify") === "on" && Notification.permission === "granted") {
    const note = new Notification(document.getElementById("status").textContent, { body: last, tag: here });
    note.onclick = () => focus();
  }
}

pressed(sound, localStorage.getItem("papan-sound") !== "off");
sound.onclick = () => {
  const off = localStorage.getItem("papan-sound") !== "off";
  localStorage.setItem("papan-sound", off ? "off" : "on");
  pressed(sound, !off);
  if (!off) beep();
};

if (notify && !window.Notification) notify.hidden = true;
else if (notify) pressed(notify, localStorage.getItem("papan-notify") === "on" && Notification.permission === "granted");
notify?.addEventListener("click", async () => {
  const on = localStorage.getItem("papan-notify") === "on" && Notification.permission === "granted";
  const granted = !on && (await Notification.requestPermission()) === "granted";
  localStorage.setItem("papan-notify", granted ? "on" : "off");
  pressed(notify, granted);
});

// ---- Clocks ----

let clocks = 0;
function tick() {
  clearInterval(clocks);
  const clock = table.querySelector(".clock[data-runs]");
  if (!clock) return;
  const end = performance.now() + Number(clock.dataset.left);
  clocks = setInterval(() => {
    const seconds = Math.max(0, Math.ceil((end - performance.now()) / 1000));
    // Days and hours are the server's words.
    if (seconds >= 172800) return;
    const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
    const two = (number) => String(number).padStart(2, "0");
    clock.textContent = hours
      ? `${hours}:${two(minutes)}:${two(seconds % 60)}`
      : `${minutes}:${two(seconds % 60)}`;
    clock.classList.toggle("short", seconds <= 10);
  }, 200);
}

addEventListener("online", refresh);
offerPremoves();
follow();
tick();
