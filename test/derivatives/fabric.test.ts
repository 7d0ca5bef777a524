/**
 * Terms of a fabric's energy: gradients and Hessians in x, u and v against central differences, positive matrices, rigid motion of
 * the cloth and shifts of material coordinates, balance of forces and torques, and the laws that each term stands for.
 */
import {
  bendsAround,
  CrossingShear,
  computeContactStiffness,
  computeFrictionEnergy,
  computeFrictionPull,
  dragAnchor,
  EilContact,
  EilNode,
  type FabricTerm,
  hasParallelContact,
  ParallelContact,
  StitchWrapping,
  YarnBending,
  YarnStretch,
} from 'heddle/fabric';
import { createRandom, quaternionFromAxisAngle, rotateVec3 } from 'heddle/math';
import { describe, expect, test } from 'vitest';

const YARN = { linearDensity: 2e-5, stretchStiffness: 40, bendingStiffness: 0.2, radius: 0.01 };

interface TermCase {
  readonly name: string;
  readonly create: () => FabricTerm;
  /** A letter a group of coordinates: x for a place, u for a material coordinate, s for one with an anchor that stays. */
  readonly layout: string;
  /** Typical coordinates; the test adds noise. */
  readonly base: readonly number[];
}

const CASES: readonly TermCase[] = [
  {
    name: 'stretch of a yarn in tension',
    create: () => new YarnStretch(YARN),
    layout: 'xuxu',
    base: [0, 0, 0, 0, 1.2, 0, 0, 0.7],
  },
  {
    name: 'stretch of a yarn in compression',
    create: () => new YarnStretch(YARN),
    layout: 'xuxu',
    base: [0, 0, 0, 0, 0.5, 0, 0.2, 1.3],
  },
  {
    name: 'bending of a yarn',
    create: () => new YarnBending(0.2),
    layout: 'xuxuxu',
    base: [0, 0, 0, 0, 1, 0, 0, 0.7, 1.6, 0.9, 0, 1.5],
  },
  {
    name: 'shear',
    create: () => new CrossingShear(3, 0.8, 1.2),
    layout: 'xxxx',
    base: [-1, 0, 0, 1, 0, 0, 0.2, 0, -0.8, 0.3, 0, 1],
  },
  {
    name: 'wrapping',
    create: () => new StitchWrapping(2, 0.6, 1.9),
    layout: 'xxxx',
    base: [-0.6, 0.8, 0, 0, 0, 0, 1, 0, 0, 1.5, 0.2, 0.9],
  },
  {
    name: 'wrapping by more than half a turn',
    create: () => new StitchWrapping(2, 0.6, 3.8),
    layout: 'xxxx',
    base: [-0.6, 0.8, 0, 0, 0, 0, 1, 0, 0, 1.5, -0.9, 0],
  },
  { name: 'parallel contact, smooth end', create: () => new ParallelContact(50, 0.7, 4), layout: 'uu', base: [0, 3.5] },
  { name: 'parallel contact, deep', create: () => new ParallelContact(50, 0.7, 4), layout: 'uu', base: [0, 1.8] },
  {
    name: 'contact of an EIL and an EoL node',
    create: () => new EilContact(30, 'EoL'),
    layout: 'xuxuux',
    base: [0, 0, 0, 0, 1, 0.3, 0, 1.2, 0.5, 0.5, 0.5, 0.4],
  },
  {
    name: 'contact of two EIL nodes',
    create: () => new EilContact(30, 'EIL'),
    layout: 'xuxuuxuxuu',
    base: [0, 0, 0, 0, 1, 0.3, 0, 1.2, 0.5, 0.4, 0.4, -1, 0, 0.5, 0.2, 1, 1.4, 0.9],
  },
];

/** Coordinates at which each group of the layout starts, with its letter. */
function listGroups(layout: string): { kind: string; at: number }[] {
  let at = 0;
  return [...layout].map((kind) => {
    const group = { kind, at };
    at += kind === 'x' ? 3 : 1;
    return group;
  });
}

function createStencil({ base }: TermCase, seed: number): Float64Array {
  const random = createRandom(seed);
  return Float64Array.from(base, (value) => value + random.uniform(-0.12, 0.12));
}

function isPositiveSemiDefinite(K: Float64Array, n: number, shift: number): boolean {
  const L = K.slice();
  for (let j = 0; j < n; j++) {
    let d = L[j * n + j] + shift;
    for (let k = 0; k < j; k++) d -= L[j * n + k] ** 2;
    if (!(d > 0)) return false;
    L[j * n + j] = Math.sqrt(d);
    for (let i = j + 1; i < n; i++) {
      let sum = L[i * n + j];
      for (let k = 0; k < j; k++) sum -= L[i * n + k] * L[j * n + k];
      L[i * n + j] = sum / L[j * n + j];
    }
  }
  return true;
}

for (const termCase of CASES)
  describe(termCase.name, () => {
    const { create, layout } = termCase;
    const { size } = create();
    const read = (q: Float64Array, isExact: boolean) => {
      const term = create();
      term.set(q, isExact);
      return term;
    };

    test('the gradient is ∂V/∂q, exact Hessian or not', () => {
      expect(termCase.base.length).toBe(size);
      for (let seed = 1; seed <= 30; seed++) {
        const q = createStencil(termCase, seed);
        const { gradient, energy } = read(q, true);
        const scale = Math.hypot(...gradient);
        expect(scale).toBeGreaterThan(1e-3);
        expect(energy).toBeGreaterThan(0);
        for (let i = 0; i < size; i++) {
          const step = 1e-6;
          const slope =
            (read(q.with(i, q[i] + step), true).energy - read(q.with(i, q[i] - step), true).energy) / (2 * step);
          expect(Math.abs(gradient[i] - slope)).toBeLessThan(1e-7 * (1 + scale));
        }
        const other = read(q, false);
        expect(other.energy).toBe(energy);
        for (let i = 0; i < size; i++)
          expect(Math.abs(other.gradient[i] - gradient[i])).toBeLessThan(1e-13 * (1 + scale));
      }
    });

    test('the exact Hessian is ∂²V/∂q²', () => {
      for (let seed = 1; seed <= 30; seed++) {
        const q = createStencil(termCase, seed);
        const { hessian } = read(q, true);
        const scale = Math.hypot(...hessian);
        for (let c = 0; c < size; c++) {
          const step = 1e-6;
          const high = read(q.with(c, q[c] + step), true).gradient;
          const low = read(q.with(c, q[c] - step), true).gradient;
          for (let r = 0; r < size; r++)
            expect(Math.abs(hessian[r * size + c] - (high[r] - low[r]) / (2 * step))).toBeLessThan(1e-7 * (1 + scale));
        }
      }
    });

    test('the other one is symmetric and positive semi-definite', () => {
      for (let seed = 1; seed <= 30; seed++) {
        const { hessian } = read(createStencil(termCase, seed), false);
        const scale = Math.hypot(...hessian);
        for (let r = 0; r < size; r++)
          for (let c = 0; c < r; c++)
            expect(Math.abs(hessian[r * size + c] - hessian[c * size + r])).toBeLessThan(1e-12 * (1 + scale));
        expect(isPositiveSemiDefinite(hessian, size, 1e-9 * (1 + scale))).toBe(true);
      }
    });

    test('rigid motion and a shift of material coordinates change nothing; forces and torques sum to zero', () => {
      const groups = listGroups(layout);
      const turn = quaternionFromAxisAngle([0.3, -0.8, 0.5], 1.1);
      for (let seed = 1; seed <= 10; seed++) {
        const q = createStencil(termCase, seed);
        const { energy, gradient } = read(q, true);
        const moved = q.slice();
        const sum = [0, 0, 0];
        const torque = [0, 0, 0];
        let slide = 0;
        for (const { kind, at } of groups) {
          if (kind === 'u') {
            // two yarns have each their own gauge: the second one of two EIL nodes starts at coordinate 9
            moved[at] += layout.length === 10 && at >= 9 ? -0.4 : 0.7;
            if (!(layout.length === 10 && at >= 9)) slide += gradient[at];
          }
          if (kind !== 'x') continue;
          const x = [q[at], q[at + 1], q[at + 2]] as const;
          const [y, z, w] = rotateVec3(turn, [...x]);
          moved.set([y + 3, z - 2, w + 1], at);
          for (let k = 0; k < 3; k++) {
            const [a, b] = [(k + 1) % 3, (k + 2) % 3];
            sum[k] += gradient[at + k];
            torque[k] += x[a] * gradient[at + b] - x[b] * gradient[at + a];
          }
        }
        const scale = 1 + Math.hypot(...gradient);
        for (const value of [...sum, ...torque, slide]) expect(Math.abs(value)).toBeLessThan(1e-13 * scale);
        expect(Math.abs(read(moved, true).energy - energy)).toBeLessThan(1e-12 * scale);
      }
    });
  });

test('bending is exact for a straight yarn too, where the angle has no plane', () => {
  const q = Float64Array.of(0, 0, 0, 0, 1, 0.5, 0.2, 1.1, 1.7, 0.85, 0.34, 2);
  const term = new YarnBending(0.2);
  term.set(q, true);
  const exact = term.hessian.slice();
  expect(Math.hypot(...exact)).toBeGreaterThan(0.1);
  const step = 1e-5;
  for (let c = 0; c < 12; c++) {
    term.set(q.with(c, q[c] + step), true);
    const high = term.gradient.slice();
    term.set(q.with(c, q[c] - step), true);
    for (let r = 0; r < 12; r++)
      expect(Math.abs(exact[12 * r + c] - (high[r] - term.gradient[r]) / (2 * step))).toBeLessThan(1e-8);
  }
  term.set(q, false);
  for (let k = 0; k < 144; k++) expect(term.hessian[k]).toBeCloseTo(exact[k], 12);
});

test('an EIL node is where its five-part Jacobian says, and is transparent: two segments have the energy of one', () => {
  const random = createRandom(5);
  for (let trial = 0; trial < 20; trial++) {
    const q = Float64Array.from([0, 0, 0, 0, 1, 0.4, 0.2, 0.6, 0.3], (value) => value + random.uniform(-0.1, 0.1));
    const node = new EilNode();
    node.set(q);
    const J = node.jacobian.slice();
    const gradient = new Float64Array(9);
    node.addGradient([0.4, -1.1, 0.7], gradient);
    const curvature = new Float64Array(81);
    node.addCurvature([0.4, -1.1, 0.7], curvature, 9);
    const step = 1e-6;
    for (let c = 0; c < 9; c++) {
      node.set(q.with(c, q[c] + step));
      const [high, highJ] = [node.x.slice(), node.jacobian.slice()];
      node.set(q.with(c, q[c] - step));
      for (let k = 0; k < 3; k++) expect(J[9 * k + c]).toBeCloseTo((high[k] - node.x[k]) / (2 * step), 8);
      expect(gradient[c]).toBeCloseTo(0.4 * J[c] - 1.1 * J[9 + c] + 0.7 * J[18 + c], 14);
      for (let r = 0; r < 9; r++) {
        const change = (k: number) => (highJ[9 * k + r] - node.jacobian[9 * k + r]) / (2 * step);
        expect(curvature[9 * r + c]).toBeCloseTo(0.4 * change(0) - 1.1 * change(1) + 0.7 * change(2), 7);
      }
    }
    // all three material coordinates moved by the same leave it where it is
    for (let k = 0; k < 3; k++) expect(J[9 * k + 3] + J[9 * k + 7] + J[9 * k + 8]).toBeCloseTo(0, 14);
    node.set(q);
    const stretch = new YarnStretch(YARN);
    const energyOf = (...nodes: number[]) => {
      stretch.set(nodes, true);
      return stretch.energy;
    };
    const whole = energyOf(...q.subarray(0, 8));
    const parts = energyOf(...q.subarray(0, 4), ...node.x, q[8]) + energyOf(...node.x, q[8], ...q.subarray(4, 8));
    expect(whole).toBeGreaterThan(0.01);
    expect(parts).toBeCloseTo(whole, 11);
    const bending = new YarnBending(0.2);
    bending.set([...q.subarray(0, 4), ...node.x, q[8], ...q.subarray(4, 8)], true);
    expect(bending.energy).toBeLessThan(1e-14);
  }
});

test('two EIL nodes hold both material coordinates but where yarns are parallel: the determinant is K² F_A² F_B² sin²', () => {
  const contact = new EilContact(30, 'EIL');
  for (const angle of [1.3, 0.6, 0.1, 0]) {
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    contact.set([-1, 0, 0, 0, 1, 0, 0, 2, 1, -1.5 * c, -1.5 * s, 0, 0, 1.5 * c, 1.5 * s, 0, 2, 1], true);
    const H = contact.hessian;
    const determinant = H[18 * 8 + 8] * H[18 * 17 + 17] - H[18 * 8 + 17] ** 2;
    expect(determinant).toBeCloseTo((30 * 1.5 * s) ** 2, 9);
  }
  expect(computeContactStiffness(40, 0.005)).toBeCloseTo(8e6, 6);
});

test('parallel contact starts where yarns touch, without a jump of force or stiffness, and pushes them apart', () => {
  const term = new ParallelContact(50, 0.7, 4);
  const at = (gap: number) => {
    term.set([1, 1 + gap]);
    return [term.energy, term.gradient[1], term.hessian[3]];
  };
  expect(at(4)).toEqual([0, -0, 0]);
  expect(at(5).map(Math.abs)).toEqual([0, 0, 0]);
  for (const border of [4, 3]) {
    const [above, below] = [at(border + 1e-9), at(border - 1e-9)];
    for (let k = 0; k < 3; k++) expect(above[k]).toBeCloseTo(below[k], 6);
  }
  expect(at(3.2)[1]).toBeLessThan(0);
  // deep in, it is the source's spring k_c L from a place w/2 nearer
  expect(at(1)[1]).toBeCloseTo(-50 * 0.7 * (3 - 0.5), 12);
  // yarns that have passed each other are pushed back the way they came
  expect(at(-1)[1]).toBeLessThan(at(1)[1]);
});

test('yarns may pass by rule (a), outside contacts, and rule (b), different sides and no bend round the crossed yarn', () => {
  const yarn = (isExternal: boolean, side: number, bends: boolean) => ({ isExternal, side, bendsAround: bends });
  expect(hasParallelContact(yarn(false, 1, false), yarn(false, 1, false))).toBe(true);
  expect(hasParallelContact(yarn(true, 1, true), yarn(false, 1, true))).toBe(false);
  expect(hasParallelContact(yarn(false, 1, true), yarn(true, -1, true))).toBe(false);
  expect(hasParallelContact(yarn(false, 1, false), yarn(false, -1, false))).toBe(false);
  expect(hasParallelContact(yarn(false, 1, true), yarn(false, -1, false))).toBe(true);
  // arms of a yarn on top that fall by an angle have a bending vector of sin(angle) along the normal: 0.25 is 14.5°
  for (const [degrees, bends] of [
    [0, false],
    [14, false],
    [15, true],
    [-15, false],
  ] as const) {
    const [c, s] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
    expect(bendsAround([-2 * c, -2 * s, 0, 0, 0, 0, c, -s, 0], [0, -1, 0])).toBe(bends);
  }
});

test('friction holds up to μN, then gives way at μN: what is lost is μN times the way', () => {
  const [k, limit] = [800, 1.6];
  const start = [0.25, -0.1];
  const anchor = [...start];
  // along a line across both coordinates
  const [direction, steps, end] = [[0.8, -0.6], 4000, 0.05];
  let work = 0;
  const place = (way: number) => start.map((c, m) => c + way * direction[m]);
  const slip = ([u, v]: number[]) => Math.hypot(u - anchor[0], v - anchor[1]);
  const force = (q: number[]) => computeFrictionPull(k, limit, slip(q)) * slip(q);
  const drag = (q: number[]) => {
    const share = Math.min(1, limit / (k * slip(q)));
    for (let m = 0; m < 2; m++) anchor[m] = dragAnchor(q[m], anchor[m], share);
  };
  for (let i = 1; i <= steps; i++) {
    const q = place((end * i) / steps);
    expect(force(q)).toBeCloseTo(Math.min(limit, (k * end * i) / steps), 11);
    work += force(q) * (end / steps);
    drag(q);
    // dragging leaves the force as it is, and never moves an anchor that holds
    expect(force(q)).toBeLessThanOrEqual(limit * (1 + 1e-12));
    expect(force(q)).toBeCloseTo(Math.min(limit, (k * end * i) / steps), 11);
  }
  // the work is stored, (μN)²/2k, or lost on the way of the anchor
  const way = Math.hypot(anchor[0] - start[0], anchor[1] - start[1]);
  expect(work).toBeCloseTo(limit ** 2 / (2 * k) + limit * way, 4);
  expect(way).toBeCloseTo(end - limit / k, 12);
  expect(computeFrictionEnergy(k, limit, slip(place(end)))).toBeCloseTo(limit ** 2 / (2 * k), 12);
});

test('the force of friction is the slope of its energy, sticking and slipping', () => {
  const [k, limit, step] = [8, 2, 1e-6];
  for (const s of [0.1, 0.24, 0.26, 1.3]) {
    const slope = (computeFrictionEnergy(k, limit, s + step) - computeFrictionEnergy(k, limit, s - step)) / (2 * step);
    expect(computeFrictionPull(k, limit, s) * s).toBeCloseTo(slope, 8);
  }
});

test('shear rests at φ₀ and does not feel where yarns slide; a wrapped stitch rests at ψ₀', () => {
  const shear = new CrossingShear(3, 0.8);
  shear.set([-2, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 3], true);
  expect(shear.energy).toBeLessThan(1e-30);
  expect(shear.angle).toBeCloseTo(Math.PI / 2, 14);
  // sheared by γ: ½ k L γ²
  const g = 0.3;
  shear.set([-2, 0, 0, 1, 0, 0, -Math.sin(g), 0, -Math.cos(g), Math.sin(g), 0, Math.cos(g)], true);
  expect(shear.energy).toBeCloseTo(0.5 * 3 * 0.8 * g * g, 12);
  // parallel yarns have no direction to shear in
  shear.set([0, 0, 0, 1, 0, 0, 0, 1, 0, 2, 1, 0], true);
  expect([...shear.gradient].every((value) => value === 0)).toBe(true);

  // arms turned by t about e, seen along it: from −π/2 through π, where ψ jumps and V does not
  const stitch = new StitchWrapping(2, 0.6, 3);
  const energyAt = (t: number) => {
    stitch.set([0, 1, 0, 0, 0, 0, 1, 0, 0, 1, Math.cos(t), Math.sin(t)], true);
    return stitch.energy;
  };
  for (const t of [1, 2.5, 3, 3.14, 3.15, 3.8, 5.5]) expect(energyAt(t)).toBeCloseTo(0.6 * (t - 3) ** 2, 11);
  // an arm that is nearly along e has hardly an angle: its force falls to nothing with its distance from the line
  const forceAt = (distance: number) => {
    stitch.set([-1, distance, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1], false);
    return Math.hypot(...stitch.gradient);
  };
  for (const distance of [1e-2, 1e-4]) expect(forceAt(distance) / forceAt(distance / 10)).toBeCloseTo(10, 0);
  stitch.set([-1, 0, 0, 0, 0, 0, 1, 0, 0, 2, 1, 0], true);
  expect([...stitch.gradient].every((value) => value === 0)).toBe(true);
});
