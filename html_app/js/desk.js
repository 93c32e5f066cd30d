// The desk's one state. Hand and tools change it through the same methods; views follow its events.
import { emptyForm, FIELDS, formErrors } from "./order-form.js";
import { firstQuery, noFilters, selectPage } from "./orders.js";

/**
 * @typedef {import("./orders.js").Order} Order
 * @typedef {import("./orders.js").Query} Query
 * @typedef {import("./orders.js").Filters} Filters
 * @typedef {import("./order-form.js").FieldName} FieldName
 * @typedef {import("./order-form.js").FormValues} FormValues
 */

/** Fires `change` after every change of the state. */
export class Desk extends EventTarget {
  /** @type {Order[]} */
  #orders;
  /** @type {Query} */
  #query = firstQuery();
  /** @type {FormValues} */
  #form = emptyForm();
  /** @type {Order | null} */
  #placed = null;

  /** @param {Order[]} orders */
  constructor(orders) {
    super();
    this.#orders = orders;
  }

  get query() {
    return structuredClone(this.#query);
  }
  get form() {
    return { ...this.#form };
  }
  get orderCount() {
    return this.#orders.length;
  }
  /** The order placed last, if any. */
  get placed() {
    return this.#placed;
  }
  get page() {
    return selectPage(this.#orders, this.#query);
  }
  get errors() {
    return formErrors(this.#form);
  }

  /** Lays changes over the query; anything but a change of page starts at the first page. @param {Partial<Query>} change */
  setQuery(change) {
    this.#query = { ...this.#query, page: 1, ...change };
    this.#query.page = this.page.page;
    this.#changed();
  }

  /** @param {Partial<Filters>} change */
  setFilters(change) {
    this.setQuery({ filters: { ...this.#query.filters, ...change } });
  }

  clearFilters() {
    this.setQuery({ filters: noFilters() });
  }

  /** Turns the direction where the table is sorted by that column already. @param {Query["sortBy"]} column */
  toggleSort(column) {
    const turn = this.#query.sortBy === column && this.#query.sortDirection === "ascending";
    this.setQuery({ sortBy: column, sortDirection: turn ? "descending" : "ascending" });
  }

  /** @param {Partial<FormValues>} values */
  fillForm(values) {
    this.#form = { ...this.#form, ...values };
    this.#changed();
  }

  clearForm() {
    this.fillForm(emptyForm());
  }

  /** Puts the form's order into the table; null where the form is not right yet. @returns {Order | null} */
  placeOrder() {
    if (Object.keys(this.errors).length > 0) return null;
    const { amount, ...texts } = this.#form;
    this.#placed = { id: `SO-${1001 + this.#orders.length}`, ...texts, amount: Number(amount) };
    this.#orders.push(this.#placed);
    this.#form = emptyForm();
    this.#changed();
    return this.#placed;
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}

/** Reads the orders from the server. */
export async function openDesk() {
  const response = await fetch("/orders.json");
  if (!response.ok)
    throw new Error(`The orders could not be read (HTTP ${response.status}). Reload the page.`);
  return new Desk(/** @type {Order[]} */ (await response.json()));
}

/** @param {string} name @returns {name is FieldName} */
export const isFieldName = (name) => FIELDS.some((field) => field.name === name);
