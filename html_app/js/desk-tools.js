// The five tools of the order desk. Each changes the very state that a person's hand changes.
import { isFieldName } from "./desk.js";
import { FIELDS, fieldError, formSchema } from "./order-form.js";
import { COLUMNS, noFilters, SALESPEOPLE, STATUSES, WAREHOUSES } from "./orders.js";

/**
 * @typedef {import("./desk.js").Desk} Desk
 * @typedef {import("./orders.js").Filters} Filters
 * @typedef {import("./orders.js").Query} Query
 */

const DAY_PATTERN = "^\\d{4}-\\d{2}-\\d{2}$";
const nothing = { type: "object", properties: {}, additionalProperties: false };
const readOnly = { readOnlyHint: true };

/** @param {Desk} desk @returns {ToolDefinition} */
const getStatus = (desk) => ({
  name: "get_status",
  title: "Desk status",
  description: "What the order desk shows now: how many orders, which query, how far the form is.",
  inputSchema: nothing,
  annotations: readOnly,
  execute: () => {
    const { total, page, pages } = desk.page;
    const errors = desk.errors;
    return {
      orders: desk.orderCount,
      table: {
        matching: total,
        page,
        pages,
        ...desk.query.filters,
        sortBy: desk.query.sortBy,
        sortDirection: desk.query.sortDirection,
      },
      form: { complete: Object.keys(errors).length === 0, errors },
      lastPlaced: desk.placed,
    };
  },
});

/** @type {ToolDefinition} */
const formGetSchema = {
  name: "form_get_schema",
  title: "Schema of the order form",
  description: "JSON Schema of the order form's fields; form_fill_fields takes these names.",
  inputSchema: nothing,
  annotations: readOnly,
  execute: () => formSchema(),
};

/** @param {Desk} desk @returns {ToolDefinition} */
const formGetValues = (desk) => ({
  name: "form_get_values",
  title: "Values of the order form",
  description: "What the order form holds now, as texts; an empty text is an empty field.",
  inputSchema: nothing,
  annotations: readOnly,
  execute: () => ({ values: desk.form, errors: desk.errors }),
});

/**
 * All fields or none: a half-applied call would leave the form in a state that nobody asked for.
 * @param {Record<string, unknown>} fields
 * @returns {Partial<import("./order-form.js").FormValues>}
 */
function checkedFields(fields) {
  /** @type {Partial<import("./order-form.js").FormValues>} */
  const texts = {};
  for (const [name, value] of Object.entries(fields)) {
    const field = FIELDS.find((candidate) => candidate.name === name);
    if (!field || !isFieldName(name))
      throw new Error(`There is no field "${name}". Use ${FIELDS.map((known) => known.name).join(", ")}.`);
    const error = fieldError(field, String(value));
    if (error) throw new Error(`${name}: ${error}`);
    texts[name] = String(value);
  }
  return texts;
}

/** @param {Desk} desk @returns {ToolDefinition} */
const formFillFields = (desk) => ({
  name: "form_fill_fields",
  title: "Fill the order form",
  description:
    "Fills fields of the order form; the others stay as they are. It does not place the order: a person does.",
  inputSchema: {
    type: "object",
    properties: { fields: { ...formSchema(), required: [], minProperties: 1 } },
    required: ["fields"],
    additionalProperties: false,
  },
  execute: ({ fields }) => {
    desk.fillForm(checkedFields(/** @type {Record<string, unknown>} */ (fields ?? {})));
    return { values: desk.form, errors: desk.errors };
  },
});

const QUERY_SCHEMA = {
  type: "object",
  properties: {
    warehouse: { type: "string", enum: WAREHOUSES },
    salesperson: { type: "string", enum: SALESPEOPLE },
    status: { type: "string", enum: STATUSES },
    text: { type: "string", description: "Part of an order number or a customer's name" },
    amountMin: { type: "number", minimum: 0 },
    amountMax: { type: "number", minimum: 0 },
    dateFrom: { type: "string", pattern: DAY_PATTERN },
    dateTo: { type: "string", pattern: DAY_PATTERN },
    sortBy: { type: "string", enum: COLUMNS },
    sortDirection: { type: "string", enum: ["ascending", "descending"] },
    page: { type: "integer", minimum: 1 },
    pageSize: { type: "integer", minimum: 1, maximum: 100 },
  },
  additionalProperties: false,
};

/** @param {Record<string, unknown>} args @returns {Partial<Query>} */
function queryFrom({ sortBy = "date", sortDirection = "descending", page = 1, pageSize = 10, ...filters }) {
  return /** @type {Partial<Query>} */ ({
    filters: /** @type {Filters} */ ({ ...noFilters(), ...filters }),
    sortBy,
    sortDirection,
    page,
    pageSize,
  });
}

/** @param {Desk} desk @returns {ToolDefinition} */
const queryTableData = (desk) => ({
  name: "query_table_data",
  title: "Query the orders",
  description:
    "Filters, sorts and pages the table of orders, as the person sees it, and returns the rows of that page. What is left out is not filtered.",
  inputSchema: QUERY_SCHEMA,
  execute: (args) => {
    desk.setQuery(queryFrom(args));
    return desk.page;
  },
});

/** @param {Desk} desk @returns {ToolDefinition[]} */
export const deskTools = (desk) => [
  getStatus(desk),
  formGetSchema,
  formGetValues(desk),
  formFillFields(desk),
  queryTableData(desk),
];
