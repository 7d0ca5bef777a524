/** `heddle schema`: the scene format for editors (JSON Schema) and for people (Markdown). */

import type { Command } from 'commander';
import { computeJsonSchema, computeSceneReference } from '../scene/index.ts';
import type { Context } from './context.ts';

export function registerSchema(program: Command, context: Context): void {
  program
    .command('schema')
    .description('Print the JSON Schema of scene files, for completion and checks in an editor.')
    .option('--markdown', 'print the reference as Markdown instead (docs/reference/scene.md)')
    .addHelpText(
      'after',
      `
Examples:
  heddle schema > scene.schema.json             then put "$schema": "./scene.schema.json" into a scene
  heddle schema --markdown > docs/reference/scene.md`,
    )
    .action((options: { markdown?: boolean }) => {
      context.stdout.write(
        options.markdown === true ? computeSceneReference() : `${JSON.stringify(computeJsonSchema(), null, 2)}\n`,
      );
    });
}
