/** The sheets and particles of a frame in the view's scene: made when they appear, taken away when they are gone. */
import { type Frame, NODE_EULERIAN, NODE_LAGRANGIAN, type PointsFrame, type SurfaceFrame } from 'heddle/model';
import type { Scene } from 'three';
import type { CurveMaterial } from './curve-material.ts';
import { NODE_COLOURS } from './overlay.ts';
import { PointsCloud } from './points-cloud.ts';
import type { ColourMode } from './scene.ts';
import { Spheres } from './spheres.ts';
import { createSurfaceMaterial, SHEETS_COLOURS } from './surface-material.ts';
import { SurfaceMesh } from './surface-mesh.ts';

/** L-nodes of a sheet with more vertices than this would be dust and are left out. */
const MOST_NODES = 4000;
/** Steps around a sphere: there are many, and they are small. */
const SPHERE_STEPS = 12;
/** Radius of an L-node and of another one, in edges of the mesh. */
const NODE_SIZES = { lagrangian: 0.08, other: 0.15 } as const;

export interface SheetLook {
  readonly colour: ColourMode;
  readonly nodes: boolean;
  /** Whether the lines of the meshes are drawn. */
  readonly lines: boolean;
}

export class SheetLayer {
  readonly #scene: Scene;
  readonly #settings: CurveMaterial['settings'];
  /** One for each of the colours that sheets have in turn. */
  readonly #materials;
  readonly #sheets = new Map<string, SurfaceMesh>();
  readonly #clouds = new Map<string, PointsCloud>();
  /** L-nodes of each sheet: there are many, and a point of the card is cheaper than a sphere. */
  readonly #balls = new Map<string, PointsCloud>();
  readonly #spheres: Record<'eulerian' | 'eil', Spheres>;

  readonly #isHollow: boolean;

  /** `settings` are what the curves' material shows: checks, colour map and range; `isHollow`: particles that others hide are left out. */
  constructor(scene: Scene, settings: CurveMaterial['settings'], isHollow: boolean) {
    this.#scene = scene;
    this.#isHollow = isHollow;
    this.#settings = settings;
    this.#materials = SHEETS_COLOURS.map((_, n) => createSurfaceMaterial(settings, n));
    this.#spheres = {
      eulerian: new Spheres(scene, NODE_COLOURS.eulerian, SPHERE_STEPS),
      eil: new Spheres(scene, NODE_COLOURS.eil, SPHERE_STEPS),
    };
  }

  setFrame(frame: Frame, look: SheetLook): void {
    for (const spheres of Object.values(this.#spheres)) spheres.clear();
    const gone = new Set([...this.#sheets.keys(), ...this.#clouds.keys()]);
    let count = 0;
    for (const object of frame.objects) {
      gone.delete(object.id);
      if (object.type === 'surface') this.#setSurface(object, look, count++);
      else if (object.type === 'points') this.#setPoints(object, look);
    }
    for (const id of gone) this.#remove(id);
  }

  /** `n`: the how manieth sheet of the frame it is. */
  #setSurface(surface: SurfaceFrame, look: SheetLook, n: number): void {
    let sheet = this.#sheets.get(surface.id);
    if (sheet === undefined) {
      sheet = new SurfaceMesh(this.#materials[n % this.#materials.length]);
      this.#sheets.set(surface.id, sheet);
      this.#scene.add(sheet.group);
    }
    sheet.setLines(look.lines);
    sheet.setSurface(surface, surface.fields[look.colour]);
    if (look.nodes) this.#addNodes(surface);
    // under a colour map L-nodes would hide the colours
    this.#setBalls(surface, look.nodes && look.colour === 'checker' && surface.kind.length <= MOST_NODES);
  }

  #addNodes(surface: SurfaceFrame): void {
    const { x, kind } = surface;
    const radius = NODE_SIZES.other * computeEdge(surface);
    for (let v = 0; v < kind.length; v++) {
      if (kind[v] === NODE_LAGRANGIAN) continue;
      const spheres = this.#spheres[kind[v] === NODE_EULERIAN ? 'eulerian' : 'eil'];
      spheres.add(x[3 * v], x[3 * v + 1], x[3 * v + 2], radius);
    }
  }

  #setBalls(surface: SurfaceFrame, isShown: boolean): void {
    let balls = this.#balls.get(surface.id);
    if (balls === undefined && !isShown) return;
    if (balls === undefined) {
      balls = new PointsCloud({ ...this.#settings, mapped: { value: false } }, { palette: [NODE_COLOURS.lagrangian] });
      balls.points.castShadow = false;
      this.#balls.set(surface.id, balls);
      this.#scene.add(balls.points);
    }
    balls.points.visible = isShown;
    if (!isShown) return;
    const { kind } = surface;
    const x = surface.x.filter((_, i) => kind[Math.floor(i / 3)] === NODE_LAGRANGIAN);
    const radius = NODE_SIZES.lagrangian * computeEdge(surface);
    // nearer to the eye by what a sphere would stand out of the sheet
    balls.setPoints({ radius, x, group: new Uint8Array(x.length / 3) }, undefined, radius);
  }

  #setPoints(points: PointsFrame, look: SheetLook): void {
    let cloud = this.#clouds.get(points.id);
    if (cloud === undefined) {
      cloud = new PointsCloud(this.#settings, { isHollow: this.#isHollow });
      this.#clouds.set(points.id, cloud);
      this.#scene.add(cloud.points);
    }
    cloud.setPoints(points, points.fields[look.colour]);
  }

  #remove(id: string): void {
    const sheet = this.#sheets.get(id);
    const cloud = this.#clouds.get(id);
    if (sheet !== undefined) this.#scene.remove(sheet.group);
    const balls = this.#balls.get(id);
    if (cloud !== undefined) this.#scene.remove(cloud.points);
    if (balls !== undefined) this.#scene.remove(balls.points);
    sheet?.dispose();
    cloud?.dispose();
    balls?.dispose();
    this.#balls.delete(id);
    this.#sheets.delete(id);
    this.#clouds.delete(id);
  }

  dispose(): void {
    for (const id of [...this.#sheets.keys(), ...this.#clouds.keys()]) this.#remove(id);
    for (const spheres of Object.values(this.#spheres)) spheres.dispose();
    for (const material of this.#materials) material.dispose();
  }
}

/** Length of an edge: the side of an equilateral triangle of the mean area A is √(4A/√3). */
const computeEdge = ({ restArea, triangles }: SurfaceFrame): number =>
  Math.sqrt((4 / Math.sqrt(3)) * (restArea / Math.max(1, triangles.length / 3)));
