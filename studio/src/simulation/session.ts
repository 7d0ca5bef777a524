/**
 * The simulation behind a page, without a worker: takes requests, works in ticks of bounded length, posts replies. It never
 * throws: what goes wrong is posted as a fault, and the session stays usable.
 *
 * Between two ticks the state is good, so requests are met at sub-steps, not at steps: a step that needs thousands of sub-steps
 * shuts nobody out. Replies speak of whole steps only.
 */
import { HeddleError, SceneError, toMemoryError } from 'heddle/model';
import { Pace } from './pace.ts';
import type { FrameReply, Reply, Request } from './protocol.ts';
import { RECORDING_LIMIT, type StepRecord } from './recording.ts';
import { Run, type RunSource } from './run.ts';

export type Post = (reply: Reply, transfer: ArrayBuffer[]) => void;

export interface SessionOptions {
  /** Wall clock [ms]. */
  readonly now?: () => number;
  /** Most bytes that the recording takes. */
  readonly memory?: number;
}

/** Real time between two frames, and between two states and measures, while it runs [ms]. */
const FRAME_INTERVAL = 12;
const STATE_INTERVAL = 100;
/** Nodes up to which states are hashed while they run: hashing 200,000 particles takes as long as two of their sub-steps. */
const MOST_HASHED = 20_000;
/** Nodes, and bytes of the recording, up to which a session is light. */
const MOST_LIGHT = { nodes: 20_000, bytes: 32 * 2 ** 20 } as const;

export class Session {
  readonly #post: Post;
  readonly #now: () => number;
  readonly #memory: number;
  readonly #pace = new Pace();
  #run: Run | undefined;
  #isPlaying = false;
  /** Step to reach before pausing; −1 for none. */
  #goal = -1;
  /** Who asked for that, and who did but gets no further. */
  #goalId: number | undefined;
  #ended: number[] = [];
  /** What of the run was posted last, and when [ms]. */
  #shownStep = -1;
  #shownAt = Number.NEGATIVE_INFINITY;
  #measuredStep = -1;
  #statedAt = Number.NEGATIVE_INFINITY;
  #isFrameDue = false;
  #isStateDue = false;
  /** Whether the page shows an earlier step: new frames wait until it wants to go on. */
  #isBack = false;
  /** Exports that are being written. */
  #exports = 0;

  constructor(post: Post, options: SessionOptions = {}) {
    this.#post = post;
    this.#now = options.now ?? (() => performance.now());
    this.#memory = options.memory ?? RECORDING_LIMIT;
  }

  /** Whether it takes little memory, and has no export to answer: its worker may be used again. */
  get isLight(): boolean {
    if (this.#exports > 0) return false;
    if (this.#run === undefined) return true;
    const { world, recording } = this.#run;
    return world.nodeCount <= MOST_LIGHT.nodes && recording.bytes <= MOST_LIGHT.bytes;
  }

  /** Takes a request. Only exports take longer than the call. */
  async receive(request: Request): Promise<void> {
    const id = 'id' in request ? (request.id ?? null) : null;
    try {
      if (request.type === 'load')
        this.#load(request.id, { text: request.text, overrides: request.settings ?? [], files: request.files ?? {} });
      else if (this.#run === undefined) throw new HeddleError('No scene is open; load one first.');
      else if (request.type === 'export') {
        this.#exports++;
        await this.#export(request, this.#run).finally(() => this.#exports--);
      } else this.#command(request, this.#run);
    } catch (error) {
      this.#postFault(error, id);
    }
  }

  /** Works for about `budget` ms at most; returns how long there is nothing to do [ms]: 0 to go on, Infinity until a request. */
  tick(budget: number): number {
    const run = this.#run;
    if (run === undefined) return Number.POSITIVE_INFINITY;
    const end = this.#now() + budget;
    try {
      while (this.#computeWait(run) === 0) {
        if (run.advance()) this.#arrive(run);
        if (this.#now() >= end) break;
      }
    } catch (error) {
      this.#halt();
      this.#postFault(error, null);
    }
    this.#tryReport(run);
    return this.#computeDelay(run);
  }

  /** `#report`; where there is no room for a frame it waits until something is asked for again. */
  #tryReport(run: Run): void {
    try {
      this.#report(run);
    } catch (error) {
      this.#halt();
      this.#postFault(error, null);
      this.#answerEnded(run);
    }
  }

  #load(id: number, source: RunSource): void {
    const run = new Run(source, this.#memory, this.#now);
    this.#open(run);
    const hash = run.computeHash();
    const bodies = run.bodies.map(({ id, positions, indices, poses }) => ({ id, positions, indices, poses }));
    const { scene, world, recording } = run;
    const limits = structuredClone(recording.limits);
    this.#post({ type: 'loaded', id, scene, limits, bodies, probeColumns: [...world.probeColumns], hash }, []);
    this.#report(run);
  }

  /** Shows a run from its start, paused. */
  #open(run: Run): void {
    this.#run = run;
    this.#isPlaying = false;
    this.#leaveGoal();
    this.#measuredStep = -1;
    this.#isFrameDue = this.#isStateDue = true;
    this.#isBack = false;
    this.#pace.ratio = 0;
  }

  #command(request: Exclude<Request, { type: 'load' | 'export' }>, run: Run): void {
    switch (request.type) {
      case 'play':
        this.#leaveGoal();
        this.#isPlaying = true;
        this.#isBack = false;
        this.#isFrameDue = true;
        this.#pace.begin(this.#seconds(), run.world.time);
        break;
      case 'pause':
        this.#halt();
        break;
      case 'step':
        this.#aim(run, run.world.steps + checkCount(request.steps));
        break;
      case 'run-to':
        this.#aim(run, checkCount(request.step), request.id);
        break;
      case 'reset':
        this.#open(new Run(run.source, this.#memory, this.#now));
        break;
      case 'speed':
        if (!(request.factor > 0)) throw new HeddleError(`The speed is ${request.factor}; it must be > 0.`);
        this.#pace.setSpeed(request.factor, this.#seconds(), run.world.time);
        break;
      case 'seek':
        this.#seek(run, request.step);
        return;
      case 'grab':
        run.grab(request.target, request.point);
        this.#isBack = false;
        this.#isFrameDue = true;
        break;
      case 'drag':
        run.hand.drag(request.point);
        this.#isFrameDue = true;
        break;
      case 'release':
        run.hand.release();
        this.#isFrameDue = true;
        break;
    }
    this.#isStateDue = true;
    this.#tryReport(this.#run ?? run);
  }

  /** Simulates on to a step, then pauses. */
  #aim(run: Run, step: number, id?: number): void {
    this.#leaveGoal();
    this.#pace.begin(this.#seconds(), run.world.time);
    this.#isPlaying = false;
    this.#goal = step;
    this.#goalId = id;
    this.#isBack = false;
    this.#isFrameDue = true;
  }

  #halt(): void {
    this.#leaveGoal();
    this.#isPlaying = false;
    this.#isFrameDue = this.#isStateDue = true;
  }

  #leaveGoal(): void {
    if (this.#goalId !== undefined) this.#ended.push(this.#goalId);
    this.#goalId = undefined;
    this.#goal = -1;
  }

  #seek(run: Run, step: number): void {
    this.#halt();
    this.#isBack = true;
    this.#report(run);
    const record = run.recording.find(step);
    this.#postFrame(run, record, record === run.recording.last ? run.computeHash() : record.hash);
  }

  async #export({ id, format, file }: Extract<Request, { type: 'export' }>, run: Run): Promise<void> {
    const { exportFile, exportRecording } = await import('./export.ts');
    const { recording, scene, bodies, world } = run;
    const { files, notes } = await (file === undefined
      ? exportRecording(
          recording,
          scene,
          { bodies, probeColumns: world.probeColumns, probeUnits: world.probeUnits },
          format,
        )
      : exportFile(file, scene, bodies, format));
    this.#post(
      { type: 'exported', id, files, notes },
      files.map(({ bytes }) => bytes),
    );
  }

  /** A step is complete: playing pauses at the end of the scene, a goal is met. */
  #arrive(run: Run): void {
    const { steps } = run.world;
    if (this.#isPlaying && steps === run.end) this.#halt();
    if (this.#goal >= 0 && steps >= this.#goal) this.#halt();
  }

  /** Real time until the next sub-step [ms]: 0 now, Infinity not before a request. */
  #computeWait(run: Run): number {
    if (run.isInside) return 0;
    const { world } = run;
    if (this.#goal > run.recording.last.step) return 0;
    if (!this.#isPlaying) return Number.POSITIVE_INFINITY;
    return 1000 * this.#pace.computeWait(this.#seconds(), world.time + world.timeStep);
  }

  #computeDelay(run: Run): number {
    const wait = this.#computeWait(run);
    if (wait === 0) return 0;
    const now = this.#now();
    const frame =
      this.#isFrameLeft(run) && this.#isBusy(run) ? this.#shownAt + FRAME_INTERVAL - now : Number.POSITIVE_INFINITY;
    return Math.max(0, Math.min(wait, frame));
  }

  #isFrameLeft(run: Run): boolean {
    return !this.#isBack && (this.#isFrameDue || run.recording.last.step !== this.#shownStep);
  }

  #isBusy(run: Run): boolean {
    return this.#isPlaying || run.isInside || this.#goal > run.recording.last.step;
  }

  /** Posts what is due: at intervals while it runs, at once when it comes to rest. */
  #report(run: Run): void {
    const now = this.#now();
    const { last } = run.recording;
    const isBusy = this.#isBusy(run);
    // a goal behind, or met already
    if (!isBusy && this.#goal >= 0) this.#halt();
    if (this.#isFrameLeft(run) && (!isBusy || now - this.#shownAt >= FRAME_INTERVAL)) {
      this.#postFrame(run, last, isBusy && run.world.nodeCount > MOST_HASHED ? last.hash : run.computeHash());
      this.#isFrameDue = false;
      this.#shownStep = last.step;
      this.#shownAt = now;
    }
    const isNews = this.#isStateDue || last.step !== this.#measuredStep;
    if (isNews && (!isBusy || this.#isStateDue || now - this.#statedAt >= STATE_INTERVAL)) {
      this.#pace.measure(this.#seconds(), run.world.time, !isBusy);
      this.#postMeasures(run);
      this.#postState(run);
      this.#isStateDue = false;
      this.#statedAt = now;
    }
    this.#answerEnded(run);
  }

  #answerEnded({ recording }: Run): void {
    for (const id of this.#ended.splice(0)) this.#post({ type: 'arrived', id, step: recording.last.step }, []);
  }

  #postFrame(run: Run, { step, time, bytes, labels }: StepRecord, hash: string): void {
    const [from, to] = [new Float64Array(3), new Float64Array(3)];
    const isHeld = run.world.grab.writeEnds(from, to);
    const reply: FrameReply = {
      type: 'frame',
      step,
      time,
      // copies: the recording keeps its own
      bytes: bytes.slice().buffer,
      hash,
      labels: labels.map((of) => of.slice()),
      grab: isHeld ? { from: [...from], to: [...to] } : null,
    };
    this.#post(reply, [reply.bytes, ...reply.labels.map(({ buffer }) => buffer as ArrayBuffer)]);
  }

  #postMeasures(run: Run): void {
    const { recording, columns, units } = run;
    const records = [...recording.from(this.#measuredStep + 1)];
    if (records.length === 0) return;
    const rows = new Float64Array(records.length * columns.length);
    records.forEach(({ row }, n) => {
      rows.set(row, n * columns.length);
    });
    this.#measuredStep = recording.last.step;
    const from = records[0].step;
    this.#post({ type: 'measures', from, columns: [...columns], units: [...units], rows: rows.buffer }, [rows.buffer]);
  }

  #postState(run: Run): void {
    const { recording, world, end, stepMs } = run;
    const note =
      recording.dropped === 0
        ? null
        : `The first ${recording.dropped} steps did not fit into memory and are no longer available.`;
    this.#post(
      {
        type: 'state',
        playing: this.#isPlaying,
        step: world.steps,
        end,
        recorded: recording.range,
        ratio: this.#pace.ratio,
        stepMs,
        limits: structuredClone(recording.limits),
        note,
      },
      [],
    );
  }

  #postFault(thrown: unknown, id: number | null): void {
    const error = toMemoryError(thrown);
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof SceneError) this.#post({ type: 'fault', id, message, faults: [...error.faults] }, []);
    else this.#post({ type: 'fault', id, message }, []);
  }

  #seconds(): number {
    return this.#now() / 1000;
  }
}

function checkCount(value: number): number {
  if (Number.isInteger(value) && value >= 0) return value;
  throw new HeddleError(`A number of steps is ${value}; it must be a whole number ≥ 0.`);
}
