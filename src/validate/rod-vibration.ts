/** Small vibrations of clamped rods: bending, torsion, stretch; against the frequencies of a slender bar. */

import { dotVec3, type Vec3 } from '../math/index.ts';
import { Rod } from '../rod/index.ts';
import { World } from '../world/index.ts';
import { faultOf, type ValueLaw } from './law.ts';
import { measurePeriod } from './measure.ts';
import { ACROSS, ALONG, addScaled, clampStart, createRodMaterial, readNode, spacingFor } from './rods.ts';

/** Steps a period, and the error that they leave: (ω h)² γ-dependent, measured 1e-4 for 200. */
export const VIBRATION_STEPS = 200;
/** Shear and axial stiffness [N], GJ [N m²] and polar inertia per length [kg m] of the rods. */
const [AXIAL, TORSION, POLAR] = [1e6, 0.8, 2e-6];

/** A clamped rod of free length 1, its points at `shape(s)` across and `pull(s)` along. */
function createClamped(
  segments: number,
  shape: (s: number) => number,
  pull: (s: number) => number,
  bend: Vec3,
  EA = AXIAL,
): Rod {
  const du = spacingFor(1, segments);
  const at = Array.from({ length: segments + 1 }, (_, i) => (i - 0.5) * du);
  return new Rod({
    id: 'rod',
    material: createRodMaterial({ bend: [bend[0], bend[1], bend[2]], stretch: [AXIAL, AXIAL, EA] }),
    points: at.map((s) => addScaled([0, 0, 0], [s + pull(s), ALONG], [shape(Math.max(0, s)), ACROSS])),
    restLength: 1 + 0.5 * du,
    segments,
    normal: ACROSS,
    gravity: [0, 0, 0],
  });
}

/** Shape of a bending mode of a cantilever: cosh − cos − σ (sinh − sin). */
const mode =
  (k: number) =>
  (s: number): number => {
    const sigma = (Math.cosh(k) + Math.cos(k)) / (Math.sinh(k) + Math.sin(k));
    return Math.cosh(k * s) - Math.cos(k * s) - sigma * (Math.sinh(k * s) - Math.sin(k * s));
  };

/** Roots of cos k cosh k = −1. */
export const CANTILEVER_ROOTS = [1.875104068711961, 4.694091132974175, 7.854757438237613];

/** Period of the share that a mode has in the motion: modes are orthogonal, so that others do not show. */
function measureMode(rod: Rod, expected: number, signal: () => number): number {
  const timeStep = expected / VIBRATION_STEPS;
  const world = new World({ models: [rod], drivers: [clampStart(rod)], timeStep, integrator: 'sdirk2' });
  return measurePeriod(world, signal, 2);
}

/** ∫ shape · (part of the displacement along `axis`) */
function project(rod: Rod, axis: Vec3, shape: (u: number) => number): number {
  const { count, q } = rod.chain;
  const du = q[7];
  let sum = 0;
  for (let i = 0; i < count; i++) {
    const u = q[4 * i + 3];
    const share = i === count - 1 ? 0.5 : 1;
    sum += share * shape(u) * (dotVec3(readNode(rod, i), axis) - dotVec3(axis, ALONG) * (u - 0.5 * du));
  }
  return sum;
}

const predictBending = (n: number, EI = 1): number => (2 * Math.PI) / (CANTILEVER_ROOTS[n - 1] ** 2 * Math.sqrt(EI));

/** Period of bending mode n; `expected` says how long steps are. */
export function measureBending(n: number, segments: number, EI: number, expected: number): number {
  const shape = mode(CANTILEVER_ROOTS[n - 1]);
  const du = spacingFor(1, segments);
  // ACROSS is d₁: bending about d₂
  const rod = createClamped(
    segments,
    (s) => 1e-4 * shape(s),
    () => 0,
    [1, EI, TORSION],
  );
  return measureMode(rod, expected, () => project(rod, ACROSS, (u) => shape(Math.max(0, u - 0.5 * du))));
}

export const ROD_BENDING_WAVES: ValueLaw = {
  name: 'rod-bending-waves',
  model: 'rod',
  kind: 'value',
  title: 'a cantilever vibrates with ω = k² √(EI/ρA)/L², cos k cosh k = −1',
  source: 'Euler–Bernoulli',
  parameter: 'mode [1]',
  parameters: [1, 2, 3],
  quantity: 'period [s]',
  stiffnesses: ['EI'],
  resolution: { name: 'segments', values: [20, 40] },
  plot: { isLogarithmic: true, isSampled: false },
  predict: (n) => predictBending(n),
  measure: (n, segments, faults) => measureBending(n, segments, faultOf(faults, 'EI'), predictBending(n)),
};

/** Of a wave of speed c that is held at one end of a length: mode n has a quarter of a wave, three, five. */
const predictQuarter = (n: number, c: number, length = 1): number => (4 * length) / ((2 * n - 1) * c);

/** Turns the frame at `at` about its third axis. */
function turnAbout(q: Float64Array, at: number, angle: number): void {
  const [x, y, z, w] = q.subarray(at, at + 4);
  const [c, s] = [Math.cos(angle / 2), Math.sin(angle / 2)];
  q.set([x * c + y * s, y * c - x * s, z * c + w * s, w * c - z * s], at);
}

/** Small turn of the frame at `at` from another about the third axis: 2 (q₀* q)₃. */
const readTurn = (q: Float64Array, at: number, from: Float64Array): number =>
  2 * (from[3] * q[at + 2] - from[2] * q[at + 3] - from[0] * q[at + 1] + from[1] * q[at]);

/** Period of torsion mode n. */
export function measureTorsion(n: number, segments: number, GJ: number, expected: number): number {
  const du = spacingFor(1, segments);
  const rod = createClamped(
    segments,
    () => 0,
    () => 0,
    [1, 1, GJ],
  );
  const { frame } = rod.state;
  const wave = ((2 * n - 1) * Math.PI) / 2;
  const first = frame.slice(0, 4);
  for (let e = 1; e < segments; e++) turnAbout(frame, 4 * e, 1e-3 * Math.sin(wave * e * du));
  return measureMode(rod, expected, () => {
    let sum = 0;
    for (let e = 1; e < segments; e++) sum += Math.sin(wave * e * du) * readTurn(frame, 4 * e, first);
    return sum;
  });
}

export const ROD_TWIST_WAVES: ValueLaw = {
  name: 'rod-twist-waves',
  model: 'rod',
  kind: 'value',
  title: 'a clamped rod twists with ω = (2n − 1) π c/2L, c = √(GJ/ρI_p)',
  source: 'Coulomb 1784',
  parameter: 'mode [1]',
  parameters: [1, 2, 3],
  quantity: 'period [s]',
  stiffnesses: ['GJ'],
  resolution: { name: 'segments', values: [20, 40] },
  plot: { isLogarithmic: true, isSampled: false },
  predict: (n) => predictQuarter(n, Math.sqrt(TORSION / POLAR)),
  measure: (n, segments, faults) =>
    measureTorsion(n, segments, TORSION * faultOf(faults, 'GJ'), predictQuarter(n, Math.sqrt(TORSION / POLAR))),
};

/** Period of stretch mode n. Stretch is held at the first node, not at the middle of the first segment. */
export function measureStretch(n: number, segments: number, EA: number, c: number): number {
  const du = spacingFor(1, segments);
  const length = 1 + 0.5 * du;
  const wave = ((2 * n - 1) * Math.PI) / 2 / length;
  const rod = createClamped(
    segments,
    () => 0,
    (s) => 1e-5 * Math.sin(wave * (s + 0.5 * du)),
    [1, 1, TORSION],
    EA,
  );
  // of a length of 1
  return measureMode(rod, predictQuarter(n, c, length), () => project(rod, ALONG, (u) => Math.sin(wave * u))) / length;
}

export const ROD_STRETCH_WAVES: ValueLaw = {
  name: 'rod-stretch-waves',
  model: 'rod',
  kind: 'value',
  title: 'a clamped rod stretches with ω = (2n − 1) π c/2L, c = √(EA/ρA)',
  source: 'd’Alembert 1747',
  parameter: 'mode [1]',
  parameters: [1, 2, 3],
  quantity: 'period [s]',
  stiffnesses: ['EA'],
  resolution: { name: 'segments', values: [20, 40] },
  plot: { isLogarithmic: true, isSampled: false },
  predict: (n) => predictQuarter(n, 1e3),
  measure: (n, segments, faults) => measureStretch(n, segments, AXIAL * faultOf(faults, 'EA'), 1e3),
};
