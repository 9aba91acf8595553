/** `dacapo fleet COMMAND`. */
import { command, type Command } from '../command.ts';
import { AMEND_FLAGS, LIMIT_FLAGS } from '#input/limit-flags.ts';
import { readStatuses } from '#input/statuses.ts';
import { readCost, readCount, readDuration, readUnlessOff } from '#input/values.ts';
import { runFleetInit, runLimits } from './admin.ts';
import { EACH } from './flags.ts';
import { listOfFleet, loopsOfFleet, runAttach, runFleetDoctor, runPull, runFleetWatch } from './look.ts';
import { fleetRecord, runDrain, runFleetAnswer } from './fleet-record.ts';
import { runList, runLogs, runStatus } from '../look/verbs.ts';
import { runAmend, runCancel, runPause, runResume, runSteer, runTrust } from '../steer/verbs.ts';
import { runFleetPrune } from './prune.ts';
import { runSubmit } from './submit.ts';
import { SUBMIT_FLAGS } from './submit-line.ts';
import { runFleetReady, runWait } from './wait.ts';

const ID = { id: 'the loop: its id, the end of its id, or its name' };
const OF_LOOP = { needs: ID, flags: EACH };

const ACCOUNT_LIMITS = {
  '--max-loops N|off': {
    field: 'max_loops',
    read: readUnlessOff(readCount),
    help: 'how many loops may run at the same time',
  },
  '--max-calls-per-hour N|off': {
    field: 'max_calls_per_hour',
    read: readUnlessOff(readCount),
    help: 'how many iterations may begin in any 60 minutes',
  },
  '--max-cost-per-day USD|off': {
    field: 'max_cost_per_day',
    read: readUnlessOff(readCost),
    help: 'how much money may be spent in any 24 hours',
  },
} as const;

export const FLEET_COMMANDS: readonly Command[] = [
  command('fleet init', 'create the tables of a fleet, or update them', {
    about:
      'Creates the tables of a fleet in a Postgres database, or updates them. With --database, later ' +
      'commands use that database too. It is safe to run again.',
    flags: {
      '--lease DURATION': {
        read: readDuration,
        help: 'how long a worker may be silent before another one takes its loop (default 15s)',
      },
      ...EACH,
    },
    run: runFleetInit,
  }),
  command('fleet submit', 'give the fleet a loop to work on', {
    about:
      'Gives the fleet a loop to work on. With --items and --loops it submits one loop per item of a list ' +
      'and merges their work into the repository in this folder. Flags after -- are passed on to the agent.',
    usage: '"PROMPT" --repo URL --ref REF [flags] [-- flags of the agent]',
    flags: SUBMIT_FLAGS,
    refused: ['--nest', '--mode'],
    takesPrompt: true,
    run: (_, { words }) => runSubmit(words),
  }),
  command('fleet list', 'list the loops of the fleet', {
    about: 'Lists the loops of the fleet, the newest first.',
    flags: {
      '--status STATUS': {
        read: readStatuses,
        otherwise: '',
        help: 'only loops with this status; several with commas: running,waiting',
      },
      '--limit N': { read: readCount, otherwise: '200', help: 'at most this many' },
      ...EACH,
    },
    run: (wanted) => runList(wanted, listOfFleet(wanted)),
  }),
  command('fleet status', 'show one loop, or the workers', {
    about: 'Shows one loop. Without an ID: the workers, and how many loops there are of each status.',
    args: ID,
    flags: EACH,
    run: (wanted) => runStatus(wanted, loopsOfFleet(wanted)),
  }),
  command('fleet wait', 'wait until loops have ended', {
    about:
      'Waits until these loops have ended, and shows their progress on stderr. It exits with the exit code ' +
      'that dacapo run would have; for several loops, with the first that is not 0. If the database is ' +
      'unreachable, it keeps trying.',
    usage: 'ID[,ID…] [flags]',
    needs: ID,
    flags: EACH,
    run: runWait,
  }),
  command('fleet ready', 'show how many loops are waiting for a worker', {
    about:
      'Shows how many loops a worker could take now, by account, labels and hosts, so that a program can ' +
      'start as many workers. Loops that wait until a set time count from then on.',
    flags: EACH,
    run: runFleetReady,
  }),
  command('fleet watch', 'print every change of any loop, until Ctrl-C', {
    about: 'Prints a line for every change of any loop in the fleet, until you press Ctrl-C.',
    flags: EACH,
    run: runFleetWatch,
  }),
  command('fleet attach', 'follow the agent of a loop live', {
    about:
      'Shows live what the agent of a loop is doing, on any worker, until the loop ends. Ctrl-C stops ' +
      'watching; the loop continues.',
    ...OF_LOOP,
    run: runAttach,
  }),
  command('fleet logs', 'show the journal of a loop', {
    about: 'Shows the journal of a loop. Entries never change.',
    ...OF_LOOP,
    run: (wanted) => runLogs(wanted, loopsOfFleet(wanted)),
  }),
  command('fleet pull', 'copy the record of a loop to this machine', {
    about:
      'Copies the record of a loop to this machine, so that dacapo explain, logs and report can read it. ' +
      'Run it again to update the copy.',
    ...OF_LOOP,
    run: runPull,
  }),
  command('fleet cancel', 'end a loop', {
    about: 'Ends a loop, on any worker. When the command returns, the loop has ended for good.',
    ...OF_LOOP,
    run: (wanted) => runCancel(wanted, fleetRecord(wanted)),
  }),
  command('fleet pause', 'stop the current iteration of a loop, and start no more', {
    about:
      'Stops the current iteration of a loop without counting it, and starts no more until dacapo fleet ' +
      'resume.',
    ...OF_LOOP,
    run: (wanted) => runPause(wanted, fleetRecord(wanted)),
  }),
  command('fleet resume', 'continue a loop that is paused, waits or has ended', {
    about:
      'Continues a loop that is paused, is waiting, or has ended without being done. The next free worker ' +
      'takes it.',
    needs: ID,
    flags: { ...LIMIT_FLAGS, ...EACH },
    run: (wanted) => runResume(wanted, fleetRecord(wanted)),
  }),
  command('fleet trust', 'accept the files that stopped a loop, and continue it', {
    about:
      'Accepts the files that a loop was stopped for: an agent or a check wrote them, and the coding agent ' +
      'would run them. Look at them first, on the branch of the loop. Any worker that has exactly these ' +
      'files then continues the loop.',
    ...OF_LOOP,
    run: (wanted) => runTrust(wanted, fleetRecord(wanted)),
  }),
  command('fleet answer', 'answer a question or an approval request of a loop', {
    about: 'Answers a question or an approval request of a loop. The first answer counts.',
    usage: 'REQUEST (--approve | --reject | TEXT) [flags]',
    needs: { request: 'the id of the request, as dacapo fleet status shows it' },
    args: { text: 'the answer to a question' },
    flags: {
      '--approve': 'allow it',
      '--reject': 'do not allow it',
      '--note TEXT': 'a message for the agent',
      ...EACH,
    },
    run: runFleetAnswer,
  }),
  command('fleet steer', 'send the agent a message', {
    about: 'Sends the agent of a loop a message; it gets it with its next iteration.',
    needs: { ...ID, words: 'the message' },
    flags: EACH,
    run: ({ id, ...wanted }) => runSteer({ ...wanted, loop: id }, fleetRecord(wanted)),
  }),
  command('fleet amend', 'change the checks, the promise or the limits of a loop', {
    about:
      'Changes the checks, the promise or the limits of a loop. A loop that is running gets the change ' +
      'before its next iteration.',
    needs: ID,
    flags: { ...AMEND_FLAGS, ...EACH },
    run: (wanted) => runAmend(wanted, fleetRecord(wanted)),
  }),
  command('fleet limits', 'show or set the limits of accounts', {
    about:
      'Shows how many loops, iterations and dollars each account may use. With flags it sets the limits of ' +
      'one account.',
    args: { account: 'the account (default: all of them; to set limits: the one named default)' },
    flags: { ...ACCOUNT_LIMITS, ...EACH },
    run: runLimits,
  }),
  command('fleet drain', 'shut a worker down after its current iterations', {
    about:
      'Shuts a worker down, as SIGTERM does: it takes no more loops, finishes its current iterations and ' +
      'releases its loops to other workers.',
    needs: { worker: 'the name of the worker' },
    flags: EACH,
    run: runDrain,
  }),
  command('fleet prune', 'remove ended loops from the record', {
    about:
      'Removes ended loops from the record, and their saved states from the repositories. It keeps ' +
      'branches, and every loop that still runs, waits for a person, or has work that is on no branch.',
    flags: {
      '--older-than DURATION': {
        help: 'how long ago they must have ended: 30d, 12h, 90m',
        otherwise: '30d',
      },
      '--with-work': 'include loops whose work is on no branch; that work is lost',
      '--dry-run': 'only show what would be removed',
      ...EACH,
    },
    run: runFleetPrune,
  }),
  command('fleet doctor', 'find problems of the fleet', {
    about:
      'Finds loops that no worker can take, loops that keep failing, and workers that are gone. Exits with ' +
      '0 if there is no problem.',
    flags: EACH,
    run: runFleetDoctor,
  }),
];
