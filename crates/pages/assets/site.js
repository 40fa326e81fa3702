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
    return [...document.querySelectorAll('link[rel="modulepreload"]')].map((link) => link.href);
  }
  // What the shell shows meanwhile is another page of the same kind.
  document.querySelector("main").inert = true;
  const answer = await request(location.href);
  if (answer.redirected) location.replace(answer.url);
  return show(await answer.text());
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
for (const script of scripts) if (!script.endsWith("/site.js")) await import(new URL(script, location.href));

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
  if (answer.redirected) return location.assign(answer.url);
  show(await answer.text());
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
  if (isPng) save(answer.name.replace(/svg$/, "png"), await png(text));
  else save(answer.name, new Blob([text], { type: answer.type }));
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

if ("serviceWorker" in navigator) navigator.serviceWorker.register(new URL("sw.js", root)).catch(() => {});
