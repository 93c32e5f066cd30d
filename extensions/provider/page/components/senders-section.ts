/** The extensions that ask, are allowed, or were refused: always by id, because a name is only a claim. */
import { html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { isExtensionId } from "../../../contract/lumo.ts";
import type { Sender } from "../../agent/policy.ts";
import { localTime, type MessageKey, t } from "../i18n.ts";
import { Section } from "./section.ts";

type Decision = "approve" | "refuse" | "forget";

interface Choice {
  decision: Decision;
  text: MessageKey;
  label: MessageKey;
}

const APPROVE: Choice = { decision: "approve", text: "approve", label: "approveNamed" };
const REFUSE: Choice = { decision: "refuse", text: "refuse", label: "refuseNamed" };
const REMOVE: Choice = { decision: "forget", text: "remove", label: "removeNamed" };
const FORGET: Choice = { decision: "forget", text: "forget", label: "forgetNamed" };

@customElement("senders-section")
export class SendersSection extends Section {
  @state() private invalid = false;

  override render(): TemplateResult {
    const { pending, allowed, refused } = this.view;
    return html`
      <section aria-labelledby="title">
        <h2 id="title">${t("senders")}</h2>
        <h3>${t("pendingTitle")}</h3>
        ${this.renderList("pending", pending, [APPROVE, REFUSE], "pendingEmpty")}
        <h3>${t("allowedTitle")}</h3>
        ${this.renderList("allowed", allowed, [REMOVE], "allowedEmpty")}
        ${this.renderForm()}
        ${refused.length > 0 ? html`<h3>${t("refusedTitle")}</h3>` : nothing}
        ${refused.length > 0 ? this.renderList("refused", refused, [APPROVE, FORGET], "allowedEmpty") : nothing}
      </section>
    `;
  }

  private renderList(kind: string, senders: Sender[], choices: Choice[], empty: MessageKey): TemplateResult {
    if (senders.length === 0) return html`<p class="quiet">${t(empty)}</p>`;
    return html`<ul aria-label=${t(`${kind}Title` as MessageKey)}>
      ${senders.map((sender) => this.renderSender(kind, sender, choices))}
    </ul>`;
  }

  private renderSender(kind: string, sender: Sender, choices: Choice[]): TemplateResult {
    return html`
      <li class="card row" data-testid="${kind}-sender" data-id=${sender.id}>
        <div class="grow">
          <code data-testid="sender-id">${sender.id}</code>
          <p class="quiet">
            ${sender.name ? t("claims", sender.name) : nothing} ${t("since", localTime(sender.at))}
          </p>
        </div>
        ${choices.map((choice) => this.renderChoice(sender, choice))}
      </li>
    `;
  }

  private renderChoice(sender: Sender, { decision, text, label }: Choice): TemplateResult {
    return html`
      <button type="button" class=${decision === "approve" ? "primary" : ""} data-testid="sender-${decision}"
        aria-label=${t(label, sender.id)} @click=${() => this.ask({ type: `sender/${decision}`, id: sender.id })}>
        ${t(text)}
      </button>
    `;
  }

  private renderForm(): TemplateResult {
    return html`
      <form @submit=${this.add}>
        <h3><label for="allow-id">${t("addLabel")}</label></h3>
        <div class="row">
          <input id="allow-id" class="grow" type="text" name="id" autocomplete="off" spellcheck="false"
            data-testid="allow-id" aria-invalid=${this.invalid} aria-describedby="allow-problem" />
          <button data-testid="allow-add">${t("add")}</button>
        </div>
        <p id="allow-problem" class="bad" data-testid="allow-problem" role="alert">
          ${this.invalid ? t("invalidId") : nothing}
        </p>
      </form>
    `;
  }

  private add(event: SubmitEvent): void {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const id = String(new FormData(form).get("id")).trim();
    this.invalid = !isExtensionId(id);
    if (this.invalid) return;
    this.ask({ type: "sender/approve", id });
    form.reset();
  }
}
