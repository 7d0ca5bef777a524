/** A world of Jolt Physics with one thread; its numbers are those of the page that Jolt is compiled for. */
import initJolt from 'jolt-physics';

/** Layers: 0 never collides with itself; 1, what stands still, collides with 0 if there is one. */
export async function createJoltWorld({ gravity, layers = 1 }) {
  const jolt = await initJolt();
  const settings = new jolt.JoltSettings();
  settings.mMaxWorkerThreads = 0;
  const pairs = new jolt.ObjectLayerPairFilterTable(layers);
  if (layers > 1) pairs.EnableCollision(0, 1);
  const broad = new jolt.BroadPhaseLayerInterfaceTable(layers, layers);
  for (let layer = 0; layer < layers; layer++) broad.MapObjectToBroadPhaseLayer(layer, new jolt.BroadPhaseLayer(layer));
  settings.mObjectLayerPairFilter = pairs;
  settings.mBroadPhaseLayerInterface = broad;
  settings.mObjectVsBroadPhaseLayerFilter = new jolt.ObjectVsBroadPhaseLayerFilterTable(broad, layers, pairs, layers);
  const world = new jolt.JoltInterface(settings);
  jolt.destroy(settings);
  const system = world.GetPhysicsSystem();
  system.SetGravity(new jolt.Vec3(0, -gravity, 0));
  return { jolt, world, system, interface: system.GetBodyInterface() };
}
