/** The commands with which a person answers a loop. */
import { isRequestId } from '#law/waiting/requests.ts';
import { command, type Command, type CommandGroup } from '../command.ts';
import { onMachine } from '../steer/on-machine.ts';

const runAnswer = onMachine((verbs) => verbs.runAnswer);

const ID = 'the id of the request, as dacapo approvals shows it (default: the only one)';
const FOR_A_PERSON = 'The first answer counts. Agents can’t use this command.';

export const ANSWER_COMMANDS: CommandGroup = {
  heading: 'Answer a loop:',
  commands: [
    command('approvals', 'list what waits for your answer', {
      about: 'Lists the questions and approval requests of loops in this project that are still open.',
      flags: { '--all': 'include those of all projects', '--json': 'print a JSON array, for programs' },
      run: async (given, call) => (await import('./approvals.ts')).runApprovals(given, call),
    }),
    decision('approve', 'approved', {
      summary: 'allow what the agent asked for',
      about: 'Allows one call, once, or confirms that the task is done.',
    }),
    decision('reject', 'rejected', {
      summary: 'do not allow what the agent asked for',
      about: 'Forbids one call, or says that the task is not done yet. The loop continues.',
    }),
    command('answer', 'answer a question of the agent', {
      about: `Answers a question of the agent. Its loop continues with the answer. ${FOR_A_PERSON}`,
      usage: '[ID] TEXT [flags]',
      args: { id: ID, text: 'the answer' },
      flags: { '--json': 'print JSON, for programs' },
      run: async ({ id: first, text, json }, call) => {
        // One argument is the answer, unless it names a request.
        const isId = text !== undefined || (first !== undefined && isRequestId(first));
        const [id, note = ''] = isId ? [first, text] : [undefined, first];
        return runAnswer({ id, answer: 'text', note, json }, call);
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
    args: { id: ID, message: 'a message for the agent, as with --note' },
    flags: { '--note TEXT': 'a message for the agent', '--json': 'print JSON, for programs' },
    run: ({ id: first, message, note, json }, call) => {
      // No id has a blank. A single word stays an id: a misspelt one must not approve another request.
      const isMessage = message === undefined && first !== undefined && /\s/.test(first.trim());
      const [id, words = ''] = isMessage ? [undefined, first] : [first, message];
      return runAnswer({ id, answer, note: note ?? words, json }, call);
    },
  });
}
