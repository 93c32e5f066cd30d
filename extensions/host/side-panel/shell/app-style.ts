/** The look of the panel's frame. */
import { css } from "lit";

export const appStyle = css`
  :host { display: grid; grid-template-rows: auto minmax(0, 1fr); height: 100%; }
  header { background: var(--surface); border-bottom: 1px solid var(--line); }
  .top { display: flex; justify-content: space-between; align-items: center; gap: var(--space-2); padding: var(--space-2) var(--space-4) 0; }
  h1 { display: flex; align-items: center; gap: var(--space-2); font-size: var(--text-l); line-height: 24px; margin: 0; font-weight: 650; }
  h1 .icon { color: var(--accent); }
  .dot { width: 6px; height: 6px; border-radius: 50%; background: currentColor; flex: none; }
  [role="tablist"] { display: flex; padding: var(--space-1) var(--space-1) 0; }
  button[role="tab"] {
    flex: 1 1 auto; min-width: 0; display: grid; justify-items: center; gap: 2px; padding: 6px 2px 5px;
    border: 0; border-bottom: 2px solid transparent; border-radius: var(--radius-s) var(--radius-s) 0 0;
    background: none; color: var(--muted); font-size: var(--text-xs); line-height: 14px;
  }
  button[role="tab"]:hover:not(:disabled) { background: var(--sunken); border-color: transparent; }
  [role="tab"] span { max-width: 100%; overflow: hidden; white-space: nowrap; }
  button[role="tab"][aria-selected="true"], button[role="tab"][aria-selected="true"]:hover:not(:disabled) { border-bottom-color: var(--accent); color: var(--accent); font-weight: 600; }
  [role="tab"]:focus-visible { outline-offset: -2px; }
  main { min-height: 0; position: relative; }
  [role="tabpanel"] { position: relative; height: 100%; overflow: auto; overscroll-behavior: contain; }
  [role="tabpanel"] > * { min-height: 100%; }
`;
