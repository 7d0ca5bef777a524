import { css } from 'lit';

/** Colours of words: at least 4.5 : 1 on either paper, also on the tint of a faulty line. */
export const editorStyles = css`
  :host {
    --word-key: light-dark(#0b5394, #8cc4ff);
    --word-string: light-dark(#0f6b3c, #8fdba6);
    --word-number: light-dark(#8f3d00, #ffb27a);
    --word-literal: light-dark(#7a2e8c, #e2a6f2);
    display: flex;
    flex-direction: column;
    min-height: 260px;
    overflow: hidden;
  }
  .bar {
    display: flex;
    flex-wrap: wrap;
    gap: 2px 10px;
    align-items: center;
    padding: 6px 8px;
    border-bottom: 1px solid var(--line);
  }
  .hint,
  .note {
    font-size: 12px;
  }
  .frame {
    flex: 1 1 200px;
    min-height: 120px;
    display: flex;
    font: 12px/18px var(--mono);
  }
  .gutter {
    position: relative;
    overflow: hidden;
    flex: none;
    min-width: 36px;
    color: var(--faint);
    background: var(--raised);
    border-right: 1px solid var(--line);
    user-select: none;
  }
  pre {
    position: relative;
    margin: 0;
    padding: 6px 6px;
    font: inherit;
    text-align: right;
  }
  .stripe {
    position: absolute;
    right: 0;
    left: 0;
    height: 18px;
    border-left: 4px solid var(--fault);
  }
  .page {
    position: relative;
    flex: 1;
    min-width: 0;
    display: flex;
  }
  .page::before {
    content: '';
    position: absolute;
    inset: 0;
    background: var(--paper);
  }
  .marks,
  .code {
    position: absolute;
    inset: 0;
    pointer-events: none;
  }
  .ruler {
    position: absolute;
    visibility: hidden;
  }
  .line {
    position: absolute;
    left: 6px;
    height: 18px;
    white-space: pre;
    tab-size: 2;
  }
  .key {
    color: var(--word-key);
  }
  .string {
    color: var(--word-string);
  }
  .number {
    color: var(--word-number);
  }
  .literal {
    color: var(--word-literal);
    font-weight: 600;
  }
  .faulty {
    text-decoration: underline wavy var(--fault) 1px;
    text-underline-offset: 3px;
    text-decoration-skip-ink: none;
  }
  .page {
    overflow: hidden;
  }
  .mark {
    position: absolute;
    left: 0;
    height: 18px;
    min-width: 100%;
    width: max-content;
    color: var(--fault);
    background: color-mix(in srgb, var(--fault) 10%, transparent);
    white-space: pre;
    font-style: italic;
  }
  textarea {
    position: relative;
    flex: 1;
    min-width: 0;
    margin: 0;
    padding: 6px;
    border: 0;
    border-radius: 0;
    resize: none;
    color: var(--ink);
    /* the letters behind are seen instead; colour stays for those who ask for it */
    -webkit-text-fill-color: transparent;
    background: transparent;
    font: inherit;
    tab-size: 2;
    white-space: pre;
    overflow: auto;
    caret-color: var(--accent);
  }
  textarea::selection {
    background: color-mix(in srgb, var(--accent) 35%, transparent);
  }
  @media (forced-colors: active) {
    textarea {
      -webkit-text-fill-color: currentcolor;
    }
    .code {
      display: none;
    }
  }
  textarea:focus-visible {
    outline-offset: -2px;
  }
  .popup {
    position: absolute;
    z-index: 2;
    width: 270px;
    max-width: 100%;
    background: var(--paper);
    border: 1px solid var(--edge);
    border-radius: 4px;
    box-shadow: 0 4px 16px rgb(0 0 0 / 25%);
  }
  .popup[hidden] {
    display: none;
  }
  .popup ul {
    max-height: 150px;
    overflow-y: auto;
  }
  .popup li {
    display: flex;
    justify-content: space-between;
    gap: 10px;
    padding: 1px 6px;
    cursor: pointer;
    white-space: nowrap;
    overflow: hidden;
  }
  .popup li .faint {
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .popup li[aria-selected='true'] {
    background: var(--accent);
    color: var(--paper);
  }
  .popup li[aria-selected='true'] .faint {
    color: inherit;
  }
  .help {
    margin: 0;
    padding: 4px 6px;
    border-top: 1px solid var(--line);
    font: 12px/1.35 var(--font);
    color: var(--faint);
  }
  ul {
    list-style: none;
    margin: 0;
    padding: 0;
  }
  .faults {
    flex: none;
    max-height: 30%;
    overflow-y: auto;
    border-top: 1px solid var(--line);
    font-size: 12px;
  }
  .faults p {
    margin: 4px 8px;
  }
  .faults li {
    color: var(--fault);
    padding: 0 4px;
  }
  .faults button {
    width: 100%;
    text-align: left;
    font-size: 12px;
    color: var(--fault);
    overflow-wrap: anywhere;
  }
`;
