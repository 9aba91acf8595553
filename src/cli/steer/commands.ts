/** The commands that steer a loop. */
import type { Command } from 'commander';
import type { LimitFlags } from '../../operations/steer/amend.ts';
import type { SetExit } from '../terminal/exit-codes.ts';

export function addControls(program: Command, done: SetExit): void {
  program.commandsGroup('Steer a loop:');
  addCancel(program, done);
  addPause(program, done);
  addSteer(program, done);
  addAmend(program, done);
  addResume(program, done);
  addRollback(program, done);
}

function addCancel(program: Command, done: SetExit): void {
  program
    .command('cancel')
    .summary('end a loop')
    .description(
      'Ends a loop, from any terminal. Without an ID: the only one of this project that has not ended. Where there is nothing to cancel it says so, and that is not an error.',
    )
    .argument('[id]', 'which loop')
    .option('--all', 'every loop of this project that has not ended', false)
    .option('--json', 'for programs: an array of what was cancelled', false)
    .action(async (id: string | undefined, { all, json }: { all: boolean; json: boolean }) =>
      done(await (await import('./control.ts')).runCancel({ id, all, json })),
    );
}

function addPause(program: Command, done: SetExit): void {
  program
    .command('pause')
    .summary('start no further iteration')
    .description(
      'Starts no further iteration. In a session, the current iteration finishes. dacapo run ends it, and repeats it when the loop continues.',
    )
    .argument('[id]', 'which loop (default: the only one of this project that can be paused)')
    .option('--json', 'for programs', false)
    .action(async (id: string | undefined, { json }: { json: boolean }) =>
      done(await (await import('./control.ts')).runPause({ id, json })),
    );
}

function addSteer(program: Command, done: SetExit): void {
  program
    .command('steer')
    .summary('tell the agent something')
    .description(
      'Puts a word into the next iteration of a loop. Each later agent of dacapo run gets it, too. For a person: an agent is refused.',
    )
    .usage('[options] [loop] <words>')
    .argument(
      '[loop]',
      'which loop: its id, the end of its id, or its name; the only one of this project if left out',
    )
    .argument('[words]', 'what the agent is told')
    .option('--json', 'for programs', false)
    .action(async (first: string | undefined, second: string | undefined, { json }: { json: boolean }) =>
      done(await (await import('./control.ts')).runSteer({ first, second, json })),
    );
}

function addAmend(program: Command, done: SetExit): void {
  withLimits(
    program
      .command('amend')
      .summary('change the checks or limits of a loop')
      .description(
        'Changes the checks, the promise or the limits of a loop that has begun. For a person: an agent is refused. Where the loop has ended, other checks and another promise count when it is resumed; dacapo resume takes new limits.',
      )
      .argument(
        '[id]',
        'which loop (default: the only one of this project that has not ended, else the newest)',
      )
      .option('--check <cmd>', 'add a check; may be given several times', collect, [])
      .option(
        '--remove-check <cmd>',
        'remove a check, as it was given; may be given several times',
        collect,
        [],
      )
      .option('--promise <text>', 'the promise that the agent has to give'),
  )
    .option('--json', 'for programs', false)
    .action(
      async (
        id: string | undefined,
        options: LimitFlags & { check: string[]; removeCheck: string[]; promise?: string; json: boolean },
      ) => {
        const { check, removeCheck, promise, json, ...limits } = options;
        done(
          await (await import('./control.ts')).runAmend({ id, check, removeCheck, promise, limits, json }),
        );
      },
    );
}

function addResume(program: Command, done: SetExit): void {
  withLimits(
    program
      .command('resume')
      .summary('continue a loop that stands still or has ended')
      .description(
        'Reopens a loop that is paused, interrupted or ended without being done. A loop of dacapo run continues in this terminal; for a loop of a session, it says how to continue.',
      )
      .argument(
        '[id]',
        'which loop (default: the paused or interrupted one of this project, else the newest)',
      ),
  )
    .option('--checkpoint <n>', 'tell the agent of this checkpoint (dacapo checkpoints lists them)')
    .option(
      '--accept-changes',
      'accept the protected files, items removed from a list and the environment as they are now',
      false,
    )
    .option('--json', 'for programs', false)
    .action(
      async (
        id: string | undefined,
        options: LimitFlags & { checkpoint?: string; acceptChanges: boolean; json: boolean },
      ) => {
        const { checkpoint, acceptChanges, json, ...limits } = options;
        done(await (await import('./resume.ts')).runResume({ id, limits, checkpoint, acceptChanges, json }));
      },
    );
}

/** The limits that a loop can be given after its start. */
function withLimits(command: Command): Command {
  return command
    .option(
      '--max-iterations <n|unlimited>',
      'a new limit, counted from the first iteration, as are those below',
    )
    .option('--timeout <duration>', 'working time: 90s, 15m, 2h')
    .option('--max-cost <usd>', 'money: 5, 2.50')
    .option('--max-tokens <n>', 'tokens: 500k, 2m');
}

/** Collects the values of a flag that may be given several times. */
function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

function addRollback(program: Command, done: SetExit): void {
  program
    .command('rollback')
    .summary('restore the files as they were after an iteration')
    .description(
      'Returns what the loop changed to what it was after an iteration of dacapo run. Files that you or another loop changed stay. What is there now is recorded first, and no commit goes away; a loop that commits gets the return as a commit on top. Without an argument: which points there are.',
    )
    .argument('[iteration]', 'its number, 0 for the beginning, or the name that an earlier rollback gave')
    .option('--loop <id>', 'which loop (default: the newest that matters)')
    .option('--dry-run', 'only show what would be done', false)
    .option('--json', 'for programs', false)
    .action(
      async (
        to: string | undefined,
        { loop, dryRun, json }: { loop?: string; dryRun: boolean; json: boolean },
      ) => done(await (await import('./rollback.ts')).runRollback({ to, loop, dryRun, json })),
    );
}
