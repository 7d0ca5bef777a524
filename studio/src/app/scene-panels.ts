/** What stands in each panel of the scene page: its element, fed with the page's state and listened to. */
import type { ObjectFrame } from 'heddle/model';
import { html, type TemplateResult } from 'lit';
import type { PanelName } from './panels.ts';
import type { HeddleScenePage } from './scene-page.ts';

/** The scene as JSON, or what it last was while its text is being mended. */
function readScene(page: HeddleScenePage): unknown {
  try {
    return JSON.parse(page.text);
  } catch {
    return page.run.shown?.scene;
  }
}

type Render = (page: HeddleScenePage) => TemplateResult;

const PANEL: Readonly<Record<PanelName, Render>> = {
  view: (page) => html`<heddle-view-panel
    .settings=${page.settings}
    .fields=${[...new Set((page.player.frame?.objects ?? []).flatMap((object: ObjectFrame) => Object.keys(object.fields)))]}
    @show=${(event: CustomEvent) => (page.settings = event.detail.settings)}
  ></heddle-view-panel>`,
  parameters: (page) => html`<heddle-parameters
    .scene=${readScene(page)}
    @override=${(event: CustomEvent) => page.override(event.detail.path, event.detail.value)}
  ></heddle-parameters>`,
  plots: (page) => html`<heddle-plots
    .columns=${page.run.measureColumns}
    .rows=${page.run.measures}
    .name=${page.run.shown?.scene.name ?? 'scene'}
  ></heddle-plots>`,
  editor: (page) => html`<heddle-editor
    .text=${page.text}
    .faults=${page.run.faults}
    @edit=${(event: CustomEvent) => page.setText(event.detail.text)}
  ></heddle-editor>`,
  compare: (page) => html`<heddle-compare-panel
    .scene=${readScene(page)}
    .comparison=${page.comparison}
    .message=${page.comparison === undefined ? page.note : ''}
    @compare=${(event: CustomEvent) => page.compare(event.detail.comparison)}
  ></heddle-compare-panel>`,
  'take-away': (page) => html`<heddle-take-away
    .run=${page.player === page.run ? page.run : undefined}
    .viewport=${page.viewport}
    .name=${page.run.shown?.scene.name ?? 'scene'}
    .text=${page.text}
    .filming=${page.film !== undefined}
    @film=${() => page.toggleFilm()}
    @note=${(event: CustomEvent) => (page.note = event.detail.text)}
  ></heddle-take-away>`,
};

export function renderPanel(page: HeddleScenePage, name: PanelName): TemplateResult {
  return PANEL[name](page);
}
