/**
 * One sheet: its triangles with smooth normals that stay sharp along creases, the lines of its mesh (a switch) and its
 * creases. Buffers are kept from frame to frame; what follows from the topology alone is made again only when it changes.
 */
import { type CreasedMesh, computeCreasedMesh, writeSurfaceNormals } from 'heddle/io';
import type { SurfaceFrame } from 'heddle/model';
import { Group, LineBasicMaterial, LineSegments, Mesh, type MeshStandardMaterial } from 'three';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';
import { GrowingGeometry } from './growing-geometry.ts';
import { NODE_COLOURS } from './overlay.ts';

export class SurfaceMesh {
  readonly group = new Group();
  readonly #faces = new GrowingGeometry();
  readonly #lines = new GrowingGeometry();
  readonly #lineMaterial = new LineBasicMaterial({ color: '#1d2027', transparent: true, opacity: 0.55 });
  readonly #lineSegments: LineSegments;
  readonly #creaseMaterial = new LineMaterial({ color: NODE_COLOURS.eulerian, linewidth: 2 });
  readonly #creases = new LineSegments2(new LineSegmentsGeometry(), this.#creaseMaterial);
  #mesh: CreasedMesh = { source: new Int32Array(0), indices: new Uint32Array(0) };
  #triangles = new Int32Array(0);
  #creaseEnds = new Int32Array(0);
  #vertices = -1;

  constructor(material: MeshStandardMaterial) {
    const mesh = new Mesh(this.#faces.geometry, material);
    mesh.castShadow = mesh.receiveShadow = true;
    this.#lineSegments = new LineSegments(this.#lines.geometry, this.#lineMaterial);
    this.#lineSegments.visible = false;
    this.group.add(mesh, this.#lineSegments, this.#creases);
    for (const part of this.group.children) part.frustumCulled = false;
  }

  /** Whether the lines of the mesh are drawn. */
  setLines(visible: boolean): void {
    this.#lineSegments.visible = visible;
  }

  /** Shows the sheet; `values` are the colour map's, one per vertex. */
  setSurface(surface: SurfaceFrame, values: Float64Array | undefined): void {
    if (!this.#hasTopologyOf(surface)) this.#setTopology(surface);
    const { source } = this.#mesh;
    const positions = this.#faces.take('position', source.length, 3);
    const material = this.#faces.take('uv', source.length, 2);
    const shown = this.#faces.take('value', source.length, 1);
    for (let i = 0; i < source.length; i++) {
      const vertex = source[i];
      for (let axis = 0; axis < 3; axis++) positions[3 * i + axis] = surface.x[3 * vertex + axis];
      material[2 * i] = surface.X[2 * vertex];
      material[2 * i + 1] = surface.X[2 * vertex + 1];
      shown[i] = values?.[vertex] ?? 0;
    }
    writeSurfaceNormals(surface.x, this.#mesh, this.#faces.take('normal', source.length, 3));
    this.#lines.take('position', surface.kind.length, 3).set(surface.x);
    this.#setCreases(surface);
  }

  #hasTopologyOf({ kind, triangles, creases }: SurfaceFrame): boolean {
    const same = (a: Int32Array, b: Int32Array) => a.length === b.length && a.every((value, i) => value === b[i]);
    return kind.length === this.#vertices && same(creases, this.#creaseEnds) && same(triangles, this.#triangles);
  }

  #setTopology(surface: SurfaceFrame): void {
    this.#vertices = surface.kind.length;
    this.#triangles = surface.triangles.slice();
    this.#creaseEnds = surface.creases.slice();
    this.#mesh = computeCreasedMesh(surface);
    this.#faces.setIndices(this.#mesh.indices);
    this.#lines.setIndices(computeEdges(surface.triangles, this.#vertices));
  }

  #setCreases({ x, creases }: SurfaceFrame): void {
    this.#creases.visible = creases.length > 0;
    if (creases.length === 0) return;
    const positions = new Float32Array(3 * creases.length);
    for (const [i, vertex] of creases.entries()) {
      for (let axis = 0; axis < 3; axis++) positions[3 * i + axis] = x[3 * vertex + axis];
    }
    // a larger number of segments needs a new buffer
    const { geometry } = this.#creases;
    if (geometry.instanceCount !== creases.length / 2) geometry.dispose();
    geometry.setPositions(positions);
  }

  dispose(): void {
    this.#faces.dispose();
    this.#lines.dispose();
    this.#lineMaterial.dispose();
    this.#creases.geometry.dispose();
    this.#creaseMaterial.dispose();
  }
}

/** Both ends of every side of a triangle, each side once. */
export function computeEdges(triangles: Int32Array, vertices: number): Uint32Array {
  const seen = new Set<number>();
  const edges: number[] = [];
  for (let corner = 0; corner < triangles.length; corner++) {
    const [a, b] = [triangles[corner], triangles[corner % 3 === 2 ? corner - 2 : corner + 1]];
    const key = Math.min(a, b) * vertices + Math.max(a, b);
    if (seen.has(key)) continue;
    seen.add(key);
    edges.push(a, b);
  }
  return Uint32Array.from(edges);
}
