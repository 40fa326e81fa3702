// The page walks by its links alone; the arrow keys are all that a script adds.
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const all = document.querySelectorAll("section");
  const now = document.querySelector("section:target") ?? all[all.length - 1];
  const at = [...all].indexOf(now);
  const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: all.length - 1 }[event.key];
  if (next === undefined || !all[next]) return;
  event.preventDefault();
  location.replace("#" + all[next].id);
});
