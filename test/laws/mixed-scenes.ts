/** Small scenes of two objects or more, of any models, that laws of mixed worlds share. Nothing pulls on them but what they do to each other. */
import { compile, type SceneInput, validateScene, type World } from 'heddle';

export const KINDS = ['strand', 'rod', 'sheet', 'fabric', 'body'] as const;
export type Kind = (typeof KINDS)[number];
type SceneObject = SceneInput['objects'][number];
type On = { object: string; at: 'start' | [number, number] };

/** Stages converge, so that momentum is kept as far as rows and solvers keep it. */
const SOLVER = { newtonIterations: 30, tolerance: 1e-10 };
const CORD = { radius: 0.002, linearDensity: 0.006, stretchStiffness: 1000, bendingStiffness: 1e-4, friction: 0.3 };
const RUBBER = { density: 1100, radius: 0.004, youngsModulus: 2e6, poissonRatio: 0.45, friction: 0.3 };
const SPACING = 0.02;

export const MATERIALS = { cord: CORD, rubber: RUBBER };

/** An object that goes from the origin along ±x, and where it is at the origin. */
function createHeld(kind: Exclude<Kind, 'body'>, id: string, sign: 1 | -1): { object: SceneObject; on: On } {
  const flat = sign > 0 ? 0 : 0.2;
  switch (kind) {
    case 'strand':
      return {
        object: { type: kind, id, material: 'cord', points: [[0, 0, 0], [0.2 * sign, 0.02, 0.01]], nodes: 9 }, // biome-ignore format: points
        on: { object: id, at: 'start' },
      };
    case 'rod':
      return {
        object: {
          type: kind,
          id,
          material: 'rubber',
          points: [[0, 0, 0], [0.2 * sign, 0.01, -0.02]], // biome-ignore format: points
          segments: 8,
          refinement: false,
        },
        on: { object: id, at: 'start' },
      };
    case 'sheet':
      return {
        object: {
          type: kind,
          id,
          material: 'cotton',
          shape: { type: 'rectangle', width: 0.2, height: 0.2, columns: 4, rows: 4 },
          origin: [flat, flat],
        },
        on: { object: id, at: [flat, flat] },
      };
    case 'fabric': {
      // crossings of five yarns; the corner at the origin
      const corner = 2 * SPACING;
      return {
        object: {
          type: kind,
          id,
          position: [sign * corner, 0, -sign * corner],
          contact: false,
          layers: [{ pattern: { type: 'plain', warps: 5, wefts: 5, spacing: SPACING, crimp: 0 }, material: 'cord' }],
        },
        on: { object: id, at: sign > 0 ? [0, 0] : [5 * SPACING, 5 * SPACING] },
      };
    }
  }
}

/** The first thing at rest, the second moving; a tie at the origin. */
export function createTied(first: Exclude<Kind, 'body'>, second: Kind): SceneInput {
  const a = createHeld(first, 'a', -1);
  const scene = {
    heddle: 1 as const,
    name: 'tied',
    title: 'Tied',
    gravity: [0, 0, 0] as const,
    materials: MATERIALS,
    // yarns end beyond their last crossing, on the other thing
    touching: { objects: [] },
  };
  const probes = [
    { id: 'p', type: 'momentum' as const },
    { id: 'a', type: 'constraintForce' as const, on: a.on },
    { id: 'x', type: 'position' as const, on: a.on },
  ];
  const time = { step: 1e-3, duration: 1 };
  if (second === 'body')
    return {
      ...scene,
      objects: [a.object],
      bodies: [
        {
          id: 'b',
          shape: { type: 'box', size: [0.1, 0.1, 0.1] },
          position: [0.08, 0.03, 0.02],
          motion: 'dynamic',
          mass: 0.05,
          velocity: [0.3, 0.5, -0.2],
        },
      ],
      drivers: [{ type: 'tie', on: a.on, body: 'b' }],
      probes: [...probes, { id: 'y', type: 'body', body: 'b' }],
      time,
      solver: SOLVER,
    } as SceneInput;
  const b = createHeld(second, 'b', 1);
  return {
    ...scene,
    objects: [a.object, { ...b.object, velocity: [0.3, 0.5, -0.2] }],
    drivers: [{ type: 'tie', on: a.on, to: b.on }],
    probes: [...probes, { id: 'b', type: 'constraintForce', on: b.on }, { id: 'y', type: 'position', on: b.on }],
    time,
    solver: SOLVER,
  } as SceneInput;
}

/** A thing at height y: lines lie along x, or along z above. */
export function createLaid(kind: Exclude<Kind, 'body'>, id: string, y: number, isAbove: boolean): SceneObject {
  const points = (
    isAbove
      ? [[0.013, y, -0.1], [0.007, y, 0.1]] // biome-ignore format: points
      : [[-0.1, y, 0.003], [0.1, y, -0.004]] // biome-ignore format: points
  ) as [[number, number, number], [number, number, number]];
  switch (kind) {
    case 'strand':
      return { type: kind, id, material: 'cord', points, nodes: 12 };
    case 'rod':
      return { type: kind, id, material: 'rubber', points, segments: 11, refinement: false };
    case 'sheet':
      return {
        type: kind,
        id,
        material: 'cotton',
        shape: { type: 'rectangle', width: 0.2, height: 0.2, columns: 4, rows: 4 },
        position: [0.003, y, 0.002],
      };
    case 'fabric':
      return {
        type: kind,
        id,
        position: [0.003, y, 0.002],
        layers: [{ pattern: { type: 'plain', warps: 5, wefts: 5, spacing: SPACING, crimp: 0 }, material: 'cord' }],
      };
  }
}

/** The second falls on the first. */
export function createFalling(
  first: Exclude<Kind, 'body'>,
  second: Exclude<Kind, 'body'>,
  touching?: SceneInput['touching'],
): SceneInput {
  return {
    heddle: 1,
    name: 'falling',
    title: 'Falling',
    gravity: [0, 0, 0],
    materials: MATERIALS,
    objects: [
      createLaid(first, 'low', 0, false),
      { ...createLaid(second, 'high', 0.012, true), velocity: [0.05, -0.4, 0.02] } as SceneObject,
    ],
    touching,
    probes: [
      { id: 'p', type: 'momentum' },
      { id: 'low', type: 'momentum', object: 'low' },
    ],
    time: { step: 1e-3, duration: 1 },
    solver: SOLVER,
  };
}

export const build = (scene: SceneInput): World => compile(validateScene(scene));

export function readProbes(world: World): (column: string) => number {
  const values = new Float64Array(world.probeColumns.length);
  world.writeProbes(values);
  const columns = new Map(world.probeColumns.map((column, k) => [column, values[k]]));
  return (column) => {
    const value = columns.get(column);
    if (value === undefined) throw new Error(`no column ${column}`);
    return value;
  };
}

export const readVector = (read: (column: string) => number, id: string): number[] =>
  ['x', 'y', 'z'].map((axis) => read(`${id}.${axis}`));

export const computeDistance = (a: readonly number[], b: readonly number[]): number =>
  Math.hypot(...a.map((value, k) => value - b[k]));
