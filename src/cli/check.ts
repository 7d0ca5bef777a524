/** `heddle check`: all that is wrong with a scene, without running it. */

import type { Command } from 'commander';
import type { Context } from './context.ts';
import { compileLoaded, findScenePath, loadScene, showPath } from './scene-source.ts';

export function registerCheck(program: Command, context: Context): void {
  program
    .command('check')
    .description('Say all that is wrong with a scene, each fault with its path and line; exit code 2 if anything is.')
    .argument('<scene>', 'scene file, or name of a gallery scene')
    .addHelpText('after', '\nExamples:\n  heddle check my-scene.json\n  heddle check strand-corner')
    .action((argument: string) => {
      const loaded = loadScene(findScenePath(argument, context.folder), context.folder);
      // mesh files and geometry show their faults only when the world is built
      const world = compileLoaded(loaded, context);
      context.stdout.write(
        `${showPath(loaded.path, context.folder)} is a valid scene: ${world.nodeCount} nodes, ${world.probeColumns.length} probe columns.\n`,
      );
    });
}
