/**
 * The MCP server: all tools, resources and prompts. One instance serves one connection, in either protocol
 * era.
 */
import { McpServer } from '@modelcontextprotocol/server';
import { fields, optional } from '#input/schema/schema.ts';
import { heldBy, standard, words } from './fields.ts';
import { lookAtLoop } from './read-loop.ts';
import { addResources } from './resources.ts';
import type { ToolContext } from './tool-context.ts';
import { claimTools } from './tools/claims.ts';
import { hookTools } from './tools/hooks.ts';
import { iterationTools } from './tools/iterations.ts';
import { loopTools } from './tools/loops.ts';
import { taskTools } from './tools/tasks.ts';

const TOOLS = [taskTools, iterationTools, hookTools, loopTools, claimTools].flat();

/** More array elements and object members than any honest call has. */
const MAX_ELEMENTS = 10_000;

const INSTRUCTIONS =
  'Da Capo keeps you at work on a task until it is proven done. To work on a task by steps: ' +
  'task_create, then iteration_start, then iteration_validate after each iteration, until it says ' +
  'COMPLETE or ESCALATE. To work until you stop by yourself: loop_start, then do the task; loop_claim ' +
  `when you believe it is done. You can't raise the limits of a loop that runs, and a claim counts ` +
  'only if the proof holds.';

export function makeServer(context: ToolContext, era: 'legacy' | 'modern'): McpServer {
  const server = new McpServer(
    { name: 'dacapo', title: 'Da Capo', version: context.version },
    {
      capabilities: { tools: {}, prompts: {}, resources: { subscribe: true, listChanged: true } },
      instructions: INSTRUCTIONS,
      maxToolInputElements: MAX_ELEMENTS,
    },
  );
  for (const register of TOOLS) register(server, context);
  addResources(server, context, era);
  addPrompts(server, context);
  return server;
}

const MAX_TASK_CHARS = 20_000;

/** For a person who picks them in their client: to start a loop, and to end one. */
function addPrompts(server: McpServer, context: ToolContext): void {
  server.registerPrompt(
    'start',
    {
      title: 'Start a loop',
      description: 'Works on a task until it is proven done.',
      argsSchema: standard(
        fields('start', {
          task: words('What is to be done.', MAX_TASK_CHARS),
          maxIterations: optional(words('The most iterations, for example 20.')),
          completionPromise: optional(words('The words that mean done, for example COMPLETE.')),
        }),
        'start',
      ),
    },
    ({ task, maxIterations, completionPromise }) => {
      const input = {
        prompt: task,
        ...(/^\d+$/.test(maxIterations ?? '') && { maxIterations: Number(maxIterations) }),
        ...(completionPromise !== undefined && { completionPromise }),
      };
      return said(
        'Call the tool loop_start with exactly this input, then do the task and follow the brief ' +
          `that it answers with:\n\n${JSON.stringify(input, null, 2)}`,
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
          ? `I want to end loop ${found.loop.id}. Stop working on it now, and call no tool. Only I can ` +
              `end it: tell me to ${here}run dacapo cancel ${found.loop.id} in a terminal.`
          : 'There is no loop in this session. Say so, and do nothing else.',
      );
    },
  );
}

function said(text: string) {
  return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] };
}
