/** Entries that the parameter panel adds change what the studio simulates, and undoing brings the same bits back. */
import { afterEach, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { pause } from './scene-acts.ts';
import { openScene } from './studio-page.ts';
import { until } from './until.ts';

afterEach(() => document.body.replaceChildren());

const find = <T extends HTMLElement = HTMLElement>(element: HTMLElement, selector: string): T | null =>
  element.shadowRoot!.querySelector<T>(selector);

test('A wind added in the panel blows in the running scene, and undoing it restores the same bits', async () => {
  const scene = await openScene('strand-pendulum');
  await pause(scene);
  const root = scene.shadowRoot!;
  root.querySelector<HTMLElement>('#tab-parameters')!.click();
  const panel = await until(() => root.querySelector('heddle-parameters'));
  const select = await until(() => find<HTMLSelectElement>(panel, '[data-list="/drivers"] select'));
  const drivers = () => scene.run.shown!.scene.drivers;
  const before = drivers().length;
  const hashAt = async (step: number) => {
    scene.run.reset();
    await scene.run.runTo(step);
    return until(() => scene.run.step === step && scene.run.hash);
  };
  const calm = await hashAt(20);
  await userEvent.selectOptions(select, 'wind');
  await until(() => find(panel, '[data-list="/drivers"] .help')!.textContent.startsWith('Air drag'));
  find(panel, '[data-list="/drivers"] button')!.click();
  await until(() => drivers().length === before + 1);
  expect(JSON.parse(scene.text).drivers.at(-1)).toEqual({ type: 'wind', velocity: [5, 0, 0] });
  await pause(scene);
  expect(await hashAt(20)).not.toBe(calm);
  find(panel, '#undo')!.click();
  await until(() => drivers().length === before);
  await pause(scene);
  expect(await hashAt(20)).toBe(calm);
  root.querySelector<HTMLElement>('#tab-plots')!.click();
  const plots = await until(() => root.querySelector('heddle-plots'));
  await until(() => find(plots, 'summary')?.textContent.replace(/\s+/g, ' ').trim() === 'Energies J');
});
