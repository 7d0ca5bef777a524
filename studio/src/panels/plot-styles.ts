import { css } from 'lit';

/** Series colours: told apart with every kind of colour blindness (after Okabe and Ito), 3 : 1 on either paper. */
export const plotStyles = css`
  :host {
    --series-0: var(--heddle-series-0, light-dark(#0072b2, #56b4e9));
    --series-1: var(--heddle-series-1, light-dark(#c8500a, #f0904a));
    --series-2: var(--heddle-series-2, light-dark(#00815f, #2cc39a));
    --series-3: var(--heddle-series-3, light-dark(#a8487f, #e49bc4));
    --series-4: var(--heddle-series-4, light-dark(#8a6a00, #f0d54a));
    --series-5: var(--heddle-series-5, light-dark(#1d2330, #e4e8ef));
  }
  .probe {
    display: none;
  }
  .bar {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
    align-items: center;
    padding: 6px 8px;
    border-bottom: 1px solid var(--line);
    position: sticky;
    top: 0;
    z-index: 2;
    background: var(--paper);
  }
  .zoom,
  .files {
    display: flex;
    gap: 4px;
  }
  .zoom button {
    min-width: 28px;
  }
  .box {
    position: relative;
  }
  .readout {
    position: absolute;
    top: 8px;
    z-index: 1;
    display: grid;
    grid-template-columns: auto auto;
    gap: 0 10px;
    padding: 3px 7px;
    pointer-events: none;
    font-size: 11px;
    font-variant-numeric: tabular-nums;
    background: color-mix(in srgb, var(--paper) 90%, transparent);
    border: 1px solid var(--line);
    border-radius: 4px;
  }
  .readout b {
    grid-column: 1 / -1;
  }
  .readout > span:nth-of-type(even) {
    text-align: right;
  }
  .time {
    flex: 1;
    min-width: 110px;
    font-variant-numeric: tabular-nums;
  }
  summary {
    padding: 4px 8px;
    cursor: pointer;
    font-weight: 600;
  }
  summary .faint {
    font-weight: 400;
  }
  .chart {
    height: 164px;
    margin: 0 4px;
    overflow: hidden;
    touch-action: pan-y;
  }
  .legend {
    display: flex;
    flex-wrap: wrap;
    list-style: none;
    margin: 0;
    padding: 0 8px 6px;
    gap: 0 10px;
    font-size: 12px;
  }
  .legend li {
    display: flex;
    align-items: center;
    gap: 4px;
  }
  .legend button {
    padding: 0 4px;
    min-height: 24px;
  }
  .legend button[aria-pressed='false'] {
    text-decoration: line-through;
    color: var(--faint);
  }
  .swatch {
    display: inline-block;
    width: 16px;
    margin-right: 5px;
    vertical-align: middle;
    border-width: 2px 0 0 !important;
  }
  output {
    min-width: 9ch;
    font: 12px var(--mono);
    font-variant-numeric: tabular-nums;
  }
  .uplot,
  .uplot *,
  .uplot *::before,
  .uplot *::after {
    box-sizing: border-box;
  }
  .u-wrap {
    position: relative;
    user-select: none;
  }
  .u-over,
  .u-under,
  .u-axis {
    position: absolute;
  }
  .u-under {
    overflow: hidden;
  }
  .uplot canvas {
    display: block;
    position: relative;
    width: 100%;
    height: 100%;
  }
  .u-select {
    position: absolute;
    pointer-events: none;
    background: color-mix(in srgb, var(--accent) 20%, transparent);
  }
  .u-cursor-x,
  .u-cursor-y {
    position: absolute;
    left: 0;
    top: 0;
    pointer-events: none;
  }
  .u-hz .u-cursor-x {
    height: 100%;
    border-right: 1px dashed var(--faint);
  }
  .u-hz .u-cursor-y {
    display: none;
  }
  .u-cursor-pt {
    position: absolute;
    top: 0;
    left: 0;
    border: 0 solid;
    border-radius: 50%;
    pointer-events: none;
    background-clip: padding-box !important;
  }
  .u-axis.u-off,
  .u-select.u-off,
  .u-cursor-x.u-off,
  .u-cursor-pt.u-off {
    display: none;
  }
`;
