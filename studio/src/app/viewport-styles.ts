/** Layout of a viewport: the stage fills it, words and key lie on top. */
import { css } from 'lit';

export const viewportStyles = css`
  :host {
    display: block;
    position: relative;
    overflow: hidden;
    background: var(--stage);
    color: var(--stage-ink);
  }
  .stage {
    position: absolute;
    inset: 0;
    touch-action: none;
    cursor: default;
  }
  .stage:focus-visible {
    outline-offset: -3px;
  }
  .stage[data-grab='ready'] {
    cursor: grab;
  }
  .stage[data-grab='held'] {
    cursor: grabbing;
  }
  .over {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    pointer-events: none;
  }
  .ring {
    fill: none;
    stroke: #ff8a00;
    stroke-width: 2.5;
  }
  .spring {
    fill: none;
    stroke: #ff8a00;
    stroke-width: 2.2;
    stroke-linejoin: round;
    stroke-linecap: round;
  }
  .hand {
    fill: #ff8a00;
    stroke: #fff;
    stroke-width: 1.5;
  }
  :host([stacked]) .legend {
    display: none;
  }
  :host([stacked]) .caption {
    top: 2.1rem;
  }
  .caption {
    position: absolute;
    top: 0.75rem;
    left: 1rem;
    margin: 0;
    font-size: 0.875rem;
    font-weight: 600;
  }
  .legend {
    position: absolute;
    left: 1rem;
    bottom: 0.75rem;
    max-width: calc(100% - 2rem);
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.15rem 1rem;
    margin: 0;
    padding: 0.3rem 0.7rem;
    border-radius: 8px;
    background: color-mix(in srgb, var(--stage) 78%, transparent);
    list-style: none;
    font-size: 0.8125rem;
    pointer-events: none;
  }
  .legend li {
    display: flex;
    align-items: center;
    gap: 0.4rem;
  }
  .dot {
    width: 0.7rem;
    height: 0.7rem;
    border-radius: 50%;
    box-shadow: inset 0 0 0 1px rgb(20 20 30 / 35%);
  }
  .checks {
    width: 24px;
    height: 9px;
    outline: 1px solid rgb(20 20 30 / 25%);
  }
  .elements {
    width: 26px;
    height: 7px;
    background: repeating-linear-gradient(to right, #fff 0 2px, #6b6475 2px 12px);
  }
  .arrow {
    flex: none;
  }
  .legend .map {
    display: grid;
    gap: 0.15rem;
    width: 14rem;
    font-variant-numeric: tabular-nums;
  }
  .ramp {
    height: 0.65rem;
    border-radius: 2px;
  }
  .ends {
    display: flex;
    justify-content: space-between;
  }
`;
