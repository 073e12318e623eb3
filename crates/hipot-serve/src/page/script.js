"use strict";

const byId = (id) => document.getElementById(id);
const START = {
  domain: `; A light is switched at its own place, and it takes a walk to get there.
(define (domain lights)
  (:requirements :strips :typing)
  (:types place)
  (:predicates (at ?p - place) (path ?p ?q - place) (lit ?p - place))
  (:action walk
    :parameters (?p ?q - place)
    :precondition (and (at ?p) (path ?p ?q))
    :effect (and (at ?q) (not (at ?p))))
  (:action switch
    :parameters (?p - place)
    :precondition (at ?p)
    :effect (lit ?p)))
`,
  problem: `(define (problem evening)
  (:domain lights)
  (:objects kitchen hall stairs - place)
  (:init (at kitchen)
    (path kitchen hall) (path hall kitchen)
    (path hall stairs) (path stairs hall))
  (:goal (and (lit kitchen) (lit stairs) (at hall))))
`,
};

// ---------------------------------------------------------------- editors

class Editor {
  constructor(part) {
    this.file = part.dataset.file;
    this.area = part.querySelector("textarea");
    this.numbers = part.querySelector(".numbers");
    this.marks = part.querySelector(".marks");
    this.messages = part.querySelector(".messages");
    this.found = [];
    this.area.addEventListener("input", () => { this.found = []; this.draw(); changed(); });
    this.area.addEventListener("scroll", () => this.follow());
  }

  get text() { return this.area.value; }

  set text(text) { this.area.value = text; this.found = []; this.draw(); }

  show(found) { this.found = found; this.draw(); }

  /** Draws line numbers, marks behind the text, and messages. */
  draw() {
    const bad = new Set(this.found.filter((it) => it.severity !== "warning").map((it) => it.line));
    const lines = this.text.split("\n");
    this.numbers.replaceChildren(...lines.map((_, index) => {
      const number = document.createElement("span");
      number.textContent = `${index + 1}\n`;
      number.className = bad.has(index + 1) ? "bad" : "";
      return number;
    }));
    this.marks.replaceChildren(...this.markedText(lines));
    this.messages.replaceChildren(...this.found.map((it) => this.message(it)));
    this.area.setAttribute("aria-invalid", bad.size > 0);
    this.follow();
  }

  /** The text, with a span for each place where something is wrong. */
  markedText(lines) {
    const pieces = [];
    lines.forEach((line, index) => {
      const characters = [...line];
      let from = 0;
      const here = this.found.filter((it) => it.line === index + 1).sort((a, b) => a.column - b.column);
      for (const it of here) {
        const begin = Math.max(from, it.column - 1);
        const end = Math.max(begin, Math.min(characters.length, it.column - 1 + it.width));
        const mark = document.createElement("span");
        mark.className = it.severity;
        mark.textContent = characters.slice(begin, end).join("") || " ";
        pieces.push(characters.slice(from, begin).join(""), mark);
        from = end;
      }
      pieces.push(`${characters.slice(from).join("")}\n`);
    });
    return pieces;
  }

  message(it) {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.className = it.severity;
    button.append(`Line ${it.line}: ${it.message}`);
    if (it.help) {
      const help = document.createElement("span");
      help.className = "help";
      help.textContent = ` (${it.help})`;
      button.append(help);
    }
    button.addEventListener("click", () => this.go(it));
    item.append(button);
    return item;
  }

  /** Selects a place. */
  go(it) {
    const lines = this.text.split("\n").slice(0, it.line - 1);
    const before = lines.reduce((sum, line) => sum + line.length + 1, 0);
    const line = [...(this.text.split("\n")[it.line - 1] ?? "")];
    const begin = before + line.slice(0, it.column - 1).join("").length;
    const end = before + line.slice(0, it.column - 1 + it.width).join("").length;
    this.area.focus();
    this.area.setSelectionRange(begin, end);
    this.area.scrollTop = Math.max(0, (it.line - 4) * 20);
  }

  follow() {
    this.marks.scrollTop = this.numbers.scrollTop = this.area.scrollTop;
    this.marks.scrollLeft = this.area.scrollLeft;
  }
}

const editors = Object.fromEntries(
  [...document.querySelectorAll(".editor")].map((part) => [part.dataset.file, new Editor(part)]));

const task = () => ({ domain: editors.domain.text, problem: editors.problem.text });

function remember() {
  try {
    localStorage.setItem("task", JSON.stringify(task()));
  } catch { /* then it is not there after a reload */ }
}

function recall() {
  try {
    return JSON.parse(localStorage.getItem("task")) ?? START;
  } catch {
    return START;
  }
}

let waiting, reading = 0;

function changed() {
  clearTimeout(waiting);
  waiting = setTimeout(check, 250);
}

// What was typed just before the page is left is there after a reload, too.
addEventListener("pagehide", remember);

/** Marks what is wrong with the task. */
async function check() {
  remember();
  const mine = ++reading;
  const answer = await post("/api/read", task()).then((it) => it.json()).catch(() => null);
  if (mine !== reading || !answer) return;
  for (const [file, editor] of Object.entries(editors)) {
    editor.show((answer.diagnostics ?? []).filter((it) => it.file === file));
  }
}

function post(path, body, signal) {
  const headers = { "Content-Type": "application/json" };
  return fetch(path, { method: "POST", headers, body: JSON.stringify(body), signal });
}

// ------------------------------------------------------------------ files

async function open(files) {
  for (const file of files) {
    const text = await file.text();
    const isDomain = /\(\s*define\s*\(\s*domain\b/i.test(text);
    editors[isDomain ? "domain" : "problem"].text = text;
  }
  changed();
}

byId("open").addEventListener("change", (event) => open(event.target.files));
for (const name of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(name, (event) => {
    event.preventDefault();
    document.body.classList.toggle("dropping", name === "dragover");
    if (name === "drop") open(event.dataTransfer.files);
  });
}

function save(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

// ---------------------------------------------------------------- solving

let controller = null, plan = "", certificate = "", bounds = {};

function status(text, kind = "") {
  byId("status").textContent = text;
  byId("status").className = kind;
}

const number = (value) => (value === null || value === undefined ? "–" : value.toLocaleString("en"));

function showBounds(more) {
  bounds = { ...bounds, ...more };
  const { lower, upper, seconds, expanded, memory } = bounds;
  byId("bounds").hidden = false;
  byId("lower").textContent = number(lower);
  byId("upper").textContent = number(upper);
  const isKnown = upper !== null && upper !== undefined && lower !== null && lower !== undefined;
  const gap = isKnown ? (upper > 0 ? (upper - lower) / upper : 0) : null;
  byId("gap").textContent = gap === null ? "–" : `${(100 * gap).toFixed(1)}%`;
  byId("filled").style.width = gap === null ? "0" : `${100 * (1 - gap)}%`;
  byId("elapsed").textContent = seconds === undefined ? "–" : `${seconds.toFixed(1)} s`;
  byId("expanded").textContent = number(expanded);
  byId("memory").textContent = memory ? `${(memory / 2 ** 20).toFixed(0)} MiB` : "–";
}

function showPlan(text) {
  plan = text;
  const steps = text.split("\n").filter((line) => line.startsWith("("));
  byId("plan-part").hidden = false;
  byId("plan").replaceChildren(...steps.map((step) => {
    const item = document.createElement("li");
    item.textContent = step;
    return item;
  }));
}

function showProof(proof) {
  if (!proof) return;
  certificate = proof.certificate;
  byId("proof-part").hidden = false;
  byId("verdict").textContent = proof.verdict;
  byId("certificate").textContent = proof.bytes > certificate.length
    ? `${certificate}\n… (${number(proof.bytes)} bytes in all)` : certificate;
  // Only the whole proves something.
  byId("save-proof").hidden = proof.bytes > certificate.length;
}

const LIMITS = {
  "time-limit": "The time is up", "memory-limit": "The memory is used up", interrupted: "Interrupted",
};

/** Says how a run ended. */
function conclude({ report, plan: text, messages, proof }) {
  const { status: how, lower_bound: lower, upper_bound: upper, cost } = report;
  const seconds = report.seconds?.total, expanded = report.search?.expanded;
  const memory = report.peak_memory_bytes;
  if (how === "solved") {
    showBounds({ lower, upper: cost, seconds, expanded, memory });
    status(`Optimal plan of cost ${number(cost)}.`, "good");
  } else if (how === "unsolvable") {
    status("There is no plan.", "bad");
    byId("plan-part").hidden = true;
  } else if (how in LIMITS) {
    showBounds({ lower, upper, seconds, expanded, memory });
    status(upper === null || upper === undefined
      ? `${LIMITS[how]}: no plan yet. Every plan costs at least ${number(lower)}.`
      : `${LIMITS[how]}: a plan of cost ${number(upper)}. Every plan costs at least ${number(lower)}.`);
  } else {
    status(messages.trim() || report.message || how, "bad");
  }
  if (text && report.plan) showPlan(text);
  showProof(proof);
}

const EVENTS = {
  waiting: () => status("Waiting for another run to end…"),
  begin: () => status("Solving…"),
  plan: (event) => showPlan(event.plan),
  progress: ({ progress: it }) => showBounds({
    lower: it.lower_bound, upper: it.upper_bound, seconds: it.seconds, expanded: it.expanded,
    memory: it.memory_bytes,
  }),
  end: conclude,
  error: (event) => status(event.message, "bad"),
};

/** Calls `tell` with each line of a response that is not empty. */
async function eachLine(response, tell) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    lines.filter((line) => line.trim()).forEach(tell);
  }
}

/** What is known of a run that was stopped. */
function stopped() {
  const { lower, upper } = bounds;
  if (lower === undefined || lower === null) return "Stopped.";
  const best = upper === undefined || upper === null ? "No plan yet" : `Best plan: cost ${number(upper)}`;
  return `Stopped. ${best}; every plan costs at least ${number(lower)}.`;
}

/** Does something that can be stopped. */
async function run(work) {
  controller = new AbortController();
  for (const id of ["solve", "explain"]) byId(id).disabled = true;
  byId("stop").disabled = false;
  try {
    await work(controller.signal);
  } catch (error) {
    if (error.name === "AbortError") status(stopped());
    else status(`The server does not answer: ${error.message}`, "bad");
  }
  for (const id of ["solve", "explain"]) byId(id).disabled = false;
  byId("stop").disabled = true;
}

async function refusal(response) {
  const answer = await response.json().catch(() => ({}));
  status(answer.message ?? `The server refuses: ${response.status}`, "bad");
}

const options = () => ({ heuristic: byId("heuristic").value, time: Number(byId("time").value) || undefined });

byId("options").addEventListener("submit", (event) => {
  event.preventDefault();
  if (controller && !byId("stop").disabled) return;
  bounds = {};
  for (const id of ["plan-part", "proof-part", "bounds"]) byId(id).hidden = true;
  status("Sending…");
  run(async (signal) => {
    const ask = { ...task(), ...options(), proof: byId("proof").checked };
    const response = await post("/api/solve", ask, signal);
    if (!response.ok) return refusal(response);
    let isOver = false;
    await eachLine(response, (line) => {
      const event = JSON.parse(line);
      isOver ||= event.event === "end" || event.event === "error";
      EVENTS[event.event]?.(event);
    });
    if (!isOver) status("The server has ended the run.", "bad");
  });
});

byId("stop").addEventListener("click", () => controller?.abort());
byId("save").addEventListener("click", () => save("sas_plan", plan));
byId("save-proof").addEventListener("click", () => save("proof.cert", certificate));

byId("explain").addEventListener("click", () => {
  status("Explaining…");
  run(async (signal) => {
    const response = await post("/api/explain", { ...task(), ...options() }, signal);
    if (!response.ok) return refusal(response);
    byId("explanation").srcdoc = await response.text();
    byId("explanation-part").hidden = false;
    status("Explained below.");
  });
});

// ------------------------------------------------------------------ start

const first = recall();
for (const [file, editor] of Object.entries(editors)) editor.text = first[file];
check();
fetch("/api/limits").then((it) => it.json()).then((limits) => {
  byId("heuristic").replaceChildren(...limits.heuristics.map((name) => new Option(name, name)));
  byId("time").max = limits.seconds;
  byId("time").value = Math.min(60, limits.seconds);
}).catch(() => status("The server does not answer.", "bad"));
