/** A continuum of everything, for the tests that compare Chromium with Node. */
import { SingleContinuum } from 'heddle/mpm';
import { createCloth, createHair, createHeap } from '../unit/mpm-parts.ts';

/** All numbers of cloth, hair, sand, goo and fluid that met, after some steps in single precision. */
export function runContinuum(): number[] {
  const fall = (x: readonly number[], speed: number): number[] =>
    x.map((_, k) => (k % 3 === 1 ? speed : 0.1 * (k % 5)));
  const cloth = createCloth(9, 7, 0.013);
  const hair = createHair(6, 11, 0.009);
  const heaps = [
    createHeap('sand', 4, 0.01, [0.01, 0.04, 0]),
    createHeap('goo', 4, 0.01, [0.04, -0.05, 0.01]),
    createHeap('fluid', 5, 0.01, [-0.02, -0.05, 0]),
  ];
  const model = new SingleContinuum({
    spacing: 0.02,
    gravity: [0, -9.8, 0],
    parts: [
      { ...cloth, v: fall(cloth.x, 0) },
      { ...hair, v: fall(hair.x, -1) },
      ...heaps.map((heap, k) => ({ ...heap, v: fall(heap.x, k === 0 ? -1 : 1) })),
    ],
    threads: 1,
  });
  for (let n = 0; n < 60; n++) model.step(1);
  const { x, v, C, F, gain } = model.points;
  return [x, v, C, F, gain].flatMap((array) => Array.from(array));
}
