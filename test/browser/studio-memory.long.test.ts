/**
 * The studio's simulation worker, the real one, when memory really is at its end: nothing is left of what Chromium gives to array buffers. It says so in
 * a sentence, keeps what it has recorded, and goes on to the same bits once there is memory again.
 */
import { expect, onTestFinished, test } from 'vitest';
import { SimulationClient } from '../../studio/src/simulation/client.ts';

const SIMULATION = new URL('../../studio/src/simulation/worker.ts', import.meta.url).href;

/** The worker with a hunger: takes all array buffers that there are, down to the size that it is told, and gives them back for 0. Nothing is written to them: they cost addresses, not memory. */
const HUNGRY = `
import ${JSON.stringify(SIMULATION)};
let eaten = [];
const channel = new BroadcastChannel('hunger');
channel.onmessage = ({ data: least }) => {
  eaten = [];
  for (let size = 2 ** 31; size >= least && least > 0; size /= 2)
    for (;;)
      try {
        eaten.push(new ArrayBuffer(size));
      } catch {
        break;
      }
  channel.postMessage(eaten.length);
};
`;

/** Frames of some 2 MB: small ones would still find room in memory that is in use already. */
const SCENE = {
  heddle: 1,
  name: 'sand',
  title: 'Sand',
  objects: [
    {
      type: 'mpm',
      id: 'continuum',
      spacing: 0.04,
      parts: [
        {
          id: 'heap',
          pattern: { type: 'fill', shape: { type: 'box', size: [1, 1, 1] }, particlesPerCell: 1 },
          material: { type: 'sand', density: 1600, youngsModulus: 1e5, frictionAngle: 30 },
        },
      ],
    },
  ],
  bodies: [{ id: 'floor', shape: { type: 'plane' }, position: [0, -0.6, 0] }],
  time: { step: 0.001, duration: 1 },
};

const SENTENCE =
  'There is not enough memory for this scene; use fewer nodes or particles, or close other programs. Results written so far are kept.';

const STEPS = 6;

function open() {
  const url = URL.createObjectURL(new Blob([HUNGRY], { type: 'text/javascript' }));
  const client = new SimulationClient(() => new Worker(url, { type: 'module' }));
  const channel = new BroadcastChannel('hunger');
  const faults: string[] = [];
  const steps: number[] = [];
  const hashes = new Map<number, string>();
  client.on('fault', ({ message }) => faults.push(message));
  client.on('frame', ({ step, hash }) => hashes.set(step, hash));
  client.on('measures', ({ columns, rows }) => {
    const values = new Float64Array(rows);
    for (let at = columns.indexOf('step'); at < values.length; at += columns.length) steps.push(values[at]);
  });
  const close = (): void => {
    client.close();
    channel.close();
  };
  onTestFinished(close);
  const eat = (least: number): Promise<number> =>
    new Promise((resolve) => {
      channel.onmessage = ({ data }) => resolve(data);
      channel.postMessage(least);
    });
  return { client, faults, steps, hashes, eat, close };
}

test('A worker without memory says so in a sentence, keeps its recording and continues to the same bits', async () => {
  const whole = open();
  await whole.client.load(JSON.stringify(SCENE));
  await whole.client.runTo(STEPS);
  const hash = whole.hashes.get(STEPS);
  expect(hash).toMatch(/^[0-9a-f]{16}$/);
  whole.close();

  const { client, faults, steps, hashes, eat } = open();
  await client.load(JSON.stringify(SCENE));
  await client.runTo(2);
  expect(await eat(2 ** 16)).toBeGreaterThan(5);
  const stopped = await client.runTo(STEPS).catch(String);
  expect(stopped).toMatch(/^SimulationError: The simulation stopped at step [23], before step 6\.$/);
  expect(new Set(faults)).toEqual(new Set([SENTENCE]));
  // it lives: asked again, it says the same
  const before = faults.length;
  await client.runTo(STEPS).catch(() => {});
  expect(faults.length).toBeGreaterThan(before);

  expect(await eat(0)).toBe(0);
  faults.length = 0;
  await client.runTo(STEPS);
  expect(faults).toEqual([]);
  expect(hashes.get(STEPS)).toBe(hash);
  // every step is recorded, once
  expect(steps).toEqual(Array.from({ length: STEPS + 1 }, (_, n) => n));
  const shown = new Promise<number>((resolve) => client.on('frame', ({ step }) => resolve(step)));
  client.seek(1);
  expect(await shown).toBe(1);
});
