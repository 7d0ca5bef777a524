/** Opens single panels of the studio for browser tests, without the studio around them. */
import { vi } from 'vitest';
import winch from '../../scenes/strand-winch.json?raw';
import type { HeddleEditor } from '../../studio/src/panels/editor.ts';
import '../../studio/src/panels/editor.ts';
import type { HeddleParameters, OverrideDetail } from '../../studio/src/panels/parameters.ts';
import '../../studio/src/panels/parameters.ts';
import type { HeddlePlots } from '../../studio/src/panels/plots.ts';
import '../../studio/src/panels/plots.ts';
import { until } from './until.ts';

/** Takes all panels away. */
export function closePanels(): void {
  document.body.replaceChildren();
  document.documentElement.style.colorScheme = '';
  vi.useRealTimers();
}

export const find = <T extends HTMLElement = HTMLInputElement>(element: HTMLElement, selector: string): T | null =>
  element.shadowRoot!.querySelector<T>(selector);

export const fieldAt = (element: HTMLElement, pointer: string) => find(element, `[data-path="${CSS.escape(pointer)}"]`);

/** Does something, and lets all quiet moments pass at once for which a panel waits before it tells of it: whatever comes of it has come then. */
export async function act(deed: () => unknown): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await deed();
  vi.runAllTimers();
  vi.useRealTimers();
}

export async function openParameters(text = winch) {
  const element = document.createElement('heddle-parameters') as HeddleParameters;
  const told: OverrideDetail[] = [];
  element.addEventListener('override', (event) => told.push((event as CustomEvent<OverrideDetail>).detail));
  element.scene = JSON.parse(text);
  document.body.append(element);
  await until(() => fieldAt(element, '/time/step'));
  return { element, told };
}

export async function openEditor(text = winch) {
  const element = document.createElement('heddle-editor') as HeddleEditor;
  const told: string[] = [];
  element.addEventListener('edit', (event) => told.push((event as CustomEvent).detail.text));
  element.text = text;
  element.style.height = '600px';
  document.body.append(element);
  const area = await until(() => find<HTMLTextAreaElement>(element, 'textarea'));
  await until(() => area.value === text);
  return { element, area, told };
}

export function put(area: HTMLTextAreaElement, before: string): void {
  const offset = area.value.indexOf(before) + before.length;
  area.focus();
  area.setSelectionRange(offset, offset);
}

export const COLUMNS = [
  ...['step', 'time', 'kinetic', 'stretch', 'bending', 'gravity', 'contact', 'total', 'nodes', 'remeshings', 'rescues'],
  ...['detect', 'adapt', 'assemble', 'solve', 'advance', 'load.x', 'load.y', 'load.z', 'pull', 'energy.total'],
];

export const UNITS = [
  ...['1', 's', 'J', 'J', 'J', 'J', 'J', 'J', '1', '1', '1'],
  ...['ms', 'ms', 'ms', 'ms', 'ms', 'm', 'm', 'm', 'N', 'J'],
];

export function makeRows(from: number, count: number): Float64Array {
  const rows = new Float64Array(count * COLUMNS.length);
  for (let r = 0; r < count; r++) {
    const step = from + r;
    const time = step * 0.001;
    const kinetic = 20 * Math.sin(9 * time) ** 2;
    const values = [step, time, kinetic, 1, 0.1, 40 - kinetic, 0, 41.1, 31 + (step % 3), Math.floor(step / 100), 0];
    values.push(0.1, 0.05, 0.4, 0.6 + 0.1 * Math.sin(step), 0.1, Math.sin(time), Math.cos(time), 0, 40, 41.1);
    rows.set(values, r * COLUMNS.length);
  }
  return rows;
}

export async function openPlots() {
  const element = document.createElement('heddle-plots') as HeddlePlots;
  document.body.append(element);
  element.addRows(COLUMNS, makeRows(0, 1000), UNITS);
  await until(() => find(element, '#chart-energies canvas'));
  await until(() => element.chartCount === 3);
  return element;
}
