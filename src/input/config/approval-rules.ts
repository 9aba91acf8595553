/**
 * Rules that say which calls a person has to approve: `shell(git push *)`. The guard matches them with calls.
 */

export interface ApprovalRule {
  readonly tool: string;
  /** What is between the parentheses; null: every call of the tool. */
  readonly pattern: string | null;
}

export const STARTER = 'starter';

const MAX_RULE_CHARS = 500;
/** A `*` in the name stands for any text: `*pay*`. */
const RULE = /^([A-Za-z][\w*-]*)(?:\((.+)\))?$/s;

export function parseRule(text: string): ApprovalRule | null {
  const [, tool, pattern] = (text.length <= MAX_RULE_CHARS && RULE.exec(text.trim())) || [];
  if (tool === undefined || tool === STARTER) return null;
  const inside = pattern?.trim() ?? null;
  return { tool, pattern: inside === '*' || inside === '' ? null : inside };
}

/**
 * A pattern with `*` for any text; `:*` and ` *` at the end also fit without anything behind. Linear in the
 * text.
 */
export function fitsPattern(pattern: string, text: string): boolean {
  const wild = pattern.replace(/:\*$/, ' *');
  if (wild.endsWith(' *') && fitsParts(wild.slice(0, -2).split('*'), text)) return true;
  return fitsParts(wild.split('*'), text);
}

function fitsParts([first = '', ...others]: readonly string[], text: string): boolean {
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last))
    return false;
  const middle = text.slice(first.length, text.length - last.length);
  let at = 0;
  for (const part of others) {
    const found = middle.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return true;
}
