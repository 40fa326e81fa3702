// The trace of a strategy: keys as in a debugger, pan and zoom of the tree. Stepping and folding are
// links, which study.js follows without loading the page again.

const keys = { ArrowDown: "over", ArrowUp: "out", c: "cut" };

document.addEventListener("keydown", (event) => {
  if (event.target.closest?.("input, textarea, select, .cell") || event.target.matches?.(".tree")) return;
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const link = keys[event.key] && document.querySelector(`main .walk [rel="${keys[event.key]}"]`);
  if (!link) return;
  event.preventDefault();
  link.click();
});

// ---- The view of the tree: a scale, and the point in its upper left corner ----

let scale = 1;
let corner = { x: 0, y: 0 };

const box = () => document.querySelector(".tree");
const picture = () => box()?.querySelector("svg");

/** Returns the size of the drawing, which its view box had at first. */
function whole(svg) {
  svg.dataset.size ??= svg.getAttribute("viewBox");
  const [, , width, height] = svg.dataset.size.split(" ").map(Number);
  return { width, height };
}

function show() {
  const svg = picture();
  if (!svg) return;
  const { width, height } = whole(svg);
  const view = { width: box().clientWidth / scale, height: box().clientHeight / scale };
  // A part of the drawing stays in sight.
  corner.x = Math.min(Math.max(corner.x, -view.width / 2), Math.max(width - view.width / 2, 0));
  corner.y = Math.min(Math.max(corner.y, -view.height / 2), Math.max(height - view.height / 2, 0));
  svg.setAttribute("viewBox", `${corner.x} ${corner.y} ${view.width} ${view.height}`);
}

function zoomTo(next, at) {
  const svg = picture();
  if (!svg) return;
  const { width, height } = box().getBoundingClientRect();
  const middle = at ?? { x: width / 2, y: height / 2 };
  next = Math.min(Math.max(next, 0.1), 4);
  corner.x += middle.x / scale - middle.x / next;
  corner.y += middle.y / scale - middle.y / next;
  scale = next;
  show();
}

function fit() {
  const svg = picture();
  if (!svg) return;
  const { width, height } = whole(svg);
  scale = Math.min(box().clientWidth / width, box().clientHeight / height, 1.5);
  corner = { x: (width - box().clientWidth / scale) / 2, y: 0 };
  show();
}

/** Moves the view just so far that the current position is in it. */
function follow() {
  const svg = picture();
  if (!svg) return;
  box().classList.add("movable");
  whole(svg);
  const mark = svg.querySelector(".current");
  if (mark) {
    const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => Number(mark.getAttribute(name)));
    const view = { width: box().clientWidth / scale, height: box().clientHeight / scale };
    const margin = 60;
    corner.x = Math.min(Math.max(corner.x, x + width + margin - view.width), Math.max(x - margin, 0));
    corner.y = Math.min(Math.max(corner.y, y + height + margin - view.height), Math.max(y - margin, 0));
  }
  show();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-zoom]");
  if (button?.dataset.zoom === "in") zoomTo(scale * 1.3);
  if (button?.dataset.zoom === "out") zoomTo(scale / 1.3);
  if (button?.dataset.zoom === "fit") fit();
});

document.addEventListener(
  "wheel",
  (event) => {
    if (!event.target.closest?.(".tree")) return;
    event.preventDefault();
    const { left, top } = box().getBoundingClientRect();
    zoomTo(scale * Math.exp(-event.deltaY / 400), { x: event.clientX - left, y: event.clientY - top });
  },
  { passive: false },
);

// One pointer drags, two pinch.
const pointers = new Map();
let dragged = 0;

document.addEventListener("pointerdown", (event) => {
  if (!event.target.closest?.(".tree") || event.button) return;
  pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  dragged = 0;
});

document.addEventListener("pointermove", (event) => {
  const before = pointers.get(event.pointerId);
  if (!before) return;
  const now = { x: event.clientX, y: event.clientY };
  const others = [...pointers].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
  if (others.length) {
    const apart = (point) => Math.hypot(point.x - others[0].x, point.y - others[0].y);
    const { left, top } = box().getBoundingClientRect();
    const middle = { x: (now.x + others[0].x) / 2 - left, y: (now.y + others[0].y) / 2 - top };
    zoomTo((scale * apart(now)) / Math.max(apart(before), 1), middle);
  } else {
    corner.x -= (now.x - before.x) / scale;
    corner.y -= (now.y - before.y) / scale;
    show();
  }
  dragged += Math.hypot(now.x - before.x, now.y - before.y);
  pointers.set(event.pointerId, now);
});

for (const name of ["pointerup", "pointercancel"]) {
  document.addEventListener(name, (event) => pointers.delete(event.pointerId));
}

// The end of a drag is no click on a position.
document.addEventListener(
  "click",
  (event) => {
    if (!event.target.closest?.(".tree") || dragged < 6) return;
    event.preventDefault();
    event.stopPropagation();
  },
  true,
);

document.addEventListener("dragstart", (event) => {
  if (event.target.closest?.(".tree")) event.preventDefault();
});

document.addEventListener("keydown", (event) => {
  if (!event.target.matches?.(".tree")) return;
  const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  if (event.key === "+" || event.key === "=") zoomTo(scale * 1.3);
  else if (event.key === "-") zoomTo(scale / 1.3);
  else if (moves[event.key]) {
    corner.x += (moves[event.key][0] * 60) / scale;
    corner.y += (moves[event.key][1] * 60) / scale;
    show();
  } else return;
  event.preventDefault();
  event.stopPropagation();
});

document.addEventListener("papan:shown", follow);
addEventListener("resize", show);
fit();
// Labels stay readable; a larger tree is moved.
if (scale < 0.9) {
  scale = 0.9;
  corner = { x: 0, y: 0 };
}
follow();
