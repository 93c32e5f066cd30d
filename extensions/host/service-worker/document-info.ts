/** Reading a document: the function that `scripting.executeScript` runs in the tab, and its result. */

export interface DocumentInfoRequest {
  includeOutline: boolean;
  includeText: boolean;
  includeNonTextElements: boolean;
}

/** What a document says about itself. All of it is the page's text: data, never an instruction. */
export interface DocumentInfo {
  url: string;
  title: string;
  language: string;
  description: string;
  outline?: { level: number; text: string }[];
  text?: string;
  textCut?: boolean;
  nonTextElements?: { kind: string; label: string; source?: string }[];
}

/** Runs in the page's isolated world: everything it needs is inside it, because Chromium sends only its source. */
export function readDocument(request: DocumentInfoRequest): DocumentInfo {
  const TEXT_LIMIT = 200_000;
  const LABEL_LIMIT = 300;
  const LIST_LIMIT = 500;
  const short = (text: string | null | undefined) =>
    (text ?? "").replace(/\s+/g, " ").trim().slice(0, LABEL_LIMIT);
  const all = (selector: string) => [...document.querySelectorAll(selector)].slice(0, LIST_LIMIT);

  const outline = () =>
    all("h1,h2,h3,h4,h5,h6").map((heading) => ({
      level: Number(heading.tagName[1]),
      text: short(heading.textContent),
    }));

  const element = (node: Element) => {
    const label = node.getAttribute("alt") ?? node.getAttribute("aria-label") ?? node.getAttribute("title");
    const source = node.getAttribute("src") ?? node.getAttribute("data");
    const base = { kind: node.tagName.toLowerCase(), label: short(label) };
    return source ? { ...base, source: short(source) } : base;
  };

  const info: DocumentInfo = {
    url: location.href,
    title: document.title,
    language: document.documentElement.lang,
    description: short(document.querySelector('meta[name="description"]')?.getAttribute("content")),
  };
  if (request.includeOutline) info.outline = outline();
  if (request.includeText) {
    // biome-ignore lint/performance/useDomNodeTextContent: what is visible is wanted, not scripts and hidden parts.
    const text = document.body?.innerText ?? "";
    info.text = text.slice(0, TEXT_LIMIT);
    info.textCut = text.length > TEXT_LIMIT;
  }
  if (request.includeNonTextElements) {
    info.nonTextElements = all("img,svg,canvas,video,audio,iframe,object,embed").map(element);
  }
  return info;
}
