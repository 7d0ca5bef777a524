/**
 * Cross-origin isolation: a page whose server sends COOP and COEP headers gets exact clocks; without them browsers round the
 * clock of pages and workers, to 0.1 ms or more. All else is the same, so that only measured times need a word about it.
 */

import { canCompileKernels } from 'heddle/kernels';

/** A sentence where kernels cannot be compiled; empty elsewhere. */
export function describeKernels(isCompiled: boolean = canCompileKernels()): string {
  if (isCompiled) return '';
  return 'This browser has no WebAssembly with SIMD: slower code runs instead, with the same results. MPM then uses double precision.';
}

/** A sentence where times are rounded; empty in an isolated page. */
export function describeIsolation(isIsolated: boolean = crossOriginIsolated): string {
  if (isIsolated) return '';
  return (
    'Times are rounded to 0.1 ms or more: the server of this page does not isolate it from other origins (COOP and COEP ' +
    'headers). `heddle studio` does. Everything else is the same.'
  );
}
