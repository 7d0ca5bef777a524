// The two tiers of tests, by cost: `npm test` leaves out whatever is long, `npm run test:all` runs everything.

/** A test, or a describe block, with `{ tags: 'long' }` is long; so is every test of a file named *.long.test.ts. */
export const TAGS = [{ name: 'long', description: 'Runs only in npm run test:all.' }];

/** The files all of whose tests are long. */
export const LONG_FILES = '**/*.long.*';

/** Arguments with which vitest leaves out what is long. */
export const SHORT_TIER = ['--exclude', LONG_FILES, '--tags-filter', '!long'];
