/** Gaussian elimination with partial pivoting: the independent oracle of the solver tests. Row-major n × n. */
export function solveByElimination(matrix: ArrayLike<number>, rightHandSide: ArrayLike<number>): Float64Array {
  const n = rightHandSide.length;
  const rows = Array.from({ length: n }, (_, i) => [
    ...Array.from({ length: n }, (_, j) => matrix[i * n + j]),
    rightHandSide[i],
  ]);
  for (let k = 0; k < n; k++) {
    let best = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(rows[i][k]) > Math.abs(rows[best][k])) best = i;
    if (rows[best][k] === 0)
      throw new RangeError(`solveByElimination: column ${k} has no pivot; the matrix is singular.`);
    [rows[k], rows[best]] = [rows[best], rows[k]];
    for (let i = k + 1; i < n; i++) {
      const factor = rows[i][k] / rows[k][k];
      for (let j = k; j <= n; j++) rows[i][j] -= factor * rows[k][j];
    }
  }
  const x = new Float64Array(n);
  for (let i = n - 1; i >= 0; i--) {
    let sum = rows[i][n];
    for (let j = i + 1; j < n; j++) sum -= rows[i][j] * x[j];
    x[i] = sum / rows[i][i];
  }
  return x;
}
