/** The second wall behind `markdown.ts`: only a few tags and attributes pass, none of which loads or runs anything. */
import DOMPurify from "dompurify";
import { webAddress } from "./markdown.ts";

const TAGS = [
  ...["p", "br", "hr", "h3", "strong", "em", "del", "a", "code", "pre", "blockquote"],
  ...["ul", "ol", "li", "table", "thead", "tbody", "tr", "th", "td"],
];
const ATTRIBUTES = ["href", "title", "align", "start", "data-depth"];

const purifier = DOMPurify(window);

purifier.addHook("afterSanitizeAttributes", (element) => {
  if (element.tagName !== "A") return;
  const address = webAddress(element.getAttribute("href") ?? "");
  element.removeAttribute("href");
  if (address === undefined) return;
  element.setAttribute("href", address);
  element.setAttribute("target", "_blank");
  element.setAttribute("rel", "noopener noreferrer");
});

/** Nodes that may stand in the panel. HTML is parsed in a document that loads nothing. */
export function sanitized(html: string): DocumentFragment {
  return purifier.sanitize(html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ATTRIBUTES,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
}
