/**
 * Forces as arrows from the point where they act, in two colours that colour-blind eyes tell apart:
 *     length = REACH · diagonal · |f|/F        F  the 1-2-5 number at or above the largest force that lasted [N]
 * so that arrows of one run can be compared with each other, and change their scale seldom while it runs; those of short impacts
 * end at MOST times REACH. They are not shaded: their colour is that of the key. Inside of bodies they shine through.
 */
import type { ForceFrame } from 'heddle/model';
import {
  ConeGeometry,
  CylinderGeometry,
  GreaterDepth,
  Matrix4,
  MeshBasicMaterial,
  Quaternion,
  type Scene,
  Vector3,
} from 'three';
import { computeRoundStep } from './ground.ts';
import { Instances } from './instances.ts';

export const FORCE_COLOURS = { contact: '#e07000', constraint: '#009e73' } as const;

/** Length of an arrow of the force F, and sizes of head and shaft, as parts of the subject's diagonal. */
const REACH = 0.2;
const MOST = 1.5;
const HEAD_LENGTH = 0.028;
const HEAD_RADIUS = 0.0095;
const SHAFT_RADIUS = 0.0032;
/** Share of a short arrow that is its head. */
const SHORT_HEAD = 0.6;
/** Arrows shorter than this part of the diagonal are left out. */
const SHORTEST = 0.004;
const SIDES = 16;
/** Opacity of what lies behind something. */
const THROUGH = 0.3;

export interface ArrowScale {
  /** Diagonal of the picture's subject [m]. */
  readonly diagonal: number;
  /** Length of an arrow of one newton [m/N]; 0 while there was no force. */
  readonly perNewton: number;
  /** Force of the arrow in the key [N]: a round one, about half of the longest. */
  readonly key: number;
}

/** Scale of arrows for the largest lasting force [N] and the diagonal of the subject [m]. */
export function computeArrowScale(largest: number, diagonal: number): ArrowScale {
  if (!(largest > 0 && largest < Number.POSITIVE_INFINITY)) return { diagonal, perNewton: 0, key: 0 };
  const below = computeRoundStep(largest);
  // from 1 to 2, from 2 to 5, from 5 to 10
  const full = below < largest * (1 - 1e-9) ? computeRoundStep(2.6 * below) : below;
  return { diagonal, perNewton: (REACH * diagonal) / full, key: computeRoundStep(0.52 * full) };
}

class Arrows {
  readonly #shafts: readonly Instances[];
  readonly #heads: readonly Instances[];
  readonly #matrix = new Matrix4();
  readonly #turn = new Quaternion();
  readonly #from = new Vector3();
  readonly #way = new Vector3();
  readonly #size = new Vector3();

  constructor(scene: Scene, colour: string) {
    const look = { color: colour, toneMapped: false };
    const hidden = { ...look, depthFunc: GreaterDepth, depthWrite: false, transparent: true, opacity: THROUGH };
    const create = (createGeometry: () => CylinderGeometry) =>
      [look, hidden].map((one) => {
        const geometry = createGeometry().translate(0, 0.5, 0);
        return new Instances(scene, geometry, new MeshBasicMaterial(one), false);
      });
    this.#shafts = create(() => new CylinderGeometry(1, 1, 1, SIDES));
    this.#heads = create(() => new ConeGeometry(1, 1, SIDES));
  }

  clear(): void {
    for (const part of [...this.#shafts, ...this.#heads]) part.clear();
  }

  /** The i-th of the forces f at the points x. */
  add(x: Float64Array, f: Float64Array, i: number, { diagonal, perNewton }: ArrowScale): void {
    this.#way.fromArray(f, 3 * i);
    const length = Math.min(perNewton * this.#way.length(), MOST * REACH * diagonal);
    if (!(length > SHORTEST * diagonal)) return;
    const head = Math.min(HEAD_LENGTH * diagonal, SHORT_HEAD * length);
    const thin = head / (HEAD_LENGTH * diagonal);
    this.#way.normalize();
    this.#turn.setFromUnitVectors(UP, this.#way);
    this.#from.fromArray(x, 3 * i);
    const shaft = thin * SHAFT_RADIUS * diagonal;
    this.#matrix.compose(this.#from, this.#turn, this.#size.set(shaft, length - head, shaft));
    for (const part of this.#shafts) part.add(this.#matrix);
    this.#from.addScaledVector(this.#way, length - head);
    const wide = thin * HEAD_RADIUS * diagonal;
    this.#matrix.compose(this.#from, this.#turn, this.#size.set(wide, head, wide));
    for (const part of this.#heads) part.add(this.#matrix);
  }

  dispose(): void {
    for (const part of [...this.#shafts, ...this.#heads]) part.dispose();
  }
}

const UP: Readonly<Vector3> = new Vector3(0, 1, 0);

/** The arrows of a view. */
export class ForceArrows {
  readonly #arrows: Readonly<Record<ForceFrame['kind'], Arrows>>;

  constructor(scene: Scene) {
    this.#arrows = {
      contact: new Arrows(scene, FORCE_COLOURS.contact),
      constraint: new Arrows(scene, FORCE_COLOURS.constraint),
    };
  }

  /** Shows these forces and no others. */
  set(forces: readonly ForceFrame[], scale: ArrowScale): void {
    for (const arrows of Object.values(this.#arrows)) arrows.clear();
    for (const { kind, x, f } of forces)
      for (let i = 0; 3 * i + 2 < f.length; i++) this.#arrows[kind].add(x, f, i, scale);
  }

  dispose(): void {
    for (const arrows of Object.values(this.#arrows)) arrows.dispose();
  }
}
