/** Continua of a scene: particles, materials and bodies of one grid. */
import type { Body } from '../bodies/index.ts';
import { deg, type Limits } from '../model/index.ts';
import {
  ContinuumModel,
  createPaperCurve,
  createPaperSurface,
  type NamedPart,
  type PointMaterial,
  type PointObstacle,
  type PointPart,
} from '../mpm/index.ts';
import { type LaidPart, layPart, type MpmPart, type PatternFiles } from './mpm-patterns.ts';
import type { Scene, SceneMpm } from './schema.ts';

type SceneMaterial = MpmPart['material'];
type MaterialOf<T extends SceneMaterial['type']> = Extract<SceneMaterial, { type: T }>;

export function createContinuumModel(
  object: SceneMpm,
  scene: Scene,
  bodies: ReadonlyMap<string, Body>,
  files: PatternFiles,
  limits: Limits,
): ContinuumModel {
  return new ContinuumModel({
    id: object.id,
    spacing: object.spacing,
    degree: object.kernel === 'cubic' ? 3 : 2,
    implicit: object.integration === 'implicit',
    precision: object.precision,
    longestStep: object.longestStep,
    limits: { gridSubsteps: limits.gridSubsteps },
    touching: object.touching,
    touchingFriction: object.touchingFriction,
    deformation: object.deformation,
    paperWeights: object.paperWeights,
    gravity: scene.gravity,
    parts: object.parts.map((part) => createPart(part, object, files)),
    obstacles: listObstacles(object, bodies),
  });
}

/** All bodies of the scene, or those that the continuum names. */
function listObstacles(object: SceneMpm, bodies: ReadonlyMap<string, Body>): PointObstacle[] {
  const margin = object.margin ?? object.spacing / 2;
  return [...bodies.values()].flatMap((body): PointObstacle[] => {
    const named = object.bodies.find((one) => one.body === body.id);
    if (named) return [{ body, condition: named.condition, friction: named.friction, margin }];
    return object.contact ? [{ body, margin }] : [];
  });
}

function createPart(part: MpmPart, { spacing }: SceneMpm, files: PatternFiles): NamedPart {
  const laid = layPart(part, spacing, files);
  const { x, elements, volume, look } = laid;
  const v = createVelocities(part, laid);
  const material = createPointMaterial(part.material);
  return { id: part.id, part: joinPart(material, { x, v, elements, volume }), look };
}

interface PartArrays extends Pick<LaidPart, 'x' | 'elements' | 'volume'> {
  readonly v: Float64Array | undefined;
}

function joinPart(material: PointMaterial, { x, v, elements, volume }: PartArrays): PointPart {
  if (material.type === 'surface') return { material, x, v, triangles: elements };
  if (material.type === 'curve') return { material, x, v, segments: elements };
  return { material, x, v, volume };
}

/** v + ω × (x − position) */
function createVelocities({ velocity, angularVelocity, position }: MpmPart, { x }: LaidPart): Float64Array | undefined {
  if (velocity === undefined && angularVelocity === undefined) return undefined;
  const v = new Float64Array(x.length);
  const w = angularVelocity ?? [0, 0, 0];
  for (let i = 0; i < x.length; i += 3)
    for (let k = 0; k < 3; k++) {
      const [a, b] = [(k + 1) % 3, (k + 2) % 3];
      v[i + k] = (velocity?.[k] ?? 0) + w[a] * (x[i + b] - position[b]) - w[b] * (x[i + a] - position[a]);
    }
  return v;
}

/** Numbers of a scene's material in the engine's units; those of a preset where it says nothing. */
export function createPointMaterial(material: SceneMaterial): PointMaterial {
  switch (material.type) {
    case 'surface': {
      const { preset, ...own } = material;
      const base = preset === undefined ? {} : createPaperSurface(preset, own.thickness);
      return { ...base, ...toRadians(own) } as PointMaterial;
    }
    case 'curve': {
      const { preset, ...own } = material;
      const base = preset === undefined ? {} : createPaperCurve(preset, own.radius);
      return { ...base, ...toRadians(own) } as PointMaterial;
    }
    case 'sand':
      return toRadians(material) as MaterialOf<'sand'>;
    default:
      return material;
  }
}

/** The friction angle of scenes is in degrees. */
const toRadians = <T extends { readonly frictionAngle?: number | undefined }>(own: T): T =>
  own.frictionAngle === undefined ? own : { ...own, frictionAngle: deg(own.frictionAngle) };
