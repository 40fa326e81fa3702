// A solved board: the visitor's browser checks its certificate.

import { announce } from "./papan.js";
import { fail, grouped, papan, t, worker } from "./common.js";
import { draw } from "./board.js";

const byId = (id) => document.getElementById(id);
const { game, certificate, best } = byId("check").dataset;
draw(byId("board"), new papan.Game(game).line(), { chosen: best ? best.split(" ") : [] });

byId("check").addEventListener("click", async () => {
  const [bar, result] = [byId("progress"), byId("result")];
  byId("check").disabled = true;
  bar.hidden = false;
  bar.removeAttribute("value");
  result.textContent = t("site-loading");
  let size = 0;
  try {
    const engine = await worker();
    const started = performance.now();
    await engine.check(certificate, ({ checked, total }) => {
      size = total;
      bar.value = checked / total;
      result.textContent = t("site-checking", { percent: String(Math.floor((100 * checked) / total)) });
    });
    const seconds = ((performance.now() - started) / 1000).toFixed(2);
    bar.value = 1;
    result.textContent = t("site-accepted", { bytes: grouped(size), seconds });
    byId("proof").hidden = false;
  } catch (error) {
    if (error.name === "Stopped") fail(error);
    result.textContent = t("site-refused", { reason: error.message });
    result.classList.add("wrong");
  }
  announce(result.textContent);
  byId("check").disabled = false;
});
