/** The time after which a test in Chromium, or a part of it, counts as one that never ends [ms]. No test is to fail by it on a slow or busy machine. */
export const HANG_LIMIT = 900_000;
