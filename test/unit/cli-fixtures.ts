/** A small world and a captured terminal for tests of the command. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scene, SceneInput } from 'heddle/scene';
import { onTestFinished } from 'vitest';
import type { Context, RunnableWorld } from '../../src/cli/context.ts';
import { main } from '../../src/cli/program.ts';

/** A particle on a damped spring: x' = v, v' = −100 x − v, and a chaotic number that shows any lost bit of the state. */
export class SpringWorld implements RunnableWorld {
  readonly probeColumns: readonly string[];
  readonly probeUnits: readonly string[];
  readonly nodeCount = 2;
  readonly bodies = [];
  readonly profile = { detect: 0, adapt: 0, assemble: 0, solve: 0, advance: 0 };
  private readonly state = new Float64Array([0, 1, 0, 0.3]);
  private readonly h: number;

  constructor(scene: Scene) {
    this.h = scene.time.step;
    this.probeColumns = scene.probes.length === 0 ? [] : ['tip.x', 'tip.y', 'tip.z'];
    this.probeUnits = this.probeColumns.map(() => 'm');
  }

  get steps(): number {
    return this.state[0];
  }

  get time(): number {
    return this.state[0] * this.h;
  }

  step(): void {
    const [steps, x, v, c] = this.state;
    const next = v + this.h * (-100 * x - v);
    this.state.set([steps + 1, x + this.h * next, next, 3.99 * c * (1 - c)]);
    this.profile.solve += 0.001;
  }

  stepPart(): boolean {
    this.step();
    return true;
  }

  frame() {
    const [, x, , c] = this.state;
    const curve = {
      type: 'curve' as const,
      id: 'rope',
      closed: false,
      radius: 0.01,
      restLength: 1,
      x: Float64Array.of(0, 0, 0, x, c, 0),
      u: Float64Array.of(0, 1),
      kind: Uint8Array.of(0, 0),
      fields: {},
    };
    return { time: this.time, step: this.steps, objects: [curve], bodies: [], forces: [] };
  }

  writeProbes(out: Float64Array): void {
    if (out.length > 0) out.set([this.state[1], this.state[3], this.state[2]]);
  }

  energy() {
    const [, x, v] = this.state;
    const [kinetic, stretch] = [0.5 * v * v, 50 * x * x];
    return { kinetic, stretch, bending: 0, gravity: 0, contact: 0, total: kinetic + stretch };
  }

  maxStrain(): number {
    return Math.abs(this.state[1]);
  }

  save(): Uint8Array {
    return new Uint8Array(this.state.slice().buffer);
  }

  load(bytes: Uint8Array): void {
    this.state.set(new Float64Array(bytes.slice().buffer));
  }

  hash(): string {
    return Buffer.from(this.save()).toString('hex').slice(-16);
  }
}

export function makeScene(): SceneInput {
  return {
    heddle: 1,
    name: 'spring',
    title: 'A spring',
    objects: [
      {
        type: 'strand',
        id: 'rope',
        material: 'cotton-thread',
        points: [
          [0, 0, 0],
          [1, 0, 0],
        ],
        nodes: 2,
      },
    ],
    probes: [{ id: 'tip', type: 'position', on: { object: 'rope', at: 'end' } }],
    time: { step: 0.01, duration: 1 },
    output: { framesPerSecond: 30 },
  };
}

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Workplace {
  readonly folder: string;
  /** Writes a file into the folder. */
  write(name: string, content: unknown): string;
  run(...argv: string[]): Promise<CommandResult>;
  runWith(changes: Partial<Context>, ...argv: string[]): Promise<CommandResult>;
}

/** A fresh folder with `spring.json` in it, removed when the test ends, and the command in it. */
export function makeWorkplace(): Workplace {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, content: unknown): string => {
    const path = join(folder, name);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
    return path;
  };
  write('spring.json', makeScene());
  const runWith = async (changes: Partial<Context>, ...argv: string[]): Promise<CommandResult> => {
    let [stdout, stderr] = ['', ''];
    const code = await main(argv, {
      stdout: { write: (text) => void (stdout += text), isTerminal: false, columns: undefined },
      stderr: { write: (text) => void (stderr += text), isTerminal: false, columns: undefined },
      folder,
      compile: (scene) => new SpringWorld(scene),
      now: () => performance.now(),
      onInterrupt: () => () => {},
      exitCode: 0,
      ...changes,
    });
    return { code, stdout, stderr };
  };
  return { folder, write, run: (...argv) => runWith({}, ...argv), runWith };
}
