/**
 * The tubes of all curves in one draw call: each curve writes its own tube, and the tubes stand one after another in common
 * buffers, which are kept from frame to frame and grow when nodes are added.
 */
import { createTubeTarget, writeTube } from 'heddle/io';
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Mesh } from 'three';
import type { CurveMaterial } from './curve-material.ts';
import type { RefinedCurve } from './refine.ts';

/** Sides of tubes, and the fewest where there are so many points of curves that nobody could tell; vertices that all are given in between. */
const SIDES = 18;
const FEW_SIDES = 6;
const MOST_VERTICES = 120_000;
/** Room that buffers get beyond what they need now. */
const RESERVE = 1.3;

/** A curve as it is drawn. */
export interface DrawnCurve {
  readonly id: string;
  readonly shape: RefinedCurve;
  /** Drawn radius [m]. */
  readonly radius: number;
  /** Values of the colour map, one per node of the frame. */
  readonly values: Float64Array | undefined;
}

/** Numbers per vertex of each attribute. */
const ATTRIBUTES = { position: 3, normal: 3, uv: 2, value: 1, node: 1 } as const;
type AttributeName = keyof typeof ATTRIBUTES;
const NAMES = Object.keys(ATTRIBUTES) as AttributeName[];

/** The tube of one curve, in buffers of its own. */
class CurveTube {
  readonly #tube = createTubeTarget();
  #values = new Float32Array(0);
  /** Node of the frame at each vertex, with a fraction. */
  #places = new Float32Array(0);

  setCurve({ shape, radius, values }: DrawnCurve, sides: number): void {
    const tube = this.#tube;
    writeTube(shape, { sides, radius, repeat: 1 }, tube);
    if (this.#values.length < tube.positions.length / 3) {
      this.#values = new Float32Array(tube.positions.length / 3);
      this.#places = new Float32Array(tube.positions.length / 3);
    }
    this.#writeValues(shape.node, values, sides);
  }

  get vertexCount(): number {
    return this.#tube.vertexCount;
  }

  /** Triangles by vertices of this tube; `topology` tells when they are others. */
  get indices(): Uint32Array {
    return this.#tube.indices.subarray(0, this.#tube.indexCount);
  }

  get topology(): string {
    return this.#tube.topology;
  }

  /** The numbers of an attribute, vertex by vertex. */
  read(name: AttributeName): Float32Array {
    const { positions, normals, texcoords, vertexCount } = this.#tube;
    const arrays = { position: positions, normal: normals, uv: texcoords, value: this.#values, node: this.#places };
    return arrays[name].subarray(0, ATTRIBUTES[name] * vertexCount);
  }

  /** Each ring shows the value of the place on the curve where it stands. */
  #writeValues(node: Float64Array, values: Float64Array | undefined, sides: number): void {
    const { ringNode, ringCount } = this.#tube;
    const last = (values?.length ?? 1) - 1;
    for (let ring = 0; ring < ringCount; ring++) {
      // ring → point of the refined curve → node of the frame
      const point = Math.min(Math.floor(ringNode[ring]), node.length - 1);
      const next = Math.min(point + 1, node.length - 1);
      const place = node[point] + (ringNode[ring] - point) * (node[next] - node[point]);
      const i = Math.min(Math.floor(place), last);
      const low = values?.[i] ?? 0;
      const value = low + (place - i) * ((values?.[Math.min(i + 1, last)] ?? 0) - low);
      this.#values.fill(value, ring * (sides + 1), (ring + 1) * (sides + 1));
      this.#places.fill(place, ring * (sides + 1), (ring + 1) * (sides + 1));
    }
  }
}

export class CurveMesh {
  readonly mesh: Mesh;
  readonly #geometry = new BufferGeometry();
  #tubes = new Map<string, CurveTube>();
  /** What the common indices stand for now. */
  #topology = '';

  constructor(material: CurveMaterial) {
    this.mesh = new Mesh(this.#geometry, material);
    this.mesh.castShadow = true;
    this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
  }

  /** Shows these curves and no others. */
  setCurves(curves: readonly DrawnCurve[]): void {
    const points = curves.reduce((sum, { shape }) => sum + shape.u.length, 0);
    const sides = Math.max(FEW_SIDES, Math.min(SIDES, Math.floor(MOST_VERTICES / points)));
    const tubes = new Map<string, CurveTube>();
    for (const curve of curves) {
      const tube = this.#tubes.get(curve.id) ?? new CurveTube();
      tube.setCurve(curve, sides);
      tubes.set(curve.id, tube);
    }
    this.#tubes = tubes;
    this.mesh.visible = tubes.size > 0;
    if (tubes.size > 0) this.#join([...tubes.values()]);
  }

  #join(tubes: readonly CurveTube[]): void {
    const vertices = tubes.reduce((sum, tube) => sum + tube.vertexCount, 0);
    for (const name of NAMES) {
      const target = this.#reserve(name, vertices);
      let offset = 0;
      for (const tube of tubes) {
        const numbers = tube.read(name);
        target.set(numbers, offset);
        offset += numbers.length;
      }
    }
    const topology = tubes.map((tube) => tube.topology).join();
    if (topology !== this.#topology) this.#joinIndices(tubes);
    this.#topology = topology;
  }

  #joinIndices(tubes: readonly CurveTube[]): void {
    const count = tubes.reduce((sum, tube) => sum + tube.indices.length, 0);
    const geometry = this.#geometry;
    let array = geometry.index?.array as Uint32Array<ArrayBuffer> | undefined;
    if (array === undefined || array.length < count) {
      array = new Uint32Array(Math.ceil(RESERVE * count));
      geometry.setIndex(new BufferAttribute(array, 1).setUsage(DynamicDrawUsage));
    } else geometry.index!.needsUpdate = true;
    let [at, first] = [0, 0];
    for (const tube of tubes) {
      for (const vertex of tube.indices) array[at++] = first + vertex;
      first += tube.vertexCount;
    }
    geometry.setDrawRange(0, count);
  }

  /** The array of an attribute for so many vertices; it is sent to the graphics card with the next picture. */
  #reserve(name: AttributeName, vertices: number): Float32Array {
    const size = ATTRIBUTES[name];
    let attribute = this.#geometry.getAttribute(name) as BufferAttribute | undefined;
    if (attribute === undefined || attribute.count < vertices) {
      attribute = new BufferAttribute(new Float32Array(size * Math.ceil(RESERVE * vertices)), size);
      this.#geometry.setAttribute(name, attribute.setUsage(DynamicDrawUsage));
    }
    attribute.clearUpdateRanges();
    attribute.addUpdateRange(0, size * vertices);
    attribute.needsUpdate = true;
    return attribute.array as Float32Array;
  }

  dispose(): void {
    this.#geometry.dispose();
  }
}
