// The order form as data: its fields, its schema, what is wrong with its values. No DOM.
import { SALESPEOPLE, STATUSES, WAREHOUSES } from "./orders.js";

/**
 * @typedef {"customer" | "warehouse" | "salesperson" | "status" | "amount" | "date"} FieldName
 * @typedef {Record<FieldName, string>} FormValues texts, as the inputs hold them
 * @typedef {{name: FieldName, title: string, description: string, options?: string[], kind: "text" | "choice" | "amount" | "date"}} Field
 */

/** @type {readonly Field[]} */
export const FIELDS = [
  {
    name: "customer",
    title: "Customer",
    description: "Who the order is for, at most 60 characters",
    kind: "text",
  },
  {
    name: "warehouse",
    title: "Warehouse",
    description: "Where it leaves from",
    kind: "choice",
    options: WAREHOUSES,
  },
  {
    name: "salesperson",
    title: "Salesperson",
    description: "Who sold it",
    kind: "choice",
    options: SALESPEOPLE,
  },
  {
    name: "status",
    title: "Status",
    description: "Where the order stands",
    kind: "choice",
    options: STATUSES,
  },
  {
    name: "amount",
    title: "Amount (EUR)",
    description: "More than 0, at most 1,000,000, in cents at the finest",
    kind: "amount",
  },
  { name: "date", title: "Order date", description: "A day as YYYY-MM-DD", kind: "date" },
];

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** @param {string} text */
export function isDay(text) {
  if (!DAY.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  // Date.parse takes the 31st of a short month for the 1st of the next.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** @returns {FormValues} */
export const emptyForm = () => ({
  customer: "",
  warehouse: "",
  salesperson: "",
  status: "open",
  amount: "",
  date: "",
});

/** @param {Field} field @param {string} value @returns {string} what is wrong, "" for nothing */
export function fieldError(field, value) {
  if (value.trim() === "") return `${field.title} is missing.`;
  if (field.kind === "choice" && !field.options?.includes(value))
    return `Choose one of ${field.options?.join(", ")}.`;
  if (field.kind === "text" && value.length > 60) return "Use at most 60 characters.";
  if (field.kind === "date" && !isDay(value)) return "Write a day as YYYY-MM-DD.";
  if (field.kind === "amount" && !isAmount(value))
    return "Write an amount above 0, at most 1000000, like 129.50.";
  return "";
}

/** @param {string} text */
function isAmount(text) {
  return /^\d+(\.\d{1,2})?$/.test(text) && Number(text) > 0 && Number(text) <= 1_000_000;
}

/** @param {FormValues} values @returns {Partial<Record<FieldName, string>>} errors by field */
export function formErrors(values) {
  /** @type {Partial<Record<FieldName, string>>} */
  const errors = {};
  for (const field of FIELDS) {
    const error = fieldError(field, values[field.name]);
    if (error) errors[field.name] = error;
  }
  return errors;
}

/** @param {Field} field @returns {Record<string, unknown>} */
function fieldSchema(field) {
  const base = { title: field.title, description: field.description };
  if (field.kind === "choice") return { ...base, type: "string", enum: field.options };
  if (field.kind === "amount") return { ...base, type: "number", exclusiveMinimum: 0, maximum: 1_000_000 };
  if (field.kind === "date") return { ...base, type: "string", pattern: DAY.source };
  return { ...base, type: "string", minLength: 1, maxLength: 60 };
}

/** JSON Schema of the form's fields. */
export function formSchema() {
  return {
    type: "object",
    properties: Object.fromEntries(FIELDS.map((field) => [field.name, fieldSchema(field)])),
    required: FIELDS.map((field) => field.name),
    additionalProperties: false,
  };
}
