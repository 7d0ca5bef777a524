/** `<heddle-tour>`: what Eulerian-on-Lagrangian nodes are, in six pictures drawn by Heddle. */

import corner from 'virtual:heddle-picture/corner';
import back from 'virtual:heddle-picture/corner-back';
import disabled from 'virtual:heddle-picture/corner-disabled';
import lagrangian from 'virtual:heddle-picture/corner-lagrangian';
import near from 'virtual:heddle-picture/corner-near';
import ring from 'virtual:heddle-picture/ring';
import { css, html, LitElement, type TemplateResult } from 'lit';
import { sharedStyles } from './styles.ts';

interface Stop {
  readonly title: string;
  readonly text: string;
  readonly picture: string;
  readonly alt: string;
  readonly link?: { readonly name: string; readonly text: string };
}

const STOPS: readonly Stop[] = [
  {
    title: 'A rope over an edge is hard',
    text: 'Simulated ropes are chains of nodes that sit on the material (blue). Between two nodes the rope is straight, so it cuts through the edge, snags on it and jumps. The force to drag it peaks above 50 N, with a load of 1 N.',
    picture: lagrangian,
    alt: 'A rope of blue nodes thrown up where it snagged on the edge of a box',
    link: { name: 'strand-corner-lagrangian', text: 'Let it snag' },
  },
  {
    title: 'Fix the node, let the material slide',
    text: 'An Eulerian node (red) stays on the edge instead. It is not attached to the material: the material slides through it, like a thread through the eye of a heddle. Every node has a world position x and a material coordinate u, and both can change.',
    picture: corner,
    alt: 'The same rope, dragged smoothly around the edge with a red node on it',
    link: { name: 'strand-corner', text: 'Drag it around the edge' },
  },
  {
    title: 'A blue node comes near',
    text: 'The checks are painted on the material. As the rope is pulled, its own nodes move towards the edge with them.',
    picture: near,
    alt: 'A blue node close below the red one on the edge',
  },
  {
    title: 'It is removed in time',
    text: 'Two nodes on nearly the same piece of material would make it infinitely stiff. Before that happens the blue node is disabled, and its momentum is transferred.',
    picture: disabled,
    alt: 'Only the red node at the edge; the blue one is gone',
  },
  {
    title: 'And it returns behind the edge',
    text: 'On the other side, where there is space again, it returns to its own material point. The rope has passed the edge smoothly.',
    picture: back,
    alt: 'The blue node is back, on top of the box',
  },
  {
    title: 'Rings, drums, crossings, cloth',
    text: 'The same idea moves a cord through a ring, a rope over a pulley and yarns across each other. No refinement is needed where material slides, so time steps stay long and shapes exact.',
    picture: ring,
    alt: 'A ball circling on a cord that is pulled up through a ring',
    link: { name: 'strand-ring', text: 'Pull it up' },
  },
];

export class HeddleTour extends LitElement {
  override render(): TemplateResult {
    return html`
      <h1>The idea in six images</h1>
      <ol>
        ${STOPS.map(
          ({ title, text, picture, alt, link }) => html`<li>
            <img src=${picture} alt=${alt} loading="lazy" decoding="async" />
            <div>
              <h2>${title}</h2>
              <p>${text}</p>
              ${link === undefined ? '' : html`<a href="#/scene/${link.name}">${link.text}</a>`}
            </div>
          </li>`,
        )}
      </ol>
      <p class="quiet">
        After “Eulerian-on-Lagrangian” strands with remeshing (Jiang 2020). All images are rendered by Heddle.
      </p>
    `;
  }

  static override styles = [
    sharedStyles,
    css`
      :host {
        display: block;
        max-width: 62rem;
        margin: 0 auto;
        padding: clamp(1.75rem, 5vw, 4rem) clamp(1rem, 4vw, 3rem) 4rem;
      }
      h1 {
        margin: 0 0 clamp(1.5rem, 4vw, 3rem);
        font: 400 clamp(1.9rem, 5vw, 3rem) / 1.12 var(--serif);
        letter-spacing: -0.012em;
      }
      ol {
        display: grid;
        gap: clamp(2rem, 5vw, 3.5rem);
        margin: 0 0 3rem;
        padding: 0;
        list-style: none;
        counter-reset: stop;
      }
      li {
        display: grid;
        grid-template-columns: minmax(0, 1.15fr) minmax(0, 1fr);
        gap: clamp(1.25rem, 4vw, 3rem);
        align-items: center;
        counter-increment: stop;
      }
      li:nth-child(even) img {
        order: 2;
      }
      img {
        display: block;
        width: 100%;
        aspect-ratio: 3 / 2;
        object-fit: cover;
        border: 1px solid var(--line);
        border-radius: 14px;
      }
      h2 {
        margin: 0 0 0.6rem;
        font: 400 1.5rem / 1.25 var(--serif);
        text-wrap: balance;
      }
      h2::before {
        content: counter(stop);
        display: block;
        margin-bottom: 0.35rem;
        color: var(--accent);
        font: 600 0.875rem var(--sans);
      }
      p {
        margin: 0 0 0.75rem;
        max-width: 60ch;
      }
      li a {
        display: inline-block;
        padding: 0.35rem 0;
      }
      @media (max-width: 44rem) {
        li {
          grid-template-columns: minmax(0, 1fr);
        }
        li:nth-child(even) img {
          order: 0;
        }
      }
    `,
  ];
}

customElements.define('heddle-tour', HeddleTour);

declare global {
  interface HTMLElementTagNameMap {
    'heddle-tour': HeddleTour;
  }
}
