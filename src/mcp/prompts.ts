/** Prompts that a person picks in their client: to start a loop, and to end one. */
import type { McpServer } from '@modelcontextprotocol/server';
import { fields, optional } from '../flags/schema/schema.ts';
import { standard, words } from './schema.ts';
import type { ToolContext } from './tool-context.ts';
import { heldBy } from './loop-fields.ts';
import { lookAtLoop } from './resolve-loop.ts';

const TASK = 20_000;

export function addPrompts(server: McpServer, context: ToolContext): void {
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
      const found = lookAtLoop(undefined, context);
      const isHeld = found.ok && heldBy(found.report) === 'hook';
      const here =
        isHeld && context.session !== null ? `type ${context.session.commands.cancel} here, or to ` : '';
      return said(
        found.ok
          ? `I want to end loop ${found.loop.id}. Stop working on it now, and call no tool. Only I can end it: tell me to ${here}run dacapo cancel ${found.loop.id} in a terminal.`
          : 'There is no loop in this session. Say so, and do nothing else.',
      );
    },
  );
}

function said(text: string) {
  return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] };
}
