/**
 * A flat knit about the origin as a net of yarns, its face up along y, courses along x and wales along −z.
 *
 * A loop of course j that is drawn through one below meets it at four crossings. Along both yarns they come in the same order; the first
 * yarn of these crossings is that of the upper loop:
 *
 *               left foot   left leg   right leg   right foot
 *     knit        under       over       over        under         the upper loop
 *     purl        over        under      under       over
 *
 * Between foot and leg at either side the two yarns wind round each other: `wraps`. Floats, and the yarns that cast on and bind off, are the first yarn where
 * they pass a leg. A node lies midway between the two centre lines. Material coordinates are lengths of centre line times the lengths at rest
 * that are asked for. Nodes are joined by straight lines in a fabric, which are shorter than the curves: 0.87 times in jersey, mostly between foot and leg. So a knit
 * of the yarn's real length grows when it relaxes; `lengths: 'straight'` starts it without stretch instead.
 */
import { ROLE_CROSSING, ROLE_POINT, ROLE_STITCH, type YarnNet } from '../fabric/index.ts';
import { checkPositive } from './checks.ts';
import { computePieceLength, type KnitPiece } from './knit-loop.ts';
import { type KnitVisitor, KnitYarns, type KnitYarnsOptions, type StretchKind } from './knit-yarns.ts';
import { STITCH_PURL, STITCH_SLIP_FRONT } from './knits.ts';

export interface KnitNetOptions extends KnitYarnsOptions {
  /** Length at rest of all yarn over its drawn length; above 1 a loose knit, below 1 a tight one. 1 if not given. */
  readonly tightness?: number;
  /** The same of floats alone, and of legs that are held over courses, times `tightness`; 1 if not given. */
  readonly floatLength?: number;
  readonly heldLength?: number;
  /** What lengths at rest are measured along: the centre lines, or the straight lines from node to node. `curves` if not given. */
  readonly lengths?: 'curves' | 'straight';
  /** `bound`: in the first and the last wale yarns do not slide on each other, as in a selvedge that is sewn; `free` if not given: a loose knit ravels from there. */
  readonly edges?: 'free' | 'bound';
  /** Index of the material of each carrier in the options of the fabric; 0 for those not given. */
  readonly materials?: readonly number[];
}

/** `over` and `turn` of the four crossings of a knit stitch. */
const STITCH_OVER = [-1, 1, 1, -1];
const STITCH_TURN = [1, -1, 1, -1];

/** Yarns and crossings of a knit. */
export function createKnitNet(options: KnitNetOptions): YarnNet {
  const { tightness = 1, floatLength = 1, heldLength = 1, lengths = 'curves', materials = [] } = options;
  checkPositive('createKnitNet', { tightness, floatLength, heldLength });
  const yarns = new KnitYarns('createKnitNet', options);
  const builder = new NetBuilder(yarns, {
    loop: tightness,
    held: tightness * heldLength,
    float: tightness * floatLength,
  });
  yarns.visit(builder);
  if (lengths === 'straight') {
    builder.isStraight = true;
    yarns.visit(builder);
  }
  builder.addCrossings();
  if (options.edges === 'bound') builder.bindEdges();
  const { net } = builder;
  for (let yarn = 0; yarn < yarns.count; yarn++) net.yarnMaterial[yarn] = materials[net.yarnGroup[yarn]] ?? 0;
  return net;
}

class NetBuilder implements KnitVisitor {
  readonly net: YarnNet;
  readonly #yarns: KnitYarns;
  readonly #scale: Readonly<Record<StretchKind, number>>;
  readonly #point = new Float64Array(3);
  readonly #scratch = new Float64Array(3);
  /** Places are known from a first visit, and lengths are those of straight lines between them. */
  isStraight = false;
  #yarn = 0;
  #length = 0;
  #isStart = true;
  /** Of the yarn behind the node before: its drawn length and its length at rest. */
  #before = 0;
  #drawn = 0;
  #resting = 0;

  constructor(yarns: KnitYarns, scale: Readonly<Record<StretchKind, number>>) {
    const { count, layout } = yarns;
    const nodes = layout.crossings + 2 * count;
    this.#yarns = yarns;
    this.#scale = scale;
    this.net = {
      yarnLength: new Float64Array(count),
      yarnMaterial: new Uint16Array(count),
      yarnLayer: new Uint16Array(count),
      yarnGroup: new Uint8Array(count),
      x: new Float64Array(3 * nodes),
      yarn: new Int32Array(2 * nodes).fill(-1),
      u: new Float64Array(2 * nodes),
      role: new Uint8Array(nodes).fill(ROLE_POINT),
      over: new Int8Array(nodes),
      turn: new Int8Array(nodes).fill(1),
      wraps: new Int32Array(4 * layout.stitches),
    };
    this.net.role.fill(ROLE_CROSSING, 0, layout.crossings);
  }

  startYarn(yarn: number, carrier: number): void {
    this.net.yarnGroup[yarn] = carrier;
    this.#yarn = yarn;
    this.#length = 0;
    this.#isStart = true;
  }

  addStretch(piece: KnitPiece, from: number, to: number, kind: StretchKind): void {
    if (this.#isStart) {
      piece.writePoint(from, this.#point);
      this.#put(this.#yarns.layout.crossings + 2 * this.#yarn, 0, 1);
      this.#isStart = false;
    }
    const length = computePieceLength(piece, from, to, this.#scratch);
    this.#drawn += length;
    this.#resting += this.#scale[kind] * length;
    piece.writePoint(to, this.#point);
  }

  meet(node: number, side: 0 | 1): void {
    this.#put(node, side, 0.5);
  }

  endYarn(yarn: number): void {
    this.#put(this.#yarns.layout.crossings + 2 * yarn + 1, 0, 1);
    this.net.yarnLength[yarn] = this.#length;
  }

  /** Puts a side of a node on the yarn where it is now; at a first visit the node takes this part of the place. */
  #put(node: number, side: 0 | 1, part: number): void {
    const { x, u, yarn } = this.net;
    if (this.isStraight) {
      if (!this.#isStart) this.#length += (this.#resting / this.#drawn) * this.#measure(this.#before, node);
    } else {
      this.#length += this.#resting;
      writePlace(this.#yarns, this.#point, this.#scratch);
      for (let k = 0; k < 3; k++) x[3 * node + k] += part * this.#scratch[k];
    }
    u[2 * node + side] = this.#length;
    yarn[2 * node + side] = this.#yarn;
    this.#before = node;
    this.#drawn = this.#resting = 0;
  }

  #measure(a: number, b: number): number {
    const { x } = this.net;
    return Math.sqrt(
      (x[3 * a] - x[3 * b]) ** 2 + (x[3 * a + 1] - x[3 * b + 1]) ** 2 + (x[3 * a + 2] - x[3 * b + 2]) ** 2,
    );
  }

  /** Makes stitches of the crossings in the outermost wales. */
  bindEdges(): void {
    const { role } = this.net;
    const { layout } = this.#yarns;
    const { wales, courses } = layout.knit;
    for (const wale of [0, wales - 1]) {
      const [castOn, bindOff] = [2 * wale, layout.crossings - 2 * wales + 2 * wale];
      role.fill(ROLE_STITCH, castOn, castOn + 2);
      role.fill(ROLE_STITCH, bindOff, bindOff + 2);
      for (let j = 0; j < courses; j++)
        for (let strip = layout.firstStrip[j]; strip < layout.firstStrip[j + 1]; strip++) {
          const first = layout.firstNode[strip * wales + wale];
          const count = layout.isLoop(strip, j, wale) ? (j > 0 ? 4 : 0) : 2;
          role.fill(ROLE_STITCH, first, first + count);
        }
    }
  }

  /** Writes which yarn is on top at crossings, how they turn, and which pairs wind. */
  addCrossings(): void {
    const { over, turn, wraps } = this.net;
    const { layout } = this.#yarns;
    const { courses, wales, stitches } = layout.knit;
    let wrap = 0;
    for (let i = 0; i < wales; i++)
      for (const first of [2 * i, layout.crossings - 2 * wales + 2 * i]) {
        over[first] = -1;
        over[first + 1] = 1;
        turn[first + 1] = -1;
      }
    for (let j = 0; j < courses; j++)
      for (let strip = layout.firstStrip[j]; strip < layout.firstStrip[j + 1]; strip++)
        for (let i = 0; i < wales; i++) {
          const first = layout.firstNode[strip * wales + i];
          const stitch = stitches[j * wales + i];
          if (!layout.isLoop(strip, j, i)) {
            over[first] = over[first + 1] = stitch === STITCH_SLIP_FRONT ? 1 : -1;
            turn[first + 1] = -1;
          } else if (j > 0) {
            for (let k = 0; k < 4; k++) {
              over[first + k] = stitch === STITCH_PURL ? -STITCH_OVER[k] : STITCH_OVER[k];
              turn[first + k] = STITCH_TURN[k];
              wraps[wrap++] = first + k;
            }
          }
        }
  }
}

/** Across, up and out as x, y and z about the middle of the cloth. */
export function writePlace(yarns: KnitYarns, point: Float64Array, out: Float64Array): void {
  const { courses, wales } = yarns.layout.knit;
  out[0] = point[0] - 0.5 * wales * yarns.wale;
  out[1] = point[2];
  out[2] = 0.5 * (courses - 1) * yarns.course - point[1];
}
