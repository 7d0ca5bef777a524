/**
 * The fabrics of a frame in the view's scene: their yarns, and balls on their crossings in the colours of [Sánchez-Banderas 2020, Fig. 1]: white where
 * both yarns have an EoL node, red where both are EIL, pink where one is. Yarns that cross nothing (curves of a continuum) have blue ones on their nodes.
 */
import { computeYarnColours, type YarnColours } from 'heddle/io';
import { type Frame, NODE_EIL, type YarnsFrame } from 'heddle/model';
import type { Scene } from 'three';
import type { CurveMaterial } from './curve-material.ts';
import { NODE_COLOURS } from './overlay.ts';
import { PointsCloud } from './points-cloud.ts';
import type { ColourMode } from './scene.ts';
import { YarnsMesh } from './yarns-mesh.ts';

/** White balls on more crossings than this would hide the cloth, blue ones on more nodes the heap of curves: they are left out. */
const MOST_NODES = { crossed: 4000, loose: 600 } as const;
/** Radii of balls, in radii of the yarn, and how far they stand before the crossing, so that no yarn hides them. */
const SIZE = 0.75;
const LIFT = 3;

/** What balls stand for, in the order of their colours. */
export const BALLS = ['crossing', 'crossingEil', 'crossingMixed', 'lagrangian'] as const;
export type Ball = (typeof BALLS)[number];

export interface YarnsLook {
  readonly colour: ColourMode;
  readonly nodes: boolean;
  /** Whether segments are drawn as they are computed. */
  readonly lines: boolean;
  /** Triangles that the yarns of all fabrics may have, about. */
  readonly triangles: number;
}

const hasCrossings = ({ other }: YarnsFrame): boolean => other.some((node) => node >= 0);

/** What the ball of a node stands for; undefined where the node crosses no other yarn, or the other node is named first. */
function classifyNode({ other, kind }: YarnsFrame, node: number, isCrossed: boolean): Ball | undefined {
  if (!isCrossed) return 'lagrangian';
  if (other[node] <= node) return undefined;
  const [a, b] = [kind[node] === NODE_EIL, kind[other[node]] === NODE_EIL];
  return a && b ? 'crossingEil' : a || b ? 'crossingMixed' : 'crossing';
}

/** What there are balls for. White and blue ones are left out under a colour map, which they would hide. */
export function listBalls(yarns: YarnsFrame, mapped: boolean): Set<Ball> {
  const found = new Set<Ball>();
  const isCrossed = hasCrossings(yarns);
  let count = 0;
  for (let node = 0; node < yarns.u.length; node++) {
    const ball = classifyNode(yarns, node, isCrossed);
    if (ball === undefined) continue;
    found.add(ball);
    count++;
  }
  if (mapped || count > MOST_NODES[isCrossed ? 'crossed' : 'loose']) {
    found.delete('crossing');
    found.delete('lagrangian');
  }
  return found;
}

export class YarnsLayer {
  readonly #scene: Scene;
  readonly #settings: CurveMaterial['settings'];
  readonly #colours: YarnColours;
  readonly #fabrics = new Map<string, { readonly yarns: YarnsMesh; readonly balls: PointsCloud }>();

  /** `settings` are what the curves' material shows: checks, colour map and range. `colours` are the scene's. */
  constructor(scene: Scene, settings: CurveMaterial['settings'], colours: YarnColours) {
    this.#scene = scene;
    this.#colours = colours;
    this.#settings = settings;
  }

  setFrame(frame: Frame, look: YarnsLook): void {
    const gone = new Set(this.#fabrics.keys());
    const count = frame.objects.filter(({ type }) => type === 'yarns').length;
    for (const object of frame.objects) {
      if (object.type !== 'yarns') continue;
      gone.delete(object.id);
      const { yarns, balls } = this.#fabrics.get(object.id) ?? this.#add(object.id);
      yarns.setYarns(object, object.fields[look.colour], {
        paints: computeYarnColours(object, this.#colours),
        lines: look.lines,
        triangles: look.triangles / count,
      });
      balls.points.visible = look.nodes;
      if (look.nodes) setBalls(object, look.colour !== 'checker', balls);
    }
    for (const id of gone) this.#remove(id);
  }

  #add(id: string): { readonly yarns: YarnsMesh; readonly balls: PointsCloud } {
    const palette = BALLS.map((ball) => NODE_COLOURS[ball]);
    // balls keep their colours under a colour map
    const balls = new PointsCloud({ ...this.#settings, mapped: { value: false } }, { palette });
    const fabric = { yarns: new YarnsMesh(this.#settings), balls };
    balls.points.castShadow = false;
    this.#fabrics.set(id, fabric);
    this.#scene.add(fabric.yarns.mesh, balls.points);
    return fabric;
  }

  #remove(id: string): void {
    const { yarns, balls } = this.#fabrics.get(id)!;
    this.#scene.remove(yarns.mesh, balls.points);
    yarns.dispose();
    balls.dispose();
    this.#fabrics.delete(id);
  }

  dispose(): void {
    for (const id of [...this.#fabrics.keys()]) this.#remove(id);
  }
}

/** A ball between the two nodes of each crossing, or on each node of yarns that cross nothing. */
function setBalls(yarns: YarnsFrame, mapped: boolean, balls: PointsCloud): void {
  const shown = listBalls(yarns, mapped);
  const isCrossed = hasCrossings(yarns);
  const x: number[] = [];
  const group: number[] = [];
  for (let node = 0; node < yarns.u.length && shown.size > 0; node++) {
    const ball = classifyNode(yarns, node, isCrossed);
    if (ball === undefined || !shown.has(ball)) continue;
    const other = isCrossed ? yarns.other[node] : node;
    for (let k = 0; k < 3; k++) x.push(0.5 * (yarns.x[3 * node + k] + yarns.x[3 * other + k]));
    group.push(BALLS.indexOf(ball));
  }
  const radius = yarns.radius.reduce((a, b) => Math.max(a, b), 0);
  const [places, groups] = [Float64Array.from(x), Uint8Array.from(group)];
  balls.setPoints({ radius: SIZE * radius, x: places, group: groups }, undefined, LIFT * radius);
}
