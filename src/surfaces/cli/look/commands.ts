/** The commands that show loops and what stop hooks did in them. */
import { command, type CommandGroup } from '../command.ts';
import { DATABASE_FLAG } from '../fleet/flags.ts';

const ALL = 'include the loops of all projects';
const WHICH = { id: 'the loop: its id, the end of its id, or its name (default: the one that changed last)' };

const OF_FLEET = {
  '--fleet': 'show the loops of a fleet, on all its workers',
  ...DATABASE_FLAG,
} as const;

export const LOOKS: CommandGroup = {
  heading: 'Look at loops:',
  commands: [
    command('status', 'show the state of each loop', {
      about: 'Shows the state of the loops in this project, those that have not ended first.',
      args: { id: 'only this loop: its id, the end of its id, or its name' },
      flags: { '--all': ALL, '--json': 'print a JSON array, for programs' },
      run: async (given, { runtime }) => {
        const { statusHere } = await import('./status/status.ts');
        return (await import('./verbs.ts')).runStatus(given, statusHere(given, runtime));
      },
    }),
    command('list', 'list the loops, one line each', {
      about: 'Lists the loops of this project, one line each.',
      flags: { '--all': ALL, '--json': 'print a JSON array, for programs' },
      run: async (given, { runtime }) => {
        const { listHere } = await import('./status/list.ts');
        return (await import('./verbs.ts')).runList(given, listHere(given, runtime));
      },
    }),
    command('watch', 'follow all loops live in the terminal, and steer them by keys', {
      about:
        'Shows all loops of this project live in the terminal: status, iteration, gates, cost, time, the ' +
        'last message of the agent, and what waits for you. Press a key to open, approve, pause, cancel or ' +
        'steer a loop; ? lists the keys.',
      args: { id: 'open this loop first' },
      flags: { '--all': ALL, ...OF_FLEET },
      run: async (given, call) => (await import('./watch/watch.ts')).runWatch(given, call),
    }),
    command('ui', 'follow all loops in the browser', {
      about:
        'Shows all loops live in your browser: timelines, evidence, the work of the agent, cost, requests ' +
        'to answer. Only this machine can open the page, and only with the link that is printed. Ctrl-C ' +
        'closes it; the loops continue.',
      flags: {
        '--port N': 'listen on this port (default: a free one)',
        '--host ADDRESS': {
          help: 'listen on this address; any other than 127.0.0.1 lets other machines open the page',
          otherwise: '127.0.0.1',
        },
        ...OF_FLEET,
        '--no-open': 'print the link, and open no browser',
        '--json': 'print {"url": …} when the page is ready, and open no browser',
      },
      run: async (given, call) => (await import('./ui.ts')).runUi(given, call),
    }),
    command('stats', 'show figures: how many loops complete, and at what cost', {
      about:
        'Shows figures over the loops of this project: how many complete, after how many iterations, how ' +
        'often the agent claimed to be done too early, time and cost, by gate and by model.',
      flags: { '--all': ALL, '--json': 'print JSON, for programs' },
      run: async (given, call) => (await import('./stats.ts')).runStats(given, call),
    }),
    command('report', 'write a report about one loop', {
      about:
        'Writes a report about one loop: the task, what was done, the proofs, the files changed, the cost ' +
        'and why it ended. It goes to stdout, or into one self-contained file.',
      args: WHICH,
      flags: {
        '--html': 'as a web page',
        '--md': 'as Markdown (the default)',
        '--json': 'as JSON, for programs',
        '-o, --output FILE': 'write to this file; .html, .md or .json choose the format',
      },
      run: async (given, call) => (await import('./report.ts')).runReport(given, call),
    }),
    command('logs', 'print what happened in a loop', {
      about: 'Prints the journal of a loop: everything that happened in it, one line per event.',
      args: WHICH,
      flags: {
        '-f, --follow': 'keep printing until the loop ends',
        '--agent': 'include what the agent says and does',
        '--hook': 'print the log of the hook instead, for all loops',
        '--json': 'print one JSON event per line, for programs',
      },
      run: async (given, call) => (await import('./logs.ts')).runLogsHere(given, call),
    }),
    command('explain', 'explain why a loop continues or ended', {
      about:
        'Explains the last decision about a loop: why it continues or ended, what is still missing, and ' +
        'what would end it.',
      args: WHICH,
      flags: { '--json': 'print JSON, for programs' },
      run: async (given, call) => (await import('./explain.ts')).runExplain(given, call),
    }),
    command('features', 'show a feature list, and what is next', {
      about: 'Shows the feature list of a loop, or a file, as a table: which items pass, and which is next.',
      args: { 'id|file': 'the loop, or the file (default: the newest loop that has a feature list)' },
      flags: { '--json': 'print JSON, for programs' },
      run: async ({ 'id|file': which, json }, call) =>
        (await import('./features.ts')).runFeatures({ which, json }, call),
    }),
    command('hooks', 'manage stop hooks: your own rules for when a loop may end', {
      about:
        'Manages stop hooks, your own rules for when a loop may end: list, add JSON, enable ID, disable ID ' +
        'or remove ID. They apply to loops that begin in this folder.',
      args: {
        action: 'list, add, enable, disable or remove',
        what: 'the hook as JSON, or the id of a hook',
      },
      flags: {
        '--loop ID': 'the hooks of this loop, instead of this folder',
        '--name NAME': 'the id of the hook that is added',
        '--metrics': 'show what the hooks of a loop have done',
        '--json': 'print JSON, for programs',
      },
      run: async (given, call) => (await import('./hooks.ts')).runHooks(given, call),
    }),
    command('checkpoints', 'list the checkpoints that stop hooks saved', {
      about:
        'Lists the checkpoints that the stop hooks of a loop have saved. dacapo resume --checkpoint N ' +
        'continues from one.',
      args: WHICH,
      flags: { '--json': 'print JSON, for programs' },
      run: async (given, call) => (await import('./hooks.ts')).runCheckpoints(given, call),
    }),
  ],
};
