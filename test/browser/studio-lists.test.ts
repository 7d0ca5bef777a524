/** Entries that the parameter panel adds change what the studio simulates, and undoing brings the same bits back. */
import { afterEach, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { pause } from './scene-acts.ts';
import { openScene } from './studio-page.ts';

afterEach(() => document.body.replaceChildren());

const find = <T extends HTMLElement = HTMLElement>(element: HTMLElement, selector: string): T | null =>
  element.shadowRoot!.querySelector<T>(selector);

const WAIT = { timeout: 240_000 };

test('a wind that is added blows in the running scene, and is gone when that is undone', async () => {
  const scene = await openScene('strand-pendulum');
  await pause(scene);
  const root = scene.shadowRoot!;
  root.querySelector<HTMLElement>('#tab-parameters')!.click();
  const panel = await vi.waitUntil(() => root.querySelector('heddle-parameters'), WAIT);
  const select = await vi.waitUntil(() => find<HTMLSelectElement>(panel, '[data-list="/drivers"] select'), WAIT);
  const drivers = () => scene.run.shown!.scene.drivers;
  const before = drivers().length;
  const hashAt = async (step: number) => {
    scene.run.reset();
    await scene.run.runTo(step);
    return vi.waitUntil(() => scene.run.step === step && scene.run.hash, WAIT);
  };
  const calm = await hashAt(20);
  await userEvent.selectOptions(select, 'wind');
  await vi.waitUntil(() => find(panel, '[data-list="/drivers"] .help')!.textContent.startsWith('Air drag'), WAIT);
  find(panel, '[data-list="/drivers"] button')!.click();
  await vi.waitUntil(() => drivers().length === before + 1, WAIT);
  expect(JSON.parse(scene.text).drivers.at(-1)).toEqual({ type: 'wind', velocity: [5, 0, 0] });
  await pause(scene);
  expect(await hashAt(20)).not.toBe(calm);
  find(panel, '#undo')!.click();
  await vi.waitUntil(() => drivers().length === before, WAIT);
  await pause(scene);
  expect(await hashAt(20)).toBe(calm);
  root.querySelector<HTMLElement>('#tab-plots')!.click();
  const plots = await vi.waitUntil(() => root.querySelector('heddle-plots'), WAIT);
  await vi.waitUntil(() => find(plots, 'summary')?.textContent.replace(/\s+/g, ' ').trim() === 'Energies J', WAIT);
});
