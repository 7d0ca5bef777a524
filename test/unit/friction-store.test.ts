/** What friction of fabrics stores from step to step, where a slot goes from a body that deforms to one that does not. */
import { Body, BoxShape } from 'heddle/bodies';
import { Placement } from 'heddle/contact';
import { SolidFriction } from 'heddle/fabric';
import { expect, test } from 'vitest';
import { FrictionStore } from '../../src/fabric/friction-store.ts';

test('a slot that begins anew has forgotten how fast the surface of the body before moved', () => {
  const placement = new Placement();
  placement.read(new Body({ id: 'box', shape: new BoxShape([1, 1, 1]), position: [0.5, 0, 0] }));
  const store = new FrictionStore();
  store.reserve(2);
  const q = Float64Array.of(0.7, 0.2, -0.1, 0.3);
  const term = new SolidFriction();
  term.normal[1] = 1;
  term.stiffness = 10;
  term.limit = 100;
  /** s of a node that stays where it was, 0.1 s later. */
  const slipOf = (slot: number): number[] => {
    store.set(term, slot, placement, q, 0, 3, 0.1);
    return Array.from(term.moved, (value) => Number(value.toFixed(12)) + 0);
  };
  for (const slot of [0, 1]) {
    store.begin(slot, placement, q, 0, 3);
    store.setDrift(slot, Float64Array.of(2, 0, -1));
  }
  // left behind by the surface
  expect(slipOf(0)).toEqual([-0.2, 0, 0.1]);
  store.begin(0, placement, q, 0, 3);
  expect(slipOf(0)).toEqual([0, 0, 0]);
  expect(slipOf(1)).toEqual([-0.2, 0, 0.1]);
});
