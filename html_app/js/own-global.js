// A page that has a WebMCP runtime of its own, loaded before this module.
import { answerForms } from "./answer-forms.js";
import { labTools, moreTools } from "./lab-tools.js";
import { offer, where } from "./offer.js";

answerForms();
await offer((registry) => [
  where("own_where", "Says that it ran in the page with its own server."),
  ...labTools(registry, moreTools(registry)),
]);
