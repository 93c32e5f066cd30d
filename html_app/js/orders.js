// Orders as data: filter, sort, cut into pages. No state, no DOM.

/**
 * @typedef {{id: string, date: string, customer: string, warehouse: string, salesperson: string, status: string, amount: number}} Order
 * @typedef {keyof Order} Column
 * @typedef {"ascending" | "descending"} Direction
 * @typedef {{warehouse: string, salesperson: string, status: string, text: string,
 *   amountMin: number | null, amountMax: number | null, dateFrom: string, dateTo: string}} Filters
 * @typedef {{filters: Filters, sortBy: Column, sortDirection: Direction, page: number, pageSize: number}} Query
 * @typedef {{rows: Order[], total: number, page: number, pages: number}} Page
 */

/** @type {readonly Column[]} */
export const COLUMNS = ["id", "date", "customer", "warehouse", "salesperson", "status", "amount"];
export const WAREHOUSES = ["Hamburg", "Lyon", "Gdańsk", "Porto", "Suzhou"];
export const SALESPEOPLE = [
  "Ada Brandt",
  "Bao Li",
  "Chloé Martin",
  "Dmitri Orlov",
  "Emeka Obi",
  "Fatima Haddad",
];
export const STATUSES = ["open", "packed", "shipped", "delivered", "cancelled"];
export const PAGE_SIZES = [10, 20, 50];

/** @returns {Filters} */
export const noFilters = () => ({
  warehouse: "",
  salesperson: "",
  status: "",
  text: "",
  amountMin: null,
  amountMax: null,
  dateFrom: "",
  dateTo: "",
});

/** @returns {Query} */
export const firstQuery = () => ({
  filters: noFilters(),
  sortBy: "date",
  sortDirection: "descending",
  page: 1,
  pageSize: 10,
});

/** @param {Order} order @param {Filters} filters */
function matches(order, filters) {
  const { warehouse, salesperson, status, text, amountMin, amountMax, dateFrom, dateTo } = filters;
  return (
    (!warehouse || order.warehouse === warehouse) &&
    (!salesperson || order.salesperson === salesperson) &&
    (!status || order.status === status) &&
    (amountMin === null || order.amount >= amountMin) &&
    (amountMax === null || order.amount <= amountMax) &&
    (!dateFrom || order.date >= dateFrom) &&
    (!dateTo || order.date <= dateTo) &&
    (!text || `${order.id} ${order.customer}`.toLowerCase().includes(text.toLowerCase()))
  );
}

/** @param {Column} column @param {Direction} direction */
function comparer(column, direction) {
  const sign = direction === "ascending" ? 1 : -1;
  /** @param {Order} a @param {Order} b */
  return (a, b) => {
    const order =
      column === "amount" ? a.amount - b.amount : String(a[column]).localeCompare(String(b[column]), "en");
    // Equal rows keep one order, so that paging never shows a row twice.
    return sign * order || a.id.localeCompare(b.id);
  };
}

/**
 * The rows of one page. A page past the end is the last one.
 * @param {readonly Order[]} orders @param {Query} query
 * @returns {Page}
 */
export function selectPage(orders, query) {
  const found = orders.filter((order) => matches(order, query.filters));
  found.sort(comparer(query.sortBy, query.sortDirection));
  const pages = Math.max(1, Math.ceil(found.length / query.pageSize));
  const page = Math.min(query.page, pages);
  const rows = found.slice((page - 1) * query.pageSize, page * query.pageSize);
  return { rows, total: found.length, page, pages };
}
