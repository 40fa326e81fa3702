// Makes pages live. Everything here also works without it, by forms and reload.

const table = document.getElementById("table");
const spoken = document.getElementById("spoken");

document.documentElement.classList.add("scripts");

// ---- Parts of the page, exchanged ----

function announce(text) {
  if (spoken) spoken.textContent = text;
}

function show(html) {
  const focused = document.activeElement?.id;
  table.innerHTML = html;
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  announce(document.getElementById("status")?.textContent ?? "");
  tick();
}

async function refresh() {
  const response = await fetch(location.href, { headers: { "x-papan-part": "1" } });
  if (response.ok && response.headers.get("content-type")?.startsWith("text/html")) {
    show(await response.text());
  }
}

// Forms inside the table are sent in the background.
async function send(form, button) {
  const fields = new URLSearchParams(new FormData(form));
  if (button?.name) fields.set(button.name, button.value);
  const response = await fetch(form.action, {
    method: "POST",
    headers: { "x-papan-part": "1" },
    body: fields,
  });
  if (response.redirected) {
    location.href = response.url;
  } else if (response.ok) {
    show(await response.text());
  } else {
    const problem = await response.json().catch(() => ({}));
    await refresh();
    complain(problem.error ?? response.statusText);
  }
}

function complain(text) {
  const status = document.getElementById("status");
  const notice = document.createElement("p");
  notice.className = "notice wrong";
  notice.setAttribute("role", "alert");
  notice.textContent = text;
  status?.after(notice);
}

table?.addEventListener("submit", (event) => {
  event.preventDefault();
  send(event.target, event.submitter).catch(() => event.target.submit());
});

// ---- Live updates; the browser resumes them from the last event it saw ----

function follow() {
  const address = table?.dataset.follow;
  if (!address || !window.EventSource) return;
  const version = table.querySelector("[data-version]").dataset.version;
  const stream = new EventSource(`${address}?after=${version}`);
  let waiting = false;
  stream.onmessage = (message) => {
    const shown = Number(table.querySelector("[data-version]").dataset.version);
    if (Number(message.lastEventId) <= shown || waiting) return;
    waiting = true;
    // Several events at once need one refresh.
    setTimeout(() => {
      waiting = false;
      refresh().catch(() => {});
    }, 20);
  };
  stream.onopen = () => document.documentElement.classList.remove("offline");
  stream.onerror = () => {
    document.documentElement.classList.add("offline");
    // A browser gives up after an answer that is no stream: the server was restarting.
    if (stream.readyState === EventSource.CLOSED) {
      setTimeout(() => refresh().catch(() => {}).finally(follow), 2000);
    }
  };
}

// ---- The board by keyboard: arrows move between cells ----

document.addEventListener("keydown", (event) => {
  const cell = event.target.closest?.(".grid .cell");
  if (!cell || event.altKey || event.ctrlKey || event.metaKey) return;
  const grid = cell.closest(".grid");
  const cells = [...document.querySelectorAll(".grid .cell")];
  const columns = Number(grid.dataset.columns);
  const at = cells.indexOf(cell);
  const column = [...grid.children].indexOf(cell) % columns;
  const steps = {
    ArrowLeft: column > 0 ? -1 : 0,
    ArrowRight: column < columns - 1 ? 1 : 0,
    ArrowUp: -columns,
    ArrowDown: columns,
    Home: -column,
    End: columns - 1 - column,
  };
  if (!(event.key in steps)) return;
  event.preventDefault();
  cells[at + steps[event.key]]?.focus();
});

// ---- Clocks ----

let clocks = 0;
function tick() {
  clearInterval(clocks);
  const clock = document.querySelector(".clock[data-runs]");
  if (!clock) return;
  const end = performance.now() + Number(clock.dataset.left);
  clocks = setInterval(() => {
    const seconds = Math.max(0, Math.ceil((end - performance.now()) / 1000));
    clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }, 200);
}

// ---- Copying ----

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    document.execCommand("copy");
  }
  announce(`✓ ${button.textContent}`);
  button.classList.add("done");
});

// ---- The home page: only what fits the choice ----

function fit(select) {
  const fields = document.querySelectorAll(`fieldset[data-of="${select.dataset.role}"]`);
  let any = false;
  for (const field of fields) {
    field.hidden = field.dataset.strategy !== select.value;
    any ||= !field.hidden;
  }
  const details = select.closest("section")?.querySelectorAll("details.parameters");
  for (const detail of details ?? []) {
    if (detail.querySelector(`[data-of="${select.dataset.role}"]`)) detail.hidden = !any;
  }
}

function offer() {
  const chosen = document.querySelector('input[name="game"]:checked')?.value ?? "";
  const typed = document.getElementById("other-game")?.value ?? "";
  const family = (typed || chosen).split(":")[0];
  for (const select of document.querySelectorAll("select[data-role]")) {
    for (const option of select.options) {
      const plays = option.dataset.families.split(" ").includes(family);
      option.hidden = option.disabled = !plays;
    }
    if (select.selectedOptions[0]?.disabled) {
      select.value = [...select.options].find((option) => !option.disabled)?.value ?? "";
    }
    fit(select);
  }
}

if (document.getElementById("home-form")) {
  document.addEventListener("change", offer);
  offer();
}

// ---- Long work: look again until it is done ----

async function watchProgress() {
  const part = document.getElementById("progress");
  if (!part?.dataset.reload) return;
  await new Promise((resolve) => setTimeout(resolve, Number(part.dataset.reload)));
  const response = await fetch(location.href, { headers: { accept: "text/html" } });
  if (response.ok) {
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const focused = document.activeElement?.id;
    part.replaceWith(page.getElementById("progress"));
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  }
  watchProgress();
}

if (table) {
  follow();
  tick();
}
watchProgress();
