/**
 * The page behind `heddle render`: a module whose exports the command calls in a headless browser. Frames arrive as the
 * bytes of a frame file with one frame, in base64 because text crosses best from Node into a page; pictures go back as
 * PNG files, in base64 too.
 */
import { readFrame, scanChunks } from 'heddle/io';
import type { FrameLimits } from 'heddle/model';
import { type BodyTriangles, SceneView, type ViewScene } from './view.ts';

/** Triangles of yarns in a picture, which may take seconds. */
const PICTURE_TRIANGLES = 1_500_000;

/** What a view is opened with, as JSON. */
export interface OpenMessage {
  readonly scene: ViewScene;
  readonly bodies: readonly BodyTriangles[];
  readonly limits: FrameLimits;
  readonly width: number;
  readonly height: number;
}

/** Opens a view by an `OpenMessage`; `drawFrame` is called with the result. */
export function openView(message: string): SceneView {
  return new SceneView({ triangles: PICTURE_TRIANGLES, ...(JSON.parse(message) as OpenMessage) });
}

/** Draws the frame in a frame file and returns the PNG file. */
export function drawFrame(view: SceneView, frameFile: string): string {
  const bytes = Uint8Array.from(atob(frameFile), (letter) => letter.charCodeAt(0));
  view.setFrame(readFrame(bytes, scanChunks(bytes).entries[0]));
  return view.capture().toDataURL('image/png').replace('data:image/png;base64,', '');
}
