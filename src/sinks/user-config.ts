/**
 * `config.json` in the Da Capo folder: what this user wants for all loops. It is read strictly: a target that is
 * misspelt would be one that is never told.
 */
import { nearest } from '../flags/did-you-mean.ts';
import { TARGET_KINDS, targetOf, webTarget, type Target } from '../flags/notify-target.ts';
import type { Reading } from '../flags/values.ts';
import { NOTICE_KINDS, type NoticeKind } from '../core/notices.ts';
import { refuse, type Refusal } from '../core/refusal.ts';
import { isRecord } from '../core/shape.ts';
import { USER_FIELDS } from '../core/user-fields.ts';
import { readQuietHours, type QuietHours } from './quiet-hours.ts';

export interface UserConfig {
  readonly notify: readonly ConfiguredTarget[];
  /** Which notices go to a target that names none, and to those of `--notify`. */
  readonly events: readonly NoticeKind[];
  readonly secret: string | null;
  readonly quietHours: QuietHours | null;
  /** What comes through in quiet hours. */
  readonly quietExcept: readonly NoticeKind[];
  /** Where the page of `dacapo ui` can be reached, for answers to a webhook. */
  readonly callbackUrl: string | null;
}

export interface ConfiguredTarget {
  readonly target: Target;
  /** Null: those of the config. */
  readonly events: readonly NoticeKind[] | null;
  /** Whether quiet hours apply to it. */
  readonly quiet: boolean;
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
  quietHours: null,
  quietExcept: [],
  callbackUrl: null,
};

/** A shorter secret can be guessed. */
const SHORTEST_SECRET = 16;
const MOST_TARGETS = 20;

class Misfit extends Error {
  readonly refusal: Refusal;
  constructor(field: string, is: string, next: string) {
    super(is);
    this.refusal = refuse('bad-config', `${field} ${is}.`, next);
  }
}

/** `text`: the content of the file; null: there is none. The refusal names the field. */
export function readUserConfig(text: string | null): Reading<UserConfig> {
  if (text === null) return { ok: true, value: NO_CONFIG };
  try {
    return { ok: true, value: configOf(parse(text)) };
  } catch (error) {
    if (error instanceof Misfit) return error.refusal;
    throw error;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw new Misfit('config.json', 'is no JSON', 'Look for a missing comma or quote.');
  }
}

function configOf(value: unknown): UserConfig {
  if (!isRecord(value)) throw new Misfit('config.json', 'is no object', 'Write {"notify": ["desktop"]}.');
  checkFields(value, '', USER_FIELDS);
  const { notify, notifyEvents, notifySecret, quietHours, quietExcept, callbackUrl } = value;
  return {
    notify: notify === undefined ? [] : targetsOf(notify),
    events: notifyEvents === undefined ? USUAL_EVENTS : eventsOf(notifyEvents, 'notifyEvents'),
    secret: notifySecret === undefined ? null : secretOf(notifySecret, 'notifySecret'),
    quietHours: quietHours === undefined ? null : hoursOf(quietHours),
    quietExcept: quietExcept === undefined ? [] : eventsOf(quietExcept, 'quietExcept'),
    callbackUrl: callbackUrl === undefined ? null : urlOf(callbackUrl),
  };
}

function targetsOf(value: unknown): ConfiguredTarget[] {
  if (!Array.isArray(value)) throw new Misfit('notify', 'is no list', 'Write "notify": ["desktop"].');
  if (value.length > MOST_TARGETS)
    throw new Misfit('notify', `has more than ${MOST_TARGETS} targets`, 'Leave some out.');
  return value.map((one, index) => configuredTarget(one, `notify[${index}]`));
}

function configuredTarget(value: unknown, field: string): ConfiguredTarget {
  if (typeof value === 'string') return { target: given(targetOf(value), field), events: null, quiet: true };
  if (!isRecord(value))
    throw new Misfit(field, 'is no target', 'Write "desktop", "bell", a URL, or {"type": …}.');
  const { type, events, quiet = true } = value;
  const kind = TARGET_KINDS.find((one) => one === type);
  if (kind === undefined)
    throw new Misfit(`${field}.type`, `is none of ${TARGET_KINDS.join(', ')}`, 'Give one of these.');
  if (typeof quiet !== 'boolean')
    throw new Misfit(`${field}.quiet`, 'is neither true nor false', 'Write false to ignore quiet hours.');
  return {
    target: targetFrom(value, kind, field),
    events: events === undefined ? null : eventsOf(events, `${field}.events`),
    quiet,
  };
}

const COMMON_FIELDS = ['type', 'events', 'quiet'];

function targetFrom(value: Record<string, unknown>, kind: Target['kind'], field: string): Target {
  switch (kind) {
    case 'desktop':
    case 'bell':
      checkFields(value, `${field}.`, COMMON_FIELDS);
      return { kind };
    case 'command':
      checkFields(value, `${field}.`, [...COMMON_FIELDS, 'command']);
      return { kind, command: wordsOf(value['command'], `${field}.command`, 'notify.sh') };
    case 'webhook':
    case 'slack':
    case 'discord':
      checkFields(value, `${field}.`, [...COMMON_FIELDS, 'url']);
      return given(
        webTarget(kind, wordsOf(value['url'], `${field}.url`, 'https://example.com/hook')),
        `${field}.url`,
      );
    case 'ntfy': {
      checkFields(value, `${field}.`, [...COMMON_FIELDS, 'url', 'token']);
      const url = wordsOf(value['url'], `${field}.url`, 'https://ntfy.sh/topic');
      const target = given(webTarget(kind, url), `${field}.url`);
      if (value['token'] === undefined) return target;
      return { ...target, token: tokenOf(value['token'], `${field}.token`) };
    }
  }
}

function eventsOf(value: unknown, field: string): NoticeKind[] {
  const next = `Give some of: ${NOTICE_KINDS.join(', ')}.`;
  if (!Array.isArray(value)) throw new Misfit(field, 'is no list', next);
  return value.map((one, index) => {
    const kind = NOTICE_KINDS.find((known) => known === one);
    if (kind === undefined) throw new Misfit(`${field}[${index}]`, 'is no event', next);
    return kind;
  });
}

function hoursOf(value: unknown): QuietHours {
  const hours = typeof value === 'string' ? readQuietHours(value) : null;
  if (hours === null)
    throw new Misfit('quietHours', 'is no span of time', 'Write it like "22:00-07:00", in your local time.');
  return hours;
}

function secretOf(value: unknown, field: string): string {
  if (typeof value === 'string' && value.length >= SHORTEST_SECRET) return value;
  throw new Misfit(
    field,
    `is no text of at least ${SHORTEST_SECRET} characters`,
    'Make one with: openssl rand -hex 32.',
  );
}

function tokenOf(value: unknown, field: string): string {
  // It becomes a header.
  if (typeof value === 'string' && /^[\x21-\x7e]+$/.test(value)) return value;
  throw new Misfit(field, 'is no token', 'Copy it from the settings of your ntfy server.');
}

function urlOf(value: unknown): string {
  const url = typeof value === 'string' ? webTarget('webhook', value) : null;
  if (url?.ok === true) return url.value.url;
  throw new Misfit('callbackUrl', 'is no address', 'Write it like "https://dacapo.example.com".');
}

function wordsOf(value: unknown, field: string, like: string): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw new Misfit(field, 'is no text', `Write it like ${JSON.stringify(like)}.`);
}

function given<T>(read: Reading<T>, field: string): T {
  if (read.ok) return read.value;
  throw new Misfit(field, read.message.replace(/\.$/, ''), read.next);
}

function checkFields(value: Record<string, unknown>, path: string, known: readonly string[]): void {
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const near = nearest(unknown, known);
  const meant = near === null ? '' : `Did you mean ${near}? `;
  throw new Misfit(`${path}${unknown}`, 'is no field of config.json', `${meant}It has: ${known.join(', ')}.`);
}
