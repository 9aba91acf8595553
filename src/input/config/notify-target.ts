/** The targets of notifications, as a person writes them. */
import { refuse } from '#base/refusal.ts';
import type { Reading } from '../values.ts';
import { quoteTyped } from '#base/words/did-you-mean.ts';

const WEB_KINDS = ['webhook', 'ntfy', 'slack', 'discord'] as const;
type WebKind = (typeof WEB_KINDS)[number];

/** `token`: the access token of an ntfy server. */
export interface WebTarget {
  readonly kind: WebKind;
  readonly url: string;
  readonly token?: string;
}

/** Only the user's own config can name one. */
export interface CommandTarget {
  readonly kind: 'command';
  readonly command: string;
}

export type Target = { readonly kind: 'desktop' } | WebTarget | CommandTarget;

const MAX_URL_CHARS = 2_000;
/**
 * The services whose addresses tell which format they want. For servers of your own, the kind comes first:
 * `ntfy:URL`.
 */
const SERVICES: readonly (readonly [WebKind, RegExp])[] = [
  ['ntfy', /^https?:\/\/ntfy\.sh\//],
  ['slack', /^https:\/\/hooks\.slack(?:-gov)?\.com\//],
  ['discord', /^https:\/\/(?:\w+\.)?discord(?:app)?\.com\/api\/webhooks\//],
];
const HOW = 'Write desktop or https://…; ntfy:URL, slack:URL or discord:URL for a server of your own.';

/** The value of `--notify`, checked. The journal keeps the words, and `targetOf` reads them again. */
export function readNotify(text: string): Reading<string> {
  const read = targetOf(text);
  return read.ok ? { ok: true, value: text.trim() } : read;
}

/**
 * A command is not a word of a command line: an agent can start a loop, and must not choose what runs on its
 * ending.
 */
export function targetOf(text: string): Reading<Target> {
  const word = text.trim();
  if (word === 'desktop') return { ok: true, value: { kind: word } };
  if (/^command\b/.test(word))
    return refuse(
      'notify-command',
      'takes no command.',
      'Name it in config.json of your Da Capo folder: {"notify": [{"type": "command", "command": "…"}]}.',
    );
  const { kind, url = word } =
    /^(?<kind>webhook|ntfy|slack|discord):(?<url>https?:.*)$/.exec(word)?.groups ?? {};
  return webTarget(WEB_KINDS.find((one) => one === kind) ?? null, url);
}

export function webTarget(kind: WebKind | null, url: string): Reading<WebTarget> {
  const parsed = parseUrl(url);
  if (parsed === null)
    return refuse('bad-target', `takes desktop or an address (http or https), not ${quoteTyped(url)}.`, HOW);
  const found = kind ?? SERVICES.find(([, address]) => address.test(parsed.href))?.[0] ?? 'webhook';
  if (found === 'ntfy' && !/^\/[^/]+\/?$/.test(parsed.pathname))
    return refuse('bad-target', 'takes an ntfy URL with a topic.', 'Write it like https://ntfy.sh/my-topic.');
  return { ok: true, value: { kind: found, url: parsed.href } };
}

function parseUrl(text: string): URL | null {
  // The parser of URLs would drop some of these silently.
  if (text.length > MAX_URL_CHARS || /[\p{Cc}\s]/u.test(text) || !/^https?:\/\//i.test(text)) return null;
  return URL.canParse(text) ? new URL(text) : null;
}

/** Addresses of web hooks are secrets, so a message names the host alone. */
export function nameOfTarget(target: Target): string {
  if (!('url' in target)) return target.kind;
  const { kind, url } = target;
  return `${kind} ${URL.canParse(url) ? new URL(url).origin : 'with a bad address'}`;
}
