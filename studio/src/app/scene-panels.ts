/** What stands in each panel of the scene page: its element, fed with the page's state and listened to. */
import type { ObjectFrame } from 'heddle/model';
import { html, nothing, type TemplateResult } from 'lit';
import { describeIsolation, describeKernels } from './isolation.ts';
import type { PanelName } from './panels.ts';
import type { HeddleScenePage } from './scene-page.ts';

/** One object for ever: another would look like a change. */
const NO_FILES = {};

const isolation = [describeIsolation(), describeKernels()].filter((sentence) => sentence !== '').join(' ');

/** Longest text that is given to a text field [characters]: longer ones are laid out for minutes. */
const LARGEST_EDITED = 1_000_000;

type Render = (page: HeddleScenePage) => TemplateResult;

const PANEL: Readonly<Record<PanelName, Render>> = {
  view: (page) => html`<heddle-view-panel
    .settings=${page.settings}
    .fields=${[...new Set((page.player.frame?.objects ?? []).flatMap((object: ObjectFrame) => Object.keys(object.fields)))]}
    @show=${(event: CustomEvent) => (page.settings = event.detail.settings)}
  ></heddle-view-panel>`,
  parameters: (page) => html`<heddle-parameters
    .scene=${page.scene}
    @override=${(event: CustomEvent) => page.override(event.detail.path, event.detail.value)}
  ></heddle-parameters>`,
  plots: (page) => html`<heddle-plots
    .columns=${page.run.measureColumns}
    .units=${page.run.measureUnits}
    .rows=${page.run.measures}
    .name=${page.run.shown?.scene.name ?? 'scene'}
  ></heddle-plots>${isolation === '' ? nothing : html`<p class="quiet wait">${isolation}</p>`}`,
  editor: (page) =>
    page.text.length > LARGEST_EDITED
      ? html`<p class="quiet wait">
          The text of the scene has ${(page.text.length / 1e6).toFixed(1)} MB, too much for this editor; edit the file itself.
        </p>`
      : html`<heddle-editor
          .text=${page.text}
          .faults=${page.run.faults}
          @edit=${(event: CustomEvent) => page.setText(event.detail.text)}
        ></heddle-editor>`,
  compare: (page) => html`<heddle-compare-panel
    .scene=${page.scene}
    .comparison=${page.comparison}
    .message=${page.comparison === undefined ? page.note : ''}
    @compare=${(event: CustomEvent) => page.compare(event.detail.comparison)}
  ></heddle-compare-panel>`,
  'take-away': (page) => html`<heddle-take-away
    .player=${page.player}
    .capture=${() => page.capture()}
    .name=${page.run.shown?.scene.name ?? 'scene'}
    .text=${page.text}
    .files=${page.source?.files ?? NO_FILES}
    .filming=${page.film !== undefined}
    @film=${() => page.toggleFilm()}
    @drop-film=${() => page.dropFilm()}
    @note=${(event: CustomEvent) => (page.note = event.detail.text)}
  ></heddle-take-away>`,
};

export function renderPanel(page: HeddleScenePage, name: PanelName): TemplateResult {
  return PANEL[name](page);
}
