/** Sheets give the same bits run twice and resumed, in both ways of solving their systems (test/browser compares with Chromium). */

import { readFileSync } from 'node:fs';
import { compile, parseScene } from 'heddle/scene';
import type { Sheet, SurfaceContacts } from 'heddle/sheet';
import { describe, expect, test } from 'vitest';
import { CLOTHS, createClothWorld } from '../browser/engine-sheet.ts';
import { createHeap } from '../laws/sheet-touch-scenes.ts';

describe.each(CLOTHS)('$side vertices a side', ({ side, steps }) => {
  test('run twice, and saved and loaded after every step, it ends with the same bits', () => {
    const whole = createClothWorld(side);
    let resumed = createClothWorld(side);
    const hashes = new Set<string>();
    for (let k = 0; k < steps; k++) {
      whole.step();
      resumed.step();
      const fresh = createClothWorld(side);
      fresh.load(resumed.save());
      resumed = fresh;
      expect(resumed.hash()).toBe(whole.hash());
      hashes.add(whole.hash());
    }
    expect(hashes.size).toBe(steps);
  });

  test('its systems are solved the way that this is about', () => {
    const world = createClothWorld(side);
    world.step();
    const { part } = world.models[0] as Sheet;
    expect(part.solution.method).toBe(side > 50 ? 'iterative' : 'direct');
  });
});

test('a sheet that slides over an edge goes on from a saved state with the same bits', () => {
  const text = readFileSync(new URL('../../scenes/sheet-edge.json', import.meta.url), 'utf8');
  const create = () => compile(parseScene(text, { source: 'sheet-edge' }));
  const [world, other] = [create(), create()];
  for (let n = 0; n < 40; n++) world.step();
  other.load(world.save());
  for (let n = 0; n < 20; n++) {
    world.step();
    other.step();
    expect(other.hash()).toBe(world.hash());
  }
});

test('sheets that touch each other, themselves and a body go on from a saved state with the same bits', () => {
  const world = createHeap();
  let other = createHeap();
  let most = 0;
  for (let n = 0; n < 30; n++) {
    world.step();
    other.step();
    expect(other.hash()).toBe(world.hash());
    most = Math.max(most, (world.couplings[0] as SurfaceContacts).pushing);
    if (n % 3 !== 0) continue;
    // a fresh world has other trees
    const fresh = createHeap();
    fresh.load(world.save());
    other = fresh;
  }
  expect(most).toBeGreaterThan(20);
});

test.each([
  ['sheet-edge', 4],
  ['sheet-hang', 60],
])('%s with an adaptive mesh goes on from a saved state with the same bits, through remeshings', (name, from) => {
  const scene = JSON.parse(readFileSync(new URL(`../../scenes/${name}.json`, import.meta.url), 'utf8'));
  scene.objects[0].remesher = 'adaptive';
  const create = () => compile(parseScene(JSON.stringify(scene), { source: name }));
  const [world, other] = [create(), create()];
  for (let n = 0; n < from; n++) world.step();
  other.load(world.save());
  const { state } = world.models[0] as Sheet;
  const { remeshings } = state;
  for (let n = 0; n < 60 && state.remeshings < remeshings + 3; n++) {
    world.step();
    other.step();
    expect(other.hash()).toBe(world.hash());
  }
  expect(state.remeshings).toBe(remeshings + 3);
});
