/** The MCP server: all tools, resources and prompts. One instance serves one connection, in either protocol era. */
import { McpServer } from '@modelcontextprotocol/server';
import type { ToolContext } from './tool-context.ts';
import { addPrompts } from './prompts.ts';
import { addResources } from './resources.ts';
import { checkpointTools } from './tools/checkpoints.ts';
import { claimTools } from './tools/claims.ts';
import { hookTools } from './tools/hooks.ts';
import { iterationTools } from './tools/iterations.ts';
import { loopTools } from './tools/loops.ts';
import { taskTools } from './tools/tasks.ts';

const TOOLS = [
  ...taskTools,
  ...iterationTools,
  ...hookTools,
  ...checkpointTools,
  ...loopTools,
  ...claimTools,
];

/** More array elements and object members than any honest call has. */
const MOST_ELEMENTS = 10_000;

const INSTRUCTIONS = `Da Capo keeps you at work on a task until it is proven done. To work on a task by steps: task_create, then iteration_start, then iteration_validate after each iteration, until it says COMPLETE or ESCALATE. To work until you stop by yourself: loop_start, then do the task; loop_claim when you believe it is done. You can't raise the limits of a loop that runs, and a claim counts only if the proof holds.`;

export function makeServer(context: ToolContext, era: 'legacy' | 'modern'): McpServer {
  const server = new McpServer(
    { name: 'dacapo', title: 'Da Capo', version: context.version },
    {
      capabilities: { tools: {}, prompts: {}, resources: { subscribe: true, listChanged: true } },
      instructions: INSTRUCTIONS,
      maxToolInputElements: MOST_ELEMENTS,
    },
  );
  for (const register of TOOLS) register(server, context);
  addResources(server, context, era);
  addPrompts(server, context);
  return server;
}
