/** Whether compiled kernels run here: a file of its own, without the kernels, for pages that only ask. */

/** The shortest module with SIMD. */
const PROBE = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11],
);

/** Whether kernels can be compiled here; their twins in TypeScript take over where not. */
export function canCompileKernels(): boolean {
  const { WebAssembly: api } = globalThis as { WebAssembly?: { validate(bytes: Uint8Array): boolean } };
  return api?.validate(PROBE) ?? false;
}
