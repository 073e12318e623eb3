// One attribute of all runs: a row for each task, a column for each configuration.

const ATTRIBUTES = {
  "initial h": runs.h,
  cost: runs.cost,
  "lower bound": runs.bound,
  expansions: runs.x,
  "expansions before the last f layer": runs.e,
  evaluated: runs.evaluated,
  generated: runs.generated,
  "processor time in seconds": runs.time,
  "search time in seconds": runs.search,
  "total time in seconds": runs.total,
  "memory in MB": runs.memory,
  status: runs.status,
};
const WIDE_PAGE = 25;
let wideRows = [];
let wideShown = 0;
let wideOrder = null;

byId("attribute").append(...Object.keys(ATTRIBUTES).map((name) => new Option(name, name)));

function wideValue(row, column) {
  const name = byId("attribute").value;
  const value = ATTRIBUTES[name][column][row];
  if (name === "status") return statusName(value);
  return value === null || runs.status[column][row] < 0 ? null : value;
}

function wideText(value) {
  if (value === null) return "–";
  return typeof value === "number" && !Number.isInteger(value) ? value.toFixed(2) : String(value);
}

function sortWide(at, sign) {
  wideOrder = { at, sign };
  showWide(true);
}

function wideKey(row) {
  if (wideOrder.at === 0) return name(row);
  return wideOrder.at === 1 ? tasks.optimal[row] : wideValue(row, wideOrder.at - 2);
}

function listWide() {
  const list = tasks.domain.map((_, row) => row).filter((row) => visible[row]);
  if (wideOrder === null) return list;
  const keyed = list.map((row) => [wideKey(row), row]);
  return keyed.sort((a, b) => compareKeys(a[0], b[0], wideOrder.sign)).map(([, row]) => row);
}

function showWide(again) {
  const body = byId("wide").tBodies[0];
  if (again) {
    wideRows = listWide();
    wideShown = 0;
    body.replaceChildren();
  }
  const until = Math.min(wideRows.length, wideShown + WIDE_PAGE);
  for (; wideShown < until; wideShown++) body.append(wideRow(wideRows[wideShown]));
  byId("wide-shown").textContent = `${wideShown} of ${counted(wideRows.length, "task")}`;
  byId("wide-more").hidden = wideShown === wideRows.length;
  markOverflow();
}

function wideRow(row) {
  const line = document.createElement("tr");
  const head = document.createElement("th");
  head.scope = "row";
  head.textContent = name(row);
  line.append(head);
  const optimal = line.insertCell();
  optimal.className = "right number";
  optimal.textContent = wideText(tasks.optimal[row]);
  columns.forEach((_, column) => {
    const cell = line.insertCell();
    cell.className = "right number";
    const value = wideText(wideValue(row, column));
    if (runs.status[column][row] < 0) return (cell.textContent = value);
    const link = document.createElement("button");
    link.className = "link";
    link.textContent = value;
    link.addEventListener("click", () => openRun([row], column));
    cell.append(link);
  });
  return line;
}

byId("attribute").addEventListener("change", () => showWide(true));
byId("wide-more").addEventListener("click", () => showWide(false));
