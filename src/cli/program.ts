/**
 * Parses the command line and runs the command. Each command is loaded when it is called, so that `dacapo status`
 * starts fast.
 */
import { Command, CommanderError, type Option } from 'commander';
import { chosenNames } from '../hosts/names.ts';
import { splitAtDashes } from '../flags/words.ts';
import { addAnswers } from './answer/commands.ts';
import { addBeginnings } from './begin/commands.ts';
import { type SetExit, EXIT } from './terminal/exit-codes.ts';
import { addLooks } from './look/commands.ts';
import { enclosingProject } from './project.ts';
import { addHousekeeping } from './setup/commands.ts';
import { addControls } from './steer/commands.ts';
import { examplesOf } from './terminal/examples.ts';
import { helpSizeOf, isShown } from './terminal/help.ts';
import { version } from '../process/package.ts';
import { say } from './terminal/terminal.ts';
import { usageError } from './terminal/errors.ts';

export async function runProgram(command: string | undefined, words: readonly string[]): Promise<number> {
  if (command === undefined && enclosingProject() !== null)
    return (await import('./look/overview.ts')).runOverview();
  let exit: number = EXIT.ok;
  const program = build(words, (code) => (exit = code));
  const asked = command === 'help' ? words.find((word) => word !== 'all') : command;
  const isKnown = program.commands.some((one) => one.name() === asked);
  // After an unknown command, the parser would answer `--help` with the help of the whole program.
  const line =
    asked === undefined || asked.startsWith('-') || isKnown ? forCommander(command, words) : [asked];

  try {
    await program.parseAsync([...line], { from: 'user' });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError) return usageError(error, asked, program);
    throw error;
  }
}

/**
 * Start, ready and run parse their own words, because a prompt may look like anything. Here only `--help` is
 * recognized.
 */
function forCommander(command: string | undefined, words: readonly string[]): readonly string[] {
  if (command === undefined) return ['--help'];
  if (command === 'help') return [...words.filter((word) => word !== 'all').slice(0, 1), '--help'];
  if (command === 'start' || command === 'ready' || command === 'run')
    return [command, ...splitAtDashes(words).ours.filter((word) => word === '--help' || word === '-h')];
  return [command, ...words];
}

function build(words: readonly string[], done: SetExit): Command {
  const size = helpSizeOf(words);
  const program = new Command('dacapo')
    .description(`Keeps ${chosenNames().title} at work on a task until the task is proven done.`)
    .usage('COMMAND [flags]')
    .version(version(), '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .configureHelp({
      subcommandTerm: termOf,
      optionDescription: describe,
      visibleCommands: ({ commands }) => commands.filter((one) => isShown(one.name(), size)),
    })
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureOutput({ outputError: () => undefined, writeOut: sayHelp })
    .addHelpText(
      'after',
      () =>
        `\n${examplesOf('dacapo')}\n\ndacapo COMMAND --help shows its flags${size === 'all' ? '; dacapo run --help all also the exit codes' : '; dacapo --help all shows all commands'}.`,
    );
  addBeginnings(program, words, done);
  addLooks(program, done);
  addAnswers(program, done);
  addControls(program, done);
  addHousekeeping(program, done);
  for (const command of program.commands)
    command.addHelpText('after', () => `\n${examplesOf(command.name())}`);
  return program;
}

/** The parser wraps descriptions, but neither usage lines nor text added to its help. `say` wraps those. */
function sayHelp(text: string): void {
  say(text.replace(/\n$/, ''));
}

/** Leaves out "[options]", which nearly all commands have. */
function termOf(command: Command): string {
  const words = command.registeredArguments.map((argument) =>
    argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
  );
  return [command.name(), ...words].join(' ');
}

/** Leaves out the default of a switch, which is always off. */
function describe({ description, defaultValue, argChoices }: Option): string {
  const choices = argChoices === undefined ? '' : ` ${argChoices.join(', ')}`;
  return `${description}${choices && `:${choices}`}${typeof defaultValue === 'string' ? ` (default ${defaultValue})` : ''}`;
}
