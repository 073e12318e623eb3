// The table of runs, and the dialog that shows one of them.

const PAGE = 25;
const keys = [
  (row) => name(row),
  (row, column) => columns[column],
  (row, column) => statusName(runs.status[column][row]),
  (row, column) => runs.cost[column][row],
  (row, column) => runs.h[column][row],
  (row, column) => runs.x[column][row],
  (row, column) => runs.time[column][row],
  (row, column) => runs.memory[column][row],
];
let places = null;
let shownRuns = 0;
let runOrder = null;

function sortRuns(key, sign) {
  runOrder = { key, sign };
  showRuns(true);
}

function listRuns() {
  const list = [];
  for (let row = 0; row < height; row++) {
    if (!visible[row]) continue;
    for (let column = 0; column < width; column++) if (runs.status[column][row] >= NOT_RUN) list.push(row * width + column);
  }
  if (runOrder === null) return list;
  const value = (place) => keys[runOrder.key](Math.floor(place / width), place % width);
  const keyed = list.map((place) => [value(place), place]);
  return keyed.sort((a, b) => compareKeys(a[0], b[0], runOrder.sign)).map(([, place]) => place);
}

const collate = new Intl.Collator("en", { numeric: true });

// Unknown values come last.
function compareKeys(a, b, sign) {
  if (a === null || b === null) return (a === null) - (b === null);
  return sign * (typeof a === "number" ? a - b : collate.compare(a, b));
}

function showRuns(again) {
  const body = byId("runs").tBodies[0];
  if (again) {
    places = listRuns();
    shownRuns = 0;
    body.replaceChildren();
  }
  const until = Math.min(places.length, shownRuns + PAGE);
  for (; shownRuns < until; shownRuns++) body.append(runRow(places[shownRuns]));
  byId("runs-shown").textContent = `${shownRuns} of ${counted(places.length, "run")}`;
  byId("more").hidden = shownRuns === places.length;
}

function runRow(place) {
  const [row, column] = [Math.floor(place / width), place % width];
  const line = document.createElement("tr");
  const link = document.createElement("button");
  link.className = "link";
  link.textContent = name(row);
  link.addEventListener("click", () => openRun([row], column));
  const head = document.createElement("th");
  head.scope = "row";
  head.append(link);
  line.append(head);
  keys.slice(1).forEach((key, index) => {
    const cell = line.insertCell();
    const value = key(row, column);
    cell.className = index < 2 ? "" : "right number";
    cell.textContent = value === null ? "–" : index === 5 ? value.toFixed(2) : value;
  });
  const status = runs.status[column][row];
  line.cells[2].className = status === 0 ? "" : "muted";
  return line;
}

let logs = null;
let opened = { rows: [], column: 0 };
const dialog = byId("run");

async function inflate(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).text();
}

function openRun(rows, column) {
  hideTip();
  opened = { rows, column };
  const select = byId("run-task");
  select.replaceChildren(...rows.slice(0, 500).map((row) => new Option(name(row), row)));
  select.closest("label").hidden = rows.length === 1;
  showRun();
  if (!dialog.open) dialog.showModal();
}

async function showRun() {
  const row = +byId("run-task").value;
  const { column } = opened;
  byId("run-title").textContent = name(row);
  const buttons = columns.map((title, index) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = title;
    button.setAttribute("aria-pressed", index === column);
    button.addEventListener("click", () => {
      opened.column = index;
      showRun().then(() => byId("run-columns").children[index].focus());
    });
    return button;
  });
  byId("run-columns").replaceChildren(...buttons);
  showFacts(row, column);
  if (logs === null) logs = JSON.parse(byId("logs").textContent);
  const packed = logs[row * width + column];
  const text = packed ? await inflate(packed) : runs.status[column][row] < 0 ? "This run is not done yet." : "The report does not contain the log of this run.";
  if (opened.column === column && +byId("run-task").value === row) byId("log").textContent = text;
}

function showFacts(row, column) {
  const run = (list) => list[column][row];
  const unit = (value, word) => (value === null ? null : `${value} ${word}`);
  const seconds = run(runs.time);
  const facts = [
    ["status", statusName(run(runs.status))],
    ["reason", data.reasons[row * width + column] || null],
    ["cost", run(runs.cost)],
    ["h*", tasks.optimal[row]],
    ["initial h", run(runs.h)],
    ["expansions", run(runs.x)],
    ["expansions without the last f layer", run(runs.e)],
    ["processor time", unit(seconds === null ? null : seconds.toFixed(2), "s")],
    ["memory", unit(run(runs.memory), "MB")],
  ];
  const pairs = facts.filter(([, value]) => value !== null).flatMap(([what, value]) => {
    const [term, description] = [document.createElement("dt"), document.createElement("dd")];
    [term.textContent, description.textContent] = [what, value];
    return [term, description];
  });
  byId("run-facts").replaceChildren(...pairs);
}
