/**
 * The rope of bench/peers-rope.js in Rapier, in the four ways that its users have: capsules with spherical joints
 * (impulses), the same as one multibody (reduced coordinates: links cannot come apart), balls with rope joints, and its
 * own soft-body rope. Nothing collides, nothing is damped, nothing sleeps.
 */
import rapier from '@dimforge/rapier3d-compat';
import { ballRadius, computeNodeMasses, computeSegment, ROPE, writeSegmentEnds } from './peers-rope.js';

export const name = 'rapier';

/** Must be awaited once before anything is built. */
export async function load() {
  await rapier.init();
}

const ZERO = { x: 0, y: 0, z: 0 };
const UPRIGHT = { x: 0, y: 0, z: 0, w: 1 };

/** Above the frequency of any step: as stiff as its solver can make an edge. The default, 30 Hz, is a rubber band. */
const STIFF = { naturalFrequency: 1e6, dampingRatio: 1 };

/** The number of iterations of a step when nobody sets it. */
export const iterations = 4;

export const variants = [
  { variant: 'spherical joints', create: (setting) => createLinks(setting, 'createImpulseJoint') },
  { variant: 'rope joints', create: createBalls },
  { variant: 'soft-body rope', create: createSoftRope },
  // no iterations to add, and each step takes long
  { variant: 'multibody', create: (setting) => createLinks(setting, 'createMultibodyJoint'), onlyDefault: true },
];

function createWorld({ step, effort }) {
  const world = new rapier.World({ x: 0, y: -ROPE.gravity, z: 0 });
  world.timestep = step;
  world.numSolverIterations = iterations * effort;
  return world;
}

function addBody(world, x, mass, inertia) {
  const description = rapier.RigidBodyDesc.dynamic()
    .setTranslation(x, 0, 0)
    .setCanSleep(false)
    .setAdditionalMassProperties(mass, ZERO, inertia, UPRIGHT);
  return world.createRigidBody(description);
}

const addBall = (world, x, mass, radius) => {
  const moment = 0.4 * mass * radius ** 2;
  return addBody(world, x, mass, { x: moment, y: moment, z: moment });
};

/** Rigid segments jointed at their ends; the tip's mass is a ball jointed to the last end. */
function createLinks(setting, createJoint) {
  const world = createWorld(setting);
  const { nodes } = setting;
  const { length, mass, axial, across } = computeSegment(nodes);
  const links = [];
  let last = world.createRigidBody(rapier.RigidBodyDesc.fixed());
  let anchor = ZERO;
  const join = (body, at) => {
    world[createJoint](rapier.JointData.spherical(anchor, at), last, body, true);
    last = body;
  };
  for (let i = 0; i < nodes - 1; i++) {
    const link = addBody(world, (i + 0.5) * length, mass, { x: axial, y: across, z: across });
    join(link, { x: -length / 2, y: 0, z: 0 });
    anchor = { x: length / 2, y: 0, z: 0 };
    links.push(link);
  }
  const ball = addBall(world, ROPE.length, ROPE.tipMass, ballRadius);
  join(ball, ZERO);
  const path = new Float64Array(3 + 6 * links.length + 3);
  return {
    path,
    step: () => world.step(),
    writePath() {
      links.forEach((link, i) => {
        writeSegmentEnds(path, 3 + 6 * i, link.translation(), link.rotation(), length);
      });
      const { x, y, z } = ball.translation();
      path.set([x, y, z], path.length - 3);
    },
    free: () => world.free(),
  };
}

/** Balls at the nodes, each kept within a segment's length of the one before. */
function createBalls(setting) {
  const world = createWorld(setting);
  const { nodes } = setting;
  const masses = computeNodeMasses(nodes);
  const { length } = computeSegment(nodes);
  const balls = [world.createRigidBody(rapier.RigidBodyDesc.fixed())];
  for (let i = 1; i < nodes; i++) {
    balls.push(addBall(world, i * length, masses[i], i === nodes - 1 ? ballRadius : ROPE.radius));
    world.createImpulseJoint(rapier.JointData.rope(length, ZERO, ZERO), balls[i - 1], balls[i], true);
  }
  const path = new Float64Array(3 * nodes);
  return {
    path,
    step: () => world.step(),
    writePath() {
      balls.forEach((ball, i) => {
        const { x, y, z } = ball.translation();
        path.set([x, y, z], 3 * i);
      });
    },
    free: () => world.free(),
  };
}

/** Rapier's generator of ropes; masses, stiffness and the pinned end are ours. */
function createSoftRope(setting) {
  const world = createWorld(setting);
  const { nodes } = setting;
  const description = rapier.SoftBodyDesc.rope(ZERO, { x: ROPE.length, y: 0, z: 0 }, nodes)
    .setMasses(Float32Array.from(computeNodeMasses(nodes)))
    .setPinnedParticles([0])
    .setSoftness(STIFF.naturalFrequency, STIFF.dampingRatio);
  description.canSleep = false;
  description.linearDamping = 0;
  description.surfaceCollider = null;
  const body = world.createSoftBody(description);
  const path = new Float64Array(3 * nodes);
  return {
    path,
    step: () => world.step(),
    writePath: () => path.set(body.particlePositions()),
    free: () => world.free(),
  };
}
