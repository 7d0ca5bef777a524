/** The tube of one curve. Its buffers are kept from frame to frame and grow when nodes are added. */
import { createTubeTarget, writeTube } from 'heddle/io';
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Mesh } from 'three';
import type { CurveMaterial } from './curve-material.ts';
import type { RefinedCurve } from './refine.ts';

const SIDES = 18;

export class CurveMesh {
  readonly mesh: Mesh;
  readonly #tube = createTubeTarget();
  #values = new Float32Array(0);
  /** Node of the frame at each vertex, with a fraction. */
  #places = new Float32Array(0);

  constructor(material: CurveMaterial) {
    this.mesh = new Mesh(new BufferGeometry(), material);
    this.mesh.castShadow = true;
    this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
  }

  /** Shows the curve with a drawn radius [m]; `values` are the colour map's, one per node of the frame. */
  setCurve(curve: RefinedCurve, radius: number, values: Float64Array | undefined): void {
    const tube = this.#tube;
    // fewer sides for curves of very many nodes
    const sides = curve.u.length > 20_000 ? 6 : SIDES;
    writeTube(curve, { sides, radius, repeat: 1 }, tube);
    if (this.#values.length < tube.positions.length / 3) {
      this.#values = new Float32Array(tube.positions.length / 3);
      this.#places = new Float32Array(tube.positions.length / 3);
    }
    this.#writeValues(curve.node, values, sides);
    this.#setAttribute('position', tube.positions, 3);
    this.#setAttribute('normal', tube.normals, 3);
    this.#setAttribute('uv', tube.texcoords, 2);
    this.#setAttribute('value', this.#values, 1);
    this.#setAttribute('node', this.#places, 1);
    const { geometry } = this.mesh;
    if (geometry.index?.array !== tube.indices) geometry.setIndex(new BufferAttribute(tube.indices, 1));
    else if (tube.topologyChanged) geometry.index.needsUpdate = true;
    geometry.setDrawRange(0, tube.indexCount);
  }

  #setAttribute(name: string, array: Float32Array, size: number): void {
    const { geometry } = this.mesh;
    const attribute = geometry.getAttribute(name) as BufferAttribute | undefined;
    if (attribute?.array === array) attribute.needsUpdate = true;
    else geometry.setAttribute(name, new BufferAttribute(array, size).setUsage(DynamicDrawUsage));
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

  dispose(): void {
    this.mesh.geometry.dispose();
  }
}
