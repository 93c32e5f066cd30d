/** A JSON schema as form fields. The schema is the page's: whatever is in it gives some field, if only one for JSON. */

type Schema = Record<string, unknown>;

interface Common {
  /** Member's name, or the place in an array; empty at the root. */
  name: string;
  label: string;
  hint: string;
  required: boolean;
  preset?: unknown;
}

export interface Choice {
  value: unknown;
  label: string;
}

export type TextLook = "text" | "date" | "long";

export type Field = Common &
  (
    | { kind: "text"; look: TextLook }
    | { kind: "number"; whole: boolean; min?: number; max?: number }
    | { kind: "flag" }
    | { kind: "choice"; choices: Choice[] }
    | { kind: "list"; item: (place: number) => Field }
    | { kind: "group"; members: Field[] }
    /** Any JSON value, typed as such. */
    | { kind: "json" }
  );

export type GroupField = Extract<Field, { kind: "group" }>;

/** Deeper and wider parts of a schema are typed as JSON. */
const MAX_DEPTH = 6;
const MAX_MEMBERS = 100;
const MAX_CHOICES = 500;
/** Texts that may be longer get a box of several lines. */
const LONG_TEXT = 200;

/** The fields of a tool's arguments; `undefined` where they can only be typed as JSON. */
export function fieldsOf(schema: Schema): GroupField | undefined {
  const field = new SchemaReader(schema).read(schema, { name: "", required: true }, 0);
  return field.kind === "group" && field.members.length > 0 ? field : undefined;
}

class SchemaReader {
  constructor(private readonly root: Schema) {}

  read(given: unknown, place: { name: string; required: boolean }, depth: number): Field {
    const schema = this.resolve(given);
    const common = commonOf(schema, place);
    const choices = choicesOf(schema);
    if (choices) return { ...common, kind: "choice", choices };
    switch (depth > MAX_DEPTH ? undefined : typeOf(schema)) {
      case "string":
        return { ...common, kind: "text", look: textLook(schema) };
      case "integer":
      case "number":
        return { ...common, kind: "number", whole: typeOf(schema) === "integer", ...boundsOf(schema) };
      case "boolean":
        return { ...common, kind: "flag" };
      case "array":
        return this.list(schema, common, depth);
      case "object":
        return this.group(schema, common, depth);
      default:
        return { ...common, kind: "json" };
    }
  }

  private list(schema: Schema, common: Common, depth: number): Field {
    const { items } = schema;
    if (!isSchema(items)) return { ...common, kind: "json" };
    const item = (place: number) => this.read(items, { name: String(place), required: true }, depth + 1);
    return { ...common, kind: "list", item };
  }

  private group(schema: Schema, common: Common, depth: number): Field {
    const properties = isSchema(schema.properties) ? Object.entries(schema.properties) : [];
    const open = properties.length === 0 && depth > 0;
    if (open || properties.length > MAX_MEMBERS) return { ...common, kind: "json" };
    const required = Array.isArray(schema.required) ? schema.required : [];
    const members = properties.map(([name, member]) =>
      this.read(member, { name, required: required.includes(name) }, depth + 1),
    );
    return { ...common, kind: "group", members };
  }

  /** Follows `#/…` within the schema, a few steps at most: it may lead in circles. */
  private resolve(given: unknown): Schema {
    let schema = given;
    for (let step = 0; step < MAX_DEPTH && isSchema(schema) && typeof schema.$ref === "string"; step += 1) {
      schema = this.target(schema.$ref);
    }
    return isSchema(schema) ? schema : {};
  }

  private target(reference: string): unknown {
    if (!reference.startsWith("#/")) return undefined;
    let part: unknown = this.root;
    for (const step of reference.slice(2).split("/")) {
      const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
      part = isSchema(part) && Object.hasOwn(part, name) ? part[name] : undefined;
    }
    return part;
  }
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function commonOf(schema: Schema, { name, required }: { name: string; required: boolean }): Common {
  const label = typeof schema.title === "string" && schema.title.trim() !== "" ? schema.title : name;
  const hint = typeof schema.description === "string" ? schema.description : "";
  const common: Common = { name, label, hint, required };
  return schema.default === undefined ? common : { ...common, preset: schema.default };
}

/** The one type besides `null`; `undefined` for none, several or an unknown one. */
function typeOf({ type, properties }: Schema): string | undefined {
  if (type === undefined) return isSchema(properties) ? "object" : undefined;
  const types = (Array.isArray(type) ? type : [type]).filter((one) => one !== "null");
  return types.length === 1 && typeof types[0] === "string" ? types[0] : undefined;
}

function choicesOf(schema: Schema): Choice[] | undefined {
  if (Object.hasOwn(schema, "const")) return [choice(schema.const)];
  if (Array.isArray(schema.enum) && isShort(schema.enum)) return schema.enum.map((value) => choice(value));
  const variants = schema.oneOf ?? schema.anyOf;
  if (!Array.isArray(variants) || !isShort(variants)) return undefined;
  const constants = variants.filter(isSchema).filter((variant) => Object.hasOwn(variant, "const"));
  return constants.length === variants.length
    ? constants.map((variant) => choice(variant.const, variant.title))
    : undefined;
}

function isShort(choices: unknown[]): boolean {
  return choices.length > 0 && choices.length <= MAX_CHOICES;
}

function choice(value: unknown, title?: unknown): Choice {
  const label = typeof value === "string" ? value : JSON.stringify(value);
  return { value, label: typeof title === "string" && title !== "" ? title : label };
}

function textLook({ format, maxLength }: Schema): TextLook {
  if (format === "date") return "date";
  return typeof maxLength === "number" && maxLength > LONG_TEXT ? "long" : "text";
}

function boundsOf({ minimum, maximum }: Schema): { min?: number; max?: number } {
  return {
    ...(typeof minimum === "number" ? { min: minimum } : {}),
    ...(typeof maximum === "number" ? { max: maximum } : {}),
  };
}
