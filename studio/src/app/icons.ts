/** The icons of the studio: strokes on a grid of 24. */
import { html, svg, type TemplateResult } from 'lit';

const SHAPES = {
  play: svg`<path d="M7 4.8v14.4L19 12z" fill="currentColor"/>`,
  pause: svg`<path d="M8 5v14M16 5v14" stroke-width="3.2"/>`,
  step: svg`<path d="M6 5.5v13L15 12z" fill="currentColor"/><path d="M18.5 5.5v13" stroke-width="2.4"/>`,
  reset: svg`<path d="M4.5 12a7.5 7.5 0 1 0 2.6-5.7"/><path d="M4.5 3.8v4h4"/>`,
  stop: svg`<rect x="6.5" y="6.5" width="11" height="11" rx="1.5" fill="currentColor"/>`,
  camera: svg`<path d="M4 8V5.5A1.5 1.5 0 0 1 5.5 4H8M16 4h2.5A1.5 1.5 0 0 1 20 5.5V8M20 16v2.5a1.5 1.5 0 0 1-1.5 1.5H16M8 20H5.5A1.5 1.5 0 0 1 4 18.5V16"/><circle cx="12" cy="12" r="3"/>`,
  download: svg`<path d="M12 4v11m0 0 4.5-4.5M12 15l-4.5-4.5M5 19.5h14"/>`,
  search: svg`<circle cx="10.5" cy="10.5" r="6"/><path d="m15 15 5 5"/>`,
  help: svg`<path d="M9 9.2a3 3 0 1 1 4.3 2.7c-.9.5-1.3 1-1.3 2.1"/><circle cx="12" cy="17.3" r=".6" fill="currentColor"/>`,
  light: svg`<circle cx="12" cy="12" r="4"/><path d="M12 3v2m0 14v2M3 12h2m14 0h2M5.6 5.6 7 7m10 10 1.4 1.4M5.6 18.4 7 17M17 7l1.4-1.4"/>`,
  dark: svg`<path d="M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z"/>`,
  system: svg`<circle cx="12" cy="12" r="8"/><path d="M12 4a8 8 0 0 1 0 16z" fill="currentColor"/>`,
  close: svg`<path d="m6 6 12 12M18 6 6 18"/>`,
  back: svg`<path d="M14.5 5.5 8 12l6.5 6.5"/>`,
  share: svg`<path d="M10 13.5a4 4 0 0 0 5.7 0l3-3a4 4 0 0 0-5.7-5.7l-1 1"/><path d="M14 10.5a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1"/>`,
  record: svg`<circle cx="12" cy="12" r="5" fill="currentColor"/>`,
} as const;

export type IconName = keyof typeof SHAPES;

/** An icon; what it stands for must be said beside it. */
export function icon(name: IconName): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${SHAPES[name]}</svg>`;
}
