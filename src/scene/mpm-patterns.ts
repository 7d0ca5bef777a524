/** Patterns of a continuum: from what a scene says to particles, elements between them, and how they are shown. */
import type { Shape } from '../bodies/index.ts';
import type { MeshFile } from '../io/mesh-file.ts';
import {
  computeCubeRoot,
  IDENTITY_QUATERNION,
  type Quaternion,
  quaternionFromAxisAngle,
  rotateVec3,
  type Vec3,
} from '../math/index.ts';
import { deg, HeddleError } from '../model/index.ts';
import type { PartLook } from '../mpm/index.ts';
import {
  addBorder,
  type CurveSet,
  createBundle,
  createGarter,
  createHairField,
  createHeelStitch,
  createKnitCurves,
  createLinenStitch,
  createPolylineSet,
  createRib,
  createSeed,
  createSlipHoneycomb,
  createStockinette,
  createTubeMesh,
  createYoke,
  fillShape,
  findKnitFault,
  joinCourses,
  joinCurves,
  type Knit,
  repeatKnit,
  rollCurves,
  trimCurves,
} from '../patterns/index.ts';
import { createBoxCharts } from './box-charts.ts';
import type { SceneMpm, SceneShape } from './schema.ts';
import { MPM_PATTERNS } from './schema-mpm.ts';
import { createSheetStart } from './sheet-mesh.ts';

export type MpmPart = SceneMpm['parts'][number];
type MpmPattern = MpmPart['pattern'];
type PatternOf<T extends MpmPattern['type']> = Extract<MpmPattern, { type: T }>;

/** Reads what patterns name. */
export interface PatternFiles {
  readMesh(file: string): MeshFile;
  createShape(shape: SceneShape): Shape;
}

/** Where a part lies at the start; elements by vertices, 3 or 2 each, none of bulk. */
export interface LaidPart {
  readonly x: Float64Array;
  readonly elements: Int32Array;
  /** Of a particle of bulk [m³], else 0. */
  readonly volume: number;
  readonly look: PartLook;
}

export type PartKind = keyof typeof MPM_PATTERNS;

/** What a pattern makes. */
export const kindOf = (type: string): PartKind | undefined =>
  (Object.keys(MPM_PATTERNS) as PartKind[]).find((kind) => (MPM_PATTERNS[kind] as readonly string[]).includes(type));

/** Particles of a part in the world. What patterns refuse becomes a HeddleError. */
export function layPart(part: MpmPart, spacing: number, files: PatternFiles): LaidPart {
  try {
    return placePart(part, layPattern(part, spacing, files));
  } catch (error) {
    if (error instanceof RangeError) throw new HeddleError(error.message.replace(/^\w+: /, 'its pattern: '));
    throw error;
  }
}

function layPattern(part: MpmPart, spacing: number, files: PatternFiles): LaidPart {
  const { pattern } = part;
  switch (pattern.type) {
    case 'fill': {
      const shape = files.createShape(pattern.shape);
      const apart = spacing / computeCubeRoot(pattern.particlesPerCell);
      const { x, volume } = fillShape({ ...pattern, shape, spacing: apart });
      return { x, elements: new Int32Array(0), volume, look: { type: 'bulk' } };
    }
    case 'tube': {
      const { x, triangles, X, vertices, cutTriangles } = createTubeMesh({
        ...pattern,
        ...(pattern.topRadius === undefined ? { topRadius: pattern.radius } : { topRadius: pattern.topRadius }),
      });
      return { x, elements: triangles, volume: 0, look: { type: 'surface', X, triangles: cutTriangles, vertices } };
    }
    case 'lines':
      return layCurves(createLines(pattern));
    case 'hairs':
      return layCurves(createHairField(pattern));
    case 'bundle':
      return layCurves(createBundle(pattern));
    case 'knit':
      return layCurves(createKnitSet(pattern, part.material));
    default: {
      const file = pattern.type === 'mesh' ? files.readMesh(pattern.file) : undefined;
      if (file && file.texcoords === undefined) return layForm(file);
      const { x, X, triangles } = createSheetStart({ shape: pattern, folds: [], position: [0, 0, 0] }, files.readMesh);
      return { x, elements: triangles, volume: 0, look: { type: 'surface', X, triangles } };
    }
  }
}

/** A mesh of any form: its own shape at rest. */
function layForm({ positions, indices }: MeshFile): LaidPart {
  const look: PartLook = { type: 'surface', ...createBoxCharts(positions, indices) };
  return { x: Float64Array.from(positions), elements: Int32Array.from(indices), volume: 0, look };
}

function createLines({ lines, size, copies, shift }: PatternOf<'lines'>): CurveSet {
  const all = Array.from({ length: copies }, (_, n) =>
    lines.map((line) => line.map(([x, y, z]): Vec3 => [x + n * shift[0], y + n * shift[1], z + n * shift[2]])),
  );
  return createPolylineSet(all.flat(), size);
}

const KNITS: Readonly<Record<PatternOf<'knit'>['stitch'], () => Knit>> = {
  stockinette: () => createStockinette(),
  garter: () => createGarter(),
  seed: () => createSeed(),
  linen: () => createLinenStitch(),
  heel: () => createHeelStitch(),
  rib: () => createRib({ knit: 1, purl: 1 }),
  honeycomb: () => createSlipHoneycomb({ width: 3, height: 2 }),
};

/** The yarn of a knit, or its rings; of stitches that cannot be cast on alone with a border of knit stitches. */
function createKnitSet(pattern: PatternOf<'knit'>, material: MpmPart['material']): CurveSet {
  const { stitch, courses, wales, segments, form, slope } = pattern;
  const bare = repeatKnit(KNITS[stitch](), { courses, wales });
  const knit = findKnitFault(bare) === undefined ? bare : addBorder(bare, { below: 1, above: 1, sides: 1 });
  const [wale, course] = pattern.spacing;
  const radius = material.type === 'curve' ? material.radius : 0;
  const yarn = { knit, spacing: { wale, course }, radius, segments };
  if (form === 'yoke') return createYoke({ ...yarn, slope: deg(slope ?? 0) });
  const courseCurves = createKnitCurves(yarn);
  // the free ends beside the first and last wale are one stretch long
  return form === 'tube' ? rollCurves(joinCurves(trimCurves(courseCurves, segments))) : joinCourses(courseCurves);
}

/** Segments between points that follow each other. */
function layCurves({ x, start, closed }: CurveSet): LaidPart {
  const elements: number[] = [];
  const shown: number[] = [];
  const starts = [0];
  for (let c = 0; c + 1 < start.length; c++) {
    for (let i = start[c]; i < start[c + 1]; i++) {
      if (i > start[c]) elements.push(i - 1, i);
      shown.push(i);
    }
    if (closed) {
      elements.push(start[c + 1] - 1, start[c]);
      shown.push(start[c]);
    }
    starts.push(shown.length);
  }
  const look: PartLook = {
    type: 'curves',
    start: Int32Array.from(starts),
    ...(closed && { vertices: Int32Array.from(shown) }),
  };
  return { x, elements: Int32Array.from(elements), volume: 0, look };
}

const createTurn = ({ rotation }: MpmPart): Quaternion =>
  rotation ? quaternionFromAxisAngle(rotation.axis, deg(rotation.angle)) : IDENTITY_QUATERNION;

function placePart(part: MpmPart, laid: LaidPart): LaidPart {
  const turn = createTurn(part);
  const x = new Float64Array(laid.x.length);
  for (let i = 0; i < x.length; i += 3) {
    const turned = rotateVec3(turn, [laid.x[i], laid.x[i + 1], laid.x[i + 2]]);
    for (let k = 0; k < 3; k++) x[i + k] = part.position[k] + turned[k];
  }
  return { ...laid, x };
}
