/** The commands of a fleet: loops on any number of machines, with one Postgres between them. */
import type { Command } from 'commander';
import type { Act } from '../../fleet/hand.ts';
import type { LimitFlags } from '../../operations/steer/new-limits.ts';
import { nearest } from '../../flags/did-you-mean.ts';
import { EXIT, type SetExit } from '../terminal/exit-codes.ts';
import { fail } from '../terminal/terminal.ts';
import { collect, withLimits } from '../steer/commands.ts';
import type { LimitOptions } from './admin.ts';
import type { FleetOptions } from './fleet.ts';
import { SUBMIT_FLAGS } from './submit-line.ts';
import type { AmendFlags, AnswerFlags } from './steer.ts';
import type { WorkerOptions } from './worker.ts';

export function addFleet(program: Command, done: SetExit, words: readonly string[]): void {
  program.commandsGroup('Work on many machines:');
  withDatabase(program.command('worker'))
    .summary('take loops of a fleet')
    .description(
      'Takes loops of a fleet and drives them here, each in a process of its own, until it is told to stop. SIGTERM and Ctrl-C hand its loops over after their passes; a second one at once.',
    )
    .option('--name <name>', 'its name in the fleet (default: that of the machine, and a number)')
    .option('--labels <a,b>', 'what it can do, for loops that need it')
    .option('--capacity <n>', 'how many loops at once', '1')
    .option('--accept <glob>', 'only loops of such repositories; may be given several times', collect, [])
    .action(async (options: WorkerOptions) => done(await (await import('./worker.ts')).runWorker(options)));
  const fleet = program
    .command('fleet')
    .summary('loops on any number of machines')
    .description('Gives loops to the workers of a fleet, and shows and steers them from anywhere.')
    .usage('COMMAND [flags]')
    .argument('[command]')
    .configureHelp({
      ...program.configureHelp(),
      visibleCommands: ({ commands }) => [...commands],
      visibleArguments: () => [],
    })
    .helpCommand(false)
    .allowUnknownOption()
    .action((name: string | undefined) => done(failUnknown(name, fleet)));
  addAdmin(fleet, done);
  addSubmit(fleet, done, words);
  addLooks(fleet, done);
  addMoreLooks(fleet, done);
  addControls(fleet, done);
}

function failUnknown(name: string | undefined, { commands }: Command): number {
  const meant = nearest(
    name ?? '',
    commands.map((one) => one.name()),
  );
  return fail(
    name === undefined
      ? 'a command of the fleet is missing.'
      : `the fleet has no command ${JSON.stringify(name)}.`,
    `${meant === null ? '' : `did you mean dacapo fleet ${meant}? `}dacapo fleet --help lists them.`,
    EXIT.usage,
  );
}

function addAdmin(fleet: Command, done: SetExit): void {
  withDatabase(fleet.command('init'))
    .summary('make the tables of a fleet')
    .description('Makes the tables of a fleet in a Postgres database, or brings them up to date.')
    .option('--lease <duration>', 'a loop whose worker is silent for so long goes to another (default 15s)')
    .action(async (options: FleetOptions & { lease?: string }) =>
      done(await (await import('./admin.ts')).runInit(options)),
    );
  withDatabase(fleet.command('limits'))
    .summary('what an account may use')
    .description('Shows what accounts may use, or sets it: a number, or off.')
    .argument('[account]', 'which account (default: all of them; to set limits: default)')
    .option('--max-loops <n|off>', 'loops at work at once')
    .option('--max-calls-per-hour <n|off>', 'passes begun in any 60 minutes')
    .option('--max-cost-per-day <usd|off>', 'money in any 24 hours')
    .action(async (account: string | undefined, options: LimitOptions) =>
      done(await (await import('./admin.ts')).runLimits(account, options)),
    );
  withDatabase(fleet.command('drain'))
    .summary('let a worker hand its loops over and end')
    .description('The worker takes nothing new, hands its loops over after their passes, and ends.')
    .argument('<worker>', 'its name')
    .action(async (worker: string, options: FleetOptions) =>
      done(await (await import('./steer.ts')).runDrain(worker, options)),
    );
}

/** It parses its own words, because a prompt may look like anything. */
function addSubmit(fleet: Command, done: SetExit, [, ...words]: readonly string[]): void {
  const command = fleet
    .command('submit')
    .summary('give the fleet a loop')
    .description(
      'Gives the fleet a loop. It takes the flags of dacapo run as well, and the flags of the host after --.',
    )
    .usage('"PROMPT" | --prompt-file FILE | - --repo URL --ref REF [flags]')
    .action(async () => done(await (await import('./submit.ts')).runSubmit(words)));
  for (const flag of SUBMIT_FLAGS)
    command.option(flag.value === null ? flag.flag : `${flag.flag} <${flag.value.toLowerCase()}>`, flag.help);
}

function addLooks(fleet: Command, done: SetExit): void {
  withDatabase(fleet.command('list'))
    .summary('every loop of the fleet')
    .description('Shows every loop of the fleet, the newest first.')
    .action(async (options: FleetOptions) => done(await (await import('./look.ts')).runList(options)));
  withDatabase(fleet.command('status'))
    .summary('one loop, or the fleet')
    .description('Shows one loop; without an ID the workers, and how many loops there are of each status.')
    .argument('[id]', 'which loop: its id, the end of its id, or its name')
    .action(async (id: string | undefined, options: FleetOptions) =>
      done(await (await import('./look.ts')).runStatus(id, options)),
    );
  withDatabase(fleet.command('logs'))
    .summary('what happened to a loop')
    .description('Shows the journal of a loop.')
    .argument('<id>', 'which loop')
    .action(async (id: string, options: FleetOptions) =>
      done(await (await import('./look.ts')).runLogs(id, options)),
    );
}

function addMoreLooks(fleet: Command, done: SetExit): void {
  withDatabase(fleet.command('pull'))
    .summary('a copy of a loop, to look at here')
    .description(
      'Copies a loop to this machine, so that status, explain, logs and report work on it. Again: brings the copy up to date.',
    )
    .argument('<id>', 'which loop')
    .action(async (id: string, options: FleetOptions) =>
      done(await (await import('./look.ts')).runPull(id, options)),
    );
  withDatabase(fleet.command('watch'))
    .summary('every change, as it happens')
    .description('Shows the loops of the fleet, and every change of them, until Ctrl-C.')
    .action(async (options: FleetOptions) => done(await (await import('./look.ts')).runWatch(options)));
  withDatabase(fleet.command('doctor'))
    .summary('what is wrong with the fleet')
    .description(
      'Finds loops that nobody can take or that fail, and missing workers. Each finding comes with its remedy.',
    )
    .action(async (options: FleetOptions) => done(await (await import('./look.ts')).runDoctor(options)));
}

function addControls(fleet: Command, done: SetExit): void {
  const act = async (id: string, what: Act, options: FleetOptions) =>
    done(await (await import('./steer.ts')).runAct(id, what, options));
  withDatabase(fleet.command('cancel'))
    .summary('end a loop')
    .description('Ends a loop, whatever its worker does. A loop that has ended stays as it is.')
    .argument('<id>', 'which loop')
    .action((id: string, options: FleetOptions) => act(id, { is: 'cancel' }, options));
  withDatabase(fleet.command('pause'))
    .summary('let a loop stand still')
    .description(
      'Ends the pass of a loop, which is not counted, and begins no other until the loop is resumed.',
    )
    .argument('<id>', 'which loop')
    .action((id: string, options: FleetOptions) => act(id, { is: 'pause' }, options));
  withLimits(withDatabase(fleet.command('resume')))
    .summary('let a loop go on')
    .description('Lets a loop go on that is paused, waits, or has ended without being done.')
    .argument('<id>', 'which loop')
    .action(async (id: string, options: FleetOptions & LimitFlags) =>
      done(await (await import('./steer.ts')).runResume(id, options)),
    );
  withDatabase(fleet.command('answer'))
    .summary('answer what a loop asks')
    .description('Answers a request of a loop. The first answer counts.')
    .argument('<request>', 'its id')
    .argument('[text]', 'the answer to a question')
    .option('--approve', 'yes', false)
    .option('--reject', 'no', false)
    .option('--note <text>', 'words for the agent')
    .action(async (request: string, text: string | undefined, options: AnswerFlags) =>
      done(await (await import('./steer.ts')).runAnswer(request, text, options)),
    );
  withDatabase(fleet.command('steer'))
    .summary('tell the agent something')
    .description('Puts a word into the next iteration of a loop.')
    .argument('<id>', 'which loop')
    .argument('<words>', 'what the agent is told')
    .action((id: string, said: string, options: FleetOptions) =>
      act(id, { is: 'steer', words: said }, options),
    );
  withLimits(withDatabase(fleet.command('amend')))
    .summary('change the checks or limits of a loop')
    .description('Changes the checks, the promise or the limits of a loop.')
    .argument('<id>', 'which loop')
    .option('--check <cmd>', 'add a check; may be given several times', collect, [])
    .option(
      '--remove-check <cmd>',
      'remove a check, as it was given; may be given several times',
      collect,
      [],
    )
    .option('--promise <text>', 'the promise that the agent has to give')
    .action(async (id: string, options: AmendFlags) =>
      done(await (await import('./steer.ts')).runAmend(id, options)),
    );
}

function withDatabase(command: Command): Command {
  return command
    .option('--database <url>', 'the database of the fleet (default: DACAPO_FLEET, or that of the last init)')
    .option('--json', 'for programs', false);
}
