/**
 * Rings of vertices along the yarns of a fabric, on the smooth curves of io/yarns.ts: round ones make tubes, of two vertices ribbons, which the
 * card turns towards who looks (yarn-material.ts).
 *
 *     tube     position  on the surface        normal  outwards               angle  round the yarn [rad]
 *     ribbon   position  on the centre line    normal  along the yarn         width  − or + radius [m]
 *
 * Normals are carried along by the least rotation (io/tube-path.ts), so that a tube does not twist; a pole closes each end.
 */
import { NEAREST_NODES } from 'heddle/io';
import type { YarnsFrame } from 'heddle/model';
import type { GrowingGeometry } from './growing-geometry.ts';

export interface YarnDetail {
  /** Pieces of a segment. */
  readonly pieces: number;
  /** Sides of a tube; 0 for a ribbon. */
  readonly sides: number;
}

/** From fine to plain. */
const DETAILS: readonly YarnDetail[] = [
  { pieces: 8, sides: 14 },
  { pieces: 6, sides: 10 },
  { pieces: 5, sides: 8 },
  { pieces: 4, sides: 6 },
  { pieces: 3, sides: 5 },
  { pieces: 2, sides: 4 },
  { pieces: 3, sides: 0 },
  { pieces: 2, sides: 0 },
  { pieces: 1, sides: 0 },
];

/** The finest detail that needs at most so many triangles for so many segments; the plainest where none does. */
export function chooseYarnDetail(segments: number, triangles: number): YarnDetail {
  const fits = ({ pieces, sides }: YarnDetail) => 2 * pieces * Math.max(1, sides) * segments <= triangles;
  return DETAILS.find(fits) ?? DETAILS[DETAILS.length - 1];
}

/** Where the yarns' rings are: nodes that are drawn, yarn by yarn, and what the triangles stand for. */
export interface YarnRings {
  nodes: Int32Array;
  /** First of `nodes` of each yarn, and their number at the end. */
  starts: Int32Array;
  topology: string;
}

/** Chooses the nodes that curves pass through (io/yarns.ts); all of them on request. */
export function chooseNodes({ start, x, u, radius }: YarnsFrame, all: boolean, rings: YarnRings): void {
  if (rings.nodes.length < u.length) rings.nodes = new Int32Array(Math.ceil(1.25 * u.length));
  if (rings.starts.length !== start.length) rings.starts = new Int32Array(start.length);
  const { nodes, starts } = rings;
  let count = 0;
  for (let y = 0; y < radius.length; y++) {
    starts[y] = count;
    const last = start[y + 1] - 1;
    if (last <= start[y]) continue;
    const least = all ? -1 : (NEAREST_NODES * radius[y]) ** 2;
    nodes[count++] = start[y];
    for (let i = start[y] + 1; i < last; i++)
      if (computeSquare(x, nodes[count - 1], i) > least && computeSquare(x, i, last) > least) nodes[count++] = i;
    nodes[count++] = last;
  }
  starts[radius.length] = count;
}

function computeSquare(x: Float64Array, i: number, j: number): number {
  return (x[3 * j] - x[3 * i]) ** 2 + (x[3 * j + 1] - x[3 * i + 1]) ** 2 + (x[3 * j + 2] - x[3 * i + 2]) ** 2;
}

/** Rings of a yarn of so many nodes: those of its pieces, and a pole at each end of a tube. */
const countRings = (nodes: number, { pieces, sides }: YarnDetail): number =>
  nodes < 2 ? 0 : (nodes - 1) * pieces + (sides > 0 ? 3 : 1);

/** Attributes of the vertices. */
interface Vertices {
  readonly position: Float32Array;
  readonly normal: Float32Array;
  /** Material coordinate [m], value, node with a fraction. */
  readonly material: Float32Array;
  /** Linear red, green, blue. */
  readonly paint: Float32Array;
  /** Of tubes the angle, of ribbons the width; then the radius. */
  readonly across: Float32Array;
}

/** Writes the rings into a geometry; `paints`: linear red, green, blue of each yarn. `straight`: segments as they are computed. */
export function writeRings(
  yarns: YarnsFrame,
  values: Float64Array | undefined,
  paints: Float32Array,
  detail: YarnDetail,
  straight: boolean,
  rings: YarnRings,
  geometry: GrowingGeometry,
): void {
  const { starts, nodes } = rings;
  const yarnCount = yarns.radius.length;
  const perRing = detail.sides > 0 ? detail.sides + 1 : 2;
  let total = 0;
  for (let y = 0; y < yarnCount; y++) total += countRings(starts[y + 1] - starts[y], detail);
  const vertices: Vertices = {
    position: geometry.take('position', total * perRing, 3),
    normal: geometry.take('normal', total * perRing, 3),
    material: geometry.take('material', total * perRing, 3),
    paint: geometry.take('paint', total * perRing, 3),
    across: geometry.take('across', total * perRing, 2),
  };
  const circle = Float64Array.from({ length: 2 * perRing }, (_, i) => {
    const angle = (2 * Math.PI * (i >> 1)) / Math.max(1, detail.sides);
    return i % 2 === 0 ? Math.cos(angle) : Math.sin(angle);
  });
  const writer = new RingWriter(vertices, circle, detail);
  const at = new Int32Array(4);
  for (let y = 0; y < yarnCount; y++) {
    if (starts[y + 1] - starts[y] < 2) continue;
    writer.begin(yarns.radius[y], paints.subarray(3 * y, 3 * y + 3));
    for (let s = starts[y]; s < starts[y + 1] - 1; s++) {
      for (let k = 0; k < 4; k++) at[k] = nodes[Math.min(starts[y + 1] - 1, Math.max(starts[y], s - 1 + k))];
      writer.setSegment(yarns, values, at, straight);
      const isLast = s === starts[y + 1] - 2;
      if (s === starts[y]) writer.addPole(-1);
      for (let k = 0; k < detail.pieces; k++) writer.addRing(k / detail.pieces);
      if (isLast) {
        writer.addRing(1);
        writer.addPole(1);
      }
    }
  }
  const topology = `${detail.pieces} ${detail.sides} ${starts.join()}`;
  if (topology !== rings.topology) geometry.setIndices(computeIndices(rings, detail, perRing));
  rings.topology = topology;
}

/** Triangles between the rings of each yarn, counter-clockwise seen from outside. */
function computeIndices({ starts }: YarnRings, detail: YarnDetail, perRing: number): Uint32Array {
  let strips = 0;
  for (let y = 0; y + 1 < starts.length; y++) strips += Math.max(0, countRings(starts[y + 1] - starts[y], detail) - 1);
  const indices = new Uint32Array(6 * strips * (perRing - 1));
  let [n, first] = [0, 0];
  for (let y = 0; y + 1 < starts.length; y++) {
    const count = countRings(starts[y + 1] - starts[y], detail);
    for (let ring = 0; ring + 1 < count; ring++)
      for (let j = 0; j + 1 < perRing; j++) {
        const here = first + ring * perRing + j;
        const next = here + perRing;
        indices[n++] = here;
        indices[n++] = here + 1;
        indices[n++] = next + 1;
        indices[n++] = here;
        indices[n++] = next + 1;
        indices[n++] = next;
      }
    first += count * perRing;
  }
  return indices;
}

/** Walks along a yarn and writes one ring after the other. */
class RingWriter {
  readonly #vertices: Vertices;
  readonly #circle: Float64Array;
  readonly #detail: YarnDetail;
  /** Coefficients of the cubic x(t) = c₀ + c₁ t + c₂ t² + c₃ t³, axis by axis. */
  readonly #cubic = new Float64Array(12);
  readonly #normal = new Float64Array(3);
  readonly #tangent = new Float64Array(3);
  readonly #from = new Float64Array(3);
  readonly #to = new Float64Array(3);
  #isFirst = true;
  #vertex = 0;
  #radius = 0;
  #paint: Float32Array = new Float32Array(3);
  #u = 0;
  #du = 0;
  #value = 0;
  #dv = 0;
  #node = 0;

  constructor(vertices: Vertices, circle: Float64Array, detail: YarnDetail) {
    this.#vertices = vertices;
    this.#circle = circle;
    this.#detail = detail;
  }

  begin(radius: number, paint: Float32Array): void {
    this.#radius = radius;
    this.#paint = paint;
    this.#isFirst = true;
    this.#node = -1;
  }

  /** `nodes`: the segment leads from the second to the third. */
  setSegment({ x, u }: YarnsFrame, values: Float64Array | undefined, at: Int32Array, straight: boolean): void {
    const [before, i, j, after] = at;
    const h = Math.sqrt(Math.sqrt(computeSquare(x, i, j)));
    writeTangent(x, before, i, j, this.#from);
    writeTangent(x, i, j, after, this.#to);
    for (let k = 0; k < 3; k++) {
      const p = x[3 * i + k];
      const step = x[3 * j + k] - p;
      const m = straight ? step : h * this.#from[k];
      const n = straight ? step : h * this.#to[k];
      this.#cubic[4 * k] = p;
      this.#cubic[4 * k + 1] = m;
      this.#cubic[4 * k + 2] = 3 * step - 2 * m - n;
      this.#cubic[4 * k + 3] = m + n - 2 * step;
    }
    this.#u = u[i];
    this.#du = u[j] - u[i];
    this.#value = values?.[i] ?? 0;
    this.#dv = (values?.[j] ?? 0) - this.#value;
    this.#node++;
  }

  /** Direction at t, and the normal carried there. */
  #turn(t: number): void {
    const c = this.#cubic;
    const n = this.#normal;
    const a = this.#tangent;
    let bx = c[1] + t * (2 * c[2] + 3 * t * c[3]);
    let by = c[5] + t * (2 * c[6] + 3 * t * c[7]);
    let bz = c[9] + t * (2 * c[10] + 3 * t * c[11]);
    const size = Math.sqrt(bx * bx + by * by + bz * bz);
    // where the curve stands still the direction stays
    bx = size > 0 ? bx / size : this.#isFirst ? 1 : a[0];
    by = size > 0 ? by / size : this.#isFirst ? 0 : a[1];
    bz = size > 0 ? bz / size : this.#isFirst ? 0 : a[2];
    if (this.#isFirst) {
      // the first normal is what is left of a vector that is far from the yarn
      const isUpright = Math.abs(by) > 0.9;
      n[0] = isUpright ? 1 : 0.1;
      n[1] = isUpright ? 0 : 1;
      n[2] = isUpright ? 0 : 0.2;
    } else {
      const cosine = a[0] * bx + a[1] * by + a[2] * bz;
      const factor = cosine > -0.999 ? (n[0] * bx + n[1] * by + n[2] * bz) / (1 + cosine) : 0;
      n[0] -= factor * (a[0] + bx);
      n[1] -= factor * (a[1] + by);
      n[2] -= factor * (a[2] + bz);
    }
    const along = n[0] * bx + n[1] * by + n[2] * bz;
    n[0] -= along * bx;
    n[1] -= along * by;
    n[2] -= along * bz;
    const length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) || 1;
    n[0] /= length;
    n[1] /= length;
    n[2] /= length;
    a[0] = bx;
    a[1] = by;
    a[2] = bz;
    this.#isFirst = false;
  }

  addRing(t: number): void {
    this.#turn(t);
    this.#add(t, 0);
  }

  /** Closes an end: all vertices at one point, looking outwards along the yarn. */
  addPole(end: -1 | 1): void {
    if (this.#detail.sides === 0) return;
    const t = end < 0 ? 0 : 1;
    this.#turn(t);
    this.#add(t, end);
  }

  #add(t: number, pole: number): void {
    const { position, normal, material, paint, across } = this.#vertices;
    const c = this.#cubic;
    const n = this.#normal;
    const a = this.#tangent;
    const circle = this.#circle;
    const r = this.#radius;
    const { sides } = this.#detail;
    const cx = c[0] + t * (c[1] + t * (c[2] + t * c[3]));
    const cy = c[4] + t * (c[5] + t * (c[6] + t * c[7]));
    const cz = c[8] + t * (c[9] + t * (c[10] + t * c[11]));
    const sx = a[1] * n[2] - a[2] * n[1];
    const sy = a[2] * n[0] - a[0] * n[2];
    const sz = a[0] * n[1] - a[1] * n[0];
    const wide = sides === 0 || pole !== 0 ? 0 : r;
    const count = circle.length / 2;
    for (let j = 0; j < count; j++) {
      const v = this.#vertex++;
      const cos = circle[2 * j];
      const sin = circle[2 * j + 1];
      const ox = cos * n[0] + sin * sx;
      const oy = cos * n[1] + sin * sy;
      const oz = cos * n[2] + sin * sz;
      position[3 * v] = cx + wide * ox;
      position[3 * v + 1] = cy + wide * oy;
      position[3 * v + 2] = cz + wide * oz;
      const isTube = sides > 0 && pole === 0;
      normal[3 * v] = isTube ? ox : (pole || 1) * a[0];
      normal[3 * v + 1] = isTube ? oy : (pole || 1) * a[1];
      normal[3 * v + 2] = isTube ? oz : (pole || 1) * a[2];
      material[3 * v] = this.#u + t * this.#du;
      material[3 * v + 1] = this.#value + t * this.#dv;
      material[3 * v + 2] = this.#node + t;
      for (let k = 0; k < 3; k++) paint[3 * v + k] = this.#paint[k];
      across[2 * v] = sides > 0 ? (2 * Math.PI * j) / sides : j === 0 ? -r : r;
      across[2 * v + 1] = r;
    }
  }
}

/** m of io/yarns.ts at node i, of the neighbours p and q, which are i itself at an end. */
function writeTangent(x: Float64Array, p: number, i: number, q: number, out: Float64Array): void {
  const h0 = Math.sqrt(Math.sqrt(computeSquare(x, p, i)));
  const h1 = Math.sqrt(Math.sqrt(computeSquare(x, i, q)));
  for (let k = 0; k < 3; k++) {
    const a = x[3 * p + k];
    const b = x[3 * i + k];
    const c = x[3 * q + k];
    if (h0 > 0 && h1 > 0) out[k] = (b - a) / h0 - (c - a) / (h0 + h1) + (c - b) / h1;
    else out[k] = h0 > 0 ? (b - a) / h0 : h1 > 0 ? (c - b) / h1 : 0;
  }
}
