// Shows one recording. Everything of a page's in it is data: it is parsed from one JSON block and only ever set as
// `textContent` or drawn. `story.events`: [ms since the first, lane, kind, text, call, trouble].

const story = JSON.parse(document.getElementById("story").textContent);
const [T, LANE, KIND, TEXT, CALL, TROUBLE] = [0, 1, 2, 3, 4, 5];
const ROW = 22;
const LANE_HEIGHT = 34;
const MARGIN = 190;

const element = (id) => document.getElementById(id);
const canvas = element("lanes");
const pen = canvas.getContext("2d");
const end = story.events.length ? story.events[story.events.length - 1][T] : 1;
const view = { from: 0, to: Math.max(end, 1) };
const hiddenLanes = new Set();
let shown = [];
let picked = -1;
let frame = 0;

function make(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const callOf = (index) => (index < 0 ? 0 : story.events[index][CALL]);
const when = (ms) => `${ms.toFixed(1)} ms`;

// ---- filters ----

function passes(event, index, words) {
  if (hiddenLanes.has(event[LANE])) return false;
  if (element("only-trouble").checked && !event[TROUBLE]) return false;
  if (element("only-calls").checked && !event[CALL]) return false;
  if (!words.length) return true;
  const haystack =
    story.search[index] ?? `${event[KIND]} ${event[TEXT]} ${story.lanes[event[LANE]].title}`.toLowerCase();
  story.search[index] = haystack;
  return words.every((word) => haystack.includes(word));
}

function filter() {
  const words = element("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  shown = [];
  story.events.forEach((event, index) => {
    if (passes(event, index, words)) shown.push(index);
  });
  element("rows").style.height = `${shown.length * ROW}px`;
  redraw();
}

// ---- lanes ----

function x(ms) {
  return MARGIN + ((ms - view.from) / (view.to - view.from)) * (canvas.clientWidth - MARGIN - 10);
}

function ms(position) {
  return view.from + ((position - MARGIN) / (canvas.clientWidth - MARGIN - 10)) * (view.to - view.from);
}

const y = (lane) => lane * LANE_HEIGHT + LANE_HEIGHT / 2 + 18;

function drawLanes() {
  const scale = devicePixelRatio || 1;
  const height = story.lanes.length * LANE_HEIGHT + 24;
  canvas.style.height = `${height}px`;
  canvas.width = canvas.clientWidth * scale;
  canvas.height = height * scale;
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.clearRect(0, 0, canvas.clientWidth, height);
  pen.font = "12px system-ui, sans-serif";
  drawGrid(height);
  drawBands();
  drawEvents();
  drawCall(callOf(picked));
  drawNames();
}

function drawGrid(height) {
  const step = niceStep((view.to - view.from) / 8);
  pen.fillStyle = colour("dim");
  pen.strokeStyle = colour("line");
  for (let at = Math.ceil(view.from / step) * step; at <= view.to; at += step) {
    line(x(at), 16, x(at), height);
    pen.fillText(step >= 1000 ? `${at / 1000} s` : `${+at.toFixed(3)} ms`, x(at) + 3, 12);
  }
}

function niceStep(rough) {
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1e-3)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough);
}

function line(x1, y1, x2, y2) {
  pen.beginPath();
  pen.moveTo(x1, y1);
  pen.lineTo(x2, y2);
  pen.stroke();
}

function drawBands() {
  for (const [lane, from, to, generation] of story.bands) {
    const left = Math.max(x(from), MARGIN);
    const right = Math.min(x(to), canvas.clientWidth);
    if (right <= left) continue;
    pen.fillStyle = colour("band");
    pen.fillRect(left, y(lane) - 13, right - left, 26);
    pen.fillStyle = colour("dim");
    if (right - left > 90) pen.fillText(`generation ${generation}`, left + 4, y(lane) - 3);
  }
}

function drawEvents() {
  const drawn = new Set();
  const [ink, bad] = [colour("dim"), colour("bad")];
  for (const index of shown) {
    const event = story.events[index];
    if (event[T] < view.from || event[T] > view.to) continue;
    const at = Math.round(x(event[T]));
    const place = event[LANE] * 100000 + at;
    if (drawn.has(place) && !event[TROUBLE]) continue;
    drawn.add(place);
    pen.fillStyle = event[TROUBLE] ? bad : ink;
    pen.fillRect(
      at,
      y(event[LANE]) - (event[TROUBLE] ? 11 : 7),
      event[TROUBLE] ? 3 : 1.5,
      event[TROUBLE] ? 22 : 14,
    );
  }
}

function drawCall(number) {
  const call = story.calls[number - 1];
  if (!call) return;
  pen.strokeStyle = colour("mark");
  pen.fillStyle = colour("mark");
  pen.lineWidth = 2;
  pen.beginPath();
  for (const index of call.steps) pen.lineTo(x(story.events[index][T]), y(story.events[index][LANE]));
  pen.stroke();
  pen.lineWidth = 1;
  for (const index of call.steps) {
    const event = story.events[index];
    pen.fillRect(x(event[T]) - 3, y(event[LANE]) - 3, index === picked ? 9 : 6, index === picked ? 9 : 6);
  }
}

function drawNames() {
  story.lanes.forEach((lane, index) => {
    pen.fillStyle = colour("paper");
    pen.fillRect(0, y(index) - 15, MARGIN - 4, 30);
    pen.fillStyle = colour("ink");
    pen.fillText(lane.title, 8, y(index) + 4, MARGIN - 16);
  });
}

function redraw() {
  cancelAnimationFrame(frame);
  frame = requestAnimationFrame(() => {
    drawLanes();
    drawRows();
  });
}

// ---- the list ----

function drawRows() {
  const list = element("list");
  const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 10);
  const last = Math.min(shown.length, first + Math.ceil(list.clientHeight / ROW) + 20);
  const rows = [];
  for (let place = first; place < last; place++) rows.push(row(place));
  element("rows").replaceChildren(...rows);
}

function row(place) {
  const index = shown[place];
  const event = story.events[index];
  const made = make("div", undefined, "row");
  made.style.top = `${place * ROW}px`;
  made.classList.toggle("bad", Boolean(event[TROUBLE]));
  made.classList.toggle("picked", index === picked);
  made.classList.toggle("of-call", event[CALL] > 0 && event[CALL] === callOf(picked));
  const words = [when(event[T]), story.lanes[event[LANE]].title, event[KIND], event[TEXT]];
  made.append(...words.map((word) => make("span", word)));
  made.addEventListener("click", () => pick(index));
  return made;
}

// ---- what is picked ----

function pick(index, reveal = false) {
  picked = index;
  const place = shown.indexOf(index);
  if (reveal && place >= 0) element("list").scrollTop = Math.max(0, place * ROW - 80);
  const detail = element("detail");
  detail.replaceChildren();
  if (index >= 0) detail.append(...describe(index));
  redraw();
}

function describe(index) {
  const event = story.events[index];
  const call = story.calls[event[CALL] - 1];
  const parts = [
    make("h2", `${event[KIND]} at ${story.lanes[event[LANE]].title}`),
    make("p", `${when(event[T])} after the beginning. ${event[TEXT]}`, event[TROUBLE] ? "bad" : ""),
    folded("Payload", story.data[index]),
  ];
  return call ? [...parts, ...way(call)] : parts;
}

function folded(title, value) {
  const details = make("details");
  details.append(make("summary", title));
  // Written out when it is opened: most never are.
  details.addEventListener("toggle", () => {
    if (details.children.length === 1) details.append(make("pre", JSON.stringify(value, null, 2)));
  });
  return details;
}

function way(call) {
  const state = call.ended ? (call.failed ? "failed" : "answered") : "never answered";
  const list = make("ol");
  let before = story.events[call.steps[0]][T];
  for (const index of call.steps) {
    const event = story.events[index];
    const text = `+${when(event[T] - before)}  ${story.lanes[event[LANE]].title}: ${event[KIND]}`;
    const item = make("li");
    item.append(linkTo(index, text));
    list.append(item);
    before = event[T];
  }
  return [make("h3", `Call ${call.call}: ${call.tool}, ${state}, ${call.ms} ms`), list];
}

function linkTo(index, text) {
  const link = make("button", text, "link");
  link.type = "button";
  link.addEventListener("click", () => pick(index, true));
  return link;
}

// ---- what went wrong, first ----

function showTrouble() {
  const box = element("trouble");
  if (story.failure) box.append(make("pre", story.failure));
  const list = make("ol");
  for (const call of story.calls.filter((one) => !one.ended || one.failed).slice(0, 20)) {
    const what = call.ended ? "failed" : `never answered, last seen: ${call.last}`;
    list.append(
      wrapped(linkTo(call.steps[call.steps.length - 1], `Call ${call.call} of ${call.tool} ${what}`)),
    );
  }
  story.events.forEach((event, index) => {
    if (event[TROUBLE] && !event[CALL] && list.children.length < 40)
      list.append(
        wrapped(
          linkTo(index, `${when(event[T])} ${story.lanes[event[LANE]].title}: ${event[KIND]} ${event[TEXT]}`),
        ),
      );
  });
  if (list.children.length) box.append(list);
}

function wrapped(child) {
  const item = make("li");
  item.append(child);
  return item;
}

// ---- moving about ----

function zoom(factor, at) {
  const span = Math.min(Math.max((view.to - view.from) * factor, 0.05), Math.max(end, 1) * 1.05);
  const share = (at - view.from) / (view.to - view.from);
  view.from = at - span * share;
  view.to = view.from + span;
  redraw();
}

function move(by) {
  view.from += by;
  view.to += by;
  redraw();
}

function nearest(event) {
  const lane = Math.floor((event.offsetY - 18) / LANE_HEIGHT);
  let best = -1;
  let distance = 8;
  for (const index of shown) {
    if (story.events[index][LANE] !== lane) continue;
    const away = Math.abs(x(story.events[index][T]) - event.offsetX);
    if (away < distance) [best, distance] = [index, away];
  }
  return best;
}

function listen() {
  let dragged = 0;
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      zoom(event.deltaY > 0 ? 1.25 : 0.8, ms(event.offsetX));
    },
    { passive: false },
  );
  canvas.addEventListener("pointerdown", (event) => {
    dragged = 0;
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!event.buttons) return;
    dragged += Math.abs(event.movementX);
    move(ms(0) - ms(event.movementX));
  });
  canvas.addEventListener("pointerup", (event) => {
    if (dragged < 4) pick(nearest(event), true);
  });
  canvas.addEventListener("keydown", (event) => {
    const span = view.to - view.from;
    const keys = { ArrowLeft: () => move(-span / 8), ArrowRight: () => move(span / 8) };
    const zooms = { "+": 0.8, "-": 1.25 };
    if (keys[event.key]) keys[event.key]();
    else if (zooms[event.key]) zoom(zooms[event.key], (view.from + view.to) / 2);
  });
  for (const id of ["search", "only-trouble", "only-calls"]) element(id).addEventListener("input", filter);
  element("filters").addEventListener("submit", (event) => event.preventDefault());
  element("list").addEventListener("scroll", redraw);
  element("fit").addEventListener("click", () => {
    [view.from, view.to] = [0, Math.max(end, 1)];
    redraw();
  });
  addEventListener("resize", redraw);
}

function laneFilters() {
  story.lanes.forEach((lane, index) => {
    const label = make("label");
    const box = make("input");
    box.type = "checkbox";
    box.checked = true;
    box.addEventListener("input", () => {
      if (box.checked) hiddenLanes.delete(index);
      else hiddenLanes.add(index);
      filter();
    });
    label.append(box, ` ${lane.title}`);
    element("lane-filters").append(label);
  });
}

story.search = [];
document.title = story.title;
element("title").textContent = story.title;
element("facts").textContent = story.facts;
showTrouble();
laneFilters();
listen();
filter();
