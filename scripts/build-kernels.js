// Compiles src/kernels/kernels.c to WebAssembly (clang and wasm-ld, with SIMD) and writes it into the package as base64; writes the
// twin for single precision. Only needed after a change in src/kernels: the outputs are kept in the repository.
//     node scripts/build-kernels.js
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const folder = fileURLToPath(new URL('../src/kernels/', import.meta.url));

const FLAGS = [
  '--target=wasm32',
  '-O3',
  '-msimd128',
  '-mbulk-memory',
  '-mmutable-globals',
  '-ffreestanding',
  '-nostdlib',
  '-ffp-contract=off',
  '-fvisibility=hidden',
  '-Wall',
  '-Wl,--no-entry',
  '-Wl,--import-memory',
  // 65535 pages: a memory can only be shared where its maximum is declared
  '-Wl,--max-memory=4294901760',
  '-Wl,--export=__stack_pointer',
  '-Wl,--export-dynamic',
  '-Wl,--strip-all',
  '-Wl,-z,stack-size=16384',
];

/** The compiled module in base64. */
export function compileKernels() {
  const place = mkdtempSync(join(tmpdir(), 'heddle-kernels-'));
  try {
    const out = join(place, 'kernels.wasm');
    execFileSync('clang', [...FLAGS, '-o', out, join(folder, 'kernels.c')], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    return readFileSync(out).toString('base64');
  } finally {
    rmSync(place, { recursive: true });
  }
}

/** The version of clang that the module in the repository was made by, as far as bytes depend on it. */
export const readCompilerVersion = () =>
  execFileSync('clang', ['--version'], { encoding: 'utf8' }).match(/version (\d+)/)?.[1];

/** The TypeScript module that holds the compiled one. */
export const writeModule = (base64, version) =>
  `// Written by scripts/build-kernels.js from kernels.c (clang ${version}); do not edit.\nexport const KERNELS_BASE64 =\n  '${base64}';\n`;

/** The twin for single precision, from that for double. */
export const writeSingleTwin = (source) =>
  source
    .replace(/^\/\*\*[\s\S]*?\*\/\n/, '// Written by scripts/build-kernels.js from fronts-twin.ts; do not edit.\n')
    .replace('const GROUP = 4;', 'const GROUP = 8;')
    .replace('const SHIFT = 3;', 'const SHIFT = 2;')
    .replace('const TRACKS = true;', 'const TRACKS = false;')
    .replace('(views: Views): Float64Array => views.f64', '(views: Views): Float32Array => views.f32')
    .replace('const round = (value: number): number => value;', 'const round = Math.fround;')
    .replace('class FrontTwinDouble', 'class FrontTwinSingle');

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(join(folder, 'kernels.generated.ts'), writeModule(compileKernels(), readCompilerVersion()));
  const twin = readFileSync(join(folder, 'fronts-twin.ts'), 'utf8');
  writeFileSync(join(folder, 'fronts-twin-single.generated.ts'), writeSingleTwin(twin));
}
