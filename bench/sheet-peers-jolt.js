/**
 * The cloth of bench/sheet-peers-cloth.js in Jolt Physics, a soft body of edges and faces, in two ways: as its examples set it up (edges with
 * the compliance of the cloth, 5 iterations), and tuned for stiffness: rigid edges, long-range attachments to what is held, iterations until
 * strain no longer falls for the time. Nothing is damped, nothing sleeps; vertices touch the box, triangles do not (Jolt has only that).
 */
import { createJoltWorld } from './jolt-world.js';
import {
  CLOTH,
  computeRestLengths,
  computeStartVelocities,
  DRAW,
  listDrawn,
  listFree,
  listPins,
  placeLevel,
  placeOverEdge,
} from './sheet-peers-cloth.js';

export const name = 'jolt';

/** Must be awaited once before anything is built; what it returns goes to `create`: one world for all cloths, in turn. */
export const load = () => createJoltWorld({ gravity: CLOTH.gravity, layers: 2 });

export const variants = [
  {
    variant: 'example',
    create: (setting, loaded) =>
      createCloth(setting, loaded, { iterations: 5, compliance: 1 / CLOTH.tensileStiffness, isLong: false }),
  },
  {
    variant: 'tuned',
    create: (setting, loaded) => createCloth(setting, loaded, { iterations: 90, compliance: 0, isLong: true }),
  },
];

function createCloth({ task, cloth, step }, loaded, { iterations, compliance, isLong }) {
  const { jolt, world } = loaded;
  const isHanging = task === 'hang';
  const x = isHanging ? placeLevel(cloth) : placeOverEdge(cloth);
  const held = isHanging ? listPins(cloth) : listDrawn(cloth);
  const shared = new jolt.SoftBodySharedSettings();
  addVertices(jolt, shared, cloth, x, held);
  if (!isHanging) setVelocities(jolt, shared, computeStartVelocities(cloth));
  const rest = addEdges(jolt, shared, cloth, compliance);
  // Jolt takes rest lengths from the mesh as it lies; over the edge that is bent
  if (isLong) addLongRange(jolt, shared, cloth, held);
  shared.Optimize();
  const settings = new jolt.SoftBodyCreationSettings(shared, new jolt.RVec3(0, 0, 0), new jolt.Quat(0, 0, 0, 1), 0);
  settings.mNumIterations = iterations;
  settings.mLinearDamping = 0;
  settings.mFriction = DRAW.friction;
  settings.mRestitution = 0;
  settings.mVertexRadius = CLOTH.thickness / 2;
  settings.mAllowSleeping = false;
  settings.mUpdatePosition = false;
  const body = loaded.interface.CreateSoftBody(settings);
  loaded.interface.AddBody(body.GetID(), jolt.EActivation_Activate);
  jolt.destroy(settings);
  const box = isHanging ? undefined : addBox(loaded);
  const motion = jolt.castObject(body.GetMotionProperties(), jolt.SoftBodyMotionProperties);
  const bodies = box === undefined ? [body] : [body, box];
  const positions = new Float64Array(3 * cloth.count);
  return {
    step() {
      // what has no inverse mass goes where it is put
      if (!isHanging) for (const i of held) moveAlong(motion.GetVertex(i), step);
      world.Step(step, 1);
    },
    read() {
      for (let i = 0; i < cloth.count; i++) writePoint(positions, 3 * i, motion.GetVertex(i).mPosition);
      return { x: positions, edges: cloth.edges, rest, free: listFree(cloth) };
    },
    free() {
      for (const one of bodies) {
        loaded.interface.RemoveBody(one.GetID());
        loaded.interface.DestroyBody(one.GetID());
      }
    },
  };
}

function addVertices(jolt, shared, { count, masses, triangles }, x, held) {
  const vertex = new jolt.SoftBodySharedSettingsVertex();
  const isHeld = new Set(held);
  for (let i = 0; i < count; i++) {
    vertex.mPosition = new jolt.Float3(x[3 * i], x[3 * i + 1], x[3 * i + 2]);
    vertex.mInvMass = isHeld.has(i) ? 0 : 1 / masses[i];
    shared.mVertices.push_back(vertex);
  }
  for (let t = 0; t < triangles.length; t += 3)
    shared.AddFace(new jolt.SoftBodySharedSettingsFace(triangles[t], triangles[t + 1], triangles[t + 2], 0));
}

function setVelocities(jolt, shared, v) {
  for (let i = 0; 3 * i < v.length; i++)
    shared.mVertices.at(i).mVelocity = new jolt.Float3(v[3 * i], v[3 * i + 1], v[3 * i + 2]);
}

/** All edges of the mesh with their lengths in the material; returns those. */
function addEdges(jolt, shared, { X, edges }, compliance) {
  const rest = computeRestLengths(X, edges);
  for (let e = 0; e < rest.length; e++) {
    const edge = new jolt.SoftBodySharedSettingsEdge(edges[2 * e], edges[2 * e + 1], compliance);
    edge.mRestLength = rest[e];
    shared.mEdgeConstraints.push_back(edge);
    jolt.destroy(edge);
  }
  return rest;
}

/** Every vertex no farther from the nearest held one than the material lies between them. */
function addLongRange(jolt, shared, { X, count }, held) {
  const isHeld = new Set(held);
  for (let i = 0; i < count; i++) {
    if (isHeld.has(i)) continue;
    const distance = (k) => Math.hypot(X[2 * k] - X[2 * i], X[2 * k + 1] - X[2 * i + 1]);
    const nearest = held.reduce((best, k) => (distance(k) < distance(best) ? k : best));
    shared.mLRAConstraints.push_back(new jolt.SoftBodySharedSettingsLRA(nearest, i, distance(nearest)));
  }
}

function addBox({ jolt, interface: bodies }) {
  const half = DRAW.box / 2;
  const shape = new jolt.BoxShape(new jolt.Vec3(half, half, half), 0);
  const place = new jolt.RVec3(half, -half, 0);
  const settings = new jolt.BodyCreationSettings(shape, place, new jolt.Quat(0, 0, 0, 1), jolt.EMotionType_Static, 1);
  settings.mFriction = DRAW.friction;
  settings.mRestitution = 0;
  const body = bodies.CreateBody(settings);
  bodies.AddBody(body.GetID(), jolt.EActivation_DontActivate);
  jolt.destroy(settings);
  return body;
}

function moveAlong(vertex, step) {
  const place = vertex.mPosition;
  place.SetX(place.GetX() + DRAW.speed * step);
  const velocity = vertex.mVelocity;
  velocity.SetX(0);
}

function writePoint(out, at, v) {
  out[at] = v.GetX();
  out[at + 1] = v.GetY();
  out[at + 2] = v.GetZ();
}
