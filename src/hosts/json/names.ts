/** The names in the protocol `json`. */
import type { ToolNames } from '../tools.ts';

export const JSON_NAME = 'json';

/** A plugin translates the tools of its host into these. */
export const TOOLS: ToolNames = {
  shell: ['shell'],
  writers: ['write', 'edit'],
  servers: 'mcp__',
  serverTool: 'mcp__server__tool',
};
