/**
 * Knits of continua: nothing but contact and friction holds their loops, so who winds round whom must stay. Rings of a yoke are closed curves: how often two of
 * them are linked is a whole number that changes only where one yarn goes through another.
 */
import { compile, parseScene, type Scene, type World, type YarnsFrame } from 'heddle';
import { computeLinkingNumber, computePolylineDistance, computeSelfClearance } from 'heddle/geometry';
import { describe, expect, test } from 'vitest';
import { build, listScenes, readScene } from './gallery-scenes.ts';

/** A yoke of yarn of the paper's poncho on a rough ball that is jerked up and down. */
const createJerkedYoke = (memory: number): World =>
  compile(
    parseScene(
      JSON.stringify({
        heddle: 1,
        name: 'knit',
        title: 'Knit',
        objects: [
          {
            type: 'mpm',
            id: 'continuum',
            spacing: 0.024,
            parts: [
              {
                id: 'knit',
                pattern: {
                  type: 'knit',
                  form: 'yoke',
                  courses: 4,
                  wales: 8,
                  spacing: [0.048, 0.042],
                  segments: 2,
                  slope: 20,
                },
                material: { type: 'curve', preset: 'knit-poncho', radius: 0.006, memory },
                position: [0, 0.19, 0],
              },
            ],
          },
        ],
        bodies: [
          {
            id: 'ball',
            shape: { type: 'sphere', radius: 0.15 },
            friction: 0.5,
            motion: 'scripted',
            keyframes: [
              { time: 0, position: [0, 0, 0] },
              { time: 0.2, position: [0, 0, 0] },
              { time: 0.32, position: [0, 0.3, 0] },
              { time: 0.44, position: [0, 0, 0] },
              { time: 0.56, position: [0, 0.3, 0] },
            ],
          },
        ],
        time: { step: 0.01, duration: 0.6 },
      }),
    ),
  );

/** Linking number of each ring with the next. */
function listLinks(world: World): number[] {
  const [yarns] = world.frame().objects;
  if (yarns.type !== 'yarns') throw new Error('no yarns');
  const { x, start } = yarns;
  // the last point of a ring is its first
  const ring = (c: number): Float64Array => Float64Array.from(x.subarray(3 * start[c], 3 * (start[c + 1] - 1)));
  return Array.from({ length: start.length - 2 }, (_, c) => computeLinkingNumber(ring(c), ring(c + 1)));
}

test.each([0, 0.02])(
  'a knit that is thrown up and drops loses no stitch: its rings stay linked as they were, with a memory of %f s',
  (memory) => {
    const world = createJerkedYoke(memory);
    // both legs of a loop wind round the one below, opposite ways; the yarns at neck and hem go through all loops of a course
    const links = [-8, 0, 0, 0, -23];
    expect(listLinks(world)).toEqual(links);
    for (let n = 0; n < 60; n++) {
      world.step();
      if (n % 20 === 19) expect(listLinks(world)).toEqual(links);
    }
  },
);

/** Parts of a scene that are knitted. */
const listKnits = ({ objects }: Scene) =>
  objects.flatMap((object) =>
    object.type === 'mpm' ? object.parts.filter((part) => part.pattern.type === 'knit') : [],
  );

/** Smallest distance of the centre lines of yarns, of one yarn that of parts further along than `neighbours` [m]. */
function computeClearance({ x, start }: YarnsFrame, neighbours: number): number {
  const curves = Array.from({ length: start.length - 1 }, (_, c) =>
    Float64Array.from(x.subarray(3 * start[c], 3 * start[c + 1])),
  );
  if (curves.length === 1) return computeSelfClearance(curves[0], { neighbours });
  return Math.min(...curves.slice(1).map((curve, c) => computePolylineDistance(curves[c], curve)));
}

describe('knits of the gallery', () => {
  test.each(listScenes('mpm').filter((name) => listKnits(readScene(name)).length > 0))(
    '%s starts with yarns beside each other, so that it is said which winds round which',
    (name) => {
      const scene = readScene(name);
      const { objects } = build(scene).frame();
      for (const { id, material } of listKnits(scene)) {
        const yarns = objects.find((one) => one.id === id);
        if (yarns?.type !== 'yarns' || material.type !== 'curve') throw new Error(`"${id}" has no yarns`);
        // smooth loops are 1.95 radii apart, of two straight pieces a stretch 1.4, of one they meet
        expect(computeClearance(yarns, 4 * material.radius)).toBeGreaterThan(material.radius);
      }
    },
  );
});
