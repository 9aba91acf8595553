/** The commands that begin a loop. */
import type { Command } from 'commander';
import { EXIT_CODE_HELP, flagsHelp, helpSizeOf } from '../terminal/help.ts';
import { chosenNames } from '../../hosts/names.ts';
import { STATE_FOLDER } from '../../views/places.ts';
import type { SetExit } from '../terminal/exit-codes.ts';

export function addBeginnings(program: Command, done: SetExit, words: readonly string[]): void {
  const size = helpSizeOf(words);
  const exitCodes = size === 'all' ? `\n\n${EXIT_CODE_HELP}` : '';
  program.commandsGroup('Begin a loop:');
  program
    .command('start')
    .summary(`start ${chosenNames().title} here, in a loop`)
    .description(
      `Makes a loop and starts ${chosenNames().title} for it in this terminal, with the hook and without its cap on stops.`,
    )
    .usage(`"PROMPT" | --prompt-file FILE | - [flags] [-- flags of ${chosenNames().word}]`)
    .addHelpText('afterAll', () => `\n${flagsHelp('start', size)}${exitCodes}`)
    .action(async () => done(await (await import('./start.ts')).runStart(words)));
  program
    .command('ready')
    .summary('prepare a loop that begins with its prompt')
    .description(
      'Makes a loop that waits, and says what to type: the first session here that gets its prompt begins it.',
    )
    .usage('"PROMPT" | --prompt-file FILE | - | DIR [flags]')
    .addHelpText('afterAll', () => `\n${flagsHelp('ready', size)}`)
    .action(async () => done(await (await import('./ready.ts')).runReady(words)));
  program
    .command('run')
    .summary('run a loop with a new agent for each iteration')
    .description(
      `Runs a loop in this terminal, with a new headless ${chosenNames().title} for each iteration: a new loop, or one that is there, wherever it was begun (without an id: the only one of this project that nobody works on).`,
    )
    .usage(
      `"PROMPT" | --prompt-file FILE | - [flags], or --loop ID [flags of the passes] [-- flags of ${chosenNames().word}]`,
    )
    .addHelpText('afterAll', () => `\n${flagsHelp('run', size)}${exitCodes}`)
    .action(async () => done(await (await import('./run.ts')).runRun(words)));
  program
    .command('adopt')
    .summary('continue what another tool began')
    .description(
      `Makes a loop of a hand-written ${STATE_FOLDER}/ralph-loop.local.md, of the official plugin's, or of another tool's state: a folder with feature_list.json and RALPH_PROMPT.md, a vault or its state file, an idle-loop file, loop:current.`,
    )
    .argument('[path]', `the file or folder (default: ${STATE_FOLDER}/ralph-loop.local.md)`)
    .option(
      '--session <id>',
      'the session that owns it (default: the one in the file, else the first that gets its prompt)',
    )
    .option('--prompt-file <file...>', 'files outside the project that a stack takes its prompts from')
    .option('--json', 'for programs', false)
    .action(
      async (
        file: string | undefined,
        { session, promptFile, json }: { session?: string; promptFile?: string[]; json: boolean },
      ) =>
        done(
          await (await import('./adopt.ts')).runAdopt({ file, session, promptFiles: promptFile ?? [], json }),
        ),
    );
}
