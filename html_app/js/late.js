// Registers when told to: by the button, or `?after=` milliseconds after loading.
import { byId } from "./dom.js";
import { echo } from "./lab-tools.js";
import { offer, where } from "./offer.js";
import { showNoTools } from "./tool-strip.js";

const button = byId("register", HTMLButtonElement);
const after = new URLSearchParams(location.search).get("after");

showNoTools();
await new Promise((resolve) => {
  button.addEventListener("click", resolve, { once: true });
  if (after !== null) setTimeout(resolve, Number(after));
});
button.disabled = true;
await offer(() => [where("late_where", "Says that it ran on the page that registers late."), echo]);
