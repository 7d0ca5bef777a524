/** Rods of a scene: what they start as, and where drivers and point masses want a node. */
import { addVec3, normalizeQuaternion, normalizeVec3, type Quaternion, rotateVec3, type Vec3 } from '../math/index.ts';
import { deg, HeddleError, MATERIAL_PRESETS, SHEET_MATERIAL_PRESETS } from '../model/index.ts';
import { createKnot, createPlacedHelix } from '../patterns/index.ts';
import {
  computeRodMaterial,
  DEFAULT_REFINEMENT,
  DEFAULT_SLIDING,
  type NaturalStrain,
  Rod,
  type RodMaterial,
  type RodSection,
} from '../rod/index.ts';
import { fractionOf, Polyline } from '../strand/index.ts';
import { collectPlaces } from './compile.ts';
import type { Scene, SceneRod } from './schema.ts';

/** Drivers that hold the frame at an end. */
const FRAME_DRIVERS: readonly string[] = ['clamp', 'turn', 'twist'];
/**
 * Length of the segment whose frame a driver holds, over the mean spacing. Its frame sits in its middle: of a long one, a clamp
 * would keep half of it from bending, where a cantilever bends most.
 */
const HELD_SEGMENT = 0.1;

/** `points`: its centre line at the start. */
export function createRod(object: SceneRod, scene: Scene, points: readonly Vec3[]): Rod {
  const material = createRodMaterial(object, scene);
  const isAdaptive = object.mode === 'rh';
  return new Rod({
    id: object.id,
    material,
    points,
    segments: object.segments,
    restLength: object.restLength,
    normal: object.normal,
    twist: object.twist,
    natural: createNatural(object, object.restLength ?? new Polyline(points, false).length),
    velocity: object.velocity,
    masses: object.masses.map(({ at, mass }) => ({ at: fractionOf(at), mass })),
    damping: object.damping,
    gravity: scene.gravity,
    keep: listKept(object, scene),
    sliding: choose(object.sliding ?? isAdaptive, DEFAULT_SLIDING),
    refinement: choose(object.refinement ?? isAdaptive, DEFAULT_REFINEMENT),
  });
}

const choose = <Options extends object>(given: boolean | Options, usual: Options): Options | false =>
  given === true ? usual : given;

export function createRodMaterial(object: SceneRod, scene: Scene): RodMaterial {
  const { material, section } = object;
  const presets = [...MATERIAL_PRESETS, ...SHEET_MATERIAL_PRESETS];
  const described =
    typeof material === 'string'
      ? (scene.materials[material] ?? presets.find(({ name }) => name === material)!)
      : material;
  return computeRodMaterial(described, section && createSection(section), object);
}

function createSection(section: NonNullable<SceneRod['section']>): RodSection {
  switch (section.type) {
    case 'circle':
      return { shape: 'circle', radius: section.radius };
    case 'ellipse':
      return { shape: 'ellipse', a: section.a, b: section.b };
    case 'rectangle':
      return { shape: 'rectangle', width: section.width, thickness: section.thickness };
  }
}

/** The centre line at the start; what a pattern refuses is a fault of the scene. */
export function createRodPoints(object: SceneRod, scene: Scene): readonly Vec3[] {
  try {
    return object.points ?? createPattern(object, createRodMaterial(object, scene).radius);
  } catch (error) {
    if (error instanceof RangeError) throw new HeddleError(error.message, { cause: error });
    throw error;
  }
}

/** Arcs and helices have as many corners as the rod has segments: nodes sit on them, and nothing is strained. */
function createPattern({ id, shape, segments }: SceneRod, radius: number): readonly Vec3[] {
  const pieces = typeof segments === 'number' ? segments : segments.length - 1;
  switch (shape?.type) {
    case 'straight':
      return [shape.from, shape.to];
    case 'arc': {
      const turns = deg(shape.angle) / (2 * Math.PI);
      return createPlacedHelix({ ...shape, pitch: 0, turns }, pieces / Math.abs(turns));
    }
    case 'helix':
      return createPlacedHelix(shape, pieces / Math.abs(shape.turns));
    case 'knot': {
      const { name, looseness, tail, mirrored, origin, axis } = shape;
      const knot = createKnot({ name, looseness, tailLength: tail, mirrored, radius, segments: 4 * pieces });
      return placeAlong(knot.points, origin, axis);
    }
    default:
      throw new HeddleError(`rod "${id}" has neither points nor a shape; give one of the two.`);
  }
}

/** Points of a pattern whose axis is x, turned by the least rotation that takes x to `axis`, and moved. */
function placeAlong(points: Float64Array, origin: Vec3, axis: Vec3): Vec3[] {
  const to = normalizeVec3(axis);
  const turn: Quaternion = to[0] < -1 + 1e-12 ? [0, 0, 1, 0] : normalizeQuaternion([0, -to[2], to[1], 1 + to[0]]);
  return Array.from({ length: points.length / 3 }, (_, n) =>
    addVec3(origin, rotateVec3(turn, [points[3 * n], points[3 * n + 1], points[3 * n + 2]])),
  );
}

function createNatural({ natural }: SceneRod, length: number): NaturalStrain {
  if (natural === 'straight') return [0, 0, 0];
  if (natural === 'initial') return 'initial';
  if (!Array.isArray(natural)) return [...natural.curvature, natural.twist];
  return natural.map(({ at, curvature, twist }) => ({ at: at * length, strain: [...curvature, twist] }));
}

/** Shares of the length where a node must stay. */
function listKept(object: SceneRod, scene: Scene): number[] {
  const { id, segments } = object;
  const shares = typeof segments === 'number' ? [0, 1 / segments] : segments;
  const held = HELD_SEGMENT / (typeof segments === 'number' ? segments : segments.length - 1);
  const first = Math.min(held, shares[1]);
  const last = Math.max(1 - held, typeof segments === 'number' ? 0 : segments[segments.length - 2]);
  return [
    ...collectPlaces(id, scene).map(fractionOf),
    ...collectPlaces(id, scene, FRAME_DRIVERS).map((end) => (fractionOf(end) === 0 ? first : last)),
  ];
}
