/**
 * Feet of crossings: a row is the derivative of the place, an EIL foot is transparent [theory/fabric#eil-nodes].
 */
import { createRandom } from 'heddle/math';
import { ConstraintRows } from 'heddle/model';
import { Crossing, Foot, Strand, StrandCrossings } from 'heddle/strand';
import { World } from 'heddle/world';
import { expect, test } from 'vitest';

const material = { radius: 0.001, linearDensity: 0.01, stretchStiffness: 500, bendingStiffness: 1e-4 };

const createStrand = (id: string, y: number, guides = true) =>
  new Strand({
    id,
    material,
    points: [
      [-0.5, y, 0],
      [0, y + 0.02, 0],
      [0.5, y, 0.1],
    ],
    nodes: 7,
    guides: guides ? [{ id: 'eye', point: [0, y + 0.02, 0] }] : [],
    gravity: [0, 0, 0],
  });

test('the row of an EIL foot is ∂p/∂q: 1 − w, w, and −(1 − w) F, −w F for the material coordinates of E-nodes', () => {
  const strand = createStrand('A', 0);
  const { state } = strand;
  const random = createRandom(3);
  const eye = state.indexOf(state.guides[0].label);
  for (const e of [eye - 1, eye]) {
    const foot = new Foot();
    const { q } = state.chain;
    foot.u = 0.3 * q[4 * e + 3] + 0.7 * q[4 * e + 7];
    foot.locate(state);
    expect(foot.node).toBe(e);
    const d = Float64Array.from({ length: 3 }, () => random.uniform(-1, 1));
    const rows = new ConstraintRows();
    rows.addRow(0);
    foot.addEntries(strand, 0, rows, d, 0, 1);
    const row = new Float64Array(q.length);
    for (let k = 0; k < rows.entries; k++) row[rows.coordinate[k]] += rows.value[k];
    const place = () => {
      foot.writePosition(state);
      return d[0] * foot.x[0] + d[1] * foot.x[1] + d[2] * foot.x[2];
    };
    let slides = 0;
    for (let c = 4 * e; c < 4 * e + 8; c++) {
      // the material coordinate of an L-node does not move
      const isFree = c % 4 !== 3 || Math.floor(c / 4) === eye;
      const [value, h] = [q[c], 1e-6];
      q[c] = value + h;
      const up = place();
      q[c] = value - h;
      const down = place();
      q[c] = value;
      if (isFree) expect(row[c]).toBeCloseTo((up - down) / (2 * h), 7);
      else expect(row[c]).toBe(0);
      if (isFree && c % 4 === 3) slides = Math.abs(row[c]);
    }
    expect(slides).toBeGreaterThan(1e-3);
  }
});

test('an EIL foot is transparent: a crossing that carries no load changes no force in its strands', () => {
  const [own, other] = [createStrand('A', 0), createStrand('B', 0.002)];
  const [lone, lonely] = [createStrand('A', 0), createStrand('B', 0.002)];
  const crossings = new StrandCrossings({ strands: [own, other], parts: [0, 1] });
  // beside the guides of both strands there is no room for E-nodes
  const u = own.state.chain.q[4 * own.state.indexOf(own.state.guides[0].label) + 3] + 1e-4;
  const probe = new Crossing();
  probe.normal.set([0, 1, 0]);
  probe.a.u = probe.b.u = u;
  probe.locate(other.state, own.state);
  const separation = probe.computeDistance();
  crossings.requests.push({ a: { strand: 1, u }, b: { strand: 0, u }, normal: [0, 1, 0], separation });
  const world = new World({ models: [own, other], couplings: [crossings], timeStep: 1e-3 });
  const without = new World({ models: [lone, lonely], timeStep: 1e-3 });
  world.step();
  without.step();
  const [crossing] = crossings.list;
  expect([crossings.count, crossing.a.isNode, crossing.b.isNode]).toEqual([1, false, false]);
  expect(own.nodeCount).toBe(lone.nodeCount);
  for (const [a, b] of [
    [own, lone],
    [other, lonely],
  ])
    for (let k = 0; k < 4 * a.nodeCount; k++) expect(a.state.chain.v[k]).toBeCloseTo(b.state.chain.v[k], 12);
});
