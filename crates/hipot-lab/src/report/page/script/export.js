// Tables as CSV and LaTeX, and what tells that a table is wider than the screen.

function rowsOf(table) {
  const lines = [...table.rows].filter((row) => !row.hidden && !row.classList.contains("groups"));
  return lines.map((row) => [...row.cells].map((cell) => cell.textContent.trim()));
}

// Tables that are filled in piece by piece are exported whole.
function wholeRows(table) {
  const more = { runs: ["more", () => showRuns(false)], wide: ["wide-more", () => showWide(false)] }[table.id];
  while (more && !byId(more[0]).hidden) more[1]();
  return rowsOf(table);
}

function asCsv(table) {
  const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return wholeRows(table).map((row) => `${row.map(quoted).join(",")}\n`).join("");
}

const TEX = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "–": "--", "≈": "$\\approx$" };

function asLatex(table) {
  const escaped = (text) => text.replace(/[\\~^–≈]|[&%$#_{}]/g, (letter) => TEX[letter] ?? `\\${letter}`);
  const [head, ...body] = wholeRows(table).map((row) => `${row.map(escaped).join(" & ")} \\\\\n`);
  const isText = (cell) => cell.tagName === "TH" || !cell.classList.contains("right");
  const first = table.tBodies[0].rows[0];
  const form = first ? [...first.cells].map((cell) => (isText(cell) ? "l" : "r")).join("") : "l";
  return `\\begin{tabular}{${form}}\n\\hline\n${head}\\hline\n${body.join("")}\\hline\n\\end{tabular}\n`;
}

function saveText(file, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = file;
  link.click();
  URL.revokeObjectURL(link.href);
}

for (const table of document.querySelectorAll(".scroll > table:not(.words)")) {
  const bar = document.createElement("p");
  bar.className = "export";
  const name = table.caption ? table.caption.textContent : "table";
  const file = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  for (const [label, extension, text] of [["CSV", "csv", asCsv], ["LaTeX", "tex", asLatex]]) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "link";
    button.textContent = label;
    button.setAttribute("aria-label", `Save “${name}” as ${label}`);
    button.addEventListener("click", () => saveText(`${file}.${extension}`, text(table)));
    bar.append(button, " ");
  }
  table.parentElement.after(bar);
}

function markOverflow() {
  for (const part of document.querySelectorAll(".scroll")) {
    part.classList.toggle("wider", part.scrollWidth > part.clientWidth + 1);
  }
}
addEventListener("resize", markOverflow);
document.addEventListener("toggle", markOverflow, true);
