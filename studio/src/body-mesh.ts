/** A body: soft neutral surface, shaded flat across sharp edges and smooth elsewhere, and its sharp edges as lines. */
import { BufferAttribute, BufferGeometry, EdgesGeometry, Group, Mesh, MeshStandardMaterial } from 'three';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';
import { mergeVertices, toCreasedNormals } from 'three/addons/utils/BufferGeometryUtils.js';
import type { BodyTriangles } from './scene.ts';

/** Dihedral angle from which an edge is drawn [degrees]. */
const SHARP = 32;

/** Meshes of one body in its own frame. */
export function createBodyMesh(body: BodyTriangles): Group {
  const indexed = new BufferGeometry();
  indexed.setAttribute('position', new BufferAttribute(Float32Array.from(body.positions), 3));
  indexed.setIndex(new BufferAttribute(Uint32Array.from(body.indices), 1));
  const welded = mergeVertices(indexed);
  const surface = new Mesh(
    toCreasedNormals(welded, (SHARP * Math.PI) / 180),
    new MeshStandardMaterial({
      color: '#c9c7c3',
      roughness: 0.82,
      metalness: 0,
      // keeps the edge lines from sinking into the faces beside them
      polygonOffset: true,
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 1,
    }),
  );
  surface.castShadow = true;
  surface.receiveShadow = true;
  const group = new Group();
  group.add(surface);
  const sharp = new EdgesGeometry(welded, SHARP);
  if (sharp.getAttribute('position').count > 0) {
    const lines = new LineSegmentsGeometry().fromEdgesGeometry(sharp);
    group.add(new LineSegments2(lines, new LineMaterial({ color: '#57524a', linewidth: 1.3 })));
  }
  sharp.dispose();
  welded.dispose();
  indexed.dispose();
  return group;
}
