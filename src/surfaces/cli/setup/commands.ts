/** The commands that set up and maintain Da Capo, and those that other programs call. */
import { chosenNames, HOST_NAMES } from '#hosts/tables/names.ts';
import { DEFAULT_AGE } from '#telling/time.ts';
import { command, type CommandGroup } from '../command.ts';
import { EXIT } from '../terminal/terminal.ts';

const { title, word, name } = chosenNames();
const HOST = {
  '--host HOST': { help: 'which coding agent', oneOf: HOST_NAMES.map((one) => one.name), otherwise: name },
} as const;
const SCOPE = {
  '--scope SCOPE': { help: 'whose settings', oneOf: ['local', 'project', 'user'], otherwise: 'local' },
} as const;

export const HOUSEKEEPING: CommandGroup = {
  heading: 'Set up:',
  commands: [
    command('init', 'give the coding agent our hook', {
      about:
        `Gives the coding agent our hooks by its own settings: ${title}, with /ralph and its like and ` +
        'without its cap on stops, or another one with --host.',
      flags: {
        ...HOST,
        ...SCOPE,
        '--dry-run': 'only show what would change',
        '--no-cap': "leave the host's cap on stops as it is",
        '--statusline': 'show a running loop in the status bar (in a terminal you are asked)',
        '--json': 'for programs',
      },
      run: async (given, call) => (await import('./init.ts')).runInit(given, call),
    }),
    command('uninstall', 'remove what init added', {
      about:
        'Removes exactly what dacapo init added, and what loops that are gone left in this ' +
        'repository. Your loops stay.',
      flags: { ...HOST, ...SCOPE, '--dry-run': 'only show what would change', '--json': 'for programs' },
      run: async (given, call) => (await import('./init.ts')).runUninstall(given, call),
    }),
    command('trust', 'let the config of a project run', {
      about:
        'Shows which checks and stop hooks the config of a project would run, and pins exactly that ' +
        'as agreed to.',
      args: { dir: 'the project (default: this folder)' },
      flags: {
        '--config FILE': 'the config (default: dacapo.config.js, .mjs, .ts or .json)',
        '--remove': 'take it back',
        '--json': 'for programs',
      },
      run: async (given, call) => (await import('./trust.ts')).runTrust(given, call),
    }),
    command('notify', 'show who is notified of your loops, and test it', {
      about:
        'Shows who is told when a loop ends or needs you, as config.json of your Da Capo folder ' +
        'says. With --test, sends each of them a message and says how that went; the exit code is 1 ' +
        'if one of them failed.',
      args: { target: 'with --test: desktop, a URL, or a kind of those in the config' },
      flags: { '--test': 'send a test', '--json': 'for programs' },
      run: async (given, call) => (await import('./notify.ts')).runNotify(given, call),
    }),
    command('doctor', 'find problems with the setup', {
      about:
        'Looks at the host, the hook, its cap, competing loops and leftovers; each finding comes ' +
        'with its remedy.',
      flags: {
        ...HOST,
        '--probe': 'start the host to see whether the hook is really called',
        '--json': 'for programs',
      },
      run: async (given, call) => (await import('./doctor.ts')).runDoctor(given, call),
    }),
    command('demo', 'see a loop at work, without an account', {
      about: 'Runs a real loop in a temporary project, against a scripted model: no account, no cost.',
      flags: {
        '--agent AGENT': { help: 'who works', oneOf: ['auto', word, 'scripted'], otherwise: 'auto' },
        '--keep': 'keep the temporary project',
        '--json': 'for programs',
      },
      run: async (given) => (await import('./demo.ts')).runDemo(given),
    }),
    command('prune', 'remove ended loops', {
      about:
        'Removes ended loops of this project with their evidence and, if nothing is lost by that, ' +
        'their work trees; what crashes left behind; and what loops that are gone left in their ' +
        'repositories. Branches stay, and so does a loop that dacapo resume could continue, unless ' +
        'you name it. In a terminal it asks before it removes more than one.',
      args: { id: 'the id, the end of the id or the name of an ended loop: only this one, however old' },
      flags: {
        '--all': 'of every project',
        '--unfinished': 'also loops that ended undone and could be resumed',
        '--older-than DURATION': {
          help: 'how long ago they must have ended: 30d, 12h, 90m',
          otherwise: DEFAULT_AGE,
        },
        '--dry-run': 'only show what would go',
        '--json': 'for programs',
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
    command('hook', `the hook program, for the settings of ${title}`, {
      about: 'The hook program: one event on stdin, at most one answer on stdout, always exit 0.',
      flags: {
        '--protocol PROTOCOL':
          'exit-code: for hosts that know exit codes only; json: for plugins of other hosts',
      },
      run: nothing,
    }),
    command('mcp', 'serve tools to agents over MCP', {
      about:
        'An MCP server on stdin and stdout: tasks, runs, stop hooks, checkpoints and loops as tools, ' +
        'for any MCP client. In a session it belongs to that session; elsewhere it serves tasks and ' +
        'loops by id.',
      flags: {
        '--http': 'over HTTP instead, on this machine only; prints the address and the token',
        '--port N': 'with --http: listen on this port (default: a free one)',
        '--json': 'with --http, for programs: print {"url": …, "token": …} once it listens',
      },
      run: async (given) => (await import('../mcp.ts')).runMcp(given),
    }),
    command('statusline', 'the line for the status bar of Claude Code', {
      about:
        'One line for the status bar of Claude Code: iteration, gates, time and money of the loop of ' +
        'that session. Without a loop it prints nothing. dacapo init --statusline sets it.',
      flags: { '--own COMMAND': 'your own status line, which comes behind it' },
      run: nothing,
    }),
    command('completion', 'completion of commands, flags and ids for your shell', {
      about: 'Prints a script that completes commands, flags, their values and the ids of loops.',
      args: { shell: 'bash, zsh, fish or powershell' },
      passesOn: true,
      run: async ({ shell }, call) => (await import('./completion.ts')).runCompletion(shell, call),
    }),
  ],
};
