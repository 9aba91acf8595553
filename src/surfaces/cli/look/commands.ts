/** The commands that show loops and what stop hooks did in them. */
import { command, type CommandGroup } from '../command.ts';
import { DATABASE_FLAG } from '../fleet/flags.ts';
import { runList, runStatus } from './status.ts';

const ALL = 'the loops of all projects';
const WHICH = { id: 'which loop (default: the one that changed last)' };

const OF_FLEET = {
  '--fleet': 'the loops of a fleet, on all its workers',
  ...DATABASE_FLAG,
} as const;

export const LOOKS: CommandGroup = {
  heading: 'Look at loops:',
  commands: [
    command('status', 'where the loops are', {
      about: 'How the loops of this project stand; those that have not ended come first.',
      args: { id: 'one loop: its id, the end of its id, or its name' },
      flags: { '--all': ALL, '--json': 'for programs: an array' },
      run: runStatus,
    }),
    command('list', 'one line per loop', {
      about: 'The loops of this project, one line each.',
      flags: { '--all': ALL, '--json': 'for programs: an array' },
      run: runList,
    }),
    command('watch', 'all loops live, with keys to answer and steer them', {
      about:
        'All loops of this project in the terminal, live: status, iteration, gates, cost, time, what ' +
        'the agent last said, what waits for you. Keys open a loop, approve, pause, cancel and steer ' +
        'it; ? lists them.',
      args: { id: 'open this loop at once' },
      flags: { '--all': ALL, ...OF_FLEET },
      run: async (given, call) => (await import('./watch/watch.ts')).runWatch(given, call),
    }),
    command('ui', 'all loops on a page in the browser', {
      about:
        'Shows all loops on a page in your browser, live: timelines, evidence, the work of the ' +
        'agent, cost, requests to answer. Only this machine reaches it, and only with the link that ' +
        'it prints. Ctrl-C ends it; the loops go on.',
      flags: {
        '--port N': 'listen on this port (default: a free one)',
        '--host ADDRESS': {
          help: 'listen on this address; anything but 127.0.0.1 opens the page to others',
          otherwise: '127.0.0.1',
        },
        ...OF_FLEET,
        '--no-open': 'only print the link',
        '--json': 'for programs: print {"url": …} once it listens, and open no browser',
      },
      run: async (given, call) => (await import('./ui.ts')).runUi(given, call),
    }),
    command('stats', 'how loops end, and what they take', {
      about:
        'Figures over the loops of this project: how many complete, in how many iterations, which ' +
        'claims a gate refused, time and cost, by gate and by model.',
      flags: { '--all': ALL, '--json': 'for programs' },
      run: async (given, call) => (await import('./stats.ts')).runStats(given, call),
    }),
    command('report', 'a loop from its prompt to its ending', {
      about:
        'One loop as a report: what was asked, what was done, each claim with its proof, files ' +
        'changed, cost, why it ended. To stdout, or into one file that needs no other.',
      args: WHICH,
      flags: {
        '--html': 'one page, for a browser',
        '--md': 'Markdown (the default)',
        '--json': 'for programs',
        '-o, --output FILE': 'write to this file; its ending names the format',
      },
      run: async (given, call) => (await import('./report.ts')).runReport(given, call),
    }),
    command('logs', 'the journal of a loop', {
      about: 'The journal of a loop as readable lines.',
      args: WHICH,
      flags: {
        '-f, --follow': 'keep watching until the loop ends',
        '--agent': 'also what the agent says and does',
        '--hook': 'what the hook did, for all loops',
        '--json': 'for programs: one event a line',
      },
      run: async (given, call) => (await import('./logs.ts')).runLogs(given, call),
    }),
    command('explain', 'why the last stop was judged as it was', {
      about:
        'Why the last stop of a loop was judged as it was, what is missing, and what would end the loop.',
      args: WHICH,
      flags: { '--json': 'for programs' },
      run: async (given, call) => (await import('./explain.ts')).runExplain(given, call),
    }),
    command('features', 'the feature list, and what is next', {
      about: 'The feature list of a loop, or a file, as a table: which items pass, and which is next.',
      args: { 'id|file': 'which loop, or which file (default: the newest loop that has one)' },
      flags: { '--json': 'for programs' },
      run: async ({ 'id|file': which, json }, call) =>
        (await import('./features.ts')).runFeatures({ which, json }, call),
    }),
    command('hooks', 'stop hooks of your own, and what hooks have done', {
      about:
        'Stop hooks of your own, as data: list, add JSON, enable ID, disable ID, remove ID. They are ' +
        'asked in the loops that begin in this folder.',
      args: {
        action: 'list, add, enable, disable or remove',
        what: 'the hook as JSON, or the id of a hook',
      },
      flags: {
        '--loop ID': 'of one loop, instead of this folder',
        '--name NAME': 'an id for the hook that is added',
        '--metrics': 'what the hooks of a loop have done',
        '--json': 'for programs',
      },
      run: async (given, call) => (await import('./hooks.ts')).runHooks(given, call),
    }),
    command('checkpoints', 'what stop hooks have saved', {
      about: 'The checkpoints that the stop hooks of a loop have saved; dacapo resume continues from one.',
      args: WHICH,
      flags: { '--json': 'for programs' },
      run: async (given, call) => (await import('./hooks.ts')).runCheckpoints(given, call),
    }),
  ],
};
