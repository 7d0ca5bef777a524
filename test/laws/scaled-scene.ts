/**
 * A scene made s times as large, of the same densities under the same gravity (Froude's similarity):
 *     length s    time s^½    mass s³    so that    velocity s^½    acceleration 1    force s³    stress s    energy s⁴
 * Every dimensionless number of the scene stays as it is, so its motion is the same but for its scale. With s a power of
 * four all factors are powers of two and floating-point numbers scale exactly.
 */
import { MATERIAL_PRESETS, type Scene } from 'heddle';

/** Power of s by the name of a field; `parent.field` where a name means several things. */
const POWERS: Readonly<Record<string, number>> = {
  gravity: 0,
  // materials
  density: 0,
  radius: 1,
  youngsModulus: 1,
  poissonRatio: 0,
  linearDensity: 2,
  stretchStiffness: 3,
  bendingStiffness: 5,
  friction: 0,
  // strands
  points: 1,
  nodes: 0,
  restLength: 1,
  velocity: 0.5,
  slide: 0.5,
  point: 1,
  inertia: 5,
  at: 0,
  mass: 3,
  'damping.mass': -0.5,
  'damping.stiffness': 0.5,
  near: 0,
  far: 0,
  stock: 1,
  speed: 0.5,
  'speed.value': 0.5,
  torque: 4,
  'torque.value': 4,
  brake: 4,
  // bodies
  size: 1,
  length: 1,
  position: 1,
  axis: 0,
  angle: 0,
  angularVelocity: -0.5,
  opacity: 0,
  // drivers and time
  time: 0.5,
  from: 0.5,
  until: 0.5,
  'velocity.value': 0.5,
  'force.value': 3,
  'rest.value': 0,
  'value.value': 0,
  airDensity: 0,
  dragCoefficient: 0,
  step: 0.5,
  duration: 0.5,
  smallest: 0.5,
  tolerance: 0,
  newtonIterations: 0,
};

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

function scaleValue(value: Json, parent: string, field: string, s: number): Json {
  if (Array.isArray(value)) return value.map((entry) => scaleValue(entry, parent, field, s));
  if (typeof value === 'object' && value !== null) return scaleFields(value as { [key: string]: Json }, field, s);
  if (typeof value !== 'number') return value;
  const power = POWERS[`${parent}.${field}`] ?? POWERS[field];
  if (power === undefined) throw new Error(`say in POWERS how "${field}" of "${parent}" scales`);
  return value * s ** power;
}

/** Scales the fields of an object that stands in the field `name`, or that says its type itself. */
function scaleFields(fields: { readonly [key: string]: Json }, name: string, s: number): Json {
  const parent = typeof fields.type === 'string' ? fields.type : name;
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, scaleValue(value, parent, key, s)]),
  );
}

/** The scene s times as large; without what only a picture or a run folder needs, and without its end condition. */
export function scaleScene(scene: Scene, s: number): Scene {
  const objects = scene.objects.map((object) => ({
    ...object,
    material:
      typeof object.material === 'string'
        ? (scene.materials[object.material] ?? describePreset(object.material))
        : object.material,
  }));
  const { gravity, bodies, drivers, time, solver } = scene;
  const physics = { gravity, objects, bodies, drivers, time, solver } as unknown as { [key: string]: Json };
  return { ...scene, ...(scaleFields(physics, 'scene', s) as object), expect: [] } as Scene;
}

function describePreset(name: string) {
  const { name: _, title: _title, source: _source, ...description } = MATERIAL_PRESETS.find((p) => p.name === name)!;
  return description;
}

/** An OBJ file s times as large. */
export const scaleObj = (text: string, s: number): string =>
  text.replace(/^v (.*)$/gm, (_, numbers: string) => `v ${numbers.split(/\s+/).map((n) => Number(n) * s).join(' ')}`); // biome-ignore format: one line
