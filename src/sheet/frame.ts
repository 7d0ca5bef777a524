/**
 * What a sheet shows: its triangles with their material, creases, and fields at the vertices, each the mean of the triangles around,
 * weighted by material area.
 *     speed      |ẋ − F Ẋ| of the material [m/s]
 *     strain     principal strain of larger size, stretched or compressed [1]
 *     stress     largest principal stress [Pa], force per width over thickness
 *     curvature  principal curvature of larger size [1/m], positive where the sheet is a valley seen from its upper side
 */
import { writeHinge } from '../geometry/index.ts';
import { computeHypot2, computeHypot3, writeAngles } from '../math/index.ts';
import { NODE_LAGRANGIAN, type SurfaceFrame } from '../model/index.ts';
import type { SheetCreases } from './creases.ts';
import type { SheetMeasure } from './measure.ts';
import { writeCurvature, writeLeans } from './rest-bending.ts';
import { type SheetState, STRIDE } from './state.ts';

export function createSheetFrame(
  id: string,
  state: SheetState,
  creases: SheetCreases | undefined,
  measure: SheetMeasure,
): SurfaceFrame {
  const { q, mesh, material, count, area } = state;
  const x = new Float64Array(3 * count);
  const X = new Float64Array(2 * count);
  for (let i = 0; i < count; i++) {
    x.set(q.subarray(STRIDE * i, STRIDE * i + 3), 3 * i);
    X.set(q.subarray(STRIDE * i + 3, STRIDE * i + 5), 2 * i);
  }
  return {
    type: 'surface',
    id,
    thickness: material.thickness,
    restArea: area.reduce((sum, one) => sum + one, 0),
    x,
    X,
    // one that is off its edge carries its material
    kind: state.kind.map((kind, i) => (state.isOnSite(i) ? kind : NODE_LAGRANGIAN)),
    triangles: mesh.triangles.slice(),
    creases: listCreases(state, creases),
    fields: computeFields(state, measure),
  };
}

function listCreases(state: SheetState, creases: SheetCreases | undefined): Int32Array {
  if (creases === undefined) return new Int32Array(0);
  const { edges, edgeCount } = state.mesh;
  const found: number[] = [];
  for (let e = 0; e < edgeCount; e++)
    if (creases.isCrease(state, edges[4 * e], edges[4 * e + 1])) found.push(edges[4 * e], edges[4 * e + 1]);
  return Int32Array.from(found);
}

function computeFields(state: SheetState, measure: SheetMeasure): SurfaceFrame['fields'] {
  const { mesh, count, area, material } = state;
  const fields = {
    speed: new Float64Array(count),
    strain: new Float64Array(count),
    stress: new Float64Array(count),
    curvature: new Float64Array(count),
  };
  const around = new Float64Array(count);
  const velocity = new Float64Array(3 * count);
  const corner = new Float64Array(9);
  const tension = new Float64Array(3);
  const angles = computeAngles(state);
  const leans = new Float64Array(angles.length);
  writeLeans(state, angles, leans);
  const kappa = new Float64Array(3);
  for (let t = 0; t < mesh.triangleCount; t++) {
    const strain = measure.computeStrain(state, t);
    measure.writeStress(state, t, tension, 0);
    const stress = computeLargest(tension[0], tension[1], tension[2]) / material.thickness;
    const curvature = computeTriangleCurvature(state, t, angles, leans, kappa);
    measure.writeMaterialVelocity(state, t, corner);
    for (let n = 0; n < 3; n++) {
      const i = mesh.triangles[3 * t + n];
      around[i] += area[t];
      fields.strain[i] += area[t] * strain;
      fields.stress[i] += area[t] * stress;
      fields.curvature[i] += area[t] * curvature;
      for (let k = 0; k < 3; k++) velocity[3 * i + k] += area[t] * corner[3 * n + k];
    }
  }
  for (let i = 0; i < count; i++) {
    for (const field of [fields.strain, fields.stress, fields.curvature]) field[i] /= around[i];
    fields.speed[i] = computeHypot3(velocity[3 * i], velocity[3 * i + 1], velocity[3 * i + 2]) / around[i];
  }
  return fields;
}

/** Dihedral angles of all edges, 0 on the border [rad]. */
function computeAngles({ q, mesh }: SheetState): Float64Array {
  const angles = new Float64Array(mesh.edgeCount);
  const cosines = new Float64Array(mesh.edgeCount);
  const unused = new Float64Array(12);
  for (let e = 0; e < mesh.edgeCount; e++) {
    const [a, b, c, d] = mesh.edges.subarray(4 * e, 4 * e + 4);
    cosines[e] = 1;
    if (d >= 0) writeHinge(q, STRIDE * a, STRIDE * b, STRIDE * c, STRIDE * d, unused, 0, angles, cosines, e);
  }
  writeAngles(angles, cosines, angles, mesh.edgeCount);
  return angles;
}

/** The principal value of larger size of κ, as bending has it. */
function computeTriangleCurvature(
  state: SheetState,
  t: number,
  angles: Float64Array,
  leans: Float64Array,
  kappa: Float64Array,
): number {
  writeCurvature(state, t, angles, leans, kappa);
  const high = computeLargest(kappa[0], kappa[1], kappa[2] / 2);
  const low = kappa[0] + kappa[1] - high;
  return high > -low ? high : low;
}

/** Larger principal value of the symmetric tensor [a, c; c, b]. */
export const computeLargest = (a: number, b: number, c: number): number => (a + b) / 2 + computeHypot2((a - b) / 2, c);
