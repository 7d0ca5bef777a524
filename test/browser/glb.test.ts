/** A run exported as GLB opens in three.js, and its animation puts the strand where the engine had it. */
import { compile, type Frame, validateScene } from 'heddle';
import { encodeGlb } from 'heddle/io';
import { AnimationMixer, Mesh, Vector3 } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { expect, test } from 'vitest';
import { createEngineScene } from './engine-scene.ts';

/** Mean of the tube's vertices: the middle of its centre line, as the rings are symmetric. */
function centreOf(mesh: Mesh): Vector3 {
  const centre = new Vector3();
  const point = new Vector3();
  const count = mesh.geometry.getAttribute('position').count;
  for (let i = 0; i < count; i++) centre.add(mesh.getVertexPosition(i, point));
  return centre.divideScalar(count);
}

/** Distance of a point to a polyline of three numbers a node. */
function distanceTo(x: Float64Array, point: Vector3): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i + 5 < x.length; i += 3) {
    const a = new Vector3(x[i], x[i + 1], x[i + 2]);
    const edge = new Vector3(x[i + 3], x[i + 4], x[i + 5]).sub(a);
    const t = Math.min(1, Math.max(0, point.clone().sub(a).dot(edge) / edge.lengthSq()));
    least = Math.min(least, point.distanceTo(a.addScaledVector(edge, t)));
  }
  return least;
}

test('three.js opens an exported GLB and plays what was simulated', async () => {
  const world = compile(validateScene(createEngineScene(true)));
  const frames: Frame[] = [world.frame()];
  for (let n = 1; n <= 200; n++) {
    world.step();
    if (n % 20 === 0) frames.push(world.frame());
  }
  const { bytes } = await encodeGlb({ name: 'slide', frames, bodies: [], probes: { columns: [], rows: [] } });
  const gltf = await new GLTFLoader().parseAsync(bytes.slice().buffer, '');
  const mesh = gltf.scene.getObjectByName('rope');
  if (!(mesh instanceof Mesh)) throw new Error('the strand is not a mesh');
  expect(gltf.animations).toHaveLength(1);
  expect(gltf.animations[0].duration).toBeCloseTo(0.2, 6);
  expect(mesh.geometry.getAttribute('uv').count).toBe(mesh.geometry.getAttribute('position').count);
  const mixer = new AnimationMixer(gltf.scene);
  mixer.clipAction(gltf.animations[0]).play();
  const start = centreOf(mesh);
  const radius = 0.004;
  for (const k of [1, 4, 9]) {
    mixer.setTime(frames[k].time);
    const { x } = frames[k].objects[0];
    const point = new Vector3();
    const count = mesh.geometry.getAttribute('position').count;
    for (let i = 0; i < count; i += 7) {
      // the tube follows its centre line, a mitred corner may stand off by twice the radius
      expect(distanceTo(x, mesh.getVertexPosition(i, point))).toBeLessThan(2.5 * radius);
    }
  }
  expect(centreOf(mesh).distanceTo(start)).toBeGreaterThan(0.01);
});
