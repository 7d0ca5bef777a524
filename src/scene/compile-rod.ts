/** Rods of a scene: what they start as, and where drivers and point masses want a node. */
import type { Vec3 } from '../math/index.ts';
import { deg, HeddleError, MATERIAL_PRESETS, SHEET_MATERIAL_PRESETS } from '../model/index.ts';
import { createPlacedHelix } from '../patterns/index.ts';
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

export function createRod(object: SceneRod, scene: Scene): Rod {
  const points = createPoints(object);
  const isAdaptive = object.mode === 'rh';
  return new Rod({
    id: object.id,
    material: createRodMaterial(object, scene),
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

/** The centre line at the start. */
export function createPoints({ id, points, shape }: SceneRod): readonly Vec3[] {
  if (points) return points;
  switch (shape?.type) {
    case 'straight':
      return [shape.from, shape.to];
    case 'arc':
      return createPlacedHelix({ ...shape, pitch: 0, turns: deg(shape.angle) / (2 * Math.PI) });
    case 'helix':
      return createPlacedHelix(shape);
    default:
      throw new HeddleError(`rod "${id}" has neither points nor a shape; give one of the two.`);
  }
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
