/** `heddle validate`: its options. What it does is in validate-laws.ts. */

import { type Command, InvalidArgumentError } from 'commander';
import { type Faults, LAW_MODELS, STIFFNESSES, type Stiffness } from '../validate/law.ts';
import type { Context } from './context.ts';

export interface ValidateOptions {
  readonly json?: boolean;
  readonly markdown?: boolean;
  readonly report?: string;
  readonly list?: boolean;
  readonly faults?: boolean;
  readonly scaleStiffness: Faults;
}

/** What `--faults` multiplies each stiffness by. */
export const FACTOR = 1.1;

export function configureValidate(command: Command, context: Context): void {
  command
    .argument('[model]', `laws of one model (${LAW_MODELS.join(', ')}), or one law by its name`)
    .option('--json', 'print one JSON object instead of the table: {passes, laws: [{name, rows, order, passes, …}]}')
    .option('--markdown', 'print a page of Markdown instead of the table: docs/internals/validation.md')
    .option('--report <folder>', 'write a page with tables and plots, FOLDER/index.html, and an SVG plot of each law')
    .option('--list', 'list the laws without measuring')
    .option(
      '--faults',
      `multiply every stiffness that a law depends on by ${FACTOR}, one at a time; exit code 1 if a law still passes`,
    )
    .option(
      '--scale-stiffness <name=factor>',
      `multiply a stiffness of every set-up, to see laws fail; may be repeated: ${STIFFNESSES.join(', ')}`,
      collectFault,
      {},
    )
    .addHelpText(
      'after',
      `
Examples:
  heddle validate                              all laws, some minutes
  heddle validate rod --report out/validation  laws of rods, with plots
  heddle validate rod-cantilever --json
  heddle validate rod --scale-stiffness EI=1.1 fails, as it must
  heddle validate --faults                     check that every law can fail`,
    )
    .action(async (name: string | undefined, options: ValidateOptions) => {
      // the laws and what they are measured on only where they are asked for: other commands start without them
      const { runValidate } = await import('./validate-laws.ts');
      runValidate(name, options, context);
    });
}

function collectFault(text: string, before: Faults): Faults {
  const [, name, value] = /^([^=]*)=(.*)$/.exec(text) ?? [];
  const factor = Number(value);
  if (!STIFFNESSES.includes(name as Stiffness) || value === '' || !(factor > 0 && Number.isFinite(factor)))
    throw new InvalidArgumentError(
      `"${text}" is not a stiffness with a factor > 0; write for example EI=1.1. Stiffnesses: ${STIFFNESSES.join(', ')}.`,
    );
  return { ...before, [name]: factor };
}
