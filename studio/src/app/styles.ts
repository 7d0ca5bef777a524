/** Styles that several components share: buttons, fields, focus rings, text only for screen readers. */
import { css } from 'lit';

export const sharedStyles = css`
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
    border-radius: 6px;
  }
  button,
  select,
  input {
    font: inherit;
    color: inherit;
  }
  a {
    color: var(--accent);
    text-underline-offset: 0.18em;
    text-decoration-thickness: 1px;
  }
  .button,
  select {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 0.45rem;
    min-height: 2.375rem;
    padding: 0 0.8rem;
    border: 1px solid var(--line);
    border-radius: 8px;
    background: var(--surface);
    color: var(--ink);
    font-size: 0.875rem;
    cursor: pointer;
    text-decoration: none;
    white-space: nowrap;
    transition:
      border-color 120ms,
      background-color 120ms;
  }
  .button:hover:not(:disabled),
  select:hover {
    border-color: var(--line-strong);
    background: var(--sunken);
  }
  .button:disabled {
    opacity: 0.45;
    cursor: default;
  }
  .button.icon {
    width: 2.375rem;
    padding: 0;
  }
  .button.plain {
    border-color: transparent;
    background: transparent;
  }
  .button.plain:hover:not(:disabled) {
    background: var(--sunken);
  }
  .button.primary {
    border-color: var(--accent);
    background: var(--accent);
    color: var(--accent-ink);
  }
  .button.primary:hover:not(:disabled) {
    filter: brightness(1.08);
  }
  .button[aria-pressed='true'] {
    border-color: var(--accent);
    background: var(--accent-wash);
  }
  svg.icon {
    width: 1.125rem;
    height: 1.125rem;
    flex: none;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.7;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .unseen {
    position: absolute;
    width: 1px;
    height: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .quiet {
    color: var(--ink-soft);
    font-size: 0.875rem;
  }
  kbd {
    display: inline-block;
    min-width: 1.7em;
    padding: 0.1em 0.45em;
    border: 1px solid var(--line-strong);
    border-bottom-width: 2px;
    border-radius: 5px;
    background: var(--surface);
    font: 0.8125rem / 1.4 var(--mono);
    text-align: center;
  }
  @media (prefers-reduced-motion: reduce) {
    * {
      transition: none !important;
    }
  }
`;
