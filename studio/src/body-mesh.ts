/**
 * A body: soft neutral surface, shaded flat across sharp edges and smooth elsewhere, and its sharp edges as lines. On request
 * all edges of its triangles. One that deforms is drawn where its vertices are at the time, without lines along sharp edges. A translucent one lets light through: it throws no shadow, and hides nothing that is drawn after it.
 */
import { writeVerticesAt } from 'heddle/bodies';
import { BufferAttribute, BufferGeometry, DoubleSide, EdgesGeometry, Group, Mesh, MeshStandardMaterial } from 'three';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';
import { mergeVertices } from 'three/addons/utils/BufferGeometryUtils.js';
import { computeCreasedNormals } from './creased-normals.ts';
import { MeshLines } from './mesh-lines.ts';
import type { BodyTriangles } from './scene.ts';

/** Dihedral angle from which an edge is drawn [degrees]. */
const SHARP = 32;
const LINE_COLOUR = '#57524a';

/** Of a translucent body both sides are drawn, the far one first, so that a hollow one is seen to be hollow. */
const computeLook = (opacity: number) =>
  opacity < 1 ? { transparent: true, opacity, depthWrite: false, side: DoubleSide } : {};

export class BodyMesh {
  /** All parts in the body's own frame. */
  readonly group = new Group();
  readonly surface: Mesh;
  /** The triangles, without doubled vertices. */
  #positions: ArrayLike<number>;
  readonly #indices: ArrayLike<number>;
  readonly #poses: BodyTriangles['poses'];
  #lines: MeshLines | undefined;

  constructor(body: BodyTriangles, opacity = 1) {
    const indexed = new BufferGeometry();
    indexed.setAttribute('position', new BufferAttribute(Float32Array.from(body.positions), 3));
    indexed.setIndex(new BufferAttribute(Uint32Array.from(body.indices), 1));
    this.#poses = body.poses;
    const welded = body.poses ? indexed : mergeVertices(indexed);
    this.#positions = welded.getAttribute('position').array;
    this.#indices = welded.index!.array;
    this.surface = new Mesh(
      body.poses ? indexed : this.#createSurface(welded),
      new MeshStandardMaterial({
        color: '#c9c7c3',
        roughness: 0.82,
        metalness: 0,
        ...computeLook(opacity),
        // keeps the edge lines from sinking into the faces beside them
        polygonOffset: true,
        polygonOffsetFactor: 1,
        polygonOffsetUnits: 1,
      }),
    );
    this.surface.castShadow = opacity === 1;
    this.surface.receiveShadow = opacity === 1;
    this.group.add(this.surface);
    if (body.poses) {
      this.surface.frustumCulled = false;
      this.setTime(0);
      return;
    }
    const sharp = new EdgesGeometry(welded, SHARP);
    if (sharp.getAttribute('position').count > 0) {
      const lines = new LineSegmentsGeometry().fromEdgesGeometry(sharp);
      const look = opacity < 1 ? { transparent: true, opacity: Math.sqrt(opacity) } : {};
      this.group.add(new LineSegments2(lines, new LineMaterial({ color: LINE_COLOUR, linewidth: 1.3, ...look })));
    }
    sharp.dispose();
    welded.dispose();
    indexed.dispose();
  }

  #createSurface(welded: BufferGeometry): BufferGeometry {
    const surface = welded.toNonIndexed();
    const normals = computeCreasedNormals(this.#positions, this.#indices, (SHARP * Math.PI) / 180);
    surface.setAttribute('normal', new BufferAttribute(normals, 3));
    return surface;
  }

  /** Puts the vertices of a body that deforms where they are at a time. */
  setTime(time: number): void {
    if (this.#poses === undefined) return;
    const { geometry } = this.surface;
    const position = geometry.getAttribute('position') as BufferAttribute;
    writeVerticesAt(this.#poses, time, position.array as Float32Array);
    position.needsUpdate = true;
    geometry.computeVertexNormals();
    this.#positions = position.array;
  }

  /** Shows or hides the edges of all triangles. */
  showLines(isOn: boolean): void {
    if (isOn && this.#lines === undefined) {
      this.#lines = new MeshLines(LINE_COLOUR);
      this.group.add(this.#lines.object);
      this.#lines.set(this.#positions, this.#indices);
    } else if (isOn && this.#poses !== undefined) this.#lines?.set(this.#positions, this.#indices);
    if (this.#lines !== undefined) this.#lines.object.visible = isOn;
  }
}
