/**
 * Reads a clip of a glTF 2.0 asset (.glb, or .gltf with embedded buffers) as poses of its triangles, evenly in time over the clip:
 * channels of nodes (translation, rotation, scale) and of morph weights, by the clip's own interpolation (LINEAR, rotations on the great
 * arc; STEP; CUBICSPLINE), then
 *
 *     p  = position + Σ weight_m target_m                   morph targets
 *     x  = Σ_j w_j W_j B_j p      W_j world matrix of joint j, B_j its inverse bind matrix, Σ w_j = 1        skins
 *     x  = W p                    W that of the node                                                          otherwise
 */
import { mat3, slerpQuaternion } from '../math/index.ts';
import { describeJson, isRecord, type Json } from './gltf-container.ts';
import { apply, compose, composeParts, GltfReader, IDENTITY, type PlacedNode, type Placement } from './gltf-read.ts';
import type { ReadMeshOptions } from './mesh-file.ts';
import { checkPoseSize, joinPoses, type MeshPoses } from './mesh-poses.ts';

export interface ReadClipOptions extends ReadMeshOptions {
  /** Name of the clip, or its number from 0. Default: the first. */
  readonly clip?: string | number | undefined;
  /** At least so many poses a second. Default 60. */
  readonly framesPerSecond?: number | undefined;
}

export interface MeshClip extends MeshPoses {
  /** From one pose to the next [s]; the first is at 0, the last at the clip's end. */
  readonly interval: number;
}

const PATHS = { translation: 3, rotation: 4, scale: 3, weights: 0 } as const;
type Path = keyof typeof PATHS;
const INTERPOLATIONS = ['LINEAR', 'STEP', 'CUBICSPLINE'] as const;

interface Channel {
  readonly path: Path;
  readonly times: Float64Array;
  readonly values: Float64Array;
  /** Numbers a key has. */
  readonly width: number;
  readonly interpolation: (typeof INTERPOLATIONS)[number];
}

class ClipReader extends GltfReader {
  /** By node, then by path. */
  readonly #channels = new Map<number, Map<Path, Channel>>();
  #time = 0;
  #worlds = new Map<number, Placement>();
  duration = 0;

  readClip(clip: string | number | undefined): void {
    const animation = this.#findClip(clip);
    const { channels, samplers } = animation;
    if (!Array.isArray(channels) || !Array.isArray(samplers)) this.fail('an animation needs channels and samplers');
    for (const channel of channels) {
      if (!isRecord(channel) || !isRecord(channel.target)) this.fail('a channel of an animation needs a target');
      const { node, path } = channel.target;
      // extensions may name other paths
      if (node === undefined || !Object.hasOwn(PATHS, String(path))) continue;
      this.entry('nodes', node);
      const sampler = samplers[this.whole(channel, 'sampler', samplers.length - 1)];
      if (!isRecord(sampler)) this.fail('a sampler of an animation must be an object');
      const paths = this.#channels.get(node as number) ?? new Map<Path, Channel>();
      paths.set(path as Path, this.#readSampler(sampler, path as Path));
      this.#channels.set(node as number, paths);
    }
    if (this.#channels.size === 0) this.fail('the clip has no motion');
  }

  #findClip(clip: string | number | undefined): Json {
    const animations = this.list('animations');
    if (animations.length === 0)
      this.fail('it has no animation; export it with one, or remove "animation" from the shape');
    if (typeof clip !== 'string') return this.entry('animations', clip ?? 0);
    const names = animations.map((animation) =>
      isRecord(animation) && typeof animation.name === 'string' ? animation.name : '',
    );
    const index = names.indexOf(clip);
    if (index < 0)
      this.fail(
        `it has no clip ${JSON.stringify(clip.slice(0, 60))}; its clips are ${JSON.stringify(names).slice(0, 300)}`,
      );
    return this.entry('animations', index);
  }

  #readSampler(sampler: Json, path: Path): Channel {
    const interpolation = INTERPOLATIONS.find((name) => name === (sampler.interpolation ?? 'LINEAR'));
    if (interpolation === undefined)
      this.fail(
        `the interpolation ${describeJson(sampler.interpolation)} is unknown; ${INTERPOLATIONS.join(', ')} are supported`,
      );
    const times = this.accessor(sampler.input, 'SCALAR');
    const values = this.accessor(sampler.output, path === 'weights' ? 'SCALAR' : path === 'rotation' ? 'VEC4' : 'VEC3');
    for (let i = 0; i < times.length; i++)
      if (!(times[i] >= 0 && Number.isFinite(times[i]) && (i === 0 || times[i] > times[i - 1])))
        this.fail(`key ${i} of a channel is at ${times[i]} s; times must be finite, not negative, and increase`);
    if (!values.every(Number.isFinite)) this.fail('a value of an animation is not finite');
    const width = values.length / (times.length * (interpolation === 'CUBICSPLINE' ? 3 : 1));
    if (times.length === 0 || !Number.isInteger(width) || (path !== 'weights' && width !== PATHS[path]))
      this.fail(`a channel of ${path} has ${values.length} numbers for ${times.length} keys`);
    this.duration = Math.max(this.duration, times[times.length - 1]);
    return { path, times, values, width, interpolation };
  }

  /** Reads all vertices as they are at a time of the clip. */
  readPose(time: number): void {
    this.#time = time;
    this.positions.length = this.indices.length = this.texcoords.length = this.curves.length = 0;
    this.readMeshes();
  }

  override placeNodes(): PlacedNode[] {
    const placed = super.placeNodes();
    this.#worlds = new Map(placed.map(({ index, world }) => [index, world]));
    return placed;
  }

  override readPlacement(node: Json, index: number): Placement {
    const paths = this.#channels.get(index);
    if (paths === undefined || !(paths.has('translation') || paths.has('rotation') || paths.has('scale')))
      return super.readPlacement(node, index);
    const partOf = (path: 'translation' | 'rotation' | 'scale', standard: readonly number[]): readonly number[] => {
      const channel = paths.get(path);
      return channel ? sample(channel, this.#time) : this.numbers(node[path], standard.length, standard, path);
    };
    return composeParts(partOf('translation', [0, 0, 0]), partOf('rotation', [0, 0, 0, 1]), partOf('scale', [1, 1, 1]));
  }

  override readVertices(primitive: Json, mesh: Json, placed: PlacedNode) {
    const { position, placement } = super.readVertices(primitive, mesh, placed);
    const morphed = this.#morph(position, primitive, mesh, placed);
    if (placed.node.skin === undefined) return { position: morphed, placement };
    return { position: this.#skin(morphed, primitive, placed.node), placement: IDENTITY };
  }

  #morph(position: Float64Array, { targets }: Json, mesh: Json, { index, node }: PlacedNode): Float64Array {
    if (!Array.isArray(targets) || targets.length === 0) return position;
    const channel = this.#channels.get(index)?.get('weights');
    const rest = node.weights ?? mesh.weights ?? [];
    const weights = channel ? sample(channel, this.#time) : Array.isArray(rest) ? rest.map(Number) : [];
    const moved = position.slice();
    for (const [m, target] of targets.entries()) {
      const weight = weights[m] ?? 0;
      if (weight === 0 || !isRecord(target) || target.POSITION === undefined) continue;
      const shift = this.accessor(target.POSITION, 'VEC3');
      if (shift.length !== moved.length)
        this.fail(`a morph target moves ${shift.length / 3} of ${moved.length / 3} vertices`);
      this.spend(moved.length);
      for (let i = 0; i < moved.length; i++) moved[i] += weight * shift[i];
    }
    return moved;
  }

  #skin(position: Float64Array, { attributes }: Json, node: Json): Float64Array {
    const matrices = this.#readJoints(this.entry('skins', node.skin));
    const out = new Float64Array(position.length);
    const sum = new Float64Array(position.length / 3);
    this.spend(16 * matrices.length);
    for (let set = 0; isRecord(attributes) && attributes[`JOINTS_${set}`] !== undefined; set++) {
      const joints = this.accessor(attributes[`JOINTS_${set}`], 'VEC4');
      const weights = this.accessor(attributes[`WEIGHTS_${set}`], 'VEC4');
      if (joints.length !== weights.length || 3 * joints.length !== 4 * position.length)
        this.fail(
          `a skin has ${joints.length / 4} joints and ${weights.length / 4} weights for ${position.length / 3} vertices`,
        );
      this.spend(joints.length);
      for (let i = 0; i < joints.length; i++) {
        if (weights[i] === 0) continue;
        const matrix = matrices[joints[i]];
        if (matrix === undefined) this.fail(`a vertex uses joint ${joints[i]}; its skin has ${matrices.length}`);
        const v = 3 * (i >> 2);
        const [x, y, z] = apply(matrix, position[v], position[v + 1], position[v + 2]);
        out[v] += weights[i] * x;
        out[v + 1] += weights[i] * y;
        out[v + 2] += weights[i] * z;
        sum[i >> 2] += weights[i];
      }
    }
    for (let v = 0; v < sum.length; v++) {
      if (!(sum[v] > 0)) this.fail(`vertex ${v} of a skin uses no joint`);
      for (let k = 0; k < 3; k++) out[3 * v + k] /= sum[v];
    }
    return out;
  }

  /** W_j B_j of each joint of a skin. */
  #readJoints({ joints, inverseBindMatrices }: Json): Placement[] {
    if (!Array.isArray(joints)) this.fail('a skin must have a list of joints');
    const inverse = inverseBindMatrices === undefined ? undefined : this.accessor(inverseBindMatrices, 'MAT4');
    if (inverse && inverse.length < 16 * joints.length)
      this.fail(`a skin has ${inverse.length / 16} inverse bind matrices for ${joints.length} joints`);
    return joints.map((joint, j) => {
      const world = this.#worlds.get(joint);
      if (world === undefined) this.fail(`nodes[${describeJson(joint)}] is a joint but not part of the default scene`);
      if (inverse === undefined) return world;
      // Column-major, 4×4.
      const m = inverse.subarray(16 * j, 16 * j + 16);
      return compose(world, {
        linear: mat3(m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10]),
        offset: [m[12], m[13], m[14]],
      });
    });
  }
}

/** The value of a channel at a time; before the first key and after the last that is held. */
function sample({ path, times, values, width, interpolation }: Channel, time: number): number[] {
  const last = times.length - 1;
  const isSpline = interpolation === 'CUBICSPLINE';
  // a key of a spline is tangent in, value, tangent out
  const at = (key: number, part: number): number[] => {
    const start = width * (isSpline ? 3 * key + part : key);
    return Array.from(values.subarray(start, start + width));
  };
  if (time <= times[0]) return at(0, 1);
  if (time >= times[last]) return at(last, 1);
  // the last key at or before the time
  let [i, after] = [0, last];
  while (after - i > 1) {
    const middle = (i + after) >> 1;
    if (times[middle] <= time) i = middle;
    else after = middle;
  }
  if (interpolation === 'STEP') return at(i, 1);
  const span = times[i + 1] - times[i];
  const s = (time - times[i]) / span;
  const [from, to] = [at(i, 1), at(i + 1, 1)];
  if (isSpline) {
    const [out, into] = [at(i, 2), at(i + 1, 0)];
    // Hermite
    const [a, b] = [(2 * s - 3) * s * s + 1, ((s - 2) * s + 1) * s * span];
    const [c, d] = [(3 - 2 * s) * s * s, (s - 1) * s * s * span];
    return from.map((value, k) => a * value + b * out[k] + c * to[k] + d * into[k]);
  }
  if (path === 'rotation') {
    const [x, y, z, w] = from;
    const [qx, qy, qz, qw] = to;
    return [...slerpQuaternion([x, y, z, w], [qx, qy, qz, qw], s)];
  }
  return from.map((value, k) => value + s * (to[k] - value));
}

/** Triangles of the default scene in poses of one of its clips. */
export const readGltfClip = (bytes: Uint8Array, options: ReadClipOptions = {}): MeshClip => {
  const { source = 'glTF file', framesPerSecond = 60 } = options;
  const reader = new ClipReader(bytes, source);
  reader.readClip(options.clip);
  reader.readAsset();
  if (reader.indices.length === 0) reader.fail('the default scene has no triangles');
  const count = Math.max(1, Math.ceil(reader.duration * framesPerSecond - 1e-6));
  checkPoseSize(source, reader.positions.length / 3, count + 1);
  const interval = reader.duration > 0 ? reader.duration / count : 1 / framesPerSecond;
  const poses = Array.from({ length: count + 1 }, (_, k) => {
    reader.readPose(k * interval);
    return Float64Array.from(reader.positions);
  });
  return { ...joinPoses(poses, reader.indices), interval };
};
