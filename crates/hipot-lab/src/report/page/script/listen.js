// Event listeners. This part comes last.

form.addEventListener("input", applyFilter);
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("reset", () => setTimeout(applyFilter));
byId("all-domains").addEventListener("click", () => chooseDomains(() => true));
byId("no-domains").addEventListener("click", () => chooseDomains(() => false));

function chooseDomains(isChosen) {
  domainBoxes.forEach((box, index) => (box.checked = isChosen(index)));
  applyFilter();
}

document.addEventListener("click", (event) => {
  const sorting = event.target.closest("th button.sort");
  if (sorting) sortTable(sorting.closest("th"));
  const only = event.target.closest("button.only");
  if (only) chooseDomains((index) => index === +only.closest("tr").dataset.domain);
  if (!event.target.closest("details.menu")) document.querySelectorAll("details.menu[open]").forEach((menu) => (menu.open = false));
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") document.querySelectorAll("details.menu[open]").forEach((menu) => (menu.open = false));
});
document.querySelectorAll("figure select").forEach((select) => select.addEventListener("change", () => choosePlot(select)));
byId("score").addEventListener("change", (event) => {
  byId("score-sums").dataset.metric = event.target.value;
  updateSums(byId("score-sums"));
});
byId("more").addEventListener("click", () => showRuns(false));
byId("run-task").addEventListener("change", showRun);
byId("run-close").addEventListener("click", () => dialog.close());
dialog.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close();
});
// Browsers keep the state of forms when a page is reloaded.
applyFilter();
