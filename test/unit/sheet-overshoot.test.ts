/** Corrections that go too far (`overshoot.ts`), and guesses of where an iteration starts (`ahead.ts`). */
import { NODE_EULERIAN } from 'heddle/model';
import { SheetState, STRIDE } from 'heddle/sheet';
import { BlockMixed } from 'heddle/sparse';
import { describe, expect, test } from 'vitest';
import { guessPositions } from '../../src/sheet/ahead.ts';
import { Overshoot } from '../../src/sheet/overshoot.ts';
import { createCloth } from '../laws/sheets.ts';

const H = 0.01;

/** One triangle of 0.1 m in the plane y = 0. */
function createTriangle(): SheetState {
  const state = new SheetState(
    createCloth(2000),
    [0, 0, 0, 0.1, 0, 0, 0, 0, 0.1],
    [0, 0, 0.1, 0, 0, 0.1],
    Int32Array.of(0, 1, 2),
  );
  state.beginStep();
  state.beginStage(0, 0);
  return state;
}

/** A force on the first vertex along x that is soft while v < ½ and stiff from there on; zero at v = ⅔. */
const computeForce = (v: number): number => (v < 0.5 ? 1 - v : 0.5 - 3 * (v - 0.5));

describe('a correction', () => {
  /** Newton with the stiffness of the soft side; returns v after each iteration, taken back where it went too far. */
  function iterate(goesBack: boolean, iterations: number): number[] {
    const state = createTriangle();
    const matrix = new BlockMixed(state.mesh.pattern, [3, 3, 3]);
    const rhs = new Float64Array(9);
    const overshoot = new Overshoot();
    const found: number[] = [];
    for (let n = 0; n < iterations; n++) {
      rhs[0] = computeForce(state.v[0]);
      if (goesBack && overshoot.goBack(state, H, matrix, rhs)) rhs[0] = computeForce(state.v[0]);
      found.push(state.v[0]);
      expect(state.q[0]).toBeCloseTo(state.qBase[0] + (n === 0 ? 0 : H * state.v[0]), 12);
      overshoot.note(state, rhs);
      state.v[0] += rhs[0];
      state.q[0] = state.qBase[0] + H * state.v[0];
    }
    return found;
  }

  test('that swings between slack and taut is taken back by the secant, and the iteration ends', () => {
    expect(iterate(false, 12).at(-1)).not.toBeCloseTo(2 / 3, 1);
    expect(iterate(true, 4)[1]).toBeCloseTo(0.5, 12);
    expect(iterate(true, 4)[2]).toBeCloseTo(2 / 3, 12);
  });

  test.each([
    ['lands where nothing is left', 0],
    ['goes a little too far', -0.4],
    ['turned the sheet: many times the slope', -5],
  ])('that %s stays', (_, after) => {
    const state = createTriangle();
    const matrix = new BlockMixed(state.mesh.pattern, [3, 3, 3]);
    const overshoot = new Overshoot();
    overshoot.note(state, Float64Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0));
    state.v[0] = 1;
    expect(overshoot.goBack(state, H, matrix, Float64Array.of(after, 0, 0, 0, 0, 0, 0, 0, 0))).toBe(false);
    expect(state.v[0]).toBe(1);
  });

  test("that turns the sheet again goes back to where the slope's cubic is zero, until another stage begins", () => {
    const state = createTriangle();
    const matrix = new BlockMixed(state.mesh.pattern, [3, 3, 3]);
    const overshoot = new Overshoot();
    // φ'(0) = −1 and φ'(1) = 26: −1 + 27 s³ = 0 at s = 1/3
    const goBack = () => {
      state.v[0] = 0;
      overshoot.note(state, Float64Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0));
      state.v[0] = 1;
      return overshoot.goBack(state, H, matrix, Float64Array.of(-26, 0, 0, 0, 0, 0, 0, 0, 0));
    };
    expect(goBack()).toBe(false);
    expect(goBack()).toBe(true);
    expect(state.v[0]).toBeCloseTo(1 / 3, 12);
    overshoot.begin();
    expect(goBack()).toBe(false);
  });

  test('of another stage is forgotten', () => {
    const state = createTriangle();
    const matrix = new BlockMixed(state.mesh.pattern, [3, 3, 3]);
    const overshoot = new Overshoot();
    overshoot.note(state, Float64Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0));
    state.v[0] = 1;
    overshoot.forget();
    expect(overshoot.goBack(state, H, matrix, Float64Array.of(-1, 0, 0, 0, 0, 0, 0, 0, 0))).toBe(false);
  });
});

describe('a guess', () => {
  test('in which an edge runs out of material, but is not strained, is used; one that strains it is not', () => {
    const state = createTriangle();
    state.kind[1] = NODE_EULERIAN;
    // a third of the edge between vertices 0 and 1 comes into the triangle, the sheet stays as it is
    state.v[STRIDE + 3] = -3;
    state.v[STRIDE] = -3;
    expect(guessPositions(state, H, false)).toBe(true);
    expect(state.q[STRIDE + 3]).toBeCloseTo(0.07, 12);
    state.v[STRIDE] = 0;
    expect(guessPositions(state, H, false)).toBe(false);
    expect(state.q).toEqual(state.qBase);
  });

  test('is no guess where the stage was solved before: it goes on from there', () => {
    const state = createTriangle();
    state.v[STRIDE] = -8;
    expect(guessPositions(state, H, false)).toBe(false);
    expect(guessPositions(state, H, true)).toBe(true);
    expect(state.q[STRIDE]).toBeCloseTo(state.qBase[STRIDE] - 8 * H, 12);
  });
});
