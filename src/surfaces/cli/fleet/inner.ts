/** `dacapo fleet COMMAND`. */
import { command, type Command } from '../command.ts';
import { AMEND_FLAGS, LIMIT_FLAGS } from '#input/limit-flags.ts';
import { readCost, readCount, readDuration, readUnlessOff } from '#input/values.ts';
import { runInit, runLimits } from './admin.ts';
import { EACH } from './flags.ts';
import { runAttach, runDoctor, runList, runLogs, runPull, runStatus, runWatch } from './look.ts';
import { runAct, runAmend, runAnswer, runDrain, runResume, runSteer } from './steer.ts';
import { runReady } from './ready.ts';
import { runSubmit } from './submit.ts';
import { SUBMIT_FLAGS } from './submit-line.ts';
import { runWait } from './wait.ts';

const ID = { id: 'which loop: its id, the end of its id, or its name' };
const OF_LOOP = { args: ID, flags: EACH };

export const FLEET_COMMANDS: readonly Command[] = [
  command('fleet init', 'make the tables of a fleet, or bring them up to date', {
    about:
      'Makes the tables of a fleet, or brings them up to date. With --database it also notes the ' +
      'database for later commands. A second call changes nothing.',
    flags: {
      '--lease DURATION': {
        read: readDuration,
        help: 'a loop whose worker is silent for this long goes to another one (default 15s)',
      },
      ...EACH,
    },
    run: runInit,
  }),
  command('fleet submit', 'give the fleet a loop', {
    about:
      'Gives the fleet a loop, or with --items and --loops one for each item of a list, and merges ' +
      'here what they have done. It takes the flags of dacapo run as well, and flags of the host ' +
      'after --.',
    usage: '"PROMPT" | --prompt-file FILE | - --repo URL --ref REF [flags]',
    flags: SUBMIT_FLAGS,
    refused: ['--nest', '--mode'],
    takesPrompt: true,
    run: (_, { words }) => runSubmit(words),
  }),
  command('fleet list', 'show every loop of the fleet, the newest first', {
    about: 'Shows every loop of the fleet, the newest first.',
    flags: EACH,
    run: runList,
  }),
  command('fleet status', 'show one loop, or the workers', {
    about: 'Shows one loop. Without an ID: the workers, and how many loops there are of each status.',
    ...OF_LOOP,
    run: runStatus,
  }),
  command('fleet wait', 'wait until loops have ended', {
    about:
      'Waits until these loops have ended, shows their progress on stderr, and exits with the code of the ' +
      'loop as dacapo run would; of several, with the first that is not 0. A database that is away is waited for.',
    usage: 'ID[,ID…] [options]',
    args: ID,
    flags: EACH,
    run: runWait,
  }),
  command('fleet ready', 'show how many loops wait for a worker', {
    about:
      'Shows how many loops a worker could take now, by account, labels and hosts, for whatever starts ' +
      'workers. Loops that sleep do not count until they are due.',
    flags: EACH,
    run: runReady,
  }),
  command('fleet watch', 'show every change of a loop, until Ctrl-C', {
    about: 'Shows every change of a loop, until Ctrl-C.',
    flags: EACH,
    run: runWatch,
  }),
  command('fleet attach', 'show what the agent of a loop does now', {
    about:
      'Shows what the agent of a loop does now, on whichever worker, until the loop ends or Ctrl-C. ' +
      'The loop goes on.',
    ...OF_LOOP,
    run: runAttach,
  }),
  command('fleet logs', 'show the journal of a loop', {
    about: 'Shows the journal of a loop. What is there is true for ever.',
    ...OF_LOOP,
    run: runLogs,
  }),
  command('fleet pull', 'copy a loop to this machine, to look at', {
    about: 'Copies a loop to this machine, to look at; again: brings the copy up to date.',
    ...OF_LOOP,
    run: runPull,
  }),
  command('fleet cancel', 'end a loop, whatever its worker does', {
    about: 'Ends a loop. When the command is back, the end is in the record, and no worker can add to it.',
    ...OF_LOOP,
    run: (wanted) => runAct({ is: 'cancel' }, wanted),
  }),
  command('fleet pause', 'end the pass of a loop, uncounted, and begin no other', {
    about: 'Ends the pass of a loop, uncounted, and begins no other until dacapo fleet resume.',
    ...OF_LOOP,
    run: (wanted) => runAct({ is: 'pause' }, wanted),
  }),
  command('fleet resume', 'let a loop go on', {
    about: 'Lets a loop go on that is paused, waits, or has ended undone, on any worker.',
    args: ID,
    flags: { ...LIMIT_FLAGS, ...EACH },
    run: runResume,
  }),
  command('fleet trust', 'agree to files that stopped a loop, and let it go on', {
    about:
      'Agrees to the files for which a loop was stopped: an agent or a check wrote them, and the host of ' +
      'the loop would run them. Look at them on the branch of the loop first. The loop goes on, on any ' +
      'worker that has exactly these files.',
    ...OF_LOOP,
    run: (wanted) => runAct({ is: 'trust' }, wanted),
  }),
  command('fleet answer', 'answer what a loop asks', {
    about: 'Answers what a loop asks. The first answer counts.',
    usage: 'REQUEST (--approve | --reject | TEXT) [options]',
    args: { request: 'its id, as dacapo fleet status shows it', text: 'the words of the answer' },
    flags: {
      '--approve': 'approve it',
      '--reject': 'reject it',
      '--note TEXT': 'words for the agent',
      ...EACH,
    },
    run: runAnswer,
  }),
  command('fleet steer', 'put a word into the next iteration of a loop', {
    about: 'Puts a word into the next iteration of a loop.',
    args: { ...ID, words: 'what the agent is told' },
    flags: EACH,
    run: runSteer,
  }),
  command('fleet amend', 'change the checks, the promise or the limits of a loop', {
    about:
      'Changes the checks, the promise or the limits of a loop. One that is being driven gets it ' +
      'before its next iteration.',
    args: ID,
    flags: { ...AMEND_FLAGS, ...EACH },
    run: runAmend,
  }),
  command('fleet limits', 'show what accounts may use, or set it', {
    about: 'Shows what accounts may use, or sets it: a number, or off.',
    args: { account: 'which one (default: all; to set: default)' },
    flags: {
      '--max-loops N|off': {
        field: 'max_loops',
        read: readUnlessOff(readCount),
        help: 'loops that may be at work at the same time',
      },
      '--max-calls-per-hour N|off': {
        field: 'max_calls_per_hour',
        read: readUnlessOff(readCount),
        help: 'iterations that may begin in any 60 minutes',
      },
      '--max-cost-per-day USD|off': {
        field: 'max_cost_per_day',
        read: readUnlessOff(readCost),
        help: 'money that may be spent in any 24 hours',
      },
      ...EACH,
    },
    run: runLimits,
  }),
  command('fleet drain', 'let a worker hand its loops over, and end', {
    about:
      'Lets a worker end as SIGTERM does: it takes nothing new, and hands its loops over after their passes.',
    args: { worker: 'its name' },
    flags: EACH,
    run: runDrain,
  }),
  command('fleet doctor', 'find loops that nobody can take, and missing workers', {
    about:
      'Finds loops that nobody can take or that fail, and missing workers. Exit code 0 if there is ' +
      'no problem.',
    flags: EACH,
    run: runDoctor,
  }),
];
