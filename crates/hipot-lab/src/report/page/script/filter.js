"use strict";
// The numbers of each task are in `data`; this script adds up those of the tasks that pass
// the filter. The numbers are defined where they are computed, not here.
const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);
const { columns, domains, statuses, tasks, runs, metrics, units } = data;
const width = columns.length;
const height = tasks.domain.length;
const NOT_RUN = -1;
let visible = new Uint8Array(height).fill(1);

const form = byId("filter");
const domainBoxes = [...form.querySelectorAll("[name=domain]")];

function matches(chosen, words, column, status, common) {
  const inColumns = column === "" ? runs.status : [runs.status[+column]];
  return (row) =>
    chosen[tasks.domain[row]] &&
    (!common || metrics.coverage.every((list) => list[row] > 0)) &&
    (status === "" || inColumns.some((list) => list[row] === +status)) &&
    (words === "" || name(row).toLowerCase().includes(words));
}

function applyFilter() {
  const chosen = domainBoxes.map((box) => box.checked);
  const words = form.elements.words.value.trim().toLowerCase();
  const passes = matches(chosen, words, form.elements.column.value, form.elements.status.value, form.elements.common.checked);
  let count = 0;
  for (let row = 0; row < height; row++) count += visible[row] = passes(row) ? 1 : 0;
  const some = chosen.filter(Boolean).length;
  byId("domains-chosen").textContent = some === domains.length ? "all domains" : `${some} of ${counted(domains.length, "domain")}`;
  byId("count").textContent = count === height ? allTasks() : `${count} of ${counted(height, "task")}`;
  document.body.classList.toggle("filtered", count !== height);
  update();
}

function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function allTasks() {
  return height === 0 ? "no tasks" : height === 1 ? "the only task" : `all ${height} tasks`;
}

function name(row) {
  return `${domains[tasks.domain[row]]} ${tasks.problem[row]}`;
}

function update() {
  updateCards();
  document.querySelectorAll("table.sums").forEach(updateSums);
  updateTotals();
  updateInitial();
  updateStatuses();
  updatePairs();
  document.querySelectorAll("svg.plot").forEach(updatePlot);
  showWide(true);
  showRuns(true);
}
