/**
 * `config.json` in the Da Capo folder: what this user wants for all loops. It is read strictly: a target that
 * is misspelt would be one that is never told. A config with a mistake allows no command and names no target.
 * The guard keeps agents out of the file, so only the user decides what a rule can start.
 */
import { NOTICE_KINDS, type NoticeKind } from '#law/notices.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import { amount, isRecord, text as isText, codeOf } from '#base/shape.ts';
import { targetOf, webTarget, type Target } from './notify-target.ts';
import { ConfigError, refuseMisfit } from '../schema/misfit.ts';
import {
  anyOf,
  byType,
  dictionary,
  fields,
  list,
  optional,
  readWith,
  text,
  value,
  word,
  type Schema,
  type TypeOf,
} from '../schema/schema.ts';
import type { USER_FIELDS } from './user-fields.ts';
import type { Reading } from '../values.ts';

const CONFIG_FILE = 'config.json';

export interface ConfiguredTarget {
  readonly target: Target;
  /** Null: those of the config. */
  readonly events: readonly NoticeKind[] | null;
}

/** What validation rules may use. */
export interface OwnRules {
  /** Exactly these command lines may be run. */
  readonly commands: readonly string[];
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

const MAX_TARGETS = 20;

type WrittenTarget = { readonly events?: readonly NoticeKind[] } & (
  | { readonly type: 'desktop' }
  | { readonly type: 'command'; readonly command: string }
  | { readonly type: 'webhook' | 'slack' | 'discord'; readonly url: string }
  | { readonly type: 'ntfy'; readonly url: string; readonly token?: string }
);

const events = list(word(...NOTICE_KINDS), `a list of events: ${NOTICE_KINDS.join(', ')}`);
const command = text('a command such as "npm test"', /\S/);
const usd = value('US dollars for a million tokens, such as 2.5', null, amount);
const url = address('webhook', 'an address such as "https://example.com/hook"');
const web = { url, events: optional(events) };

/** What does not fit is not shown: messages go into logs. */
function secret(wanted: string, pattern: RegExp): Schema<string> {
  return {
    check: (given, path) => {
      if (isText(given) && pattern.test(given)) return;
      throw new ConfigError(path, 'does not fit', `It must be ${wanted}.`);
    },
    json: () => null,
  };
}

function address(kind: 'webhook' | 'ntfy', wanted: string): Schema<string> {
  return value(wanted, null, (given): given is string => isText(given) && webTarget(kind, given).ok);
}

/** A target in one word, as in `--notify`. */
const inOneWord: Schema<string> = {
  check: (given, path) => {
    const read = targetOf(String(given));
    if (!read.ok) throw new ConfigError(path, read.message.replace(/\.$/, ''), read.next);
  },
  json: () => null,
};

const target = anyOf<string | WrittenTarget>(
  '"desktop", a URL, or {"type": …}',
  [isText, inOneWord],
  [
    isRecord,
    byType<WrittenTarget>('target', {
      desktop: { events: optional(events) },
      command: { command, events: optional(events) },
      webhook: web,
      slack: web,
      discord: web,
      ntfy: {
        url: address('ntfy', 'an address with one topic, such as "https://ntfy.sh/my-topic"'),
        // It becomes a header.
        token: optional(secret('a token, copied from the settings of your ntfy server', /^[\x21-\x7e]+$/)),
        events: optional(events),
      },
    }),
  ],
);

const configSchema = fields(CONFIG_FILE, {
  notify: optional(
    list(target, `a list of at most ${MAX_TARGETS} targets, such as ["desktop"]`, 0, MAX_TARGETS),
  ),
  notifyEvents: optional(events),
  // A shorter one can be guessed.
  notifySecret: optional(
    secret('a text of at least 16 characters. Make one with: openssl rand -hex 32', /^.{16,}$/s),
  ),
  callbackUrl: optional(url),
  // `hosts/prices/prices.ts` reads them.
  prices: optional(
    dictionary(
      'an object with a price for each model, such as {"my-model": {"input": 1, "output": 5}}',
      { pattern: /\S/, rule: 'It must be the name of a model.' },
      fields(`prices in ${CONFIG_FILE}`, { input: usd, output: usd, cachedInput: optional(usd) }),
    ),
  ),
  rules: optional(
    fields(`rules in ${CONFIG_FILE}`, {
      commands: optional(list(command, 'a list of commands, such as ["npm test"]')),
    }),
  ),
} satisfies Readonly<Record<(typeof USER_FIELDS)[number], unknown>>);

/** `read`: gives the content of the file, or null if there is none. The refusal names the field. */
export function readUserConfig(read: () => string | null): Reading<UserConfig> {
  let content: string | null;
  try {
    content = read();
  } catch (error) {
    return bad(`can't be read (${codeOf(error)})`, 'Make it a file that you may read.');
  }
  if (content === null) return { ok: true, value: NO_CONFIG };
  let written: unknown;
  try {
    written = JSON.parse(content.replace(/^\uFEFF/, ''));
  } catch {
    return bad('is not JSON', 'Look for a missing comma or quote.');
  }
  const fits = readWith(configSchema, written, '');
  return fits.ok
    ? { ok: true, value: withDefaults(fits.value) }
    : refuseMisfit('bad-config', fits.misfit, CONFIG_FILE);
}

function bad(problem: string, next: string): Refusal {
  return refuse('bad-config', `${CONFIG_FILE} ${problem}.`, next);
}

/** What is wrong, with the file that it is in. */
export function sayMisfit({ message }: Refusal, file = CONFIG_FILE): string {
  return message.startsWith(`${CONFIG_FILE} `)
    ? `${file}${message.slice(CONFIG_FILE.length)}`
    : `${file}: ${message}`;
}

export type UserConfig = ReturnType<typeof withDefaults>;

function withDefaults(config: TypeOf<typeof configSchema>) {
  const { notify = [], notifyEvents = USUAL_EVENTS, notifySecret, callbackUrl: page, rules } = config;
  return {
    notify: notify.flatMap(targetFrom),
    /** Which notices go to a target that names none, and to those of `--notify`. */
    events: notifyEvents,
    secret: notifySecret ?? null,
    /** Where the page of `dacapo ui` can be reached, for answers to a webhook. */
    callbackUrl: page === undefined ? null : new URL(page).href,
    rules: { commands: rules?.commands ?? [] },
  };
}

export const NO_CONFIG = withDefaults({});

/** The schema has refused what is not a target. */
function targetFrom(written: string | WrittenTarget): ConfiguredTarget[] {
  if (isText(written)) {
    const read = targetOf(written);
    return read.ok ? [{ target: read.value, events: null }] : [];
  }
  const { type: kind, events: wanted = null, ...rest } = written;
  const exact = 'url' in rest ? { ...rest, url: new URL(rest.url).href } : rest;
  return [{ target: { kind, ...exact } as Target, events: wanted }];
}
