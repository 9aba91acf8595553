/**
 * `config.json` in the Da Capo folder: what this user wants for all loops. It is read strictly: a target that is
 * misspelt would be one that is never told. A config with a mistake allows no command and names no target.
 */
import { codeOf } from '../../core/thrown.ts';
import { isRecord } from '../../core/shape.ts';
import type { NoticeKind } from '../../core/notices.ts';
import type { Refusal } from '../../core/refusal.ts';
import type { Reading } from '../values.ts';
import { checkFields, Misfit } from './misfit.ts';
import { USER_FIELDS } from './fields.ts';
import { eventsOf, secretOf, targetsOf, urlOf, type ConfiguredTarget } from './notify-fields.ts';
import { NO_RULES, rulesOf, type OwnRules } from './rules-field.ts';

const NAME = 'config.json';

export interface UserConfig {
  readonly notify: readonly ConfiguredTarget[];
  /** Which notices go to a target that names none, and to those of `--notify`. */
  readonly events: readonly NoticeKind[];
  readonly secret: string | null;
  /** Where the page of `dacapo ui` can be reached, for answers to a webhook. */
  readonly callbackUrl: string | null;
  /** What validation rules may use. */
  readonly rules: OwnRules;
}

/** What a person who left an agent alone wants to hear. */
const USUAL_EVENTS: readonly NoticeKind[] = [
  'completed',
  'ended',
  'escalated',
  'stuck',
  'approval',
  'question',
  'limit',
  'interrupted',
];

export const NO_CONFIG: UserConfig = {
  notify: [],
  events: USUAL_EVENTS,
  secret: null,
  callbackUrl: null,
  rules: NO_RULES,
};

/** `read`: gives the content of the file, or null if there is none. The refusal names the field. */
export function readUserConfig(read: () => string | null): Reading<UserConfig> {
  try {
    const text = textOf(read);
    return { ok: true, value: text === null ? NO_CONFIG : configOf(parse(text)) };
  } catch (error) {
    if (error instanceof Misfit) return error.refusal;
    throw error;
  }
}

/** What is wrong, with the file that it is in. */
export function sayMisfit({ message }: Refusal, file = NAME): string {
  return message.startsWith(`${NAME} `) ? `${file}${message.slice(NAME.length)}` : `${file}: ${message}`;
}

function textOf(read: () => string | null): string | null {
  try {
    return read();
  } catch (error) {
    throw new Misfit(NAME, `can't be read (${codeOf(error)})`, 'Make it a file that you may read.');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw new Misfit(NAME, 'is no JSON', 'Look for a missing comma or quote.');
  }
}

function configOf(value: unknown): UserConfig {
  if (!isRecord(value)) throw new Misfit(NAME, 'is no object', 'Write {"notify": ["desktop"]}.');
  checkFields(value, '', USER_FIELDS);
  const { notify, notifyEvents, notifySecret, callbackUrl, rules } = value;
  return {
    notify: notify === undefined ? [] : targetsOf(notify),
    events: notifyEvents === undefined ? USUAL_EVENTS : eventsOf(notifyEvents, 'notifyEvents'),
    secret: notifySecret === undefined ? null : secretOf(notifySecret, 'notifySecret'),
    callbackUrl: callbackUrl === undefined ? null : urlOf(callbackUrl),
    rules: rules === undefined ? NO_RULES : rulesOf(rules),
  };
}
