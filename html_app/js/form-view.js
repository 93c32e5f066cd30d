// The order form on the page.
import { byId, element, options } from "./dom.js";
import { FIELDS } from "./order-form.js";

/**
 * @typedef {import("./desk.js").Desk} Desk
 * @typedef {import("./order-form.js").Field} Field
 * @typedef {{field: Field, input: HTMLInputElement | HTMLSelectElement, error: HTMLElement}} Row
 */

/** @param {Field} field */
function control(field) {
  const attributes = {
    id: `order-${field.name}`,
    name: field.name,
    "aria-describedby": `error-${field.name}`,
  };
  if (field.kind === "choice") {
    return element("select", attributes, ...options(field.options ?? [], "Choose…"));
  }
  const type = field.kind === "date" ? "date" : "text";
  const inputmode = field.kind === "amount" ? "decimal" : "text";
  return element("input", { ...attributes, type, inputmode, autocomplete: "off" });
}

/** @param {Field} field @returns {Row} */
function makeRow(field) {
  return {
    field,
    input: control(field),
    error: element("small", { id: `error-${field.name}`, class: "error" }),
  };
}

/** @param {Row} row */
function showRow({ field, input, error }) {
  const label = element("label", { for: input.id }, field.title);
  return element("div", { class: "field" }, label, input, error);
}

/** @param {Row[]} rows @param {Desk} desk @param {boolean} tried */
function refresh(rows, desk, tried) {
  const { form, errors } = desk;
  for (const { field, input, error } of rows) {
    if (input.value !== form[field.name]) input.value = form[field.name];
    // An empty field is an error only once the person has tried to place the order.
    const text = tried || form[field.name] !== "" ? (errors[field.name] ?? "") : "";
    error.textContent = text;
    input.setAttribute("aria-invalid", String(text !== ""));
  }
}

/** @param {Desk} desk @param {Row[]} rows @returns {boolean} whether the order was placed */
function submit(desk, rows) {
  const placed = desk.placeOrder();
  const message = byId("form-message", HTMLElement);
  if (placed) {
    message.textContent = `Order ${placed.id} for ${placed.customer} is placed.`;
    return true;
  }
  message.textContent = "The order is not complete yet.";
  rows.find(({ field }) => desk.errors[field.name])?.input.focus();
  return false;
}

/** Shows the form and binds it. @param {Desk} desk */
export function bindForm(desk) {
  const form = byId("order-form", HTMLFormElement);
  const rows = FIELDS.map(makeRow);
  let tried = false;
  const show = () => refresh(rows, desk, tried);
  byId("order-fields", HTMLElement).replaceChildren(...rows.map(showRow));
  for (const { field, input } of rows) {
    input.addEventListener("input", () => desk.fillForm({ [field.name]: input.value }));
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    tried = !submit(desk, rows);
    show();
  });
  byId("clear-form", HTMLButtonElement).addEventListener("click", () => {
    tried = false;
    byId("form-message", HTMLElement).textContent = "";
    desk.clearForm();
  });
  desk.addEventListener("change", show);
  show();
}
