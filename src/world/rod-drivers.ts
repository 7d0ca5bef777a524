/**
 * What turns the frame at an end of a rod from outside. Where its end is, drivers of nodes say (`drivers.ts`).
 *
 *     R(t) = T(t) R₀        T  turn of the world since the start     R₀  frame when the driver is made
 *
 * One that sets in later does not know the frame it will find, and turns that on as T does: R = T(t) T(t − h)⁻¹ R̂ over a stage.
 */
import {
  conjugateQuaternion,
  multiplyQuaternion as multiply,
  type PiecewiseLinear,
  type Quaternion,
} from '../math/index.ts';
import { isActive, type Span } from '../model/index.ts';
import { HOLD_FRAME, HOLD_TWIST, type Rod, type RodEnd } from '../rod/index.ts';
import type { Driver } from './drivers.ts';

/** Turn in the world at a time. */
export type TurnAt = (time: number) => Quaternion;

/** Holds the frame at an end of a rod, or turns it. */
export function createFrameTurn(rod: Rod, end: RodEnd, turnAt?: TurnAt, span: Span = {}): Driver {
  const start = rod.readFrame(end);
  let active = false;
  return {
    prepare(time) {
      active = isActive(span, time);
      if (active) rod.holdFrame(end, HOLD_FRAME);
    },
    aim({ time, h }) {
      if (!active) return;
      if (span.from === undefined) rod.aimFrameAt(end, turnAt ? multiply(turnAt(time), start) : start, h);
      else if (turnAt) {
        const turn = multiply(turnAt(time), conjugateQuaternion(turnAt(time - h)));
        rod.aimFrameAt(end, multiply(turn, rod.readFrameBase(end)), h);
      }
    },
  };
}

/** Turns an end of a rod about its own axis, at a rate over time [rad/s]; where it points is free. */
export function createTwist(rod: Rod, end: RodEnd, rate: PiecewiseLinear, span: Span = {}): Driver {
  let active = false;
  return {
    prepare(time) {
      active = isActive(span, time);
      if (active) rod.holdFrame(end, HOLD_TWIST);
    },
    aim({ time, h }) {
      if (active) rod.aimFrame(end, [0, 0, rate.computeMean(time - h, time)]);
    },
  };
}
