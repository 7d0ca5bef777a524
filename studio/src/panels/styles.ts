/**
 * Looks that the panels share. Colours and fonts are the shell's custom properties; without a shell they follow the
 * colour scheme of the page. All text keeps a contrast of at least 4.5 : 1 on paper.
 */

import { css } from 'lit';

export const panelStyles = css`
  :host {
    --ink: var(--heddle-ink, light-dark(#1d2330, #e4e8ef));
    --faint: var(--heddle-faint, light-dark(#596273, #9aa5b8));
    --paper: var(--heddle-paper, light-dark(#ffffff, #171b24));
    --raised: var(--heddle-raised, light-dark(#f3f5f8, #202634));
    --accent: var(--heddle-accent, light-dark(#5b3fa8, #b9a2ff));
    --line: var(--heddle-line, light-dark(#d5dae3, #343c4c));
    --edge: var(--heddle-edge, light-dark(#858e9e, #6b7688));
    --fault: var(--heddle-fault, light-dark(#b3261e, #ff9d94));
    --font: var(--heddle-font, system-ui, sans-serif);
    --mono: var(--heddle-mono, ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace);
    display: block;
    color: var(--ink);
    background: var(--paper);
    font: 13px/1.4 var(--font);
  }
  :host([hidden]) {
    display: none;
  }
  * {
    box-sizing: border-box;
  }
  h3 {
    margin: 10px 8px 2px;
    font-size: 11px;
    font-weight: 600;
    letter-spacing: 0.06em;
    text-transform: uppercase;
    color: var(--faint);
  }
  details {
    border-top: 1px solid var(--line);
  }
  summary:hover {
    background: var(--raised);
  }
  button,
  select,
  input:not([type='range'], [type='checkbox']) {
    font: inherit;
    color: inherit;
    background: var(--paper);
    border: 1px solid var(--edge);
    border-radius: 4px;
    padding: 2px 6px;
    min-height: 26px;
    min-width: 0;
  }
  button {
    cursor: pointer;
    background: var(--raised);
  }
  button:hover {
    border-color: var(--accent);
  }
  button:disabled {
    cursor: default;
    color: var(--faint);
    border-color: var(--line);
  }
  button.plain {
    border-color: transparent;
    background: none;
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 1px;
  }
  .faint {
    color: var(--faint);
  }
  .hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @media (pointer: coarse) {
    button,
    select,
    input:not([type='range'], [type='checkbox']) {
      min-height: 36px;
    }
  }
`;
