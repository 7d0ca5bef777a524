/** `<heddle-gallery>`: every scene of the gallery, grouped by model, to look through and to search. */

import { type GalleryScene, SCENES } from 'virtual:heddle-gallery';
import { css, html, LitElement, nothing, svg, type TemplateResult } from 'lit';
import { icon } from './icons.ts';
import { sharedStyles } from './styles.ts';

/** Groups in the order in which they are shown; a model that is not listed comes last under its own name. */
const GROUPS: Readonly<Record<string, { readonly title: string; readonly about: string }>> = {
  strand: {
    title: 'Strands',
    about: 'Ropes, cords and threads whose material slides through nodes that stay in place.',
  },
  rod: { title: 'Rods', about: 'Slender bodies that bend and twist.' },
  fabric: { title: 'Fabric', about: 'Woven and knitted cloth at yarn level.' },
  sheet: { title: 'Sheets', about: 'Cloth and foil that slide over edges.' },
  mpm: { title: 'Material point method (MPM)', about: 'Cloth, knits, hair, sand and fluids as particles on one grid.' },
  mixed: { title: 'Mixed', about: 'Several models in one scene.' },
};

const groupOf = ({ models }: GalleryScene): string => (models.length === 1 ? models[0] : 'mixed');

/** Whether every word of the search is somewhere on the card. */
export function matchesSearch(scene: GalleryScene, search: string): boolean {
  const text = [scene.name, scene.title, scene.description, scene.paper, scene.figure].join(' ').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Source of the scene as a person says it: paper and figure. */
function describeSource({ paper, figure }: GalleryScene): string {
  return [paper, figure].filter((part) => part !== undefined).join(', ');
}

/** A drawn strand for scenes without a picture; its waves come from the name, so that cards differ. */
function renderFallback(name: string): TemplateResult {
  let seed = 7;
  for (const letter of name) seed = (31 * seed + letter.charCodeAt(0)) % 9973;
  const sag = 60 + (seed % 60);
  const lean = (seed % 41) - 20;
  const path = `M20 ${70 + lean}C110 ${70 + lean + sag} 190 ${70 - lean + sag} 280 ${70 - lean}`;
  return html`<svg class="drawn" viewBox="0 0 300 200" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
    ${svg`<path d=${path} fill="none" stroke="var(--check-b)" stroke-width="7"/>
      <path d=${path} fill="none" stroke="var(--check-a)" stroke-width="7" stroke-dasharray="14 14"/>
      <circle cx="20" cy=${70 + lean} r="8" fill="#2359e6"/><circle cx="280" cy=${70 - lean} r="8" fill="#e32222"/>`}
  </svg>`;
}

export class HeddleGallery extends LitElement {
  static override properties = { search: { state: true }, missing: { state: true } };

  declare search: string;
  /** Pictures that could not be loaded. */
  declare missing: ReadonlySet<string>;

  constructor() {
    super();
    this.search = '';
    this.missing = new Set();
  }

  #card(scene: GalleryScene): TemplateResult {
    const source = describeSource(scene);
    const drawn = scene.picture === undefined || this.missing.has(scene.name);
    return html`<li>
      <a class="card" href="#/scene/${encodeURIComponent(scene.name)}">
        <span class="picture">
          ${
            drawn
              ? renderFallback(scene.name)
              : html`<img src=${scene.picture} alt="" loading="lazy" decoding="async" width="480" height="300"
                  @error=${() => (this.missing = new Set([...this.missing, scene.name]))} />`
          }
        </span>
        <span class="words">
          <b>${scene.title}</b>
          <span class="about">${scene.description}</span>
          ${source === '' ? nothing : html`<span class="source">${source}</span>`}
        </span>
      </a>
    </li>`;
  }

  #group(name: string, scenes: readonly GalleryScene[]): TemplateResult {
    const { title, about } = GROUPS[name] ?? { title: name, about: '' };
    return html`<section aria-labelledby="group-${name}">
      <header>
        <h2 id="group-${name}">${title}</h2>
        <p class="quiet">${about} ${scenes.length} ${scenes.length === 1 ? 'scene' : 'scenes'}.</p>
      </header>
      <ul class="cards">
        ${scenes.map((scene) => this.#card(scene))}
      </ul>
    </section>`;
  }

  override render(): TemplateResult {
    const found = SCENES.filter((scene) => matchesSearch(scene, this.search));
    const order = [...Object.keys(GROUPS), ...found.map(groupOf)];
    const groups = [...new Set(order)].map((name) => [name, found.filter((scene) => groupOf(scene) === name)] as const);
    return html`
      <div class="intro">
        <h1>Material that slides through its own nodes</h1>
        <p>
          Choose a scene. It is simulated here, in your browser. Drag it, change it, measure it, export it.
          New to this? <a href="#/tour">The idea in six images</a>.
        </p>
        <label class="search">
          ${icon('search')}
          <input type="search" placeholder="Search ${SCENES.length} scenes" aria-label="Search scenes" .value=${this.search}
            @input=${(event: Event) => (this.search = (event.target as HTMLInputElement).value.trim())} />
        </label>
      </div>
      <p class="unseen" role="status">${found.length} of ${SCENES.length} scenes</p>
      ${groups.filter(([, scenes]) => scenes.length > 0).map(([name, scenes]) => this.#group(name, scenes))}
      ${found.length === 0 ? html`<p class="none">No scene matches “${this.search}”. Try <i>rope</i>, <i>edge</i> or <i>friction</i>.</p>` : nothing}
      <p class="drop quiet">You can also drop a scene file or a recorded run anywhere on this page, or
        <button class="inline" @click=${() => this.dispatchEvent(new CustomEvent('open-file', { bubbles: true, composed: true }))}>choose one</button>.</p>
    `;
  }

  static override styles = [sharedStyles, galleryStyles()];
}

function galleryStyles() {
  return css`
    :host {
      display: block;
      max-width: 84rem;
      margin: 0 auto;
      padding: clamp(1.75rem, 5vw, 4rem) clamp(1rem, 4vw, 3rem) 4rem;
    }
    .intro {
      max-width: 44rem;
    }
    h1 {
      margin: 0 0 0.75rem;
      font: 400 clamp(1.9rem, 5vw, 3rem) / 1.12 var(--serif);
      letter-spacing: -0.012em;
      text-wrap: balance;
    }
    .intro p {
      margin: 0 0 1.75rem;
      color: var(--ink-soft);
      font-size: 1.0625rem;
    }
    .search {
      position: relative;
      display: block;
      max-width: 26rem;
    }
    .search .icon {
      position: absolute;
      left: 0.9rem;
      top: 50%;
      translate: 0 -50%;
      color: var(--ink-soft);
    }
    .search input {
      width: 100%;
      min-height: 2.875rem;
      padding: 0 1rem 0 2.6rem;
      border: 1px solid var(--line-strong);
      border-radius: 999px;
      background: var(--surface);
    }
    .search input::placeholder {
      color: var(--ink-soft);
      opacity: 1;
    }
    section {
      margin-top: clamp(2.25rem, 5vw, 3.5rem);
    }
    section header {
      display: flex;
      flex-wrap: wrap;
      align-items: baseline;
      gap: 0.15rem 1rem;
      margin-bottom: 1.25rem;
    }
    h2 {
      margin: 0;
      font: 400 1.5rem / 1.3 var(--serif);
    }
    header p {
      margin: 0;
    }
    .cards {
      display: grid;
      grid-template-columns: repeat(auto-fill, minmax(min(100%, 17.5rem), 1fr));
      gap: clamp(1rem, 2vw, 1.75rem);
      margin: 0;
      padding: 0;
      list-style: none;
    }
    .cards li {
      display: flex;
    }
    .card {
      display: flex;
      flex-direction: column;
      width: 100%;
      overflow: hidden;
      border: 1px solid var(--line);
      border-radius: 14px;
      background: var(--surface);
      color: inherit;
      text-decoration: none;
      transition:
        box-shadow 160ms,
        border-color 160ms;
    }
    .card:hover {
      border-color: var(--line-strong);
      box-shadow: var(--shadow);
    }
    .card:focus-visible {
      border-radius: 14px;
    }
    .picture {
      display: block;
      overflow: hidden;
      aspect-ratio: 8 / 5;
      background: var(--sunken);
    }
    .picture img,
    .drawn {
      display: block;
      width: 100%;
      height: 100%;
      object-fit: cover;
      object-position: left;
    }
    .words {
      display: grid;
      gap: 0.35rem;
      padding: 1rem 1.15rem 1.2rem;
    }
    .words b {
      font: 500 1.0625rem / 1.3 var(--sans);
    }
    .about {
      display: -webkit-box;
      overflow: hidden;
      -webkit-box-orient: vertical;
      -webkit-line-clamp: 4;
      color: var(--ink-soft);
      font-size: 0.9063rem;
      line-height: 1.5;
    }
    .source {
      margin-top: 0.15rem;
      color: var(--accent);
      font-size: 0.8125rem;
    }
    .none {
      margin: 3rem 0;
      color: var(--ink-soft);
    }
    .drop {
      margin: 3rem 0 0;
    }
    .inline {
      padding: 0;
      border: 0;
      background: none;
      color: var(--accent);
      text-decoration: underline;
      text-underline-offset: 0.18em;
      cursor: pointer;
    }
  `;
}

customElements.define('heddle-gallery', HeddleGallery);

declare global {
  interface HTMLElementTagNameMap {
    'heddle-gallery': HeddleGallery;
  }
}
