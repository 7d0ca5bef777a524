/**
 * The command: its sub-commands, and what becomes of errors. `heddle --help` needs only the list below; the code of a
 * sub-command, and with it the engine, is loaded when that sub-command is called.
 */

import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { HeddleError, SceneError, toMemoryError } from '../model/errors.ts';
import type { Context } from './context.ts';

/** Exit codes: a failed expectation, a mistake of the user, an interrupt, a bug of Heddle (sysexits: EX_SOFTWARE). */
export const EXIT = { ok: 0, expectation: 1, usage: 2, bug: 70, interrupted: 130 } as const;

/** Gives a command its arguments, options and action. */
type Configure = (command: Command, context: Context) => void;

/** A sub-command as `heddle --help` lists it, and how to load the rest. */
interface CommandEntry {
  readonly name: string;
  readonly arguments?: string;
  readonly description: string;
  readonly load: () => Promise<Configure>;
}

/** Registry of sub-commands, in the order of `heddle --help`. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'run',
    arguments: '<scene>',
    description: 'Simulate a scene and write frames, probes and checkpoints into a run folder.',
    load: async () => (await import('./run.ts')).configureRun,
  },
  {
    name: 'list',
    description: 'List the scenes of the gallery.',
    load: async () => (await import('./list.ts')).configureList,
  },
  {
    name: 'check',
    arguments: '<scene>',
    description: 'Report every error in a scene, each with its path and line; exit code 2 if there is one.',
    load: async () => (await import('./check.ts')).configureCheck,
  },
  {
    name: 'render',
    arguments: '<run or scene>',
    description: 'Draw images of a run, or of a scene that is simulated first.',
    load: async () => (await import('./render.ts')).configureRender,
  },
  {
    name: 'studio',
    description: 'Serve the web studio: run, drag, edit and export scenes in the browser.',
    load: async () => (await import('./studio.ts')).configureStudio,
  },
  {
    name: 'schema',
    description: 'Print the JSON Schema of scene files, for completion and checks in an editor.',
    load: async () => (await import('./schema.ts')).configureSchema,
  },
  {
    name: 'swatch',
    arguments: '<fabric>',
    description: 'Measure a woven cloth: stretch in warp, weft and bias, shear, bending; writes CSV and plots.',
    load: async () => (await import('./swatch.ts')).configureSwatch,
  },
  {
    name: 'validate',
    arguments: '[model]',
    description: 'Measure the engine against laws of mechanics; exit code 1 if one fails.',
    load: async () => (await import('./validate.ts')).configureValidate,
  },
  {
    name: 'bench',
    arguments: '[model]',
    description: 'Measure the time per step for growing numbers of nodes, or the start-up time of this command.',
    load: async () => (await import('./bench.ts')).configureBench,
  },
];

const EXAMPLES = `
Examples:
  heddle list                                   list the gallery scenes
  heddle run strand-corner                      simulate one of them into out/strand-corner
  heddle run my-scene.json --format glb         simulate a file and export an animated GLB
  heddle studio                                 watch and edit scenes live in the browser
  heddle check my-scene.json                    report every error in a scene file`;

const DEBUG = ['--debug', 'print the stack trace of an error'] as const;

/** Runs the command with arguments as after `heddle`; returns the exit code. */
export async function main(argv: readonly string[], context: Context): Promise<number> {
  const program = createProgram(context);
  try {
    await program.parseAsync(orderHelp(argv), { from: 'user' });
    return context.exitCode;
  } catch (error) {
    return reportError(error, argv.includes('--debug'), context);
  }
}

/** Nothing at all asks for help; `help run` is `run --help`, which loads the options of `run`. */
function orderHelp(argv: readonly string[]): readonly string[] {
  if (argv.length === 0) return ['--help'];
  const [first, name] = argv;
  return first === 'help' && COMMANDS.some((entry) => entry.name === name) ? [name, '--help'] : argv;
}

function createProgram(context: Context): Command {
  const program = new Command('heddle');
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const entries = new Map(COMMANDS.map((entry) => [entry.name, entry]));
  // inherited by the sub-commands, so it stands before they are made
  program
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
      getOutHelpWidth: () => context.stdout.columns ?? 100,
      getErrHelpWidth: () => context.stderr.columns ?? 100,
    })
    .configureHelp({
      subcommandTerm: (command) => {
        const entry = entries.get(command.name());
        return entry === undefined
          ? 'help [command]'
          : [entry.name, '[options]', entry.arguments ?? ''].join(' ').trim();
      },
    });
  program
    .description(
      'Simulates thin flexible things: strands, rods, cloth and yarn-level fabric whose material slides through its own nodes, hair and particles.',
    )
    .version(String(version))
    .option(...DEBUG)
    .showHelpAfterError('(add --help for the options)')
    .addHelpText('after', EXAMPLES);
  for (const { name, description } of COMMANDS) program.command(name).description(description);
  program.hook('preSubcommand', async (_, command) => {
    const configure = await entries.get(command.name())?.load();
    configure?.(command, context);
    command.option(...DEBUG);
  });
  return program;
}

/** Prints an error, one sentence per line; returns the exit code. */
function reportError(thrown: unknown, debug: boolean, context: Context): number {
  const error = toMemoryError(thrown);
  if (error instanceof CommanderError) {
    const shown = ['commander.helpDisplayed', 'commander.version', 'commander.help'].includes(error.code);
    return shown ? EXIT.ok : EXIT.usage;
  }
  if (error instanceof HeddleError) {
    // one line per fault, each with the kind of error in front
    const lines = error instanceof SceneError ? error.message.split('\n') : [error.message];
    for (const line of lines) context.stderr.write(`${error.name}: ${line}\n`);
    if (debug) context.stderr.write(`${error.stack}\n`);
    return EXIT.usage;
  }
  context.stderr.write(
    `This is a bug in Heddle, not in your scene; please report it with the scene and these lines:\n${error instanceof Error ? error.stack : String(error)}\n`,
  );
  return EXIT.bug;
}
