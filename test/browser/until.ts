/**
 * Waiting without a clock: what a test needs is looked for with every frame of the page, for as long as it takes. Only the
 * time limit of vitest, which is there against hangs, puts an end to it; the failure then says what was waited for.
 */
import { onTestFailed } from 'vitest';

const nextFrame = () => new Promise(requestAnimationFrame);

/** Waits until `find` gives something true and, two frames later, what follows from it is drawn; gives what was found. */
export async function until<Found>(find: () => Found): Promise<NonNullable<Exclude<Found, false | 0 | ''>>> {
  let isWaiting = true;
  onTestFailed(({ task }) => {
    if (!isWaiting) return;
    isWaiting = false;
    for (const error of task.result?.errors ?? []) error.message += `\nNothing came of ${find}`;
  });
  try {
    while (isWaiting) {
      const found = find();
      await nextFrame();
      if (!found) continue;
      await nextFrame();
      return found as NonNullable<Exclude<Found, false | 0 | ''>>;
    }
  } finally {
    isWaiting = false;
  }
  throw new Error('the test is over');
}

/** Waits until `check` does not throw. */
export async function untilPasses(check: () => void): Promise<void> {
  let fault: unknown;
  onTestFailed(({ task }) => {
    if (fault !== undefined)
      for (const error of task.result?.errors ?? []) error.message += `\nIt last failed by ${fault}`;
  });
  await until(() => {
    try {
      check();
      fault = undefined;
      return true;
    } catch (error) {
      fault = error;
      return false;
    }
  });
}
