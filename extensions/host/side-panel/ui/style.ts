/** The look shared by the panel's components; colours and sizes are the tokens of side-panel.css. */
import { css } from "lit";

const base = css`
  :host { display: block; }
  :host([hidden]), [hidden] { display: none !important; }
  *, ::before, ::after { box-sizing: border-box; }
  * { scrollbar-width: thin; scrollbar-color: var(--line-strong) transparent; }
  h2, h3, p, ul, ol, dl, dd, fieldset, pre { margin: 0; padding: 0; }
  ul, ol { list-style: none; }
  h2 { font-size: var(--text-l); line-height: 1.35; font-weight: 600; overflow-wrap: anywhere; }
  h3 { font-size: var(--text-m); line-height: 1.4; font-weight: 600; overflow-wrap: anywhere; }
  p { overflow-wrap: anywhere; }
  code, pre, textarea.code, input.code { font-family: var(--mono); font-size: var(--text-s); overflow-wrap: anywhere; }
  pre {
    white-space: pre-wrap; max-height: 320px; overflow: auto; tab-size: 2; padding: var(--space-2);
    background: var(--sunken); border-radius: var(--radius-s);
  }
  summary { cursor: pointer; overflow-wrap: anywhere; border-radius: var(--radius-s); }
  summary.arrow { display: flex; align-items: baseline; gap: var(--space-2); list-style: none; }
  summary.arrow::-webkit-details-marker { display: none; }
  summary.arrow::before {
    content: ""; flex: none; width: 6px; height: 6px; border: solid var(--muted); border-width: 0 1.5px 1.5px 0;
    transform: translate(-1px, -1px) rotate(-45deg); transition: transform 120ms;
  }
  details[open] > summary.arrow::before { transform: translateY(-2px) rotate(45deg); }
  summary.arrow > * { min-width: 0; }
  .icon { flex: none; display: block; }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
  @media (prefers-reduced-motion: reduce) {
    *, ::before, ::after { transition: none !important; animation: none !important; }
  }
`;

const layout = css`
  .tab { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-4); padding: var(--space-4); align-content: start; }
  .stack { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-3); align-content: start; }
  .stack.tight { gap: var(--space-1); }
  .row { display: flex; gap: var(--space-2); align-items: center; flex-wrap: wrap; }
  .row > * { min-width: 0; overflow-wrap: anywhere; }
  .row.apart { justify-content: space-between; }
  .grow { flex: 1 1 0; min-width: 0; }
  .card {
    background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius-l);
    padding: var(--space-3); box-shadow: var(--shadow);
  }
  .cut { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 0; }
  .muted { color: var(--muted); font-size: var(--text-s); overflow-wrap: anywhere; }
  .good { color: var(--good); }
  .warn { color: var(--warn); }
  .bad { color: var(--bad); }
  .sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  dl.facts { display: grid; grid-template-columns: minmax(0, auto) minmax(0, 1fr); gap: var(--space-1) var(--space-3); font-size: var(--text-s); }
  dl.facts dt { color: var(--muted); }
  dl.facts dd { overflow-wrap: anywhere; }
`;

const controls = css`
  button, input, textarea, select { font: inherit; color: inherit; }
  button, .button {
    display: inline-flex; align-items: center; justify-content: center; gap: 6px; min-height: 32px; max-width: 100%;
    padding: 4px var(--space-3); border-radius: var(--radius-m); border: 1px solid var(--line); background: var(--surface);
    cursor: pointer; overflow-wrap: anywhere; transition: background-color 120ms, border-color 120ms;
  }
  button:hover:not(:disabled) { border-color: var(--line-strong); }
  button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: 600; }
  button.primary:hover:not(:disabled) { background: var(--accent-hover); border-color: var(--accent-hover); }
  button.plain { border-color: transparent; background: none; color: var(--muted); }
  button.plain:hover:not(:disabled) { background: var(--sunken); color: var(--text); }
  button.danger { color: var(--bad); border-color: currentColor; }
  button.only-icon { width: 32px; padding: 0; flex: none; }
  button:disabled { color: var(--muted); background: var(--sunken); border-color: var(--line); cursor: default; }
  input:not([type]), input[type="text"], input[type="number"], input[type="password"], input[type="url"],
  input[type="search"], textarea, select {
    width: 100%; min-height: 32px; padding: 5px var(--space-2); border-radius: var(--radius-m);
    border: 1px solid var(--line-strong); background: var(--surface);
  }
  textarea { min-height: 72px; resize: vertical; display: block; }
  ::placeholder { color: var(--muted); opacity: 1; }
  [aria-invalid="true"] { border-color: var(--bad) !important; }
  input[type="checkbox"], input[type="radio"] { width: 16px; height: 16px; margin: 0; accent-color: var(--accent); flex: none; }
  label.line { display: flex; gap: var(--space-2); align-items: center; min-height: 24px; overflow-wrap: anywhere; }
  label.line > * { min-width: 0; }
  label.field, .field { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-1); }
  .label { font-size: var(--text-s); font-weight: 600; overflow-wrap: anywhere; }
  .required { color: var(--bad); }
  fieldset { border: 0; border-left: 2px solid var(--line); padding-left: var(--space-3); min-width: 0; }
`;

const pieces = css`
  .badge {
    display: inline-flex; align-items: center; gap: 6px; padding: 1px var(--space-2); border-radius: var(--radius-full);
    font-size: var(--text-xs); line-height: 18px; font-weight: 600; white-space: nowrap;
    background: var(--sunken); color: var(--muted); max-width: 100%;
  }
  .badge.good { background: var(--good-soft); color: var(--good); }
  .badge.warn { background: var(--warn-soft); color: var(--warn); }
  .badge.bad { background: var(--bad-soft); color: var(--bad); }
  .badge.accent { background: var(--accent-soft); color: var(--accent); }
  .notice {
    display: grid; grid-template-columns: auto minmax(0, 1fr); gap: var(--space-2); align-items: start;
    padding: var(--space-2) var(--space-3); border-radius: var(--radius-m); font-size: var(--text-s);
    background: var(--sunken); color: var(--text);
  }
  .notice > .icon { margin-top: 1px; }
  .notice.bad { background: var(--bad-soft); color: var(--bad); }
  .notice.warn { background: var(--warn-soft); color: var(--warn); }
  .notice.good { background: var(--good-soft); color: var(--good); }
  .notice code { font-weight: 600; }
  .empty {
    display: grid; justify-items: center; gap: var(--space-2); text-align: center; padding: var(--space-6) var(--space-4);
    color: var(--muted); border: 1px dashed var(--line); border-radius: var(--radius-l);
  }
  .empty strong { color: var(--text); font-size: var(--text-m); }
  .empty .icon { color: var(--accent); }
`;

/** First in every component's `styles`. */
export const shared = [base, layout, controls, pieces];
