/** How a rod starts, and that its state can be saved, loaded and rolled back bit for bit. */
import { rotateVec3, type Vec3 } from 'heddle/math';
import { computeEnergy, StateReader, StateWriter } from 'heddle/model';
import { BendElement, computeTwist, DEFAULT_REFINEMENT, DEFAULT_SLIDING, Rod, type RodOptions } from 'heddle/rod';
import { World } from 'heddle/world';
import { describe, expect, test } from 'vitest';

const MATERIAL: RodOptions['material'] = {
  linearDensity: 0.4,
  stretch: [900, 900, 2000],
  bend: [0.02, 0.05, 0.03],
  inertia: [1e-5, 2e-5, 3e-5],
  radius: 0.004,
  friction: 0.3,
};

/** A curve in space. */
const POINTS = Array.from({ length: 41 }, (_, i): Vec3 => {
  const t = i / 10;
  return [Math.cos(t), 0.8 * Math.sin(1.3 * t), 0.3 * t];
});

const createRod = (options: Partial<RodOptions> = {}): Rod =>
  new Rod({ id: 'rod', material: MATERIAL, points: POINTS, segments: 24, ...options });

function strainsOf(rod: Rod): Vec3[] {
  const bend = new BendElement();
  return Array.from({ length: rod.nodeCount - 2 }, (_, n) => {
    bend.set(rod.state.frame, 4 * n, 4 * n + 4, rod.state.bendLength(n + 1));
    return [bend.strain[0], bend.strain[1], bend.strain[2]];
  });
}

const tangentOf = ({ chain: { q } }: Rod, e: number): Vec3 => {
  const d = [0, 1, 2].map((k) => q[4 * e + 4 + k] - q[4 * e + k]);
  const l = Math.hypot(...d);
  return [d[0] / l, d[1] / l, d[2] / l];
};

describe('the frames of a rod start', () => {
  test('along its segments, without any twist, on a curve in space', () => {
    const rod = createRod();
    const { frame } = rod.state;
    for (let e = 0; e < 24; e++) {
      const d3 = rotateVec3([frame[4 * e], frame[4 * e + 1], frame[4 * e + 2], frame[4 * e + 3]], [0, 0, 1]);
      const tangent = tangentOf(rod, e);
      for (let k = 0; k < 3; k++) expect(d3[k]).toBeCloseTo(tangent[k], 12);
    }
    for (const [a, b, twist] of strainsOf(rod)) {
      expect(Math.abs(twist)).toBeLessThan(1e-12);
      expect(Math.hypot(a, b)).toBeGreaterThan(0.1);
    }
  });

  test('with d₁ as near to the normal as can be', () => {
    const normal: Vec3 = [0.2, 0.9, 0.4];
    const rod = createRod({ normal });
    const [x, y, z, w] = rod.readFrame('start');
    const d1 = rotateVec3([x, y, z, w], [1, 0, 0]);
    const tangent = tangentOf(rod, 0);
    const along = normal[0] * tangent[0] + normal[1] * tangent[1] + normal[2] * tangent[2];
    const across = normal.map((value, k) => value - along * tangent[k]);
    const length = Math.hypot(...across);
    for (let k = 0; k < 3; k++) expect(d1[k]).toBeCloseTo(across[k] / length, 12);
  });

  test('with the twist asked for, over the whole length, evenly', () => {
    // on a straight line, from middle to middle of the end segments
    const twist = 1.7;
    const points: Vec3[] = [
      [0, 0, 0],
      [0.3, -0.6, 0.6],
    ];
    const rod = createRod({ points, twist });
    for (const [a, b, rate] of strainsOf(rod)) {
      expect(Math.hypot(a, b)).toBeLessThan(1e-12);
      // 4 tan(φ/4) for φ
      expect(Math.abs(rate / (twist / 0.9) - 1)).toBeLessThan((twist / 24) ** 2 / 40);
    }
    expect(Math.abs(computeTwist(rod.state) / ((twist * 23) / 24) - 1)).toBeLessThan(1e-3);
    expect(computeTwist(createRod({ points, twist: -twist }).state)).toBeCloseTo(-computeTwist(rod.state), 12);
  });
});

describe('the natural strain of a rod', () => {
  test('`initial` leaves it without bend energy, and moving nodes too', () => {
    const rod = createRod({ natural: 'initial', twist: 0.6 });
    expect(computeEnergy([rod]).bending).toBeLessThan(1e-20);
    expect(computeEnergy([createRod({ twist: 0.6 })]).bending).toBeGreaterThan(1e-3);
  });

  test('is linear between the coordinates given, and even beyond them', () => {
    const natural = [
      { at: 1, strain: [1, 2, 3] },
      { at: 3, strain: [2, -2, 3] },
    ] as const;
    const { natural: table } = createRod({ natural }).state;
    const read = (u: number) => {
      const out = new Float64Array(3);
      table.write(u, out);
      return [...out];
    };
    expect(read(0)).toEqual([1, 2, 3]);
    expect(read(1)).toEqual([1, 2, 3]);
    expect(read(1.5)).toEqual([1.25, 1, 3]);
    expect(read(2.5)).toEqual([1.75, -1, 3]);
    expect(read(3)).toEqual([2, -2, 3]);
    expect(read(9)).toEqual([2, -2, 3]);
    expect(table.isZero).toBe(false);
    expect(createRod().state.natural.isZero).toBe(true);
  });
});

/** A rod that does all: bends, slides, splits, collapses. */
function createBusy(): { rod: Rod; world: World } {
  const rod = createRod({
    masses: [{ at: 0.4, mass: 0.1 }],
    velocity: POINTS.map((_, i): Vec3 => [0.1 * i, 1 - 0.002 * i * i, Math.sin(i)]),
    damping: { mass: 0.1, stiffness: 1e-4 },
    sliding: DEFAULT_SLIDING,
    refinement: { ...DEFAULT_REFINEMENT, shortest: 0.6, longest: 1.4, sharpest: 0.3 },
  });
  return { rod, world: new World({ models: [rod], timeStep: 5e-3 }) };
}

describe('the state of a rod', () => {
  test('goes on bit for bit from where it was saved, in another world', () => {
    const [first, second] = [createBusy(), createBusy()];
    let changes = 0;
    for (let n = 0; n < 40; n++) changes += first.world.step().remeshings;
    expect(changes).toBeGreaterThan(0);
    const saved = first.world.save();
    second.world.load(saved);
    expect(second.world.hash()).toBe(first.world.hash());
    for (let n = 0; n < 20; n++) {
      first.world.step();
      second.world.step();
    }
    expect(second.world.hash()).toBe(first.world.hash());
    first.world.load(saved);
    for (let n = 0; n < 20; n++) first.world.step();
    expect(first.world.hash()).toBe(second.world.hash());
  });

  test('is back bit for bit after a step that is rolled back', () => {
    const { rod, world } = createBusy();
    for (let n = 0; n < 10; n++) world.step();
    const bytes = () => {
      const writer = new StateWriter();
      rod.writeState(writer);
      return writer.finish();
    };
    const before = bytes();
    rod.detect(0.01);
    rod.insertNode(0.37 * rod.state.restLength);
    rod.adapt();
    rod.beginStep();
    rod.state.frame.fill(0.5, 0, 40);
    rod.chain.q.fill(3, 8, 16);
    expect(Buffer.compare(bytes(), before)).not.toBe(0);
    rod.rollBack();
    expect(Buffer.compare(bytes(), before)).toBe(0);
    rod.readState(new StateReader(before));
    expect(Buffer.compare(bytes(), before)).toBe(0);
  });
});
