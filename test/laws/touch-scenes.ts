/** What the law tests of contact with bodies share: materials, scenes, and reading contacts off a world. */
import type { SceneInput, World } from 'heddle';
import { Placement } from 'heddle/contact';
import type { Strand } from 'heddle/strand';
import { createWorld } from './measure.ts';

export type Vector = [number, number, number];
export type BodyInput = NonNullable<SceneInput['bodies']>[number];
export type StrandInput = SceneInput['objects'][number];

export const G = 9.81;
export const RADIUS = 0.003;

export const ROPE = { radius: RADIUS, linearDensity: 0.05, stretchStiffness: 2000, bendingStiffness: 0, friction: 0 };

export const strandOf = (world: World, n = 0): Strand =>
  world.models.filter((model): model is Strand => model.type === 'strand')[n];

/** Number of E-nodes on edges of bodies. */
export const countEdges = (world: World): number =>
  strandOf(world).state.guides.filter(({ site }) => site.type === 'edge').length;

/** Number of contacts of L-nodes with faces and smooth bodies that hold. */
export const countContacts = (world: World): number => {
  const { contacts } = strandOf(world).touch!;
  return contacts.active.subarray(0, contacts.count).reduce((sum, holds) => sum + holds, 0);
};

/** Deepest that any point of a strand is in the bodies it touches, grown by its radius [m]. */
export const computeDepth = (world: World, n = 0): number => {
  const { state, touch } = strandOf(world, n);
  const { q, count } = state.chain;
  const [place, a, b] = [new Placement(), new Float64Array(3), new Float64Array(3)];
  let deepest = 0;
  touch!.facets.forEach((facets, body) => {
    place.read(touch!.bodies[body]);
    for (let e = 0; e + 1 < count; e++) {
      place.writeLocal(q, 4 * e, a, 0);
      place.writeLocal(q, 4 * e + 4, b, 0);
      deepest = Math.max(deepest, facets.computeSegmentDepth(a, b));
    }
  });
  return deepest;
};

/** Material coordinates of the E-nodes on edges. */
export const listPassages = (world: World): number[] => {
  const { state } = strandOf(world);
  return state.guides.map(({ label }) => state.chain.q[4 * state.indexOf(label) + 3]);
};

export { createWorld };
