/** Reads the value of each flag. The message of a refusal follows the flag's name. */
import { acpCommand, acpWords } from '#base/words/acp-host.ts';
import { foldSpace } from '#base/words/sanitize.ts';
import type { ViewKind } from '#law/record/definition.ts';
import { parseRule, STARTER } from './config/approval-rules.ts';
import { alternativesOf } from '#base/globs.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import { quoteTyped } from '#base/words/did-you-mean.ts';
import type { StartOptions, MeasureTarget, Reviewer } from './options.ts';

export type Reading<T> = { readonly ok: true; readonly value: T } | Refusal;

/** The agent has to repeat the promise exactly, and it goes into every continuation. */
const MAX_PROMISE_CHARS = 300;

/** The name shares a line with other text in lists and messages. */
const MAX_NAME_CHARS = 80;

/** The id of each item stays in the state that every stop reads. */
const MAX_ITEMS = 1_000;

/** A longer duration is a typing error. */
const DURATION_LIMIT_MS = 365 * 24 * 3_600_000;

export function readMaxIterations(text: string): Reading<number | null> {
  return text === 'unlimited' ? value(null) : readWhole(text, 1, 'Give a number such as 20, or unlimited.');
}

export function readCount(text: string): Reading<number> {
  return readWhole(text, 1, 'Give a number such as 3.');
}

/** A stall needs two equal stops, so the least is two. */
export function readMaxStalls(text: string): Reading<number | null> {
  return text === 'off' ? value(null) : readWhole(text, 2, 'Give a number such as 10, or the word off.');
}

export function readMaxItems(text: string): Reading<number> {
  const read = readCount(text);
  if (!read.ok || read.value <= MAX_ITEMS) return read;
  return refuse('bad-number', `takes at most ${MAX_ITEMS}.`, 'Split a longer list over several loops.');
}

/** A higher cost is a typing error. */
const COST_LIMIT_USD = 1_000_000;

export function readCost(text: string): Reading<number> {
  const usd = /^\$?\d+(?:\.\d+)?$/.test(text) ? Number(text.replace('$', '')) : 0;
  if (usd > 0 && usd <= COST_LIMIT_USD) return value(usd);
  return refuse(
    'bad-amount',
    `takes an amount of US dollars above zero, not ${quoteTyped(text)}.`,
    'Write it like 5, 2.50 or $5.',
  );
}

const UNITS: Readonly<Record<string, number>> = { k: 1_000, m: 1_000_000 };

export function readTokens(text: string): Reading<number> {
  const { number = '', unit = '' } = /^(?<number>\d+(?:\.\d+)?)(?<unit>[km]?)$/i.exec(text)?.groups ?? {};
  const tokens = Math.round(Number(number) * (UNITS[unit.toLowerCase()] ?? 1));
  const isWhole = unit !== '' || /^\d+$/.test(number);
  if (isWhole && tokens > 0 && Number.isSafeInteger(tokens)) return value(tokens);
  return refuse(
    'bad-number',
    `takes a number of tokens above zero, not ${quoteTyped(text)}.`,
    'Write it like 500000, 500k or 2m.',
  );
}

export function readPath(text: string): Reading<string> {
  const path = text.trim();
  if (path !== '' && !/\p{Cc}/u.test(path)) return value(path);
  return refuse(
    'bad-path',
    `takes a path, not ${quoteTyped(text)}.`,
    'Give an absolute path, or one relative to the project.',
  );
}

export function readGlob(text: string): Reading<string> {
  const glob = text.trim();
  if (/[^!\s]/.test(glob) && !/\p{Cc}/u.test(glob) && alternativesOf(glob) !== null) return value(glob);
  return refuse(
    'bad-glob',
    `takes a file pattern, not ${quoteTyped(text)}.`,
    'Write it relative to the project, such as "tests/**" or "**/*.test.{ts,js}".',
  );
}

export function readRule(text: string): Reading<string> {
  const rule = text.trim();
  if (rule === STARTER || parseRule(rule) !== null) return value(rule);
  return refuse(
    'bad-rule',
    `takes a permission rule, not ${quoteTyped(text)}.`,
    'Write it like "shell(git push *)" or "write(deploy/**)"; starter is a built-in list.',
  );
}

export const VIEW_KINDS: readonly ViewKind[] = ['markdown', 'progress', 'vault', 'stack'];

/** One or several, separated by commas; `none` is an empty list. */
export function readViewKinds(text: string): Reading<readonly ViewKind[]> {
  if (text === 'none') return value([]);
  const named = text.split(',').map((name) => VIEW_KINDS.find((view) => view === name.trim()));
  const known = named.filter((view) => view !== undefined);
  if (known.length === named.length) return value(known);
  return refuse(
    'bad-view',
    `takes markdown, progress, vault, stack or none, not ${quoteTyped(text)}.`,
    'Leave it out for markdown; separate several by commas.',
  );
}

export function readPromiseText(text: string): Reading<string> {
  const promise = foldSpace(text);
  const fault = whyNeverKept(promise);
  if (fault === null) return value(promise);
  return refuse(
    'bad-promise',
    `${fault}.`,
    'Choose a short plain text that the agent can repeat exactly, such as "ALL TESTS PASS".',
  );
}

/** A bare `<` or `>` is harmless: the agent can keep `coverage > 90 %`. */
function whyNeverKept(promise: string): string | null {
  if (promise === '') return 'is empty';
  if (promise.length > MAX_PROMISE_CHARS) return `is longer than ${MAX_PROMISE_CHARS} characters`;
  if (/<[A-Za-z/!?]/.test(promise)) return 'contains markup, which can’t be told from the tags around it';
  if (promise.endsWith('\\')) return 'ends with a backslash, which would escape the tag after it';
  if (/\p{Cc}/u.test(promise)) return 'contains a control character, which no agent writes';
  return null;
}

/** `example`: how the flag is given, with a command as people use it. */
export function readCommandFor(example: string): (text: string) => Reading<string> {
  return (text) => {
    const command = text.trim();
    if (command !== '') return value(command);
    return refuse('bad-check', 'is empty.', `Give a command, as in ${example}, or leave the flag out.`);
  };
}

export const readCheck = readCommandFor('--check "npm test"');

export const MEASURE_NAME = '[A-Za-z][\\w.-]{0,39}';

export function readMeasure(text: string): Reading<StartOptions['measures'][number]> {
  const [, name = '', command = ''] = new RegExp(`^\\s*(${MEASURE_NAME})=(.*)$`, 's').exec(text) ?? [];
  if (command.trim() !== '') return value({ name, command: command.trim() });
  return refuse(
    'bad-measure',
    `takes a name and a command that prints a number, not ${quoteTyped(text)}.`,
    'Write it like "tests=npm test | grep -c ok".',
  );
}

export function readTarget(text: string): Reading<MeasureTarget> {
  const pattern = new RegExp(`^\\s*(${MEASURE_NAME})\\s*([<>])=\\s*(-?\\d+(?:\\.\\d+)?)\\s*$`);
  const [, name = '', side, bound] = pattern.exec(text) ?? [];
  if (bound !== undefined) return value({ name, is: side === '<' ? '<=' : '>=', bound: Number(bound) });
  return refuse(
    'bad-target',
    `takes a measure and the number that it has to reach, not ${quoteTyped(text)}.`,
    'Write it like "failures<=0" or "coverage>=80".',
  );
}

/** An agent that speaks the Agent Client Protocol, by the command that starts it. No shell reads it. */
export function readAcpHost(text: string): Reading<string> {
  const host = text.trim();
  if (acpWords(host) !== null) return value(host);
  return refuse(
    'bad-acp',
    `takes acp: and one line with a command, not ${quoteTyped(text)}.`,
    'Write acp:"PROGRAM --acp", with the program first, and close its quotes.',
  );
}

/** Whether there is such a host is known where the loop begins. A model may have colons of its own. */
export function readReviewer(text: string): Reading<Reviewer> {
  if (acpCommand(text) !== null) return mapReading(readAcpHost(text), (host) => ({ host, model: null }));
  const [, host = '', model = null] = /^([a-z][a-z-]*)(?::(\S+))?$/.exec(text.trim()) ?? [];
  if (host !== '') return value({ host, model });
  return refuse(
    'bad-review',
    `takes a coding agent, or an agent and its model, not ${quoteTyped(text)}.`,
    'Write HOST or HOST:MODEL; docs/hosts.md lists the hosts.',
  );
}

/** A bare number is refused: some mean seconds by it, some minutes. */
export function readDuration(text: string): Reading<number> {
  if (/^0*[1-9]\d*$/.test(text))
    return refuse(
      'bad-duration',
      `takes a duration with its unit, not ${quoteTyped(text)}.`,
      `Write ${quoteTyped(`${text}m`)} for minutes, ${quoteTyped(`${text}s`)} for seconds.`,
    );
  const [, h = 0, m = 0, s = 0] = /^(?=\d)(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(text) ?? [];
  const ms = ((Number(h) * 60 + Number(m)) * 60 + Number(s)) * 1_000;
  if (ms > 0 && ms <= DURATION_LIMIT_MS) return value(ms);
  return refuse(
    'bad-duration',
    `takes a duration above zero and up to a year, not ${quoteTyped(text)}.`,
    'Write it like 90s, 15m, 2h or 1h30m.',
  );
}

/** In the config of a project a bare number is seconds. */
export function readConfigDuration(given: string | number): Reading<number> {
  const text = String(given);
  return readDuration(/^\d+$/.test(text) ? `${text}s` : text);
}

export function readName(text: string): Reading<string> {
  const name = text.trim();
  if (name !== '' && name.length <= MAX_NAME_CHARS && !/[\p{Cc}\u2028\u2029]/u.test(name)) return value(name);
  return refuse('bad-name', `takes one line of 1 to ${MAX_NAME_CHARS} characters.`, 'Give a short name.');
}

/** Null: off. */
export function readUnlessOff<T>(read: (text: string) => Reading<T>): (text: string) => Reading<T | null> {
  return (text) => (text === 'off' ? value(null) : read(text));
}

/** Any text but none. */
export function readAnyText(text: string): Reading<string> {
  if (text.trim() !== '') return { ok: true, value: text };
  return refuse('empty', 'is empty.', 'Give a value, or leave it out.');
}

export function readLabels(text: string): Reading<readonly string[]> {
  return { ok: true, value: [...new Set(text.split(/[\s,]+/).filter(Boolean))].toSorted() };
}

export function mapReading<A, B>(read: Reading<A>, into: (value: A) => B): Reading<B> {
  return read.ok ? value(into(read.value)) : read;
}

function readWhole(text: string, least: number, next: string): Reading<number> {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= least && Number.isSafeInteger(count)) return value(count);
  const range = least === 1 ? 'above zero' : `of at least ${least}`;
  return refuse('bad-number', `takes a whole number ${range}, not ${quoteTyped(text)}.`, next);
}

function value<T>(read: T): Reading<T> {
  return { ok: true, value: read };
}
