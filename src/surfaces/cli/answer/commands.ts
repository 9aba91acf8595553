/** The commands with which a person answers a loop. */
import { isRequestId } from '#law/waiting/requests.ts';
import { command, type Command, type CommandGroup } from '../command.ts';

const ID = 'the request, as dacapo approvals shows it; the only one if left out';
const FOR_A_PERSON = 'The first answer counts. For a person: an agent is refused.';

export const ANSWERS: CommandGroup = {
  heading: 'Answer a loop:',
  commands: [
    command('approvals', 'what waits for your answer', {
      about: 'Lists what the loops of this project have asked and nobody has answered yet.',
      flags: { '--all': 'those of all projects', '--json': 'for programs: an array' },
      run: async (given, call) => (await import('./answer.ts')).runApprovals(given, call),
    }),
    decision('approve', 'approved', {
      summary: 'let the agent do what it asked for',
      about: 'Approves one call, once, or confirms that the task is done. To a question, it says yes.',
    }),
    decision('reject', 'rejected', {
      summary: 'refuse what the agent asked for',
      about: 'Refuses one call, or says that the task is not done. The loop continues without it.',
    }),
    command('answer', 'answer a question of the agent', {
      about: `Answers a question of the agent; its loop continues with that. ${FOR_A_PERSON}`,
      usage: '[ID] TEXT [flags]',
      args: { id: ID, text: 'the answer' },
      flags: { '--json': 'for programs' },
      run: async ({ id: first, text, json }, call) => {
        // One argument is the answer, unless it names a request.
        const isId = text !== undefined || (first !== undefined && isRequestId(first));
        const [id, note = ''] = isId ? [first, text] : [undefined, first];
        return (await import('./answer.ts')).runAnswer({ id, answer: 'text', note, json }, call);
      },
    }),
  ],
};

function decision(
  name: 'approve' | 'reject',
  answer: 'approved' | 'rejected',
  { summary, about }: Pick<Command, 'summary' | 'about'>,
): Command {
  return command(name, summary, {
    about: `${about} ${FOR_A_PERSON}`,
    args: { id: ID },
    flags: { '--note TEXT': 'words for the agent', '--json': 'for programs' },
    run: async ({ id, note = '', json }, call) =>
      (await import('./answer.ts')).runAnswer({ id, answer, note, json }, call),
  });
}
