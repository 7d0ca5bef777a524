/**
 * Velocity transfer after a change of discretisation.
 *
 *     minimise ½ ∫ ρ |v_new − v_old|²   subject to   held coordinates = prescribed,   ∫ ρ v_new = ∫ ρ v_old
 *
 * v = Σ φ_i (ẋ_i − F Ẋ_i) is the velocity of the material, so this is the mass-weighted fit of methods §1 with the
 * integral taken on the common refinement of both meshes (exact). World momentum is kept exactly in every direction
 * that the free coordinates can reach; what the held ones make unreachable is reported.
 * `eol-cloth-2017` (5.1) prints +q̇ᵀ M q̇_old; the sign is minus, as here.
 */
import { computeSymmetricEigen } from '../math/index.ts';
import { DenseLdlt } from '../sparse/index.ts';
import { EolElement } from './element.ts';
import { overlaySegments, overlayTriangles } from './overlay.ts';

/** A patch of EoL material: coordinates node by node (x, y, z, then d material ones). */
export interface EolPatch {
  readonly dimension: 1 | 2;
  readonly q: Float64Array;
  /** d + 1 node indices per element. */
  readonly elements: Int32Array;
  /** Mass per material length or area [kg/m^d]. */
  readonly density: number;
}

export interface TransferReport {
  /** Momentum that the free coordinates could not take over [kg m/s]: an impulse on whatever holds the others. */
  readonly lostMomentum: number;
}

/**
 * Writes into `toVelocity` the velocities of `to` that fit `from` best. Coordinates with `held[i]` keep the value they
 * have there.
 */
export function transferVelocity(
  from: EolPatch,
  fromVelocity: Float64Array,
  to: EolPatch,
  held: Uint8Array,
  toVelocity: Float64Array,
): TransferReport {
  const size = to.q.length;
  const mass = new Float64Array(size * size);
  const rhs = new Float64Array(size);
  const momentum = new Float64Array(3 * size);
  addMassAndMomentum(to, mass, momentum);
  addOverlay(from, fromVelocity, to, rhs);

  const free: number[] = [];
  for (let i = 0; i < size; i++) if (!held[i]) free.push(i);
  const n = free.length;
  const reduced = new Float64Array(n * n);
  const fit = new Float64Array(n);
  for (let a = 0; a < n; a++) {
    fit[a] = rhs[free[a]];
    for (let j = 0; j < size; j++) if (held[j]) fit[a] -= mass[free[a] * size + j] * toVelocity[j];
    for (let b = 0; b < n; b++) reduced[a * n + b] = mass[free[a] * size + free[b]];
  }
  const solver = new DenseLdlt();
  solver.reserve(n);
  solver.factor(reduced, n);
  solver.solve(fit);

  // push the fit by M⁻¹ Pᵀ μ until the momentum is right: S μ = defect, S = P M⁻¹ Pᵀ (3×3, maybe rank-deficient)
  const columns = [0, 1, 2].map((k) => {
    const column = Float64Array.from(free, (i) => momentum[k * size + i]);
    solver.solve(column);
    return column;
  });
  const defect = computeMomentum(from, fromVelocity);
  for (let k = 0; k < 3; k++) {
    for (let j = 0; j < size; j++) if (held[j]) defect[k] -= momentum[k * size + j] * toVelocity[j];
    for (let a = 0; a < n; a++) defect[k] -= momentum[k * size + free[a]] * fit[a];
  }
  const S = new Float64Array(9);
  for (let k = 0; k < 3; k++)
    for (let l = 0; l < 3; l++)
      for (let a = 0; a < n; a++) S[3 * k + l] += momentum[k * size + free[a]] * columns[l][a];
  const { multipliers, lost } = solvePseudo(S, defect);
  for (let a = 0; a < n; a++) {
    let v = fit[a];
    for (let l = 0; l < 3; l++) v += columns[l][a] * multipliers[l];
    toVelocity[free[a]] = v;
  }
  return { lostMomentum: lost };
}

/** World momentum ∫ ρ v of a patch [kg m/s]. */
export function computeMomentum(patch: EolPatch, velocity: Float64Array): [number, number, number] {
  const element = new EolElement(patch.dimension);
  const total: [number, number, number] = [0, 0, 0];
  forEachElement(patch, element, (nodes) => {
    element.setVelocity(gather(velocity, nodes, element.stride));
    for (let i = 0; i < element.nodes; i++)
      for (let k = 0; k < 3; k++)
        total[k] += (patch.density * element.measure * element.materialVelocity[3 * i + k]) / element.nodes;
  });
  return total;
}

function addMassAndMomentum(patch: EolPatch, mass: Float64Array, momentum: Float64Array): void {
  const element = new EolElement(patch.dimension);
  const { stride, nodes: count } = element;
  const size = patch.q.length;
  const local = new Float64Array((count * stride) ** 2);
  forEachElement(patch, element, (nodes) => {
    local.fill(0);
    element.addMass(patch.density, local);
    for (let r = 0; r < count * stride; r++) {
      const row = nodes[Math.floor(r / stride)] * stride + (r % stride);
      for (let c = 0; c < count * stride; c++) {
        const column = nodes[Math.floor(c / stride)] * stride + (c % stride);
        mass[row * size + column] += local[r * count * stride + c];
      }
    }
    const share = (patch.density * element.measure) / count;
    for (let i = 0; i < count; i++)
      for (let k = 0; k < 3; k++) {
        momentum[k * size + nodes[i] * stride + k] += share;
        for (let a = 0; a < patch.dimension; a++)
          momentum[k * size + nodes[i] * stride + 3 + a] -= share * element.F[k * patch.dimension + a];
      }
  });
}

/** rhs += ∫ ρ J_iᵀ φ_i v_old over the common refinement. */
function addOverlay(from: EolPatch, fromVelocity: Float64Array, to: EolPatch, rhs: Float64Array): void {
  const d = to.dimension;
  const target = new EolElement(d);
  const source = new EolElement(d);
  const { stride, nodes: count } = target;
  const phi = new Float64Array(count);
  const velocity = new Float64Array(3);
  forEachElement(to, target, (toNodes, toQ) => {
    const toCorners = materialCorners(toQ, count, stride, d);
    forEachElement(from, source, (fromNodes, fromQ) => {
      source.setVelocity(gather(fromVelocity, fromNodes, stride));
      const fromCorners = materialCorners(fromQ, count, stride, d);
      const visit = (point: Float64Array, weight: number) => {
        velocity.fill(0);
        writeShape(source, fromCorners, point, phi);
        for (let i = 0; i < count; i++)
          for (let k = 0; k < 3; k++) velocity[k] += phi[i] * source.materialVelocity[3 * i + k];
        writeShape(target, toCorners, point, phi);
        for (let i = 0; i < count; i++)
          for (let k = 0; k < 3; k++) {
            const impulse = weight * to.density * phi[i] * velocity[k];
            rhs[toNodes[i] * stride + k] += impulse;
            for (let a = 0; a < d; a++) rhs[toNodes[i] * stride + 3 + a] -= target.F[k * d + a] * impulse;
          }
      };
      if (d === 1) overlaySegments(toCorners[0], toCorners[1], fromCorners[0], fromCorners[1], visit);
      else overlayTriangles(toCorners, fromCorners, visit);
    });
  });
}

/** φ_i at a material point: 1/(d+1) at the centroid, gradient ∇φ_i from there. */
function writeShape(element: EolElement, corners: Float64Array, point: Float64Array, phi: Float64Array): void {
  const { dimension: d, nodes, gradients } = element;
  for (let i = 0; i < nodes; i++) {
    phi[i] = 1;
    for (let a = 0; a < d; a++) phi[i] += gradients[i * d + a] * (point[a] - corners[i * d + a]);
  }
}

function materialCorners(q: Float64Array, count: number, stride: number, d: number): Float64Array {
  const corners = new Float64Array(count * d);
  for (let i = 0; i < count; i++) for (let a = 0; a < d; a++) corners[i * d + a] = q[i * stride + 3 + a];
  return corners;
}

function gather(values: Float64Array, nodes: ArrayLike<number>, stride: number): Float64Array {
  const out = new Float64Array(nodes.length * stride);
  for (let i = 0; i < nodes.length; i++)
    for (let c = 0; c < stride; c++) out[i * stride + c] = values[nodes[i] * stride + c];
  return out;
}

function forEachElement(
  patch: EolPatch,
  element: EolElement,
  visit: (nodes: Int32Array, q: Float64Array) => void,
): void {
  for (let e = 0; e < patch.elements.length; e += element.nodes) {
    const nodes = patch.elements.subarray(e, e + element.nodes);
    const q = gather(patch.q, nodes, element.stride);
    element.setConfiguration(q);
    visit(nodes, q);
  }
}

/** Least-norm solution of the symmetric 3×3 system S μ = b; `lost` is the part of b outside the range of S. */
function solvePseudo(S: Float64Array, b: readonly number[]): { multipliers: number[]; lost: number } {
  const { values, vectors } = computeSymmetricEigen(S);
  const multipliers = [0, 0, 0];
  let lost = 0;
  const largest = Math.max(...values.map(Math.abs));
  for (let e = 0; e < 3; e++) {
    const axis = [0, 1, 2].map((k) => vectors[3 * k + e]);
    const amount = axis[0] * b[0] + axis[1] * b[1] + axis[2] * b[2];
    if (values[e] > 1e-9 * largest) for (let k = 0; k < 3; k++) multipliers[k] += (axis[k] * amount) / values[e];
    else lost = Math.hypot(lost, amount);
  }
  return { multipliers, lost };
}
