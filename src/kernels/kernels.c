/*
 * The hot loops, compiled to WebAssembly by scripts/build-kernels.js: leaf functions over flat pointers, no allocation, no libraries.
 * Without -ffast-math and without fused multiply-adds, so that every result has the bits of its TypeScript twin.
 */
#include <wasm_simd128.h>

#define EXPORT __attribute__((visibility("default")))
#define NAME2(name, suffix) name##suffix
#define NAME1(name, suffix) NAME2(name, suffix)
#define NAME(name) NAME1(name, SUFFIX)

#define REAL double
#define SUFFIX 64
#define GROUP 4
#define SPLAT(a) wasm_f64x2_splat(a)
#define SPLATLOAD(p) wasm_v128_load64_splat(p)
#define ADD(a, b) wasm_f64x2_add(a, b)
#define SUB(a, b) wasm_f64x2_sub(a, b)
#define MUL(a, b) wasm_f64x2_mul(a, b)
#define ABS(a) wasm_f64x2_abs(a)
#include "fronts.inc"
#undef REAL
#undef SUFFIX
#undef GROUP
#undef SPLAT
#undef SPLATLOAD
#undef ADD
#undef SUB
#undef MUL
#undef ABS

#define REAL float
#define SUFFIX 32
#define GROUP 8
#define SPLAT(a) wasm_f32x4_splat(a)
#define SPLATLOAD(p) wasm_v128_load32_splat(p)
#define ADD(a, b) wasm_f32x4_add(a, b)
#define SUB(a, b) wasm_f32x4_sub(a, b)
#define MUL(a, b) wasm_f32x4_mul(a, b)
#define ABS(a) wasm_f32x4_abs(a)
#include "fronts.inc"
