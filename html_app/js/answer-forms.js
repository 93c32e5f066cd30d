// Forms as tools: each submission is recorded and, where it stays on the page, answered.
import { beginExecution } from "./journal.js";

/** @param {HTMLFormElement} form */
const values = (form) => Object.fromEntries(new FormData(form).entries());

/** @param {string} tool @param {Record<string, unknown>} fields */
async function handle(tool, fields) {
  const end = await beginExecution(tool, fields);
  end("finished");
  return { tool, received: fields };
}

/** @param {SubmitEvent} event */
function answer(event) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const result = handle(form.getAttribute("toolname") ?? "", values(form));
  if (event.agentInvoked) event.respondWith?.(result);
  result.then((value) => {
    const output = form.querySelector("[data-result]");
    if (output) output.textContent = `Received: ${JSON.stringify(value.received)}`;
  });
}

/** Answers every form of the page that has no page of its own to go to. */
export function answerForms() {
  for (const form of document.querySelectorAll("form[toolname]:not([action])")) {
    form.addEventListener("submit", (event) => answer(/** @type {SubmitEvent} */ (event)));
  }
}
