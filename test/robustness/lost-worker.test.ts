/** A simulation whose worker dies: the page is told once, nothing waits for ever, and what is asked for next goes on in another worker. */
import { expect, test } from 'vitest';
import { SimulationClient } from '../../studio/src/simulation/client.ts';
import type { Reply, Request } from '../../studio/src/simulation/protocol.ts';
import { Session } from '../../studio/src/simulation/session.ts';
import { makeScene } from '../unit/cli-fixtures.ts';

/** A worker in this thread, which can be made to die. */
class HereWorker {
  onmessage: ((event: { data: Reply }) => void) | null = null;
  onerror: ((event: object) => void) | null = null;
  isTerminated = false;
  readonly #session = new Session((reply) => this.onmessage?.({ data: structuredClone(reply) }));

  postMessage(request: Request): void {
    if (this.isTerminated) return;
    void this.#session.receive(structuredClone(request));
    for (let n = 0; n < 20; n++) this.#session.tick(8);
  }

  terminate(): void {
    this.isTerminated = true;
  }

  die(message: string): void {
    this.onerror?.({ message, preventDefault: () => {} });
  }
}

function open() {
  const workers: HereWorker[] = [];
  const client = new SimulationClient(() => {
    workers.push(new HereWorker());
    return workers.at(-1) as unknown as Worker;
  });
  const faults: string[] = [];
  client.on('fault', ({ message }) => faults.push(message));
  return { client, workers, faults };
}

const SENTENCE = 'The simulation has ended: out of memory. The next action starts it again.';

test('is said, and another opens the scene again with the next request', async () => {
  const { client, workers, faults } = open();
  await client.load(JSON.stringify(makeScene()));
  await client.runTo(3);
  const waiting = client.exportRun('nothing-yet').catch((error) => error);
  await waiting;
  workers[0].die('out of memory');
  expect(faults.at(-1)).toBe(SENTENCE);
  expect(workers).toHaveLength(1);
  expect(workers[0].isTerminated).toBe(true);
  const opened = new Promise<string>((resolve) => client.on('loaded', ({ scene }) => resolve(scene.name)));
  await client.runTo(5);
  expect(await opened).toBe('spring');
  expect(workers).toHaveLength(2);
  client.close();
});

test('lets nothing wait for it', async () => {
  const { client, workers, faults } = open();
  await client.load(JSON.stringify(makeScene()));
  const { postMessage } = workers[0];
  workers[0].postMessage = () => {};
  const asked = [client.runTo(7), client.exportRun('csv'), client.load('{}')].map((one) => one.catch(String));
  workers[0].die('out of memory');
  for (const answer of await Promise.all(asked)) expect(answer).toBe(`SimulationError: ${SENTENCE}`);
  expect(faults).toEqual([SENTENCE]);
  workers[0].postMessage = postMessage;
  // a worker that cannot be loaded is not started again and again by itself
  expect(workers).toHaveLength(1);
  workers[0].die('twice');
  expect(faults).toHaveLength(1);
  await client.load(JSON.stringify(makeScene()));
  expect(workers).toHaveLength(2);
  client.close();
});
