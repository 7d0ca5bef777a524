// What planar meshes cost a point: Delaunay triangulation beside delaunator in the same run, constrained with segments
// that cross, refinement, adaption to a metric and location, by size.
//     npm run build && node bench/triangulation.js
import {
  adaptMesh,
  computeConstrainedDelaunay,
  createGridMesh,
  createMeshLocation,
  createUniformMetric,
  MeshLocator,
  refineMesh,
} from 'heddle/geometry';
import { createRandom } from 'heddle/math';
import { timeLanes } from './timing.js';

const Delaunator = await import('delaunator').then(
  (module) => module.default,
  () => undefined,
);

const createPoints = (count, seed) => {
  const random = createRandom(seed);
  return Float64Array.from({ length: 2 * count }, () => random.uniform());
};

/** Segments between neighbours along a random tour of short steps: about count / 4, a few crossings. */
const createSegments = (points, count) => {
  const order = Array.from({ length: count }, (_, i) => i);
  const cell = (i, axis) => Math.floor(Math.sqrt(count) * points[2 * i + axis]);
  order.sort((a, b) => cell(a, 0) - cell(b, 0) || cell(a, 1) - cell(b, 1) || a - b);
  return order.flatMap((a, i) => (i % 4 === 3 ? [order[i - 1], a] : []));
};

const planOf = (count) => ({ warmUp: 3, repetitions: count > 20000 ? 3 : 15, block: 1 });
const micro = (milliseconds, count) => ((1000 * milliseconds) / count).toFixed(2).padStart(9);

console.log('microseconds a point, medians of turns');
console.log('   points  Delaunay  delaunator  ratio  with segments  crossings');
for (const count of [100, 1000, 5000, 10000, 100000]) {
  const points = createPoints(count, count);
  const segments = createSegments(points, count);
  let crossings = 0;
  const lanes = [
    { run: () => computeConstrainedDelaunay({ points }) },
    { run: () => (crossings = computeConstrainedDelaunay({ points, segments }).crossings) },
    { run: () => (Delaunator === undefined ? undefined : new Delaunator(points)) },
  ];
  const [own, constrained, other] = timeLanes(lanes, planOf(count));
  const peer =
    Delaunator === undefined ? ['  missing', '    –'] : [micro(other, count), (own / other).toFixed(2).padStart(5)];
  const cells = [
    String(count).padStart(9),
    micro(own, count),
    `  ${peer[0]}`,
    ` ${peer[1]}`,
    `     ${micro(constrained, count)}`,
  ];
  console.log(cells.join(''), String(crossings).padStart(10));
}

console.log(
  '\n   vertices   refine    adapt: split  collapse   idle    locate      (microseconds a vertex, a located point)',
);
for (const size of [0.1, 0.03, 0.01]) {
  const square = { points: [0, 0, 1, 0, 1, 1, 0, 1], outlines: [[0, 1, 2, 3]] };
  let mesh;
  const [refine] = timeLanes(
    [{ prepare: () => (mesh = computeConstrainedDelaunay(square).mesh), run: () => refineMesh(mesh, { size }) }],
    planOf(size < 0.02 ? 1e5 : 1),
  );
  const count = mesh.vertexCount;
  const start = createGridMesh(1, 1, 4, 4);
  const fine = start.clone();
  adaptMesh(fine, createUniformMetric(25, size));
  const grown = fine.vertexCount;
  let work;
  const adapt = timeLanes(
    [
      { prepare: () => (work = start.clone()), run: () => adaptMesh(work, createUniformMetric(25, size)) },
      { prepare: () => (work = fine.clone()), run: () => adaptMesh(work, createUniformMetric(grown, 2.5 * size)) },
      { prepare: () => (work = fine.clone()), run: () => adaptMesh(work, createUniformMetric(grown, size)) },
    ],
    planOf(size < 0.02 ? 1e5 : 1),
  );
  const locator = new MeshLocator(mesh.points.subarray(0, 2 * count), mesh.corners.subarray(0, 3 * mesh.triangleCount));
  const queries = createPoints(10000, 7);
  const out = createMeshLocation();
  const locateAll = () => {
    for (let i = 0; i < queries.length; i += 2) locator.writeLocation(queries[i], queries[i + 1], out);
  };
  const [locate] = timeLanes([{ run: locateAll }], { warmUp: 2, repetitions: 7, block: 1 });
  const cells = adapt.map((time) => micro(time, grown));
  console.log(String(count).padStart(11), micro(refine, count), '    ', ...cells, micro(locate, 10000));
}
