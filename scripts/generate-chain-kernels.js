/**
 * Writes src/sparse/chain-kernels.generated.ts: the factor and solve loops of BlockBanded with the block arithmetic
 * unrolled into local variables, for the block sizes and bandwidths that strands and rods use every step.
 *
 *   node scripts/generate-chain-kernels.js
 *
 * The arithmetic (per node i, blocks E = A[i+1, i] and F = A[i+2, i]):
 *   D − s = L d Lᵀ       unpivoted scalar LDLT of the diagonal block, s carried over from the nodes before
 *   Y L ᵀ = E − p        so that Y d⁻¹ is the block of L; p carried over (bandwidth 2 only)
 *   s', p', t' = Y Y' d⁻¹  carried to the next nodes in local variables, never through memory
 * Names in the output: d diagonal block, i its inverse pivots, y and l as above (m and n for F's), o block offset.
 *
 * A substitution waits for each of its sums: the two columns of a pair, side by side, take little longer than one. Names of the
 * second column end in v, a entries of the matrix that both read.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Strands (x, u) without and with bending, and rods (x, u, ω). Others take the loops of chain-generic.ts. A page downloads all of this. */
const CASES = [
  { size: 4, bandwidth: 1 },
  { size: 4, bandwidth: 2 },
  { size: 7, bandwidth: 1 },
];

const range = (from, to) => Array.from({ length: Math.max(0, to - from) }, (_, k) => from + k);
const plus = (index) => (index === 0 ? '' : ` + ${index}`);
/** name + two indices, valid as a variable name while both are single digits */
const v = (name, row, column) => `${name}${row}${column}`;
const subtract = (first, terms) => [first, ...terms].join(' - ');
const lowerPairs = (n) => range(0, n).flatMap((r) => range(0, r + 1).map((c) => [r, c]));
const allPairs = (n) => range(0, n).flatMap((r) => range(0, n).map((c) => [r, c]));
const declareZero = (names) => `let ${names.map((name) => `${name} = 0`).join(', ')};`;

/** LDLT of the diagonal block minus what was carried to it. */
function pivotLines(n) {
  const lines = [];
  for (const r of range(0, n)) {
    for (const c of range(0, r)) {
      const terms = range(0, c).map((k) => `${v('w', r, k)} * ${v('d', c, k)}`);
      lines.push(`const ${v('w', r, c)} = ${subtract(`d[o${plus(r * n + c)}] - ${v('s', r, c)}`, terms)};`);
    }
    for (const c of range(0, r)) {
      lines.push(`const ${v('d', r, c)} = ${v('w', r, c)} * i${c};`);
      lines.push(`d[o${plus(r * n + c)}] = ${v('d', r, c)};`);
    }
    const terms = range(0, r).map((k) => `${v('w', r, k)} * ${v('d', r, k)}`);
    lines.push(`const a${r} = d[o${plus(r * n + r)}];`);
    lines.push(`const p${r} = ${subtract(`a${r} - ${v('s', r, r)}`, terms)};`);
    lines.push(`if (!(p${r} > RELATIVE_PIVOT * a${r} + SMALLEST_PIVOT)) {`);
    lines.push(`  pivots[0] = p${r};`);
    lines.push('  pivots[1] = largest;');
    lines.push('  return i;');
    lines.push('}');
    lines.push(`if (p${r} < smallest) smallest = p${r};`);
    lines.push(`if (p${r} > largest) largest = p${r};`);
    lines.push(`const i${r} = 1 / p${r};`);
    lines.push(`d[o${plus(r * n + r)}] = i${r};`);
  }
  return lines;
}

/** One row of an off-diagonal block: y Lᵀ = row, l = y d⁻¹ written back. */
function panelRowLines(n, array, y, l, r, carry) {
  const lines = [];
  for (const c of range(0, n)) {
    const first = `${array}[o${plus(r * n + c)}]${carry ? ` - ${v(carry, r, c)}` : ''}`;
    const terms = range(0, c).map((k) => `${v(y, r, k)} * ${v('d', c, k)}`);
    lines.push(`const ${v(y, r, c)} = ${subtract(first, terms)};`);
  }
  for (const c of range(0, n)) {
    lines.push(`const ${v(l, r, c)} = ${v(y, r, c)} * i${c};`);
    lines.push(`${array}[o${plus(r * n + c)}] = ${v(l, r, c)};`);
  }
  return lines;
}

const dot = (n, y, r, l, q) =>
  range(0, n)
    .map((k) => `${v(y, r, k)} * ${v(l, q, k)}`)
    .join(' + ');

function factorFunction({ size: n, bandwidth }) {
  const wide = bandwidth === 2;
  const body = [...pivotLines(n), 'if (i + 1 >= blocks) break;'];
  for (const r of range(0, n)) {
    body.push(...panelRowLines(n, 'e', 'y', 'l', r, wide ? 'c' : undefined));
    for (const q of range(0, r + 1)) {
      body.push(`${v('s', r, q)} = ${wide ? `${v('t', r, q)} + ` : ''}${dot(n, 'y', r, 'l', q)};`);
    }
  }
  if (wide) {
    body.push('if (i + 2 >= blocks) continue;');
    for (const r of range(0, n)) {
      body.push(...panelRowLines(n, 'f', 'm', 'n', r, undefined));
      for (const q of range(0, n)) body.push(`${v('c', r, q)} = ${dot(n, 'm', r, 'l', q)};`);
      for (const q of range(0, r + 1)) body.push(`${v('t', r, q)} = ${dot(n, 'm', r, 'n', q)};`);
    }
  }
  const carried = lowerPairs(n).map(([r, c]) => v('s', r, c));
  const carriedWide = [...lowerPairs(n).map(([r, c]) => v('t', r, c)), ...allPairs(n).map(([r, c]) => v('c', r, c))];
  return [
    `function factor${n}x${bandwidth}(bands: readonly Float64Array[], blocks: number, pivots: Float64Array): number {`,
    '  const d = bands[0];',
    '  const e = bands[1];',
    ...(wide ? ['  const f = bands[2];'] : []),
    '  let smallest = Number.POSITIVE_INFINITY;',
    '  let largest = 0;',
    `  ${declareZero(carried)}`,
    ...(wide ? [`  ${declareZero(carriedWide)}`] : []),
    `  for (let i = 0, o = 0; i < blocks; i++, o += ${n * n}) {`,
    ...body.map((line) => `    ${line}`),
    '  }',
    '  pivots[0] = smallest;',
    '  pivots[1] = largest;',
    '  return -1;',
    '}',
  ];
}

function forwardFunction({ size: n, bandwidth }) {
  const wide = bandwidth === 2;
  const body = [];
  for (const r of range(0, n)) {
    const terms = range(0, r).map((k) => `d[o${plus(r * n + k)}] * x${k}`);
    body.push(`const x${r} = ${subtract(`x[b${plus(r)}] - p${r}`, terms)};`);
    body.push(`x[b${plus(r)}] = x${r};`);
  }
  const row = (array, r) =>
    range(0, n)
      .map((k) => `${array}[o${plus(r * n + k)}] * x${k}`)
      .join(' + ');
  for (const r of range(0, n)) body.push(`p${r} = ${wide ? `q${r} + ` : ''}${row('e', r)};`);
  if (wide) for (const r of range(0, n)) body.push(`q${r} = ${row('f', r)};`);
  const parameters = 'bands: readonly Float64Array[], x: Float64Array, offset: number, from: number, blocks: number';
  return [
    `function forward${n}x${bandwidth}(${parameters}): void {`,
    '  const d = bands[0];',
    '  const e = bands[1];',
    ...(wide ? ['  const f = bands[2];'] : []),
    `  ${declareZero(range(0, n).map((r) => `p${r}`))}`,
    ...(wide ? [`  ${declareZero(range(0, n).map((r) => `q${r}`))}`] : []),
    `  for (let i = from, o = from * ${n * n}, b = offset + from * ${n}; i < blocks; i++, o += ${n * n}, b += ${n}) {`,
    ...body.map((line) => `    ${line}`),
    '  }',
    '}',
  ];
}

function backwardFunction({ size: n, bandwidth }) {
  const wide = bandwidth === 2;
  const column = (array, c, x) => range(0, n).map((k) => `${array}[o${plus(k * n + c)}] * ${x}${k}`);
  const body = range(0, n).map((c) => `let z${c} = x[b${plus(c)}] * d[o${plus(c * n + c)}];`);
  body.push('if (i + 1 < blocks) {');
  for (const c of range(0, n)) body.push(`  z${c} -= ${column('e', c, 'x').join(' + ')};`);
  body.push('}');
  if (wide) {
    body.push('if (i + 2 < blocks) {');
    for (const c of range(0, n)) body.push(`  z${c} -= ${column('f', c, 'y').join(' + ')};`);
    body.push('}');
    for (const c of range(0, n)) body.push(`y${c} = x${c};`);
  }
  for (const c of range(0, n).reverse()) {
    const terms = range(c + 1, n)
      .reverse()
      .map((k) => `d[o${plus(k * n + c)}] * x${k}`);
    body.push(`x${c} = ${subtract(`z${c}`, terms)};`);
    body.push(`x[b${plus(c)}] = x${c};`);
  }
  const parameters = 'bands: readonly Float64Array[], x: Float64Array, offset: number, until: number, blocks: number';
  return [
    `function backward${n}x${bandwidth}(${parameters}): void {`,
    '  const d = bands[0];',
    '  const e = bands[1];',
    ...(wide ? ['  const f = bands[2];'] : []),
    `  ${declareZero(range(0, n).map((r) => `x${r}`))}`,
    ...(wide ? [`  ${declareZero(range(0, n).map((r) => `y${r}`))}`] : []),
    `  for (let i = blocks - 1, o = i * ${n * n}, b = offset + i * ${n}; i >= until; i--, o -= ${n * n}, b -= ${n}) {`,
    ...body.map((line) => `    ${line}`),
    '  }',
    '}',
  ];
}

/** Products of row r of a block with the unknowns of both columns: entries are read once. */
function pairRowLines(n, array, r, one, begins) {
  const entries = range(0, n).map((k) => `const a${one}${r}${k} = ${array}[o${plus(r * n + k)}];`);
  const sum = (s) => range(0, n).map((k) => `a${one}${r}${k} * x${k}${s}`);
  return [...entries, ...['', 'v'].map((s) => `${one}${r}${s} = ${[...begins(s), ...sum(s)].join(' + ')};`)];
}

function forwardPairFunction({ size: n, bandwidth }) {
  const wide = bandwidth === 2;
  const body = [];
  for (const r of range(0, n)) {
    for (const k of range(0, r)) body.push(`const d${r}${k} = d[o${plus(r * n + k)}];`);
    for (const s of ['', 'v']) {
      const terms = range(0, r).map((k) => `d${r}${k} * x${k}${s}`);
      body.push(`const x${r}${s} = ${subtract(`x[b${s}${plus(r)}] - p${r}${s}`, terms)};`);
      body.push(`x[b${s}${plus(r)}] = x${r}${s};`);
    }
  }
  for (const r of range(0, n)) body.push(...pairRowLines(n, 'e', r, 'p', (s) => (wide ? [`q${r}${s}`] : [])));
  if (wide) for (const r of range(0, n)) body.push(...pairRowLines(n, 'f', r, 'q', () => []));
  const both = (name) => range(0, n).flatMap((r) => [`${name}${r}`, `${name}${r}v`]);
  const parameters =
    'bands: readonly Float64Array[], x: Float64Array, offset: number, second: number, from: number, blocks: number';
  return [
    `function forwardPair${n}x${bandwidth}(${parameters}): void {`,
    '  const d = bands[0];',
    '  const e = bands[1];',
    ...(wide ? ['  const f = bands[2];'] : []),
    `  ${declareZero(both('p'))}`,
    ...(wide ? [`  ${declareZero(both('q'))}`] : []),
    `  for (let i = from, o = from * ${n * n}, b = offset + from * ${n}, bv = second + from * ${n}; i < blocks; i++, o += ${n * n}, b += ${n}, bv += ${n}) {`,
    ...body.map((line) => `    ${line}`),
    '  }',
    '}',
  ];
}

function backwardPairFunction({ size: n, bandwidth }) {
  const wide = bandwidth === 2;
  const body = [];
  for (const c of range(0, n)) {
    body.push(`const i${c} = d[o${plus(c * n + c)}];`);
    for (const s of ['', 'v']) body.push(`let z${c}${s} = x[b${s}${plus(c)}] * i${c};`);
  }
  const subtractBlock = (array, x) => {
    for (const c of range(0, n)) {
      for (const k of range(0, n)) body.push(`  const a${c}${k} = ${array}[o${plus(k * n + c)}];`);
      for (const s of ['', 'v'])
        body.push(
          `  z${c}${s} -= ${range(0, n)
            .map((k) => `a${c}${k} * ${x}${k}${s}`)
            .join(' + ')};`,
        );
    }
    body.push('}');
  };
  body.push('if (i + 1 < blocks) {');
  subtractBlock('e', 'x');
  if (wide) {
    body.push('if (i + 2 < blocks) {');
    subtractBlock('f', 'y');
    for (const c of range(0, n)) for (const s of ['', 'v']) body.push(`y${c}${s} = x${c}${s};`);
  }
  for (const c of range(0, n).reverse()) {
    const above = range(c + 1, n).reverse();
    for (const k of above) body.push(`const d${k}${c} = d[o${plus(k * n + c)}];`);
    for (const s of ['', 'v']) {
      const terms = above.map((k) => `d${k}${c} * x${k}${s}`);
      body.push(`x${c}${s} = ${subtract(`z${c}${s}`, terms)};`);
      body.push(`x[b${s}${plus(c)}] = x${c}${s};`);
    }
  }
  const both = (name) => range(0, n).flatMap((r) => [`${name}${r}`, `${name}${r}v`]);
  const parameters =
    'bands: readonly Float64Array[], x: Float64Array, offset: number, second: number, until: number, blocks: number';
  return [
    `function backwardPair${n}x${bandwidth}(${parameters}): void {`,
    '  const d = bands[0];',
    '  const e = bands[1];',
    ...(wide ? ['  const f = bands[2];'] : []),
    `  ${declareZero(both('x'))}`,
    ...(wide ? [`  ${declareZero(both('y'))}`] : []),
    `  for (let i = blocks - 1, o = i * ${n * n}, b = offset + i * ${n}, bv = second + i * ${n}; i >= until; i--, o -= ${n * n}, b -= ${n}, bv -= ${n}) {`,
    ...body.map((line) => `    ${line}`),
    '  }',
    '}',
  ];
}

const KERNELS = [factorFunction, forwardFunction, backwardFunction, forwardPairFunction, backwardPairFunction];

/** The whole text of the generated module. */
export function generateChainKernels() {
  const names = ({ size, bandwidth }) =>
    `  { size: ${size}, bandwidth: ${bandwidth}, factor: factor${size}x${bandwidth}, ` +
    `forward: forward${size}x${bandwidth}, backward: backward${size}x${bandwidth}, ` +
    `forwardPair: forwardPair${size}x${bandwidth}, backwardPair: backwardPair${size}x${bandwidth} },`;
  return [
    '// Generated by scripts/generate-chain-kernels.js, which says what the names mean. Do not edit.',
    "import { type ChainKernels, RELATIVE_PIVOT, SMALLEST_PIVOT } from './chain-generic.ts';",
    '',
    ...CASES.flatMap((one) => KERNELS.flatMap((write) => [...write(one), ''])),
    'export const UNROLLED_CHAIN_KERNELS: readonly ChainKernels[] = [',
    ...CASES.map(names),
    '];',
    '',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('../src/sparse/chain-kernels.generated.ts', import.meta.url), generateChainKernels());
}
