/**
 * The cloth of bench/sheet-peers-cloth.js in Rapier, a soft body of edges (structural ones and diagonals of the mesh): with the softness and the
 * iterations that it comes with, and stiff: edges above the frequency of any step, with more iterations. Nothing is damped or sleeps.
 */
import rapier from '@dimforge/rapier3d-compat';
import {
  CLOTH,
  computeRestLengths,
  DRAW,
  listDrawn,
  listFree,
  listPins,
  placeLevel,
  placeOverEdge,
} from './sheet-peers-cloth.js';

export const name = 'rapier';

/** Must be awaited once before anything is built. */
export async function load() {
  await rapier.init();
}

export const variants = [
  { variant: 'default', create: (setting) => createCloth(setting, { frequency: 30, iterations: 4 }) },
  { variant: 'stiff', create: (setting) => createCloth(setting, { frequency: 1e6, iterations: 40 }) },
];

function createCloth({ task, cloth, step }, { frequency, iterations }) {
  const world = new rapier.World({ x: 0, y: -CLOTH.gravity, z: 0 });
  world.timestep = step;
  world.numSolverIterations = iterations;
  const isHanging = task === 'hang';
  const held = isHanging ? listPins(cloth) : listDrawn(cloth);
  const x = isHanging ? placeLevel(cloth) : placeOverEdge(cloth);
  const description = new rapier.SoftBodyDesc(Float32Array.from(x))
    .setMasses(Float32Array.from(cloth.masses))
    .setPinnedParticles(Uint32Array.from(held))
    .setEdges(Uint32Array.from(cloth.edges))
    .setSurface(Uint32Array.from(cloth.triangles))
    .setSoftness(frequency, 1)
    .setParticleRadius(CLOTH.thickness / 2)
    .setSelfContacts(false)
    .setLinearDamping(0)
    .setCanSleep(false);
  if (isHanging) description.setNoSurfaceCollider();
  else description.setSurfaceCollider(rapier.ColliderDesc.ball(1).setFriction(DRAW.friction).setRestitution(0));
  const body = world.createSoftBody(description);
  if (!isHanging) addBox(world);
  const rest = computeRestLengths(cloth.X, cloth.edges);
  let steps = 0;
  return {
    step() {
      steps++;
      if (!isHanging)
        for (const i of held)
          body.setParticleKinematicTarget(i, {
            x: x[3 * i] + DRAW.speed * step * steps,
            y: x[3 * i + 1],
            z: x[3 * i + 2],
          });
      world.step();
    },
    read: () => ({ x: body.particlePositions(), edges: cloth.edges, rest, free: listFree(cloth) }),
    free: () => world.free(),
  };
}

function addBox(world) {
  const half = DRAW.box / 2;
  const body = world.createRigidBody(rapier.RigidBodyDesc.fixed().setTranslation(half, -half, 0));
  world.createCollider(rapier.ColliderDesc.cuboid(half, half, half).setFriction(DRAW.friction).setRestitution(0), body);
}
