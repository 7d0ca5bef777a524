/**
 * A test bench for woven cloth: swatches that are pulled along the warp, along the weft and on the bias, sheared and bent, from rest to rest.
 *
 *     stretch    a strip held along two opposite edges, which are drawn apart; its other edges are free. The edges keep their width. Bias: a strip cut at
 *                45° to the yarns; longer than wide, so that no yarn is held at both ends.
 *     shear      a picture frame: a rectangle along the yarns held at all four edges, whose sides turn towards each other by γ and keep their lengths
 *     bend       a strip whose ends are held over two yarns each and turned to a ring sector of curvature κ
 *
 * Stretched and sheared swatches stay in their plane, as between two plates, so that they do not wrinkle; nothing has weight. What is held follows a path x(s), s the extension ε,
 * γ or κ, and what is measured is the force that belongs to s by its work, on the area A between the grips at rest:
 *     σ = (1/A) Σ f·∂x/∂s        ε: force per width [N/m]     γ: shear force per length [N/m]     κ: moment per width [N m/m]
 * For yarns of EA, EI at the spacing p that cross at right angles, with k_x and L of the layer: σ/ε = EA/p, σ/γ = k_x L/(p_warp p_weft), σ/κ = EI/p.
 *
 * In moves of at most a hundredth of extension all nodes go where an even deformation would take them, then the swatch is stepped until nothing moves: implicit Euler in long steps, which damps
 * strongly. What is left of motion is told (`kineticShare`).
 */
import type { CurveMaterial } from '../curve/index.ts';
import { Fabric, type LayerOptions, type YarnNet } from '../fabric/index.ts';
import { computeSineCosine, quaternionFromAxisAngle } from '../math/index.ts';
import { CANCEL_POSITION, CANCEL_Y, computeEnergy, HeddleError, type Stage } from '../model/index.ts';
import { cutNet, placeNet, type WarpAndWeft } from '../patterns/index.ts';
import type { Driver } from './drivers.ts';
import { World } from './world.ts';

/** A cloth that swatches are cut from. */
export interface SwatchCloth {
  readonly materials: readonly CurveMaterial[];
  readonly layer: LayerOptions;
  /** μ of its yarns on each other. */
  readonly friction: number;
  /** From yarn to yarn [m]. */
  readonly spacing: WarpAndWeft;
  /** Flat, about the origin, warps along z: as `createWovenNet` makes it. */
  createNet(warps: number, wefts: number): YarnNet;
}

export interface SwatchOptions {
  /** Those of `SWATCH_TESTS` to make; all if not given. */
  readonly tests?: readonly string[];
  /** Width and length of strips [m]; 16 and 40 spacings if not given. Frames for shear are squares of the width. */
  readonly size?: readonly [number, number] | undefined;
  /** Largest extension [1]; 0.05 if not given. */
  readonly strain?: number | undefined;
  /** Largest shear [rad]; 0.35 if not given. */
  readonly shear?: number | undefined;
  /** Largest curvature [1/m]; that of a half turn of the strip if not given. */
  readonly curvature?: number | undefined;
  /** Points of a curve besides that at rest; 10 if not given. */
  readonly points?: number | undefined;
  /** Is told of each point that is measured. */
  readonly onPoint?: (test: string, point: number, points: number) => void;
}

type SwatchKind = 'stretch' | 'shear' | 'bend';

export interface SwatchTest {
  readonly name: string;
  readonly title: string;
  readonly kind: SwatchKind;
  /** Angle from the direction that is pulled or bent to the warps [rad]. */
  readonly angle: number;
  /** The initial stiffness as a formula, where straight yarns leave nothing to measure: it is the same for every weave. */
  readonly byConstruction: string | null;
}

/** Registry of tests. */
export const SWATCH_TESTS: readonly SwatchTest[] = [
  { name: 'stretch-warp', title: 'warp', kind: 'stretch', angle: 0, byConstruction: 'EA/p' },
  { name: 'stretch-weft', title: 'weft', kind: 'stretch', angle: Math.PI / 2, byConstruction: 'EA/p' },
  { name: 'stretch-bias', title: 'bias', kind: 'stretch', angle: Math.PI / 4, byConstruction: null },
  { name: 'shear', title: 'shear', kind: 'shear', angle: 0, byConstruction: 'k L/(p_warp p_weft)' },
  { name: 'bend-warp', title: 'warp', kind: 'bend', angle: 0, byConstruction: 'EI/p' },
  { name: 'bend-weft', title: 'weft', kind: 'bend', angle: Math.PI / 2, byConstruction: 'EI/p' },
];

/** Names and units of s, σ and σ/s. */
export interface SwatchQuantities {
  readonly strain: string;
  readonly strainUnit: string;
  readonly stress: string;
  readonly stressUnit: string;
  readonly stiffnessUnit: string;
}

/** What is varied and what is measured, by kind of test. */
export const SWATCH_QUANTITIES: Readonly<Record<SwatchKind, SwatchQuantities>> = {
  stretch: { strain: 'extension', strainUnit: '1', stress: 'force per width', stressUnit: 'N/m', stiffnessUnit: 'N/m' },
  shear: {
    strain: 'shear angle',
    strainUnit: 'rad',
    stress: 'shear force per length',
    stressUnit: 'N/m',
    stiffnessUnit: 'N/(m rad)',
  },
  bend: {
    strain: 'curvature',
    strainUnit: '1/m',
    stress: 'moment per width',
    stressUnit: 'N m/m',
    stiffnessUnit: 'N m',
  },
};

export interface SwatchPoint {
  /** s. */
  readonly strain: number;
  /** σ. */
  readonly stress: number;
  /** Kinetic over stored energy. */
  readonly kineticShare: number;
  /** Steps that it took to come to rest. */
  readonly steps: number;
}

export interface SwatchCurve {
  readonly test: SwatchTest;
  readonly points: readonly SwatchPoint[];
  /** From the point without strain to the first with: Δσ/s. */
  readonly initialStiffness: number;
  /** Nodes of the swatch, and its width and length between the grips [m]. */
  readonly nodes: number;
  readonly width: number;
  readonly gauge: number;
}

const DEFAULTS = { width: 16, length: 40, strain: 0.05, shear: 0.35, points: 10 } as const;
/** Yarns that a strip must have across and along. */
const FEWEST_YARNS = 4;
/** Kinetic over stored energy at which a swatch is at rest, and the steps after which it is measured all the same. */
const REST = { kineticShare: 1e-9, steps: 400 } as const;
/** Extension, shear [rad] and turn of the whole strip [rad] that a swatch is moved by at once. */
const LARGEST_MOVE = { stretch: 0.01, shear: 0.07, bend: 0.7 } as const;
/** Extension that counts as none. */
const NO_STRAIN = 1e-6;
/** Of the span of a curve: the difference by which ∂x/∂s is taken. */
const DIFFERENCE = 1e-5;

/** A swatch before it is deformed: where its nodes are, which are held, and where they go. */
interface Plan {
  readonly net: YarnNet;
  readonly width: number;
  readonly gauge: number;
  readonly area: number;
  isHeld(x: number, z: number): boolean;
  /** Place of what is at (x, z) at rest. */
  writePlace(x: number, z: number, s: number, out: Float64Array): void;
}

export function measureSwatch(cloth: SwatchCloth, options: SwatchOptions = {}): SwatchCurve[] {
  const names = options.tests ?? SWATCH_TESTS.map(({ name }) => name);
  const tests = names.map((name) => {
    const test = SWATCH_TESTS.find((one) => one.name === name);
    if (test === undefined)
      throw new HeddleError(
        `"${name}" is not a swatch test; the tests are ${SWATCH_TESTS.map((one) => one.name).join(', ')}.`,
      );
    return test;
  });
  return tests.map((test) => measureCurve(cloth, test, options));
}

function measureCurve(cloth: SwatchCloth, test: SwatchTest, options: SwatchOptions): SwatchCurve {
  const plan = planSwatch(cloth, test, options);
  const { points = DEFAULTS.points } = options;
  const span = chooseSpan(test.kind, plan, options);
  const fabric = new Fabric({
    id: 'swatch',
    net: plan.net,
    materials: cloth.materials,
    layers: [cloth.layer],
    friction: Float64Array.of(cloth.friction),
    bodyFriction: 0,
    gravity: [0, 0, 0],
  });
  const grips = new Grips(fabric, plan, test.kind !== 'bend');
  const world = new World({ models: [fabric], drivers: [grips], timeStep: chooseStep(cloth, plan) });
  const measure = () => grips.computeWork(DIFFERENCE * span) / plan.area;
  // what an extension of NO_STRAIN stores: below it there is nothing but rounding
  const floor = 0.5 * NO_STRAIN ** 2 * computeStretchStiffness(cloth) * plan.area;
  const start = settle(world, floor);
  const rows: SwatchPoint[] = [{ strain: 0, stress: measure(), ...start }];
  for (let n = 1; n <= points; n++) {
    const strain = (n / points) * span;
    const from = rows[n - 1].strain;
    const moves = Math.ceil((strain - from) / chooseLargestMove(test.kind, plan) - 1e-9);
    let [kineticShare, steps] = [0, 0];
    for (let k = 1; k <= moves; k++) {
      grips.move(from + (k / moves) * (strain - from));
      const rest = settle(world, floor);
      kineticShare = rest.kineticShare;
      steps += rest.steps;
    }
    rows.push({ strain, stress: measure(), kineticShare, steps });
    options.onPoint?.(test.name, n, points);
  }
  const { width, gauge } = plan;
  return {
    test,
    points: rows,
    initialStiffness: (rows[1].stress - rows[0].stress) / rows[1].strain,
    nodes: plan.net.role.length,
    width,
    gauge,
  };
}

function planSwatch(cloth: SwatchCloth, { kind, angle, name }: SwatchTest, { size }: SwatchOptions): Plan {
  const mean = cloth.layer.spacing;
  const [wide, long] = size ?? [DEFAULTS.width * mean, DEFAULTS.length * mean];
  const isTurned = angle !== 0;
  // across and along the strip
  const [pAcross, pAlong] = isTurned
    ? [cloth.spacing.weft, cloth.spacing.warp]
    : [cloth.spacing.warp, cloth.spacing.weft];
  const [across, along] = [Math.round(wide / pAcross), Math.round((kind === 'shear' ? wide : long) / pAlong)];
  if (!(across >= FEWEST_YARNS && along >= FEWEST_YARNS))
    throw new HeddleError(
      `a swatch of ${wide} × ${long} m has ${across} × ${along} yarns; ${name} needs ${FEWEST_YARNS} in each direction: give a larger size.`,
    );
  const turned = (net: YarnNet): YarnNet => placeNet(net, [0, 0, 0], quaternionFromAxisAngle([0, 1, 0], angle));
  const isBias = isTurned && angle !== Math.PI / 2;
  if (isBias) return planBias(cloth, wide, long, turned);
  const net = turned(isTurned ? cloth.createNet(along, across) : cloth.createNet(across, along));
  const [width, half] = [across * pAcross, ((along - 1) * pAlong) / 2];
  if (kind === 'stretch') return planStretch(net, width, 2 * half);
  if (kind === 'shear') return planShear(net, width, along * pAlong, pAcross, pAlong);
  return planBend(net, width, along, pAlong);
}

/** A strip cut from a turned cloth; the grips take a spacing and a half at either end. */
function planBias(cloth: SwatchCloth, width: number, length: number, turned: (net: YarnNet) => YarnNet): Plan {
  const { warp, weft } = cloth.spacing;
  const gauge = length - 3 * cloth.layer.spacing;
  if (!(gauge > width))
    throw new HeddleError(
      `a swatch of ${width} × ${length} m is too short for the bias: yarns would be held at both ends; its length must exceed its width by at least 3 spacings.`,
    );
  const reach = width + length;
  return planStretch(
    cutNet(turned(cloth.createNet(Math.ceil(reach / warp), Math.ceil(reach / weft))), width, length),
    width,
    gauge,
  );
}

function planStretch(net: YarnNet, width: number, gauge: number): Plan {
  return {
    net,
    width,
    gauge,
    area: width * gauge,
    isHeld: (_, z) => Math.abs(z) >= (0.5 - 1e-9) * gauge,
    writePlace(x, z, s, out) {
      out[0] = x;
      out[1] = 0;
      out[2] = z + s * Math.max(-gauge / 2, Math.min(gauge / 2, z));
    },
  };
}

function planShear(net: YarnNet, width: number, length: number, pAcross: number, pAlong: number): Plan {
  return {
    net,
    width,
    gauge: length,
    area: width * length,
    isHeld: (x, z) => Math.abs(x) > width / 2 - 0.75 * pAcross || Math.abs(z) > length / 2 - 0.75 * pAlong,
    writePlace(x, z, s, out) {
      const [d, c] = computeSineCosine(s / 2);
      out[0] = c * x + d * z;
      out[1] = 0;
      out[2] = d * x + c * z;
    },
  };
}

/** Rows of crossings at z = (k − m) p go to the corners of a polygon with sides p that turns by κp at each; what lies beyond the last goes straight on. */
function planBend(net: YarnNet, width: number, rows: number, p: number): Plan {
  const m = (rows - 1) / 2;
  return {
    net,
    width,
    // what locks an edge acts at its middle
    gauge: (rows - 2) * p,
    area: width * (rows - 2) * p,
    isHeld: (_, z) => Math.abs(z) >= (m - 1 - 1e-9) * p,
    writePlace(x, z, s, out) {
      const turn = s * p;
      const k = Math.min(m, Math.abs(z) / p);
      const beyond = Math.abs(z) - k * p;
      // at half the turn before the last corner
      const slope = (m - 0.5) * turn;
      out[0] = x;
      if (Math.abs(turn) < 1e-12) {
        out[1] = 0;
        out[2] = z;
        return;
      }
      const R = p / (2 * computeSineCosine(turn / 2)[0]);
      const [sine, cosine] = computeSineCosine(k * turn);
      const [up, on] = computeSineCosine(slope);
      out[1] = R * (1 - cosine) + beyond * up;
      out[2] = Math.sign(z) * (R * sine + beyond * on);
    },
  };
}

function chooseSpan(kind: SwatchKind, { gauge }: Plan, { strain, shear, curvature }: SwatchOptions): number {
  if (kind === 'stretch') return strain ?? DEFAULTS.strain;
  return kind === 'shear' ? (shear ?? DEFAULTS.shear) : (curvature ?? Math.PI / gauge);
}

/** What a swatch is moved by at once: further apart, yarns slip that would have stuck on the way. */
function chooseLargestMove(kind: SwatchKind, { gauge }: Plan): number {
  return kind === 'bend' ? LARGEST_MOVE.bend / gauge : LARGEST_MOVE[kind];
}

/** Steps as long as the slowest wave takes along the swatch: that of bending, or of shear. */
function chooseStep(cloth: SwatchCloth, { gauge }: Plan): number {
  const { materials, layer, spacing } = cloth;
  const density = Math.max(...materials.map(({ linearDensity }) => linearDensity));
  const mass = density / spacing.warp + density / spacing.weft;
  const shear = layer.shearStiffness / layer.spacing;
  const stretch = computeStretchStiffness(cloth);
  return gauge * Math.sqrt(mass / (shear > 0 ? Math.min(shear, stretch) : 1e-4 * stretch));
}

/** EA/p of the softer yarns [N/m]. */
const computeStretchStiffness = ({ materials, layer }: SwatchCloth): number =>
  Math.min(...materials.map(({ stretchStiffness }) => stretchStiffness)) / layer.spacing;

/** Steps until the swatch rests. `floor`: energy beside which others are nothing [J]. */
function settle(world: World, floor: number): { kineticShare: number; steps: number } {
  let kineticShare = Number.POSITIVE_INFINITY;
  let steps = 0;
  while (steps < REST.steps && !(kineticShare < REST.kineticShare)) {
    world.step();
    steps++;
    const { kinetic, total } = computeEnergy(world.models);
    kineticShare = kinetic / Math.max(floor, total - kinetic);
  }
  return { kineticShare, steps };
}

/** Holds the edges of a swatch where its plan says. */
class Grips implements Driver {
  readonly #fabric: Fabric;
  readonly #plan: Plan;
  readonly #held: Int32Array;
  readonly #isPlane: boolean;
  readonly #place = new Float64Array(3);
  readonly #other = new Float64Array(3);
  #s = 0;

  constructor(fabric: Fabric, plan: Plan, isPlane: boolean) {
    this.#fabric = fabric;
    this.#plan = plan;
    this.#isPlane = isPlane;
    const { x } = plan.net;
    const held: number[] = [];
    for (let i = 0; 3 * i < x.length; i++) if (plan.isHeld(x[3 * i], x[3 * i + 2])) held.push(i);
    this.#held = Int32Array.from(held);
  }

  /** Goes to s, and takes all nodes with it. */
  move(s: number): void {
    const { q, v } = this.#fabric.state;
    const { x } = this.#plan.net;
    for (let i = 0; 3 * i < x.length; i++) {
      this.#plan.writePlace(x[3 * i], x[3 * i + 2], this.#s, this.#other);
      this.#plan.writePlace(x[3 * i], x[3 * i + 2], s, this.#place);
      for (let k = 0; k < 3; k++) q[5 * i + k] += this.#place[k] - this.#other[k];
    }
    v.fill(0);
    this.#s = s;
  }

  prepare(): void {
    const fabric = this.#fabric;
    if (this.#isPlane) for (let i = 0; i < fabric.state.count; i++) fabric.holdNode(i, CANCEL_Y);
    for (const i of this.#held) fabric.holdNode(i, CANCEL_POSITION);
  }

  aim({ h }: Stage): void {
    const { x } = this.#plan.net;
    const base = this.#other;
    for (const i of this.#held) {
      this.#plan.writePlace(x[3 * i], x[3 * i + 2], this.#s, this.#place);
      this.#fabric.writeNodeBase(i, base);
      for (let k = 0; k < 3; k++) this.#fabric.aimNode(i, k, (this.#place[k] - base[k]) / h);
    }
  }

  /** Σ f·∂x/∂s. */
  computeWork(ds: number): number {
    const { reaction } = this.#fabric.state;
    const { x } = this.#plan.net;
    let work = 0;
    for (const i of this.#held) {
      this.#plan.writePlace(x[3 * i], x[3 * i + 2], this.#s - ds, this.#other);
      this.#plan.writePlace(x[3 * i], x[3 * i + 2], this.#s + ds, this.#place);
      for (let k = 0; k < 3; k++) work += (reaction[3 * i + k] * (this.#place[k] - this.#other[k])) / (2 * ds);
    }
    return work;
  }
}
