/** The command line: which command is meant. What a command does is loaded when it is called, so that `dacapo status` starts fast. */
import { Command, CommanderError, type Option } from 'commander';
import { DEFAULT_TITLE } from '../hosts/names.ts';
import { splitAtDashes } from '../flags/words.ts';
import { addBeginnings } from './begin/commands.ts';
import type { Done } from './terminal/done.ts';
import { addLooks } from './look/commands.ts';
import { addHousekeeping } from './setup/commands.ts';
import { addControls } from './steer/commands.ts';
import { EXIT } from './terminal/exit-codes.ts';
import { EXAMPLES, EXIT_CODE_HELP } from './terminal/help.ts';
import { version } from './package.ts';
import { say } from './terminal/terminal.ts';
import { usageError } from './terminal/usage-error.ts';

export async function runProgram(command: string | undefined, words: readonly string[]): Promise<number> {
  let exit: number = EXIT.ok;
  const program = build(words, (code) => (exit = code));
  const asked = command === 'help' ? words[0] : command;
  const isKnown = program.commands.some((one) => one.name() === asked);
  // Behind a name that it does not know, the parser would take a wish for help as one for the whole program's.
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

/** Start, ready and run have a grammar of their own, in which a prompt may look like anything: only a wish for help is read here. */
function forCommander(command: string | undefined, words: readonly string[]): readonly string[] {
  if (command === undefined) return ['--help'];
  if (command === 'help') return [...words.slice(0, 1), '--help'];
  if (command === 'start' || command === 'ready' || command === 'run')
    return [command, ...splitAtDashes(words).ours.filter((word) => word === '--help' || word === '-h')];
  return [command, ...words];
}

function build(words: readonly string[], done: Done): Command {
  const program = new Command('dacapo')
    .description(`Keeps ${DEFAULT_TITLE} at work on a task until the task is proven done.`)
    .usage('COMMAND [flags]')
    .version(version(), '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .configureHelp({ subcommandTerm: termOf, optionDescription: describe })
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureOutput({ outputError: () => undefined, writeOut: sayHelp })
    .addHelpText('after', `\n${EXAMPLES}\n\n${EXIT_CODE_HELP}`);
  addBeginnings(program, words, done);
  addLooks(program, done);
  addControls(program, done);
  addHousekeeping(program, done);
  return program;
}

/** The parser wraps descriptions, and neither usage lines nor what was added to its help. */
function sayHelp(text: string): void {
  say(text.replace(/\n$/, ''));
}

/** Without "[options]", which nearly all have. */
function termOf(command: Command): string {
  return [command.name(), ...command.registeredArguments.map((argument) => `[${argument.name()}]`)].join(' ');
}

/** That a switch is off unless it is given goes without saying. */
function describe({ description, defaultValue, argChoices }: Option): string {
  const choices = argChoices === undefined ? '' : ` ${argChoices.join(', ')}`;
  return `${description}${choices && `:${choices}`}${typeof defaultValue === 'string' ? ` (default ${defaultValue})` : ''}`;
}
