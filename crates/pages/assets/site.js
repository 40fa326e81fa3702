// The static site: renders the page of the address with the worker, then loads its scripts. Forms that a
// server would receive, and files that it would send, are handled here.

import { rebase } from "./addresses.js";
import { call, language, path, request, root, url } from "./worker_transport.js";

/** Replaces the page, and returns the scripts that it asks for. */
function show(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  document.title = page.title;
  document.documentElement.lang = page.documentElement.lang;
  document.body.innerHTML = page.body.innerHTML;
  return [...page.querySelectorAll('script[type="module"]')].map((script) => script.getAttribute("src"));
}

async function render() {
  const { page } = document.documentElement.dataset;
  if (page !== "dynamic" && !location.search && language === document.documentElement.lang) {
    return [...document.querySelectorAll('link[rel="modulepreload"].script')].map((link) => link.href);
  }
  // What the shell shows meanwhile is another page of the same kind.
  document.querySelector("main").inert = true;
  const answer = await request(location.href);
  const html = await answer.text();
  if (answer.redirected) moveTo(answer.url, "replaceState");
  return show(html);
}

/** Changes the address without loading its document. */
function moveTo(address, note) {
  // They are relative to the document that they came with.
  for (const link of document.querySelectorAll('link[rel~="icon"], link[rel="apple-touch-icon"], link[rel="manifest"]')) link.href = link.href;
  history[note](null, "", address);
}

/** The scripts of this document. A script runs once: a page with one that is here is loaded anew. */
const loaded = new Set();

async function load(scripts) {
  for (const script of scripts) {
    const name = script.split("/").at(-1);
    if (name === "site.js") continue;
    if (name !== "papan.js") loaded.add(name);
    await import(new URL(script, location.href));
  }
}

/** Shows the page that a form leads to. The worker stays, which has the module and its data already. */
async function enter(answer) {
  if (loaded.size) return location.assign(answer.url);
  const html = await answer.text();
  moveTo(answer.url, "pushState");
  const scripts = show(html);
  scrollTo(0, 0);
  completeLinks();
  document.dispatchEvent(new Event("papan:shown"));
  addEventListener("popstate", () => location.reload());
  await load(scripts);
}

/** A link that carries the whole game, for other devices. */
function completeLinks() {
  const link = document.getElementById("watch-link");
  if (link?.value.startsWith("/")) link.value = new URL(url(link.value), location.href).href;
}

let scripts = [];
try {
  scripts = await render();
} catch (error) {
  const notice = document.createElement("p");
  notice.className = "notice wrong";
  notice.setAttribute("role", "alert");
  notice.textContent = error.message;
  document.querySelector("main").prepend(notice);
}
completeLinks();
await load(scripts);

new MutationObserver(completeLinks).observe(document.body, { childList: true, subtree: true });

// ---- Forms ----

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post") return;
  event.preventDefault();
  const fields = new URLSearchParams(new FormData(form));
  if (event.submitter?.name) fields.set(event.submitter.name, event.submitter.value);
  if (path(form.action) === "/language") {
    localStorage.setItem("papan-language", fields.get("language"));
    return location.reload();
  }
  const answer = await request(form.action, { method: "POST", body: fields });
  if (answer.redirected) return enter(answer);
  show(await answer.text());
  document.dispatchEvent(new Event("papan:shown"));
});

// ---- Files ----

function save(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Draws an SVG picture as PNG. */
async function png(svg) {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  await image.decode();
  const canvas = new OffscreenCanvas(image.naturalWidth * 2, image.naturalHeight * 2);
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return canvas.convertToBlob({ type: "image/png" });
}

document.addEventListener("click", async (event) => {
  const link = event.target.closest?.(".downloads a");
  if (!link) return;
  event.preventDefault();
  const address = path(link.href);
  const isPng = /\.png(\?|$)/.test(address);
  const answer = await request(address.replace(/\.png/, ".svg"));
  const text = await answer.text();
  if (!answer.ok) return show(text);
  if (isPng) save(answer.name.replace(/svg$/, "png"), await png(text));
  else save(answer.name, new Blob([text], { type: answer.type }));
});

// ---- A link as QR code, for a phone ----

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-qr]");
  if (!button) return;
  const row = button.closest("p");
  const shown = row.parentElement.querySelector(".qr-code");
  if (shown) return shown.remove();
  const picture = document.createElement("img");
  picture.className = "qr-code";
  picture.alt = button.textContent;
  picture.width = picture.height = 260;
  const svg = await call("qrCode", { text: document.getElementById(button.dataset.qr).value });
  picture.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  row.after(picture);
});

// ---- The games of this browser ----

document.addEventListener("click", async (event) => {
  if (event.target.id !== "export") return;
  save("games.json", new Blob([await call("export")], { type: "application/json" }));
});

document.addEventListener("change", async (event) => {
  if (event.target.id !== "import-games" || !event.target.files.length) return;
  const text = await event.target.files[0].text();
  const said = await call("import", { text });
  show(rebase(await (await request("/me")).text(), root.pathname));
  document.getElementById("imported").textContent = said;
});

// ---- For use without a connection: what is kept is fetched when the page has nothing else to load ----

if ("serviceWorker" in navigator) {
  const register = () => navigator.serviceWorker.register(new URL("sw.js", root)).catch(() => {});
  if (navigator.serviceWorker.controller) register();
  else setTimeout(register, 3000);
}
