/**
 * The view: draws frames of a scene with three.js. It owns its canvas and nothing else of the page, so that any page
 * (the headless one behind `heddle render`, the studio, someone's own) can hold several of them.
 *
 *   const view = new SceneView({ scene, bodies, limits, width: 1280, height: 720 });
 *   page.append(view.element);
 *   view.setFrame(frame);
 *
 * Strands are tubes with checks along the material coordinate u; red spheres are E-nodes, blue L-nodes, yellow EIL
 * nodes; small pale spheres are glued to the material at fixed steps of u [Jiang 2020, Fig. 3].
 * Under a colour map L-nodes are left out, because they would hide the colours; so they are under mesh lines, which draw a
 * ring round the tube at every node and the segments between them straight, as they are computed, and the triangles of bodies.
 * Forces of contacts and constraints are arrows (`arrows.ts`).
 * A strand thinner than 0.2 % of the picture's subject is drawn that thick, so that it stays visible.
 * Sheets have checks along both material coordinates X, their creases as lines; particles are balls (sheet-layer.ts).
 * Fabrics are drawn yarn by yarn, in colours of their layers and groups; balls on crossings tell their nodes (yarns-layer.ts).
 */
import { collectYarnColours, type YarnColours } from 'heddle/io';
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
  Color,
  type Mesh,
  NeutralToneMapping,
  type Object3D,
  PCFShadowMap,
  PerspectiveCamera,
  Scene,
  SRGBColorSpace,
  Vector3,
  type WebGLRenderer,
} from 'three';
import { computeArrowScale, ForceArrows } from './arrows.ts';
import { addBackground } from './background.ts';
import { BodyMesh } from './body-mesh.ts';
import { computeSubject, placeCamera, setDepths } from './camera.ts';
import { CHECK_COLOURS, createCurveMaterial } from './curve-material.ts';
import { CurveMesh, type DrawnCurve } from './curve-mesh.ts';
import { computeRoundStep, Ground } from './ground.ts';
import { Lights } from './lights.ts';
import { NodeSpheres } from './node-spheres.ts';
import { drawOverlay, type OverlayContent } from './overlay.ts';
import { GROUP_PALETTE } from './points-cloud.ts';
import { findRod } from './reference-bar.ts';
import { computePlainCurve, computeRefinedCurve } from './refine.ts';
import { returnRenderer, takeRenderer } from './renderers.ts';
import type { BodyTriangles, ColourMode, LiveSettings, ViewScene, ViewSettings } from './scene.ts';
import { SheetLayer } from './sheet-layer.ts';
import { SHEET_COLOURS } from './surface-material.ts';
import { computeCheckColours } from './yarn-material.ts';
import { BALLS, listBalls, YarnsLayer } from './yarns-layer.ts';

export type { BodyTriangles, ColourMode, LiveSettings, ViewScene, ViewSettings } from './scene.ts';

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
  /** Triangles that yarns of fabrics may have, about: more look better and take longer. Default by the graphics card. */
  readonly triangles?: number;
}

/** Triangles for yarns that a graphics card draws in no time, and a processor that stands in for one in a tenth of a second. */
const YARN_TRIANGLES = { card: 1_500_000, processor: 48_000 } as const;

/** Values below zero that are rounding, over the largest one. */
const ROUNDING = 1e-6;

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
  readonly #sheets: SheetLayer;
  readonly #yarns: YarnsLayer;
  readonly #yarnColours: YarnColours;
  readonly #curves = new CurveMesh(this.#material);
  readonly #bodies = new Map<string, BodyMesh>();
  readonly #planes: readonly string[];
  readonly #opacities: ReadonlyMap<string, number>;
  readonly #nodes: NodeSpheres;
  readonly #arrows: ForceArrows;
  readonly #dark: boolean;
  readonly #removeBackground: () => void;
  readonly #triangles: number;
  /** By the id of the plane; '' for the one where there is none. */
  readonly #grounds = new Map<string, Ground>();
  #settings: ViewSettings;
  #limits: FrameLimits;
  #subject = new Box3();
  #colour: ColourMode;
  #frame: Frame | undefined;
  #key: Pick<OverlayContent, 'nodes' | 'groups'> = { nodes: [], groups: [] };
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
    this.#renderer = takeRenderer();
    const isSlow = isDrawnByProcessor(this.#renderer);
    this.#triangles = options.triangles ?? YARN_TRIANGLES[isSlow ? 'processor' : 'card'];
    this.#sheets = new SheetLayer(this.#scene, this.#material.settings, isSlow);
    this.#renderer.toneMapping = NeutralToneMapping;
    this.#renderer.shadowMap.enabled = true;
    this.#renderer.shadowMap.type = PCFShadowMap;
    // shadows stay the same when only the camera moves
    this.#renderer.shadowMap.autoUpdate = false;
    this.#renderer.shadowMap.needsUpdate = true;
    this.#overlay = document.createElement('canvas');
    this.#overlay.style.cssText = 'position:absolute;inset:0;pointer-events:none';
    this.element = document.createElement('div');
    this.element.style.cssText = 'position:relative';
    this.element.append(this.#renderer.domElement, this.#overlay);
    // shadows are drawn before the lights are counted: without a picture of the lights alone their shaders would be compiled for none, then again
    this.#scene.add(this.#lights.group);
    this.#renderer.render(this.#scene, this.camera);
    this.#removeBackground = addBackground(this.#scene, this.#settings.background);
    this.#dark =
      this.#settings.background !== undefined &&
      new Color(this.#settings.background).getHSL({ h: 0, s: 0, l: 0 }, SRGBColorSpace).l < 0.45;
    this.#scene.add(this.#curves.mesh);
    this.#nodes = new NodeSpheres(this.#scene);
    this.#yarnColours = collectYarnColours(scene.objects ?? []);
    this.#yarns = new YarnsLayer(this.#scene, this.#material.settings, this.#yarnColours);
    this.#arrows = new ForceArrows(this.#scene);
    this.#planes = (scene.bodies ?? []).filter((body) => body.shape.type === 'plane').map((body) => body.id);
    this.#opacities = new Map((scene.bodies ?? []).map(({ id, opacity = 1 }) => [id, opacity]));
    for (const body of options.bodies) {
      if (this.#planes.includes(body.id)) continue;
      const mesh = new BodyMesh(body, this.#opacityOf(body.id));
      this.#bodies.set(body.id, mesh);
      this.#scene.add(mesh.group);
    }
    for (const id of this.#planes) this.#addGround(id, 0.45 * this.#opacityOf(id));
    if (this.#planes.length === 0) this.#addGround('', 0);
    this.#setSize(options.width, options.height, this.#pixelRatio);
    this.takeLimits(options.limits);
  }

  /** Frames the camera, light, ground and colour range anew, and draws. */
  setLimits(limits: FrameLimits): void {
    this.takeLimits(limits);
    if (this.#frame !== undefined) this.setFrame(this.#frame);
  }

  /** `setLimits` for the frame that is set next; nothing is drawn. */
  takeLimits(limits: FrameLimits): void {
    this.#limits = limits;
    this.#subject = computeSubject(limits);
    if (this.cameraIsFree) setDepths(this.camera, this.#subject, this.target);
    else this.target.copy(placeCamera(this.camera, this.#settings, this.#subject));
    const size = this.#subject.getSize(new Vector3());
    const centre = this.#subject.getCenter(new Vector3());
    const diagonal = size.length();
    this.#lights.aim(this.#subject.clone().expandByScalar(0.1 * diagonal));
    const spacing = computeRoundStep(diagonal / 8);
    for (const [id, ground] of this.#grounds) {
      ground.place({ centre, reach: (id === '' ? 2.2 : 3) * diagonal, spacing });
      if (id === '') ground.mesh.position.y = this.#subject.min.y - 0.012 * diagonal;
    }
  }

  /** Takes the ranges of colours and the length of arrows from limits that grew; camera, light and ground stay. */
  setScales({ ranges, forces }: FrameLimits): void {
    this.#limits = { ...this.#limits, ranges, forces };
  }

  /** Where the camera would stand by the scene's settings and the present limits. */
  computeHome(): { readonly position: Vector3; readonly target: Vector3 } {
    const camera = this.camera.clone();
    const target = placeCamera(camera, this.#settings, this.#subject);
    return { position: camera.position, target };
  }

  get #diagonal(): number {
    return this.#subject.getSize(new Vector3()).length();
  }

  #opacityOf(id: string): number {
    return this.#opacities.get(id) ?? 1;
  }

  #addGround(id: string, surface: number): void {
    const ground = new Ground({ surface, dark: this.#dark });
    this.#grounds.set(id, ground);
    this.#scene.add(ground.mesh);
  }

  /** Shows the material (checks) or a field of the frames on the objects. */
  setColour(colour: ColourMode): void {
    this.show({ colour });
  }

  /** Changes what is drawn of each frame; what is left out stays. */
  show(settings: LiveSettings): void {
    this.takeSettings(settings);
    if (this.#frame !== undefined) this.setFrame(this.#frame);
  }

  /** `show` for the frame that is set next; nothing is drawn. */
  takeSettings(settings: LiveSettings): void {
    this.#settings = { ...this.#settings, ...settings };
    this.#colour = this.#settings.colour ?? 'checker';
  }

  /** Shows a frame. */
  setFrame(frame: Frame): void {
    this.#frame = frame;
    this.#key = this.#listKey(frame.objects);
    this.#nodes.clear();
    const { settings } = this.#material;
    settings.mapped.value = this.#colour !== 'checker';
    settings.range.value = this.#range();
    settings.check.value = this.#check();
    settings.lines.value = this.#settings.lines === true ? this.#pixelRatio : 0;
    for (const body of this.#bodies.values()) {
      body.setTime(frame.time);
      body.showLines(this.#settings.lines === true);
    }
    this.#curves.setCurves(frame.objects.filter(isCurve).map((curve) => this.#drawCurve(curve)));
    const { nodes = true, lines = false } = this.#settings;
    this.#sheets.setFrame(frame, { colour: this.#colour, nodes, lines });
    this.#yarns.setFrame(frame, { colour: this.#colour, nodes, lines, triangles: this.#triangles });
    for (const body of frame.bodies) {
      const mesh: Object3D | undefined = this.#bodies.get(body.id)?.group ?? this.#grounds.get(body.id)?.mesh;
      mesh?.position.set(...body.position);
      mesh?.quaternion.set(...body.orientation);
    }
    this.#arrows.set(this.#settings.forces === true ? frame.forces : [], this.#arrowScale());
    this.#renderer.shadowMap.needsUpdate = true;
    this.render();
  }

  /** The curve as it is drawn; its nodes and markers are added to the spheres. */
  #drawCurve(curve: CurveFrame): DrawnCurve {
    const radius = Math.max(curve.radius, THINNEST * this.#diagonal);
    const shape = this.#settings.lines === true ? computePlainCurve(curve) : computeRefinedCurve(curve);
    if (this.#settings.nodes ?? true) this.#nodes.addNodes(curve, radius, this.#showsLagrangian);
    this.#nodes.addMarkers(shape, radius, this.#settings.markers ?? 0);
    return { id: curve.id, shape, radius, values: curve.fields[this.#colour] };
  }

  get #showsLagrangian(): boolean {
    return this.#colour === 'checker' && this.#settings.lines !== true;
  }

  #range(): [number, number] {
    const [low, high] = this.#limits.ranges[this.#colour] ?? [0, 1];
    // a scale that starts at zero reads more easily, and rounding is no range
    if (high > 0 && low >= -ROUNDING * high && low < 0.3 * high) return [0, high];
    return high > low ? [low, high] : [low - 0.5, low + 0.5];
  }

  #check(): number {
    const longest = Math.max(0, ...(this.#frame?.objects ?? []).map(computeExtent));
    return this.#settings.checker ?? (longest > 0 ? computeRoundStep(longest / 20) : 1);
  }

  /** What of the key the objects of a frame say: looking at all of them takes too long for every picture. */
  #listKey(objects: readonly ObjectFrame[]): Pick<OverlayContent, 'nodes' | 'groups'> {
    const fabrics = objects.filter((object) => object.type === 'yarns');
    const kinds = new Set(
      objects.flatMap((object) =>
        object.type === 'curve' || object.type === 'surface' ? [...new Set(object.kind)] : [],
      ),
    );
    const nodes: OverlayContent['nodes'][number][] = [];
    if (this.#settings.nodes ?? true) {
      if (kinds.has(NODE_EULERIAN)) nodes.push('eulerian');
      if (kinds.has(NODE_LAGRANGIAN) && this.#showsLagrangian) nodes.push('lagrangian');
      if (kinds.has(NODE_EIL)) nodes.push('eil');
      const balls = new Set(fabrics.flatMap((yarns) => [...listBalls(yarns, this.#colour !== 'checker')]));
      nodes.push(...BALLS.filter((ball) => balls.has(ball) && !nodes.includes(ball)));
    }
    return { nodes, groups: this.#colour === 'checker' ? listGroups(objects) : [] };
  }

  /** What there is to write about the picture: for a legend of one's own. */
  describe(): OverlayContent {
    const objects = this.#frame?.objects ?? [];
    return {
      title: this.#title,
      time: this.#frame?.time ?? 0,
      colour: this.#colour,
      range: this.#range(),
      check: objects.some(({ type }) => type !== 'points') ? this.#check() : 0,
      checkColours: chooseCheckColours(objects, this.#yarnColours),
      markers: this.#settings.markers ?? 0,
      ...this.#key,
      lines: this.#settings.lines === true,
      forces: this.#settings.forces === true ? this.#describeArrow() : undefined,
      bar: this.#describeBar(),
      dark: this.#dark,
    };
  }

  #describeBar(): OverlayContent['bar'] {
    const curve = this.#settings.bar === true ? findRod(this.#frame) : undefined;
    if (curve === undefined) return undefined;
    // one scale of colours in a picture: the bar has that of the curve, where it has one
    if (curve.fields[this.#colour] !== undefined) return { curve, field: { name: this.#colour, range: this.#range() } };
    return { curve, field: { name: 'curvature', range: [0, this.#limits.ranges.curvature?.[1] ?? 1] } };
  }

  #arrowScale(): ReturnType<typeof computeArrowScale> {
    const { lasting, largest } = this.#limits.forces;
    return computeArrowScale(lasting || largest, this.#diagonal);
  }

  /** The arrow of the key: its force, and its length where the camera looks. */
  #describeArrow(): NonNullable<OverlayContent['forces']> {
    const { key, perNewton } = this.#arrowScale();
    const distance = this.camera.position.distanceTo(this.target);
    const perMetre = this.#height / (2 * distance * Math.tan((this.camera.fov * Math.PI) / 360));
    return { newtons: key, pixels: Math.round(key * perNewton * perMetre) };
  }

  /** Draws again, for example after the camera moved. */
  render(): void {
    this.#renderer.render(this.#scene, this.camera);
    const context = this.#overlay.getContext('2d')!;
    context.setTransform(this.#pixelRatio, 0, 0, this.#pixelRatio, 0, 0);
    context.clearRect(0, 0, this.#width, this.#height);
    if (this.#writing) drawOverlay(context, this.describe(), this.#width, this.#height);
  }

  /** Surfaces of the bounded bodies as they are placed now, by id: for picking. */
  get bodyMeshes(): ReadonlyMap<string, Object3D> {
    return new Map([...this.#bodies].map(([id, { surface }]) => [id, surface]));
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

  /** Sets the size of the picture in CSS pixels, and draws if it is another. */
  resize(width: number, height: number, pixelRatio = this.#pixelRatio): void {
    if (width === this.#width && height === this.#height && pixelRatio === this.#pixelRatio) return;
    this.#setSize(width, height, pixelRatio);
    this.setLimits(this.#limits);
  }

  #setSize(width: number, height: number, pixelRatio: number): void {
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
  }

  #remove(object: Object3D): void {
    this.#scene.remove(object);
    object.traverse((part) => {
      const { geometry, material } = part as Partial<Mesh>;
      geometry?.dispose();
      for (const one of [material ?? []].flat()) one.dispose();
    });
  }

  /** Frees everything that it drew on the graphics card and takes the element out of the page. */
  dispose(): void {
    returnRenderer(this.#renderer, this.#scene, () => this.#free());
    this.element.remove();
  }

  #free(): void {
    this.#curves.dispose();
    for (const { group } of this.#bodies.values()) this.#remove(group);
    for (const ground of this.#grounds.values()) ground.dispose();
    this.#sheets.dispose();
    this.#yarns.dispose();
    this.#arrows.dispose();
    this.#nodes.dispose();
    this.#material.dispose();
    this.#lights.dispose();
    this.#removeBackground();
  }
}

/** Material length that checks are measured by [m]: a twentieth of it is one. A sheet or fabric has fewer, as they stand side by side. */
function computeExtent(object: ObjectFrame): number {
  if (object.type === 'points') return 0;
  if (object.type === 'yarns') return 2.5 * object.restLength.reduce((a, b) => Math.max(a, b), 0);
  return object.type === 'curve' ? object.restLength : 2.5 * Math.sqrt(object.restArea);
}

/** The materials of particles: groups of one object have its name and their number. */
function listGroups(objects: readonly ObjectFrame[]): OverlayContent['groups'] {
  return objects.flatMap((object) => {
    if (object.type !== 'points') return [];
    const groups = [...new Set(object.group)].toSorted((a, b) => a - b);
    return groups.map((group) => ({
      name: groups.length === 1 ? object.id : `${object.id} ${group + 1}`,
      colour: GROUP_PALETTE[group % GROUP_PALETTE.length],
    }));
  });
}

/** Whether there is no graphics card. */
function isDrawnByProcessor(renderer: WebGLRenderer): boolean {
  const gl = renderer.getContext();
  const name = gl.getExtension('WEBGL_debug_renderer_info')?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER;
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(String(gl.getParameter(name)));
}

/** Those of the first kind of objects that there are. */
function chooseCheckColours(objects: readonly ObjectFrame[], colours: YarnColours): readonly [string, string] {
  if (objects.some(({ type }) => type === 'curve')) return CHECK_COLOURS;
  const fabric = objects.find((object) => object.type === 'yarns');
  return fabric === undefined ? SHEET_COLOURS : computeCheckColours(fabric, colours);
}

const isCurve = (object: ObjectFrame): object is CurveFrame => object.type === 'curve';
