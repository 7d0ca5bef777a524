/** The key of a view in the page's own type: kinds of nodes, the check's length, arrows, the colour map with its range. */
import { html, nothing, svg, type TemplateResult } from 'lit';
import { FORCE_COLOURS } from '../arrows.ts';
import { computeColour } from '../colour-map.ts';
import {
  formatForce,
  formatLength,
  formatValue,
  NODE_COLOURS,
  NODE_NAMES,
  type OverlayContent,
  UNITS,
} from '../overlay.ts';

const GRADIENT = `linear-gradient(to right, ${Array.from({ length: 17 }, (_, i) => `rgb(${computeColour(i / 16).join(' ')})`).join(', ')})`;

const formatChecks = ([even, odd]: OverlayContent['checkColours']): string =>
  `repeating-linear-gradient(to right, ${even} 0 8px, ${odd} 8px 16px)`;

const dot = (colour: string) => html`<i class="dot" .style=${`background: ${colour}`}></i>`;

/** An arrow to the right as long as asked for, in the colour of the text unless told otherwise. */
const arrow = (length: number, colour = 'currentColor') => {
  const head = Math.min(9, 0.6 * length);
  const shape = `M0 3.5H${length - head}V0L${length} 5L${length - head} 10V6.5H0Z`;
  return html`<svg class="arrow" width=${length} height="10" viewBox="0 0 ${length} 10" aria-hidden="true">
    ${svg`<path d=${shape} fill=${colour}></path>`}
  </svg>`;
};

const renderForces = ({ newtons, pixels }: NonNullable<OverlayContent['forces']>) => html`
  <li>${arrow(22, FORCE_COLOURS.contact)}contact force</li>
  <li>${arrow(22, FORCE_COLOURS.constraint)}constraint force</li>
  ${newtons > 0 ? html`<li class="scale">${arrow(pixels)}= ${formatForce(newtons)}</li>` : nothing}
`;

/** The legend of what a view shows. */
export function renderLegend(content: OverlayContent): TemplateResult {
  const scale = content.colour === 'strain' ? 100 : 1;
  const [low, high] = content.range.map((value) => formatValue(scale * value));
  return html`<ul class="legend" aria-label="Key">
    ${content.nodes.map((kind) => html`<li>${dot(NODE_COLOURS[kind])}${NODE_NAMES[kind]}</li>`)}
    ${content.groups.map(({ name, colour }) => html`<li>${dot(colour)}${name}</li>`)}
    ${
      content.markers > 0
        ? html`<li>${dot(NODE_COLOURS.marker)}every ${formatLength(content.markers)} of material</li>`
        : nothing
    }
    ${
      content.colour === 'checker'
        ? content.check > 0
          ? html`<li><i class="checks" .style=${`background: ${formatChecks(content.checkColours)}`}></i>check ${formatLength(content.check)}</li>`
          : nothing
        : html`<li class="map">
            <span>${content.colour} [${UNITS[content.colour]}]</span>
            <i class="ramp" .style=${`background: ${GRADIENT}`}></i>
            <span class="ends"><span>${low}</span><span>${high}</span></span>
          </li>`
    }
    ${content.lines ? html`<li><i class="elements"></i>element</li>` : nothing}
    ${content.forces === undefined ? nothing : renderForces(content.forces)}
  </ul>`;
}
