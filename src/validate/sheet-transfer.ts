/** Velocities that a sheet takes over to another mesh. */

import { createRandom } from '../math/index.ts';
import { type Sheet, STRIDE, transferVelocity } from '../sheet/index.ts';
import type { ValueLaw } from './law.ts';
import { createCloth, createRectangle, createSheet, type MeshKind } from './sheets.ts';

const create = (kind: MeshKind, size: number, firstLabel: number): Sheet => {
  const sheet = createSheet(createRectangle(kind, 1, 0.7, size), createCloth(1000), {}, (a, b) => [
    a,
    0.1 * Math.sin(5 * a) + 0.05 * b * b,
    b,
  ]);
  sheet.state.label = sheet.state.label.map((label) => label + firstLabel);
  sheet.state.nextLabel += firstLabel;
  sheet.state.indexLabels();
  return sheet;
};

const momentumOf = (sheet: Sheet): Float64Array => {
  const out = new Float64Array(6);
  sheet.addMomentum(out);
  return out;
};

export const SHEET_TRANSFER: ValueLaw = {
  name: 'sheet-transfer',
  model: 'sheet',
  kind: 'value',
  title: 'the transfer of any velocities to another mesh keeps the momentum in the world',
  source: 'Piddington 2017, Eq. 5.1',
  parameter: 'size of the new triangles, 0.1 of the old [m]',
  parameters: [0.05, 0.1, 0.2],
  quantity: 'change of momentum, relative [1]',
  stiffnesses: [],
  tolerance: 1e-9,
  scale: () => 1,
  predict: () => 0,
  measure(size) {
    const [from, to] = [create('jittered', 0.1, 0), create('refined', size, 10_000)];
    const { mesh, q, v, label, pointMass, count } = from.state;
    const random = createRandom(1);
    for (let i = 0; i < count; i++) for (let k = 0; k < 3; k++) v[STRIDE * i + k] = random.uniform(-0.5, 1);
    transferVelocity({ mesh, q, v, label, pointMass }, to.state);
    const [before, after] = [momentumOf(from), momentumOf(to)];
    return Math.hypot(...[0, 1, 2].map((k) => after[k] - before[k])) / Math.hypot(...before.subarray(0, 3));
  },
};
