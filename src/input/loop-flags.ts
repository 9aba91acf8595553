/** The flags that say what a loop is: of `/ralph`, `start`, `ready`, `run` and `fleet submit`. */
import {
  mapReading,
  readCheck,
  readCommandFor,
  readCost,
  readCount,
  readDuration,
  readGlob,
  readMaxItems,
  readMaxIterations,
  readMaxStalls,
  readMeasure,
  readName,
  readPath,
  readPromiseText,
  readReviewer,
  readRule,
  readTarget,
  readTokens,
  readViewKinds,
  type Reading,
} from './values.ts';
import { readNotify } from './config/notify-target.ts';
import { under } from './flag.ts';
import type { StartOptions } from './options.ts';

const TASK_FLAGS = under('The task:', {
  '--name NAME': { read: readName, help: 'a name for the loop, shown in lists' },
});

const GATES = under('When it is done:', {
  '--check CMD': {
    field: 'checks',
    repeatable: true,
    read: readCheck,
    help: 'done only when this command exits with 0; repeatable',
  },
  '--held-out CMD': {
    repeatable: true,
    read: readCommandFor('--held-out "npm run acceptance"'),
    help: 'a check that the agent never sees: it only learns that it fails; repeatable',
  },
  '--completion-promise TEXT': {
    field: 'promise',
    read: readPromiseText,
    help: 'done when the agent writes <promise>TEXT</promise> (default COMPLETE, if there is no other gate)',
  },
  '--features FILE': {
    read: readPath,
    help: 'done only when every item of this list passes: JSON or a checklist; FILE#Section for one section',
  },
  '--watch-file FILE': {
    read: readPath,
    help: 'done only when this file has been moved to the done folder',
  },
  '--done-folder DIR': { read: readPath, help: 'the folder that the watched file has to be moved to' },
  '--require all|any': 'whether all of these gates must hold, or any one of them (default all)',
  '--min-iterations N': { read: readCount, help: 'not done before N iterations, even if all gates hold' },
  '--confirm N': {
    read: readCount,
    help: 'done only after N iterations in a row that looked for missing work and changed nothing',
  },
  '--measure NAME=CMD': {
    field: 'measures',
    repeatable: true,
    read: readMeasure,
    help: 'record the number that CMD prints, at the start and after each iteration; repeatable',
  },
  '--keep NAME': {
    repeatable: true,
    read: readName,
    help: 'done only if this measure is not below its value at the start; repeatable',
  },
  '--target NAME<=NUMBER': {
    field: 'targets',
    repeatable: true,
    read: readTarget,
    help: 'done only when a measure reaches this: "failures<=0", "coverage>=80"; repeatable',
  },
  '--review HOST[:MODEL]': {
    field: 'reviewers',
    repeatable: true,
    read: readReviewer,
    help: 'done only when another agent approves the work; it is asked when all other gates hold; repeatable',
  },
  '--rubric FILE': { read: readPath, help: 'instructions for the reviewers; read once, at the start' },
  '--max-reviews N': {
    read: readCount,
    help: 'end and ask you when a reviewer has objected N times in a row (default 3)',
  },
  '--protect GLOB': {
    repeatable: true,
    read: readGlob,
    help: 'files that must not change, such as "tests/**"; repeatable; "!GLOB" makes an exception',
  },
  '--ground GLOB': {
    repeatable: true,
    read: readGlob,
    help: 'more files that count as tests, beside those that Da Capo finds; repeatable; "!GLOB" excludes',
  },
  '--tests-may-change': 'allow changes to tests; the loop can then complete, but is never called proven',
  '--red-first': 'done only if one of the tests fails on the code as it was at the start',
  '--config FILE|none': {
    read: readConfig,
    help: 'checks and stop hooks from this file (default dacapo.config.js, .mjs, .ts or .json), or none',
  },
});

const APPROVALS = under('Asking you:', {
  '--approve RULE': {
    repeatable: true,
    read: readRule,
    help:
      'ask you first: "shell(git push *)", "write(deploy/**)", or starter ' +
      '(push, publish, deploy, pay, delete elsewhere); repeatable',
  },
  '--approve-done': 'done only when you confirm it',
  '--approval-timeout DURATION': {
    field: 'approvalTimeoutMs',
    read: readDuration,
    help: 'end the loop if nobody answers for this long (default 24h)',
  },
  '--approval-policy file|person':
    'whether moving the file of a request answers it, or only a command does (default file)',
  '--approvals DIR': {
    read: readPath,
    help: 'keep the folders with requests and answers here (default: the vault, otherwise .dacapo)',
  },
});

const CHECKING = under('How checks run:', {
  '--check-timeout DURATION': {
    field: 'checkTimeoutMs',
    read: readDuration,
    help: 'time limit for one check (default 300s)',
  },
  '--checks-timeout DURATION': {
    field: 'checksTimeoutMs',
    read: readDuration,
    help: 'time limit for all checks after one iteration (default 540s, in a session also the maximum)',
  },
  '--check-later': "start although a check can't run yet, because the agent has to make it run",
  '--recheck DURATION': {
    field: 'recheckMs',
    read: readDuration,
    help: 'how long to wait after a check exits with 75, "not yet" (default 60s, then longer, up to 5m)',
  },
  '--clean': 'run every check in a clean copy of what git knows, not only the last one',
  '--setup CMD': {
    read: readCommandFor('--setup "npm ci"'),
    help: 'prepare a clean copy, and in a fleet each new work tree, with this command: "npm ci"',
  },
  '--parallel N': { read: readCount, help: 'run up to N checks at the same time (default 1)' },
});

const LIMITS = under('Limits:', {
  '--max-iterations N|unlimited': { read: readMaxIterations, help: 'end after N iterations (default 50)' },
  '--timeout DURATION': {
    field: 'timeoutMs',
    read: readDuration,
    help: 'end after this much working time: 90s, 15m, 1h30m (default 1h with dacapo run, otherwise 24h)',
  },
  '--max-cost USD': {
    field: 'maxCostUsd',
    read: readCost,
    help: 'end when this much money is spent: 5, 2.50 (in a session: estimated from tokens)',
  },
  '--max-tokens N': { read: readTokens, help: 'end when this many tokens are used: 500k, 2m' },
  '--max-stalls N|off': {
    read: readMaxStalls,
    help: 'end after N iterations in a row without progress (default 10)',
  },
  '--stale-after DURATION': {
    field: 'staleAfterMs',
    read: readDuration,
    help: 'never continue a loop that was idle for longer than this (default 2h)',
  },
});

const LISTS = under('Lists and nesting:', {
  '--items FILE': {
    read: readPath,
    help: 'work through this list, one item at a time: JSON, JSON lines, a Markdown checklist or plain lines',
  },
  '--items-from CMD': {
    read: readCommandFor('--items-from "gh issue list --json number,title"'),
    help: 'the same, with the items that this command prints as JSON lines or a JSON array',
  },
  '--max-items N': { read: readMaxItems, help: 'end after N items (default 100)' },
  '--as loop|issue|grind': {
    field: 'mode',
    help: 'which signals of the agent count (default loop; with a list: grind)',
  },
  '--nest': 'start it inside the running loop, which continues when this task is done',
});

export const LOOP_FLAGS = {
  ...TASK_FLAGS,
  // First, so that --iterations is taken for --max-iterations.
  ...LIMITS,
  ...GATES,
  ...APPROVALS,
  ...CHECKING,
  ...LISTS,
  ...under('Sessions:', {
    '--mode hook|fresh': {
      field: 'driver',
      help: 'hook (default): one session for all iterations; fresh: a new agent process for each',
    },
  }),
  ...under('What is shown:', {
    '--view VIEW': {
      field: 'views',
      repeatable: true,
      read: readViewKinds,
      help: 'show the loop in the project as markdown (default), progress, vault, stack or none; repeatable',
    },
    '--vault DIR': {
      read: readPath,
      help: 'show it as a vault, in this folder (default AI_Employee_Vault)',
    },
    '--notify URL|desktop': {
      repeatable: true,
      read: readNotify,
      help: 'send a notification there when the loop ends or needs you; repeatable',
    },
  }),
} as const;

function readConfig(text: string): Reading<StartOptions['config']> {
  return mapReading(readPath(text), (file) => (file === 'none' ? { is: 'none' } : { is: 'file', file }));
}
