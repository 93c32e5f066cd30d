// The line at the foot of each page that says which tools are offered.
import { byId, element } from "./dom.js";

/** Shows what stands before the first registration. */
export function showNoTools() {
  byId("tools-state", HTMLElement).textContent = document.modelContext
    ? "No tools are offered yet."
    : "This browser offers no document.modelContext; the page works by hand.";
}

/** @param {string[]} names */
export function showTools(names) {
  byId("tools-state", HTMLElement).textContent =
    `${names.length} ${names.length === 1 ? "tool is" : "tools are"} offered.`;
  // A long list would push the page aside; the count above is exact.
  const shown = names.slice(0, 24).map((name) => element("li", {}, element("code", {}, name)));
  byId("tools-list", HTMLElement).replaceChildren(...shown);
}
