/** Prompts that a person picks in their client: to start a loop, and to end one. */
import type { McpServer } from '@modelcontextprotocol/server';
import { fields, optional, standard, words } from './schema.ts';
import type { Desk } from './desk.ts';
import { meantLoop } from './meant-loop.ts';

const TASK = 20_000;

export function addPrompts(server: McpServer, desk: Desk): void {
  server.registerPrompt(
    'start',
    {
      title: 'Start a loop',
      description: 'Works on a task until it is proven done.',
      argsSchema: standard(
        fields('start', {
          task: words('What is to be done.', TASK),
          maxIterations: optional(words('The most iterations, for example 20.')),
          completionPromise: optional(words('The words that mean done, for example COMPLETE.')),
        }),
        'start',
      ),
    },
    ({ task, maxIterations, completionPromise }) => {
      const input = {
        prompt: task,
        ...(maxIterations !== undefined &&
          /^\d+$/.test(maxIterations) && { maxIterations: Number(maxIterations) }),
        ...(completionPromise !== undefined && { completionPromise }),
      };
      return said(
        `Call the tool loop_start with exactly this input, then do the task and follow the brief that it answers with:\n\n${JSON.stringify(input, null, 2)}`,
      );
    },
  );
  server.registerPrompt(
    'cancel',
    { title: 'End the loop', description: 'Ends the loop of this session, done or not.' },
    () => {
      const meant = meantLoop(undefined, desk);
      const cancel = desk.session?.commands.cancel ?? 'dacapo cancel';
      return said(
        meant.ok
          ? `I want to end loop ${meant.loop}. Stop working on it now, and call no tool. Only I can end it: tell me to type ${cancel} here, or to run dacapo cancel ${meant.loop} in a terminal.`
          : 'There is no loop in this session. Say so, and do nothing else.',
      );
    },
  );
}

function said(text: string) {
  return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] };
}
