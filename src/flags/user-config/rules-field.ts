/**
 * The field `rules` of the user's config: commands that validation rules may run, and rules of the user's own. The guard
 * keeps agents out of that file, so only the user decides what a rule can start.
 */
import { isRecord, type Shape } from '../../core/shape.ts';
import { plainRule, RULE_FIELDS, RULE_FORMS, type PlainRule } from '../validation-rules.ts';
import { checkFields, Misfit, wordsOf } from './misfit.ts';

export interface OwnRules {
  /** Exactly these command lines may be run. */
  readonly commands: readonly string[];
  /** By name. They may run any command, since the user wrote them. */
  readonly custom: ReadonlyMap<string, PlainRule>;
}

export const NO_RULES: OwnRules = { commands: [], custom: new Map() };

const TYPES = ['command', 'pattern', 'file-exists', 'coverage'] as const;
const LIKE = 'Write {"commands": ["npm test"], "custom": {"NAME": {"type": "file-exists", "file": "…"}}}.';

export function rulesOf(value: unknown): OwnRules {
  if (!isRecord(value)) throw new Misfit('rules', 'is no object', LIKE);
  checkFields(value, 'rules.', ['commands', 'custom']);
  const { commands = [], custom = {} } = value;
  if (!Array.isArray(commands))
    throw new Misfit('rules.commands', 'is no list', 'Write "commands": ["npm test"].');
  if (!isRecord(custom)) throw new Misfit('rules.custom', 'is no object', LIKE);
  return {
    commands: commands.map((one, index) => wordsOf(one, `rules.commands[${index}]`, 'npm test')),
    custom: new Map(Object.entries(custom).map(([name, one]) => [name, ruleOf(name, one)])),
  };
}

/** The name of a rule is its key in the config. */
function ruleOf(name: string, value: unknown): PlainRule {
  const path = `rules.custom.${name}`;
  if (!isRecord(value))
    throw new Misfit(path, 'is no rule', 'Write it like {"type": "command", "command": "npm test"}.');
  const type = TYPES.find((one) => one === value['type']);
  if (type === undefined)
    throw new Misfit(`${path}.type`, `is none of ${TYPES.join(', ')}`, 'Give one of these.');
  const fields: Readonly<Record<string, Shape<unknown>>> = RULE_FIELDS[type];
  checkFields(value, `${path}.`, ['type', ...Object.keys(fields)]);
  const wrong = Object.keys(fields).find((field) => fields[field]?.(value[field]) === false);
  const rule = { ...value, name };
  if (wrong === undefined && plainRule(rule)) return rule;
  const how = wrong !== undefined && value[wrong] === undefined ? 'is missing' : 'does not fit';
  throw new Misfit(`${path}.${wrong}`, how, `The rule has the form { ${RULE_FORMS[type]} }.`);
}
