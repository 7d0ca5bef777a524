/** Two layers of cloth that slide on each other, with nodes that change between EoL and EIL: same bits twice, saved and loaded, and after steps taken back. */
import { Body, PlaneShape } from 'heddle/bodies';
import { addLayerContacts, type Fabric } from 'heddle/fabric';
import { quaternionFromAxisAngle } from 'heddle/math';
import { joinNets, placeNet } from 'heddle/patterns';
import type { World } from 'heddle/world';
import { expect, test } from 'vitest';
import { createFabric, createFabricWorld, createPlainNet, LAYER, SPACING, YARN } from '../laws/fabrics.ts';

const [STEPS, H] = [40, 1e-3];

function createStack(): { fabric: Fabric; world: World } {
  const upper = placeNet(createPlainNet(4), [0.3 * SPACING, 0, 0.4 * SPACING], quaternionFromAxisAngle([0, 1, 0], 0.1));
  const layers = [
    { ...LAYER, preload: 1e-2 },
    { ...LAYER, name: 'upper', preload: 1e-2 },
  ];
  const net = addLayerContacts(joinNets([createPlainNet(4), upper]), { layers, materials: [YARN] });
  const bodies = [new Body({ id: 'ground', shape: new PlaneShape(), position: [0, -2 * YARN.radius, 0] })];
  const fabric = createFabric(net, {
    layers,
    friction: Float64Array.of(0.3, 0.1, 0.1, 0.3),
    gravity: [0, -9.81, 0],
    bodies,
  });
  const { v, count, yarn, yarnLayer } = fabric.state;
  for (let i = 0; i < count; i++) if (yarnLayer[yarn[2 * i]] === 1) v[5 * i] = 0.15;
  return { fabric, world: createFabricWorld(fabric, { timeStep: H, bodies }) };
}

/** Bytes of the state after each step. */
function record(world: World, before: () => void = () => {}): { hashes: string[]; saved: Uint8Array[] } {
  const [hashes, saved] = [[world.hash()], [world.save()]];
  for (let n = 0; n < STEPS; n++) {
    before();
    world.step();
    hashes.push(world.hash());
    saved.push(world.save());
  }
  return { hashes, saved };
}

const first = createStack();
const whole = record(first.world);

test('nodes change between EoL and EIL all the time, and pass each other', () => {
  expect(first.fabric.state.transitions).toBeGreaterThan(10);
  expect(first.fabric.state.passings).toBeGreaterThan(0);
});

test('twice gives the same bits at every step', () => {
  expect(record(createStack().world).hashes).toEqual(whole.hashes);
  expect(new Set(whole.hashes).size).toBe(STEPS + 1);
});

test('saved and loaded, into a fresh world or a used one, it goes on with the same bits', () => {
  const used = createStack().world;
  for (const start of [3, 17, 30]) {
    const fresh = createStack().world;
    for (const world of [fresh, used]) {
      world.load(whole.saved[start]);
      for (let n = start + 1; n <= Math.min(start + 10, STEPS); n++) {
        world.step();
        expect(world.hash()).toBe(whole.hashes[n]);
      }
    }
  }
});

test('a step that is taken back leaves no trace', () => {
  const { fabric, world } = createStack();
  const { q, v } = fabric.state;
  const { hashes } = record(world, () => {
    // a step of twice the length that goes wrong
    fabric.detect(2 * H);
    fabric.adapt();
    fabric.beginStep();
    fabric.beginStage(
      {
        h: 2 * H,
        time: world.time + 2 * H,
        start: world.time,
        step: 2 * H,
        full: H,
        order: 1,
        rows: 0,
        isHeap: false,
        linearized: true,
      },
      0,
      0,
    );
    for (let k = 0; k < 5 * fabric.state.count; k++) {
      v[k] += 0.3 * Math.sin(k);
      q[k] += 2 * H * v[k];
    }
    fabric.rollBack();
  });
  expect(hashes).toEqual(whole.hashes);
});
