/** Fabrics of a scene: layers laid on one another as one net of yarns, and the regions of them that drivers and probes name. */
import type { Body } from '../bodies/index.ts';
import { addLayerContacts, Fabric, type FabricOptions, type StitchLine } from '../fabric/index.ts';
import {
  addVec3,
  computeHypot2,
  IDENTITY_QUATERNION,
  type Quaternion,
  quaternionFromAxisAngle,
  rotateVec3,
  type Vec3,
} from '../math/index.ts';
import {
  computeStrandMaterial,
  deg,
  HeddleError,
  MATERIAL_PRESETS,
  SHEET_MATERIAL_PRESETS,
  type StrandMaterial,
} from '../model/index.ts';
import { joinNets, placeNet } from '../patterns/index.ts';
import { type LaidLayer, layPattern, type ReadPatternFile, type SceneLayer } from './fabric-patterns.ts';
import type { Material, On, Scene, SceneFabric } from './schema.ts';

/** Relative to a layer's size: what is nearer to a line than this is on it. */
const SAME_PLACE = 1e-9;

/** Where the nodes of a layer are in the fabric, and in the layer. */
export interface PlannedLayer extends Omit<LaidLayer, 'net'> {
  readonly id: string | undefined;
  readonly firstNode: number;
  readonly firstYarn: number;
  /** X and Y of its nodes in the layer, two each [m]. */
  readonly place: Float64Array;
}

/** What a fabric is made from, and what names its parts. */
export interface FabricPlan {
  readonly id: string;
  readonly options: FabricOptions;
  readonly layers: readonly PlannedLayer[];
}

/** A fabric with what names its parts. */
export interface FabricPart {
  readonly fabric: Fabric;
  readonly plan: FabricPlan;
}

export function createFabric(
  object: SceneFabric,
  scene: Scene,
  bodies: ReadonlyMap<string, Body>,
  readFile: ReadPatternFile,
): FabricPart {
  const plan = planFabric(object, scene, readFile);
  const net = addLayerContacts(plan.options.net, {
    layers: plan.options.layers,
    materials: plan.options.materials,
    between: object.contacts.atStart,
    stitches: object.seams.map((seam) => createSeam(seam, object, plan)),
  });
  const touched = object.contact ? [...bodies.values()] : [];
  return { fabric: new Fabric({ ...plan.options, net, bodies: touched }), plan };
}

/** A seam where the cloth is at the start. */
function createSeam(seam: SceneFabric['seams'][number], object: SceneFabric, { layers }: FabricPlan): StitchLine {
  const [a, b] = seam.layers.map((name) => findLayer(layers, name));
  const { origin } = layers[a];
  const { position, rotation } = object.layers[a];
  const points = seam.line.map(([X, Y]): Vec3 => {
    const own = rotateVec3(createRotation(rotation), [origin[0] + X, 0, origin[1] - Y]);
    return addVec3(object.position, rotateVec3(createRotation(object.rotation), addVec3(position, own)));
  });
  return { layers: a < b ? [a, b] : [b, a], points, pitch: seam.spacing };
}

export function planFabric(object: SceneFabric, scene: Scene, readFile: ReadPatternFile): FabricPlan {
  const materials: StrandMaterial[] = [];
  const known = new Map<SceneLayer['material'], number>();
  const takeMaterial = (material: SceneLayer['material']): number => {
    const index = known.get(material) ?? materials.push(createYarnMaterial(material, scene)) - 1;
    known.set(material, index);
    return index;
  };
  const frictions: number[] = [];
  const laid = object.layers.map((layer, k) => {
    const index = { warp: takeMaterial(layer.material), weft: takeMaterial(layer.secondMaterial ?? layer.material) };
    const [warp, weft] = [materials[index.warp], materials[index.weft]];
    frictions.push(layer.friction ?? (warp.friction + weft.friction) / 2);
    return layPattern(layer, layer.id ?? `layer ${k}`, { warp, weft, index }, readFile);
  });
  const turn = createRotation(object.rotation);
  const nets = laid.map(({ net }, k) => {
    const { position, rotation } = object.layers[k];
    return placeNet(placeNet(net, position, createRotation(rotation)), object.position, turn);
  });
  let [firstNode, firstYarn] = [0, 0];
  const layers = laid.map(({ net, ...rest }, k): PlannedLayer => {
    const layer = { ...rest, id: object.layers[k].id, firstNode, firstYarn, place: computePlaces(net.x, rest.origin) };
    firstNode += net.role.length;
    firstYarn += net.yarnLength.length;
    return layer;
  });
  return {
    id: object.id,
    layers,
    options: {
      id: object.id,
      net: joinNets(nets),
      materials,
      layers: laid.map(({ options }) => options),
      friction: computeFriction(frictions, object.friction),
      bodyFriction: object.bodyFriction ?? materials[0].friction,
      damping: object.damping,
      gravity: scene.gravity,
      velocity: object.velocity,
      transition: object.transition,
      findsContacts: object.contacts.whileRunning,
    },
  };
}

export function createYarnMaterial(material: string | Material, scene: Scene): StrandMaterial {
  if (typeof material !== 'string') return computeStrandMaterial(material);
  const presets = [...MATERIAL_PRESETS, ...SHEET_MATERIAL_PRESETS];
  return computeStrandMaterial(scene.materials[material] ?? presets.find(({ name }) => name === material)!);
}

const createRotation = (rotation: { readonly axis: Vec3; readonly angle: number } | undefined): Quaternion =>
  rotation ? quaternionFromAxisAngle(rotation.axis, deg(rotation.angle)) : IDENTITY_QUATERNION;

/** X along x and Y along −z, both 0 at the lower left of the layer. */
function computePlaces(x: Float64Array, [left, low]: readonly [number, number]): Float64Array {
  const place = new Float64Array((2 * x.length) / 3);
  for (let i = 0; 3 * i < x.length; i++) {
    place[2 * i] = x[3 * i] - left;
    place[2 * i + 1] = low - x[3 * i + 2];
  }
  return place;
}

/** μ of each layer on each: its own on the diagonal, elsewhere that of the fabric or √(μ₁ μ₂). */
function computeFriction(own: readonly number[], between: number | undefined): Float64Array {
  const n = own.length;
  const friction = new Float64Array(n * n);
  for (let a = 0; a < n; a++)
    for (let b = 0; b < n; b++) friction[a * n + b] = a === b ? own[a] : (between ?? Math.sqrt(own[a] * own[b]));
  return friction;
}

/** Number of the layer that a scene names by number or name; −1 where there is none. */
export function findLayer(layers: readonly { readonly id?: string | undefined }[], name: string | number): number {
  return typeof name === 'number' ? (name < layers.length ? name : -1) : layers.findIndex(({ id }) => id === name);
}

/** Nodes of a fabric that a scene names, in increasing order. */
export function listFabricNodes(on: Omit<On, 'object'>, { id, layers, options: { net } }: FabricPlan): number[] {
  const chosen = on.layer === undefined ? layers : [layers[findLayer(layers, on.layer)]];
  const nodes = chosen.flatMap((layer) => listLayerNodes(on, layer, net.x, net.yarn));
  if (nodes.length === 0)
    throw new HeddleError(`no node of fabric "${id}" is in that region; make it larger, or name a point with "at".`);
  return nodes;
}

function listLayerNodes(on: Omit<On, 'object'>, layer: PlannedLayer, x: Float64Array, yarn: Int32Array): number[] {
  const { place, firstNode, firstYarn, size, rim, warps } = layer;
  const count = place.length / 2;
  if (Array.isArray(on.at)) return [firstNode + findNearest(on.at, layer, yarn)];
  const slack = SAME_PLACE * computeHypot2(size[0], size[1]);
  const isOn = (isInside: (node: number) => boolean): number[] => {
    const nodes: number[] = [];
    for (let i = 0; i < count; i++) if (isInside(i)) nodes.push(firstNode + i);
    return nodes;
  };
  const isAtSide = (side: string, i: number): boolean => {
    const k = side === 'left' || side === 'right' ? 0 : 1;
    const value = place[2 * i + k];
    return (side === 'left' || side === 'bottom' ? value : size[k] - value) <= rim[k] + slack;
  };
  const isBetween = (value: number, a: number, b: number): boolean =>
    value >= Math.min(a, b) - slack && value <= Math.max(a, b) + slack;
  const isOnYarns = (i: number, from: number, to: number): boolean =>
    [0, 1].some((k) => {
      const own = yarn[2 * (firstNode + i) + k];
      return own >= 0 && isBetween(own - firstYarn, from, to);
    });
  if (on.corner) return isOn((i) => on.corner!.split('-').every((side) => isAtSide(side, i)));
  if (on.side) return isOn((i) => isAtSide(on.side!, i));
  if (on.box) {
    const [a, b] = on.box;
    return isOn((i) => [0, 1].every((k) => isBetween(place[2 * i + k], a[k], b[k])));
  }
  if (on.warps) return isOn((i) => isOnYarns(i, on.warps![0], Math.min(on.warps![1], warps - 1)));
  if (on.wefts) return isOn((i) => isOnYarns(i, warps + on.wefts![0], warps + on.wefts![1]));
  const [a, b] = on.worldBox!;
  return isOn((i) => [0, 1, 2].every((k) => isBetween(x[3 * (firstNode + i) + k], a[k], b[k])));
}

/** The crossing nearest to a point of a layer. */
function findNearest(at: readonly number[], { place, firstNode }: PlannedLayer, yarn: Int32Array): number {
  let [nearest, distance] = [0, Number.POSITIVE_INFINITY];
  for (let i = 0; 2 * i < place.length; i++) {
    if (yarn[2 * (firstNode + i) + 1] < 0) continue;
    const here = computeHypot2(place[2 * i] - at[0], place[2 * i + 1] - at[1]);
    if (here < distance) [nearest, distance] = [i, here];
  }
  return nearest;
}

/** Mass of the yarns around a node: half of each piece to the next on either side [kg]. */
export function computeNodeMass({ state }: Fabric, node: number): number {
  const { q, yarn, before, after } = state;
  let mass = 0;
  for (let s = 2 * node; s < 2 * node + 2; s++) {
    if (yarn[s] < 0) continue;
    const [a, b] = [before[s] < 0 ? s : before[s], after[s] < 0 ? s : after[s]];
    mass += (state.materialOf(yarn[s]).linearDensity * (q[state.materialIndex(b)] - q[state.materialIndex(a)])) / 2;
  }
  return mass;
}
