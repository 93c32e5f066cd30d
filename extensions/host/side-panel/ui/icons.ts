/** Icons as inline SVG, drawn on a grid of 24 with a stroke in the text's colour. */
import { html, type SVGTemplateResult, svg, type TemplateResult } from "lit";

const PATHS = {
  chat: svg`<path d="M5 5h14a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-7l-5 4v-4H5a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2z"/><path d="M8 9.5h8M8 12.5h5"/>`,
  tools: svg`<path d="M15.5 4.2a4.6 4.6 0 0 0-5.7 5.9L4 16v4h4l5.9-5.8a4.6 4.6 0 0 0 5.9-5.7l-2.9 2.9-3.2-.9-.9-3.2z"/>`,
  relay: svg`<path d="M4 8.5h14M14.5 5 18 8.5 14.5 12M20 15.5H6M9.5 12 6 15.5 9.5 19"/>`,
  tabs: svg`<rect x="3" y="7" width="14" height="13" rx="2"/><path d="M7 7V5a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-2"/><path d="M3 11h14"/>`,
  agents: svg`<rect x="5" y="8" width="14" height="11" rx="3"/><path d="M12 8V4.5M9.5 13v1M14.5 13v1M2.5 12.5v3M21.5 12.5v3"/><circle cx="12" cy="3.5" r="1"/>`,
  settings: svg`<path d="M4 7h9M17 7h3M4 17h3M11 17h9"/><circle cx="15" cy="7" r="2"/><circle cx="9" cy="17" r="2"/>`,
  providers: svg`<path d="M9.5 4.5a2.5 2.5 0 0 1 5 0V7H18a1 1 0 0 1 1 1v3.5h-1.5a2.5 2.5 0 0 0 0 5H19V20H5v-3.5h1.5a2.5 2.5 0 0 0 0-5H5V8a1 1 0 0 1 1-1h3.5z"/>`,
  add: svg`<path d="M12 5v14M5 12h14"/>`,
  alert: svg`<path d="M12 3.5 22 20H2z"/><path d="M12 10v4.5M12 17.3v.2"/>`,
  check: svg`<path d="m5 12.5 4.5 4.5L19 7.5"/>`,
  close: svg`<path d="M6 6l12 12M18 6 6 18"/>`,
  copy: svg`<rect x="9" y="9" width="11" height="11" rx="2"/><path d="M15 9V6a2 2 0 0 0-2-2H6a2 2 0 0 0-2 2v7a2 2 0 0 0 2 2h3"/>`,
  download: svg`<path d="M12 4v11M7.5 11 12 15.5 16.5 11M5 20h14"/>`,
  upload: svg`<path d="M12 16V5M7.5 9 12 4.5 16.5 9M5 20h14"/>`,
  edit: svg`<path d="M4 20h4L19 9l-4-4L4 16zM13.5 6.5l4 4"/>`,
  history: svg`<path d="M4 12a8 8 0 1 0 2.5-5.8L4 8.5M4 4v4.5h4.5M12 8v4.5l3 2"/>`,
  play: svg`<path d="M7 5v14l11-7z"/>`,
  refresh: svg`<path d="M20 12a8 8 0 1 1-2.3-5.6L20 8.5M20 4v4.5h-4.5"/>`,
  search: svg`<circle cx="11" cy="11" r="6.5"/><path d="m20 20-4.3-4.3"/>`,
  send: svg`<path d="M4 12 20 4l-5 16-3.5-6.5z"/><path d="M11.5 13.5 20 4"/>`,
  stop: svg`<rect x="6.5" y="6.5" width="11" height="11" rx="1.5"/>`,
  trash: svg`<path d="M4 7h16M9.5 7V4h5v3M6.5 7l1 13h9l1-13M10.5 11v5M13.5 11v5"/>`,
} satisfies Record<string, SVGTemplateResult>;

export type IconName = keyof typeof PATHS;

/** Decoration only: what it stands beside, or the button around it, has the name. */
export function icon(name: IconName, size = 16): TemplateResult {
  return html`<svg
    class="icon" width=${size} height=${size} viewBox="0 0 24 24" fill="none" stroke="currentColor"
    stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"
  >${PATHS[name]}</svg>`;
}
