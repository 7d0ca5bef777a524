/** The fall-back that sticks a strand to a body that forces move: a plastic impact of the two. */
import { Body, createShape, RigidBody } from 'heddle/bodies';
import { createRandom } from 'heddle/math';
import { computeEnergy, computeStrandMaterial } from 'heddle/model';
import { Strand } from 'heddle/strand';
import { expect, test } from 'vitest';
import { stickTogether } from '../../src/strand/touch-stick.ts';

const material = computeStrandMaterial({
  linearDensity: 0.3,
  radius: 0.002,
  stretchStiffness: 100,
  bendingStiffness: 0,
});

test.each([false, true])(
  'nodes of a strand that stick to a body keep linear and angular momentum with it and lose energy; closed: %s',
  (closed) => {
    const random = createRandom(3);
    const body = new Body({
      id: 'body',
      shape: createShape({ type: 'box', size: [0.2, 0.3, 0.5] }),
      motion: 'dynamic',
      position: [0.1, -0.2, 0.3],
      mass: 0.4,
      velocity: [1, -2, 0.5],
      angularVelocity: [3, 1, -2],
    });
    const rigid = new RigidBody(body, [0, 0, 0]);
    const strand = new Strand({
      id: 'rope',
      material,
      gravity: [0, 0, 0],
      points: [
        [-0.5, 0.1, 0],
        [0.2, 0.3, 0.1],
        [0.6, -0.1, 0.4],
      ],
      nodes: 13,
      closed,
      masses: [{ at: 0.4, mass: 0.05 }],
    });
    const { chain } = strand.state;
    for (let i = 0; i < chain.ownCount; i++) for (let k = 0; k < 3; k++) chain.v[4 * i + k] = random.uniform(-2, 2);
    if (closed) chain.writeImages();
    const measure = () => {
      const sum = new Float64Array(6);
      for (const model of [rigid, strand]) model.addMomentum(sum);
      return { sum, energy: computeEnergy([rigid, strand]).total };
    };
    const before = measure();
    const stuck = closed ? [0, 1, 2, 11] : [3, 4, 5, 6, 7];
    const other = chain.v.slice(4 * 9, 4 * 10);
    stickTogether(strand.state, [body], (_, i) => stuck.includes(i));
    rigid.readVelocities();
    const after = measure();
    for (let k = 0; k < 6; k++) expect(Math.abs(after.sum[k] - before.sum[k])).toBeLessThan(1e-14);
    expect(after.energy).toBeLessThan(0.9 * before.energy);
    const v = new Float64Array(3);
    for (const i of stuck) {
      body.writePointVelocity(chain.q.subarray(4 * i, 4 * i + 3), v);
      for (let k = 0; k < 3; k++) expect(Math.abs(chain.v[4 * i + k] - v[k])).toBeLessThan(1e-13);
    }
    expect(chain.v.slice(4 * 9, 4 * 10)).toEqual(other);
  },
);
