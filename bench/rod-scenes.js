/**
 * The scenes of [Wen 2020] whose times are in its Table 1, with its numbers of nodes at the start, at 8 ms a step. The paper gives
 * pictures, neither measures nor materials; ours are soft cords of 6 mm.
 *
 *   edge      Fig. 8    a rope dragged over the edge of a box by one end
 *   twist     Fig. 7    ends brought together and turned against each other, until the rod coils about itself
 *   whip      Fig. 9    nodes move, but neither come nor go; a hand swings it
 *   wrap      Fig. 10   a rod falls on four cylinders, which are prisms as in the paper's pictures
 *   knots     Fig. 11   drawn tight by both ends; nodes come by length only. The paper does not name them: blue as ours of the overhand knot,
 *                       green of the stevedore, red of the double overhand, yellow of the figure-eight.
 */
import { compile, validateScene } from 'heddle';

const MATERIAL = { density: 1000, radius: 0.003, youngsModulus: 2e6, poissonRatio: 0.45, friction: 0 };
const DAMPING = { mass: 0.5, stiffness: 0.01 };
export const STEP = 0.008;
/** Of the prisms: edges of 30 degrees. */
const SIDES = 12;

/** What the paper says: #Vmin, #Vmax, and milliseconds for collision, resample, force, solve and all. */
const paper = (least, most, collision, resample, force, solve, total) => ({
  least,
  most,
  ms: { collision, resample, force, solve, total },
});

/** `seconds`: from the start until it is as in the figure. */
export const scenes = [
  {
    figure: 'Fig. 8',
    name: 'edge',
    seconds: 1.6,
    paper: paper(11, 23, 0.0988, 0.0194, 1.18, 14.6, 15.9),
    describe: describeEdge,
  },
  {
    figure: 'Fig. 7',
    name: 'twist',
    seconds: 3,
    paper: paper(20, 88, 0.989, 0.507, 4.14, 28.6, 34.2),
    describe: describeTwist,
  },
  {
    figure: 'Fig. 9',
    name: 'whip',
    seconds: 0.8,
    paper: paper(36, 36, null, null, 1.93, 17.3, 19.2),
    describe: describeWhip,
  },
  {
    figure: 'Fig. 10',
    name: 'wrap',
    seconds: 1.2,
    paper: paper(49, 153, 0.724, 0.41, 5.55, 29.7, 36.4),
    describe: describeWrap,
  },
  {
    figure: 'Fig. 11 blue',
    name: 'overhand',
    seconds: 1.6,
    paper: paper(47, 53, 0.408, 0.0162, 2.94, 21.0, 24.4),
    describe: () => describeKnot('overhand', 47),
  },
  {
    figure: 'Fig. 11 green',
    name: 'stevedore',
    seconds: 1.6,
    paper: paper(107, 115, 0.952, 0.0384, 5.98, 36.5, 43.5),
    describe: () => describeKnot('stevedore', 107),
  },
  {
    figure: 'Fig. 11 red',
    name: 'double-overhand',
    seconds: 1.6,
    paper: paper(81, 87, 0.642, 0.0489, 3.92, 29.2, 33.8),
    describe: () => describeKnot('double-overhand', 81),
  },
  {
    figure: 'Fig. 11 yellow',
    name: 'figure-eight',
    seconds: 1.6,
    paper: paper(73, 76, 0.55, 0.0455, 3.75, 26.1, 30.4),
    describe: () => describeKnot('figure-eight', 73),
  },
];

/** The world of a scene. */
export function createWorld({ name, describe }) {
  const { rod, gravity = [0, -9.81, 0], bodies = [], drivers = [] } = describe();
  const scene = {
    heddle: 1,
    name: `bench-rod-${name}`,
    title: name,
    gravity,
    objects: [{ type: 'rod', id: 'rod', material: MATERIAL, damping: DAMPING, ...rod }],
    bodies,
    drivers,
    time: { step: STEP, duration: 10 },
  };
  return compile(validateScene(scene));
}

const at = (place) => ({ object: 'rod', at: place });

function describeEdge() {
  return {
    rod: {
      points: [
        [-0.7, 0.0035, 0],
        [0.3, 0.0035, 0],
      ],
      segments: 10,
    },
    bodies: [{ id: 'box', shape: { type: 'box', size: [1.2, 0.6, 0.6] }, position: [-0.6, -0.3, 0] }],
    drivers: [
      {
        type: 'keyframes',
        on: at('end'),
        keyframes: [
          { time: 0, position: [0.3, 0.0035, 0] },
          { time: 0.6, position: [0.15, -0.2, 0] },
          { time: 1.6, position: [0.15, -0.6, 0] },
        ],
      },
    ],
  };
}

function describeTwist() {
  const hold = (place, x, sign) => ({
    type: 'clamp',
    on: at(place),
    keyframes: Array.from({ length: 31 }, (_, n) => ({
      time: 0.1 * n,
      position: [x * (1 - 0.5 * Math.min(1, n / 20)), 0, 0],
      rotation: { axis: [1, 0, 0], angle: sign * 60 * n },
    })),
  });
  return {
    gravity: [0, -0.5, 0],
    rod: {
      points: [
        [-0.5, 0, 0],
        [0.5, 0, 0],
      ],
      segments: 17,
      contact: { self: true },
    },
    drivers: [hold('start', -0.5, 1), hold('end', 0.5, -1)],
  };
}

function describeWhip() {
  const keyframes = Array.from({ length: 21 }, (_, n) => {
    const s = n / 20;
    const angle =
      s < 0.5
        ? (-110 * (1 - Math.cos(2 * Math.PI * s))) / 2
        : -110 - (175 * (1 - Math.cos(2 * Math.PI * (s - 0.5)))) / 2;
    return {
      time: 0.76 * s,
      position: [0.4 * Math.sin(-Math.PI * (angle / 180)), 1.1, 0],
      rotation: { axis: [0, 0, 1], angle },
    };
  });
  return {
    rod: {
      points: [
        [0, 1.1, 0],
        [0, 0.1, 0],
      ],
      segments: 34,
      refinement: false,
      damping: { mass: 0.1, stiffness: 0.002 },
    },
    drivers: [{ type: 'clamp', on: at('start'), keyframes }],
  };
}

/** A prism about z. */
function describePrism(id, x, y, radius) {
  const points = [-0.3, 0.3].flatMap((z) =>
    Array.from({ length: SIDES }, (_, n) => {
      const angle = (2 * Math.PI * (n + 0.5)) / SIDES;
      return [radius * Math.cos(angle), radius * Math.sin(angle), z];
    }),
  );
  return { id, shape: { type: 'convex', points }, position: [x, y, 0] };
}

function describeWrap() {
  return {
    rod: {
      points: [
        [-0.8, 0.16, -0.05],
        [0.8, 0.16, 0.05],
      ],
      segments: 48,
    },
    bodies: [
      describePrism('a', -0.45, -0.05, 0.045),
      describePrism('b', -0.15, 0.05, 0.045),
      describePrism('c', 0.15, 0.05, 0.045),
      describePrism('d', 0.45, -0.05, 0.045),
    ],
  };
}

function describeKnot(name, nodes) {
  const pull = (place, speed) => ({ type: 'velocity', on: at(place), value: [speed, 0, 0] });
  return {
    gravity: [0, 0, 0],
    rod: {
      shape: { type: 'knot', name, looseness: 2, tail: 0.15 },
      segments: nodes - 1,
      contact: { self: true, insertsNodes: false },
      refinement: { longest: 1.75, sharpest: Math.PI, flattest: 0 },
      damping: { mass: 2, stiffness: 0.01 },
    },
    drivers: [pull('start', -0.05), pull('end', 0.05)],
  };
}
