/** The commands of a fleet: loops on any number of machines, with one Postgres between them. */
import type { Command } from 'commander';
import { nearest } from '../../flags/did-you-mean.ts';
import type { Act } from '../../fleet/hand.ts';
import type { LimitFlags } from '../../operations/steer/new-limits.ts';
import { collect, withLimits } from '../steer/commands.ts';
import { EXIT, type SetExit } from '../terminal/exit-codes.ts';
import { fail } from '../terminal/terminal.ts';
import type { LimitOptions } from './admin.ts';
import type { FleetOptions } from './fleet.ts';
import type { AmendFlags, AnswerFlags } from './steer.ts';
import { SUBMIT_FLAGS } from './submit-line.ts';
import type { WorkerOptions } from './worker.ts';

export function addFleet(program: Command, done: SetExit, words: readonly string[]): void {
  program.commandsGroup('Work on many machines:');
  add(program, 'worker', 'take loops of a fleet')
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
  addControls(fleet, done);
}

/** `usage`: its name and its arguments. */
function add(parent: Command, usage: string, summary: string): Command {
  return parent
    .command(usage)
    .summary(summary)
    .description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`)
    .option('--database <url>', 'the database of the fleet (default: DACAPO_FLEET, or that of the last init)')
    .option('--json', 'for programs', false);
}

function failUnknown(name: string | undefined, { commands }: Command): number {
  const known = commands.map((one) => one.name());
  const meant = nearest(name ?? '', known);
  return fail(
    name === undefined
      ? 'a command of the fleet is missing.'
      : `the fleet has no command ${JSON.stringify(name)}.`,
    `${meant === null ? '' : `did you mean dacapo fleet ${meant}? `}dacapo fleet --help lists them.`,
    EXIT.usage,
  );
}

function addAdmin(fleet: Command, done: SetExit): void {
  add(fleet, 'init', 'make the tables of a fleet, or bring them up to date')
    .option('--lease <duration>', 'a loop whose worker is silent for so long goes to another (default 15s)')
    .action(async (options: FleetOptions & { lease?: string }) =>
      done(await (await import('./admin.ts')).runInit(options)),
    );
  add(fleet, 'limits [account]', 'show what accounts may use, or set it: a number, or off')
    .option('--max-loops <n|off>', 'loops at work at once')
    .option('--max-calls-per-hour <n|off>', 'passes begun in any 60 minutes')
    .option('--max-cost-per-day <usd|off>', 'money in any 24 hours')
    .action(async (account: string | undefined, options: LimitOptions) =>
      done(await (await import('./admin.ts')).runLimits(account, options)),
    );
  add(fleet, 'drain <worker>', 'let a worker hand its loops over after their passes, and end').action(
    async (worker: string, options: FleetOptions) =>
      done(await (await import('./steer.ts')).runDrain(worker, options)),
  );
}

/** It parses its own words, because a prompt may look like anything. */
function addSubmit(fleet: Command, done: SetExit, [, ...words]: readonly string[]): void {
  const command = fleet
    .command('submit')
    .summary('give the fleet a loop')
    .description(
      'Gives the fleet a loop. It takes the flags of dacapo run as well, and flags of the host after --.',
    )
    .usage('"PROMPT" | --prompt-file FILE | - --repo URL --ref REF [flags]')
    .action(async () => done(await (await import('./submit.ts')).runSubmit(words)));
  for (const { flag, value, help } of SUBMIT_FLAGS)
    command.option(value === null ? flag : `${flag} <${value.toLowerCase()}>`, help);
}

function addLooks(fleet: Command, done: SetExit): void {
  const look = () => import('./look.ts');
  add(fleet, 'list', 'show every loop of the fleet, the newest first').action(async (options: FleetOptions) =>
    done(await (await look()).runList(options)),
  );
  add(fleet, 'status [id]', 'show one loop; without an id the workers, and how many loops there are').action(
    async (id: string | undefined, options: FleetOptions) =>
      done(await (await look()).runStatus(id, options)),
  );
  add(fleet, 'logs <id>', 'show the journal of a loop').action(async (id: string, options: FleetOptions) =>
    done(await (await look()).runLogs(id, options)),
  );
  add(fleet, 'pull <id>', 'copy a loop to this machine, to look at; again: bring the copy up to date').action(
    async (id: string, options: FleetOptions) => done(await (await look()).runPull(id, options)),
  );
  add(fleet, 'watch', 'show every change of a loop, until Ctrl-C').action(async (options: FleetOptions) =>
    done(await (await look()).runWatch(options)),
  );
  add(fleet, 'doctor', 'find loops that nobody can take or that fail, and missing workers').action(
    async (options: FleetOptions) => done(await (await look()).runDoctor(options)),
  );
}

function addControls(fleet: Command, done: SetExit): void {
  const steer = () => import('./steer.ts');
  const act = async (id: string, what: Act, options: FleetOptions) =>
    done(await (await steer()).runAct(id, what, options));
  add(fleet, 'cancel <id>', 'end a loop, whatever its worker does').action(
    (id: string, options: FleetOptions) => act(id, { is: 'cancel' }, options),
  );
  add(fleet, 'pause <id>', 'end the pass of a loop, uncounted, and begin no other').action(
    (id: string, options: FleetOptions) => act(id, { is: 'pause' }, options),
  );
  withLimits(add(fleet, 'resume <id>', 'let a loop go on that is paused, waits, or has ended undone')).action(
    async (id: string, options: FleetOptions & LimitFlags) =>
      done(await (await steer()).runResume(id, options)),
  );
  add(fleet, 'answer <request> [text]', 'answer what a loop asks; the first answer counts')
    .option('--approve', 'yes', false)
    .option('--reject', 'no', false)
    .option('--note <text>', 'words for the agent')
    .action(async (request: string, text: string | undefined, options: AnswerFlags) =>
      done(await (await steer()).runAnswer(request, text, options)),
    );
  add(fleet, 'steer <id> <words>', 'put a word into the next iteration of a loop').action(
    (id: string, words: string, options: FleetOptions) => act(id, { is: 'steer', words }, options),
  );
  withLimits(add(fleet, 'amend <id>', 'change the checks, the promise or the limits of a loop'))
    .option('--check <cmd>', 'add a check; may be given several times', collect, [])
    .option(
      '--remove-check <cmd>',
      'remove a check, as it was given; may be given several times',
      collect,
      [],
    )
    .option('--promise <text>', 'the promise that the agent has to give')
    .action(async (id: string, options: AmendFlags) => done(await (await steer()).runAmend(id, options)));
}
