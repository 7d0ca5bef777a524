/**
 * A rope that runs over the edge of a box (scenes/strand-edge.json): drawn to and fro by a hand, x = x₀ − A (1 − cos ωt), with a
 * load at the other end. The load keeps it taut, so its length fixes everything: the material runs at the hand's speed
 * on both sides of the edge, at most V = ωA, and the load rises by what the hand takes. Only where the keyframes of the
 * hand bend does the speed step by V·2π/64, and the strain that carries the step to the load takes a few steps to settle.
 */
import { readFileSync } from 'node:fs';
import { compile, parseScene, type Scene, type World } from 'heddle';
import { describe, expect, test } from 'vitest';
import { readProbe } from './measure.ts';

const SCENE = parseScene(readFileSync(new URL('../../scenes/strand-edge.json', import.meta.url), 'utf8'));
/** Amplitude [m] and greatest speed [m/s] of the hand. */
const A = 0.15;
const V = Math.PI * A;

const build = (changes: Partial<Scene['objects'][number]>): World =>
  compile({ ...SCENE, objects: [{ ...SCENE.objects[0], ...changes }] });

/** One row a step: the values of some probe columns. */
function record(world: World, columns: readonly string[]): number[][] {
  const rows: number[][] = [];
  const steps = Math.round(SCENE.time.duration / SCENE.time.step);
  for (let n = 0; n < steps; n++) {
    world.step();
    rows.push(columns.map((column) => readProbe(world, column)));
  }
  return rows;
}

const largestGap = (rows: readonly number[][]): number => Math.max(...rows.map(([a, b]) => Math.abs(a - b)));

describe('a rope drawn to and fro over the edge of a box', () => {
  const speeds = ['before.speed', 'after.speed'];

  test('runs as fast 3 cm before the edge as 3 cm after it, within 1 % of the greatest speed at every step', () => {
    const rows = record(build({}), speeds);
    expect(Math.max(...rows.map(([before]) => Math.abs(before)))).toBeGreaterThan(0.98 * V);
    expect(largestGap(rows)).toBeLessThan(0.01 * V);
  });

  test('jumps there by more than half of the greatest speed when its nodes are Lagrangian, 20 or 80 of them', () => {
    for (const nodes of [20, 80])
      expect(largestGap(record(build({ mode: 'lagrangian', nodes }), speeds))).toBeGreaterThan(0.5 * V);
  });

  test('moves alike within 1 % of its way with 20, 80 and 320 nodes', () => {
    const columns = ['load.y', 'before.u', 'after.u'];
    const [coarse, middle, fine] = [20, 80, 320].map((nodes) => record(build({ nodes }), columns));
    const reach = 0.01 * 2 * A;
    for (const rows of [middle, fine])
      for (const [n, values] of rows.entries())
        for (const [k, value] of values.entries()) expect(Math.abs(value - coarse[n][k])).toBeLessThan(reach);
    // and as the hand says: u = u₀ + A (1 − cos ωt), within 1 % as well
    for (const [n, [, u]] of coarse.entries()) {
      const t = (n + 1) * SCENE.time.step;
      expect(Math.abs(u - 0.328 - A * (1 - Math.cos(Math.PI * t)))).toBeLessThan(reach);
    }
  });
});
