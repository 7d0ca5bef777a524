/** Scenes large enough for two threads have the same bits on one: nets of yarns from 4,000 nodes on, continua from 10,000 particles on. */
import { readFileSync } from 'node:fs';
import { compile, parseScene, setPointer, type World } from 'heddle';
import { KernelThread } from 'heddle/kernels';
import { expect, onTestFinished, test, vi } from 'vitest';

/** Scenes of the gallery, made larger; and steps. */
const SCENES = [
  {
    name: 'fabric-hang',
    changes: [
      ['/objects/0/layers/0/pattern/warps', 64],
      ['/objects/0/layers/0/pattern/wefts', 64],
    ],
    steps: 2,
    least: 4000,
  },
  { name: 'mpm-sand-column', changes: [['/objects/0/spacing', 0.04]], steps: 2, least: 10_000 },
] as const;

function run({ name, changes, steps }: (typeof SCENES)[number]): World {
  const text = readFileSync(new URL(`../../scenes/${name}.json`, import.meta.url), 'utf8');
  const change = (raw: unknown): void => {
    for (const [path, value] of changes) setPointer(raw, path, value);
  };
  const world = compile(parseScene(text, { source: name, change }));
  for (let n = 0; n < steps; n++) world.step();
  return world;
}

test.each(SCENES)('$name has the same bits on one and two threads', (scene) => {
  const start = vi.spyOn(KernelThread, 'start');
  onTestFinished(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });
  const countStarted = (): number => start.mock.results.filter(({ value }) => value !== undefined).length;
  const two = run(scene);
  expect(two.nodeCount).toBeGreaterThanOrEqual(scene.least);
  expect(countStarted()).toBe(1);
  // without shared memory there is no second thread
  vi.stubGlobal('SharedArrayBuffer', undefined);
  const one = run(scene);
  expect(countStarted()).toBe(1);
  expect(one.hash()).toBe(two.hash());
});
