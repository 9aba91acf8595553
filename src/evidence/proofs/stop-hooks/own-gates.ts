/**
 * Stop hooks and validation rules of one loop, as data: registered for its task before it began. The loop
 * keeps its own copy, so nobody can take one away while it runs. Together they are one gate.
 */
import { parseAs, flag, list, maybe, record, text, type Infer } from '#base/shape.ts';
import type { Blobs } from '#store/open-loop.ts';
import { storedHook } from '#store/store.ts';

/** A hook only judges what was seen; a command that takes minutes should be a check. */
export const HOOK_MS = 60_000;
export const HOOKS_MS = 120_000;

const gates = record({
  hooks: list(storedHook),
  /** `engine/agent/validation-rules` knows what each means. */
  rules: list(record({ name: text, type: text })),
  files: flag,
  /** The task that hooks are told about; absent: the loop itself. */
  task: maybe(text),
});
export type OwnGates = Infer<typeof gates>;

export const NO_GATES: OwnGates = { hooks: [], rules: [], files: false };
const OWN_GATES_FILE = 'own-gates.json';

export function keepOwnGates(blobs: Blobs, own: OwnGates): void {
  const { hooks, rules, task } = own;
  if (hooks.length + rules.length > 0 || task !== undefined)
    blobs.write(OWN_GATES_FILE, JSON.stringify(own), { durable: true });
}

/** Null: they can't be read, and a guard may be among them. */
export function readOwnGates(blobs: Blobs): OwnGates | null {
  const content = blobs.read(OWN_GATES_FILE);
  return content === null ? NO_GATES : parseAs(gates, content);
}

export function nameOfRule(rule: string): string {
  return `${RULE}${rule}`;
}

export function ruleNamed(hook: string): string | null {
  return hook.startsWith(RULE) ? hook.slice(RULE.length) : null;
}

const RULE = 'rule ';
