/**
 * Pictures of frames: opens the built view (studio/dist) in a headless Chromium, feeds it frame by frame and takes
 * back PNG files. The page is served from memory by intercepting its requests: no port, no network.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { type BodyGeometry, collectBodyVertices, encodeFrame, encodeHeader } from '../io/index.ts';
import { HeddleError } from '../model/errors.ts';
import type { Frame } from '../model/frame.ts';
import { addFrameToLimits, createFrameLimits, type FrameLimits } from '../model/frame-limits.ts';
import { launchChromium } from './chromium.ts';

/** Triangles of a body in its own frame. */
export type BodyTriangles = Pick<BodyGeometry, 'id' | 'positions' | 'indices' | 'poses'>;

/** What is read here of a scene; the view also reads its title and view. */
export interface PicturedScene {
  readonly name: string;
  readonly bodies?: readonly { readonly id: string; readonly shape: { readonly type: string } }[] | undefined;
}

export interface PictureOptions {
  /** The scene as in its file. */
  readonly scene: PicturedScene;
  readonly bodies: readonly BodyTriangles[];
  /** What all frames of the run span; by default what the given frames span. */
  readonly limits?: FrameLimits;
  /** Width and height of the pictures in pixels; default 1280 × 720. */
  readonly size?: readonly [number, number];
}

export interface RenderOptions extends PictureOptions {
  readonly frames: readonly Frame[];
}

/** What the page module exports, seen from here (studio/src/render-page.ts). */
interface PageModule {
  openView(message: string): object;
  drawFrame(view: object, frameFile: string): string;
}

const DIST = new URL('../../studio/dist/', import.meta.url);
const ORIGIN = 'http://heddle.invalid/';

/** JSON with typed arrays written as plain ones. */
function toJson(value: unknown): string {
  return JSON.stringify(value, (_key, part) => (ArrayBuffer.isView(part) ? Array.from(part as Float64Array) : part));
}

async function serveView(page: Page): Promise<void> {
  await page.route('**/*', async (route) => {
    const path = new URL(route.request().url()).pathname.slice(1);
    if (path === '') return route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Heddle</title>' });
    if (!/^[\w.-]+\.js$/.test(path)) return route.fulfill({ status: 404, body: '' });
    const body = await readFile(new URL(path, DIST)).catch(() => undefined);
    if (body === undefined) return route.fulfill({ status: 404, body: '' });
    return route.fulfill({ contentType: 'text/javascript', body });
  });
}

/** Bodies without the infinite planes, which the view draws from their type. */
export function findBoundedBodies<Body extends BodyTriangles>(scene: PicturedScene, bodies: readonly Body[]): Body[] {
  const planes = (scene.bodies ?? []).filter((body) => body.shape.type === 'plane').map((body) => body.id);
  return bodies.filter((body) => !planes.includes(body.id));
}

/** What the frames and bodies span. */
function computeFrameLimits(frames: Iterable<Frame>, bodies: readonly BodyTriangles[]): FrameLimits {
  const limits = createFrameLimits();
  const vertices = collectBodyVertices(bodies);
  for (const frame of frames) addFrameToLimits(frame, vertices, limits);
  return limits;
}

/** A browser with one open view. Close it when done. */
export class Renderer {
  readonly draw: (frame: Frame) => Promise<Buffer>;
  readonly close: () => Promise<void>;

  private constructor(draw: (frame: Frame) => Promise<Buffer>, close: () => Promise<void>) {
    this.draw = draw;
    this.close = close;
  }

  static async open(options: PictureOptions & { readonly limits: FrameLimits }): Promise<Renderer> {
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      await serveView(page);
      // answered from memory: it always comes, however busy the machine is
      await page.goto(ORIGIN, { timeout: 0 });
      const module = await page.evaluateHandle<PageModule>(`import('/render-page.js')`).catch((cause) => {
        throw new HeddleError(
          `The view could not be loaded from ${fileURLToPath(DIST)}; build it with npm run build (${String(cause).split('\n')[0]}).`,
          { cause },
        );
      });
      const [width, height] = options.size ?? [1280, 720];
      const bodies = options.bodies.map(({ id, positions, indices, poses }) => ({ id, positions, indices, poses }));
      const message = toJson({ scene: options.scene, bodies, limits: options.limits, width, height });
      const view = await module.evaluateHandle((page, text) => page.openView(text), message);
      const draw = async (frame: Frame): Promise<Buffer> => {
        const file = Buffer.concat([encodeHeader(), encodeFrame(frame)]).toString('base64');
        const picture = await module.evaluate((page, [view, file]) => page.drawFrame(view, file), [
          view,
          file,
        ] as const);
        return Buffer.from(picture, 'base64');
      };
      return new Renderer(draw, () => browser.close());
    } catch (error) {
      await browser.close();
      throw error;
    }
  }
}

/** PNG files of the frames, in order. */
export async function renderFrames(options: RenderOptions): Promise<Buffer[]> {
  const limits = options.limits ?? computeFrameLimits(options.frames, findBoundedBodies(options.scene, options.bodies));
  const renderer = await Renderer.open({ ...options, limits });
  try {
    const pictures: Buffer[] = [];
    for (const frame of options.frames) pictures.push(await renderer.draw(frame));
    return pictures;
  } finally {
    await renderer.close();
  }
}
