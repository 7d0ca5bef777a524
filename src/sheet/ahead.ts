/**
 * Where the first Newton iteration of a stage looks from, and whether it was enough.
 *
 * A stage starts from the guess q = q̂ + h v with the velocities v that the sheet has. A triangle that swings on by φ is then seen
 * in the direction it will have; seen from q̂, as in [Piddington 2017, Eq. 4.17], its motion along the tangent would leave a strain of
 * φ²/2. Only the tension that acts across the sheet is taken as it is at q̂: at the guess it contains that φ²/2, which the
 * iteration removes (`assembly.ts`).
 * An iteration that turns an edge by δ against its guess leaves a strain ε = δ²/2. It is good enough while no ε is large and
 * the energy ½ C ε² of all is small beside the kinetic one; so stiff sheets are held to smaller strains than soft ones.
 */
import { NODE_LAGRANGIAN } from '../model/index.ts';
import { type SheetState, STRIDE } from './state.ts';

/** Strain of an edge, and relative change of the material area of a triangle, up to which the guess is used. */
const GUESS_STRAIN = 0.25;
const GUESS_AREA = 0.5;
/** Strain that an iteration may leave, and share of its energy in the kinetic energy. */
const LEFT_STRAIN = 0.01;
const LEFT_ENERGY = 0.001;

/** Sets q = q̂ + h v; where that would distort the sheet too much, unless it `isKnown` to be good, q = q̂ and false. */
export function guessPositions(state: SheetState, h: number, isKnown: boolean): boolean {
  const { q, v, qBase } = state;
  for (let k = 0; k < q.length; k++) q[k] = qBase[k] + h * v[k];
  if (isKnown || isSound(state)) return true;
  q.set(qBase);
  return false;
}

function isSound({ q, qBase, mesh, kind }: SheetState): boolean {
  const { edges, edgeCount, triangles, triangleCount } = mesh;
  const low = (1 - GUESS_STRAIN) ** 2;
  const high = (1 + GUESS_STRAIN) ** 2;
  for (let e = 0; e < edgeCount; e++) {
    const a = STRIDE * edges[4 * e];
    const b = STRIDE * edges[4 * e + 1];
    const before = (qBase[b] - qBase[a]) ** 2 + (qBase[b + 1] - qBase[a + 1]) ** 2 + (qBase[b + 2] - qBase[a + 2]) ** 2;
    const after = (q[b] - q[a]) ** 2 + (q[b + 1] - q[a + 1]) ** 2 + (q[b + 2] - q[a + 2]) ** 2;
    // beside the length of material: an edge that this runs out of is shorter, not strained
    const had = (qBase[b + 3] - qBase[a + 3]) ** 2 + (qBase[b + 4] - qBase[a + 4]) ** 2;
    const has = (q[b + 3] - q[a + 3]) ** 2 + (q[b + 4] - q[a + 4]) ** 2;
    if (!(after * had > low * before * has && after * had < high * before * has)) return false;
  }
  for (let t = 0; t < triangleCount; t++) {
    const a = triangles[3 * t];
    const b = triangles[3 * t + 1];
    const c = triangles[3 * t + 2];
    if (kind[a] === NODE_LAGRANGIAN && kind[b] === NODE_LAGRANGIAN && kind[c] === NODE_LAGRANGIAN) continue;
    const before = computeMaterialArea(qBase, a, b, c);
    if (!(Math.abs(computeMaterialArea(q, a, b, c) - before) < GUESS_AREA * before)) return false;
  }
  return true;
}

/** Twice the area of a triangle in material space [m²]. */
export function computeMaterialArea(q: Float64Array, a: number, b: number, c: number): number {
  const i = STRIDE * a + 3;
  const j = STRIDE * b + 3;
  const k = STRIDE * c + 3;
  return (q[j] - q[i]) * (q[k + 1] - q[i + 1]) - (q[j + 1] - q[i + 1]) * (q[k] - q[i]);
}

/** Whether an iteration that changed the velocities from `vBefore` left too much strain behind. */
export function leavesStrain(state: SheetState, vBefore: Float64Array, h: number): boolean {
  const { q, v, mesh, area, material } = state;
  const { edges, edgeCount, edgeTriangles } = mesh;
  const stiffness = Math.max(material.membrane[0], material.membrane[1]);
  let sum = 0;
  for (let e = 0; e < edgeCount; e++) {
    const a = STRIDE * edges[4 * e];
    const b = STRIDE * edges[4 * e + 1];
    let length2 = 0;
    let along = 0;
    let speed2 = 0;
    for (let k = 0; k < 3; k++) {
      const d = q[b + k] - q[a + k];
      const w = v[b + k] - vBefore[b + k] - (v[a + k] - vBefore[a + k]);
      length2 += d * d;
      along += d * w;
      speed2 += w * w;
    }
    const strain = (0.5 * h * h * (speed2 - (along * along) / length2)) / length2;
    if (strain > LEFT_STRAIN) return true;
    const right = edgeTriangles[2 * e + 1];
    sum += (area[edgeTriangles[2 * e]] + (right < 0 ? 0 : area[right])) * strain * strain;
  }
  // a third of both triangles belongs to an edge
  return (stiffness * sum) / 6 > LEFT_ENERGY * computeKineticEnergy(state);
}

/** With the mass of each vertex at it [J]. */
function computeKineticEnergy({ v, mass, count }: SheetState): number {
  let sum = 0;
  for (let i = 0; i < count; i++) {
    const o = STRIDE * i;
    sum += 0.5 * mass[i] * (v[o] * v[o] + v[o + 1] * v[o + 1] + v[o + 2] * v[o + 2]);
  }
  return sum;
}
