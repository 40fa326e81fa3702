// Shared by the pages of the static site: the module on this thread for rules, pictures and
// messages, and an engine in a worker for everything that takes time.

import init, * as papan from "../engine/index.js";
import { Engine, Stopped } from "../engine/engine.js";

export { Stopped, papan };

const root = new URL("../", import.meta.url);
const language = document.documentElement.lang;

const module = WebAssembly.compileStreaming(fetch(new URL("engine/papan_bg.wasm", root)));
await init(await module);
papan.setLanguage(language);

export const t = (key, values) => papan.message(key, values);

let engine;

/** Returns the engine, started by the first call. */
export function worker() {
  engine ??= (async () => Engine.start({ language, module: await module }))();
  return engine;
}

/** Shows an error to the visitor. */
export function fail(error) {
  if (error instanceof Stopped) return;
  const notice = document.getElementById("notice");
  notice.textContent = t("site-failed", { reason: error.message });
  notice.hidden = false;
}

/** A number with its digits in groups. */
export const grouped = (number) => new Intl.NumberFormat(language).format(number);

if ("serviceWorker" in navigator) navigator.serviceWorker.register(new URL("sw.js", root)).catch(() => {});
