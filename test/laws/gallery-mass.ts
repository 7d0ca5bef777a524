/** The mass of a gallery scene by its materials and shapes alone, without the engine's own sums. */
import { readFileSync } from 'node:fs';
import {
  computeSheetMaterial,
  computeStrandMaterial,
  MATERIAL_PRESETS,
  type Scene,
  SHEET_MATERIAL_PRESETS,
} from 'heddle';
import { PAPER_MATERIALS } from 'heddle/mpm';
import { createKnot, createPlacedHelix } from 'heddle/patterns';
import { computeRodMaterial } from 'heddle/rod';
import { build, GALLERY } from './gallery-scenes.ts';

type SceneObject = Scene['objects'][number];
type ScenePart = Extract<SceneObject, { type: 'mpm' }>['parts'][number];

/** Linear density × rest length + point masses + areal density × area + density × volume, and dynamic bodies [kg]. */
export const computeSceneMass = (scene: Scene): number =>
  scene.objects.reduce((sum, object) => sum + computeObjectMass(scene, object), 0) +
  scene.bodies.filter(({ motion }) => motion === 'dynamic').reduce((sum, body) => sum + computeBodyMass(body), 0);

/** Linear density × rest length + point masses, or areal density × area [kg], from the scene alone. */
function computeObjectMass(scene: Scene, object: SceneObject): number {
  if (object.type === 'fabric') return computeFabricMass(scene, object);
  if (object.type === 'mpm') return object.parts.reduce((sum, part) => sum + computePartMass(scene, part), 0);
  const { material } = object;
  const presets = [...MATERIAL_PRESETS, ...SHEET_MATERIAL_PRESETS];
  const described =
    typeof material === 'string'
      ? (scene.materials[material] ?? presets.find((preset) => preset.name === material))
      : material;
  if (object.type === 'sheet') {
    return computeSheetMaterial(described!).arealDensity * computeSheetArea(object.shape);
  }
  const { restLength, masses } = object;
  const { linearDensity } = object.type === 'rod' ? computeRodMaterial(described!) : computeStrandMaterial(described!);
  const length = restLength ?? computePolylineLength(listPoints(object, described?.radius));
  return linearDensity * length + masses.reduce((sum, { mass }) => sum + mass, 0);
}

/** Linear density × lengths of warps and wefts of flat cloth without crimp, or of the yarns of a knit [kg]. */
function computeFabricMass(scene: Scene, { id, layers }: Extract<SceneObject, { type: 'fabric' }>): number {
  return layers.reduce((sum, { pattern, material, secondMaterial }) => {
    if ('tightness' in pattern && layers.length === 1 && !secondMaterial && typeof material === 'string') {
      const yarns = build(scene)
        .frame()
        .objects.find((one) => one.id === id);
      if (yarns?.type !== 'yarns') throw new Error(`"${id}" has no yarns`);
      const { linearDensity } = computeStrandMaterial(scene.materials[material]);
      return sum + linearDensity * yarns.restLength.reduce((length, one) => length + one, 0);
    }
    if ('tightness' in pattern || pattern.crimp !== 0 || pattern.margin || secondMaterial || pattern.width)
      throw new Error('the length of such yarns has no formula in this test; add it');
    const { warps = 0, wefts = 0, spacing = 0 } = pattern;
    const [x, y] = typeof spacing === 'number' ? [spacing, spacing] : spacing;
    const described =
      typeof material === 'string'
        ? (scene.materials[material] ?? MATERIAL_PRESETS.find((preset) => preset.name === material)!)
        : material;
    return sum + computeStrandMaterial(described).linearDensity * (warps * wefts * y + wefts * warps * x);
  }, 0);
}

/** Density × volume: of a shape, of an area times thickness, of lengths times the section of fibres [kg]. */
function computePartMass(scene: Scene, { id, pattern, material }: ScenePart): number {
  const preset = 'preset' in material ? PAPER_MATERIALS.find(({ name }) => name === material.preset) : undefined;
  const density = (material.density ?? preset?.density)!;
  if (pattern.type === 'fill') return density * computeShapeVolume(pattern.shape);
  if (material.type === 'surface' && pattern.type === 'rectangle')
    return density * material.thickness * pattern.width * pattern.height;
  if (material.type === 'surface' && pattern.type === 'mesh')
    return density * material.thickness * computeFileArea(pattern.file);
  if (material.type === 'surface' && pattern.type === 'polygon') {
    const holes = pattern.holes.reduce((sum, hole) => sum + computeLoopArea(hole), 0);
    return density * material.thickness * (computeLoopArea(pattern.outline) - holes);
  }
  if (material.type === 'surface' && pattern.type === 'tube') {
    // flat sides of a prism
    if (pattern.topRadius) throw new Error('the area of a cone has no formula in this test; add it');
    const { radius, columns, height } = pattern;
    return density * material.thickness * 2 * columns * radius * Math.sin(Math.PI / columns) * height;
  }
  const shown = build(scene)
    .frame()
    .objects.find((one) => one.id === id);
  if (shown?.type !== 'yarns' || material.type !== 'curve')
    throw new Error(`the volume of "${id}" has no formula in this test; add it`);
  return density * Math.PI * material.radius ** 2 * shown.restLength.reduce((length, one) => length + one, 0);
}

/** Of the triangles of an OBJ file [m²]. */
function computeFileArea(file: string): number {
  const lines = readFileSync(new URL(file, GALLERY), 'utf8').split('\n');
  const read = (key: string): number[][] =>
    lines.filter((line) => line.startsWith(`${key} `)).map((line) => line.split(' ').slice(1).map(Number));
  const points = read('v');
  return read('f').reduce((sum, corners) => {
    const [a, b, c] = corners.map((corner) => points[corner - 1]);
    const [u, v] = [b, c].map((end) => end.map((value, k) => value - a[k]));
    return (
      sum + Math.hypot(...[0, 1, 2].map((k) => u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3])) / 2
    );
  }, 0);
}

/** [m²] */
function computeSheetArea(shape: Extract<SceneObject, { type: 'sheet' }>['shape']): number {
  if (shape.type === 'rectangle') return shape.width * shape.height;
  if (shape.type !== 'polygon') throw new Error('the area of such a sheet has no formula in this test; add it');
  return computeLoopArea(shape.outline) - shape.holes.reduce((sum, hole) => sum + computeLoopArea(hole), 0);
}

/** [m²] */
const computeLoopArea = (loop: readonly (readonly [number, number])[]): number =>
  Math.abs(
    loop.reduce((sum, [x, y], i) => {
      const [nextX, nextY] = loop[(i + 1) % loop.length];
      return sum + (x * nextY - nextX * y) / 2;
    }, 0),
  );

/** [m³] */
function computeShapeVolume(shape: Scene['bodies'][number]['shape']): number {
  if (shape.type === 'box') return shape.size[0] * shape.size[1] * shape.size[2];
  if (shape.type === 'cylinder') return Math.PI * shape.radius ** 2 * shape.length;
  if (shape.type === 'sphere') return (4 / 3) * Math.PI * shape.radius ** 3;
  throw new Error(`the volume of a ${shape.type} has no formula in this test; add it`);
}

/** The polyline that a strand or rod starts on. */
function listPoints(
  object: Exclude<SceneObject, { type: 'sheet' | 'fabric' | 'mpm' }>,
  radius = Number.NaN,
): readonly number[][] {
  if (object.points) return object.points;
  if (object.type === 'rod' && object.shape?.type === 'knot') {
    const { name, looseness, tail } = object.shape;
    const segments = 4 * (object.segments as number);
    const { points } = createKnot({ name, looseness, tailLength: tail, radius, segments });
    return Array.from({ length: points.length / 3 }, (_, n) => [...points.subarray(3 * n, 3 * n + 3)]);
  }
  if (object.type === 'rod' && object.shape?.type === 'helix')
    return createPlacedHelix(object.shape, (object.segments as number) / Math.abs(object.shape.turns)).map((point) => [
      ...point,
    ]);
  throw new Error('the length of such a rod has no formula in this test; add it');
}

function computePolylineLength(points: readonly number[][]): number {
  let length = 0;
  for (let i = 1; i < points.length; i++)
    length += Math.hypot(...points[i].map((value, k) => value - points[i - 1][k]));
  return length;
}

/** 4/3 π r³ ρ or a b c ρ [kg]; the dynamic bodies of the gallery are spheres and boxes. */
function computeBodyMass({ id, shape, mass, density }: Scene['bodies'][number]): number {
  if (mass !== undefined) return mass;
  if (shape.type === 'sphere') return density! * (4 / 3) * Math.PI * shape.radius ** 3;
  if (shape.type === 'box') return density! * shape.size[0] * shape.size[1] * shape.size[2];
  throw new Error(`the mass of the ${shape.type} "${id}" has no formula in this test; add it`);
}

/** The scene with nothing that holds it, and all of it moving with one velocity. */
export function setLoose(scene: Scene, velocity: [number, number, number]): Scene {
  return {
    ...scene,
    objects: scene.objects.map((object): SceneObject => {
      // without its tie a rod would touch the body that it was fastened to, and start inside it
      if (object.type === 'rod') return { ...object, velocity, contact: { ...object.contact, bodies: false } };
      if (object.type === 'sheet' || object.type === 'fabric') return { ...object, velocity };
      if (object.type === 'mpm') return { ...object, parts: object.parts.map((part) => ({ ...part, velocity })) };
      return { ...object, velocity, slide: 0, guides: [], spools: [], mode: 'lagrangian' };
    }),
    bodies: scene.bodies.map(({ hinge: _, ...body }) =>
      body.motion === 'dynamic' ? { ...body, velocity, angularVelocity: [0, 0, 0] as [number, number, number] } : body,
    ),
    // without ties what they join lies in one place
    touching: { objects: [] },
    drivers: [],
    probes: [{ id: 'p', type: 'momentum' }],
    expect: [],
  };
}
