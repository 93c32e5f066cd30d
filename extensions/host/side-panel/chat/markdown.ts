/**
 * A model's Markdown as HTML text, block by block. Everything in it is untrusted: HTML shows as the text it is, an image
 * becomes a link to it, and only http and https links are links. What the sanitizer then gets should need no cleaning.
 */
import { Marked, type Tokens } from "marked";

/** One top-level block: `raw` is its source. */
export interface Block {
  raw: string;
  html: string;
}

const ESCAPES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

/** The address where it is http or https and nothing else, `undefined` otherwise. */
export function webAddress(href: string): string | undefined {
  if (!URL.canParse(href)) return undefined;
  const { protocol, href: address } = new URL(href);
  return protocol === "http:" || protocol === "https:" ? address : undefined;
}

function link(href: string, inner: string): string {
  const address = webAddress(href);
  if (address === undefined) return inner;
  const safe = escapeHtml(address);
  return `<a href="${safe}" title="${safe}" target="_blank" rel="noopener noreferrer">${inner}</a>`;
}

const markdown = new Marked({
  gfm: true,
  breaks: true,
  async: false,
  renderer: {
    html: ({ text, block }: Tokens.HTML | Tokens.Tag) =>
      block ? `<p>${escapeHtml(text)}</p>` : escapeHtml(text),
    image: ({ href, text }: Tokens.Image) => link(href, escapeHtml(text || href)),
    link({ href, tokens }: Tokens.Link) {
      return link(href, this.parser.parseInline(tokens));
    },
    // One level for all: the outline of the panel is the panel's, not the model's.
    heading({ tokens, depth }: Tokens.Heading) {
      return `<h3 data-depth="${depth}">${this.parser.parseInline(tokens)}</h3>`;
    },
    checkbox: ({ checked }: Tokens.Checkbox) => (checked ? "☑ " : "☐ "),
    code: ({ text }: Tokens.Code) => `<pre><code>${escapeHtml(text)}</code></pre>`,
  },
});

/** The blocks of a text, blank ones included: all `raw` together are the text. */
function lex(text: string): Block[] {
  return markdown.lexer(text).map((token) => ({ raw: token.raw, html: markdown.parser([token]) }));
}

const isVisible = (block: Block): boolean => block.html !== "";

export function markdownBlocks(text: string): Block[] {
  return lex(text).filter(isVisible);
}

/** Blocks at the end that the next characters may still change. */
const UNSETTLED = 3;
/** Characters that are read without a look at the clock, at least. */
const STEP = 4_096;
/** A text that takes longer at one step is no text that a person wants laid out, in milliseconds. */
const TOO_SLOW = 150;

/**
 * The blocks of a text that grows: only its end is read again, so that a long answer costs no more per frame than a
 * short one. A text that does not go on from the last one is read from its beginning.
 *
 * Some texts, deep nesting above all, cost the reader seconds or its stack. They are found out before that, by reading
 * in growing steps, and shown as they are.
 */
export class MarkdownStream {
  private text = "";
  private blocks: Block[] = [];
  private isTooHard = false;

  constructor(private readonly now = () => performance.now()) {}

  update(text: string): Block[] {
    if (!text.startsWith(this.text)) this.begin();
    while (!this.isTooHard && this.text !== text) {
      const step = Math.max(STEP, lengthOf(this.blocks.slice(-UNSETTLED)));
      this.read(text.slice(0, this.text.length + step));
    }
    this.text = text;
    return this.isTooHard ? [asItIs(text)] : this.blocks.filter(isVisible);
  }

  private begin(): void {
    this.text = "";
    this.blocks = [];
    this.isTooHard = false;
  }

  private read(text: string): void {
    const begin = this.now();
    try {
      this.blocks = this.goOn(text);
      this.text = text;
      this.isTooHard = this.now() - begin > TOO_SLOW;
    } catch {
      this.isTooHard = true;
    }
  }

  private goOn(text: string): Block[] {
    // A carriage return is dropped by the lexer, and then offsets in the source are others.
    const settled = text.includes("\r") ? [] : this.blocks.slice(0, -UNSETTLED);
    return [...settled, ...lex(text.slice(lengthOf(settled)))];
  }
}

/** Characters of the text that these blocks are. */
function lengthOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + block.raw.length, 0);
}

function asItIs(text: string): Block {
  return { raw: text, html: `<pre>${escapeHtml(text)}</pre>` };
}
