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
    command('start', 'open the coding agent here and keep it at a task', {
      about:
        `Starts a loop and opens ${title} for it in this terminal (or another coding agent, with --host). ` +
        'Whenever the agent wants to stop, the hook of Da Capo decides whether the task is done. Flags ' +
        'after -- are passed on to the agent.',
      usage: '"PROMPT" [flags] [-- flags of the agent]',
      get flags() {
        return START_FLAGS;
      },
      refused: ['--mode'],
      takesPrompt: true,
      run: async (_, call) => (await import('./start.ts')).runStart(call),
    }),
    command('ready', 'prepare a loop that a session starts later', {
      about:
        'Prepares a loop and prints what to type. The loop begins when a session in this folder gets ' +
        'exactly its prompt. DIR is a folder with RALPH_PROMPT.md and feature_list.json.',
      usage: '"PROMPT" | DIR [flags]',
      get flags() {
        return READY_FLAGS;
      },
      refused: ['--nest'],
      takesPrompt: true,
      run: async (_, call) => (await import('./ready.ts')).runReady(call),
    }),
    command('run', 'run a loop unattended, with a new agent for each iteration', {
      about:
        `Runs a loop unattended in this terminal, with a new ${title} process for each iteration (or ` +
        'another coding agent, with --host). Without a prompt it continues the loop of --loop, or the only ' +
        'loop of this project that nobody is working on. Flags after -- are passed on to the agent.',
      usage: '["PROMPT" | --loop ID] [flags] [-- flags of the agent]',
      get flags() {
        return RUN_LINE_FLAGS;
      },
      refused: ['--nest', '--mode'],
      takesPrompt: true,
      run: async (_, call) => (await import('./run.ts')).runRun(call),
    }),
    command('adopt', 'turn the files of another tool into a loop', {
      about:
        `Turns the files of another tool into a loop: ${STATE_FOLDER}/ralph-loop.local.md of the official ` +
        'ralph-loop plugin or written by hand, a folder with feature_list.json and RALPH_PROMPT.md, a ' +
        'vault or its state file, an idle-loop file, or loop:current.',
      args: { path: `the file or folder (default: ${STATE_FOLDER}/ralph-loop.local.md)` },
      flags: {
        '--session SESSION':
          'the session that owns the loop (default: the one in the file, or the first to get its prompt)',
        '--prompt-file FILE...': {
          help: 'files outside the project that a stack may take its prompts from',
          repeatable: true,
        },
        '--json': 'print JSON, for programs',
      },
      run: async (given, call) => (await import('./adopt.ts')).runAdopt(given, call),
    }),
  ],
};
