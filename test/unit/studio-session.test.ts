/** The simulation behind the studio's page, driven here without a worker. */
import { readFileSync } from 'node:fs';
import { decodeFrameBytes } from 'heddle/io';
import { compile, computeProbeColumns, parseScene } from 'heddle/scene';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  type FrameReply,
  MEASURE_COLUMNS,
  type Measures,
  type Reply,
  type Request,
  type StateReply,
} from '../../studio/src/simulation/protocol.ts';
import { Run } from '../../studio/src/simulation/run.ts';
import { Session, type SessionOptions } from '../../studio/src/simulation/session.ts';

const readScene = (name: string): string => readFileSync(new URL(`../../scenes/${name}.json`, import.meta.url), 'utf8');
const PENDULUM = readScene('strand-pendulum');
const CORNER = readScene('strand-corner');

/** A session with all that it posted, and a clock that advances by a millisecond a look. */
class Desk {
  readonly replies: Reply[] = [];
  readonly transfers: ArrayBuffer[][] = [];
  readonly session: Session;
  clock = 0;

  constructor(options: SessionOptions = {}) {
    this.session = new Session(
      (reply, transfer) => {
        this.replies.push(reply);
        this.transfers.push(transfer);
      },
      { now: () => this.clock++, ...options },
    );
  }

  ask(request: Request): Promise<void> {
    return this.session.receive(request);
  }

  load(text: string, more: Partial<Extract<Request, { type: 'load' }>> = {}): Promise<void> {
    return this.ask({ type: 'load', id: 1, text, ...more });
  }

  /** Ticks until there is nothing to do, at most `most` times. */
  settle(most = 100_000): void {
    for (let n = 0; n < most; n++) {
      const delay = this.session.tick(5);
      if (delay === Number.POSITIVE_INFINITY) return;
      this.clock += delay;
    }
    throw new Error('the session does not come to rest');
  }

  all<Type extends Reply['type']>(type: Type): Extract<Reply, { type: Type }>[] {
    return this.replies.filter((reply) => reply.type === type) as Extract<Reply, { type: Type }>[];
  }

  last<Type extends Reply['type']>(type: Type): Extract<Reply, { type: Type }> {
    const reply = this.all(type).at(-1);
    if (reply === undefined) throw new Error(`no ${type} among ${this.replies.map((one) => one.type)}`);
    return reply;
  }
}

const frameOf = ({ bytes }: FrameReply) => decodeFrameBytes(new Uint8Array(bytes));
const rowsOf = ({ rows, columns }: Measures): Float64Array[] => {
  const values = new Float64Array(rows);
  return Array.from({ length: values.length / columns.length }, (_, n) =>
    values.subarray(n * columns.length, (n + 1) * columns.length),
  );
};

describe('a session', () => {
  test('opens a scene: validated, with its first frame, measures and state', async () => {
    const desk = new Desk();
    await desk.load(CORNER);
    expect(desk.replies.map(({ type }) => type)).toEqual(['loaded', 'frame', 'measures', 'state']);
    const scene = parseScene(CORNER);
    const world = compile(scene);
    const loaded = desk.last('loaded');
    expect(loaded.id).toBe(1);
    expect(loaded.scene).toEqual(scene);
    expect(loaded.hash).toBe(world.hash());
    expect(loaded.probeColumns).toEqual(world.probeColumns);
    expect(loaded.bodies.map(({ id }) => id)).toEqual(
      scene.bodies.filter(({ shape }) => shape.type !== 'plane').map(({ id }) => id),
    );
    expect(loaded.limits.objects.low[0]).toBeLessThan(loaded.limits.objects.high[0]);
    const frame = desk.last('frame');
    expect(frameOf(frame)).toEqual(world.frame());
    expect(frame.hash).toBe(loaded.hash);
    expect(frame.labels.map(({ length }) => length)).toEqual(world.frame().objects.map(({ u }) => u.length));
    expect(desk.last('state')).toMatchObject({ playing: false, step: 0, recorded: [0, 0], note: null });
    expect(structuredClone(desk.replies)).toEqual(desk.replies);
  });

  test('hashes a large state only where it rests', async () => {
    const desk = new Desk();
    await desk.load(readScene('mpm-sand-column'), { settings: [{ path: '/objects/0/spacing', value: 0.034 }] });
    await desk.ask({ type: 'play' });
    while (desk.last('frame').step < 3) desk.session.tick(1);
    await desk.ask({ type: 'pause' });
    desk.settle();
    const frames = desk.all('frame').filter(({ step }) => step > 0);
    expect(frames.length).toBeGreaterThan(1);
    frames.forEach(({ hash }, n) => {
      expect(hash).toMatch(n === frames.length - 1 ? /^[0-9a-f]{16}$/ : /^$/);
    });
  });

  test.each([PENDULUM, CORNER])('plays to the same bits as the world alone', async (text) => {
    const desk = new Desk();
    await desk.load(text);
    await desk.ask({ type: 'run-to', step: 60, id: 7 });
    desk.settle();
    const world = compile(parseScene(text));
    for (let n = 0; n < 60; n++) world.step();
    expect(desk.last('frame')).toMatchObject({ step: 60, hash: world.hash(), grab: null });
    expect(frameOf(desk.last('frame'))).toEqual(world.frame());
    expect(desk.replies.at(-1)).toEqual({ type: 'arrived', id: 7, step: 60 });
    await desk.ask({ type: 'step', steps: 3 });
    desk.settle();
    for (let n = 0; n < 3; n++) world.step();
    expect(desk.last('frame')).toMatchObject({ step: 63, hash: world.hash() });
    expect(desk.last('state')).toMatchObject({ playing: false, step: 63, recorded: [0, 63] });
  });

  test('measures every step once, by stage, with the probes', async () => {
    const desk = new Desk();
    // a clock that counts how often it is read
    let ticks = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => ticks++);
    onTestFinished(() => void vi.restoreAllMocks());
    await desk.load(CORNER);
    await desk.ask({ type: 'run-to', step: 40 });
    desk.settle();
    const rows = desk.all('measures').flatMap(rowsOf);
    // each stage of each step counts once: all together take no longer than the whole
    const stages = rows.flatMap((row) => [...row.subarray(12, 17)]);
    expect(stages.reduce((sum, ms) => sum + ms)).toBeLessThan(ticks);
    const { columns } = desk.last('measures');
    expect(columns).toEqual([...MEASURE_COLUMNS, ...computeProbeColumns(parseScene(CORNER).probes)]);
    expect(rows.map(([step]) => step)).toEqual(Array.from({ length: 41 }, (_, n) => n));
    const world = compile(parseScene(CORNER));
    for (let n = 0; n <= 40; n++) {
      const row = rows[n];
      const { kinetic, stretch, bending, gravity, contact, total } = world.energy();
      expect([...row.subarray(0, 9)]).toEqual([
        ...[n, world.time, kinetic, stretch, bending, gravity, contact, total],
        world.nodeCount,
      ]);
      expect(row[9]).toBe(n === 0 ? 0 : world.report.remeshings);
      expect(row[11]).toBe(n === 0 ? 0 : world.report.substeps);
      for (const ms of row.subarray(12, 17)) expect(n === 0 ? ms === 0 : ms >= 0).toBe(true);
      if (n > 0) expect(row.subarray(12, 17).reduce((sum, ms) => sum + ms)).toBeGreaterThan(0);
      const probes = new Float64Array(world.probeColumns.length);
      world.writeProbes(probes);
      expect(row.subarray(17)).toEqual(probes);
      world.step();
    }
  });

  test('goes back to recorded steps, stays there, and plays on at the latest', async () => {
    const desk = new Desk();
    await desk.load(CORNER);
    await desk.ask({ type: 'run-to', step: 30 });
    desk.settle();
    const latest = desk.last('frame');
    await desk.ask({ type: 'seek', step: 12 });
    desk.settle();
    const world = compile(parseScene(CORNER));
    for (let n = 0; n < 12; n++) world.step();
    expect(frameOf(desk.last('frame'))).toEqual(world.frame());
    expect(desk.last('state')).toMatchObject({ step: 30, recorded: [0, 30] });
    for (const [step, found] of [
      [-5, 0],
      [1e9, 30],
      [Number.NaN, 0],
      [30, 30],
    ]) {
      await desk.ask({ type: 'seek', step });
      expect(desk.last('frame').step).toBe(found);
    }
    expect(desk.last('frame').hash).toBe(latest.hash);
    await desk.ask({ type: 'seek', step: 3 });
    await desk.ask({ type: 'step', steps: 1 });
    desk.settle();
    expect(desk.last('frame').step).toBe(31);
  });

  test('is back at the start to the bit after a reset, pins that were moved included', async () => {
    const desk = new Desk();
    await desk.load(PENDULUM);
    const { hash } = desk.last('loaded');
    await desk.ask({ type: 'run-to', step: 25 });
    desk.settle();
    const before = desk.last('frame').hash;
    await desk.ask({ type: 'grab', target: { kind: 'node', object: 'cord', label: 0 }, point: [0, 0, 0] });
    await desk.ask({ type: 'drag', point: [0.1, -0.1, 0.1] });
    await desk.ask({ type: 'run-to', step: 60 });
    desk.settle();
    await desk.ask({ type: 'reset' });
    expect(desk.last('frame')).toMatchObject({ step: 0, hash, grab: null });
    expect(desk.last('measures').from).toBe(0);
    expect(desk.last('state')).toMatchObject({ playing: false, step: 0, recorded: [0, 0] });
    await desk.ask({ type: 'run-to', step: 25 });
    desk.settle();
    expect(desk.last('frame').hash).toBe(before);
  });

  test('keeps to the speed asked for, shows at most a frame every 12 ms, and pauses at the end of the scene', async () => {
    const desk = new Desk();
    const scene = JSON.parse(PENDULUM);
    scene.time.duration = 2;
    await desk.load(JSON.stringify(scene));
    await desk.ask({ type: 'speed', factor: 0.5 });
    await desk.ask({ type: 'play' });
    expect(desk.last('state').playing).toBe(true);
    const begin = desk.clock;
    desk.settle();
    const { end } = desk.last('state');
    expect(end * scene.time.step).toBeCloseTo(2, 9);
    expect(desk.last('state')).toMatchObject({ playing: false, step: end });
    // 2 s at half speed: 4 s of the clock, which also runs while it is looked at
    expect(desk.clock - begin).toBeGreaterThan(3990);
    expect(desk.clock - begin).toBeLessThan(4400);
    expect(desk.last('state').ratio).toBeGreaterThan(0.4);
    expect(desk.last('state').ratio).toBeLessThan(0.6);
    expect(desk.all('frame').length).toBeLessThan(4400 / 12);
    expect(desk.all('frame').length).toBeGreaterThan(100);
    const { ratio } = desk.last('state');
    await desk.ask({ type: 'pause' });
    expect(desk.last('state').ratio).toBe(ratio);
    await desk.ask({ type: 'play' });
    for (let n = 0; n < 50; n++) {
      const delay = desk.session.tick(5);
      desk.clock += delay;
    }
    expect(desk.last('state')).toMatchObject({ playing: true });
    await desk.ask({ type: 'pause' });
    desk.settle();
    expect(desk.last('state').playing).toBe(false);
    expect(desk.last('state').step).toBeGreaterThan(end);
  });

  test('listens between sub-steps: a pause in the middle of a step ends it and no more', async () => {
    const desk = new Desk();
    await desk.load(CORNER);
    await desk.ask({ type: 'speed', factor: Number.POSITIVE_INFINITY });
    await desk.ask({ type: 'play' });
    for (let n = 0; n < 7; n++) expect(desk.session.tick(0)).toBe(0);
    const { length } = desk.all('frame');
    await desk.ask({ type: 'pause' });
    desk.settle(20);
    const { step } = desk.last('state');
    expect(step).toBeLessThanOrEqual(8);
    const world = compile(parseScene(CORNER));
    for (let n = 0; n < step; n++) world.step();
    expect(desk.last('frame')).toMatchObject({ step, hash: world.hash() });
    expect(desk.all('frame').length).toBeGreaterThan(length);
  });

  test('drops the oldest steps when memory is full, and says so', async () => {
    const desk = new Desk({ memory: 60_000 });
    await desk.load(PENDULUM);
    await desk.ask({ type: 'run-to', step: 200 });
    desk.settle();
    const { recorded, note } = desk.last('state') as StateReply;
    expect(recorded[0]).toBeGreaterThan(0);
    expect(recorded[1]).toBe(200);
    expect(note).toContain(`first ${recorded[0]} steps`);
    await desk.ask({ type: 'seek', step: 0 });
    expect(desk.last('frame').step).toBe(recorded[0]);
    // no row of measures was lost on the way to the page
    expect(desk.all('measures').flatMap(rowsOf).length).toBe(201);
    await desk.ask({ type: 'export', id: 3, format: 'csv' });
    expect(desk.last('exported').notes.join()).toContain(`begins at step ${recorded[0]}`);
  });
});

describe('faults', () => {
  test('of a scene are posted all together, with path and line; the scene before stays open', async () => {
    const desk = new Desk();
    await desk.load(PENDULUM);
    const scene = JSON.parse(PENDULUM);
    scene.time.step = -1;
    scene.objects[0].nodes = 'many';
    const text = JSON.stringify(scene, null, 2);
    await desk.load(text, { id: 9 });
    const { id, faults = [], message } = desk.last('fault');
    expect(id).toBe(9);
    expect(message).toContain('time.step');
    const lines = text.split('\n');
    expect(faults.map(({ path }) => path).sort()).toEqual(['objects[0].nodes', 'time.step']);
    for (const { path, line } of faults) expect(lines[line! - 1]).toContain(`"${path.split('.')[1]}"`);
    await desk.ask({ type: 'step', steps: 1 });
    desk.settle();
    expect(desk.last('frame').step).toBe(1);
  });

  test.each([
    ['no JSON', '{"heddle": 1,\n oops', 2],
    ['nothing', '', 1],
  ])('are told with their line: %s', async (_name, text, line) => {
    const desk = new Desk();
    await desk.load(text);
    expect(desk.replies.length).toBe(1);
    expect(desk.last('fault').faults?.[0].line).toBe(line);
  });

  test('that only building shows have their line, too', async () => {
    const scene = JSON.parse(PENDULUM);
    scene.bodies.push({ id: 'mesh', shape: { type: 'mesh', file: 'missing.obj' } });
    const text = JSON.stringify(scene, null, 2);
    const desk = new Desk();
    await desk.load(text);
    const { faults } = desk.last('fault');
    expect(faults?.[0].path).toBe('bodies[2]');
    expect(faults?.[0].message).toContain('missing.obj is missing; drop it together with the scene');
    expect(text.split('\n')[faults![0].line! - 1].trim()).toBe('{');
  });

  test('of requests name the request, and change nothing', async () => {
    const desk = new Desk();
    await desk.ask({ type: 'play' });
    expect(desk.last('fault').message).toContain('No scene is open');
    await desk.load(PENDULUM);
    const { length } = desk.all('fault');
    await desk.ask({ type: 'grab', target: { kind: 'node', object: 'nobody', label: 0 }, point: [0, 0, 0] });
    await desk.ask({ type: 'grab', target: { kind: 'body', body: 'none' }, point: [0, 0, 0] });
    await desk.ask({ type: 'speed', factor: 0 });
    await desk.ask({ type: 'step', steps: 0.5 });
    await desk.ask({ type: 'export', id: 5, format: 'gbl' });
    expect(desk.all('fault').length).toBe(length + 5);
    expect(desk.last('fault')).toMatchObject({ id: 5 });
    expect(desk.last('fault').message).toContain('Did you mean glb');
    desk.settle();
    expect(desk.last('state').step).toBe(0);
  });

  test('of a step pause the session, which stays usable', async () => {
    const scene = JSON.parse(PENDULUM);
    scene.drivers.push({
      type: 'force',
      on: { object: scene.objects[0].id, at: 'end' },
      value: [1e15, 1e15, 0],
      from: 0.02,
    });
    const desk = new Desk();
    await desk.load(JSON.stringify(scene));
    expect(desk.all('fault')).toEqual([]);
    await desk.ask({ type: 'run-to', step: 200, id: 4 });
    desk.settle();
    expect(desk.last('fault')).toMatchObject({ id: null });
    expect(desk.last('fault').message).toMatch(/^Step \d+ at t = /);
    const { step, playing } = desk.last('state');
    expect(playing).toBe(false);
    expect(step).toBeLessThan(200);
    expect(desk.last('arrived')).toEqual({ type: 'arrived', id: 4, step });
    await desk.ask({ type: 'seek', step: 1 });
    expect(desk.last('frame').step).toBe(1);
    await desk.load(PENDULUM);
    await desk.ask({ type: 'run-to', step: 10 });
    desk.settle();
    expect(desk.last('frame').step).toBe(10);
  });
});

describe('overrides', () => {
  test('replace values before the scene is validated', async () => {
    const desk = new Desk();
    await desk.load(PENDULUM, {
      settings: [
        { path: '/gravity', value: [0, -1.62, 0] },
        { path: '/objects/0/nodes', value: 12 },
        { path: '/solver/newtonIterations', value: 3 },
      ],
    });
    const { scene } = desk.last('loaded');
    expect(scene.gravity).toEqual([0, -1.62, 0]);
    expect(scene.objects[0].nodes).toBe(12);
    expect(scene.solver.newtonIterations).toBe(3);
    await desk.ask({ type: 'run-to', step: 10 });
    desk.settle();
    const world = compile(scene);
    for (let n = 0; n < 10; n++) world.step();
    expect(desk.last('frame').hash).toBe(world.hash());
    await desk.ask({ type: 'reset' });
    expect(desk.last('frame').hash).toBe(desk.last('loaded').hash);
  });

  test('that are wrong are faults at their path, on the line of the text', async () => {
    const text = JSON.stringify(JSON.parse(PENDULUM), null, 2);
    const desk = new Desk();
    await desk.load(text, { settings: [{ path: '/time/step', value: -1 }] });
    const [fault] = desk.last('fault').faults ?? [];
    expect(fault.path).toBe('time.step');
    expect(text.split('\n')[fault.line! - 1]).toContain('"step"');
    await desk.load(text, { settings: [{ path: '/objects/77/nodes', value: 3 }] });
    expect(desk.last('fault').faults?.[0].path).toBe('objects[77]');
  });
});

/** The world of a scene after a step. */
function compileStep(text: string) {
  const world = compile(parseScene(text));
  world.step();
  return world;
}

describe('a grab', () => {
  test('finds a strand after a continuum, and the parts of that, by their own names', async () => {
    const scene = JSON.parse(PENDULUM);
    const block = (id: string, x: number) => ({
      id,
      pattern: { type: 'fill', shape: { type: 'box', size: [0.1, 0.1, 0.1] } },
      material: { type: 'fluid', density: 1000, bulkModulus: 1e6 },
      position: [x, -2, 0],
    });
    const parts = [block('left', -1), block('right', 1)];
    scene.objects.unshift({ type: 'mpm', id: 'continuum', spacing: 0.05, parts });
    const desk = new Desk();
    await desk.load(JSON.stringify(scene));
    const frame = desk.last('frame');
    const { objects } = frameOf(frame);
    expect(objects.map(({ id }) => id)).toEqual(['left', 'right', 'cord']);
    expect(frame.labels.map(({ length }) => length)).toEqual(objects.map(({ x }) => x.length / 3));
    const node = frame.labels[2].length - 1;
    const place = [...objects[2].x.subarray(3 * node, 3 * node + 3)] as [number, number, number];
    const target = { kind: 'node', object: 'cord', label: frame.labels[2][node] } as const;
    await desk.ask({ type: 'grab', target, point: place });
    expect(desk.last('frame').grab).toEqual({ from: place, to: place });
    const [label] = frame.labels[1];
    const point = [...objects[1].x.subarray(0, 3)] as [number, number, number];
    await desk.ask({ type: 'grab', target: { kind: 'node', object: 'right', label }, point });
    expect(desk.last('frame').grab?.to).toEqual(point);
    expect(desk.all('fault')).toEqual([]);
    const { length } = desk.all('fault');
    await desk.ask({ type: 'grab', target: { kind: 'node', object: 'continuum', label: 0 }, point });
    expect(desk.all('fault').length).toBe(length + 1);
    expect(desk.last('fault').message).toContain('Objects: left, right, cord, ball.');
    await desk.ask({ type: 'release' });
    await desk.ask({ type: 'run-to', step: 1 });
    desk.settle();
    // sound crosses a cell in 1.6 ms
    const { substeps = 0 } = compileStep(JSON.stringify(scene)).models.find(({ type }) => type === 'mpm')!;
    expect(substeps).toBeGreaterThan(2);
    const rows = desk.all('measures').flatMap(rowsOf);
    expect(rows.at(-1)![MEASURE_COLUMNS.indexOf('substeps')]).toBe(substeps);
  });

  test('changes the simulation, is shown, and what is released lives on', async () => {
    const [plain, held] = [new Desk(), new Desk()];
    for (const desk of [plain, held]) {
      await desk.load(PENDULUM);
      await desk.ask({ type: 'run-to', step: 10 });
      desk.settle();
    }
    const frame = held.last('frame');
    const node = frame.labels[0].length - 1;
    const place = frameOf(frame).objects[0].x.slice(3 * node, 3 * node + 3);
    const point = [place[0], place[1] + 0.3, place[2] + 0.2] as const;
    await held.ask({ type: 'grab', target: { kind: 'node', object: 'cord', label: frame.labels[0][node] }, point });
    expect(held.last('frame').grab).toEqual({ from: [...place], to: [...point] });
    for (const desk of [plain, held]) {
      await desk.ask({ type: 'run-to', step: 100 });
      desk.settle();
    }
    const pulled = held.last('frame');
    expect(pulled.hash).not.toBe(plain.last('frame').hash);
    const { from, to } = pulled.grab!;
    const heldGap = Math.hypot(...from.map((x, k) => x - to[k]));
    const end = frameOf(plain.last('frame')).objects[0].x.slice(-3);
    expect(heldGap).toBeLessThan(0.5 * Math.hypot(...end.map((x, k) => x - to[k])));
    await held.ask({ type: 'release' });
    expect(held.last('frame').grab).toBeNull();
    await held.ask({ type: 'run-to', step: 140 });
    held.settle();
    const free = frameOf(held.last('frame')).objects[0];
    expect(Math.max(...free.fields.speed)).toBeGreaterThan(0.1);
    expect(held.all('fault')).toEqual([]);
  });

  test('is in the saved state of a run: another one of the same source goes on with it, and lets go', () => {
    const create = (): Run => new Run({ text: PENDULUM, overrides: [], files: {} }, 1e7, () => 0);
    const [run, other] = [create(), create()];
    const advanceTo = (one: Run, step: number): void => {
      while (one.world.steps < step) one.advance();
    };
    advanceTo(run, 5);
    const label = run.recording.last.labels[0].at(-1)!;
    run.grab({ kind: 'node', object: 'cord', label }, [0.1, 0.2, 0.3]);
    advanceTo(run, 10);
    other.world.load(run.world.save());
    expect(other.world.grab.isActive).toBe(true);
    for (const one of [run, other]) {
      one.hand.drag([0.2, 0.2, 0.3]);
      advanceTo(one, 15);
      one.hand.release();
      advanceTo(one, 20);
    }
    expect(other.computeHash()).toBe(run.computeHash());
  });

  test('of a body pulls it', async () => {
    const text = readScene('strand-atwood');
    const { bodies } = parseScene(text);
    const { id } = bodies.find(({ motion }) => motion === 'dynamic')!;
    const desk = new Desk();
    await desk.load(text);
    const start = frameOf(desk.last('frame')).bodies.find((body) => body.id === id)!.position;
    const point = [start[0], start[1], start[2]] as const;
    await desk.ask({ type: 'grab', target: { kind: 'body', body: id }, point });
    await desk.ask({ type: 'drag', point: [start[0], start[1], start[2] + 0.3] });
    await desk.ask({ type: 'run-to', step: 150 });
    desk.settle();
    const end = frameOf(desk.last('frame')).bodies.find((body) => body.id === id)!.position;
    expect(end[2] - start[2]).toBeGreaterThan(0.01);
    expect(desk.all('fault')).toEqual([]);
  });
});

describe('buffers', () => {
  /** Every buffer somewhere in a reply. */
  const findBuffers = (value: unknown): ArrayBufferLike[] => {
    if (value instanceof ArrayBuffer) return [value];
    if (ArrayBuffer.isView(value)) return [value.buffer];
    return value !== null && typeof value === 'object' ? Object.values(value).flatMap(findBuffers) : [];
  };

  test('of frames, measures and exports are given away, each once, and the recording stays whole', async () => {
    const kinds = new Map<string, number>();
    const frames: [FrameReply, FrameReply][] = [];
    const session = new Session(
      (reply, transfer) => {
        if (!['frame', 'measures', 'exported'].includes(reply.type)) return;
        const before = structuredClone(reply);
        const buffers = findBuffers(reply);
        const received = structuredClone(reply, { transfer });
        // a buffer that is detached has no length any more
        expect(buffers.map(({ byteLength }) => byteLength)).toEqual(buffers.map(() => 0));
        expect(received).toEqual(before);
        kinds.set(reply.type, (kinds.get(reply.type) ?? 0) + buffers.length);
        if (received.type === 'frame') frames.push([received, before as FrameReply]);
      },
      { now: () => 0 },
    );
    await session.receive({ type: 'load', id: 1, text: CORNER });
    await session.receive({ type: 'run-to', step: 5 });
    while (session.tick(5) === 0);
    await session.receive({ type: 'export', id: 2, format: 'obj' });
    // what was given away once can be shown again
    for (const step of [5, 0, 5]) await session.receive({ type: 'seek', step });
    expect(frames.slice(-3).map(([{ step }]) => step)).toEqual([5, 0, 5]);
    const [again, first] = [frames.at(-1)![0], frames.find(([{ step }]) => step === 5)![0]];
    expect(new Uint8Array(again.bytes)).toEqual(new Uint8Array(first.bytes));
    // bytes and labels of each frame, at least one row, at least one file
    expect(kinds.get('frame')).toBe(2 * frames.length);
    expect(kinds.get('measures')).toBeGreaterThan(0);
    expect(kinds.get('exported')).toBeGreaterThan(0);
  });
});

describe('exports', () => {
  test('are those of heddle/io over the moments that `heddle run` would write', async () => {
    const desk = new Desk();
    await desk.load(PENDULUM);
    await desk.ask({ type: 'run-to', step: 50 });
    desk.settle();
    await desk.ask({ type: 'export', id: 11, format: 'csv' });
    const { id, files } = desk.last('exported');
    expect(id).toBe(11);
    const csv = new TextDecoder().decode(files[0].bytes).trim().split('\r\n');
    const scene = parseScene(PENDULUM);
    expect(csv[0]).toBe(['time', ...computeProbeColumns(scene.probes)].join(','));
    const world = compile(scene);
    for (let n = 0; n < 50; n++) world.step();
    const probes = new Float64Array(world.probeColumns.length);
    world.writeProbes(probes);
    expect(csv.at(-1)!.split(',').map(Number)).toEqual([world.time, ...probes]);
    await desk.ask({ type: 'export', id: 12, format: 'obj' });
    const names = desk.last('exported').files.map(({ path }) => path);
    // 30 a second (the scene's own) over 50 steps, the start and the last step
    const moments = Math.floor(world.time * scene.output.framesPerSecond + 1e-9) + 1;
    expect([moments, moments + 1]).toContain(names.filter((path) => path.endsWith('.obj')).length);
    await desk.ask({ type: 'export', id: 13, format: 'glb' });
    expect(new TextDecoder().decode(desk.last('exported').files[0].bytes.slice(0, 4))).toBe('glTF');
    expect(desk.transfers.at(-1)).toEqual(desk.last('exported').files.map(({ bytes }) => bytes));
  });
});
