/**
 * What the rules about tools mean to a host. A rule names a tool as the host does, or is in words for every host:
 * `shell(…)`, `write(…)`, and `tool(…)` for the tools of servers. Beside the table of hosts, because only loops with such
 * rules need it.
 */
import type { RuleFamily } from './arrival.ts';
import { chosenNames, HOST_NAMES, JSON_NAMES } from './names.ts';

export type RuleTools = ReturnType<typeof ruleTools>;

/** `host`: its name in a loop's record. Hosts that speak by exit codes use the names of Claude Code. */
export function ruleTools(host: string) {
  const { tools } = [...HOST_NAMES, JSON_NAMES].find(({ name }) => name === host) ?? chosenNames();
  const { shell, writers, servers, serverTool } = tools;
  return {
    /** What a rule about this tool looks at. Null: our hook does not see its calls. */
    familyOf: (tool: string): RuleFamily | null => {
      if (shell.includes(tool)) return 'shell';
      if (writers.includes(tool)) return 'files';
      return servers.test(tool) ? 'name' : null;
    },
    seen: () => `${[...shell, ...writers].join(', ')} and the tools of MCP servers (${serverTool})`,
  };
}

/** The family that a word for every host stands for; null: the word is the name of a tool. */
export function familyOfWord(word: string): RuleFamily | null {
  return word === 'shell' ? 'shell' : word === 'write' ? 'files' : word === 'tool' ? 'name' : null;
}
