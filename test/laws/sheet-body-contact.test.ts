/** Sheets and bodies: bodies that forces move, and edges and corners of bodies inside the triangles of a coarse sheet. */
import { Body, createShape, KeyframeTrack, RigidBody } from 'heddle/bodies';
import { createFacetBody, Placement } from 'heddle/contact';
import { quaternionFromAxisAngle, type Vec3 } from 'heddle/math';
import { createSheetContacts, type Sheet } from 'heddle/sheet';
import { createPin, World } from 'heddle/world';
import { describe, expect, test } from 'vitest';
import { CLOTH, computeMomentum, createCloth, STRIDE } from './sheet-contact-scenes.ts';

const G = 9.81;

const pinAll = (sheet: Sheet) => Array.from(sheet.state.label, (label) => createPin({ model: sheet, label }));

describe('a sheet hung by its four corners carries a box', () => {
  const create = (damping: number) => {
    const box = new Body({
      id: 'box',
      shape: createShape({ type: 'box', size: [0.1, 0.06, 0.1] }),
      motion: 'dynamic',
      mass: 0.05,
      position: [0.01, 0.031, 0.02],
    });
    const gravity: Vec3 = [0, -G, 0];
    const sheet = createCloth('sheet', [0.4, 0.4], [6, 6], (u, v) => [u - 0.2, 0, 0.2 - v], {
      material: { ...CLOTH, friction: 0.3 },
      obstacles: [box],
      gravity,
      damping: { mass: damping, stiffness: 0 },
    });
    const { q } = sheet.state;
    const corners = [...sheet.state.label].filter(
      (i) => Math.abs(q[STRIDE * i]) > 0.199 && Math.abs(q[STRIDE * i + 2]) > 0.199,
    );
    const models = [sheet, new RigidBody(box, gravity)];
    const drivers = corners.map((label) => createPin({ model: sheet, label }));
    const world = new World({
      models,
      bodies: [box],
      drivers,
      couplings: [createSheetContacts(models)],
      timeStep: 5e-3,
    });
    const computePull = (): number => corners.reduce((sum, i) => sum + sheet.holds.reaction[STRIDE * i + 1], 0);
    return { world, computePull, box, weight: (0.05 + CLOTH.arealDensity * 0.16) * G };
  };

  test('the pull of the pins is what both weigh and what their momentum takes, in every step', () => {
    // (P₁ − P₀)/h = Σ F − (m_sheet + m_box) g
    const { world, computePull, weight } = create(0);
    let strongest = 0;
    for (let n = 0; n < 40; n++) {
      const before = computeMomentum(world)[1];
      world.step();
      // a pinned vertex has no momentum of its own: the reactions hold it
      if (world.report.substeps !== 1) continue;
      const change = (computeMomentum(world)[1] - before) / world.timeStep;
      expect(Math.abs(change - computePull() + weight)).toBeLessThan(1e-9);
      strongest = Math.max(strongest, computePull());
    }
    expect(strongest).toBeGreaterThan(1.2 * weight);
  });

  test('at rest it is what both weigh', () => {
    const { world, computePull, box, weight } = create(40);
    for (let n = 0; n < 300; n++) world.step();
    expect(Math.abs(box.velocity[1])).toBeLessThan(2e-3);
    expect(Math.abs(computePull() - weight)).toBeLessThan(0.02 * weight);
  });
});

describe('a box on a sheet held on an incline', () => {
  const slide = (friction: number, slope: number, steps: number) => {
    const gravity: Vec3 = [G * Math.sin(slope), -G * Math.cos(slope), 0];
    const box = new Body({
      id: 'box',
      shape: createShape({ type: 'box', size: [0.08, 0.05, 0.08] }),
      motion: 'dynamic',
      mass: 0.1,
      position: [0, 0.025 + CLOTH.thickness / 2, 0.01],
    });
    const sheet = createCloth('sheet', [0.3, 0.2], [6, 4], (u, v) => [u - 0.1, 0, 0.1 - v], {
      material: { ...CLOTH, friction },
      obstacles: [box],
      gravity,
    });
    const models = [sheet, new RigidBody(box, gravity)];
    const world = new World({
      models,
      bodies: [box],
      drivers: pinAll(sheet),
      couplings: [createSheetContacts(models)],
      timeStep: 5e-3,
    });
    for (let n = 0; n < steps; n++) world.step();
    return box;
  };

  test('stays where tan α < μ', () => {
    const box = slide(0.4, 0.97 * Math.atan(0.4), 20);
    expect(Math.abs(box.velocity[0])).toBeLessThan(1e-8);
    expect(Math.abs(box.position[0])).toBeLessThan(1e-8);
  });

  test('slides with g (sin α − μ cos α) where it is steeper', () => {
    for (const [friction, slope] of [
      [0.4, 1.05 * Math.atan(0.4)],
      [0.2, 0.6],
    ]) {
      const box = slide(friction, slope, 24);
      const expected = G * (Math.sin(slope) - friction * Math.cos(slope)) * 24 * 5e-3;
      // friction follows the normal forces by a pass: a thousandth of the load at most, with either sign
      expect(Math.abs(box.velocity[0] - expected)).toBeLessThan(1e-4 * expected);
      expect(Math.abs(box.position[1] - 0.025 - CLOTH.thickness / 2)).toBeLessThan(1e-9);
    }
  });

  test('slides off over the border, tips and falls', () => {
    const box = slide(0.2, 0.6, 100);
    expect(box.position[0]).toBeGreaterThan(0.3);
    expect(box.position[1]).toBeLessThan(-0.03);
    // forwards: the last that is held is its rear
    expect(box.angularVelocity[2]).toBeLessThan(-0.5);
  });
});

test('a free box that hits a free sheet: momentum and angular momentum are kept, without being given back the latter to first order', () => {
  const gravity: Vec3 = [0, 0, 0];
  const hit = (h: number, keepsAngularMomentum: boolean) => {
    const box = new Body({
      id: 'box',
      shape: createShape({ type: 'box', size: [0.08, 0.05, 0.08] }),
      motion: 'dynamic',
      mass: 0.05,
      position: [0.02, 0.045, 0.01],
      velocity: [0.2, -1, 0.1],
      angularVelocity: [1, 2, 3],
    });
    const sheet = createCloth('sheet', [0.3, 0.3], [5, 5], (u, v) => [u - 0.15, 0, 0.15 - v], {
      material: { ...CLOTH, friction: 0.3 },
      obstacles: [box],
      gravity,
    });
    const models = [sheet, new RigidBody(box, gravity)];
    const couplings = [createSheetContacts(models)];
    const world = new World({ models, bodies: [box], couplings, timeStep: h, keepsAngularMomentum });
    const before = computeMomentum(world);
    for (let n = 0; n < 0.06 / h; n++) world.step();
    const after = computeMomentum(world);
    const taken = new Float64Array(6);
    sheet.addMomentum(taken);
    return { change: after.map((value, k) => value - before[k]), taken: taken[1], before };
  };
  const [coarse, fine, kept] = [hit(4e-3, false), hit(1e-3, false), hit(4e-3, true)];
  for (const { change, taken, before } of [coarse, fine, kept]) {
    expect(taken).toBeLessThan(0.1 * before[1]);
    for (let k = 0; k < 3; k++) expect(Math.abs(change[k])).toBeLessThan(1e-14);
  }
  const drift = ({ change }: typeof fine): number => Math.hypot(change[3], change[4], change[5]);
  expect(drift(fine)).toBeLessThan(0.5 * drift(coarse));
  expect(drift(fine)).toBeLessThan(0.01 * Math.hypot(...fine.before.subarray(3)));
  expect(drift(kept)).toBeLessThan(1e-12 * Math.hypot(...kept.before.subarray(3)));
});

describe('a coarse Lagrangian sheet over a box, edges and corners inside its triangles', () => {
  const SIZE = { type: 'box', size: [0.13, 0.1, 0.13] } as const;
  const TURN = { axis: [0, 1, 0], angle: 0.6 } as const;

  const createStatic = (): Body =>
    new Body({
      id: 'box',
      shape: createShape(SIZE),
      position: [0.02, -0.05, 0.01],
      orientation: quaternionFromAxisAngle(TURN.axis, TURN.angle),
    });

  /** Rises at 0.5 m/s. */
  const createRising = (): Body =>
    new Body({
      id: 'box',
      shape: createShape(SIZE),
      motion: 'scripted',
      track: new KeyframeTrack([
        { time: 0, position: [0.02, -0.06, 0.01], rotation: TURN },
        { time: 1, position: [0.02, 0.44, 0.01], rotation: TURN },
      ]),
    });

  const drop = (friction: number, withRows: boolean, box: Body): number => {
    const sheet = createCloth('sheet', [0.4, 0.4], [5, 5], (u, v) => [u - 0.2, 0.003, 0.2 - v], {
      material: { ...CLOTH, friction },
      obstacles: [box],
    });
    const couplings = withRows ? [createSheetContacts([sheet])] : [];
    const world = new World({ models: [sheet], bodies: [box], couplings, timeStep: 5e-3 });
    const facets = createFacetBody(box.shape, 0);
    const placement = new Placement();
    const [a, b] = [new Float64Array(3), new Float64Array(3)];
    let deepest = 0;
    for (let n = 0; n < 40; n++) {
      world.step();
      placement.read(box);
      const { q, mesh } = sheet.state;
      for (let e = 0; e < mesh.edgeCount; e++) {
        placement.writeLocal(q, STRIDE * mesh.edges[4 * e], a, 0);
        placement.writeLocal(q, STRIDE * mesh.edges[4 * e + 1], b, 0);
        deepest = Math.max(deepest, facets.computeSegmentDepth(a, b));
      }
    }
    return deepest;
  };

  for (const friction of [0, 0.4])
    test(`none of its edges sinks in, friction ${friction}`, () => {
      expect(drop(friction, true, createStatic())).toBe(0);
    });

  test('none sinks into one that rises under it', () => {
    expect(drop(0.2, true, createRising())).toBe(0);
  });

  test('without the rows they would', () => {
    expect(drop(0, false, createStatic())).toBeGreaterThan(0.01);
  });
});

test('the corner of a box stays under the triangle that falls on it', () => {
  // a cube with a corner up, off the vertices and edges of the sheet
  const s = Math.sqrt(1 / 3);
  const box = new Body({
    id: 'box',
    shape: createShape({ type: 'box', size: [0.1, 0.1, 0.1] }),
    position: [0.04, -0.1 * Math.sqrt(0.75), -0.02],
    orientation: quaternionFromAxisAngle([-Math.SQRT1_2, 0, Math.SQRT1_2], Math.acos(s)),
  });
  const sheet = createCloth('sheet', [0.3, 0.3], [2, 2], (u, v) => [u - 0.15, 0.005, 0.15 - v], {
    material: { ...CLOTH, friction: 0.5 },
    obstacles: [box],
  });
  const contacts = createSheetContacts([sheet]);
  const world = new World({ models: [sheet], bodies: [box], couplings: [contacts], timeStep: 4e-3 });
  /** Height of the sheet over a point of the ground; undefined beside it. */
  const computeHeight = (x: number, z: number): number | undefined => {
    const { q, mesh } = sheet.state;
    for (let t = 0; t < mesh.triangleCount; t++) {
      const [a, b, c] = mesh.triangles.subarray(3 * t, 3 * t + 3).map((i) => STRIDE * i);
      const area = (p: number, r: number): number => (q[p] - x) * (q[r + 2] - z) - (q[p + 2] - z) * (q[r] - x);
      const [u, v, w] = [area(b, c), area(c, a), area(a, b)];
      if (u * v >= 0 && v * w >= 0 && u * w >= 0) return (u * q[a + 1] + v * q[b + 1] + w * q[c + 1]) / (u + v + w);
    }
    return undefined;
  };
  let [over, pushing] = [0, 0];
  for (let n = 0; n < 30; n++) {
    world.step();
    const height = computeHeight(0.04, -0.02);
    if (height === undefined) break;
    over++;
    pushing = Math.max(pushing, contacts.pushing);
    expect(height).toBeGreaterThan(0);
  }
  expect(over).toBeGreaterThan(20);
  expect(pushing).toBeGreaterThan(0);
});
