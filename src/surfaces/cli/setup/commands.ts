/** The commands that set up and maintain Da Capo, and those that other programs call. */
import { chosenNames, HOST_NAMES } from '#hosts/tables/names.ts';
import { DEFAULT_AGE } from '#telling/time.ts';
import { command, type CommandGroup } from '../command.ts';
import { EXIT } from '../terminal/terminal.ts';

const { title, word, name } = chosenNames();
const HOST = {
  '--host HOST': { help: 'the coding agent', oneOf: HOST_NAMES.map((one) => one.name), otherwise: name },
} as const;
const SCOPE = {
  '--scope local|project|user': { help: 'which settings of the agent to change', otherwise: 'local' },
} as const;

export const HOUSEKEEPING: CommandGroup = {
  heading: 'Set up:',
  commands: [
    command('init', 'add the hook of Da Capo to your coding agent', {
      about:
        `Adds the hooks of Da Capo to the settings of ${title}, with commands such as /ralph, and ` +
        'turns off its limit on how often a hook may continue a session. --host chooses another ' +
        'coding agent.',
      flags: {
        ...HOST,
        ...SCOPE,
        '--dry-run': 'only show what would change',
        '--no-cap': 'leave that limit of the agent as it is',
        '--statusline': 'show a running loop in the status bar (otherwise you are asked, in a terminal)',
        '--json': 'print JSON, for programs',
      },
      run: async (given, call) => (await import('./init.ts')).runInit(given, call),
    }),
    command('uninstall', 'remove what init added', {
      about:
        'Removes what dacapo init added, and what removed loops left in this repository. A copy of the ' +
        'settings that were there before stays, and so do your loops.',
      flags: {
        ...HOST,
        ...SCOPE,
        '--dry-run': 'only show what would change',
        '--json': 'print JSON, for programs',
      },
      run: async (given, call) => (await import('./init.ts')).runUninstall(given, call),
    }),
    command('trust', 'allow the config of a project to run its commands', {
      about:
        'Shows which checks and stop hooks the config of a project would run, and allows exactly these. ' +
        'After the config has changed, run it again.',
      args: { dir: 'the project (default: this folder)' },
      flags: {
        '--config FILE': 'the config (default: dacapo.config.js, .mjs, .ts or .json)',
        '--remove': 'no longer allow it',
        '--json': 'print JSON, for programs',
      },
      run: async (given, call) => (await import('./trust.ts')).runTrust(given, call),
    }),
    command('notify', 'show who is notified of your loops, and test it', {
      about:
        'Shows who is notified when a loop ends or needs you, from config.json in your Da Capo folder. ' +
        'With --test it sends each of them a message, and exits with 1 if one could not be sent.',
      args: { target: 'with --test: desktop, a URL, or a kind of target in the config' },
      flags: { '--test': 'send a test message', '--json': 'print JSON, for programs' },
      run: async (given, call) => (await import('./notify.ts')).runNotify(given, call),
    }),
    command('doctor', 'find problems with the setup', {
      about:
        'Checks the coding agent, the hook, other loop plugins, and what crashed loops left behind. Each ' +
        'problem comes with its fix.',
      flags: {
        ...HOST,
        '--probe': 'start the coding agent to see whether it really calls the hook',
        '--json': 'print JSON, for programs',
      },
      run: async (given, call) => (await import('./doctor.ts')).runDoctor(given, call),
    }),
    command('demo', 'watch a loop at work, without an account', {
      about: 'Runs a real loop in a temporary project, with a scripted model: no account, no cost.',
      flags: {
        '--agent AGENT': {
          help: 'the agent that works',
          oneOf: ['auto', word, 'scripted'],
          otherwise: 'auto',
        },
        '--keep': 'keep the temporary project',
        '--json': 'print JSON, for programs',
      },
      run: async (given) => (await import('./demo.ts')).runDemo(given),
    }),
    command('prune', 'remove ended loops', {
      about:
        'Removes ended loops of this project with their records, their work trees (unless something would ' +
        'be lost), and what crashed or removed loops left behind. Branches stay. Loops that dacapo resume ' +
        'could continue stay too, unless you name them. In a terminal it asks before it removes more ' +
        'than one loop.',
      args: { id: 'only this ended loop, of any age: its id, the end of its id, or its name' },
      flags: {
        '--all': 'include the loops of all projects',
        '--unfinished': 'include loops that ended without being done and could be resumed',
        '--older-than DURATION': {
          help: 'only loops that ended this long ago: 30d, 12h, 90m',
          otherwise: DEFAULT_AGE,
        },
        '--dry-run': 'only show what would be removed',
        '--json': 'print JSON, for programs',
      },
      run: async (given, call) => (await import('./prune.ts')).runPrune(given, call),
    }),
  ],
};

/** `entry.ts` runs the hook and the status line itself. */
const nothing = async () => EXIT.ok;

export const FOR_PROGRAMS: CommandGroup = {
  heading: 'For programs, scripts and agents:',
  commands: [
    command('hook', 'the hook program that coding agents call', {
      about:
        'The hook program that coding agents call: it reads one event from stdin, prints at most one ' +
        'answer to stdout, and exits with 0.',
      flags: {
        '--protocol PROTOCOL':
          'exit-code: for agents that only look at the exit code; json: for plugins of other agents',
      },
      run: nothing,
    }),
    command('mcp', 'serve tools to agents over MCP', {
      about:
        'Runs an MCP server on stdin and stdout, with tools for tasks, runs, stop hooks, checkpoints and ' +
        'loops. Started by the session of an agent, it works on the loop of that session; otherwise its ' +
        'tools take the id of a task or a loop.',
      flags: {
        '--http': 'serve over HTTP instead, on this machine only; prints the URL and the token',
        '--port N': 'with --http: listen on this port (default: a free one)',
        '--json': 'with --http: print {"url": …, "token": …} when it is ready, for programs',
      },
      run: async (given) => (await import('../mcp.ts')).runMcp(given),
    }),
    command('statusline', 'print the line for the status bar of Claude Code', {
      about:
        'Prints one line for the status bar of Claude Code: iteration, gates, time and cost of the loop in ' +
        'that session, or nothing. dacapo init --statusline sets it up.',
      flags: { '--own COMMAND': 'the command of your own status line, which is shown after it' },
      run: nothing,
    }),
    command('completion', 'print a completion script for your shell', {
      about: 'Prints a script with which your shell completes commands, flags, values and the ids of loops.',
      args: { shell: 'bash, zsh, fish or powershell' },
      passesOn: true,
      run: async ({ shell }, call) => (await import('./completion.ts')).runCompletion(shell, call),
    }),
  ],
};
