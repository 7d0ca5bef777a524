/**
 * Probes of sheets: quantities at material points and over regions, mesh, area, depth in bodies. A material point is looked up in
 * the triangle that it lies in; of a region the mean over its vertices is taken, of forces the sum.
 */

import type { Body } from '../bodies/index.ts';
import { computeSmallestAngle } from '../geometry/index.ts';
import { computeHypot3 } from '../math/index.ts';
import {
  addForceOnBody,
  computeLargest,
  computeMeanKept,
  computeVertexForces,
  listRegion,
  locate,
  type Sheet,
  SheetMeasure,
  type SheetRegion,
  STRIDE,
} from '../sheet/index.ts';
import { describeColumns, type Probe } from './columns.ts';

/** Reads triangles of one sheet for a probe. */
interface TriangleReader {
  readonly sheet: Sheet;
  readonly measure: SheetMeasure;
  readonly scratch: Float64Array;
}

/** A quantity that can be read at the corners of triangles of a sheet. */
export interface SheetQuantity {
  readonly name: string;
  readonly unit: string;
  readonly components: readonly string[];
  /** Adds share · value at corner n of triangle t. */
  add(reader: TriangleReader, t: number, n: number, share: number, out: Float64Array, at: number): void;
}

const XYZ = ['x', 'y', 'z'] as const;
const SCALAR = [''] as const;

/** Every quantity that a probe reads at a point or region of a sheet but forces. */
export const SHEET_QUANTITIES: readonly SheetQuantity[] = [
  {
    name: 'position',
    unit: 'm',
    components: XYZ,
    add({ sheet: { state } }, t, n, share, out, at) {
      const i = STRIDE * state.mesh.triangles[3 * t + n];
      for (let k = 0; k < 3; k++) out[at + k] += share * state.q[i + k];
    },
  },
  {
    name: 'velocity',
    unit: 'm/s',
    components: XYZ,
    add({ sheet: { state }, measure, scratch }, t, n, share, out, at) {
      measure.writeMaterialVelocity(state, t, scratch);
      for (let k = 0; k < 3; k++) out[at + k] += share * scratch[3 * n + k];
    },
  },
  {
    name: 'strain',
    unit: '1',
    components: SCALAR,
    add({ sheet: { state }, measure }, t, _, share, out, at) {
      out[at] += share * measure.computeStrain(state, t);
    },
  },
  {
    name: 'tension',
    unit: 'N/m',
    components: SCALAR,
    add({ sheet: { state }, measure, scratch }, t, _, share, out, at) {
      measure.writeStress(state, t, scratch, 0);
      out[at] += share * computeLargest(scratch[0], scratch[1], scratch[2]);
    },
  },
  {
    name: 'stress',
    unit: 'Pa',
    components: ['warp', 'weft', 'shear'],
    add({ sheet: { state }, measure, scratch }, t, _, share, out, at) {
      measure.writeStress(state, t, scratch, 0);
      for (let k = 0; k < 3; k++) out[at + k] += (share * scratch[k]) / state.material.thickness;
    },
  },
];

/** A quantity at a material point, or its mean over the vertices of a region. */
export function createSheetProbe(id: string, quantity: SheetQuantity, sheet: Sheet, region: SheetRegion): Probe {
  const reader: TriangleReader = { sheet, measure: new SheetMeasure(), scratch: new Float64Array(9) };
  const weights = new Float64Array(3);
  return {
    id,
    ...describeColumns(id, quantity.components, quantity.unit),
    write(out, at) {
      out.fill(0, at, at + quantity.components.length);
      if ('at' in region) {
        const t = locate(sheet.state, region.at, weights);
        for (let n = 0; n < 3; n++) quantity.add(reader, t, n, weights[n], out, at);
      } else addMean(reader, quantity, listRegion(sheet.state, region), out, at);
    },
  };
}

/** Mean over vertices, each the mean of its triangles by material area. */
function addMean(
  reader: TriangleReader,
  quantity: SheetQuantity,
  vertices: readonly number[],
  out: Float64Array,
  at: number,
): void {
  const { mesh, area, count } = reader.sheet.state;
  const share = new Float64Array(count);
  for (const i of vertices) share[i] = 1 / vertices.length;
  const around = new Float64Array(count);
  for (let k = 0; k < mesh.triangles.length; k++) around[mesh.triangles[k]] += area[Math.floor(k / 3)];
  for (let k = 0; k < mesh.triangles.length; k++) {
    const i = mesh.triangles[k];
    const t = Math.floor(k / 3);
    if (share[i] > 0) quantity.add(reader, t, k % 3, (share[i] * area[t]) / around[i], out, at);
  }
}

/** Sum of the forces of what holds the vertices of a region, bodies aside [N]. */
export function createRegionForceProbe(id: string, sheet: Sheet, region: SheetRegion): Probe {
  return {
    id,
    ...describeColumns(id, XYZ, 'N'),
    write(out, at) {
      const { constraint } = computeVertexForces(sheet);
      out.fill(0, at, at + 3);
      for (const i of listRegion(sheet.state, region)) for (let k = 0; k < 3; k++) out[at + k] += constraint[3 * i + k];
    },
  };
}

/** Adds the force of a sheet on a body to out[at…] [N]. */
export function addSheetContact(sheet: Sheet, body: Body, out: Float64Array, at: number): void {
  const b = sheet.touch?.bodies.indexOf(body) ?? -1;
  if (b >= 0) addForceOnBody(sheet, b, out, at);
}

/** Triangles, smallest angle in material space [rad], share of vertices that the last remeshing kept. */
export function createMeshProbe(id: string, { state }: Sheet): Probe {
  return {
    id,
    ...describeColumns(id, ['triangles', 'smallestAngle', 'kept'], ['1', 'rad', '1']),
    write(out, at) {
      const { q, mesh } = state;
      let smallest = Math.PI;
      for (let t = 0; t < mesh.triangleCount; t++) {
        const [a, b, c] = [0, 1, 2].map((n) => STRIDE * mesh.triangles[3 * t + n] + 3);
        smallest = Math.min(smallest, computeSmallestAngle(q[a], q[a + 1], q[b], q[b + 1], q[c], q[c + 1]));
      }
      out[at] = mesh.triangleCount;
      out[at + 1] = smallest;
      out[at + 2] = state.coherence.last;
    },
  };
}

/** Share of the vertices that the last remeshing kept, mean of all, vertices that went and that came. */
export function createCoherenceProbe(id: string, { state }: Sheet): Probe {
  return {
    id,
    ...describeColumns(id, ['last', 'mean', 'gone', 'born'], '1'),
    write(out, at) {
      const { coherence } = state;
      out.set([coherence.last, computeMeanKept(coherence), coherence.gone, coherence.born], at);
    },
  };
}

/** Area of a sheet in the material and in the world [m²]. */
export function createAreaProbe(id: string, { state }: Sheet): Probe {
  return {
    id,
    ...describeColumns(id, ['material', 'world'], 'm²'),
    write(out, at) {
      const { q, mesh } = state;
      out[at] = out[at + 1] = 0;
      for (let t = 0; t < mesh.triangleCount; t++) {
        const [a, b, c] = [0, 1, 2].map((n) => STRIDE * mesh.triangles[3 * t + n]);
        out[at] += ((q[b + 3] - q[a + 3]) * (q[c + 4] - q[a + 4]) - (q[b + 4] - q[a + 4]) * (q[c + 3] - q[a + 3])) / 2;
        const u = [0, 1, 2].map((k) => q[b + k] - q[a + k]);
        const w = [0, 1, 2].map((k) => q[c + k] - q[a + k]);
        out[at + 1] +=
          computeHypot3(u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]) / 2;
      }
    },
  };
}

/** How deep the deepest vertex is in a body, half the sheet's thickness counted [m]; 0 where none is. */
export function createPenetrationProbe(id: string, { state, touch }: Sheet): Probe {
  return {
    id,
    ...describeColumns(id, SCALAR, 'm'),
    write(out, at) {
      out[at] = touch?.computeDepth(state) ?? 0;
    },
  };
}
