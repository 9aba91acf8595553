/** The MCP server: all tools, resources and prompts. One instance serves one connection, in either protocol era. */
import { McpServer } from '@modelcontextprotocol/server';
import type { Desk } from './desk.ts';
import { checkpointTools } from './tools/checkpoints.ts';
import { hookTools } from './tools/hooks.ts';
import { iterationTools } from './tools/iterations.ts';
import { loopTools } from './tools/loops.ts';
import { taskTools } from './tools/tasks.ts';

export function makeServer(desk: Desk): McpServer {
  const server = new McpServer({ name: 'dacapo', version: desk.version });
  for (const register of [...taskTools, ...iterationTools, ...hookTools, ...checkpointTools, ...loopTools])
    register(server, desk);
  return server;
}
