/** The commands and their flags. What a command does is loaded when it is called, so that `dacapo status` starts fast. */
import { Command, CommanderError, Option } from 'commander';
import { EXIT } from './exit-codes.ts';
import { addHooks, addTrust } from './hook-commands.ts';
import { EXAMPLES, EXIT_CODE_HELP, FLAG_HELP, PLAN_HELP, RUN_FLAG_HELP } from './help.ts';
import { version } from './package.ts';
import { DEFAULT_AGE } from './time.ts';
import { usageError } from './usage-error.ts';

/** Takes the exit code of the command that ran. */
type Done = (code: number) => void;

export async function runProgram(command: string | undefined, words: readonly string[]): Promise<number> {
  let exit: number = EXIT.ok;
  const program = build(words, (code) => (exit = code));
  const asked = command === 'help' ? words[0] : command;
  const isKnown = program.commands.some((one) => one.name() === asked);
  // Behind a name that it does not know, the parser would take a wish for help as one for the whole program's.
  const line =
    asked === undefined || asked.startsWith('-') || isKnown ? forCommander(command, words) : [asked];

  try {
    await program.parseAsync([...line], { from: 'user' });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError) return usageError(error, asked, program);
    throw error;
  }
}

/** Start, ready and run have a grammar of their own, in which a prompt may look like anything: only a wish for help is read here. */
function forCommander(command: string | undefined, words: readonly string[]): readonly string[] {
  if (command === undefined) return ['--help'];
  if (command === 'help') return [...words.slice(0, 1), '--help'];
  const dashes = words.indexOf('--');
  const ours = dashes === -1 ? words : words.slice(0, dashes);
  if (command === 'start' || command === 'ready' || command === 'run')
    return [command, ...ours.filter((word) => word === '--help' || word === '-h')];
  return [command, ...words];
}

function build(words: readonly string[], done: Done): Command {
  const program = new Command('dacapo')
    .description('Keeps Claude Code at work on a task until the task is proven done.')
    .usage('COMMAND [flags]')
    .version(version(), '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .configureHelp({ subcommandTerm: termOf, optionDescription: describe })
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .addHelpText('after', `\n${EXAMPLES}\n\n${EXIT_CODE_HELP}`);
  addBeginnings(program, words, done);
  addLooks(program, done);
  addHooks(program, done);
  addControls(program, done);
  addRollback(program, done);
  addHousekeeping(program, done);
  return program;
}

/** Without "[options]", which nearly all have. */
function termOf(command: Command): string {
  return [command.name(), ...command.registeredArguments.map((argument) => `[${argument.name()}]`)].join(' ');
}

/** That a switch is off unless it is given goes without saying. */
function describe({ description, defaultValue, argChoices }: Option): string {
  const choices = argChoices === undefined ? '' : ` ${argChoices.join(', ')}`;
  return `${description}${choices && `:${choices}`}${typeof defaultValue === 'string' ? ` (default ${defaultValue})` : ''}`;
}

function addBeginnings(program: Command, words: readonly string[], done: Done): void {
  program.commandsGroup('Begin a loop:');
  program
    .command('start')
    .summary('start Claude Code here, in a loop')
    .description(
      'Makes a loop and starts Claude Code for it in this terminal, with the hook and without its cap on stops.',
    )
    .usage('"PROMPT" [flags] [-- flags of claude]')
    .addHelpText('after', `\n${FLAG_HELP}\n\n${EXIT_CODE_HELP}`)
    .action(async () => done(await (await import('./start.ts')).runStart(words)));
  program
    .command('ready')
    .summary('make a loop that begins with its prompt')
    .description(
      'Makes a loop that waits, and says what to type: the first session here that gets its prompt begins it.',
    )
    .usage('"PROMPT"|--prompt-file FILE|DIR [flags] [--json]')
    .addHelpText('after', `\n${FLAG_HELP}`)
    .action(async () => done(await (await import('./ready.ts')).runReady(words)));
  program
    .command('run')
    .summary('run a loop with a new agent for each iteration')
    .description(
      'Runs a loop in this terminal, with a new headless Claude Code for each iteration: a new loop, or one that is there, wherever it was begun (without an id: the only one of this project that nobody works on).',
    )
    .usage('"PROMPT" [flags] | --loop ID [flags of the passes] [-- flags of claude]')
    .addHelpText('after', `\n${RUN_FLAG_HELP}\n\n${PLAN_HELP}\n\n${EXIT_CODE_HELP}`)
    .action(async () => done(await (await import('./run.ts')).runRun(words)));
  program
    .command('adopt')
    .summary('make a loop of what another tool began')
    .description(
      "Makes a loop of a hand-written .claude/ralph-loop.local.md, of the official plugin's, or of another tool's state:\na folder with feature_list.json and RALPH_PROMPT.md, a vault or its state file, an idle-loop file, loop:current.",
    )
    .argument('[path]', 'the file or folder (default: .claude/ralph-loop.local.md)')
    .option(
      '--session <id>',
      'the session that owns it (default: the one in the file, else the first that gets its prompt)',
    )
    .option('--json', 'for programs', false)
    .action(async (file: string | undefined, { session, json }: { session?: string; json: boolean }) =>
      done(await (await import('./adopt.ts')).runAdopt({ file, session, json })),
    );
}

function addLooks(program: Command, done: Done): void {
  program.commandsGroup('Look at loops:');
  program
    .command('status')
    .summary('how the loops stand')
    .description('How the loops of this project stand; those that have not ended come first.')
    .argument('[id]', 'one loop: its id, the end of its id, or its name')
    .option('--all', 'the loops of all projects', false)
    .option('--json', 'for programs: an array', false)
    .action(async (id: string | undefined, { all, json }: { all: boolean; json: boolean }) =>
      done(await (await import('./status.ts')).runStatus({ id, all, json })),
    );
  program
    .command('list')
    .summary('one line per loop')
    .description('The loops of this project, one line each.')
    .option('--all', 'the loops of all projects', false)
    .option('--json', 'for programs: an array', false)
    .action(async (options: { all: boolean; json: boolean }) =>
      done(await (await import('./list.ts')).runList(options)),
    );
  program
    .command('logs')
    .summary('the journal of a loop')
    .description('The journal of a loop as readable lines.')
    .argument('[id]', 'which loop (default: the newest that matters)')
    .option('-f, --follow', 'go on as it grows, until the loop ends', false)
    .option('--hook', 'what the hook did, for all loops', false)
    .option('--json', 'for programs: one event a line', false)
    .action(async (id: string | undefined, options: { follow: boolean; hook: boolean; json: boolean }) =>
      done(await (await import('./logs.ts')).runLogs({ id, ...options })),
    );
  program
    .command('explain')
    .summary('why the last stop was judged so')
    .description(
      'Why the last stop of a loop was judged as it was, what is missing, and what would end the loop.',
    )
    .argument('[id]', 'which loop (default: the newest that matters)')
    .option('--json', 'for programs', false)
    .action(async (id: string | undefined, { json }: { json: boolean }) =>
      done(await (await import('./explain.ts')).runExplain({ id, json })),
    );
  program
    .command('features')
    .summary('the feature list, and what is next')
    .description('The feature list of a loop, or a file, as a table: which items pass, and which is next.')
    .argument('[id|file]', 'which loop, or which file (default: the newest loop that has one)')
    .option('--json', 'for programs', false)
    .action(async (which: string | undefined, { json }: { json: boolean }) =>
      done(await (await import('./features.ts')).runFeatures({ which, json })),
    );
}

function addControls(program: Command, done: Done): void {
  program.commandsGroup('Steer a loop:');
  program
    .command('cancel')
    .summary('end a loop')
    .description(
      'Ends a loop, from any terminal. Without an ID: the only one of this project that has not ended.\nWhere there is nothing to cancel it says so, and that is no error.',
    )
    .argument('[id]', 'which loop')
    .option('--all', 'every loop of this project that has not ended', false)
    .option('--json', 'for programs: an array of what was cancelled', false)
    .action(async (id: string | undefined, { all, json }: { all: boolean; json: boolean }) =>
      done(await (await import('./cancel.ts')).runCancel({ id, all, json })),
    );
  program
    .command('pause')
    .summary('let no further iteration begin')
    .description(
      'Lets no further iteration begin. In a session the one under way ends as it ends; one of dacapo run is broken off,\nand made anew when the loop goes on.',
    )
    .argument('[id]', 'which loop (default: the only one of this project that can be paused)')
    .option('--json', 'for programs', false)
    .action(async (id: string | undefined, { json }: { json: boolean }) =>
      done(await (await import('./pause.ts')).runPause({ id, json })),
    );
  program
    .command('resume')
    .summary('open a loop again')
    .description(
      'Opens a loop again that is paused, interrupted or has ended undone, and says what carries it on.',
    )
    .argument('[id]', 'which loop (default: the one of this project that stands still)')
    .option('--max-iterations <n|unlimited>', 'a new limit, counted from the first iteration')
    .option('--checkpoint <n>', 'tell the agent of this checkpoint (dacapo checkpoints lists them)')
    .option('--accept-changes', 'take the protected files as they are now', false)
    .option('--json', 'for programs', false)
    .action(
      async (
        id: string | undefined,
        {
          maxIterations,
          checkpoint,
          acceptChanges,
          json,
        }: { maxIterations?: string; checkpoint?: string; acceptChanges: boolean; json: boolean },
      ) =>
        done(
          await (
            await import('./resume.ts')
          ).runResume({ id, maxIterations, checkpoint, acceptChanges, json }),
        ),
    );
}

function addRollback(program: Command, done: Done): void {
  program
    .command('rollback')
    .summary('the files as they were after an iteration')
    .description(
      'Returns the files to what they were after an iteration of dacapo run. What is there now is recorded first, and no\ncommit goes away; a loop that commits gets the return as a commit on top. Without an argument: which points there are.',
    )
    .argument('[iteration]', 'its number, 0 for the beginning, or the name that an earlier rollback gave')
    .option('--loop <id>', 'which loop (default: the newest that matters)')
    .option('--json', 'for programs', false)
    .action(async (to: string | undefined, { loop, json }: { loop?: string; json: boolean }) =>
      done(await (await import('./rollback.ts')).runRollback({ to, loop, json })),
    );
}

function addHousekeeping(program: Command, done: Done): void {
  const scope = () =>
    new Option('--scope <scope>', 'whose settings').choices(['local', 'project', 'user']).default('local');
  program.commandsGroup('Set up:');
  program
    .command('init')
    .summary('give Claude Code the hook and /ralph')
    .description(
      'Gives Claude Code the hooks, /ralph and its like, and lifts its cap on stops, by its settings.',
    )
    .addOption(scope())
    .option('--dry-run', 'only show what would change', false)
    .option('--guard', 'a shell guard before Node: faster where there is no loop (Linux, macOS)', false)
    .option('--no-cap', "leave the host's cap on stops as it is")
    .option('--json', 'for programs', false)
    .action(async (options: { scope: Scope; dryRun: boolean; guard: boolean; cap: boolean; json: boolean }) =>
      done(await (await import('./init.ts')).runInit(options)),
    );
  program
    .command('uninstall')
    .summary('take back what init added')
    .description('Takes back exactly what dacapo init added.')
    .addOption(scope())
    .option('--dry-run', 'only show what would change', false)
    .option('--json', 'for programs', false)
    .action(async (options: { scope: Scope; dryRun: boolean; json: boolean }) =>
      done(await (await import('./uninstall.ts')).runUninstall(options)),
    );
  addTrust(program, done);
  program
    .command('doctor')
    .summary('look for what is wrong')
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
      new Option('--agent <agent>', 'who works').choices(['auto', 'claude', 'scripted']).default('auto'),
    )
    .option('--keep', 'keep the temporary project', false)
    .option('--json', 'for programs', false)
    .action(async (options: { json: boolean; agent: 'auto' | 'claude' | 'scripted'; keep: boolean }) =>
      done(await (await import('./demo.ts')).runDemo(options)),
    );
  program
    .command('prune')
    .summary('remove ended loops')
    .description(
      'Removes ended loops of all projects with their evidence and, if nothing is lost by that, their work trees; and what crashes left behind.',
    )
    .option('--older-than <age>', 'how long ago they must have ended: 30d, 12h, 90m', DEFAULT_AGE)
    .option('--dry-run', 'only show what would go', false)
    .option('--json', 'for programs', false)
    .action(async (options: { olderThan: string; dryRun: boolean; json: boolean }) =>
      done(await (await import('./prune.ts')).runPrune(options)),
    );
  program
    .command('hook')
    .summary('the hook program, for the settings of Claude Code')
    .description('The hook program: one event on stdin, at most one answer on stdout, always exit 0.')
    .option(
      '--protocol <protocol>',
      'exit-code: for hosts that know exit codes only; 2 goes on, 0 lets stop',
    );
}

type Scope = 'project' | 'local' | 'user';
