/**
 * Progress of a run: on a terminal one line, rewritten, with a bar; in a pipe a plain line every two seconds or ten
 * percent, whichever comes later; nothing for --json.
 */

import type { Output } from './context.ts';

/** Where a run is. */
export interface RunState {
  /** Simulated time, and the time the run ends at [s]. */
  readonly time: number;
  readonly end: number;
  /** 0..1 */
  readonly done: number;
  readonly msPerStep: number;
  readonly nodes: number;
  readonly maxStrain: number;
}

export interface Progress {
  /** Whether it is time to show something; cheap. */
  isDue(now: number, done: number): boolean;
  show(now: number, state: RunState): void;
  /** Leaves the terminal on a fresh line. */
  end(): void;
}

export const NO_PROGRESS: Progress = { isDue: () => false, show: () => {}, end: () => {} };

/** How often the bar is drawn, and how often a plain line comes at most [ms]. */
const BAR_INTERVAL = 100;
const LINE_INTERVAL = 2000;

export function createProgress(output: Output, start: number, doneAtStart: number): Progress {
  return output.isTerminal ? createBar(output, start, doneAtStart) : createLines(output, start, doneAtStart);
}

function createBar(output: Output, start: number, doneAtStart: number): Progress {
  let last = Number.NEGATIVE_INFINITY;
  let shown = false;
  return {
    isDue: (now) => now - last >= BAR_INTERVAL,
    show: (now, state) => {
      last = now;
      shown = true;
      const text = describeState(state, now - start, doneAtStart);
      // some terminals say 0 when they do not know
      const columns = output.columns || 80;
      const width = Math.max(0, Math.min(30, columns - text.length - 4));
      const filled = Math.round(width * state.done);
      const bar = width < 5 ? '' : `${'█'.repeat(filled)}${'░'.repeat(width - filled)} `;
      output.write(`\r${(bar + text).slice(0, columns - 1)}\u001b[K`);
    },
    end: () => {
      if (shown) output.write('\n');
    },
  };
}

function createLines(output: Output, start: number, doneAtStart: number): Progress {
  let lastTime = start;
  let lastDone = doneAtStart;
  return {
    isDue: (now, done) =>
      (now - lastTime >= LINE_INTERVAL && done - lastDone >= 0.1) || now - lastTime >= 5 * LINE_INTERVAL,
    show: (now, state) => {
      lastTime = now;
      lastDone = state.done;
      output.write(`${describeState(state, now - start, doneAtStart)}\n`);
    },
    end: () => {},
  };
}

function describeState(state: RunState, elapsed: number, doneAtStart: number): string {
  const share = state.done - doneAtStart;
  const left = share > 0 ? (elapsed * (1 - state.done)) / share : Number.POSITIVE_INFINITY;
  return [
    `${Math.floor(state.done * 100)} %`,
    `${formatShort(state.time)} of ${formatShort(state.end)} s`,
    state.done >= 1 ? `took ${formatDuration(elapsed)}` : `${formatDuration(left)} left`,
    `${formatShort(state.msPerStep)} ms/step`,
    `${state.nodes} nodes`,
    `strain ${formatShort(100 * state.maxStrain)} %`,
  ].join('  ');
}

/** Three digits of a number. */
export function formatShort(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(3))) : '?';
}

/** `12 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatDuration(milliseconds: number): string {
  if (!Number.isFinite(milliseconds)) return '?';
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
