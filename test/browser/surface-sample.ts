/** A sheet over the edge of a box, and particles, made up: known material at known places, for tests of the view. */
import type { BodyGeometry } from 'heddle/io';
import { addFrameToLimits, createFrameLimits, type Frame, type FrameLimits, type ObjectFrame } from 'heddle/model';
import { makeSheet } from '../unit/sheet-run.ts';
import { createBox } from './sample.ts';

/** The box has its upper edge at the origin, along z, where the sheet lies over it. */
export const box: BodyGeometry = createBox();

export function createSheetFrame(objects: readonly ObjectFrame[] = [makeSheet(0, 25, 17)], step = 0): Frame {
  const bodies = [{ id: 'table', position: [-0.302, -0.202, 0.3] as const, orientation: [0, 0, 0, 1] as const }];
  return { time: step / 60, step, objects, bodies, forces: [] } as Frame;
}

export function computeLimits(frame: Frame, bodies: readonly BodyGeometry[]): FrameLimits {
  const limits = createFrameLimits();
  addFrameToLimits(frame, new Map(bodies.map(({ id, positions }) => [id, positions])), limits);
  return limits;
}

export const sheetScene = {
  name: 'sheet',
  title: 'Sheet over an edge',
  bodies: [{ id: 'table', shape: { type: 'box' } }],
  view: { checker: 0.1, camera: { position: [1.3, 0.9, 2.2], target: [-0.1, -0.2, 0.3], fieldOfView: 28 } },
} as const;
