/** Layout of the scene page: the view with its toolbar, the panels beside it or, on a narrow screen, below. */
import { css } from 'lit';

export const sceneStyles = css`
  :host {
    display: grid;
    grid-template-columns: minmax(0, 1fr) 26rem;
    height: calc(100dvh - var(--header, 3.5rem));
    min-height: 30rem;
  }
  .main {
    display: flex;
    flex-direction: column;
    min-width: 0;
    min-height: 0;
    container-type: inline-size;
  }
  .views {
    position: relative;
    flex: 1;
    min-height: 14rem;
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    grid-auto-columns: auto;
    grid-auto-flow: column;
  }
  heddle-material-sheet {
    width: clamp(12rem, 32cqw, 26rem);
  }
  .views[data-layout='beside'] {
    grid-template-columns: 1fr 1fr;
    gap: 1px;
    background: var(--line-strong);
  }
  .views[data-layout='overlaid'] heddle-viewport {
    grid-area: 1 / 1;
  }
  .views[data-layout='overlaid'] heddle-viewport + heddle-viewport {
    opacity: 0.5;
    filter: hue-rotate(110deg);
    pointer-events: none;
  }
  .message {
    position: absolute;
    inset: 0.75rem 0.75rem auto;
    margin: 0 auto;
    width: fit-content;
    max-width: min(44rem, calc(100% - 1.5rem));
    padding: 0.7rem 1rem;
    border: 1px solid color-mix(in srgb, var(--fault) 35%, transparent);
    border-radius: 10px;
    background: var(--fault-wash);
    color: var(--fault);
    font-size: 0.875rem;
    overflow-wrap: anywhere;
    white-space: pre-line;
    max-height: 40%;
    overflow: auto;
  }
  aside {
    display: flex;
    flex-direction: column;
    min-height: 0;
    border-left: 1px solid var(--line);
    background: var(--paper);
  }
  .about {
    padding: 1.25rem 1.25rem 0.9rem;
  }
  h1 {
    margin: 0 0 0.4rem;
    font: 400 1.375rem / 1.25 var(--serif);
    text-wrap: balance;
  }
  .about p {
    margin: 0 0 0.35rem;
    color: var(--ink-soft);
    font-size: 0.9063rem;
    line-height: 1.5;
  }
  .about .source {
    color: var(--accent);
    font-size: 0.8125rem;
  }
  .tabs {
    display: flex;
    flex: none;
    gap: 0.1rem;
    padding: 0 0.75rem;
    overflow-x: auto;
    border-bottom: 1px solid var(--line);
    scrollbar-width: none;
  }
  .tabs button {
    padding: 0.6rem 0.45rem;
    border: 0;
    border-bottom: 2px solid transparent;
    background: none;
    color: var(--ink-soft);
    font-size: 0.875rem;
    white-space: nowrap;
    cursor: pointer;
  }
  .tabs button:hover {
    color: var(--ink);
  }
  .tabs button[aria-selected='true'] {
    border-bottom-color: var(--accent);
    color: var(--ink);
  }
  .tabs button:focus-visible {
    outline-offset: -2px;
  }
  .panel {
    flex: 1;
    min-height: 0;
    overflow: auto;
  }
  .panel:focus-visible {
    outline-offset: -2px;
  }
  heddle-editor {
    height: 100%;
    min-height: 24rem;
  }
  .wait {
    padding: 1.25rem;
    margin: 0;
  }
  @media (max-width: 56rem) {
    :host {
      display: block;
      height: auto;
    }
    .main {
      height: min(34rem, calc(100dvh - var(--header, 3.5rem)));
      min-height: 26rem;
    }
    .views {
      grid-auto-flow: row;
      grid-template-rows: minmax(0, 1fr);
    }
    .views[data-layout='beside'] {
      grid-template-columns: 1fr;
      grid-template-rows: 1fr 1fr;
    }
    heddle-material-sheet {
      width: auto;
      height: 9rem;
      border-left: 0;
      border-top: 1px solid var(--line);
    }
    aside {
      border-left: 0;
    }
    .tabs {
      position: sticky;
      top: 0;
      z-index: 1;
      background: var(--paper);
    }
    .panel {
      overflow: visible;
      min-height: 24rem;
    }
  }
`;
