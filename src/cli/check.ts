/** `heddle check`: reports every error in a scene, without running it. */

import type { Command } from 'commander';
import type { Context } from './context.ts';
import { showPath } from './files.ts';
import { LIMIT_OPTION, readLimits } from './limits.ts';
import { compileLoaded, findScenePath, loadScene } from './scene-source.ts';

export function configureCheck(command: Command, context: Context): void {
  const collect = (value: string, before: readonly string[]) => [...before, value];
  command
    .argument('<scene>', 'scene file, or name of a gallery scene')
    .option('--set <path=value>', 'change a value of the scene first; may be repeated', collect, [])
    .option(...LIMIT_OPTION)
    .addHelpText(
      'after',
      '\nExamples:\n  heddle check my-scene.json\n  heddle check strand-corner\n  heddle check fabric-hang --set size=paper',
    )
    .action(
      (argument: string, { set, limit }: { readonly set: readonly string[]; readonly limit: readonly string[] }) => {
        const loaded = loadScene(
          findScenePath(argument, context.folder),
          context.folder,
          set,
          readLimits(context, limit),
        );
        // mesh files and geometry show their faults only when the world is built
        const world = compileLoaded(loaded, context);
        const changed = set.map((assignment) => ` --set ${assignment}`).join('');
        context.stdout.write(
          `${showPath(loaded.path, context.folder)}${changed && ` with${changed}`} is a valid scene: ${world.nodeCount} nodes, ${world.probeColumns.length} probe columns.\n`,
        );
      },
    );
}
