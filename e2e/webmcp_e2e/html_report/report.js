// All text comes from the data block and goes in as text.
const report = JSON.parse(document.getElementById("report").textContent);
const WORDS = { bad: "fails", note: "note", known: "known to fail", untested: "not tested", good: "well" };
const byId = (id) => document.getElementById(id);

const element = (name, text, more = {}) =>
  Object.assign(document.createElement(name), { textContent: text }, more);

function row(line) {
  const made = document.createElement("tr");
  made.dataset.state = line.state;
  const what = element("td", line.text);
  for (const detail of line.details) what.append(element("p", detail, { className: "detail" }));
  // Only a file beside the report: anything with a scheme stays text.
  if (line.link && !/^[a-z]+:|^\/\//i.test(line.link))
    what.append(" ", element("a", line.link, { href: line.link }));
  made.append(element("td", WORDS[line.state]), element("td", line.group), what);
  return made;
}

const hidden = new Set();
const rows = report.lines.map((line) => ({ line, made: row(line) }));

function show() {
  const word = byId("search").value.toLowerCase();
  for (const { line, made } of rows) {
    made.hidden = hidden.has(line.state) || !made.textContent.toLowerCase().includes(word);
  }
}

function filters() {
  for (const [state, word] of Object.entries(WORDS)) {
    const count = report.lines.filter((line) => line.state === state).length;
    if (count === 0) continue;
    const box = element("input", "", { type: "checkbox", checked: true });
    box.addEventListener("change", () => {
      if (box.checked) hidden.delete(state);
      else hidden.add(state);
      show();
    });
    const label = element("label", "");
    label.append(box, ` ${word} (${count})`);
    byId("states").append(label);
  }
}

document.title = report.title;
byId("title").textContent = report.title;
byId("subject").textContent = report.subject;
byId("verdict").textContent = report.verdict;
byId("verdict").classList.toggle("failed", report.failed);
byId("filters").addEventListener("submit", (event) => event.preventDefault());
byId("search").addEventListener("input", show);
byId("lines").append(...rows.map(({ made }) => made));
filters();
