/** `heddle schema`: the scene format for editors (JSON Schema) and for people (Markdown). */

import type { Command } from 'commander';
import { computeJsonSchema } from '../scene/json-schema.ts';
import { computeSceneReference } from '../scene/reference.ts';
import type { Context } from './context.ts';

export function configureSchema(command: Command, context: Context): void {
  command
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
