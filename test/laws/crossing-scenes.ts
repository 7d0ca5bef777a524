/** What the tests of crossings share: strands as scenes, and the crossings of a world. */
import { compile, type SceneInput, validateScene, type World } from 'heddle';
import { type Crossing, type Strand, StrandCrossings } from 'heddle/strand';

export type Vector = [number, number, number];
export type StrandScene = SceneInput['objects'][number];

/** A cord of 10 g/m, 4 mm thick, that stretches by 1 % under 5 N. */
export const CORD = { radius: 0.002, linearDensity: 0.01, stretchStiffness: 500, bendingStiffness: 0 };

export const strand = (id: string, points: Vector[], nodes: number, more: Partial<StrandScene> = {}): StrandScene => ({
  type: 'strand',
  id,
  material: CORD,
  points,
  nodes,
  ...more,
});

export interface CrossingWorld {
  readonly world: World;
  readonly crossings: StrandCrossings;
  readonly strands: readonly Strand[];
}

export function createCrossingWorld(scene: Partial<SceneInput> & Pick<SceneInput, 'objects' | 'time'>): CrossingWorld {
  const world = compile(validateScene({ heddle: 1, name: 'law', title: 'law', crossings: {}, ...scene }));
  const crossings = world.couplings.find((coupling) => coupling instanceof StrandCrossings)!;
  return { world, crossings, strands: crossings.strands };
}

export const listCrossings = ({ list, count }: StrandCrossings): Crossing[] => list.slice(0, count);

export const pin = (object: string, at: 'start' | 'end' | number) => ({ type: 'pin' as const, on: { object, at } });

/** Moves an end from one place to another in the given time, then holds it. */
export const carry = (object: string, at: 'start' | 'end' | number, from: Vector, to: Vector, time: number) => ({
  type: 'keyframes' as const,
  on: { object, at },
  keyframes: [
    { time: 0, position: from },
    { time, position: to },
  ],
});

export function computeMomentum(world: World): Float64Array {
  const sum = new Float64Array(6);
  for (const model of world.models) model.addMomentum(sum);
  return sum;
}
