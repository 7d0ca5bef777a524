/**
 * Waiting without a clock: what a test needs is looked for with every frame of the page, for as long as it takes. Only the
 * time limit of vitest, which is there against hangs, puts an end to it; the failure then says what was waited for.
 */
import { onTestFailed } from 'vitest';

/** What is true of `Found`. */
type Something<Found> = NonNullable<Exclude<Found, false | 0 | ''>>;

/** Waits until `look` gives something true and, two frames later, what follows from it is drawn; gives what was found. */
export async function lookUntil<Found>(
  look: () => Found | Promise<Found>,
  nextFrame: () => Promise<unknown>,
  name: string,
): Promise<Something<Found>> {
  let isWaiting = true;
  onTestFailed(({ task }) => {
    if (isWaiting) for (const error of task.result?.errors ?? []) error.message += `\nNothing came of ${name}`;
    isWaiting = false;
  });
  try {
    while (isWaiting) {
      const found = await look();
      await nextFrame();
      if (!found) continue;
      await nextFrame();
      return found as Something<Found>;
    }
  } finally {
    isWaiting = false;
  }
  throw new Error('the test is over');
}

/** Waits in the page until `find` gives something true, and gives that. */
export const until = <Found>(find: () => Found): Promise<Something<Found>> =>
  lookUntil(find, () => new Promise(requestAnimationFrame), String(find));

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
