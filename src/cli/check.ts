/** `heddle check`: all that is wrong with a scene, without running it. */

import type { Command } from 'commander';
import type { Context } from './context.ts';
import { findScenePath, loadScene, showPath } from './scene-source.ts';

export function registerCheck(program: Command, context: Context): void {
  program
    .command('check')
    .description('Say all that is wrong with a scene, each fault with its path and line; exit code 2 if anything is.')
    .argument('<scene>', 'scene file, or name of a gallery scene')
    .addHelpText('after', '\nExamples:\n  heddle check my-scene.json\n  heddle check strand-corner')
    .action((argument: string) => {
      const { scene, path, readFile } = loadScene(findScenePath(argument, context.folder), context.folder);
      // what only building it shows: mesh files, geometry
      const world = context.compile(scene, { readFile });
      context.stdout.write(
        `${showPath(path, context.folder)} is a valid scene: ${world.nodeCount} nodes, ${world.probeColumns.length} probe columns.\n`,
      );
    });
}
