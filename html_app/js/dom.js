// Building elements without markup strings, so that the desk also works under trusted types.

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string>} [attributes]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/**
 * The element with that id, of the kind the caller needs.
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
export function byId(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`The page has no ${kind.name} with the id "${id}".`);
  return found;
}

/** @param {readonly string[]} values @param {string} [none] label of the empty choice */
export function options(values, none) {
  const list = values.map((value) => element("option", { value }, value));
  return none === undefined ? list : [element("option", { value: "" }, none), ...list];
}
