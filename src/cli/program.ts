/** The command: its sub-commands, and what becomes of errors. */

import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { HeddleError, SceneError, toMemoryError } from '../model/errors.ts';
import { registerBench } from './bench.ts';
import { registerCheck } from './check.ts';
import type { Context } from './context.ts';
import { registerList } from './list.ts';
import { registerRender } from './render.ts';
import { registerRun } from './run.ts';
import { registerSchema } from './schema.ts';
import { registerStudio } from './studio.ts';
import { registerSwatch } from './swatch.ts';
import { registerValidate } from './validate.ts';

/** Exit codes: a broken expectation, a mistake of the user, an interrupt, a bug of Heddle (sysexits: EX_SOFTWARE). */
export const EXIT = { ok: 0, expectation: 1, usage: 2, bug: 70, interrupted: 130 } as const;

/** Registry of sub-commands, in the order of `heddle --help`. */
const COMMANDS: readonly ((program: Command, context: Context) => void)[] = [
  registerRun,
  registerList,
  registerCheck,
  registerRender,
  registerStudio,
  registerSchema,
  registerSwatch,
  registerValidate,
  registerBench,
];

/** Runs the command with arguments as after `heddle`; returns the exit code. */
export async function main(argv: readonly string[], context: Context): Promise<number> {
  const program = createProgram(context);
  try {
    await program.parseAsync(argv.length === 0 ? ['--help'] : argv, { from: 'user' });
    return context.exitCode;
  } catch (error) {
    return reportError(error, argv.includes('--debug'), context);
  }
}

function createProgram(context: Context): Command {
  const program = new Command('heddle');
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  // inherited by the sub-commands, so it stands before they are made
  program.exitOverride().configureOutput({
    writeOut: (text) => context.stdout.write(text),
    writeErr: (text) => context.stderr.write(text),
    getOutHelpWidth: () => context.stdout.columns ?? 100,
    getErrHelpWidth: () => context.stderr.columns ?? 100,
  });
  program
    .description('Simulates thin flexible things: strands whose material slides through its own nodes.')
    .version(String(version))
    .option('--debug', 'print the stack of an error')
    .showHelpAfterError('(add --help for the options)')
    .addHelpText(
      'after',
      `
Examples:
  heddle list                                   scenes of the gallery
  heddle run strand-corner                      simulate one of them into out/strand-corner
  heddle run my-scene.json --format glb         simulate a file and export an animated GLB
  heddle studio                                 look at scenes live in the browser
  heddle check my-scene.json                    say all that is wrong with a scene file`,
    );
  for (const register of COMMANDS) register(program, context);
  for (const command of program.commands) command.option('--debug', 'print the stack of an error');
  return program;
}

/** Prints an error as one sentence [CONTRIBUTING#code]; returns the exit code. */
function reportError(thrown: unknown, debug: boolean, context: Context): number {
  const error = toMemoryError(thrown);
  if (error instanceof CommanderError) {
    const shown = ['commander.helpDisplayed', 'commander.version', 'commander.help'].includes(error.code);
    return shown ? EXIT.ok : EXIT.usage;
  }
  if (error instanceof HeddleError) {
    // one line a fault, each with the kind of error in front
    const lines = error instanceof SceneError ? error.message.split('\n') : [error.message];
    for (const line of lines) context.stderr.write(`${error.name}: ${line}\n`);
    if (debug) context.stderr.write(`${error.stack}\n`);
    return EXIT.usage;
  }
  context.stderr.write(
    `This is a bug of Heddle, not of your scene; please report it with the scene and these lines:\n${error instanceof Error ? error.stack : String(error)}\n`,
  );
  return EXIT.bug;
}
