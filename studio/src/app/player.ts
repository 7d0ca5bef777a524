/**
 * What the scene page plays: a live simulation (`Run`), two of them in lock-step (`Pair`) or a recorded run
 * (`Recording`). The toolbar, the timeline and the views know only this. Every change is told by the event `change`.
 */
import type { Frame, FrameLimits } from 'heddle/model';
import type { Exported } from '../simulation/protocol.ts';
import type { BodyTriangles, ViewScene } from '../view.ts';
import type { Held } from './held.ts';
import type { Point } from './picking.ts';

/** What a view needs before its first frame. */
export interface Shown {
  readonly scene: ViewScene;
  readonly limits: FrameLimits;
  readonly bodies: readonly BodyTriangles[];
}

/** The spring between what is grabbed and the pointer [m]. */
export interface Pull {
  readonly from: readonly [number, number, number];
  readonly to: readonly [number, number, number];
}

export interface Player extends EventTarget {
  readonly shown: Shown | undefined;
  /** What all frames so far span, those not shown included. */
  readonly limits: FrameLimits | undefined;
  readonly frame: Frame | undefined;
  readonly playing: boolean;
  /** The step (or recorded frame) that is shown. */
  readonly step: number;
  /** First and last one that can be sought. */
  readonly recorded: readonly [number, number];
  /** The step at which the scene is over. */
  readonly end: number;
  /** Simulated time over real time. */
  readonly ratio: number;
  /** Hash of the state that is shown, when known. */
  readonly hash: string | undefined;
  /** Speed that was asked for: simulated seconds in a real one. */
  readonly speed: number;
  /** What went wrong last; empty when nothing did. */
  readonly message: string;
  /** Whether something is pulled. */
  readonly isHeld: boolean;
  play(): void;
  pause(): void;
  stepOnce(): void;
  reset(): void;
  /** Ends at once what works behind it, and goes back to the start. */
  halt(): void;
  setSpeed(factor: number): void;
  seek(step: number): void;
  /** Takes hold of something by a spring, moves the spring's other end, lets go; nothing in a recording. */
  hold(held: Held): void;
  drag(point: Point): void;
  release(): void;
  /** What was recorded, in a format of heddle/io. */
  exportRun(format: string): Promise<Exported>;
  dispose(): void;
}

/** Speeds to choose from: simulated seconds in a real one. */
export const SPEEDS: readonly number[] = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, Number.POSITIVE_INFINITY];
