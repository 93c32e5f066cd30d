// The table of orders: filters, head with sorting, rows, pages.
import { byId, element, options } from "./dom.js";
import { PAGE_SIZES, SALESPEOPLE, STATUSES, WAREHOUSES } from "./orders.js";

/**
 * @typedef {import("./desk.js").Desk} Desk
 * @typedef {import("./orders.js").Column} Column
 * @typedef {import("./orders.js").Filters} Filters
 * @typedef {import("./orders.js").Order} Order
 */

/** @type {readonly [Column, string][]} */
const HEADS = [
  ["id", "Order"],
  ["date", "Date"],
  ["customer", "Customer"],
  ["warehouse", "Warehouse"],
  ["salesperson", "Salesperson"],
  ["status", "Status"],
  ["amount", "Amount"],
];

const euros = new Intl.NumberFormat("en-IE", { style: "currency", currency: "EUR" });

/** Filters by the `name` of their input. @type {readonly (keyof Filters)[]} */
const FILTER_NAMES = [
  "text",
  "warehouse",
  "salesperson",
  "status",
  "amountMin",
  "amountMax",
  "dateFrom",
  "dateTo",
];

/** @param {keyof Filters} name @param {string} value @returns {Partial<Filters>} */
function filterChange(name, value) {
  if (name !== "amountMin" && name !== "amountMax") return { [name]: value };
  return { [name]: value === "" ? null : Number(value) };
}

/** @param {HTMLFormElement} form @param {string} name */
function field(form, name) {
  return /** @type {HTMLInputElement | HTMLSelectElement} */ (form.elements.namedItem(name));
}

/** @param {Desk} desk */
function bindFilters(desk) {
  const form = byId("filters", HTMLFormElement);
  field(form, "warehouse").append(...options(WAREHOUSES, "All warehouses"));
  field(form, "salesperson").append(...options(SALESPEOPLE, "Everyone"));
  field(form, "status").append(...options(STATUSES, "Any status"));
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const name of FILTER_NAMES) {
    const input = field(form, name);
    input.addEventListener("input", () => desk.setFilters(filterChange(name, input.value)));
  }
  byId("clear-filters", HTMLButtonElement).addEventListener("click", () => desk.clearFilters());
  return () => {
    const { filters } = desk.query;
    for (const name of FILTER_NAMES) showValue(field(form, name), String(filters[name] ?? ""));
  };
}

/**
 * Leaves an equal value alone: writing it would move the caret of the person who types.
 * A number input keeps "12." as long as it means the same number.
 * @param {HTMLInputElement | HTMLSelectElement} input @param {string} value
 */
function showValue(input, value) {
  const same =
    input.type === "number" && input.value !== "" && value !== "" && Number(input.value) === Number(value);
  if (!same && input.value !== value) input.value = value;
}

/** @param {Desk} desk */
function bindHeads(desk) {
  const cells = HEADS.map(([column, title]) => {
    const button = element("button", { type: "button" }, title);
    button.addEventListener("click", () => desk.toggleSort(column));
    return element("th", { scope: "col", "data-column": column }, button);
  });
  byId("heads", HTMLTableRowElement).replaceChildren(...cells);
  return () => {
    const { sortBy, sortDirection } = desk.query;
    for (const cell of cells) {
      cell.setAttribute("aria-sort", cell.dataset.column === sortBy ? sortDirection : "none");
    }
  };
}

/** @param {Order} order */
function row(order) {
  const { id, date, customer, warehouse, salesperson, status, amount } = order;
  const cells = [date, customer, warehouse, salesperson].map((text) => element("td", {}, text));
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, id),
    ...cells,
    element("td", {}, element("span", { class: "status", "data-status": status }, status)),
    element("td", { class: "number" }, euros.format(amount)),
  );
}

/** @param {Desk} desk */
function bindPages(desk) {
  const previous = byId("previous-page", HTMLButtonElement);
  const next = byId("next-page", HTMLButtonElement);
  const size = byId("page-size", HTMLSelectElement);
  previous.addEventListener("click", () => desk.setQuery({ page: desk.page.page - 1 }));
  next.addEventListener("click", () => desk.setQuery({ page: desk.page.page + 1 }));
  size.addEventListener("input", () => desk.setQuery({ pageSize: Number(size.value) }));
  return () => {
    const { page, pages } = desk.page;
    const { pageSize } = desk.query;
    previous.disabled = page <= 1;
    next.disabled = page >= pages;
    // A tool may ask for a size that the list does not offer.
    const sizes = [...new Set([...PAGE_SIZES, pageSize])].sort((a, b) => a - b);
    size.replaceChildren(...options(sizes.map(String)));
    size.value = String(pageSize);
    byId("page-state", HTMLElement).textContent = `Page ${page} of ${pages}`;
  };
}

/** @param {Desk} desk */
function showRows(desk) {
  const { rows, total } = desk.page;
  byId("rows", HTMLTableSectionElement).replaceChildren(...rows.map(row));
  byId("empty", HTMLElement).hidden = total > 0;
  byId("count", HTMLElement).textContent = `${total} of ${desk.orderCount} orders`;
}

/** Shows the table and binds its controls. @param {Desk} desk */
export function bindTable(desk) {
  const shows = [bindFilters(desk), bindHeads(desk), bindPages(desk), () => showRows(desk)];
  const show = () => {
    for (const part of shows) part();
  };
  desk.addEventListener("change", show);
  show();
}
