// Two views in one document: history.pushState, no load, and the tools change with the view.
import { byId } from "./dom.js";
import { offer, where } from "./offer.js";

const TITLES = { orders: "Orders", customers: "Customers" };

/** @typedef {keyof typeof TITLES} View */

/** @returns {View} */
const currentView = () => (location.pathname.endsWith("/customers") ? "customers" : "orders");

/** @type {ToolDefinition} */
const goToView = {
  name: "go_to_view",
  title: "Go to view",
  description: "Shows the other view; the document stays.",
  inputSchema: {
    type: "object",
    properties: { view: { type: "string", enum: Object.keys(TITLES) } },
    required: ["view"],
    additionalProperties: false,
  },
  execute: async ({ view }) => {
    history.pushState(null, "", `/views/${view}`);
    await show();
    return { view, path: location.pathname };
  },
};

const registry = await offer(() => [goToView]);
/** @type {View | null} */
let shown = null;

async function show() {
  const view = currentView();
  if (view === shown) return;
  if (shown) registry.remove(`${shown}_where`);
  shown = view;
  byId("view-title", HTMLElement).textContent = TITLES[view];
  await registry.add(where(`${view}_where`, `Says that the view ${view} is shown.`));
}

for (const link of document.querySelectorAll("a[data-view]")) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    history.pushState(null, "", /** @type {HTMLAnchorElement} */ (link).href);
    void show();
  });
}
addEventListener("popstate", () => void show());
await show();
