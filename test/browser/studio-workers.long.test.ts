/** Workers of scenes that are left: the next scene has one that came to rest, and not one that does not. */
import { afterEach, expect, test, vi } from 'vitest';
import catenary from '../../scenes/strand-catenary.json?raw';
import { SimulationClient } from '../../studio/src/simulation/client.ts';
import { takeWorker } from '../../studio/src/simulation/workers.ts';
import { openScene } from './studio-page.ts';
import { until } from './until.ts';

afterEach(() => {
  document.body.replaceChildren();
  location.hash = '#/';
  vi.unstubAllGlobals();
});

/** Workers that are made from now on, and what becomes of them; the first has something after its program. */
function watchWorkers(after = '') {
  const made: Worker[] = [];
  const [rested, ended] = [vi.fn(), vi.fn()];
  class Watched extends Worker {
    constructor(program: string | URL, options?: WorkerOptions) {
      const longer = `import ${JSON.stringify(new URL(program, location.href).href)};\n${after}`;
      const isPlain = made.length > 0 || after === '';
      super(isPlain ? program : URL.createObjectURL(new Blob([longer], { type: 'text/javascript' })), options);
      made.push(this);
      this.addEventListener('message', ({ data }) => data.type === 'rested' && rested());
    }
    override terminate(): void {
      ended(made.indexOf(this));
      super.terminate();
    }
  }
  vi.stubGlobal('Worker', Watched);
  return { made, ended, rests: (times: number) => until(() => rested.mock.calls.length === times) };
}

/** Leaves a simulation without the clock that ends a worker which does not come to rest: the machine may be busy. */
function leaveInPeace(leave: () => void): void {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  leave();
  vi.useRealTimers();
}

/** Hash of the catenary at a step, in whatever worker there is. */
async function hashCatenary(step: number): Promise<string> {
  const client = new SimulationClient();
  let hash = '';
  client.on('frame', (frame) => {
    hash = frame.hash;
  });
  await client.load(catenary);
  await client.runTo(step);
  leaveInPeace(() => client.close());
  return hash;
}

test('The worker of a closed scene simulates the next one to the same bits', async () => {
  const { made, ended, rests } = watchWorkers();
  const page = await openScene('strand-pendulum');
  await page.run.runTo(5);
  leaveInPeace(() => document.body.replaceChildren());
  await rests(1);
  // what is asked for after that is not for the next one
  page.run.play();
  const warm = await hashCatenary(12);
  expect(made).toHaveLength(1);
  expect(ended).not.toHaveBeenCalled();
  await rests(2);
  takeWorker().terminate();
  expect(warm).toMatch(/^[0-9a-f]{16}$/);
  expect(await hashCatenary(12)).toBe(warm);
  expect(made).toHaveLength(2);
  await rests(3);
  takeWorker().terminate();
});

test('A worker that does not come to rest is ended, and the next scene gets another', async () => {
  const { made, ended, rests } = watchWorkers(
    `addEventListener('message', ({ data }) => { if (data.type === 'run-to') for (;;); });`,
  );
  const page = await openScene('strand-pendulum');
  page.run.runTo(1_000_000).catch(() => {});
  document.body.replaceChildren();
  await hashCatenary(3);
  expect(made).toHaveLength(2);
  await rests(1);
  await until(() => ended.mock.calls.length > 0);
  expect(ended.mock.calls).toEqual([[0]]);
});
