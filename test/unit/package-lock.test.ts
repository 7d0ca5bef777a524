import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface LockedPackage {
  readonly resolved?: string;
  readonly link?: boolean;
  readonly integrity?: string;
}

test('package-lock.json names no registry: every package is found by name, version and checksum', () => {
  const text = readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8');
  const packages: Record<string, LockedPackage> = JSON.parse(text).packages;
  const entries = Object.entries(packages).filter(([path]) => path.startsWith('node_modules/'));
  const withHost = entries.filter(([, { resolved }]) => resolved !== undefined && /^\w+:/.test(resolved));
  const unchecked = entries.filter(([, { link, integrity }]) => !link && integrity === undefined);
  expect(withHost.map(([path]) => path)).toEqual([]);
  expect(unchecked.map(([path]) => path)).toEqual([]);
  expect(entries.length).toBeGreaterThan(20);
});
