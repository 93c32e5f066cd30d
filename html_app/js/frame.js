// The document in a frame: a tool with a name of its own and one whose name the page around it has, too.
import { answerForms } from "./answer-forms.js";
import { echo } from "./lab-tools.js";
import { offer, where } from "./offer.js";

const prefix = new URLSearchParams(location.search).get("prefix") ?? "frame";

answerForms();
await offer(() => [
  where(`${prefix}_where`, "Says that it ran in the frame."),
  { ...echo, execute: ({ text }) => `${prefix} frame: ${text}` },
]);
