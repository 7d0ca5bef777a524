/**
 * `<heddle-view-panel>`: what the picture shows. Colour maps are offered for the fields that the frames really have.
 *   in   settings, fields     out  show {settings}
 */
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import type { ColourMode, LiveSettings } from '../view.ts';
import { sharedStyles } from './styles.ts';

const COLOURS: readonly { readonly mode: ColourMode; readonly title: string; readonly help: string }[] = [
  {
    mode: 'checker',
    title: 'Material',
    help: 'Checker pattern on the material: it moves where the material slides. Particles have the colour of their part.',
  },
  { mode: 'strain', title: 'Strain', help: 'Relative elongation.' },
  { mode: 'tension', title: 'Tension', help: 'Axial force of the curve.' },
  { mode: 'stress', title: 'Stress', help: 'Force per area in the material.' },
  {
    mode: 'pressure',
    title: 'Pressure',
    help: 'Pressure of the particles. Negative values are tension.',
  },
  { mode: 'curvature', title: 'Curvature', help: 'Curvature: one over the radius.' },
  { mode: 'twist', title: 'Twist', help: 'Rotation about its own axis, per length.' },
  { mode: 'load', title: 'Load', help: 'Normal force between the yarns of a crossing.' },
  { mode: 'slip', title: 'Slip', help: 'Sliding speed between the yarns of a crossing.' },
  { mode: 'speed', title: 'Speed', help: 'Speed of the material.' },
];

const SWITCHES: readonly {
  readonly name: 'nodes' | 'forces' | 'lines';
  readonly title: string;
  readonly help: string;
  readonly isOn: boolean;
  readonly key?: string;
}[] = [
  {
    name: 'nodes',
    title: 'Nodes',
    help: 'Red: fixed in space, material slides through. Blue: fixed in the material, as all vertices of MPM objects are. Yellow: at a crossing. Crossings of yarns are white, pink if one of their two nodes is interpolated (EIL), red if both are.',
    isOn: true,
  },
  {
    name: 'forces',
    title: 'Forces',
    help: 'Forces on the material. Orange: contact forces, friction included. Green: constraint forces of pins, guides and ties, and the drag spring.',
    isOn: false,
    key: 'F',
  },
  {
    name: 'lines',
    title: 'Mesh lines',
    help: 'Element boundaries: a ring at every node, straight segments as computed, and the triangles of bodies.',
    isOn: false,
    key: 'M',
  },
];

export class HeddleViewPanel extends LitElement {
  static override properties = { settings: { attribute: false }, fields: { attribute: false } };

  declare settings: LiveSettings;
  declare fields: readonly string[];

  constructor() {
    super();
    this.settings = {};
    this.fields = [];
  }

  #show(settings: LiveSettings): void {
    this.dispatchEvent(new CustomEvent('show', { detail: { settings: { ...this.settings, ...settings } } }));
  }

  #colour({ mode, title, help }: (typeof COLOURS)[number]): TemplateResult {
    return html`<label class="choice">
      <input type="radio" name="colour" .checked=${(this.settings.colour ?? 'checker') === mode} @change=${() => this.#show({ colour: mode })} />
      <span><b>${title}</b><small>${help}</small></span>
    </label>`;
  }

  #switch({ name, title, help, isOn, key }: (typeof SWITCHES)[number]): TemplateResult {
    const change = (event: Event) => this.#show({ [name]: (event.target as HTMLInputElement).checked });
    return html`<label class="choice">
      <input type="checkbox" name=${name} .checked=${this.settings[name] ?? isOn} @change=${change} />
      <span><b>${title}</b>${key === undefined ? nothing : html` <kbd>${key}</kbd>`}<small>${help}</small></span>
    </label>`;
  }

  override render(): TemplateResult {
    const { settings } = this;
    const offered = COLOURS.filter(({ mode }) => mode === 'checker' || this.fields.includes(mode));
    return html`
      <fieldset>
        <legend>Colour by</legend>
        ${offered.map((colour) => this.#colour(colour))}
      </fieldset>
      <fieldset>
        <legend>Draw</legend>
        ${SWITCHES.map((one) => this.#switch(one))}
        <label class="length">
          <b>Checker size</b>
          <input type="number" min="0.001" step="0.005" .value=${String(settings.checker ?? '')} placeholder="auto"
            @change=${(event: Event) => this.#show({ checker: readLength(event) })} /> m
        </label>
        <label class="length">
          <b>Marker spacing</b>
          <input type="number" min="0" step="0.01" .value=${String(settings.markers ?? 0)}
            @change=${(event: Event) => this.#show({ markers: readLength(event) ?? 0 })} /> m
        </label>
      </fieldset>
    `;
  }

  static override styles = [
    sharedStyles,
    css`
      :host {
        display: block;
        padding: 1.25rem;
      }
      fieldset {
        margin: 0 0 1.75rem;
        padding: 0;
        border: 0;
      }
      legend {
        padding: 0;
        margin-bottom: 0.6rem;
        font: 600 0.8125rem / 1.4 var(--sans);
        color: var(--ink-soft);
      }
      .choice {
        display: flex;
        gap: 0.7rem;
        padding: 0.4rem 0;
        cursor: pointer;
      }
      .choice b,
      .length b {
        font-weight: 500;
        font-size: 0.9375rem;
      }
      small {
        display: block;
        color: var(--ink-soft);
        font-size: 0.8125rem;
        line-height: 1.45;
      }
      input[type='radio'],
      input[type='checkbox'] {
        flex: none;
        width: 1.05rem;
        height: 1.05rem;
        margin: 0.25rem 0 0;
        accent-color: var(--accent);
      }
      .length {
        display: flex;
        align-items: center;
        gap: 0.5rem;
        padding: 0.4rem 0;
      }
      .length b {
        flex: 1;
      }
      input[type='number'] {
        width: 6rem;
        min-height: 2.25rem;
        padding: 0 0.6rem;
        border: 1px solid var(--line-strong);
        border-radius: 8px;
        background: var(--surface);
        text-align: right;
      }
    `,
  ];
}

/** A length above zero, or nothing. */
function readLength(event: Event): number | undefined {
  const value = Number((event.target as HTMLInputElement).value);
  return value > 0 ? value : undefined;
}

customElements.define('heddle-view-panel', HeddleViewPanel);
