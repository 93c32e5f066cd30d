/** Untrusted Markdown, kept up to date while it streams: a block that stays the same keeps its nodes. */
import { css, html, LitElement, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { type Block, MarkdownStream } from "./markdown.ts";
import { sanitized } from "./sanitize.ts";

@customElement("lumo-markdown")
export class MarkdownView extends LitElement {
  static override styles = css`
    :host { display: block; overflow-wrap: anywhere; }
    .block > * { margin: 0 0 var(--space-2); }
    .block:last-child > :last-child { margin-bottom: 0; }
    li > * { margin: 0; }
    ul, ol { padding-inline-start: 1.4em; }
    h3 { font-size: var(--text-m); line-height: 1.4; }
    h3[data-depth="1"], h3[data-depth="2"] { font-size: var(--text-l); }
    a { color: var(--accent); }
    :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
    code { font-family: var(--mono); font-size: var(--text-s); background: var(--sunken); border-radius: 4px; padding: 1px 4px; }
    pre { white-space: pre-wrap; background: var(--sunken); border-radius: var(--radius-m); padding: var(--space-2) var(--space-3); }
    pre code { background: none; padding: 0; }
    blockquote { border-inline-start: 3px solid var(--line); padding-inline-start: var(--space-3); color: var(--muted); }
    hr { border: 0; border-top: 1px solid var(--line); }
    .scroll { overflow-x: auto; border-radius: var(--radius-s); }
    table { border-collapse: collapse; font-size: var(--text-s); overflow-wrap: normal; }
    th, td { border-bottom: 1px solid var(--line); padding: 4px var(--space-2); text-align: start; vertical-align: top; }
    th { color: var(--muted); font-weight: 600; }
  `;

  @property({ attribute: false }) text = "";
  private readonly stream = new MarkdownStream();
  private shown: Block[] = [];
  private nodes: HTMLElement[] = [];

  override render(): TemplateResult {
    return html`<div class="body"></div>`;
  }

  override updated(): void {
    const blocks = this.stream.update(this.text);
    blocks.forEach((block, index) => {
      if (this.shown[index]?.html !== block.html) this.place(index, blockNode(block));
    });
    for (const surplus of this.nodes.splice(blocks.length)) surplus.remove();
    this.shown = blocks;
  }

  private place(index: number, node: HTMLElement): void {
    const old = this.nodes[index];
    if (old) old.replaceWith(node);
    else this.renderRoot.querySelector(".body")?.append(node);
    this.nodes[index] = node;
  }
}

function blockNode({ html: source }: Block): HTMLElement {
  const node = document.createElement("div");
  node.className = "block";
  node.append(sanitized(source));
  for (const table of node.querySelectorAll("table")) table.replaceWith(scroller(table));
  return node;
}

/** A wide table scrolls by itself, with the keyboard too. */
function scroller(table: HTMLTableElement): HTMLElement {
  const box = document.createElement("div");
  box.className = "scroll";
  box.tabIndex = 0;
  box.append(table.cloneNode(true));
  return box;
}

declare global {
  interface HTMLElementTagNameMap {
    "lumo-markdown": MarkdownView;
  }
}
