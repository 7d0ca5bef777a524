/**
 * Arcs and helices anywhere in space (`curves.ts` has them about the x-axis).
 *
 *     x(φ) = origin + r (cos φ e₁ + sin φ e₂) + p φ/(2π) a        φ = 0 … 2π turns
 *
 *   a  axis, of length 1     e₁  across it: the wanted start as far as that is across, else the world axis that is most across     e₂ = a × e₁
 *   r  radius [m]     p  pitch, the way along the axis of one turn [m]; 0 for an arc     turns  negative: left-handed
 */
import { crossVec3, dotVec3, normalizeVec3, type Vec3 } from '../math/index.ts';
import { computeHelixPoint } from './curves.ts';

/** Points a full turn: a chord lies within 8e-5 of the radius. */
const POINTS_A_TURN = 256;

export interface PlacedHelixOptions {
  readonly radius: number;
  readonly pitch: number;
  readonly turns: number;
  readonly origin: Vec3;
  readonly axis: Vec3;
  /** Direction from the axis to the first point, roughly. */
  readonly start?: Vec3 | undefined;
}

/** Points of a helix, at both ends exactly; `pointsATurn` where other than the usual. */
export function createPlacedHelix(options: PlacedHelixOptions, pointsATurn = POINTS_A_TURN): Vec3[] {
  const { radius, pitch, turns, origin } = options;
  const axis = normalizeVec3(options.axis);
  const first = chooseStart(axis, options.start);
  const second = crossVec3(axis, first);
  const count = Math.max(1, Math.ceil(Math.abs(turns) * pointsATurn - 1e-9));
  return Array.from({ length: count + 1 }, (_, n) => {
    const angle = (2 * Math.PI * Math.abs(turns) * n) / count;
    const [along, c, s] = computeHelixPoint(radius, pitch / (2 * Math.PI), angle, Math.sign(turns));
    return [0, 1, 2].map((k) => origin[k] + c * first[k] + s * second[k] + along * axis[k]) as unknown as Vec3;
  });
}

function chooseStart(axis: Vec3, wanted: Vec3 | undefined): Vec3 {
  const axes: Vec3[] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]; // biome-ignore format: axes
  const isAcross = (one: Vec3): boolean => Math.abs(dotVec3(normalizeVec3(one), axis)) < 0.9;
  const start = normalizeVec3(
    wanted && Math.abs(dotVec3(normalizeVec3(wanted), axis)) < 1 ? wanted : axes.find(isAcross)!,
  );
  const along = dotVec3(start, axis);
  return normalizeVec3([start[0] - along * axis[0], start[1] - along * axis[1], start[2] - along * axis[2]]);
}
