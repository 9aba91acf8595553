/**
 * What the rules about tools mean to a host. A rule names a tool as the host does, or is in words for every host:
 * `shell(…)`, `write(…)`, and `tool(…)` for the tools of servers. Beside the table of hosts, because only loops with such
 * rules need it.
 */
import type { RuleFamily } from './arrival.ts';
import { toolFamily, toolsSeen } from './claude-code/hook/tools.ts';
import { CLAUDE_CODE } from './claude-code/names.ts';

export interface RuleTools {
  /** What a rule about this tool looks at. Null: our hook does not see its calls. */
  readonly familyOf: (tool: string) => RuleFamily | null;
  /** For people: the tools that have a family. */
  readonly seen: () => string;
}

const CLAUDE_CODES: RuleTools = { familyOf: toolFamily, seen: toolsSeen };
const BY_HOST: ReadonlyMap<string, RuleTools> = new Map([[CLAUDE_CODE.name, CLAUDE_CODES]]);

/** `host`: its name in a loop's record. Hosts that speak by a protocol use the names of Claude Code. */
export function ruleTools(host: string): RuleTools {
  return BY_HOST.get(host) ?? CLAUDE_CODES;
}

/** The family that a word for every host stands for; null: the word is the name of a tool. */
export function familyOfWord(word: string): RuleFamily | null {
  return word === 'shell' ? 'shell' : word === 'write' ? 'files' : word === 'tool' ? 'name' : null;
}
