// A page whose tools are forms: the browser makes them from the markup, nothing is registered here.
import { answerForms } from "./answer-forms.js";
import { showTools } from "./tool-strip.js";

answerForms();
showTools(
  [...document.querySelectorAll("form[toolname]")].map((form) => form.getAttribute("toolname") ?? ""),
);
document.documentElement.dataset.tools = "ready";
