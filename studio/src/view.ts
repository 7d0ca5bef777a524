/**
 * The view: draws frames of a scene with three.js. It owns its canvas and nothing else of the page, so that any page
 * (the headless one behind `heddle render`, the studio, someone's own) can hold several of them.
 *
 *   const view = new SceneView({ scene, bodies, limits, width: 1280, height: 720 });
 *   page.append(view.element);
 *   view.setFrame(frame);
 *
 * Strands are tubes with checks along the material coordinate u; red spheres are E-nodes, blue L-nodes, yellow EIL
 * nodes; small pale spheres are glued to the material at fixed steps of u (remeshing-eol-strands-2020, Fig. 3).
 * Under a colour map L-nodes are left out, because they would hide the colours.
 * A strand thinner than 0.2 % of the picture's subject is drawn that thick, so that it stays visible.
 * Sheets have checks along both material coordinates X, their creases as lines; particles are balls (sheet-layer.ts).
 */
import {
  type CurveFrame,
  type Frame,
  type FrameLimits,
  NODE_EIL,
  NODE_EULERIAN,
  NODE_LAGRANGIAN,
  type ObjectFrame,
} from 'heddle/model';
import {
  Box3,
  CanvasTexture,
  Color,
  type Group,
  type Mesh,
  NeutralToneMapping,
  type Object3D,
  PCFShadowMap,
  PerspectiveCamera,
  Scene,
  SRGBColorSpace,
  Vector3,
  WebGLRenderer,
} from 'three';
import { createBackground } from './background.ts';
import { createBodyMesh } from './body-mesh.ts';
import { computeSubject, placeCamera } from './camera.ts';
import { CHECK_COLOURS, createCurveMaterial } from './curve-material.ts';
import { CurveMesh } from './curve-mesh.ts';
import { computeRoundStep, createGround } from './ground.ts';
import { Lights } from './lights.ts';
import { drawOverlay, NODE_COLOURS, type OverlayContent } from './overlay.ts';
import { computeRefinedCurve, type RefinedCurve } from './refine.ts';
import type { BodyTriangles, ColourMode, ViewScene, ViewSettings } from './scene.ts';
import { SheetLayer } from './sheet-layer.ts';
import { Spheres } from './spheres.ts';
import { SHEET_COLOURS } from './surface-material.ts';

export type { BodyTriangles, ColourMode, ViewScene, ViewSettings } from './scene.ts';

export interface SceneViewOptions {
  readonly scene: ViewScene;
  readonly bodies: readonly BodyTriangles[];
  /** What the frames span: places the camera and fixes the colour maps. */
  readonly limits: FrameLimits;
  /** Size of the picture in CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Drawn pixels per CSS pixel; default 2. */
  readonly pixelRatio?: number;
  /** Whether title, time, key and legend are drawn over the picture; default true. `capture` always draws them. */
  readonly writing?: boolean;
}

/** Smallest drawn radius of a curve, as part of the subject's diagonal. */
const THINNEST = 0.002;

export class SceneView {
  /** Holds the two canvases; the caller puts it into a page (or not). */
  readonly element: HTMLDivElement;
  /** For orbit controls; call `render` after moving it. */
  readonly camera = new PerspectiveCamera();
  /** The point the camera looks at. */
  readonly target = new Vector3();
  /** True once someone else moves the camera: new limits and sizes leave it where it is. */
  cameraIsFree = false;

  readonly #renderer: WebGLRenderer;
  readonly #overlay: HTMLCanvasElement;
  readonly #scene = new Scene();
  readonly #writing: boolean;
  readonly #title: string;
  readonly #lights = new Lights();
  readonly #material = createCurveMaterial();
  readonly #sheets = new SheetLayer(this.#scene, this.#material.settings);
  readonly #curves = new Map<string, CurveMesh>();
  readonly #bodies = new Map<string, Group>();
  readonly #planes: readonly string[];
  readonly #spheres: Record<keyof typeof NODE_COLOURS, Spheres>;
  readonly #dark: boolean;
  #grounds = new Map<string, Mesh>();
  #settings: ViewSettings;
  #limits: FrameLimits;
  #subject = new Box3();
  #colour: ColourMode;
  #frame: Frame | undefined;
  #width = 1;
  #height = 1;
  #pixelRatio: number;

  constructor(options: SceneViewOptions) {
    const { scene } = options;
    this.#settings = scene.view ?? {};
    this.#title = scene.title ?? scene.name;
    this.#colour = this.#settings.colour ?? 'checker';
    this.#limits = options.limits;
    this.#pixelRatio = options.pixelRatio ?? 2;
    this.#writing = options.writing ?? true;
    this.#renderer = new WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
    this.#renderer.toneMapping = NeutralToneMapping;
    this.#renderer.shadowMap.enabled = true;
    this.#renderer.shadowMap.type = PCFShadowMap;
    this.#overlay = document.createElement('canvas');
    this.#overlay.style.cssText = 'position:absolute;inset:0;pointer-events:none';
    this.element = document.createElement('div');
    this.element.style.cssText = 'position:relative';
    this.element.append(this.#renderer.domElement, this.#overlay);
    this.#scene.background = createBackground(this.#settings.background);
    this.#dark =
      this.#settings.background !== undefined &&
      new Color(this.#settings.background).getHSL({ h: 0, s: 0, l: 0 }, SRGBColorSpace).l < 0.45;
    this.#scene.add(this.#lights.group);
    this.#spheres = {
      eulerian: new Spheres(this.#scene, NODE_COLOURS.eulerian),
      lagrangian: new Spheres(this.#scene, NODE_COLOURS.lagrangian),
      eil: new Spheres(this.#scene, NODE_COLOURS.eil),
      marker: new Spheres(this.#scene, NODE_COLOURS.marker),
    };
    this.#planes = (scene.bodies ?? []).filter((body) => body.shape.type === 'plane').map((body) => body.id);
    for (const body of options.bodies) {
      if (this.#planes.includes(body.id)) continue;
      const mesh = createBodyMesh(body);
      this.#bodies.set(body.id, mesh);
      this.#scene.add(mesh);
    }
    this.resize(options.width, options.height);
    this.setLimits(options.limits);
  }

  /** Frames the camera, light, ground and colour range anew. */
  setLimits(limits: FrameLimits): void {
    this.#limits = limits;
    this.#subject = computeSubject(limits);
    if (this.cameraIsFree) this.camera.updateProjectionMatrix();
    else this.target.copy(placeCamera(this.camera, this.#settings, this.#subject));
    const size = this.#subject.getSize(new Vector3());
    const centre = this.#subject.getCenter(new Vector3());
    const diagonal = size.length();
    this.#lights.aim(this.#subject.clone().expandByScalar(0.1 * diagonal));
    for (const ground of this.#grounds.values()) this.#remove(ground);
    this.#grounds = new Map();
    const spacing = computeRoundStep(diagonal / 8);
    for (const id of this.#planes)
      this.#addGround(id, createGround(centre, 3 * diagonal, spacing, { surface: 0.45, dark: this.#dark }));
    if (this.#planes.length === 0) {
      const ground = createGround(centre, 2.2 * diagonal, spacing, { surface: 0, dark: this.#dark });
      ground.position.y = this.#subject.min.y - 0.012 * diagonal;
      this.#addGround('', ground);
    }
    if (this.#frame !== undefined) this.setFrame(this.#frame);
  }

  #addGround(id: string, ground: Mesh): void {
    this.#grounds.set(id, ground);
    this.#scene.add(ground);
  }

  /** Shows the material (checks) or a field of the frames on the objects. */
  setColour(colour: ColourMode): void {
    this.show({ colour });
  }

  /** Changes what is drawn of each frame; what is left out stays. */
  show(settings: Pick<ViewSettings, 'checker' | 'markers' | 'nodes' | 'colour' | 'lines'>): void {
    this.#settings = { ...this.#settings, ...settings };
    this.#colour = this.#settings.colour ?? 'checker';
    if (this.#frame !== undefined) this.setFrame(this.#frame);
  }

  /** Shows a frame. */
  setFrame(frame: Frame): void {
    this.#frame = frame;
    for (const spheres of Object.values(this.#spheres)) spheres.clear();
    const { settings } = this.#material;
    settings.mapped.value = this.#colour !== 'checker';
    settings.range.value = this.#range();
    settings.check.value = this.#check();
    const gone = new Set(this.#curves.keys());
    for (const object of frame.objects) {
      if (object.type !== 'curve') continue;
      gone.delete(object.id);
      this.#setCurve(object);
    }
    for (const id of gone) this.#removeCurve(id);
    const { nodes = true, lines = false } = this.#settings;
    this.#sheets.setFrame(frame, { colour: this.#colour, nodes, lines });
    for (const body of frame.bodies) {
      const mesh: Object3D | undefined = this.#bodies.get(body.id) ?? this.#grounds.get(body.id);
      mesh?.position.set(...body.position);
      mesh?.quaternion.set(...body.orientation);
    }
    this.render();
  }

  #setCurve(curve: CurveFrame): void {
    let mesh = this.#curves.get(curve.id);
    if (mesh === undefined) {
      mesh = new CurveMesh(this.#material);
      this.#curves.set(curve.id, mesh);
      this.#scene.add(mesh.mesh);
    }
    const radius = Math.max(curve.radius, THINNEST * this.#subject.getSize(new Vector3()).length());
    const fine = computeRefinedCurve(curve);
    mesh.setCurve(fine, radius, curve.fields[this.#colour]);
    if (this.#settings.nodes ?? true) this.#addNodes(curve, radius);
    this.#addMarkers(fine, radius);
  }

  #addNodes(curve: CurveFrame, radius: number): void {
    const spacing = curve.restLength / Math.max(1, curve.u.length - 1);
    const small = Math.min(1.7 * radius, Math.max(1.15 * radius, 0.3 * spacing));
    for (let i = 0; i < curve.u.length; i++) {
      const kind = curve.kind[i];
      const name = kind === NODE_EULERIAN ? 'eulerian' : kind === NODE_EIL ? 'eil' : 'lagrangian';
      if (name === 'lagrangian' && this.#colour !== 'checker') continue;
      const size = name === 'lagrangian' ? small : 1.25 * small;
      this.#spheres[name].add(curve.x[3 * i], curve.x[3 * i + 1], curve.x[3 * i + 2], size);
    }
  }

  /** Spheres at u = k × step: they move with the material, not with the nodes. */
  #addMarkers(curve: RefinedCurve, radius: number): void {
    const step = this.#settings.markers ?? 0;
    const { u, x } = curve;
    if (!(step > 0) || u.length < 2 || (u[u.length - 1] - u[0]) / step > 1e5) return;
    let i = 0;
    for (let k = Math.ceil(u[0] / step - 1e-9); k * step <= u[u.length - 1] * (1 + 1e-12); k++) {
      while (i < u.length - 2 && u[i + 1] < k * step) i++;
      const t = (k * step - u[i]) / (u[i + 1] - u[i]);
      const at = (axis: number) => (1 - t) * x[3 * i + axis] + t * x[3 * i + 3 + axis];
      this.#spheres.marker.add(at(0), at(1), at(2), 1.3 * radius);
    }
  }

  #range(): [number, number] {
    const [low, high] = this.#limits.ranges[this.#colour] ?? [0, 1];
    // a scale that starts at zero reads more easily
    if (low >= 0 && high > 0 && low < 0.3 * high) return [0, high];
    return high > low ? [low, high] : [low - 0.5, low + 0.5];
  }

  #check(): number {
    const longest = Math.max(0, ...(this.#frame?.objects ?? []).map(computeExtent));
    return this.#settings.checker ?? (longest > 0 ? computeRoundStep(longest / 20) : 1);
  }

  /** What there is to write about the picture: for a legend of one's own. */
  describe(): OverlayContent {
    const objects = this.#frame?.objects ?? [];
    const kinds = new Set(objects.flatMap((object) => (object.type === 'points' ? [] : [...new Set(object.kind)])));
    const nodes: OverlayContent['nodes'][number][] = [];
    if (this.#settings.nodes ?? true) {
      if (kinds.has(NODE_EULERIAN)) nodes.push('eulerian');
      if (kinds.has(NODE_LAGRANGIAN) && this.#colour === 'checker') nodes.push('lagrangian');
      if (kinds.has(NODE_EIL)) nodes.push('eil');
    }
    return {
      title: this.#title,
      time: this.#frame?.time ?? 0,
      colour: this.#colour,
      range: this.#range(),
      check: objects.some(({ type }) => type !== 'points') ? this.#check() : 0,
      checkColours: objects.some(({ type }) => type === 'curve') ? CHECK_COLOURS : SHEET_COLOURS,
      markers: this.#settings.markers ?? 0,
      nodes,
      dark: this.#dark,
    };
  }

  /** Draws again, for example after the camera moved. */
  render(): void {
    this.#renderer.render(this.#scene, this.camera);
    const context = this.#overlay.getContext('2d')!;
    context.setTransform(this.#pixelRatio, 0, 0, this.#pixelRatio, 0, 0);
    context.clearRect(0, 0, this.#width, this.#height);
    if (this.#writing) drawOverlay(context, this.describe(), this.#width, this.#height);
  }

  /** Meshes of the bounded bodies as they are placed now, by id: for picking. */
  get bodyMeshes(): ReadonlyMap<string, Object3D> {
    return this.#bodies;
  }

  /** The picture with its writing, as last drawn, scaled down to one pixel per CSS pixel, which smooths it once more. */
  capture(): HTMLCanvasElement {
    const canvas = document.createElement('canvas');
    canvas.width = this.#width;
    canvas.height = this.#height;
    const context = canvas.getContext('2d')!;
    context.imageSmoothingQuality = 'high';
    context.drawImage(this.#renderer.domElement, 0, 0, this.#width, this.#height);
    drawOverlay(context, this.describe(), this.#width, this.#height);
    return canvas;
  }

  /** Where a world point appears, in CSS pixels from the upper left corner. */
  project(point: readonly [number, number, number]): { readonly x: number; readonly y: number } {
    const p = new Vector3(...point).project(this.camera);
    return { x: (0.5 + 0.5 * p.x) * this.#width, y: (0.5 - 0.5 * p.y) * this.#height };
  }

  /** Sets the size of the picture in CSS pixels. */
  resize(width: number, height: number, pixelRatio = this.#pixelRatio): void {
    this.#width = width;
    this.#height = height;
    this.#pixelRatio = pixelRatio;
    this.#renderer.setPixelRatio(pixelRatio);
    this.#renderer.setSize(width, height);
    this.#overlay.width = Math.round(width * pixelRatio);
    this.#overlay.height = Math.round(height * pixelRatio);
    this.#overlay.style.width = `${width}px`;
    this.#overlay.style.height = `${height}px`;
    this.camera.aspect = width / height;
    this.setLimits(this.#limits);
  }

  #removeCurve(id: string): void {
    const curve = this.#curves.get(id)!;
    this.#scene.remove(curve.mesh);
    curve.dispose();
    this.#curves.delete(id);
  }

  #remove(object: Object3D): void {
    this.#scene.remove(object);
    object.traverse((part) => {
      const { geometry, material } = part as Partial<Mesh>;
      geometry?.dispose();
      for (const one of [material ?? []].flat()) one.dispose();
    });
  }

  /** Frees everything on the graphics card and takes the element out of the page. */
  dispose(): void {
    for (const id of [...this.#curves.keys()]) this.#removeCurve(id);
    this.#sheets.dispose();
    for (const mesh of [...this.#bodies.values(), ...this.#grounds.values()]) this.#remove(mesh);
    for (const spheres of Object.values(this.#spheres)) spheres.dispose();
    this.#material.dispose();
    this.#lights.dispose();
    if (this.#scene.background instanceof CanvasTexture) this.#scene.background.dispose();
    this.#renderer.dispose();
    this.#renderer.forceContextLoss();
    this.element.remove();
  }
}

/** Material length that checks are measured by [m]: a twentieth of it is one. A sheet has fewer, as they stand side by side. */
function computeExtent(object: ObjectFrame): number {
  if (object.type === 'points') return 0;
  return object.type === 'curve' ? object.restLength : 2.5 * Math.sqrt(object.restArea);
}
