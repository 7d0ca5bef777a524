/**
 * What the view reads of a scene file, and the shape of a body as triangles. Both are plain values, so that a page in
 * a headless browser can be fed with them as JSON.
 */
import type { BodyGeometry } from 'heddle/io';

type Point = readonly [number, number, number];

export type ColourMode =
  | 'checker'
  | 'speed'
  | 'tension'
  | 'strain'
  | 'curvature'
  | 'twist'
  | 'stress'
  | 'load'
  | 'slip'
  | 'pressure';

/** The `view` part of a scene file. */
export interface ViewSettings {
  readonly camera?:
    | { readonly position: Point; readonly target: Point; readonly fieldOfView?: number | undefined }
    | undefined;
  /** Material length of one check [m]. */
  readonly checker?: number | undefined;
  /** Material length between two marker spheres [m]; 0 draws none. */
  readonly markers?: number | undefined;
  /** Draw the nodes as spheres. */
  readonly nodes?: boolean | undefined;
  readonly colour?: ColourMode | undefined;
  /** Draw forces of contacts and constraints as arrows. */
  readonly forces?: boolean | undefined;
  /** Draw where elements end: rings on curves, edges of triangles. */
  readonly lines?: boolean | undefined;
  /** Draw the material of the first rod as a bar. */
  readonly bar?: boolean | undefined;
  /** CSS colour. */
  readonly background?: string | undefined;
}

/** What of the settings can be changed while frames are shown. */
export type LiveSettings = Pick<ViewSettings, 'checker' | 'markers' | 'nodes' | 'colour' | 'forces' | 'lines'>;

/** The parts of a scene that the view reads; every valid scene is one. */
export interface ViewScene {
  readonly name: string;
  readonly title?: string | undefined;
  readonly bodies?:
    | readonly {
        readonly id: string;
        readonly shape: { readonly type: string };
        readonly opacity?: number | undefined;
      }[]
    | undefined;
  /** Layers of fabrics have colours. */
  readonly objects?: readonly unknown[] | undefined;
  readonly view?: ViewSettings | undefined;
}

/** Triangles of a body in its own frame. A body without them (a plane) is drawn from its type alone. */
export type BodyTriangles = Pick<BodyGeometry, 'id' | 'positions' | 'indices' | 'poses'>;
