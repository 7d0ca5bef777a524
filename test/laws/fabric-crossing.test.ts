/** Two and three yarns: loads and friction of a crossing, EIL nodes, and crossings that pass each other along a yarn. */
import { computeEnergy } from 'heddle/model';
import { BARE_LAYER, CROSSING_LOAD, createEil, createThree, drawPast, EIL_STAGE, pullOver } from 'heddle/validate';
import { describe, expect, test } from 'vitest';
import { computeMomentum, createFabric, createFabricWorld, createPlainNet, LAYER, YARN } from './fabrics.ts';

test('a yarn pulled down over another with 2 P at 45° presses with √2 P', () => {
  const { fabric, world } = pullOver(0.5, 0.5);
  for (let n = 0; n < 60; n++) world.step();
  expect(fabric.state.load[0] / CROSSING_LOAD).toBeCloseTo(1, 3);
});

for (const friction of [0.2, 0.5, 1]) {
  test(`a yarn sticks on another 5 % below μN, μ = ${friction}`, () => {
    const { fabric, world } = pullOver(friction, 0.95);
    // the first step does not know the load yet: what it gains has to stop
    for (let n = 0; n < 240; n++) world.step();
    const at = fabric.state.q[3];
    for (let n = 0; n < 40; n++) world.step();
    expect(Math.abs(fabric.state.q[3] - at)).toBeLessThan(1e-6);
  });

  test(`a yarn slides on another with (d − μN)/m 20 % above μN, μ = ${friction}`, () => {
    const { fabric, world, difference, mass } = pullOver(friction, 1.2);
    const { v, load } = fabric.state;
    for (let n = 0; n < 8; n++) world.step();
    const [speed, time] = [v[3], world.time];
    let sum = 0;
    for (let n = 0; n < 12; n++) {
      world.step();
      sum += load[0];
    }
    // N falls by what the yarn's run round the corner takes, √2 ρA v², and its uneven halves
    expect(sum / 12 / CROSSING_LOAD).toBeGreaterThan(0.98);
    expect(sum / 12 / CROSSING_LOAD).toBeLessThan(1);
    const measured = (speed - v[3]) / (world.time - time);
    const expected = (difference - (friction * sum) / 12) / mass;
    expect(measured / expected).toBeGreaterThan(0.97);
    expect(measured / expected).toBeLessThan(1.03);
  });

  test(`a yarn goes on sliding on another 5 % above μN, μ = ${friction}`, () => {
    const { fabric, world } = pullOver(friction, 1.05);
    for (let n = 0; n < 20; n++) world.step();
    const speed = fabric.state.v[3];
    for (let n = 0; n < 20; n++) world.step();
    expect(fabric.state.v[3]).toBeLessThan(1.1 * speed);
    expect(speed).toBeLessThan(0);
  });
}

describe('an EIL node', () => {
  test('changes no energy, momentum, mass or force, to rounding', () => {
    const [shared, apart] = [createEil(true), createEil(false)];
    expect([...shared.state.eil.subarray(0, 4)]).toEqual([0, 0, 1, 0]);
    const [mine, other] = [computeEnergy([shared]), computeEnergy([apart])];
    for (const key of ['kinetic', 'stretch', 'bending', 'gravity'] as const) {
      expect(Math.abs(other[key])).toBeGreaterThan(1e-9);
      expect(mine[key] / other[key]).toBeCloseTo(1, 12);
    }
    // the gap is closed to rounding
    expect(mine.contact).toBeLessThan(1e-20);
    expect(shared.computeMass()).toBe(apart.computeMass());
    const [p, r] = [computeMomentum(shared), computeMomentum(apart)];
    for (let k = 0; k < 6; k++) expect(p[k]).toBeCloseTo(r[k], 14);
    for (const fabric of [shared, apart]) fabric.assemble(EIL_STAGE);
    for (let i = 0; i < 8; i++)
      for (let k = 0; k < 5; k++)
        if (!(apart.state.cancelled[i] & (1 << k)))
          expect(shared.part.rhs[5 * i + k]).toBeCloseTo(apart.part.rhs[5 * i + k], 9);
  });
});

test('crossings pass each other along a straight yarn without a jump of energy', () => {
  for (const transition of ['keep', 'optimise'] as const) {
    const { before, after, state } = drawPast(0, transition);
    expect(state.passings).toBe(1);
    expect(state.transitions).toBe(4);
    expect(state.q[5]).toBeGreaterThan(3e-3);
    expect(state.largestJump).toBeLessThan(1e-12 * before.stretch);
    expect(after.stretch / before.stretch).toBeCloseTo(1, 2);
  }
});

test('along a kinked yarn a change of nodes jumps by at most ½ (EA/L) s², s the safety distance, and the gap that it leaves closes', () => {
  // a thousandth of ½ K s², with which a constraint without a gap would open
  const bound = ((0.5 * YARN.stretchStiffness) / BARE_LAYER.spacing) * (0.1 * BARE_LAYER.spacing) ** 2;
  for (const rise of [0.002, 0.01]) {
    const [kept, optimised] = (['keep', 'optimise'] as const).map((one) => drawPast(rise, one));
    for (const { state, before, after, gaps } of [kept, optimised]) {
      expect(state.passings).toBeGreaterThan(0);
      expect(state.largestJump).toBeGreaterThan(0);
      expect(state.largestJump).toBeLessThan(bound);
      const widest = gaps.indexOf(Math.max(...gaps));
      expect(gaps[widest]).toBeGreaterThan(1e-6);
      // ġ = −g/τ
      const time = Math.sqrt((0.1 * BARE_LAYER.spacing) / 9.81);
      expect(gaps[widest + 3] / gaps[widest]).toBeCloseTo(Math.exp(-3e-3 / time), 9);
      expect(after.total).toBeLessThan(before.total);
      expect(after.contact).toBeLessThan(1e-9);
    }
    expect(Math.max(...optimised.gaps)).toBeLessThan(Math.max(...kept.gaps));
  }
});

test('yarns that pass each other along a kinked one keep linear momentum while nodes change', () => {
  const fabric = createFabric(createThree(0.01), {
    materials: [{ ...YARN, bendingStiffness: 0 }],
    layers: [BARE_LAYER],
    friction: Float64Array.of(0),
  });
  for (const i of [1, 6, 7]) fabric.state.v.set([0.3, 0.02, 0], 5 * i);
  fabric.state.v[8] = -0.3;
  const world = createFabricWorld(fabric, { timeStep: 1e-4, newtonIterations: 60, tolerance: 1e-10 });
  const before = computeMomentum(fabric);
  for (let n = 0; n < 250; n++) world.step();
  const after = computeMomentum(fabric);
  expect(fabric.state.passings).toBeGreaterThan(0);
  expect(fabric.state.transitions).toBeGreaterThan(1);
  const size = Math.hypot(before[0], before[1], before[2]);
  for (let k = 0; k < 3; k++) expect(Math.abs(after[k] - before[k])).toBeLessThan(1e-9 * size);
  // forces of a constraint with a gap are off one line by it: a little angular momentum goes, beside |p| times half the length of a yarn
  expect(Math.abs(after[5] - before[5])).toBeLessThan(0.02 * size * 0.05);
});

test('a crossing becomes EIL before the step that brings it within the safety distance of the end of a yarn', () => {
  const h = 1e-3;
  const safety = 0.1 * LAYER.spacing;
  for (const [way, isEil] of [
    [0.9, false],
    [1.1, true],
  ] as const) {
    const fabric = createFabric(createPlainNet(4));
    const { q, v, eil, eol, eolStart, yarnLength } = fabric.state;
    // the last crossing of the first yarn, before its end
    const s = eol[eolStart[1] - 2];
    const at = 5 * (s >> 1) + 3 + (s & 1);
    v[at] = (way * (yarnLength[0] - q[at] - safety)) / h;
    fabric.detect(h);
    fabric.adapt();
    expect(eil[s]).toBe(isEil ? 1 : 0);
    // the other end, which it leaves, does not matter
    v[at] *= -1;
    fabric.detect(h);
    fabric.adapt();
    expect(eil[s]).toBe(0);
  }
});
