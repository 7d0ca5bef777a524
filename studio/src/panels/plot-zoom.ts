/** Buttons that choose the part of time that the charts show; what keys and gestures do, for everyone to see. */

import { html, type TemplateResult } from 'lit';
import type { Span } from './plot-chart.ts';

/** One step of zoom. */
export const ZOOM = 2;
/** One step along, as a share of what is shown. */
export const PAN = 0.25;

export interface Zoomable {
  /** Part of time that is shown; undefined: all. */
  span: Span | undefined;
  zoom(factor: number): void;
  pan(share: number): void;
}

export function renderZoom(owner: Zoomable): TemplateResult {
  const isWhole = owner.span === undefined;
  const tools: readonly (readonly [string, string, boolean, () => void])[] = [
    ['Zoom in', '+', false, () => owner.zoom(ZOOM)],
    ['Zoom out', '−', isWhole, () => owner.zoom(1 / ZOOM)],
    ['Earlier', '◂', isWhole, () => owner.pan(-PAN)],
    ['Later', '▸', isWhole, () => owner.pan(PAN)],
    ['Show all times', 'All', isWhole, () => (owner.span = undefined)],
  ];
  return html`<span class="zoom" role="group" aria-label="Time range shown">
    ${tools.map(
      ([name, sign, isOff, act]) =>
        html`<button aria-label=${name} title=${name} ?disabled=${isOff} @click=${act}>${sign}</button>`,
    )}
  </span>`;
}
