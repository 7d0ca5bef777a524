/**
 * The material of a rod laid out straight, coloured by its curvature or another field, with a tick at the material coordinate of each node: where a
 * rod bends, ticks gather [Wen 2020, Figs. 7–11]. Ticks are red where material slides through the node, at edges.
 */
import { type CurveFrame, type Frame, NODE_EULERIAN } from 'heddle/model';
import { computeColour } from './colour-map.ts';

export interface BarPlace {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface BarField {
  readonly name: string;
  readonly range: readonly [number, number];
}

/** Rods are the curves that twist. */
export const isRod = (curve: CurveFrame): boolean => curve.fields.twist !== undefined;

export const findRod = (frame: Frame | undefined): CurveFrame | undefined =>
  frame?.objects.find((object): object is CurveFrame => object.type === 'curve' && isRod(object));

/** Value of a field at a material coordinate, straight between nodes; `from` is a node not beyond it. */
function interpolate(u: ArrayLike<number>, values: ArrayLike<number>, at: number, from: number): number {
  const span = u[from + 1] - u[from];
  const t = span > 0 ? Math.min(1, Math.max(0, (at - u[from]) / span)) : 0;
  return values[from] + t * (values[from + 1] - values[from]);
}

/** Draws the bar; `field`: what it is coloured by, and the values of the first and the last colour; `ink`: colour of the ticks. */
export function drawReferenceBar(
  context: CanvasRenderingContext2D,
  curve: CurveFrame,
  { left, top, width, height }: BarPlace,
  { name, range }: BarField,
  ink: string,
): void {
  const { u, kind, restLength, fields } = curve;
  const last = u.length - 1;
  const tick = 0.35 * height;
  const span = Math.max(1e-30, range[1] - range[0]);
  let from = 0;
  for (let x = 0; x < width; x++) {
    const at = u[0] + ((x + 0.5) / width) * restLength;
    while (from < last - 1 && u[from + 1] < at) from++;
    const value = (interpolate(u, fields[name], at, from) - range[0]) / span;
    context.fillStyle = `rgb(${computeColour(value).join(' ')})`;
    context.fillRect(left + x, top + tick, Math.min(1.5, width - x), height - 2 * tick);
  }
  for (let i = 0; i <= last; i++) {
    context.fillStyle = kind[i] === NODE_EULERIAN ? '#e32222' : ink;
    const x = left + Math.min(1, Math.max(0, (u[i] - u[0]) / restLength)) * width;
    context.fillRect(x - 0.6, top, 1.2, height);
  }
}
