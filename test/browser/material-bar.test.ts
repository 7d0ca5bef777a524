/** The bar under the studio's view: of a rod it has the colours of the view. */
import { afterEach, expect, test } from 'vitest';
import { HeddleMaterialBar } from '../../studio/src/app/material-bar.ts';
import { computeColour } from '../../studio/src/colour-map.ts';
import type { OverlayContent } from '../../studio/src/overlay.ts';
import { createFrame, createStrand } from './sample.ts';

afterEach(() => document.body.replaceChildren());

const strand = createStrand();
const n = strand.u.length;
// curvature rises along the rod, tension falls
const curvature = Float64Array.from(strand.u, (_, i) => i);
const tension = Float64Array.from(strand.u, (_, i) => n - 1 - i);
const frame = {
  ...createFrame(),
  objects: [{ ...strand, fields: { curvature, tension, twist: new Float64Array(n) } }],
};

/** Colour of the bar at a share of the material. */
async function drawBar(colour: OverlayContent['colour'], share: number): Promise<number[]> {
  const bar = new HeddleMaterialBar();
  bar.style.width = '600px';
  bar.frame = frame;
  bar.content = { colour, range: [0, n - 1] } as unknown as OverlayContent;
  document.body.append(bar);
  await bar.updateComplete;
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  const canvas = bar.renderRoot.querySelector('canvas')!;
  const scale = canvas.width / canvas.clientWidth;
  const x = Math.round((6 + share * (canvas.clientWidth - 12)) * scale);
  return [...canvas.getContext('2d')!.getImageData(x, Math.round(8 * scale), 1, 1).data].slice(0, 3);
}

test.each([0.03, 0.97])(
  'At %s of its material a rod has the colour of its tension, and of its curvature under checks',
  async (share) => {
    const wanted = { tension: 1 - share, checker: share } as const;
    for (const colour of ['tension', 'checker'] as const)
      (await drawBar(colour, share)).forEach((value, k) => {
        expect(Math.abs(value - computeColour(wanted[colour])[k]), colour).toBeLessThan(25);
      });
  },
);
