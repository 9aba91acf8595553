/** The commands that steer a loop. */
import { AMEND_FLAGS, LIMIT_FLAGS } from '#input/limit-flags.ts';
import { command, type CommandGroup } from '../command.ts';
import { onMachine } from './on-machine.ts';

export const CONTROLS: CommandGroup = {
  heading: 'Steer a loop:',
  commands: [
    command('cancel', 'end a loop', {
      about: 'Ends a loop, from any terminal. If there is nothing to cancel, it says so and exits with 0.',
      args: { id: 'the loop (default: the only one of this project that has not ended)' },
      flags: {
        '--all': 'end every loop of this project that has not ended',
        '--json': 'print a JSON array of the cancelled loops, for programs',
      },
      run: async (given, call) => (await import('./machine-record.ts')).runCancelHere(given, call),
    }),
    command('pause', 'pause a loop', {
      about:
        'Pauses a loop: it starts no further iteration until dacapo resume. In a session, the current ' +
        'iteration finishes. With dacapo run, the current iteration is stopped, and repeated when the ' +
        'loop is resumed.',
      args: { id: 'the loop (default: the only one of this project that can be paused)' },
      flags: { '--json': 'print JSON, for programs' },
      run: onMachine((verbs) => verbs.runPause),
    }),
    command('steer', 'send the agent a message', {
      about:
        'Sends the agent a message; it gets it with its next iteration. With dacapo run, the agents of ' +
        'later iterations get it, too. Agents can’t use this command.',
      usage: '[LOOP] WORDS [flags]',
      args: {
        loop: 'the loop: its id, the end of its id, or its name (default: the only one of this project)',
        words: 'the message',
      },
      flags: { '--json': 'print JSON, for programs' },
      run: onMachine((verbs) => verbs.runSteer),
    }),
    command('amend', 'change the checks, measures or limits of a loop', {
      about:
        'Changes the checks, measures, promise or limits of a loop that has begun. If the loop has ended, ' +
        'new checks count when it is resumed, and new limits are given to dacapo resume. Agents can’t ' +
        'use this command.',
      args: { id: 'the loop (default: the only one of this project that has not ended, or the newest)' },
      flags: { ...AMEND_FLAGS, '--json': 'print JSON, for programs' },
      run: onMachine((verbs) => verbs.runAmend),
    }),
    command('resume', 'continue a loop that is paused or has ended', {
      about:
        'Continues a loop that is paused, was interrupted, or has ended without being done. A loop of ' +
        'dacapo run continues in this terminal. A loop of a session continues in that session, which is ' +
        'opened again here.',
      args: { id: 'the loop (default: the paused or interrupted one of this project, or the newest)' },
      flags: {
        ...LIMIT_FLAGS,
        '--checkpoint N': 'continue from this checkpoint; dacapo checkpoints lists them',
        '--accept-changes':
          'accept changed protected files, removed items and a changed environment as they are now',
        '--json': 'print JSON, for programs',
      },
      run: onMachine((verbs) => verbs.runResume),
    }),
    command('rollback', 'restore the files as they were after an iteration', {
      about:
        'Restores the files that a loop of dacapo run changed to their state after an iteration. Files ' +
        'that you or another loop changed stay. The current state is saved first, and no commit is ' +
        'removed: with --commit, the rollback is a new commit. Without an argument it lists the states ' +
        'to return to.',
      args: { iteration: 'the number of the iteration, 0 for the start, or the name of a saved state' },
      flags: {
        '--loop ID': 'the loop (default: the newest of this project)',
        '--best': 'return to the iteration whose measures were nearest to their goals',
        '--dry-run': 'only show what would change',
        '--json': 'print JSON, for programs',
      },
      run: async (given, call) => (await import('./rollback.ts')).runRollback(given, call),
    }),
  ],
};
