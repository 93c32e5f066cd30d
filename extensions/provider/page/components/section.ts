/** What every section of the page has: the state it shows, and a way to ask the worker. */
import { LitElement } from "lit";
import { property } from "lit/decorators.js";
import type { PageRequest } from "../../requests.ts";
import { AskEvent, type PageState } from "../model.ts";
import { shared } from "./style.ts";

export class Section extends LitElement {
  static override styles = [shared];

  @property({ attribute: false }) view!: PageState;

  /** The page sends it on, and shows what the worker says. */
  protected ask(request: PageRequest): void {
    this.dispatchEvent(new AskEvent(request));
  }
}
