/**
 * The yarns of a fabric in one draw call (yarn-rings.ts). The more there are, the plainer they are drawn: of very many, flat ribbons are left,
 * which cast no shadow. Copies of one segment by the card would need less room, but without a graphics card each copy costs as much as a draw call.
 */
import type { YarnsFrame } from 'heddle/model';
import { type Material, Mesh } from 'three';
import type { CurveMaterial } from './curve-material.ts';
import { GrowingGeometry } from './growing-geometry.ts';
import { createRibbonMaterial, createTubeMaterial } from './yarn-material.ts';
import { chooseNodes, chooseYarnDetail, writeRings, type YarnRings } from './yarn-rings.ts';

export class YarnsMesh {
  readonly mesh: Mesh;
  readonly #arrays = new GrowingGeometry();
  readonly #rings: YarnRings = { nodes: new Int32Array(0), starts: new Int32Array(0), topology: '' };
  readonly #tubes: Material;
  readonly #ribbons: Material;

  constructor(settings: CurveMaterial['settings']) {
    this.#tubes = createTubeMaterial(settings);
    this.#ribbons = createRibbonMaterial(settings);
    this.mesh = new Mesh(this.#arrays.geometry, this.#tubes);
    this.mesh.frustumCulled = false;
  }

  /** Shows the yarns; `values` are the colour map's, one per node. `paints` are the yarns' own colours. With `lines` segments are straight, as they
   * are computed. `triangles`: how many they may be, about. */
  setYarns(
    yarns: YarnsFrame,
    values: Float64Array | undefined,
    look: { readonly paints: Float32Array; readonly lines: boolean; readonly triangles: number },
  ): void {
    const { paints, lines, triangles } = look;
    const rings = this.#rings;
    chooseNodes(yarns, lines, rings);
    const segments = countSegments(rings.starts);
    this.mesh.visible = segments > 0;
    if (segments <= 0) return;
    const detail = chooseYarnDetail(segments, triangles);
    const isRibbon = detail.sides === 0;
    this.mesh.material = isRibbon ? this.#ribbons : this.#tubes;
    this.mesh.castShadow = this.mesh.receiveShadow = !isRibbon;
    writeRings(yarns, values, paints, detail, lines, rings, this.#arrays);
  }

  dispose(): void {
    this.#arrays.dispose();
    this.#tubes.dispose();
    this.#ribbons.dispose();
  }
}

/** Of all yarns that have nodes. */
function countSegments(starts: Int32Array): number {
  let sum = 0;
  for (let y = 0; y + 1 < starts.length; y++) sum += Math.max(0, starts[y + 1] - starts[y] - 1);
  return sum;
}
