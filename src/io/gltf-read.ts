/**
 * Reads the triangles and lines of a glTF 2.0 asset (.glb, or .gltf with embedded buffers): every mesh of the default scene
 * at its node's place, merged. Skins, morph targets and materials do not matter here. Compressed geometry is refused.
 *   world matrix of a node = product of the local ones from the root, each a matrix or translation · rotation · scale.
 */
import { determinantMat3, type Mat3, mat3, mat3FromQuaternion, normalizeQuaternion } from '../math/index.ts';
import { describeJson, GltfContainer, isRecord, type Json } from './gltf-container.ts';
import { joinMesh, MESH_LIMITS, type MeshFile, type ReadMeshOptions } from './mesh-file.ts';

/** Extensions that a file may require: they change looks or number formats that are read anyway. */
const HARMLESS = /^(KHR_mesh_quantization|KHR_materials_.*|KHR_texture_.*|KHR_lights_.*|EXT_texture_.*)$/;

const POINTS = 0;
const LINES = 1;
const LINE_LOOP = 2;
const LINE_STRIP = 3;
const TRIANGLES = 4;
const TRIANGLE_STRIP = 5;
const TRIANGLE_FAN = 6;

/** x ↦ linear x + offset. */
export interface Placement {
  readonly linear: Mat3;
  readonly offset: readonly number[];
}

export const IDENTITY: Placement = { linear: mat3(1, 0, 0, 0, 1, 0, 0, 0, 1), offset: [0, 0, 0] };

export const apply = ({ linear: m, offset }: Placement, x: number, y: number, z: number): [number, number, number] => [
  m[0] * x + m[1] * y + m[2] * z + offset[0],
  m[3] * x + m[4] * y + m[5] * z + offset[1],
  m[6] * x + m[7] * y + m[8] * z + offset[2],
];

export const compose = (outer: Placement, inner: Placement): Placement => {
  const linear = new Float64Array(9);
  for (let i = 0; i < 9; i += 3) {
    for (let j = 0; j < 3; j++) {
      for (let k = 0; k < 3; k++) linear[i + j] += outer.linear[i + k] * inner.linear[3 * k + j];
    }
  }
  const [x, y, z] = inner.offset;
  return { linear, offset: apply(outer, x, y, z) };
};

/** translation · rotation · scale */
export const composeParts = (
  translation: readonly number[],
  [x, y, z, w]: readonly number[],
  scale: readonly number[],
): Placement => ({
  linear: mat3FromQuaternion(normalizeQuaternion([x, y, z, w])).map((value, i) => value * scale[i % 3]),
  offset: translation,
});

/** A node of the default scene, and its world placement. */
export interface PlacedNode {
  readonly index: number;
  readonly node: Json;
  readonly world: Placement;
}

export class GltfReader extends GltfContainer {
  readonly positions: number[] = [];
  readonly indices: number[] = [];
  readonly texcoords: number[] = [];
  readonly curves: Float64Array[] = [];
  textured = false;
  curvePoints = 0;
  /** Vertices that were seen to be finite; those of a clip are others in every pose. */
  readonly #checked = new WeakSet<Float64Array>();

  readAsset(): void {
    const required = this.json.extensionsRequired ?? [];
    for (const name of Array.isArray(required) ? required : [required]) {
      if (typeof name !== 'string' || !HARMLESS.test(name)) {
        this.fail(
          `it needs the extension ${describeJson(name)}, which is not supported; export it without compression`,
        );
      }
    }
    this.readMeshes();
    if (this.indices.length === 0 && this.curves.length === 0)
      this.fail('the default scene has no triangles and no lines');
  }

  readMeshes(): void {
    for (const placed of this.placeNodes())
      if (placed.node.mesh !== undefined) this.readMesh(this.entry('meshes', placed.node.mesh), placed);
  }

  /** Nodes of the default or first scene; without scenes, all nodes that are nobody's child. */
  rootNodes(): readonly unknown[] {
    if (this.list('scenes').length > 0) {
      const nodes = this.entry('scenes', this.json.scene ?? 0).nodes ?? [];
      if (!Array.isArray(nodes)) this.fail('the nodes of a scene must be a list');
      return nodes;
    }
    const children = new Set(this.list('nodes').flatMap((node) => (isRecord(node) ? (node.children ?? []) : [])));
    return this.list('nodes')
      .map((_, index) => index)
      .filter((index) => !children.has(index));
  }

  /** All nodes of the scene with their world placements, parents before their children. */
  placeNodes(): PlacedNode[] {
    const visited = new Set<unknown>();
    const placed: PlacedNode[] = [];
    // A list of its own, since a hostile tree can be deeper than the stack. Backwards, so that the first is read first.
    const open: { index: unknown; outer: Placement }[] = [];
    for (const index of [...this.rootNodes()].reverse()) open.push({ index, outer: IDENTITY });
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const node = this.entry('nodes', next.index);
      this.spend(1);
      if (visited.has(next.index)) this.fail(`nodes[${String(next.index)}] has two parents; nodes must form trees`);
      visited.add(next.index);
      const index = next.index as number;
      const world = compose(next.outer, this.readPlacement(node, index));
      placed.push({ index, node, world });
      const children = node.children ?? [];
      if (!Array.isArray(children)) this.fail('the children of a node must be a list');
      for (let i = children.length - 1; i >= 0; i--) open.push({ index: children[i], outer: world });
    }
    return placed;
  }

  numbers(value: unknown, count: number, standard: readonly number[], name: string): readonly number[] {
    const list = value ?? standard;
    if (Array.isArray(list) && list.length === count && list.every(Number.isFinite)) return list as number[];
    this.fail(`the ${name} of a node must be ${count} finite numbers`);
  }

  /** Place of a node in its parent. */
  readPlacement(node: Json, _index: number): Placement {
    if (node.matrix !== undefined) {
      // Column-major, 4×4.
      const m = this.numbers(node.matrix, 16, [], 'matrix');
      return {
        linear: mat3(m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10]),
        offset: [m[12], m[13], m[14]],
      };
    }
    return composeParts(
      this.numbers(node.translation, 3, [0, 0, 0], 'translation'),
      this.numbers(node.rotation, 4, [0, 0, 0, 1], 'rotation'),
      this.numbers(node.scale, 3, [1, 1, 1], 'scale'),
    );
  }

  /** Vertices of a primitive of a node's mesh, and where they are put. */
  readVertices(primitive: Json, _mesh: Json, { world }: PlacedNode): { position: Float64Array; placement: Placement } {
    const { attributes } = primitive;
    if (!isRecord(attributes)) this.fail('a primitive must have attributes');
    return { position: this.accessor(attributes.POSITION, 'VEC3'), placement: world };
  }

  readMesh(mesh: Json, placed: PlacedNode): void {
    if (!Array.isArray(mesh.primitives)) this.fail('a mesh must have a list of primitives');
    for (const primitive of mesh.primitives) {
      if (!isRecord(primitive) || !isRecord(primitive.attributes)) this.fail('a primitive must have attributes');
      const mode = this.whole(primitive, 'mode', TRIANGLE_FAN, TRIANGLES);
      this.spend(1);
      if (mode === POINTS) continue;
      const { position, placement } = this.readVertices(primitive, mesh, placed);
      this.#checkPosition(position);
      const count = position.length / 3;
      const order = primitive.indices === undefined ? undefined : this.accessor(primitive.indices, 'SCALAR');
      for (const index of order ?? []) {
        if (!(index >= 0 && index < count && Number.isInteger(index)))
          this.fail(`a primitive uses vertex ${index}; it has ${count} vertices, from 0`);
      }
      const corners = order ?? Float64Array.from({ length: count }, (_, i) => i);
      if (mode <= LINE_STRIP) this.addLines(mode, corners, position, placement);
      else this.addTriangles(mode, corners, position, primitive.attributes.TEXCOORD_0, placement);
    }
  }

  #checkPosition(position: Float64Array): void {
    if (this.#checked.has(position)) return;
    this.#checked.add(position);
    this.spend(position.length);
    for (let i = 0; i < position.length; i++)
      if (!Number.isFinite(position[i])) this.fail('a vertex position is not finite');
  }

  addTriangles(
    mode: number,
    corners: Float64Array,
    position: Float64Array,
    texture: unknown,
    placement: Placement,
  ): void {
    const texcoord = texture === undefined ? undefined : this.accessor(texture, 'VEC2');
    if (texcoord && 3 * texcoord.length !== 2 * position.length) {
      this.fail(`a primitive has ${position.length / 3} positions and ${texcoord.length / 2} texture coordinates`);
    }
    if (texcoord) this.textured = true;
    const first = this.positions.length / 3;
    const count = mode === TRIANGLES ? Math.floor(corners.length / 3) : Math.max(0, corners.length - 2);
    if (
      this.positions.length + position.length > 3 * MESH_LIMITS.vertices ||
      this.indices.length + 3 * count > MESH_LIMITS.corners
    )
      this.fail(`it has more than ${MESH_LIMITS.vertices} vertices or ${MESH_LIMITS.corners} corners`);
    for (let v = 0; v < position.length; v += 3) {
      const [x, y, z] = this.#place(placement, position, v);
      this.positions.push(x, y, z);
    }
    const mirrored = determinantMat3(placement.linear) < 0;
    for (let t = 0; t < count; t++) {
      // In a strip every second triangle is turned round.
      const flip = mirrored !== (mode === TRIANGLE_STRIP && t % 2 === 1);
      const a = mode === TRIANGLES ? 3 * t : mode === TRIANGLE_FAN ? 0 : t;
      const b = mode === TRIANGLES ? 3 * t + 1 : t + 1;
      for (const corner of flip ? [a, b + 1, b] : [a, b, b + 1]) {
        const vertex = corners[corner];
        this.indices.push(first + vertex);
        this.texcoords.push(texcoord?.[2 * vertex] ?? 0, texcoord?.[2 * vertex + 1] ?? 0);
      }
    }
  }

  /** Vertex at `v` of a primitive in the world. */
  #place(placement: Placement, position: Float64Array, v: number): [number, number, number] {
    const point = apply(placement, position[v], position[v + 1], position[v + 2]);
    if (!point.every(Number.isFinite))
      this.fail(
        'a node moves a vertex out of the number range; its matrix, rotation or scale is too large or undefined',
      );
    return point;
  }

  addLines(mode: number, corners: Float64Array, position: Float64Array, placement: Placement): void {
    const addCurve = (order: Iterable<number>): void => {
      const points = Array.from(order, (v) => this.#place(placement, position, 3 * v));
      this.curvePoints += points.length;
      if (this.curvePoints > MESH_LIMITS.vertices) this.fail(`its lines have more than ${MESH_LIMITS.vertices} points`);
      if (points.length > 1) this.curves.push(Float64Array.from(points.flat()));
    };
    if (mode === LINES) for (let i = 0; i + 1 < corners.length; i += 2) addCurve(corners.subarray(i, i + 2));
    else addCurve(mode === LINE_LOOP && corners.length > 0 ? [...corners, corners[0]] : corners);
  }
}

/** All triangles and lines of the default scene of a .glb or an embedded .gltf, in the scene's coordinates. */
export const readGltfMesh = (bytes: Uint8Array, options: ReadMeshOptions = {}): MeshFile => {
  const reader = new GltfReader(bytes, options.source ?? 'glTF file');
  reader.readAsset();
  return joinMesh(reader.positions, reader.indices, reader.textured ? reader.texcoords : [], reader.curves);
};
