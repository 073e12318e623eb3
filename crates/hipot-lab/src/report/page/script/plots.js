// Plots: which marks pass the filter, and what is under the pointer.

const marksOf = new WeakMap(); // drawing -> its marks, with positions and tasks
const numbers = (text) => (text === "" ? [] : text.split(" ").map(Number));

function marks(svg) {
  if (!marksOf.has(svg)) {
    const list = [...svg.querySelectorAll("path[data-t]:not(.curve)")].map((element) => {
      const [, x, y] = element.getAttribute("d").match(/^M([\d.]+) ([\d.]+)/);
      return { element, x: +x, y: +y, rows: numbers(element.dataset.t) };
    });
    marksOf.set(svg, list);
  }
  return marksOf.get(svg);
}

function curves(svg) {
  if (!marksOf.has(svg)) {
    const list = [...svg.querySelectorAll("path.curve[data-t]")].map((element) => {
      const places = [...element.getAttribute("d").matchAll(/H([\d.]+)V/g)].map((match) => match[1]);
      return { element, places, column: +element.dataset.c, rows: numbers(element.dataset.t) };
    });
    marksOf.set(svg, list);
  }
  return marksOf.get(svg);
}

const isCurve = (svg) => "up" in svg.dataset;

function updatePlot(svg) {
  if (isCurve(svg)) return updateCurves(svg);
  for (const mark of marks(svg)) {
    mark.isOut = !mark.rows.some((row) => visible[row]);
    mark.element.classList.toggle("out", mark.isOut);
  }
}

function topCount(largest) {
  for (let unit = 4; ; unit *= 10) {
    const digit = [1, 2, 3, 4, 5, 6, 8].find((digit) => digit * unit >= largest);
    if (digit) return digit * unit;
  }
}

function updateCurves(svg) {
  const { left, right, bottom, up } = svg.dataset;
  const list = curves(svg);
  for (const curve of list) curve.steps = curve.rows.map((_, index) => index).filter((index) => visible[curve.rows[index]]);
  const top = topCount(Math.max(0, ...list.map((curve) => curve.steps.length)));
  for (const curve of list) {
    const step = (at, index) => `H${curve.places[at]}V${Math.round(10 * (bottom - (up * (index + 1)) / top)) / 10}`;
    curve.element.setAttribute("d", `M${left} ${bottom}${curve.steps.map(step).join("")}H${right}`);
  }
  svg.querySelectorAll(".count").forEach((tick, part) => (tick.textContent = (top * part) / 4));
}

function inDrawing(svg, event) {
  const box = svg.getBoundingClientRect();
  const scale = svg.viewBox.baseVal.width / box.width;
  return { x: (event.clientX - box.left) * scale, y: (event.clientY - box.top) * scale, scale };
}

function nearest(svg, event, reach) {
  const at = inDrawing(svg, event);
  let best = null;
  let least = (reach * at.scale) ** 2;
  for (const mark of marks(svg)) {
    const distance = (mark.x - at.x) ** 2 + (mark.y - at.y) ** 2;
    if (!mark.isOut && distance <= least) [best, least] = [mark, distance];
  }
  return best;
}

// What is under the pointer: lines of text, and the tasks that a click opens.
function under(svg, event, reach) {
  if (!isCurve(svg)) {
    const mark = nearest(svg, event, reach);
    return mark && describe(svg, mark);
  }
  const at = inDrawing(svg, event);
  if (at.x < +svg.dataset.left || at.x > +svg.dataset.right || at.y > +svg.dataset.bottom) return null;
  const reached = curves(svg).map((curve) => {
    const steps = curve.steps || curve.rows.map((_, index) => index);
    const taken = steps.filter((index) => +curve.places[index] <= at.x);
    return { column: curve.column, count: taken.length, row: curve.rows[taken[taken.length - 1]] };
  });
  const lines = reached.map(({ column, count, row }) => [columns[column], `${count} solved${row === undefined ? "" : `, last ${name(row)}`}`]);
  const open = reached.filter((curve) => curve.row !== undefined).sort((a, b) => b.count - a.count)[0];
  return { lines, rows: open ? [open.row] : [], column: open ? open.column : 0 };
}

// What a plot shows, and its values.
function plotted(svg) {
  const { kind, attribute } = svg.dataset;
  if (attribute !== undefined) return [attribute, ATTRIBUTES[attribute]];
  return kind === "expansions" ? ["expansions", runs.e] : ["h", runs.h];
}

function describe(svg, mark) {
  const { kind, first, second } = svg.dataset;
  const rows = mark.rows.filter((row) => visible[row]);
  const value = (list, column, row) => (list[column][row] === null ? "none" : list[column][row]);
  const status = (column, row) => statusName(runs.status[column][row]);
  const lines = [];
  for (const row of rows.slice(0, 3)) {
    lines.push([name(row), ""]);
    const shown = first === second ? [second] : [first, second];
    if (kind.startsWith("initial-h-optimal")) lines.push(["h*", tasks.optimal[row] === null ? "unknown" : tasks.optimal[row]]);
    for (const column of shown) {
      const [what, list] = plotted(svg);
      lines.push([columns[column], `${what} ${value(list, column, row)}, ${status(column, row)}`]);
    }
  }
  if (rows.length > 3) lines.push([`and ${rows.length - 3} more ${rows.length === 4 ? "task" : "tasks"}`, ""]);
  return { lines, rows, column: +second };
}

const statusName = (status) => (status < 0 ? "not run" : statuses[status]);
const tip = byId("tip");

function showTip(lines, x, y) {
  tip.replaceChildren(
    ...lines.map(([what, value]) => {
      const line = document.createElement("div");
      const title = document.createElement(value === "" ? "strong" : "span");
      title.textContent = what;
      line.append(title);
      if (value !== "") line.append(`: ${value}`);
      return line;
    }),
  );
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  const fits = x + 14 + box.width < document.documentElement.clientWidth;
  tip.style.left = `${Math.max(4, fits ? x + 14 : x - 14 - box.width)}px`;
  tip.style.top = `${Math.max(4, Math.min(y + 14, window.innerHeight - box.height - 4))}px`;
}

const hideTip = () => {
  tip.hidden = true;
  document.querySelectorAll(".plot .at").forEach((mark) => mark.classList.remove("at"));
};

function step(svg, event) {
  if (isCurve(svg)) return;
  const list = marks(svg).filter((mark) => !mark.isOut);
  if (list.length === 0) return;
  list.sort((a, b) => a.x - b.x || b.y - a.y);
  const moves = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageDown: 20, PageUp: -20 };
  const now = list.findIndex((mark) => mark.element.classList.contains("at"));
  if (event.key === "Enter" || event.key === " ") {
    if (now < 0) return;
    const found = describe(svg, list[now]);
    event.preventDefault();
    return openRun(found.rows, found.column);
  }
  if (!(event.key in moves)) return;
  event.preventDefault();
  const next = list[now < 0 ? 0 : Math.max(0, Math.min(list.length - 1, now + moves[event.key]))];
  hideTip();
  next.element.classList.add("at");
  const box = next.element.getBoundingClientRect();
  showTip(describe(svg, next).lines, box.right, box.bottom);
}

function listenToPlot(svg) {
  svg.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch") return;
    const found = under(svg, event, 9);
    svg.classList.toggle("pointing", found !== null && found.rows.length > 0);
    hideTip();
    if (found) showTip(found.lines, event.clientX, event.clientY);
  });
  svg.addEventListener("pointerleave", hideTip);
  svg.addEventListener("blur", hideTip);
  svg.addEventListener("keydown", (event) => step(svg, event));
  svg.addEventListener("click", (event) => {
    const found = under(svg, event, matchMedia("(pointer: coarse)").matches ? 24 : 9);
    if (found && found.rows.length > 0) openRun(found.rows, found.column);
  });
}

const shownPlots = new Map();
document.querySelectorAll("svg.plot").forEach((svg) => {
  listenToPlot(svg);
  if (svg.closest("figure[data-kind]")) shownPlots.set(plotKey(svg), svg);
});

function plotKey(svg) {
  return `${svg.dataset.kind} ${svg.dataset.first} ${svg.dataset.second}`;
}

function choosePlot(select) {
  if (!shownPlots.has(select.value)) {
    const template = [...document.querySelectorAll("template")].find((one) => one.dataset.plot === select.value);
    const svg = template.content.firstElementChild;
    listenToPlot(svg);
    shownPlots.set(select.value, svg);
  }
  const svg = shownPlots.get(select.value);
  updatePlot(svg);
  select.closest("figure").querySelector("svg.plot").replaceWith(svg);
}
