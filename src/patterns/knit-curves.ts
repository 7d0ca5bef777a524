/** Smooth centre lines of the yarns of a knit, for pictures and files of curves; they lie as the yarns of `createKnitNet` do. */
import { checkSegments } from './checks.ts';
import type { KnitPiece } from './knit-loop.ts';
import { writePlace } from './knit-net.ts';
import { type KnitVisitor, KnitYarns, type KnitYarnsOptions } from './knit-yarns.ts';

export interface KnitCurvesOptions extends KnitYarnsOptions {
  /** Segments between two places where the shape is given, of which a half loop has six; 4 if not given. */
  readonly segments?: number;
}

export interface KnitCurve {
  readonly closed: false;
  readonly carrier: number;
  /** Three coordinates a point [m]. */
  readonly points: Float64Array;
}

/** One polyline for each yarn of the net, in the same order. */
export function createKnitCurves(options: KnitCurvesOptions): KnitCurve[] {
  const { segments = 4 } = options;
  checkSegments('createKnitCurves', segments);
  const yarns = new KnitYarns('createKnitCurves', options);
  const sampler = new Sampler(yarns, segments);
  yarns.visit(sampler);
  return sampler.curves;
}

class Sampler implements KnitVisitor {
  readonly curves: KnitCurve[] = [];
  readonly #yarns: KnitYarns;
  readonly #segments: number;
  readonly #point = new Float64Array(3);
  readonly #place = new Float64Array(3);
  #carrier = 0;
  #points: number[] = [];

  constructor(yarns: KnitYarns, segments: number) {
    this.#yarns = yarns;
    this.#segments = segments;
  }

  startYarn(_yarn: number, carrier: number): void {
    this.#carrier = carrier;
    this.#points = [];
  }

  addStretch(piece: KnitPiece, from: number, to: number): void {
    for (let k = this.#points.length === 0 ? 0 : 1; k <= this.#segments; k++) {
      piece.writePoint(k === this.#segments ? to : from + ((to - from) * k) / this.#segments, this.#point);
      writePlace(this.#yarns, this.#point, this.#place);
      this.#points.push(this.#place[0], this.#place[1], this.#place[2]);
    }
  }

  meet(): void {
    // crossings lie on the curve as they are
  }

  endYarn(): void {
    this.curves.push({ closed: false, carrier: this.#carrier, points: Float64Array.from(this.#points) });
  }
}
