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
#define TRACKS 1
#define MASK long long
#define MASKS {-1, -1, 0, 0}
#define SPLAT(a) wasm_f64x2_splat(a)
#define SPLATLOAD(p) wasm_v128_load64_splat(p)
#define ADD(a, b) wasm_f64x2_add(a, b)
#define SUB(a, b) wasm_f64x2_sub(a, b)
#define MUL(a, b) wasm_f64x2_mul(a, b)
#define ABS(a) wasm_f64x2_abs(a)
#define SUMLANES(v) (wasm_f64x2_extract_lane(v, 0) + wasm_f64x2_extract_lane(v, 1))
#include "fronts.inc"
#undef REAL
#undef SUFFIX
#undef GROUP
#undef TRACKS
#undef MASK
#undef MASKS
#undef SPLAT
#undef SPLATLOAD
#undef ADD
#undef SUB
#undef MUL
#undef ABS
#undef SUMLANES

#define REAL float
#define SUFFIX 32
#define GROUP 8
#define TRACKS 0
#define MASK int
#define MASKS {-1, -1, -1, -1, 0, 0, 0, 0}
#define SPLAT(a) wasm_f32x4_splat(a)
#define SPLATLOAD(p) wasm_v128_load32_splat(p)
#define ADD(a, b) wasm_f32x4_add(a, b)
#define SUB(a, b) wasm_f32x4_sub(a, b)
#define MUL(a, b) wasm_f32x4_mul(a, b)
#define ABS(a) wasm_f32x4_abs(a)
#define SUMLANES(v)                                                   \
  ((wasm_f32x4_extract_lane(v, 0) + wasm_f32x4_extract_lane(v, 2)) + \
   (wasm_f32x4_extract_lane(v, 1) + wasm_f32x4_extract_lane(v, 3)))
#include "fronts.inc"

/* out = A x; A: symmetric, lower blocks by columns, the diagonal first and in full (src/sparse/block-mixed.ts) */
EXPORT void multiplyBlocks(const double *v, int n, const int *columnStart, const int *rows, const int *blockStart,
                           const double *x, double *out) {
  for (int k = 0; k < blockStart[n]; k++) out[k] = 0;
  for (int j = 0; j < n; j++) {
    int column = blockStart[j], width = blockStart[j + 1] - column;
    for (int slot = columnStart[j]; slot < columnStart[j + 1]; slot++) {
      int i = rows[slot], row = blockStart[i], height = blockStart[i + 1] - row;
      if (width == 3 && height == 3 && row != column) {
        /* the column's own numbers stay in registers as long as its blocks are of this kind */
        double x0 = x[column], x1 = x[column + 1], x2 = x[column + 2];
        double o0 = out[column], o1 = out[column + 1], o2 = out[column + 2];
        for (;;) {
          double z0 = x[row], z1 = x[row + 1], z2 = x[row + 2];
          out[row] += v[0] * x0 + v[1] * x1 + v[2] * x2;
          out[row + 1] += v[3] * x0 + v[4] * x1 + v[5] * x2;
          out[row + 2] += v[6] * x0 + v[7] * x1 + v[8] * x2;
          o0 += v[0] * z0 + v[3] * z1 + v[6] * z2;
          o1 += v[1] * z0 + v[4] * z1 + v[7] * z2;
          o2 += v[2] * z0 + v[5] * z1 + v[8] * z2;
          v += 9;
          if (slot + 1 == columnStart[j + 1]) break;
          int next = rows[slot + 1];
          if (blockStart[next + 1] - blockStart[next] != 3) break;
          slot++;
          row = blockStart[next];
        }
        out[column] = o0;
        out[column + 1] = o1;
        out[column + 2] = o2;
        continue;
      }
      for (int r = 0; r < height; r++, v += width) {
        double sum = 0;
        for (int c = 0; c < width; c++) sum += v[c] * x[column + c];
        out[row + r] += sum;
        if (row == column) continue;
        for (int c = 0; c < width; c++) out[column + c] += v[c] * x[row + r];
      }
    }
  }
}

/* out += C Cᵀ scale for C of size × depth, whose entry (r, c) is at r rowStep + c columnStep */
static inline void addGram(const double *v, int rowStep, int columnStep, int size, int depth, double scale, double *out) {
  for (int r = 0; r < size; r++)
    for (int s = 0; s < size; s++) {
      double sum = 0;
      for (int c = 0; c < depth; c++) sum += v[r * rowStep + c * columnStep] * v[s * rowStep + c * columnStep];
      out[r * size + s] += scale * sum;
    }
}

/* Diagonal blocks of P (src/sparse/sparsified.ts): those of A, and the loss of the blocks that are left out */
EXPORT void stiffenDiagonals(double *values, int n, const int *blockStart, const int *diagonals, const int *left, int leftCount) {
  for (int j = 0; j < n; j++) {
    int size = blockStart[j + 1] - blockStart[j];
    const double *from = values + diagonals[2 * j];
    double *to = values + diagonals[2 * j + 1];
    for (int k = 0; k < size * size; k++) to[k] = from[k];
  }
  for (int e = 0; e < leftCount; e++, left += 3) {
    const double *v = values + left[0];
    int i = left[1], j = left[2];
    int height = blockStart[i + 1] - blockStart[i], width = blockStart[j + 1] - blockStart[j];
    double square = 0;
    for (int k = 0; k < height * width; k++) square += v[k] * v[k];
    if (square == 0) continue;
    double scale = 1 / __builtin_sqrt(square);
    double *ii = values + diagonals[2 * i + 1], *jj = values + diagonals[2 * j + 1];
    if (width == 3 && height == 3) {
      addGram(v, 3, 1, 3, 3, scale, ii);
      addGram(v, 1, 3, 3, 3, scale, jj);
    } else {
      addGram(v, width, 1, height, width, scale, ii);
      addGram(v, 1, width, width, height, scale, jj);
    }
  }
}

#include "sheet.inc"
#include "sheet-slide.inc"
#include "net.inc"
#include "fabric.inc"
#include "mpm.inc"
#include "mpm-laws.inc"
#include "mpm-elements.inc"
#include "mpm-bending.inc"
