/** Which calls need an approval: what the person typed, and what the project's config says. */
import { parseRule, STARTER } from '../../flags/approval-rules.ts';
import { refuse, type Refusal } from '../../core/refusal.ts';
import type { StartRequest } from '../../flags/arguments.ts';
import { ruleFamily } from '../../hosts/registry.ts';
import type { Configured } from '../../proofs/stop-hooks/configured.ts';

export function rulesAsked(
  { approve }: Pick<StartRequest, 'approve'>,
  configured: Configured | null,
): string[] {
  return [...new Set([...approve, ...(configured?.found.approve ?? [])])];
}

/** A rule about a tool that we never see would let everything through in silence. */
export function refuseUnseen(rules: readonly string[]): Refusal | null {
  const unseen = rules.find((rule) => rule !== STARTER && !isSeen(rule));
  if (unseen === undefined) return null;
  return refuse(
    'bad-rule',
    `Da Capo sees no calls of the tool in the rule ${JSON.stringify(unseen)}.`,
    'It sees Bash, Write, Edit, MultiEdit, NotebookEdit and the tools of MCP servers (mcp__server__tool).',
  );
}

function isSeen(text: string): boolean {
  const rule = parseRule(text);
  return rule !== null && ruleFamily(rule.tool) !== null;
}
