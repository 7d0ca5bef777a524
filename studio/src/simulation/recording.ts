/**
 * What a session has simulated so far, in memory: for every step a frame as bytes, the labels of its nodes and a row of
 * measures. Memory is bounded: beyond `limit` the oldest steps go.
 */
import { decodeFrameBytes, encodeFrameBytes } from 'heddle/io';
import { addFrameToLimits, createFrameLimits, type Frame, type FrameLimits } from 'heddle/model';

/** Most bytes of a recording unless told otherwise: 256 MiB. */
export const RECORDING_LIMIT = 256 * 2 ** 20;
/** Bytes of a record beyond its arrays, roughly. */
const OVERHEAD = 300;

export interface StepRecord {
  readonly step: number;
  readonly time: number;
  /** The frame as a payload of heddle/io. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** For each object of the frame, the labels of its nodes. */
  readonly labels: readonly Int32Array<ArrayBuffer>[];
  /** `MEASURE_COLUMNS`, then the probes. */
  readonly row: Float64Array<ArrayBuffer>;
  /** State hash, where it has been asked for; empty elsewhere. */
  hash: string;
}

export class Recording {
  readonly limits: FrameLimits = createFrameLimits();
  readonly #vertices: ReadonlyMap<string, ArrayLike<number>>;
  readonly #limit: number;
  #records: StepRecord[] = [];
  /** Records before this one are gone. */
  #first = 0;
  #bytes = 0;
  #dropped = 0;

  constructor(vertices: ReadonlyMap<string, ArrayLike<number>>, limit: number) {
    this.#vertices = vertices;
    this.#limit = limit;
  }

  /** Number of steps that were dropped. */
  get dropped(): number {
    return this.#dropped;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get last(): StepRecord {
    return this.#records[this.#records.length - 1];
  }

  /** First and last step that are there. */
  get range(): [number, number] {
    return [this.#records[this.#first].step, this.last.step];
  }

  /** Records a step; steps come one after the other. */
  add(frame: Frame, labels: readonly Int32Array<ArrayBuffer>[], row: Float64Array<ArrayBuffer>): StepRecord {
    const bytes = encodeFrameBytes(frame);
    const record = { step: frame.step, time: frame.time, bytes, labels, row, hash: '' };
    addFrameToLimits(frame, this.#vertices, this.limits);
    this.#records.push(record);
    this.#bytes += measureRecord(record);
    while (this.#bytes > this.#limit && this.#records.length - this.#first > 1) this.#drop();
    return record;
  }

  /** The record of a step, of the first for one that is gone and of the last for one to come. */
  find(step: number): StepRecord {
    const [first, last] = this.range;
    const place = Math.min(last, Math.max(first, Math.round(step) || 0)) - first;
    return this.#records[this.#first + place];
  }

  /** The records from a step on, oldest first. */
  *from(step: number): Generator<StepRecord> {
    const [first] = this.range;
    for (let n = this.#first + Math.max(0, step - first); n < this.#records.length; n++) yield this.#records[n];
  }

  #drop(): void {
    this.#bytes -= measureRecord(this.#records[this.#first]);
    this.#first++;
    this.#dropped++;
    if (this.#first < 1024 || 2 * this.#first < this.#records.length) {
      // a hole of the size of a record would stay otherwise
      (this.#records as (StepRecord | undefined)[])[this.#first - 1] = undefined;
      return;
    }
    this.#records = this.#records.slice(this.#first);
    this.#first = 0;
  }
}

const measureRecord = ({ bytes, labels, row }: StepRecord): number =>
  labels.reduce((sum, { byteLength }) => sum + byteLength, bytes.byteLength + row.byteLength + OVERHEAD);

/** The frame of a record. */
export const readRecordedFrame = (record: StepRecord): Frame => decodeFrameBytes(record.bytes);
