/** The commands that show loops and what stop hooks did in them. */
import type { Command } from 'commander';
import type { SetExit } from '../terminal/exit-codes.ts';

export function addLooks(program: Command, done: SetExit): void {
  program.commandsGroup('Look at loops:');
  addLooksAtAll(program, done);
  addLooksAtOne(program, done);
  addLooksAtHooks(program, done);
}

function addLooksAtAll(program: Command, done: SetExit): void {
  program
    .command('status')
    .summary('where the loops are')
    .description('How the loops of this project stand; those that have not ended come first.')
    .argument('[id]', 'one loop: its id, the end of its id, or its name')
    .option('--all', 'the loops of all projects', false)
    .option('--watch', 'keep watching and show each change; q or Ctrl-C ends it', false)
    .option('--json', 'for programs: an array', false)
    .action(async (id: string | undefined, options: { all: boolean; watch: boolean; json: boolean }) =>
      done(await (await import('./status.ts')).runStatus({ id, ...options })),
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
    .command('watch')
    .summary('all loops live, with keys to answer and steer them')
    .description(
      'All loops of this project in the terminal, live: status, iteration, gates, cost, time, what the agent last said, what waits for you. Keys open a loop, approve, pause, cancel and steer it; ? lists them.',
    )
    .argument('[id]', 'open this loop at once')
    .option('--all', 'the loops of all projects', false)
    .action(async (id: string | undefined, { all }: { all: boolean }) =>
      done(await (await import('./watch/watch.ts')).runWatch({ id, all })),
    );
  program
    .command('ui')
    .summary('all loops on a page in the browser')
    .description(
      'Shows all loops on a page in your browser, live: timelines, evidence, the work of the agent, cost, requests to answer. Only this machine reaches it, and only with the link that it prints. Ctrl-C ends it; the loops go on.',
    )
    .option('--port <n>', 'listen on this port (default: a free one)')
    .option(
      '--host <address>',
      'listen on this address; anything but 127.0.0.1 opens the page to others',
      '127.0.0.1',
    )
    .option('--no-open', 'only print the link')
    .option('--json', 'for programs: print {"url": …} once it listens, and open no browser', false)
    .action(async (options: { port?: string; host: string; open: boolean; json: boolean }) =>
      done(await (await import('./ui.ts')).runUi({ ...options, port: options.port })),
    );
  program
    .command('stats')
    .summary('how loops end, and what they take')
    .description(
      'Figures over the loops of this project: how many complete, in how many iterations, which claims a gate refused, time and cost, by gate and by model.',
    )
    .option('--all', 'the loops of all projects', false)
    .option('--json', 'for programs', false)
    .action(async (options: { all: boolean; json: boolean }) =>
      done(await (await import('./stats.ts')).runStats(options)),
    );
}

function addLooksAtOne(program: Command, done: SetExit): void {
  program
    .command('report')
    .summary('a loop from its prompt to its ending')
    .description(
      'One loop as a report: what was asked, what was done, each claim with its proof, files changed, cost, why it ended. To stdout, or into one file that needs no other.',
    )
    .argument('[id]', 'which loop (default: the newest that matters)')
    .option('--html', 'one page, for a browser', false)
    .option('--md', 'Markdown (the default)', false)
    .option('--json', 'for programs', false)
    .option('-o, --output <file>', 'write to this file; its ending names the format')
    .action(
      async (
        id: string | undefined,
        options: { html: boolean; md: boolean; json: boolean; output?: string },
      ) => {
        const { output, ...rest } = options;
        done(await (await import('./report.ts')).runReport({ id, output, ...rest }));
      },
    );
  program
    .command('logs')
    .summary('the journal of a loop')
    .description('The journal of a loop as readable lines.')
    .argument('[id]', 'which loop (default: the newest that matters)')
    .option('-f, --follow', 'keep watching until the loop ends', false)
    .option('--agent', 'also what the agent says and does', false)
    .option('--hook', 'what the hook did, for all loops', false)
    .option('--json', 'for programs: one event a line', false)
    .action(
      async (
        id: string | undefined,
        options: { follow: boolean; agent: boolean; hook: boolean; json: boolean },
      ) => done(await (await import('./logs.ts')).runLogs({ id, ...options })),
    );
  program
    .command('explain')
    .summary('why the last stop was judged as it was')
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

function addLooksAtHooks(program: Command, done: SetExit): void {
  program
    .command('hooks')
    .summary('stop hooks of your own, and what hooks have done')
    .description(
      'Stop hooks of your own, as data: list, add JSON, enable ID, disable ID, remove ID. They are asked in the loops that begin in this folder.',
    )
    .argument('[action]', 'list, add, enable, disable or remove')
    .argument('[what]', 'the hook as JSON, or the id of a hook')
    .option('--loop <id>', 'of one loop, instead of this folder')
    .option('--name <name>', 'an id for the hook that is added')
    .option('--metrics', 'what the hooks of a loop have done', false)
    .option('--json', 'for programs', false)
    .action(
      async (
        action: string | undefined,
        what: string | undefined,
        options: { loop?: string; name?: string; metrics: boolean; json: boolean },
      ) => {
        const { loop, name, ...rest } = options;
        done(await (await import('./hooks.ts')).runHooks({ action, what, loop, name, ...rest }));
      },
    );
  program
    .command('checkpoints')
    .summary('what stop hooks have saved')
    .description(
      'The checkpoints that the stop hooks of a loop have saved; dacapo resume continues from one.',
    )
    .argument('[id]', 'which loop (default: the newest that matters)')
    .option('--json', 'for programs', false)
    .action(async (id: string | undefined, { json }: { json: boolean }) =>
      done(await (await import('./checkpoints.ts')).runCheckpoints({ id, json })),
    );
}
