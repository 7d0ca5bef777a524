/**
 * The worker that simulates: a session that gets its requests from the page. Ticks are short, and between two of them the
 * worker listens: a message channel to itself brings it back at once, where a timer would wait for four milliseconds.
 */
import type { Request, Rest, Rested } from './protocol.ts';
import { Session } from './session.ts';

/** Longest time without listening, single sub-steps aside [ms]. */
const BUDGET = 8;

/** What of a worker's global scope is used here; the library of the DOM knows pages only. */
interface WorkerScope {
  postMessage(message: unknown, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent<Request | Rest>) => void) | null;
}

function startWorker(scope: WorkerScope): void {
  const createSession = () => new Session((reply, transfer) => scope.postMessage(reply, transfer));
  let session = createSession();
  const channel = new MessageChannel();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isScheduled = false;
  const tick = (): void => {
    isScheduled = false;
    schedule(session.tick(BUDGET));
  };
  const schedule = (delay: number): void => {
    clearTimeout(timer);
    if (delay === 0) {
      if (!isScheduled) channel.port2.postMessage(null);
      isScheduled = true;
    } else if (delay < Number.POSITIVE_INFINITY) timer = setTimeout(tick, delay);
  };
  channel.port1.onmessage = tick;
  scope.onmessage = ({ data: request }) => {
    if (request.type === 'rest') {
      const { isLight } = session;
      session = createSession();
      scope.postMessage({ type: 'rested', isLight } satisfies Rested, []);
      return;
    }
    void session.receive(request);
    schedule(0);
  };
}

startWorker(self as unknown as WorkerScope);
