/** Vibrations of a sheet: waves along it, across it under tension, and of its own stiffness. */

import { type Sheet, type SheetMaterial, STRIDE } from '../sheet/index.ts';
import { createFix, type Driver, World } from '../world/index.ts';
import type { ValueLaw } from './law.ts';
import { measurePeriod } from './measure.ts';
import { createCloth, createRectangle, createSheet, findVertices, type MeshKind, scaleSheet } from './sheets.ts';

const DENSITY = 0.2;
/** Steps a period. */
const STEPS = 150;

const createMaterial = (membrane: SheetMaterial['membrane'], bending: SheetMaterial['bending']): SheetMaterial => ({
  ...createCloth(1, DENSITY),
  membrane,
  bending,
});

/** A strip of 1 m along the warp, stretched by `strain`, each vertex displaced by `shape` times a small amplitude along coordinate k. */
function createStrip(
  kind: MeshKind,
  cells: number,
  material: SheetMaterial,
  strain: number,
  k: number,
  shape: (s: number) => number,
): Sheet {
  const mesh = createRectangle(kind, 1, 2 / cells, 1 / cells);
  const sheet = createSheet(mesh, material, { gravity: [0, 0, 0] }, (a, b) => [(1 + strain) * a, b, 0]);
  const { q, count } = sheet.state;
  for (let i = 0; i < count; i++) q[STRIDE * i + k] += 1e-4 * shape(q[STRIDE * i + 3]);
  return sheet;
}

const holdEnds = (sheet: Sheet, components: ('x' | 'y' | 'z')[]): Driver[] =>
  findVertices(sheet, (a) => a < 1e-9 || a > 1 - 1e-9).map((label) => createFix({ model: sheet, label }, components));

/** Period of coordinate k of the vertex at s. */
function measureVertex(sheet: Sheet, drivers: Driver[], timeStep: number, s: number, k: number): number {
  const [vertex] = findVertices(sheet, (a, b) => Math.abs(a - s) < 1e-9 && b < 1e-9);
  const world = new World({ models: [sheet], drivers, timeStep, integrator: 'sdirk2' });
  return measurePeriod(world, () => sheet.state.q[STRIDE * vertex + k], 2);
}

export const SHEET_STRETCH_WAVES: ValueLaw = {
  name: 'sheet-stretch-waves',
  model: 'sheet',
  kind: 'value',
  title: 'a strip free at both ends rings with 2 L/c, c = √(C₁₁/ρ)',
  source: 'd’Alembert 1747',
  parameter: 'C₁₁ [N/m]',
  parameters: [500, 2000, 8000],
  quantity: 'period [s]',
  stiffnesses: ['membrane'],
  resolution: { name: 'cells', values: [10, 20] },
  order: 1.5,
  plot: { isLogarithmicX: true },
  predict: (C) => 2 / Math.sqrt(C / DENSITY),
  measure(C, cells, faults) {
    const material = scaleSheet(createMaterial([C, C, 0, C / 2], [0, 0, 0, 0]), faults);
    const sheet = createStrip('alternating', cells, material, 0, 0, (s) => Math.cos(Math.PI * s));
    const flat = findVertices(sheet, () => true).map((label) => createFix({ model: sheet, label }, ['y', 'z']));
    return measureVertex(sheet, flat, 2 / Math.sqrt(C / DENSITY) / STEPS, 0, 0);
  },
};

const TENSE = 2000;
/** C ε per material width; mass per length of the stretched strip is less by 1 + ε. */
const predictTense = (strain: number): number =>
  (2 * (1 + strain)) / Math.sqrt((TENSE * strain * (1 + strain)) / DENSITY);

export const SHEET_TENSION_WAVES: ValueLaw = {
  name: 'sheet-tension-waves',
  model: 'sheet',
  kind: 'value',
  title: 'a strip under tension T between two ends rings with 2 L/c, c = √(T/ρ)',
  source: 'Mersenne 1636',
  parameter: 'strain [1]',
  parameters: [0.003, 0.01, 0.03],
  quantity: 'period [s]',
  stiffnesses: ['membrane'],
  resolution: { name: 'cells', values: [10, 20] },
  order: 1.5,
  plot: { isLogarithmicX: true },
  predict: predictTense,
  measure(strain, cells, faults) {
    const material = scaleSheet(createMaterial([TENSE, TENSE, 0, TENSE / 2], [0, 0, 0, 0]), faults);
    const sheet = createStrip('alternating', cells, material, strain, 2, (s) => Math.sin(Math.PI * s));
    return measureVertex(sheet, holdEnds(sheet, ['x', 'y', 'z']), predictTense(strain) / STEPS, 0.5, 2);
  },
};

/** ω = π²/L² √(B₁₁/ρ) */
const predictSupported = (B: number): number => 2 / (Math.PI * Math.sqrt(B / DENSITY));

export const SHEET_BENDING_WAVES: ValueLaw = {
  name: 'sheet-bending-waves',
  model: 'sheet',
  kind: 'value',
  title: 'a strip on two supports rings with its own stiffness: ω = π²/L² √(B₁₁/ρ), on grids of one diagonal',
  source: 'Euler–Bernoulli',
  parameter: 'B₁₁ [N m]',
  parameters: [0.003, 0.01, 0.03],
  quantity: 'period [s]',
  stiffnesses: ['bending'],
  resolution: { name: 'cells', values: [10, 20] },
  plot: { isLogarithmicX: true },
  predict: predictSupported,
  measure(B, cells, faults) {
    const material = scaleSheet(createMaterial([2000, 2000, 0, 1000], [B, B, 0, B / 2]), faults);
    const sheet = createStrip('right', cells, material, 0, 2, (s) => Math.sin(Math.PI * s));
    return measureVertex(sheet, holdEnds(sheet, ['y', 'z']), predictSupported(B) / STEPS, 0.5, 2);
  },
};
