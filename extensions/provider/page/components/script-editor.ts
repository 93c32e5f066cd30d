/** A dialog with a script's source. Problems of the metadata block show while one types. */
import { css, html, LitElement, type nothing, type TemplateResult } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import type { PageAnswer } from "../../requests.ts";
import { parseMetadata } from "../../userscripts/metadata.ts";
import { readSource, type Script, sourceKey } from "../../userscripts/model.ts";
import { t } from "../i18n.ts";
import { ask } from "../model.ts";
import { shared } from "./style.ts";

const TEMPLATE = `// ==UserScript==
// @name     New script
// @match    https://example.com/*
// @run-at   document-idle
// ==/UserScript==

`;

@customElement("script-editor")
export class ScriptEditor extends LitElement {
  static override styles = [
    shared,
    css`
      dialog { width: min(860px, 92vw); border: 1px solid var(--line); border-radius: 12px; background: var(--surface); color: var(--text); }
      textarea { height: 52vh; resize: vertical; tab-size: 2; white-space: pre; overflow: auto; }
      ul { margin: 8px 0; min-height: 1.5em; }
    `,
  ];

  @query("dialog") private dialog!: HTMLDialogElement;
  /** The script as it was when the dialog opened; `undefined` for a new one. */
  @state() private script: Script | undefined;
  @state() private source = "";
  @state() private failure = "";

  create(): void {
    this.show(undefined, TEMPLATE);
  }

  async edit(script: Script): Promise<void> {
    this.show(script, await readSource(sourceKey(script.uuid)));
  }

  private show(script: Script | undefined, source: string): void {
    this.script = script;
    this.source = source;
    this.failure = "";
    this.dialog.showModal();
  }

  override render(): TemplateResult {
    return html`
      <dialog aria-labelledby="title" data-testid="editor">
        <form method="dialog" @submit=${this.save}>
          <h2 id="title">${this.script ? t("editNamed", this.script.metadata.name) : t("newScript")}</h2>
          <h3><label for="source">${t("source")}</label></h3>
          <textarea id="source" spellcheck="false" autocapitalize="off" data-testid="editor-source"
            aria-describedby="problems" .value=${this.source} @input=${this.type}></textarea>
          <ul id="problems" class="bad" role="status" data-testid="editor-problems">
            ${this.problems().map((problem) => html`<li>${problem}</li>`)}
          </ul>
          <div class="row">
            <button class="primary" data-testid="editor-save">${t("save")}</button>
            <button type="button" data-testid="editor-cancel" @click=${() => this.dialog.close()}>${t("cancel")}</button>
          </div>
        </form>
      </dialog>
    `;
  }

  private problems(): (string | typeof nothing)[] {
    const parsed = parseMetadata(this.source);
    return [...(parsed.ok ? [] : parsed.problems), ...(this.failure ? [this.failure] : [])];
  }

  private type(event: Event): void {
    this.source = (event.target as HTMLTextAreaElement).value;
    this.failure = "";
  }

  private async save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const answer = await this.send();
    if (answer.ok) this.dialog.close();
    else this.failure = answer.message;
  }

  private send(): Promise<PageAnswer> {
    const { script, source } = this;
    if (!script) return ask({ type: "script/create", source });
    return ask({ type: "script/update", uuid: script.uuid, source, version: script.version });
  }
}
