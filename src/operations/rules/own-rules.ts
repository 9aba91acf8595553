/**
 * `rules.json` in Da Capo's home: the commands that rules may run, and rules of the user's own. The guard keeps agents out of
 * that folder, so only the user decides what a rule can start.
 */
import { join } from 'node:path';
import { refuse, type Refusal } from '../../core/refusal.ts';
import { isRecord, list, maybe, record, text } from '../../core/shape.ts';
import { readRegular } from '../../files/read.ts';
import { plainRule, type PlainRule } from './rule.ts';

export interface OwnRules {
  /** Exactly these command lines may be run. */
  readonly commands: readonly string[];
  /** By name. They may run any command, since the user wrote them. */
  readonly rules: ReadonlyMap<string, PlainRule>;
}

const NAME = 'rules.json';
const file = record({ commands: maybe(list(text)), rules: maybe(isRecord) });

/** `home`: the folder of the store. A file that can't be used allows nothing, and says so. */
export function readOwnRules(home: string): ({ readonly ok: true } & OwnRules) | Refusal {
  const path = join(home, NAME);
  const read = readRegular(path);
  if (read.is === 'gone') return { ok: true, commands: [], rules: new Map() };
  if (read.is === 'unreadable') return bad(`${path} can't be read (${read.why}).`);
  const value = parsed(read.content);
  if (!file(value)) return bad(`${path} is no rules file.`);
  const rules = new Map<string, PlainRule>();
  for (const [name, one] of Object.entries(value.rules ?? {})) {
    const rule = isRecord(one) ? { ...one, name } : one;
    if (!plainRule(rule)) return bad(`${path}: ${JSON.stringify(name)} is no rule.`);
    rules.set(name, rule);
  }
  return { ok: true, commands: value.commands ?? [], rules };
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return null;
  }
}

function bad(message: string): Refusal {
  return refuse(
    'bad-rules-file',
    message,
    'Fix it: { "commands": ["npm test"], "rules": { "NAME": { "type": … } } }.',
  );
}
