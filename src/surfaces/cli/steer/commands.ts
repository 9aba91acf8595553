/** The commands that steer a loop. */
import { AMEND_FLAGS, LIMIT_FLAGS } from '#input/limit-flags.ts';
import { command, type CommandGroup } from '../command.ts';

export const CONTROLS: CommandGroup = {
  heading: 'Steer a loop:',
  commands: [
    command('cancel', 'end a loop', {
      about:
        'Ends a loop, from any terminal. Without an ID: the only one of this project that has not ' +
        'ended. Where there is nothing to cancel it says so, and that is not an error.',
      args: { id: 'which loop' },
      flags: {
        '--all': 'every loop of this project that has not ended',
        '--json': 'for programs: an array of what was cancelled',
      },
      run: async (given, call) => (await import('./control.ts')).runCancel(given, call),
    }),
    command('pause', 'start no further iteration', {
      about:
        'Starts no further iteration. In a session, the current iteration finishes. dacapo run ends ' +
        'it, and repeats it when the loop continues.',
      args: { id: 'which loop (default: the only one of this project that can be paused)' },
      flags: { '--json': 'for programs' },
      run: async (given, call) => (await import('./control.ts')).runPause(given, call),
    }),
    command('steer', 'tell the agent something', {
      about:
        'Puts a word into the next iteration of a loop. Each later agent of dacapo run gets it, too. ' +
        'For a person: an agent is refused.',
      usage: '[LOOP] WORDS [flags]',
      args: {
        loop: 'which loop: its id, the end of its id, or its name; the only one of this project if left out',
        words: 'what the agent is told',
      },
      flags: { '--json': 'for programs' },
      run: async (given, call) => (await import('./control.ts')).runSteer(given, call),
    }),
    command('amend', 'change the checks, measures or limits of a loop', {
      about:
        'Changes the checks, the measures, the promise or the limits of a loop that has begun. For a ' +
        'person: an agent is refused. Where the loop has ended, other gates count when it is ' +
        'resumed; dacapo resume takes new limits.',
      args: { id: 'which loop (default: the only one of this project that has not ended, else the newest)' },
      flags: { ...AMEND_FLAGS, '--json': 'for programs' },
      run: async (given, call) => (await import('./control.ts')).runAmend(given, call),
    }),
    command('resume', 'continue a loop that stands still or has ended', {
      about:
        'Reopens a loop that is paused, interrupted or ended without being done. A loop of dacapo ' +
        'run continues in this terminal; for a loop of a session, it says how to continue.',
      args: { id: 'which loop (default: the paused or interrupted one of this project, else the newest)' },
      flags: {
        ...LIMIT_FLAGS,
        '--checkpoint N': 'tell the agent of this checkpoint (dacapo checkpoints lists them)',
        '--accept-changes':
          'accept the protected files, items removed from a list and the environment as they are now',
        '--json': 'for programs',
      },
      run: async (given, call) => (await import('./resume.ts')).runResume(given, call),
    }),
    command('rollback', 'restore the files as they were after an iteration', {
      about:
        'Returns what the loop changed to what it was after an iteration of dacapo run. Files that ' +
        'you or another loop changed stay. What is there now is recorded first, and no commit goes ' +
        'away; a loop that commits gets the return as a commit on top. Without an argument: which ' +
        'points there are.',
      args: { iteration: 'its number, 0 for the beginning, or the name that an earlier rollback gave' },
      flags: {
        '--loop ID': 'which loop (default: the newest that matters)',
        '--best': 'to the iteration whose measures were nearest to their goals (--target, --keep)',
        '--dry-run': 'only show what would be done',
        '--json': 'for programs',
      },
      run: async (given, call) => (await import('./rollback.ts')).runRollback(given, call),
    }),
  ],
};
