import { css } from 'lit';

export const parameterStyles = css`
  .bar {
    position: sticky;
    top: 0;
    z-index: 1;
    display: flex;
    gap: 8px;
    align-items: center;
    justify-content: space-between;
    padding: 6px 8px;
    background: var(--paper);
    border-bottom: 1px solid var(--line);
  }
  summary {
    padding: 5px 8px;
    cursor: pointer;
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  .inside {
    padding: 0 0 6px 10px;
    border-left: 2px solid var(--line);
    margin-left: 8px;
  }
  .dot {
    display: inline-block;
    width: 7px;
    height: 7px;
    margin-left: 6px;
    border-radius: 50%;
    background: var(--accent);
  }
  .note {
    margin: 2px 8px 4px;
    color: var(--faint);
    font-size: 12px;
  }
  .field {
    display: grid;
    grid-template-columns: minmax(84px, 34%) 1fr 26px;
    gap: 0 6px;
    align-items: center;
    padding: 3px 4px 3px 8px;
    border-left: 3px solid transparent;
  }
  .field[data-changed] {
    border-left-color: var(--accent);
  }
  .field[data-fault] {
    border-left-color: var(--fault);
  }
  .name {
    overflow-wrap: anywhere;
  }
  .control {
    display: flex;
    flex-wrap: wrap;
    gap: 2px 6px;
    align-items: center;
    min-width: 0;
  }
  input[type='number'] {
    flex: 1 1 64px;
    width: 64px;
    max-width: 130px;
    font-family: var(--mono);
    font-size: 12px;
    appearance: textfield;
  }
  input[type='number']::-webkit-inner-spin-button {
    display: none;
  }
  input[aria-invalid] {
    border-color: var(--fault);
  }
  input[type='range'] {
    flex: 2 1 80px;
    min-width: 60px;
    height: 24px;
    accent-color: var(--accent);
  }
  input[type='checkbox'] {
    width: 18px;
    height: 18px;
    margin: 4px 0;
    accent-color: var(--accent);
  }
  input[type='text'],
  .control select {
    flex: 1 1 100px;
    max-width: 100%;
  }
  .vector {
    display: flex;
    flex: 1;
    gap: 4px;
    min-width: 0;
  }
  .vector input {
    flex: 1 1 0;
    width: 0;
    min-width: 0;
    padding: 2px 4px;
  }
  .unit {
    color: var(--faint);
    font-size: 12px;
    white-space: nowrap;
  }
  .reset {
    padding: 0;
    width: 26px;
    color: var(--faint);
  }
  .help,
  .fault,
  .forms {
    grid-column: 1 / -1;
    margin: 0;
    font-size: 12px;
  }
  .help {
    color: var(--faint);
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .field:focus-within .help {
    white-space: normal;
  }
  .fault {
    color: var(--fault);
  }
  .small {
    font-size: 12px;
    min-height: 24px;
    margin: 2px 0;
    text-align: left;
  }
  .adder {
    display: flex;
    gap: 6px;
    padding: 4px 8px;
  }
  .adder select {
    flex: 0 1 180px;
  }
  .adder.list {
    flex-wrap: wrap;
    align-items: center;
  }
  .adder.list select {
    flex: 0 1 150px;
  }
  .adder.list .help {
    flex: 1 1 100%;
    white-space: normal;
  }
  .history {
    display: flex;
    gap: 4px;
    flex: none;
  }
  .entry {
    position: relative;
  }
  .entry > details > summary {
    padding-right: 68px;
  }
  .entry > .tools {
    position: absolute;
    top: 2px;
    right: 4px;
  }
  .tools {
    display: inline-flex;
    gap: 2px;
  }
  .tools button {
    min-width: 26px;
    padding: 0;
    color: var(--faint);
  }
  .tools button:hover,
  .tools button:focus-visible {
    color: var(--ink);
  }
  .tools button[aria-disabled='true'] {
    cursor: default;
    border-color: transparent;
    opacity: 0.6;
  }
  .label {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 4px;
  }
  .preset {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
    align-items: center;
    padding: 3px 8px;
  }
  .inside > .small {
    margin-left: 8px;
  }
`;
