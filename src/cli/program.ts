/**
 * Parses the command line and runs the command. A command and the flags of its group are loaded when it is called, so
 * that `dacapo status` starts fast.
 */
import { Command, CommanderError, type Option } from 'commander';
import { chosenNames } from '../hosts/names.ts';
import { splitAtDashes } from '../flags/words.ts';
import { type SetExit, EXIT } from './terminal/exit-codes.ts';
import { enclosingProject } from './project.ts';
import { examplesOf } from './terminal/examples.ts';
import { version } from '../process/package.ts';
import { say } from './terminal/terminal.ts';
import { usageError } from './terminal/errors.ts';

/** Adds the commands of a group to the program. */
type AddGroup = (program: Command, done: SetExit, words: readonly string[]) => void;

/** The groups in the order of the help, each with the names of its commands. */
const GROUPS: readonly { readonly names: string; readonly load: () => Promise<AddGroup> }[] = [
  {
    names: 'start ready run adopt',
    load: async () => (await import('./begin/commands.ts')).addBeginnings,
  },
  {
    names: 'status list watch ui stats report logs explain features hooks checkpoints',
    load: async () => (await import('./look/commands.ts')).addLooks,
  },
  {
    names: 'approvals approve reject answer',
    load: async () => (await import('./answer/commands.ts')).addAnswers,
  },
  {
    names: 'cancel pause steer amend resume rollback',
    load: async () => (await import('./steer/commands.ts')).addControls,
  },
  {
    names: 'init uninstall trust notify doctor demo prune hook mcp statusline',
    load: async () => (await import('./setup/commands.ts')).addHousekeeping,
  },
];

/** What most people need. `--help all` shows the rest. */
const DAILY = 'start run status watch ui explain logs approvals cancel resume init doctor'.split(' ');

export async function runProgram(first: string | undefined, words: readonly string[]): Promise<number> {
  const command = first === '--help' || first === '-h' ? 'help' : first;
  if (command === undefined && enclosingProject() !== null)
    return (await import('./look/overview.ts')).runOverview();
  let exit: number = EXIT.ok;
  const asked = command === 'help' ? words.find((word) => word !== 'all') : command;
  const program = await build(asked, words, (code) => (exit = code));
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

/** With the group of the command that is asked for; with all for the help, the completion and an unknown command. */
async function build(asked: string | undefined, words: readonly string[], done: SetExit): Promise<Command> {
  const isAll = words.includes('all');
  const group = GROUPS.find(({ names }) => names.split(' ').includes(asked ?? ''));
  const program = new Command('dacapo')
    .description(`Keeps ${chosenNames().title} at work on a task until the task is proven done.`)
    .usage('COMMAND [flags]')
    .version(version(), '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .configureHelp({
      subcommandTerm: termOf,
      optionDescription: describe,
      visibleCommands: ({ commands }) => commands.filter((one) => isAll || DAILY.includes(one.name())),
    })
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureOutput({ outputError: () => undefined, writeOut: sayHelp })
    .addHelpText(
      'after',
      () =>
        `\n${examplesOf('dacapo')}\n\ndacapo COMMAND --help shows its flags${isAll ? '; dacapo run --help all also the exit codes' : '; dacapo --help all shows all commands'}.`,
    );
  for (const { load } of group === undefined ? GROUPS : [group]) (await load())(program, done, words);
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
