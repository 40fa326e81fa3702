// A solved board: the visitor's browser checks its certificate. The worker writes the sentences.

import { announce } from "./papan.js";
import { call } from "./worker_transport.js";

const byId = (id) => document.getElementById(id);
const { slug, file } = byId("check").dataset;

/** Marks the moves that reach the value. Without one, the page says that none is known. */
function mark(moves) {
  for (const move of moves) byId(`cell-${move.cell}`)?.classList.add("premove");
  byId("best").hidden = moves.length === 0;
  byId("no-best").hidden = moves.length > 0;
  byId("best").querySelector("b").textContent = moves.map(({ name }) => name).join(" ");
}

byId("check").addEventListener("click", async () => {
  const [bar, said] = [byId("check-progress"), byId("check-result")];
  byId("check").disabled = true;
  bar.hidden = false;
  said.classList.remove("wrong");
  const { text, holds } = await call("check", { file }, (progress) => {
    bar.value = progress.share;
    said.textContent = progress.text;
  });
  bar.value = holds ? 1 : 0;
  said.textContent = text;
  said.classList.toggle("wrong", !holds);
  byId("play-proof").hidden = !holds;
  announce(text);
  byId("check").disabled = false;
  if (holds) mark(await call("best", { slug }));
});

mark(await call("known", { slug }));
