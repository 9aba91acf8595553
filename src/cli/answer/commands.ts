/** The commands with which a person answers a loop. */
import type { Command } from 'commander';
import { isRequestId } from '../../core/waiting/requests.ts';
import type { SetExit } from '../terminal/exit-codes.ts';

export function addAnswers(program: Command, done: SetExit): void {
  program.commandsGroup('Answer a loop:');
  program
    .command('approvals')
    .summary('what waits for your answer')
    .description('Lists what the loops of this project have asked and nobody has answered yet.')
    .option('--all', 'those of all projects', false)
    .option('--json', 'for programs: an array', false)
    .action(async ({ all, json }: { all: boolean; json: boolean }) =>
      done(await (await import('./answer.ts')).runApprovals({ all, json })),
    );
  for (const { name, answer, summary, description } of ANSWERS)
    program
      .command(name)
      .summary(summary)
      .description(`${description} The first answer counts. For a person: an agent is refused.`)
      .argument('[id]', ID)
      .option('--note <text>', 'words for the agent')
      .option('--json', 'for programs', false)
      .action(async (id: string | undefined, { note, json }: { note?: string; json: boolean }) =>
        done(await (await import('./answer.ts')).runAnswer({ id, answer, note: note ?? '', json })),
      );
  program
    .command('answer')
    .summary('answer a question of the agent')
    .description(
      'Answers a question of the agent; its loop continues with that. The first answer counts. For a person: an agent is refused.',
    )
    .usage('[options] [id] <text>')
    .argument('[id]', ID)
    .argument('[text]', 'the answer')
    .option('--json', 'for programs', false)
    .action(async (first: string | undefined, second: string | undefined, { json }: { json: boolean }) => {
      // One argument is the answer, unless it names a request.
      const isId = second !== undefined || (first !== undefined && isRequestId(first));
      const [id, note = ''] = isId ? [first, second] : [undefined, first];
      done(await (await import('./answer.ts')).runAnswer({ id, answer: 'text', note, json }));
    });
}

const ID = 'the request, as dacapo approvals shows it; the only one if left out';

const ANSWERS = [
  {
    name: 'approve',
    answer: 'approved',
    summary: 'let the agent do what it asked for',
    description: 'Approves one call, once, or confirms that the task is done. To a question, it says yes.',
  },
  {
    name: 'reject',
    answer: 'rejected',
    summary: 'refuse what the agent asked for',
    description: 'Refuses one call, or says that the task is not done. The loop continues without it.',
  },
] as const;
