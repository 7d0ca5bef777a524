/** Strands whose nodes meet one-sided rows with dry friction: islands of chains with bounded rows, through the whole step of a world. */
import type { ConstraintRows, NodeModel, Stage } from 'heddle/model';
import { type Tie, World } from 'heddle/world';
import { expect, test } from 'vitest';
import { createWorld, nodesOf, run, strand, type Vector } from './world-scenes.ts';

const GRAVITY = 9.81;
const FRICTION = 0.4;
const STEP = 2e-3;

/** A floor at z = 0 under every node of a strand: z ≥ 0 with λ ≥ 0, and |λ_x|, |λ_y| ≤ μ λ_z of the last solve. */
class Floor implements Tie {
  /** Sum of the floor's forces [N]. */
  readonly force = new Float64Array(3);
  readonly #model: NodeModel;
  readonly #states = new Map<number, number[]>();
  readonly #grip = new Map<number, number>();
  readonly #rows: number[] = [];
  #labels: ArrayLike<number> = [];
  readonly #x = new Float64Array(3);
  readonly #v = new Float64Array(3);

  constructor(model: NodeModel) {
    this.#model = model;
  }

  beginStep(): void {}

  addRows(rows: ConstraintRows, stage: Stage): void {
    this.#labels = this.#model.frameLabels();
    this.#rows.length = 0;
    for (const label of Array.from(this.#labels)) {
      const states = this.#states.get(label) ?? [-1, 0, 0];
      this.#model.writeNodeBase(label, this.#x);
      this.#model.writeNodeVelocity(label, this.#v);
      const grip = FRICTION * (this.#grip.get(label) ?? 0);
      this.#rows.push(rows.addRow(-this.#x[2] / stage.h - this.#v[2]));
      rows.boundRow(0, Number.POSITIVE_INFINITY, states[0]);
      this.#model.addNodeRow(rows, 0, label, 2, 1);
      for (const k of [0, 1]) {
        rows.addRow(-this.#v[k]);
        rows.boundRow(-grip, grip, states[1 + k]);
        this.#model.addNodeRow(rows, 0, label, k, 1);
      }
    }
  }

  clearForces(): void {
    this.force.fill(0);
  }

  takeMultipliers(rows: ConstraintRows, { h }: Stage): void {
    this.#rows.forEach((row, n) => {
      const label = this.#labels[n];
      this.#grip.set(label, rows.multiplier[row]);
      this.#states.set(label, [...rows.state.subarray(row, row + 3)]);
      this.force[2] += rows.multiplier[row] / h;
      for (const k of [0, 1]) this.force[k] += rows.multiplier[row + 1 + k] / h;
    });
  }
}

/** A cord above the floor, with gravity that leans by `angle` towards x. */
function createScene(angle: number, bendingStiffness: number, nodes = 15) {
  const gravity: Vector = [GRAVITY * Math.sin(angle), 0, -GRAVITY * Math.cos(angle)];
  const points: Vector[] = [
    [0, 0, 0.004],
    [0.5, 0.1, 0.012],
  ];
  const material = { radius: 0.002, linearDensity: 0.01, stretchStiffness: 500, bendingStiffness };
  const { models } = createWorld({
    gravity,
    objects: [strand('cord', points, nodes, { material })],
    time: { step: STEP, duration: 1 },
  });
  const cord = models[0] as NodeModel;
  const floor = new Floor(cord);
  const world = new World({ models, ties: [floor], timeStep: STEP, integrator: 'euler', adaptive: false });
  return { world, floor, mass: cord.computeMass() };
}

test.each([0, 1e-5])('a strand that falls on one-sided rows rests on them with its weight; bending %d', (bending) => {
  const { world, floor, mass } = createScene(0, bending);
  run(world, 300);
  for (const [, , z] of nodesOf(world)) expect(Math.abs(z)).toBeLessThan(1e-9);
  expect(floor.force[2]).toBeCloseTo(mass * GRAVITY, 6);
});

test('so does one of 300 rows, which the sparse solver is asked for first', () => {
  const { world, floor, mass } = createScene(0, 0, 100);
  run(world, 60);
  for (const [, , z] of nodesOf(world)) expect(Math.abs(z)).toBeLessThan(1e-9);
  expect(floor.force[2]).toBeCloseTo(mass * GRAVITY, 6);
});

test('a mass with dry friction sticks on a slope while tan a < μ, and gains g (sin a − μ cos a) t beyond', () => {
  for (const angle of [Math.atan(0.8 * FRICTION), Math.atan(1.5 * FRICTION)]) {
    const { world } = createScene(angle, 0);
    run(world, 300);
    const place = () => nodesOf(world).reduce((sum, [x]) => sum + x, 0) / nodesOf(world).length;
    const start = place();
    run(world, 50);
    const middle = place();
    run(world, 50);
    // difference of the ways in two spans of 0.1 s: a t²
    const gain = place() - 2 * middle + start;
    const expected = Math.max(0, GRAVITY * (Math.sin(angle) - FRICTION * Math.cos(angle))) * 0.1 ** 2;
    expect(Math.abs(gain - expected)).toBeLessThan(1e-3 * expected + 1e-9);
  }
});
