/**
 * Keeps keys on the worker: if a text of its loops contains the value of a variable that holds a key, the
 * name of the variable is sent instead. A text may have been cut in the middle of a value, and JSON spells
 * line ends differently, so each line of a value counts as a secret, and so do the beginning and the end of a
 * line.
 */
import type { Environment } from '#hosts/port/arrival.ts';

const SECRET = /(KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS)$/;
/** In characters. A shorter value is no key, and may be part of a word. */
const MIN_SECRET_CHARS = 12;

interface Secret {
  readonly name: string;
  readonly line: string;
}

/** For one JSON document. */
export function concealer(env: Environment): (json: string) => string {
  const secrets = Object.entries(env)
    .filter(([name]) => SECRET.test(name))
    .flatMap(([name, value = '']) => spellingsOf(value).map((line): Secret => ({ name, line })))
    .filter(({ line }) => line.length >= MIN_SECRET_CHARS)
    // One may begin with another.
    .toSorted((a, b) => b.line.length - a.line.length);
  return (json) => secrets.reduce(withoutSecret, json);
}

/** As it stands in a JSON document, and in JSON that is a text of the document. */
function spellingsOf(value: string): string[] {
  const lines = value.split(/[\r\n]+/).map((line) => line.trim());
  const once = lines.map(asJson);
  return [...new Set([...once, ...once.map(asJson)])];
}

function asJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function withoutSecret(json: string, { name, line }: Secret): string {
  const whole = json.replaceAll(line, `[${name}]`);
  return withoutEnds(withoutBeginnings(whole, name, line), name, line);
}

/** The text was cut within the value: its beginning is left. */
function withoutBeginnings(json: string, name: string, line: string): string {
  const sign = line.slice(0, MIN_SECRET_CHARS);
  const [before = '', ...after] = json.split(sign);
  const rest = line.slice(MIN_SECRET_CHARS);
  return after.reduce((said, part) => `${said}[${name}]${part.slice(sharedBy(part, rest))}`, before);
}

/** The same where only its end is left. */
function withoutEnds(json: string, name: string, line: string): string {
  const parts = json.split(line.slice(-MIN_SECRET_CHARS));
  const rest = line.slice(0, -MIN_SECRET_CHARS);
  const last = parts.pop() ?? '';
  return (
    parts.map((part) => `${part.slice(0, part.length - sharedEnd(part, rest))}[${name}]`).join('') + last
  );
}

function sharedBy(a: string, b: string): number {
  let at = 0;
  while (at < Math.min(a.length, b.length) && a[at] === b[at]) at++;
  return at;
}

function sharedEnd(a: string, b: string): number {
  let at = 0;
  while (at < Math.min(a.length, b.length) && a.at(-1 - at) === b.at(-1 - at)) at++;
  return at;
}
