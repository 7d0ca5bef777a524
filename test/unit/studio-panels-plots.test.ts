/** The modules beneath the studio's plots, and what the parameter panel keeps of a person's changes. */
import { encodeCsv } from 'heddle/io';
import { validateScene } from 'heddle/scene';
import { describe, expect, test } from 'vitest';
import { computeMoving } from '../../studio/src/panels/body-motion.ts';
import { MeasureTable } from '../../studio/src/panels/measure-table.ts';
import { ParameterEdits } from '../../studio/src/panels/parameter-edits.ts';
import { computeGroups, encodeMeasures } from '../../studio/src/panels/plot-groups.ts';
import { computePanned, computeShowing, computeZoomed } from '../../studio/src/panels/plot-span.ts';

const UNITS = ['1', 's', 'J', 'J', '1', 'ms', '1', 'm', 'm', 'N'];
const COLUMNS = ['step', 'time', 'kinetic', 'total', 'nodes', 'solve', 'nodes', 'tip.x', 'tip.y', 'pull'];
/** Rows whose values tell step and column. */
function makeRows(from: number, count: number, width = COLUMNS.length): Float64Array {
  return Float64Array.from({ length: count * width }, (_, i) => {
    const step = from + Math.floor(i / width);
    return i % width === 0 ? step : step / 3 + (i % width);
  });
}

describe('the measures', () => {
  test('rows grow beyond every reserve and stay in their columns', () => {
    const table = new MeasureTable(COLUMNS);
    for (let i = 0; i < 50; i++) table.append(makeRows(20 * i, 20));
    expect(table.length).toBe(1000);
    expect(table.column(0)[999]).toBe(999);
    expect(table.column(7)[700]).toBe(700 / 3 + 7);
    expect(table.isStartOf(makeRows(0, 1200))).toBe(true);
    expect(table.isStartOf(makeRows(1, 1200))).toBe(false);
    expect(table.isStartOf(makeRows(0, 900))).toBe(false);
  });

  test('rows of an earlier step replace what followed', () => {
    const table = new MeasureTable(COLUMNS);
    table.append(makeRows(0, 100));
    table.append(makeRows(40, 5));
    expect(Array.from(table.column(0)).slice(-6)).toEqual([39, 40, 41, 42, 43, 44]);
    table.append(makeRows(0, 1));
    expect(table.length).toBe(1);
    expect(() => table.append(new Float64Array(13))).toThrow('do not fill rows');
  });

  test('groups: energies, one a probe, counts, stages; a probe named like a measure is a probe', () => {
    const groups = computeGroups({ columns: COLUMNS, units: UNITS });
    expect(groups.map(({ id, columns, names, unit }) => [id, columns, names, unit])).toEqual([
      ['energies', [2, 3], ['kinetic', 'total'], 'J'],
      ['probe-nodes', [6], ['nodes'], ''],
      ['probe-tip', [7, 8], ['x', 'y'], 'm'],
      ['probe-pull', [9], ['pull'], 'N'],
      ['counts', [4], ['nodes'], ''],
      ['stages', [5], ['solve'], 'ms'],
    ]);
  });

  test('a probe of several units has a group for each', () => {
    const columns = ['step', 'time', 'drum.stock', 'drum.speed', 'drum.turn', 'drum.spare'];
    const groups = computeGroups({ columns, units: ['1', 's', 'm', 'm/s', 'rad', 'm'] });
    expect(groups.map(({ id, names, unit }) => [id, names, unit])).toEqual([
      ['probe-drum', ['stock', 'spare'], 'm'],
      ['probe-drum-1', ['speed'], 'm/s'],
      ['probe-drum-2', ['turn'], 'rad'],
    ]);
  });

  test('the CSV of the probes is the one that heddle/io writes of time and probes, with units in its header', () => {
    const table = new MeasureTable(COLUMNS, UNITS);
    const rows = makeRows(0, 30);
    table.append(rows);
    const row = (r: number) => Array.from(rows.subarray(r * COLUMNS.length, (r + 1) * COLUMNS.length));
    const expected = encodeCsv({
      columns: ['time [s]', 'nodes', 'tip.x [m]', 'tip.y [m]', 'pull [N]'],
      rows: Array.from({ length: 30 }, (_, r) => [row(r)[1], ...row(r).slice(6)]),
    });
    expect(encodeMeasures(table, false).join('')).toBe(expected);
    expect(encodeMeasures(table, true)[0]).toBe(
      'step,time [s],kinetic [J],total [J],nodes,solve [ms],nodes,tip.x [m],tip.y [m],pull [N]\r\n',
    );
    expect(encodeMeasures(new MeasureTable(COLUMNS), true)[0]).toBe(`${COLUMNS.join(',')}\r\n`);
  });
});

describe('the part of time that is shown', () => {
  const whole = [0, 10] as const;

  test('zoom keeps the moment under the pointer where it is', () => {
    expect(computeZoomed(undefined, whole, 2, 2)).toEqual([1, 6]);
    expect(computeZoomed([1, 6], whole, 6, 5)).toEqual([5, 6]);
  });

  test('zoom out ends with all of it, zoom in with a ten-thousandth', () => {
    expect(computeZoomed([1, 6], whole, 2, 0.5)).toBeUndefined();
    const [from, to] = computeZoomed([4, 4.001], whole, 4, 1000)!;
    expect(to - from).toBeCloseTo(1e-3, 12);
  });

  test('moving along and showing a moment never leave what was measured', () => {
    expect(computePanned([4, 6], whole, 0.5)).toEqual([5, 7]);
    expect(computePanned([4, 6], whole, 50)).toEqual([8, 10]);
    expect(computePanned(undefined, whole, 1)).toBeUndefined();
    expect(computeShowing([4, 6], whole, 5)).toEqual([4, 6]);
    expect(computeShowing([4, 6], whole, 9.5)).toEqual([8, 10]);
    expect(computeShowing([4, 6], whole, 0)).toEqual([0, 2]);
  });
});

describe('changes of parameters', () => {
  const own = { time: { step: 1, duration: 2 }, gravity: [0, -1, 0] };

  test('a change is told at the nearest key that the scene has not, a reset with the own value', () => {
    const edits = new ParameterEdits(own);
    edits.set(['solver', 'tolerance'], 1e-6);
    expect(edits.findOverride(['solver', 'tolerance'])).toEqual({ path: '/solver', value: { tolerance: 1e-6 } });
    edits.set(['time', 'step'], 3);
    expect(edits.findOverride(['time', 'step'])).toEqual({ path: '/time/step', value: 3 });
    edits.reset(['time', 'step']);
    expect(edits.findOverride(['time', 'step'])).toEqual({ path: '/time/step', value: 1 });
    expect(edits.overrides).toEqual([{ path: '/solver', value: { tolerance: 1e-6 } }]);
    edits.reset(['solver', 'tolerance']);
    expect(edits.changed).toEqual(own);
    edits.set(['time'], { step: 7, duration: 8 });
    expect(edits.findOverride(['time'])).toEqual({ path: '/time', value: { step: 7, duration: 8 } });
  });

  test('entries that come and go: values behind them are compared with their own, and each change is undone at once', () => {
    const scene = { drivers: [{ value: 1 }, { value: 2 }, { value: 3 }], probes: ['a'] };
    const edits = new ParameterEdits(scene);
    edits.set(['drivers', 2, 'value'], 4);
    edits.edit([{ path: ['drivers', 0] }, { path: ['probes', 0] }]);
    expect(edits.changed).toEqual({ drivers: [{ value: 2 }, { value: 4 }], probes: [] });
    expect([edits.isChanged(['drivers', 0]), edits.isChanged(['drivers', 1])]).toEqual([false, true]);
    expect(edits.findOverride([])).toEqual({ path: '', value: edits.changed });
    edits.reset(['drivers', 1, 'value']);
    expect(edits.changed).toEqual({ drivers: [{ value: 2 }, { value: 3 }], probes: [] });
    edits.undo();
    edits.undo();
    expect(edits.changed).toEqual({ drivers: [{ value: 1 }, { value: 2 }, { value: 4 }], probes: ['a'] });
    edits.undo();
    expect([edits.changed, edits.canUndo]).toEqual([scene, false]);
    for (let i = 0; i < 3; i++) edits.redo();
    expect([edits.changed, edits.canRedo]).toEqual([{ drivers: [{ value: 2 }, { value: 3 }], probes: [] }, false]);
  });

  test('going on at the same place is one change, another place is another', () => {
    const edits = new ParameterEdits(own);
    for (const value of [3, 4, 5]) edits.set(['time', 'step'], value);
    edits.set(['time', 'duration'], 9);
    edits.undo();
    expect(edits.changed).toEqual({ ...own, time: { step: 5, duration: 2 } });
    edits.undo();
    expect(edits.changed).toEqual(own);
  });

  test.each(['static', 'scripted', 'dynamic'])(
    'a body that becomes %s has what that needs, and nothing else',
    (motion) => {
      for (const before of [
        { motion: 'scripted', keyframes: [{ time: 0 }] },
        { motion: 'dynamic', mass: 2, velocity: [0, 0, 0] },
        {},
      ]) {
        const scene = {
          ...{ heddle: 1, name: 'a', title: 'a', time: { step: 0.01, duration: 1 } },
          objects: [{ type: 'strand', id: 's', material: 'hemp-rope-8mm', points: [[0, 5, 0], [1, 5, 0]], nodes: 3 }], // biome-ignore format: points
          bodies: [{ id: 'b', shape: { type: 'sphere', radius: 1 }, ...before }],
        };
        const path = ['bodies', 0, 'motion'];
        const body = computeMoving(scene, path, motion);
        expect(validateScene({ ...scene, bodies: [body] }).bodies[0].motion).toBe(motion);
      }
    },
  );

  test('overrides that exist already are there from the start', () => {
    const overrides = [{ path: '/gravity', value: [0, 0, 0] }];
    const edits = new ParameterEdits(own, overrides);
    expect(edits.isChanged(['gravity'])).toBe(true);
    expect(edits.isChanged(['time'])).toBe(false);
    expect(edits.overrides).toEqual(overrides);
  });
});
