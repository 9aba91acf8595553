/** The commands around stop hooks and configs, and their flags. */
import type { Command } from 'commander';

/** Takes the exit code of the command that ran. */
type Done = (code: number) => void;

export function addHooks(program: Command, done: Done): void {
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
    .summary('what stop hooks have kept')
    .description('The checkpoints that the stop hooks of a loop have kept; dacapo resume goes on from one.')
    .argument('[id]', 'which loop (default: the newest that matters)')
    .option('--json', 'for programs', false)
    .action(async (id: string | undefined, { json }: { json: boolean }) =>
      done(await (await import('./checkpoints.ts')).runCheckpoints({ id, json })),
    );
}

export function addTrust(program: Command, done: Done): void {
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
