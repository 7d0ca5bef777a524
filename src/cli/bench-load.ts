/** Loads a benchmark of bench/, which lies beside the package's source and uses the package by its public name. */

import { existsSync } from 'node:fs';
import { HeddleError } from '../model/errors.ts';

/** What `bench/<name>.js` exports. */
export async function loadBench<Bench>(name: string): Promise<Bench> {
  const file = new URL(`../../bench/${name}.js`, import.meta.url);
  if (!existsSync(file))
    throw new HeddleError(
      "The installed package has no benchmarks; get Heddle's source code, run npm install and npm run build there, then npx heddle bench.",
    );
  return import(file.href);
}
