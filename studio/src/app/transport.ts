/**
 * `<heddle-transport>`: play, step, reset, stop, speed, and the timeline through what was recorded. It commands a
 * `Player` directly and is drawn anew by its page on every change.
 */
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { icon } from './icons.ts';
import { type Player, SPEEDS } from './player.ts';
import { sharedStyles } from './styles.ts';

/** The timeline is a strand: checks up to where we are, then what is recorded, then what is to come. */
const TRACK = css`
  height: 6px;
  border-radius: 3px;
  background:
    linear-gradient(
      to right,
      transparent var(--place),
      color-mix(in srgb, var(--surface) 62%, transparent) var(--place) var(--recorded),
      var(--line) var(--recorded)
    ),
    repeating-linear-gradient(to right, var(--check-a) 0 10px, var(--check-b) 10px 20px);
`;

/** 12.3×, 0.85×, – when nothing runs. */
function formatRatio(ratio: number): string {
  if (!(ratio > 0) || !Number.isFinite(ratio)) return '–';
  return `${ratio >= 10 ? ratio.toFixed(0) : ratio >= 1 ? ratio.toFixed(1) : ratio.toFixed(2)}×`;
}

const formatSpeed = (factor: number): string => (Number.isFinite(factor) ? `${factor}×` : 'max');

export class HeddleTransport extends LitElement {
  static override properties = {
    player: { attribute: false },
    /** Counts changes of the player. */
    version: { type: Number },
    speed: { type: Number },
    stoppable: { type: Boolean },
  };

  declare player: Player | undefined;
  declare version: number;
  declare speed: number;
  declare stoppable: boolean;

  constructor() {
    super();
    this.version = 0;
    this.speed = 1;
    this.stoppable = false;
  }

  #tell(type: string): void {
    this.dispatchEvent(new CustomEvent(type));
  }

  #chooseSpeed(event: Event): void {
    this.speed = Number((event.target as HTMLSelectElement).value);
    this.player?.setSpeed(this.speed);
  }

  #seek(event: Event): void {
    const { player } = this;
    player?.seek(Math.min(player.recorded[1], Number((event.target as HTMLInputElement).value)));
    // the thumb goes back to where there is something to see
    this.requestUpdate();
  }

  #buttons(player: Player): TemplateResult {
    const { playing } = player;
    return html`<div class="buttons" role="group" aria-label="Simulation">
      <button
        class="button primary play"
        aria-keyshortcuts="Space"
        title="${playing ? 'Pause' : 'Play'} (space)"
        @click=${() => (playing ? player.pause() : player.play())}
      >
        ${icon(playing ? 'pause' : 'play')}<span>${playing ? 'Pause' : 'Play'}</span>
      </button>
      <button class="button icon" aria-label="One step" aria-keyshortcuts="." title="One step (.)" @click=${() => player.stepOnce()}>
        ${icon('step')}
      </button>
      <button class="button icon" aria-label="Reset" aria-keyshortcuts="R" title="Back to the start (R)" @click=${() => player.reset()}>
        ${icon('reset')}
      </button>
      ${
        this.stoppable
          ? html`<button class="button icon" aria-label="Stop the simulation" title="Stop the worker at once and reload the scene" @click=${() => this.#tell('halt')}>
              ${icon('stop')}
            </button>`
          : nothing
      }
    </div>`;
  }

  override render(): TemplateResult | typeof nothing {
    const { player } = this;
    if (player === undefined) return nothing;
    const [first, last] = player.recorded;
    const end = Math.max(last, player.end, first + 1);
    const part = (step: number) => `${(100 * Math.min(1, Math.max(0, (step - first) / (end - first)))).toFixed(2)}%`;
    const time = player.frame?.time ?? 0;
    return html`
      ${this.#buttons(player)}
      <label class="speed"><span class="unseen">Speed</span>
        <select @change=${this.#chooseSpeed} title="Simulated seconds per real second">
          ${SPEEDS.map((factor) => html`<option value=${factor} ?selected=${factor === this.speed}>${formatSpeed(factor)}</option>`)}
        </select>
      </label>
      <div class="timeline" .style=${`--place: ${part(player.step)}; --recorded: ${part(last)}`}>
        <input
          type="range"
          aria-label="Timeline"
          aria-valuetext="step ${player.step}, ${time.toFixed(3)} seconds"
          min=${first}
          max=${end}
          step="1"
          .value=${live(String(player.step))}
          ?disabled=${last <= first}
          @input=${this.#seek}
        />
      </div>
      <dl>
        <div><dt>time</dt><dd>${time.toFixed(3)} s</dd></div>
        <div><dt>step</dt><dd>${player.step}</dd></div>
        <div><dt title="Simulated time over real time">ratio</dt><dd>${formatRatio(player.ratio)}</dd></div>
        <div class="hash"><dt title="Hash of the state: the same on every machine">state</dt><dd>${player.hash ?? '–'}</dd></div>
      </dl>
    `;
  }

  static override styles = [
    sharedStyles,
    css`
      :host {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.5rem 0.6rem;
        padding: 0.25rem 1rem 0.75rem;
        border-top: 1px solid var(--line);
        background: var(--surface);
      }
      .buttons {
        display: flex;
        gap: 0.4rem;
      }
      .play {
        min-width: 6.1rem;
      }
      .speed select {
        padding-right: 0.4rem;
      }
      .timeline {
        flex: 1 0 100%;
        order: -1;
      }
      input[type='range'] {
        display: block;
        width: 100%;
        height: 2.25rem;
        margin: 0;
        appearance: none;
        background: transparent;
        cursor: pointer;
      }
      input[type='range']:disabled {
        cursor: default;
        opacity: 0.6;
      }
      /* one rule for each browser: an unknown name in a list would drop them all */
      input[type='range']::-webkit-slider-runnable-track {
        ${TRACK}
      }
      input[type='range']::-moz-range-track {
        ${TRACK}
      }
      input[type='range']::-webkit-slider-thumb {
        appearance: none;
        width: 18px;
        height: 18px;
        margin-top: -6px;
        border: 2px solid var(--surface);
        border-radius: 50%;
        background: #e32222;
        box-shadow: 0 0 0 1px var(--line-strong);
      }
      input[type='range']::-moz-range-thumb {
        width: 15px;
        height: 15px;
        border: 2px solid var(--surface);
        border-radius: 50%;
        background: #e32222;
        box-shadow: 0 0 0 1px var(--line-strong);
      }
      dl {
        display: flex;
        flex-wrap: wrap;
        gap: 0.3rem 1.3rem;
        margin: 0 0 0 auto;
        font-size: 0.8125rem;
        white-space: nowrap;
        font-variant-numeric: tabular-nums;
      }
      dl div {
        display: grid;
        line-height: 1.3;
      }
      dt {
        color: var(--ink-soft);
        font-size: 0.75rem;
      }
      dd {
        margin: 0;
        min-width: 3.2em;
      }
      .hash dd {
        font-family: var(--mono);
        font-size: 0.75rem;
      }
      @container (max-width: 42rem) {
        dl {
          flex: 1 0 100%;
          justify-content: space-between;
          margin: 0;
        }
        .play {
          min-width: 5rem;
        }
        .speed {
          margin-left: auto;
        }
      }
      @container (max-width: 23rem) {
        .play {
          min-width: 2.9rem;
          padding: 0;
        }
        .play span {
          position: absolute;
          clip-path: inset(50%);
        }
      }
    `,
  ];
}

customElements.define('heddle-transport', HeddleTransport);

declare global {
  interface HTMLElementTagNameMap {
    'heddle-transport': HeddleTransport;
  }
}
