/** The commands that set up and maintain Da Capo, and the command that calls its hook. */
import { Option, type Command } from 'commander';
import type { AgentName } from '../../demo/demo-event.ts';
import { chosenNames } from '../../hosts/names.ts';
import type { Scope } from '../../hosts/command-line.ts';
import { DEFAULT_AGE } from '../../text/time.ts';
import type { SetExit } from '../terminal/exit-codes.ts';
import type { InitOptions } from './init.ts';

export function addHousekeeping(program: Command, done: SetExit): void {
  const scope = () =>
    new Option('--scope <scope>', 'whose settings').choices(['local', 'project', 'user']).default('local');
  program.commandsGroup('Set up:');
  program
    .command('init')
    .summary(`give ${chosenNames().title} the hook and /ralph`)
    .description(
      `Gives ${chosenNames().title} the hooks, /ralph and its like, and lifts its cap on stops, by its settings.`,
    )
    .addOption(scope())
    .option('--dry-run', 'only show what would change', false)
    .option('--guard', 'a shell guard before Node: faster where there is no loop (Linux, macOS)', false)
    .option('--no-cap', "leave the host's cap on stops as it is")
    .option('--statusline', 'show a running loop in the status bar (in a terminal you are asked)', false)
    .option('--json', 'for programs', false)
    .action(async (options: InitOptions) => done(await (await import('./init.ts')).runInit(options)));
  program
    .command('uninstall')
    .summary('remove what init added')
    .description(
      'Removes exactly what dacapo init added, and what loops that are gone left in this repository. Your loops stay.',
    )
    .addOption(scope())
    .option('--dry-run', 'only show what would change', false)
    .option('--json', 'for programs', false)
    .action(async (options: { scope: Scope; dryRun: boolean; json: boolean }) =>
      done(await (await import('./uninstall.ts')).runUninstall(options)),
    );
  addTrust(program, done);
  addNotify(program, done);
  program
    .command('doctor')
    .summary('find problems with the setup')
    .description(
      'Looks at the host, the hook, its cap, competing loops and leftovers; each finding comes with its remedy.',
    )
    .option('--probe', 'start the host to see whether the hook is really called', false)
    .option('--json', 'for programs', false)
    .action(async (options: { json: boolean; probe: boolean }) =>
      done(await (await import('./doctor.ts')).runDoctor(options)),
    );
  program
    .command('demo')
    .summary('see a loop at work, without an account')
    .description('Runs a real loop in a temporary project, against a scripted model: no account, no cost.')
    .addOption(
      new Option('--agent <agent>', 'who works')
        .choices(['auto', chosenNames().word, 'scripted'])
        .default('auto'),
    )
    .option('--keep', 'keep the temporary project', false)
    .option('--json', 'for programs', false)
    .action(async (options: { json: boolean; agent: AgentName; keep: boolean }) =>
      done(await (await import('./demo.ts')).runDemo(options)),
    );
  program
    .command('prune')
    .summary('remove ended loops')
    .description(
      'Removes ended loops of all projects with their evidence and, if nothing is lost by that, their work trees; what crashes left behind; and what loops that are gone left in their repositories. Branches stay.',
    )
    .option('--older-than <age>', 'how long ago they must have ended: 30d, 12h, 90m', DEFAULT_AGE)
    .option('--dry-run', 'only show what would go', false)
    .option('--json', 'for programs', false)
    .action(async (options: { olderThan: string; dryRun: boolean; json: boolean }) =>
      done(await (await import('./prune.ts')).runPrune(options)),
    );
  addForPrograms(program, done);
}

/** What a person sets up once, and another program then calls. */
function addForPrograms(program: Command, done: SetExit): void {
  program.commandsGroup('For other programs:');
  program
    .command('hook')
    .summary(`the hook program, for the settings of ${chosenNames().title}`)
    .description('The hook program: one event on stdin, at most one answer on stdout, always exit 0.')
    .option(
      '--protocol <protocol>',
      'exit-code: for hosts that know exit codes only; 2 continues, 0 lets the agent stop',
    );
  program
    .command('mcp')
    .summary('serve tools to agents over MCP')
    .description(
      'An MCP server on stdin and stdout: tasks, runs, stop hooks, checkpoints and loops as tools, for any MCP client. In a session it belongs to that session; elsewhere it serves tasks and loops by id.',
    )
    .option('--http', 'over HTTP instead, on this machine only; prints the address and the token', false)
    .option('--port <n>', 'with --http: listen on this port (default: a free one)')
    .option('--json', 'with --http, for programs: print {"url": …, "token": …} once it listens', false)
    .action(async (options: { http: boolean; port?: string; json: boolean }) =>
      done(await (await import('../mcp.ts')).runMcp({ ...options, port: options.port })),
    );
  program
    .command('statusline')
    .summary('the line for the status bar of Claude Code')
    .description(
      'One line for the status bar of Claude Code: iteration, gates, time and money of the loop of that session. Without a loop it prints nothing. dacapo init --statusline sets it.',
    )
    .option('--own <command>', 'your own status line, which comes behind it');
  program
    .command('completion')
    .summary('completion of commands, flags and ids for your shell')
    .description('Prints a script that completes commands, flags and the ids of loops.')
    .argument('[shell]', 'bash, zsh or fish')
    .action(async (shell: string | undefined) =>
      done((await import('./completion.ts')).runCompletion(shell, program)),
    );
}

function addTrust(program: Command, done: SetExit): void {
  program
    .command('trust')
    .summary('let the config of a project run')
    .description(
      'Shows which checks and stop hooks the config of a project would run, and pins exactly that as agreed to.',
    )
    .argument('[dir]', 'the project (default: this folder)')
    .option('--config <file>', 'the config (default: dacapo.config.js, .mjs, .ts or .json)')
    .option('--remove', 'take it back', false)
    .option('--json', 'for programs', false)
    .action(async (dir: string | undefined, options: { config?: string; remove: boolean; json: boolean }) => {
      const { config, remove, json } = options;
      done(await (await import('./trust.ts')).runTrust({ dir, config, remove, json }));
    });
}

function addNotify(program: Command, done: SetExit): void {
  program
    .command('notify')
    .summary('show who is notified of your loops, and test it')
    .description(
      'Shows who is told when a loop ends or needs you, as config.json of your Da Capo folder says. With --test, sends each of them a message and says how that went; the exit code is 1 if one of them failed.',
    )
    .argument('[target]', 'with --test: desktop, a URL, or a kind of those in the config')
    .option('--test', 'send a test', false)
    .option('--json', 'for programs', false)
    .action(async (target: string | undefined, { test, json }: { test: boolean; json: boolean }) =>
      done(await (await import('./notify.ts')).runNotify({ target, test, json })),
    );
}
