/** `heddle list`: the scenes of the gallery. */

import { join } from 'node:path';
import type { Command } from 'commander';
import type { Context } from './context.ts';
import { GALLERY, listGallery, loadScene } from './scene-source.ts';

interface ListedScene {
  readonly name: string;
  /** Type of its objects; mixed where there are several. */
  readonly model: string;
  readonly title: string;
  readonly paper: string | null;
  readonly figure: string | null;
}

export function registerList(program: Command, context: Context): void {
  program
    .command('list')
    .description('List the scenes of the gallery.')
    .option('--json', 'print {scenes: [{name, model, title, paper, figure}]}; model is "mixed" where there are several')
    .addHelpText('after', '\nExamples:\n  heddle list\n  heddle list --json')
    .action((options: { json?: boolean }) => {
      const scenes = listScenes(context.folder);
      context.stdout.write(options.json === true ? `${JSON.stringify({ scenes }, null, 2)}\n` : formatScenes(scenes));
    });
}

/** The scenes of the papers first, then our own, each by name. */
function listScenes(folder: string): ListedScene[] {
  const scenes = listGallery().map((name): ListedScene => {
    const { scene } = loadScene(join(GALLERY, `${name}.json`), folder);
    const { title, paper = null, figure = null } = scene;
    const types = new Set(scene.objects.map(({ type }) => type));
    return { name, model: types.size === 1 ? [...types][0] : 'mixed', title, paper, figure };
  });
  return [...scenes.filter(({ paper }) => paper !== null), ...scenes.filter(({ paper }) => paper === null)];
}

function formatScenes(scenes: readonly ListedScene[]): string {
  if (scenes.length === 0) return 'The gallery is empty.\n';
  const width = Math.max(...scenes.map((scene) => scene.name.length));
  const modelWidth = Math.max(...scenes.map((scene) => scene.model.length));
  const lines = scenes.map((scene) => {
    const origin = [scene.paper, scene.figure].filter((part) => part !== null).join(', ');
    return `${scene.name.padEnd(width)}  ${scene.model.padEnd(modelWidth)}  ${scene.title}${origin === '' ? '' : `  (${origin})`}\n`;
  });
  return `${lines.join('')}\nRun one with: heddle run ${scenes[0].name}\n`;
}
