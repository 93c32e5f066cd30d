// The order desk. `?lab` adds the lab's tools, `?more=N` registers N more.
import { openDesk } from "./desk.js";
import { deskTools } from "./desk-tools.js";
import { bindForm } from "./form-view.js";
import { labTools, moreTools } from "./lab-tools.js";
import { bindTable } from "./table-view.js";
import { ToolRegistry } from "./tool-registry.js";
import { showNoTools, showTools } from "./tool-strip.js";

const query = new URLSearchParams(location.search);

/** @param {import("./desk.js").Desk} desk */
async function offerTools(desk) {
  const registry = new ToolRegistry(showTools);
  const more = moreTools(registry);
  const lab = query.has("lab") ? labTools(registry, more) : [];
  await registry.addAll([...deskTools(desk), ...lab]);
  const count = Number(query.get("more") ?? 0);
  if (count > 0) await more(count);
}

showNoTools();
const desk = await openDesk();
bindTable(desk);
bindForm(desk);
// Last: the desk is usable by hand while document.modelContext is still to come.
await offerTools(desk);
document.documentElement.dataset.tools = "ready";
