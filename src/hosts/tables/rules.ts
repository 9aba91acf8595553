/**
 * What the rules about tools mean to a host. A rule names a tool as the host does, or is in words for every
 * host: `shell(…)`, `write(…)`, and `tool(…)` for the tools of servers. Beside the table of hosts, because
 * only loops with such rules need it.
 */
import type { RuleFamily } from '../port/arrival.ts';
import { tableOf } from '../tools/tool-tables.ts';

export type RuleTools = ReturnType<typeof ruleTools>;

/** `host`: its name in a loop's record. */
export function ruleTools(host: string) {
  const { acting, servers, serverTool } = tableOf(host);
  return {
    /** What a rule about this tool looks at. Null: it neither writes nor runs anything, as far as we know. */
    familyOf: (tool: string): RuleFamily | null => {
      const known = acting.get(tool);
      if (known !== undefined) return known.does === 'shell' ? 'shell' : 'files';
      return servers.test(tool) ? 'name' : null;
    },
    seen: () => `${[...acting.keys()].join(', ')} and the tools of MCP servers (${serverTool})`,
  };
}

/** The family that a word for every host stands for; null: the word is the name of a tool. */
export function familyOfWord(word: string): RuleFamily | null {
  return word === 'shell' ? 'shell' : word === 'write' ? 'files' : word === 'tool' ? 'name' : null;
}
