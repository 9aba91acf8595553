/** The fields of the user's config for notifications: who gets which. */
import { NOTICE_KINDS, type NoticeKind } from '../../core/notices.ts';
import { isRecord } from '../../core/shape.ts';
import { TARGET_KINDS, targetOf, webTarget, type Target } from '../notify-target.ts';
import { checkFields, given, Misfit, wordsOf } from './misfit.ts';

export interface ConfiguredTarget {
  readonly target: Target;
  /** Null: those of the config. */
  readonly events: readonly NoticeKind[] | null;
}

/** A shorter secret can be guessed. */
const SHORTEST_SECRET = 16;
const MOST_TARGETS = 20;

export function targetsOf(value: unknown): ConfiguredTarget[] {
  if (!Array.isArray(value)) throw new Misfit('notify', 'is no list', 'Write "notify": ["desktop"].');
  if (value.length > MOST_TARGETS)
    throw new Misfit('notify', `has more than ${MOST_TARGETS} targets`, 'Leave some out.');
  return value.map((one, index) => configuredTarget(one, `notify[${index}]`));
}

function configuredTarget(value: unknown, field: string): ConfiguredTarget {
  if (typeof value === 'string') return { target: given(targetOf(value), field), events: null };
  if (!isRecord(value)) throw new Misfit(field, 'is no target', 'Write "desktop", a URL, or {"type": …}.');
  const { type, events } = value;
  const kind = TARGET_KINDS.find((one) => one === type);
  if (kind === undefined)
    throw new Misfit(`${field}.type`, `is none of ${TARGET_KINDS.join(', ')}`, 'Give one of these.');
  return {
    target: targetFrom(value, kind, field),
    events: events === undefined ? null : eventsOf(events, `${field}.events`),
  };
}

const COMMON_FIELDS = ['type', 'events'];

function targetFrom(value: Record<string, unknown>, kind: Target['kind'], field: string): Target {
  switch (kind) {
    case 'desktop':
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

export function eventsOf(value: unknown, field: string): NoticeKind[] {
  const next = `Give some of: ${NOTICE_KINDS.join(', ')}.`;
  if (!Array.isArray(value)) throw new Misfit(field, 'is no list', next);
  return value.map((one, index) => {
    const kind = NOTICE_KINDS.find((known) => known === one);
    if (kind === undefined) throw new Misfit(`${field}[${index}]`, 'is no event', next);
    return kind;
  });
}

export function secretOf(value: unknown, field: string): string {
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

export function urlOf(value: unknown): string {
  const url = typeof value === 'string' ? webTarget('webhook', value) : null;
  if (url?.ok === true) return url.value.url;
  throw new Misfit('callbackUrl', 'is no address', 'Write it like "https://dacapo.example.com".');
}
