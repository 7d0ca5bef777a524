/** `heddle list`: the scenes of the gallery. */

import { join } from 'node:path';
import type { Command } from 'commander';
import type { SceneInput } from '../scene/index.ts';
import type { Context } from './context.ts';
import { readText } from './files.ts';
import { GALLERY, listGallery } from './gallery.ts';

interface ListedScene {
  readonly name: string;
  /** Type of its objects; mixed where there are several. */
  readonly model: string;
  readonly title: string;
  readonly paper: string | null;
  readonly figure: string | null;
}

export function configureList(command: Command, context: Context): void {
  command
    .option('--json', 'print {scenes: [{name, model, title, paper, figure}]}; model is "mixed" for several models')
    .addHelpText('after', '\nExamples:\n  heddle list\n  heddle list --json')
    .action((options: { json?: boolean }) => {
      const scenes = listScenes();
      context.stdout.write(options.json === true ? `${JSON.stringify({ scenes }, null, 2)}\n` : formatScenes(scenes));
    });
}

/**
 * The scenes of the papers first, then our own, each by name. Their files are read as they are: tests validate the gallery,
 * and the schema that could do it here takes ten times as long to load as Node.
 */
function listScenes(): ListedScene[] {
  const scenes = listGallery().map((name): ListedScene => {
    const scene: SceneInput = JSON.parse(readText(join(GALLERY, `${name}.json`)));
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
