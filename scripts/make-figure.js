// Makes scenes/figure.glb: a figure of 1.7 m that crouches, jumps and lands, as one closed mesh that hangs on fifteen joints, with the clip "jump".
//     node scripts/make-figure.js
// The skin is that of capsules round the bones (blended-surface.js). A vertex hangs on the bones that it
// is nearest to. Thighs and shins of every pose follow from where hips and feet are; the flight is a parabola.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Accessor, Document, WebIO } from '@gltf-transform/core';
import { computeCapsuleDistance, createBlendedSurface } from './blended-surface.js';

/** Side of the grid [m]. */
const CELL = 0.044;
/** How far surfaces of two capsules flow together [m]. */
const BLEND = 0.045;
/** How far from the nearest bone others still hold a vertex [m]. */
const HOLD = 0.07;
const G = 9.81;
const FPS = 30;
const THIGH = 0.42;
const SHIN = 0.42;
/** Height of hips and ankles, standing [m]. */
const HIP = 0.92;
const ANKLE = 0.085;

/** Parent and place of each joint in the pose of rest. y is up, the face looks along z. */
const JOINTS = {
  pelvis: { parent: undefined, at: [0, 0.97, 0] },
  chest: { parent: 'pelvis', at: [0, 1.12, 0] },
  head: { parent: 'chest', at: [0, 1.46, 0] },
};
for (const [side, s] of [
  ['left', 1],
  ['right', -1],
]) {
  JOINTS[`${side} arm`] = { parent: 'chest', at: [0.19 * s, 1.4, 0] };
  JOINTS[`${side} forearm`] = { parent: `${side} arm`, at: [0.42 * s, 1.25, 0] };
  JOINTS[`${side} thigh`] = { parent: 'pelvis', at: [0.105 * s, HIP, 0] };
  JOINTS[`${side} shin`] = { parent: `${side} thigh`, at: [0.13 * s, HIP - THIGH, 0.012] };
  JOINTS[`${side} foot`] = { parent: `${side} shin`, at: [0.155 * s, ANKLE, 0] };
}
const NAMES = Object.keys(JOINTS);

/** Capsules: joint, ends and radii there. */
const CAPSULES = [
  ['pelvis', [-0.075, 0.97, 0], [0.075, 0.97, 0], 0.118, 0.118],
  ['chest', [0, 1.0, 0], [0, 1.3, 0], 0.117, 0.112],
  ['chest', [-0.07, 1.29, 0], [0.07, 1.29, 0], 0.112, 0.112],
  ['chest', [-0.165, 1.395, 0], [0.165, 1.395, 0], 0.068, 0.068],
  ['head', [0, 1.42, 0], [0, 1.54, 0], 0.056, 0.056],
  ['head', [0, 1.575, 0.012], [0, 1.615, 0.012], 0.095, 0.092],
];
for (const [side, s] of [
  ['left', 1],
  ['right', -1],
]) {
  CAPSULES.push(
    [`${side} arm`, [0.19 * s, 1.4, 0], [0.42 * s, 1.25, 0], 0.062, 0.05],
    [`${side} forearm`, [0.42 * s, 1.25, 0], [0.63 * s, 1.11, 0], 0.05, 0.042],
    [`${side} forearm`, [0.63 * s, 1.11, 0], [0.69 * s, 1.07, 0], 0.044, 0.042],
    [`${side} thigh`, [0.105 * s, HIP, 0], [0.13 * s, HIP - THIGH, 0.012], 0.092, 0.062],
    [`${side} shin`, [0.13 * s, HIP - THIGH, 0.012], [0.155 * s, ANKLE, 0], 0.06, 0.044],
    [`${side} foot`, [0.155 * s, 0.055, -0.035], [0.165 * s, 0.05, 0.15], 0.05, 0.042],
  );
}

/** Four joints a vertex and how much each holds, 255 together. */
function computeSkin(p) {
  const near = new Map();
  for (const capsule of CAPSULES) {
    const d = computeCapsuleDistance(capsule.slice(1), p);
    near.set(capsule[0], Math.min(d, near.get(capsule[0]) ?? Infinity));
  }
  const least = Math.min(...near.values());
  const weights = [...near]
    .map(([name, d]) => [NAMES.indexOf(name), Math.max(0, 1 - (d - least) / HOLD) ** 2])
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, 4);
  const sum = weights.reduce((total, [, w]) => total + w, 0);
  const parts = weights.map(([, w]) => Math.round((255 * w) / sum));
  parts[0] += 255 - parts.reduce((total, part) => total + part, 0);
  return { joints: weights.map(([joint], n) => (parts[n] > 0 ? joint : 0)), weights: parts };
}

const smooth = (s) => s * s * (3 - 2 * s);
/** Values at times, eased from one to the next. */
const ease = (keys, t) => {
  let n = 0;
  while (n + 2 < keys.length && keys[n + 1][0] <= t) n++;
  const [[t0, a], [t1, b]] = [keys[n], keys[n + 1]];
  return a + (b - a) * smooth(Math.min(1, Math.max(0, (t - t0) / (t1 - t0))));
};

// the clip: stand, crouch, jump at LEAVE with SPEED, land at MEET, come to rest
const CROUCH = 0.5;
const LOW = 0.8;
const LEAVE = 1.1;
const SPEED = 1.6;
const MEET = LEAVE + (2 * SPEED) / G;
const END = 2.1;
/** How far the hips go down before the jump [m]. */
const DEPTH = 0.22;
/** The hips when the feet leave: a little lower than standing, for the legs must not be quite straight. */
const TAKE_OFF = -0.012;

/** How high hips [m] and feet are over where they stand. */
function computeHeights(t) {
  if (t >= LEAVE && t <= MEET) {
    const s = t - LEAVE;
    const up = SPEED * s - 0.5 * G * s * s;
    // the legs are drawn up a little
    return {
      hips: TAKE_OFF + up,
      feet: Math.max(
        0,
        up - 0.06 * Math.sin((Math.PI * s) / (MEET - LEAVE)) + 0.1 * Math.sin((Math.PI * s) / (MEET - LEAVE)) ** 2,
      ),
    };
  }
  if (t < LOW)
    return {
      hips: ease(
        [
          [0, TAKE_OFF],
          [CROUCH, TAKE_OFF],
          [LOW, -DEPTH],
        ],
        t,
      ),
      feet: 0,
    };
  if (t < LEAVE) {
    // from rest below up to the speed of the jump: a cubic with both speeds
    const span = LEAVE - LOW;
    const s = (t - LOW) / span;
    return { hips: -DEPTH + (TAKE_OFF + DEPTH) * s * s * (3 - 2 * s) + SPEED * span * s * s * (s - 1), feet: 0 };
  }
  // it lands with the speed that it left with, goes down and comes up again
  const down = 0.26;
  const s = Math.min(1, (t - MEET) / down);
  const depth = -0.2;
  if (t < MEET + down)
    return { hips: TAKE_OFF + (depth - TAKE_OFF) * s * s * (3 - 2 * s) - SPEED * down * s * (1 - s) ** 2, feet: 0 };
  return {
    hips: ease(
      [
        [MEET + down, depth],
        [MEET + 0.85, TAKE_OFF],
        [END, TAKE_OFF],
      ],
      t,
    ),
    feet: 0,
  };
}

/** Turns about x of thigh, shin and foot so that the ankle is `length` below the hip. */
function bendLeg(length) {
  const l = Math.min(length, THIGH + SHIN - 1e-4);
  const hip = Math.acos((THIGH * THIGH + l * l - SHIN * SHIN) / (2 * THIGH * l));
  const knee = Math.PI - Math.acos((THIGH * THIGH + SHIN * SHIN - l * l) / (2 * THIGH * SHIN));
  return { thigh: -hip, shin: knee, foot: hip - knee };
}

const about = (axis, angle) => [0, 1, 2].map((k) => axis[k] * Math.sin(angle / 2)).concat(Math.cos(angle / 2));
const multiply = ([a, b, c, d], [x, y, z, w]) => [
  d * x + a * w + b * z - c * y,
  d * y - a * z + b * w + c * x,
  d * z + a * y - b * x + c * w,
  d * w - a * x - b * y - c * z,
];

/** Turns of all joints and the place of the pelvis at a time. */
function createPose(t) {
  const { hips, feet } = computeHeights(t);
  const rest = HIP - ANKLE;
  const leg = bendLeg(rest + hips - feet);
  // what the straight legs of rest are bent by already
  const stand = bendLeg(rest + TAKE_OFF);
  const bent = Math.min(1, Math.max(0, (TAKE_OFF - hips) / DEPTH));
  const lean = 0.5 * bent;
  const up = ease(
    [
      [0, 0],
      [CROUCH, 0],
      [LOW, -0.15],
      [LEAVE + 0.2, 0.25],
      [MEET + 0.15, 0.1],
      [END - 0.2, 0],
      [END, 0],
    ],
    t,
  );
  const swing = ease(
    [
      [0, 0],
      [CROUCH, 0],
      [LOW, 0.35],
      [LEAVE + 0.1, -0.2],
      [MEET + 0.2, -0.1],
      [END - 0.2, 0],
      [END, 0],
    ],
    t,
  );
  const turns = {
    pelvis: about([1, 0, 0], 0.35 * lean),
    chest: about([1, 0, 0], lean),
    head: about([1, 0, 0], -lean),
  };
  for (const [side, s] of [
    ['left', 1],
    ['right', -1],
  ]) {
    turns[`${side} arm`] = multiply(about([1, 0, 0], swing), about([0, 0, 1], s * up));
    turns[`${side} forearm`] = about([0, 1, 0], -s * (0.15 + 0.5 * bent));
    turns[`${side} thigh`] = about([1, 0, 0], leg.thigh - stand.thigh - 0.35 * lean);
    turns[`${side} shin`] = about([1, 0, 0], leg.shin - stand.shin);
    turns[`${side} foot`] = about([1, 0, 0], leg.foot - stand.foot);
  }
  // the pelvis goes back as the chest leans over
  return { turns, pelvis: [0, JOINTS.pelvis.at[1] + hips - TAKE_OFF, -0.05 * bent] };
}

function checkClosed(triangles) {
  const edges = new Map();
  for (let i = 0; i < triangles.length; i++) {
    const key = `${triangles[i]},${triangles[i % 3 === 2 ? i - 2 : i + 1]}`;
    edges.set(key, (edges.get(key) ?? 0) + 1);
  }
  for (const [key, count] of edges) {
    const back = key.split(',').reverse().join();
    if (count !== 1 || edges.get(back) !== 1)
      throw new Error(`the edge ${key} of the figure does not join two triangles; change CELL`);
  }
}

const { vertices, triangles } = createBlendedSurface({
  capsules: CAPSULES.map(([, ...capsule]) => capsule),
  blend: BLEND,
  cell: CELL,
  low: [-0.8, -0.06, -0.25],
  size: [1.6, 1.86, 0.55],
});
checkClosed(triangles);
const document = new Document();
const buffer = document.createBuffer();
const make = (type, values, isNormalized = false) =>
  document.createAccessor().setType(Accessor.Type[type]).setArray(values).setNormalized(isNormalized).setBuffer(buffer);
const skins = vertices.map(computeSkin);
const primitive = document
  .createPrimitive()
  .setAttribute('POSITION', make('VEC3', Float32Array.from(vertices.flat())))
  .setAttribute('JOINTS_0', make('VEC4', Uint8Array.from(skins.flatMap(({ joints }) => joints))))
  .setAttribute('WEIGHTS_0', make('VEC4', Uint8Array.from(skins.flatMap(({ weights }) => weights)), true))
  .setIndices(make('SCALAR', Uint16Array.from(triangles)));
const scene = document.createScene('figure');
document.getRoot().setDefaultScene(scene);
const nodes = new Map();
for (const [name, { parent, at }] of Object.entries(JOINTS)) {
  const from = parent ? JOINTS[parent].at : [0, 0, 0];
  const node = document.createNode(name).setTranslation([0, 1, 2].map((k) => at[k] - from[k]));
  nodes.set(name, node);
  if (parent) nodes.get(parent).addChild(node);
  else scene.addChild(node);
}
const inverse = NAMES.flatMap((name) => {
  const [x, y, z] = JOINTS[name].at;
  return [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -y, -z, 1];
});
const skin = document.createSkin().setInverseBindMatrices(make('MAT4', Float32Array.from(inverse)));
for (const name of NAMES) skin.addJoint(nodes.get(name));
scene.addChild(
  document.createNode('figure').setMesh(document.createMesh('figure').addPrimitive(primitive)).setSkin(skin),
);

const times = Array.from({ length: Math.round(END * FPS) + 1 }, (_, k) => k / FPS);
const poses = times.map(createPose);
const input = make('SCALAR', Float32Array.from(times));
const animation = document.createAnimation('jump');
const animate = (name, path, output) => {
  const sampler = document.createAnimationSampler().setInput(input).setOutput(output).setInterpolation('LINEAR');
  const channel = document
    .createAnimationChannel()
    .setTargetNode(nodes.get(name))
    .setTargetPath(path)
    .setSampler(sampler);
  animation.addSampler(sampler).addChannel(channel);
};
animate('pelvis', 'translation', make('VEC3', Float32Array.from(poses.flatMap(({ pelvis }) => pelvis))));
for (const name of NAMES)
  animate(name, 'rotation', make('VEC4', Float32Array.from(poses.flatMap(({ turns }) => turns[name]))));
const bytes = await new WebIO().writeBinary(document);
const path = fileURLToPath(new URL('../scenes/figure.glb', import.meta.url));
writeFileSync(path, bytes);
process.stdout.write(
  `scenes/figure.glb: ${vertices.length} vertices, ${triangles.length / 3} triangles, ${(bytes.length / 1000).toFixed(0)} kB\n`,
);
