/**
 * The commands that begin a loop. Those with a prompt read their own words, because it may look like
 * anything.
 */
import { chosenNames } from '#hosts/tables/names.ts';
import { STATE_FOLDER } from '#evidence/views/state-folder.ts';
import { command, type CommandGroup } from '../command.ts';
import { READY_FLAGS, RUN_LINE_FLAGS, START_FLAGS } from './flags.ts';

const { title } = chosenNames();

export const BEGINNINGS: CommandGroup = {
  heading: 'Begin a loop:',
  commands: [
    command('start', 'open the coding agent here, in a loop', {
      about:
        `Makes a loop and opens the coding agent for it in this terminal, with our hook: ${title}, or ` +
        'another one with --host.',
      usage: `"PROMPT" | --prompt-file FILE | - [flags] [-- flags of the agent]`,
      flags: START_FLAGS,
      refused: ['--mode'],
      takesPrompt: true,
      run: async (_, call) => (await import('./start.ts')).runStart(call),
    }),
    command('ready', 'prepare a loop that begins with its prompt', {
      about:
        'Makes a loop that waits, and says what to type: the first session here that gets its prompt ' +
        'begins it.',
      usage: '"PROMPT" | --prompt-file FILE | - | DIR [flags]',
      flags: READY_FLAGS,
      refused: ['--nest'],
      takesPrompt: true,
      run: async (_, call) => (await import('./ready.ts')).runReady(call),
    }),
    command('run', 'run a loop with a new agent for each iteration', {
      about:
        `Runs a loop in this terminal, with a new agent for each iteration (${title}, or another one ` +
        'with --host): a new loop, or one that is there, wherever it was begun (without an id: the ' +
        'only one of this project that nobody works on).',
      usage:
        '"PROMPT" | --prompt-file FILE | - [flags], or --loop ID [flags of the passes] [-- flags of ' +
        'the agent]',
      flags: RUN_LINE_FLAGS,
      refused: ['--nest', '--mode'],
      takesPrompt: true,
      run: async (_, call) => (await import('./run.ts')).runRun(call),
    }),
    command('adopt', 'continue what another tool began', {
      about:
        `Makes a loop of a hand-written ${STATE_FOLDER}/ralph-loop.local.md, of the official plugin's, ` +
        `or of another tool's state: a folder with feature_list.json and RALPH_PROMPT.md, a vault or ` +
        'its state file, an idle-loop file, loop:current.',
      args: { path: `the file or folder (default: ${STATE_FOLDER}/ralph-loop.local.md)` },
      flags: {
        '--session SESSION':
          'the session that owns it (default: the one in the file, else the first that gets its prompt)',
        '--prompt-file FILE...': {
          help: 'files outside the project that a stack takes its prompts from',
          repeatable: true,
        },
        '--json': 'for programs',
      },
      run: async (given, call) => (await import('./adopt.ts')).runAdopt(given, call),
    }),
  ],
};
