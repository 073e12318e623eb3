// Updates and sorts the tables.

const show = (metric, sum) => (units[metric] === 1 ? String(sum) : (sum / units[metric]).toFixed(2));

function sums(metric) {
  const byDomain = domains.map(() => new Array(width).fill(0));
  const counts = domains.map(() => 0);
  const total = new Array(width).fill(0);
  for (let row = 0; row < height; row++) {
    if (!visible[row]) continue;
    const domain = tasks.domain[row];
    counts[domain]++;
    for (let column = 0; column < width; column++) {
      byDomain[domain][column] += metrics[metric][column][row];
      total[column] += metrics[metric][column][row];
    }
  }
  return { byDomain, counts, total };
}

function fill(row, texts) {
  texts.forEach((text, index) => (row.cells[index + 1].textContent = text));
}

// Highlights the best values of a row, unless all are equal.
function markBest(row, values, from) {
  const best = Math.max(...values);
  const differ = values.some((value) => value !== best);
  values.forEach((value, index) => row.cells[from + index].classList.toggle("best", differ && value === best));
}

function updateSums(table) {
  const metric = table.dataset.metric;
  const { byDomain, counts, total } = sums(metric);
  for (const row of table.tBodies[0].rows) {
    const domain = +row.dataset.domain;
    row.hidden = counts[domain] === 0;
    fill(row, [String(counts[domain]), ...byDomain[domain].map((sum) => show(metric, sum))]);
    markBest(row, byDomain[domain], 2);
  }
  const foot = table.tFoot.rows[0];
  fill(foot, [String(counts.reduce((a, b) => a + b, 0)), ...total.map((sum) => show(metric, sum))]);
  markBest(foot, total, 2);
}

function updateTotals() {
  for (const row of byId("totals").tBodies[0].rows) {
    const { total } = sums(row.dataset.metric);
    fill(row, total.map((sum) => show(row.dataset.metric, sum)));
    markBest(row, total, 1);
  }
}

function updateCards() {
  const solved = sums("coverage").total;
  const perfect = sums("initial_h_perfect").total;
  const count = visible.reduce((a, b) => a + b, 0);
  document.querySelectorAll(".cards [data-column]").forEach((card) => {
    const column = +card.dataset.column;
    card.querySelector(".value").textContent = solved[column];
    card.querySelector(".of").textContent = count;
    card.querySelector(".perfect-count").textContent = perfect[column];
  });
}

const percent = (part, whole) => (whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)}%`);

function updateInitial() {
  const known = sums("initial_h_known").total;
  const perfect = sums("initial_h_perfect");
  for (const row of byId("initial").tBodies[0].rows) {
    const column = +row.dataset.column;
    const reached = perfect.byDomain.filter((list) => list[column] > 0).length;
    const share = percent(perfect.total[column], known[column]);
    fill(row, [known[column], perfect.total[column], share, reached].map(String));
  }
}

function updateStatuses() {
  const counts = new Map();
  runs.status.forEach((list, column) => {
    for (let row = 0; row < height; row++) {
      const key = `${list[row]} ${column}`;
      if (visible[row]) counts.set(key, (counts.get(key) || 0) + 1);
    }
  });
  for (const row of byId("statuses").tBodies[0].rows) {
    fill(row, columns.map((_, column) => String(counts.get(`${row.dataset.status} ${column}`) || 0)));
  }
}

function ratio(value) {
  if (value === null) return "–";
  if (value < 0.001) return "< 0.001";
  return value.toFixed(value < 0.1 ? 4 : value < 10 ? 2 : value < 100 ? 1 : 0);
}

function compare(first, second) {
  const order = (a, b) => (b > a ? 0 : b === a ? 1 : 2);
  const geometric = (list) => (list.length === 0 ? null : Math.exp(list.reduce((a, b) => a + b, 0) / list.length));
  const [only, initial, expansions, byExpansions, byTime] = [[0, 0, 0], [0, 0, 0], [0, 0, 0], [], []];
  for (let row = 0; row < height; row++) {
    if (!visible[row]) continue;
    // A run that was not made says nothing about either.
    if (runs.status[first][row] < 0 || runs.status[second][row] < 0) continue;
    const of = (list) => [list[first][row], list[second][row]];
    const isKnown = (pair) => pair[0] !== null && pair[1] !== null;
    const h = of(runs.h);
    if (isKnown(h)) initial[order(...h)]++;
    const [a, b] = of(metrics.coverage);
    if (a || b) only[a && b ? 1 : a ? 0 : 2]++;
    if (!(a && b)) continue;
    const time = of(runs.time).map((seconds) => Math.max(seconds, 0.01));
    byTime.push(Math.log(time[1] / time[0]));
    const e = of(runs.e);
    if (!isKnown(e)) continue;
    expansions[2 - order(...e)]++;
    byExpansions.push(Math.log(Math.max(e[1], 1) / Math.max(e[0], 1)));
  }
  return [...only, ...initial, ...expansions, ratio(geometric(byExpansions)), ratio(geometric(byTime))];
}

function updatePairs() {
  for (const row of byId("pairs").tBodies[0].rows) {
    const cells = compare(+row.dataset.first, +row.dataset.second).map(String);
    cells.forEach((text, index) => (row.cells[index + 2].textContent = text));
  }
}

function sortKey(cell) {
  const number = parseFloat(cell.textContent.replace("< ", ""));
  return Number.isNaN(number) || cell.tagName === "TH" ? cell.textContent : number;
}

function order(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "number") return 1;
  if (typeof b === "number") return -1;
  return a.localeCompare(b, "en", { numeric: true });
}

function turn(header) {
  const next = header.getAttribute("aria-sort") === "descending" ? "ascending" : "descending";
  header.closest("tr").querySelectorAll("th").forEach((other) => other.removeAttribute("aria-sort"));
  header.setAttribute("aria-sort", next);
  return next === "ascending" ? 1 : -1;
}

function sortTable(header) {
  const table = header.closest("table");
  const sign = turn(header);
  if (table.id === "runs") return sortRuns(+header.dataset.key, sign);
  if (table.id === "wide") return sortWide(+header.dataset.at, sign);
  const at = +header.dataset.at;
  const rows = [...table.tBodies[0].rows].map((row) => [sortKey(row.cells[at]), row]);
  rows.sort((a, b) => sign * order(a[0], b[0]));
  table.tBodies[0].append(...rows.map(([, row]) => row));
}
