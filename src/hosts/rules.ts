/**
 * What the rules about tools mean to a host. A rule names a tool as the host does, or is in words for every host:
 * `shell(…)`, `write(…)`, and `tool(…)` for the tools of servers. Beside the table of hosts, because only loops with such
 * rules need it.
 */
import type { RuleFamily } from './arrival.ts';
import { CLAUDE_CODE, TOOLS } from './claude-code/names.ts';
import { CODEX, TOOLS as CODEX_TOOLS } from './codex/names.ts';
import { GEMINI, TOOLS as GEMINI_TOOLS } from './gemini/names.ts';
import { JSON_NAME, TOOLS as JSON_TOOLS } from './json/names.ts';
import { PI, TOOLS as PI_TOOLS } from './pi/names.ts';
import { QWEN, TOOLS as QWEN_TOOLS } from './qwen/names.ts';
import { toolFamily, toolsSeen, type ToolNames } from './tools.ts';

export interface RuleTools {
  /** What a rule about this tool looks at. Null: our hook does not see its calls. */
  readonly familyOf: (tool: string) => RuleFamily | null;
  /** For people: the tools that have a family. */
  readonly seen: () => string;
}

const BY_HOST: Readonly<Record<string, ToolNames>> = {
  [CLAUDE_CODE.name]: TOOLS,
  [CODEX.name]: CODEX_TOOLS,
  [QWEN.name]: QWEN_TOOLS,
  [GEMINI.name]: GEMINI_TOOLS,
  [PI.name]: PI_TOOLS,
  [JSON_NAME]: JSON_TOOLS,
};

/** `host`: its name in a loop's record. Hosts that speak by exit codes use the names of Claude Code. */
export function ruleTools(host: string): RuleTools {
  const names = BY_HOST[host] ?? TOOLS;
  return { familyOf: (tool) => toolFamily(tool, names), seen: () => toolsSeen(names) };
}

/** The family that a word for every host stands for; null: the word is the name of a tool. */
export function familyOfWord(word: string): RuleFamily | null {
  return word === 'shell' ? 'shell' : word === 'write' ? 'files' : word === 'tool' ? 'name' : null;
}
