/** Changes of agents that wait for the person's decision. */
import { html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { proposalKey, type Review, sourceKey } from "../../userscripts/model.ts";
import { localTime, t } from "../i18n.ts";
import { Section } from "./section.ts";
import "./source-view.ts";

@customElement("reviews-section")
export class ReviewsSection extends Section {
  override render(): TemplateResult {
    const { reviews } = this.view;
    return html`
      <section aria-labelledby="title">
        <h2 id="title">${t("reviews")}</h2>
        ${
          reviews.length === 0
            ? html`<p class="quiet">${t("reviewsEmpty")}</p>`
            : html`<ul>${reviews.map((review) => this.renderReview(review))}</ul>`
        }
      </section>
    `;
  }

  private renderReview(review: Review): TemplateResult {
    const title = t(`review_${review.kind}`, review.metadata.name);
    const proposed = review.kind === "create" || review.kind === "update";
    return html`
      <li class="card" data-testid="review" data-id=${review.id} data-kind=${review.kind} data-uuid=${review.uuid}>
        <div class="row">
          <div class="grow">
            <strong>${title}</strong>
            <p class="quiet">${t("reviewBy", review.senderId)}, ${localTime(review.at)}</p>
          </div>
          ${this.renderDecision("approve", review, title)} ${this.renderDecision("refuse", review, title)}
        </div>
        <source-view .metadata=${review.metadata} .digest=${review.sourceDigest} ?open=${proposed}
          key=${proposed ? proposalKey(review.id) : sourceKey(review.uuid)}
          caption=${t(proposed ? "proposedSource" : "presentSource")}></source-view>
        ${review.kind === "update" ? this.renderPresent(review.uuid) : nothing}
      </li>
    `;
  }

  /** What the update would replace. */
  private renderPresent(uuid: string): TemplateResult | typeof nothing {
    const script = this.view.scripts.find((one) => one.uuid === uuid);
    if (!script) return nothing;
    return html`
      <source-view .metadata=${script.metadata} key=${sourceKey(uuid)} digest=${script.sourceDigest}
        caption=${t("presentSource")}></source-view>
    `;
  }

  private renderDecision(decision: "approve" | "refuse", review: Review, title: string): TemplateResult {
    return html`
      <button type="button" class=${decision === "approve" ? "primary" : ""} data-testid="review-${decision}"
        aria-label=${t(decision === "approve" ? "approveNamed" : "refuseNamed", title)}
        @click=${() => this.ask({ type: `review/${decision}`, id: review.id })}>${t(decision)}</button>
    `;
  }
}
