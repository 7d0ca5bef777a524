/**
 * The rope of bench/peers-rope.js in Jolt Physics, in the four ways that its users have: capsules with point constraints,
 * balls with distance constraints, a soft body of edges, and the same with long-range attachments to the held end, which
 * is what Jolt offers against stretch. Nothing collides, nothing is damped, nothing sleeps.
 */
import { createJoltWorld } from './jolt-world.js';
import {
  ballRadius,
  computeNodeMasses,
  computeSegment,
  ROPE,
  stretchStiffness,
  writeSegmentEnds,
} from './peers-rope.js';

export const name = 'jolt';

/** Must be awaited once before anything is built; what it returns goes to `create`: one world for all ropes, in turn. */
export const load = () => createJoltWorld({ gravity: ROPE.gravity });

/**
 * Jolt replaces moments of inertia that are too small (seen at 6e-9, not at 6e-6 kg m²) by those of a ball of radius 1 m, so
 * links of a few millimetres would not turn. Rigid constraints do not care for the unit of mass: bodies weigh milligrams here.
 */
const MASS_UNIT = 1e6;

/** Numbers of iterations of a step when nobody sets them. */
const ITERATIONS = { velocity: 10, position: 2, soft: 5 };

export const variants = [
  { variant: 'point constraints', create: createLinks },
  { variant: 'distance constraints', create: createBalls },
  { variant: 'soft body', create: (setting, loaded) => createSoftBody(setting, loaded, false) },
  { variant: 'soft body, long range', create: (setting, loaded) => createSoftBody(setting, loaded, true) },
];

/** What a rope puts into the world, and takes out in the end. */
class Scene {
  bodies = [];
  constraints = [];

  constructor(loaded, effort) {
    Object.assign(this, loaded);
    const settings = this.system.GetPhysicsSettings();
    settings.mNumVelocitySteps = ITERATIONS.velocity * effort;
    settings.mNumPositionSteps = ITERATIONS.position * effort;
    this.system.SetPhysicsSettings(settings);
  }

  /** A body at (x, 0, 0); static without mass. */
  addBody({ x, mass, inertia }) {
    const { jolt } = this;
    const motion = mass > 0 ? jolt.EMotionType_Dynamic : jolt.EMotionType_Static;
    const [shape, place] = [new jolt.SphereShape(ROPE.radius), new jolt.RVec3(x, 0, 0)];
    const settings = new jolt.BodyCreationSettings(shape, place, new jolt.Quat(0, 0, 0, 1), motion, 0);
    settings.mLinearDamping = 0;
    settings.mAngularDamping = 0;
    settings.mAllowSleeping = false;
    if (mass > 0) {
      const moments = new jolt.Vec3(...inertia.map((moment) => moment * MASS_UNIT));
      settings.mOverrideMassProperties = jolt.EOverrideMassProperties_MassAndInertiaProvided;
      settings.mMassPropertiesOverride.mMass = mass * MASS_UNIT;
      settings.mMassPropertiesOverride.mInertia = jolt.Mat44.prototype.sScaleVec3(moments);
    }
    return this.enter(this.interface.CreateBody(settings), settings);
  }

  enter(body, settings) {
    this.interface.AddBody(body.GetID(), this.jolt.EActivation_Activate);
    this.jolt.destroy(settings);
    this.bodies.push(body);
    return body;
  }

  addConstraint(settings, a, b) {
    const constraint = settings.Create(a, b);
    this.system.AddConstraint(constraint);
    this.jolt.destroy(settings);
    this.constraints.push(constraint);
  }

  free() {
    for (const constraint of this.constraints) this.system.RemoveConstraint(constraint);
    for (const body of this.bodies) {
      this.interface.RemoveBody(body.GetID());
      this.interface.DestroyBody(body.GetID());
    }
  }
}

const ballInertia = (mass, radius) => new Array(3).fill(0.4 * mass * radius ** 2);

/** Rigid segments jointed at their ends; the tip's mass is a ball jointed to the last end. */
function createLinks({ nodes, step, effort }, loaded) {
  const { jolt, world } = loaded;
  const scene = new Scene(loaded, effort);
  const { length, mass, axial, across } = computeSegment(nodes);
  const join = (a, b, x) => {
    const settings = new jolt.PointConstraintSettings();
    settings.mPoint1 = settings.mPoint2 = new jolt.RVec3(x, 0, 0);
    scene.addConstraint(settings, a, b);
  };
  const links = [];
  let last = scene.addBody({ x: 0, mass: 0 });
  for (let i = 0; i < nodes - 1; i++) {
    const link = scene.addBody({ x: (i + 0.5) * length, mass, inertia: [axial, across, across] });
    join(last, link, i * length);
    links.push((last = link));
  }
  const inertia = ballInertia(ROPE.tipMass, ballRadius);
  const ball = scene.addBody({ x: ROPE.length, mass: ROPE.tipMass, inertia });
  join(last, ball, ROPE.length);
  const path = new Float64Array(3 + 6 * links.length + 3);
  return {
    path,
    step: () => world.Step(step, 1),
    writePath() {
      links.forEach((link, i) => {
        writeSegmentEnds(path, 3 + 6 * i, toPoint(link.GetPosition()), toRotation(link.GetRotation()), length);
      });
      writePoint(path, path.length - 3, ball.GetPosition());
    },
    free: () => scene.free(),
  };
}

/** Balls at the nodes, each kept at a segment's length from the one before. */
function createBalls({ nodes, step, effort }, loaded) {
  const { jolt, world } = loaded;
  const scene = new Scene(loaded, effort);
  const masses = computeNodeMasses(nodes);
  const { length } = computeSegment(nodes);
  const balls = [scene.addBody({ x: 0, mass: 0 })];
  for (let i = 1; i < nodes; i++) {
    const inertia = ballInertia(masses[i], i === nodes - 1 ? ballRadius : ROPE.radius);
    balls.push(scene.addBody({ x: i * length, mass: masses[i], inertia }));
    const settings = new jolt.DistanceConstraintSettings();
    settings.mPoint1 = new jolt.RVec3((i - 1) * length, 0, 0);
    settings.mPoint2 = new jolt.RVec3(i * length, 0, 0);
    scene.addConstraint(settings, balls[i - 1], balls[i]);
  }
  const path = new Float64Array(3 * nodes);
  return {
    path,
    step: () => world.Step(step, 1),
    writePath: () => balls.forEach((ball, i) => void writePoint(path, 3 * i, ball.GetPosition())),
    free: () => scene.free(),
  };
}

/** Point masses and edges with the compliance of the cord's material, l/EA. */
function createSoftBody({ nodes, step, effort }, loaded, longRange) {
  const { jolt, world } = loaded;
  const scene = new Scene(loaded, effort);
  const { length } = computeSegment(nodes);
  const shared = new jolt.SoftBodySharedSettings();
  computeNodeMasses(nodes).forEach((mass, i) => {
    const vertex = new jolt.SoftBodySharedSettingsVertex();
    vertex.mPosition = new jolt.Float3(i * length, 0, 0);
    vertex.mInvMass = i === 0 ? 0 : 1 / mass;
    shared.mVertices.push_back(vertex);
    if (i > 0)
      shared.mEdgeConstraints.push_back(new jolt.SoftBodySharedSettingsEdge(i - 1, i, length / stretchStiffness));
    if (i > 0 && longRange) shared.mLRAConstraints.push_back(new jolt.SoftBodySharedSettingsLRA(0, i, i * length));
  });
  shared.CalculateEdgeLengths();
  shared.Optimize();
  const identity = new jolt.Quat(0, 0, 0, 1);
  const settings = new jolt.SoftBodyCreationSettings(shared, new jolt.RVec3(0, 0, 0), identity, 0);
  settings.mNumIterations = ITERATIONS.soft * effort;
  settings.mLinearDamping = 0;
  settings.mAllowSleeping = false;
  settings.mUpdatePosition = false;
  const body = scene.enter(scene.interface.CreateSoftBody(settings), settings);
  const motion = jolt.castObject(body.GetMotionProperties(), jolt.SoftBodyMotionProperties);
  const path = new Float64Array(3 * nodes);
  return {
    path,
    step: () => world.Step(step, 1),
    writePath() {
      for (let i = 0; i < nodes; i++) writePoint(path, 3 * i, motion.GetVertex(i).mPosition);
    },
    free: () => scene.free(),
  };
}

const toPoint = (v) => ({ x: v.GetX(), y: v.GetY(), z: v.GetZ() });

const toRotation = (q) => ({ x: q.GetX(), y: q.GetY(), z: q.GetZ(), w: q.GetW() });

function writePoint(path, at, v) {
  path[at] = v.GetX();
  path[at + 1] = v.GetY();
  path[at + 2] = v.GetZ();
}
