/** Look shared by the page's sections; colours come from page.css. */
import { css } from "lit";

export const shared = css`
  :host { display: block; }
  * { box-sizing: border-box; }
  h2 { font-size: 1.15rem; margin: 0 0 4px; }
  .row + ul, p + ul { margin-top: 8px; }
  h3 { font-size: 0.95rem; margin: 18px 0 6px; }
  p { margin: 0; }
  ul { list-style: none; margin: 0; padding: 0; display: grid; gap: 8px; }
  .quiet { color: var(--quiet); font-size: 0.9rem; overflow-wrap: anywhere; }
  .card { background: var(--raised); border: 1px solid var(--line); border-radius: 10px; padding: 12px 14px; }
  .row { display: flex; gap: 8px 12px; align-items: center; flex-wrap: wrap; }
  .grow { flex: 1 1 240px; min-width: 0; }
  code, pre, textarea { font-family: var(--mono); font-size: 0.86rem; overflow-wrap: anywhere; }
  pre { margin: 6px 0 0; white-space: pre-wrap; max-height: 320px; overflow: auto; }
  button, input { font: inherit; color: inherit; }
  textarea { color: inherit; }
  button {
    min-height: 34px; padding: 4px 14px; border-radius: 8px; border: 1px solid var(--line);
    background: var(--surface); cursor: pointer;
  }
  button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
  button.danger { border-color: var(--bad); color: var(--bad); }
  input[type="text"], textarea {
    width: 100%; padding: 7px 9px; border-radius: 8px; border: 1px solid var(--line); background: var(--surface);
  }
  input[type="checkbox"] { width: 18px; height: 18px; margin: 0; accent-color: var(--accent); flex: none; }
  summary { cursor: pointer; }
  .bad { color: var(--bad); }
  .good { color: var(--good); }
  .warn { color: var(--warn); }
  .badge { border: 1px solid currentColor; border-radius: 999px; padding: 0 9px; font-size: 0.8rem; }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`;
