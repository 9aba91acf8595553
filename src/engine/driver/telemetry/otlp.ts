/**
 * OTLP over HTTP in JSON: what the standard variables say about it, and one attempt to send. What they ask
 * for and we do not speak is refused in words, and then nothing is sent: a half-understood setting may send
 * data where it must not go.
 */
import { gzipSync } from 'node:zlib';
import { errorMessage } from '#base/shape.ts';
import type { Environment } from '#hosts/port/arrival.ts';

export const OTLP_SIGNALS = ['traces', 'metrics'] as const;
export type OtlpSignal = (typeof OTLP_SIGNALS)[number];

export interface OtlpTarget {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly isGzip: boolean;
  readonly timeoutMs: number;
}

export interface OtlpSettings {
  readonly targets: Readonly<Partial<Record<OtlpSignal, OtlpTarget>>>;
  /** One sentence for each setting that we can't follow. */
  readonly refused: readonly string[];
}

/** No loop waits longer for a collector, unless somebody said so. */
const USUAL_TIMEOUT_MS = 2_000;
const LONGEST_TIMEOUT_MS = 10_000;

export function otlpSettings(env: Environment): OtlpSettings {
  const refused = new Set<string>();
  const targets: Partial<Record<OtlpSignal, OtlpTarget>> = {};
  for (const signal of OTLP_SIGNALS) {
    const target = targetOf(signal, env);
    if (typeof target === 'string') refused.add(target);
    else if (target !== null) targets[signal] = target;
  }
  return { targets, refused: [...refused] };
}

/** Null: nobody wants this signal. A text: why it can't be sent. */
function targetOf(signal: OtlpSignal, env: Environment): OtlpTarget | string | null {
  const SIGNAL = signal.toUpperCase();
  /** The variable of the signal comes before the common one. */
  const read = (option: string) =>
    [`OTEL_EXPORTER_OTLP_${SIGNAL}_${option}`, `OTEL_EXPORTER_OTLP_${option}`]
      .map((name) => ({ name, value: env[name]?.trim() ?? '' }))
      .find(({ value }) => value !== '');
  const address = read('ENDPOINT');
  if (address === undefined) return null;
  const exporters = words(env[`OTEL_${SIGNAL}_EXPORTER`] || 'otlp');
  if (exporters.includes('none')) return null;
  if (!exporters.includes('otlp')) return unspoken(`OTEL_${SIGNAL}_EXPORTER`, exporters.join(','), 'otlp');
  const protocol = read('PROTOCOL');
  if (protocol !== undefined && protocol.value.toLowerCase() !== 'http/json')
    return unspoken(protocol.name, protocol.value, 'http/json, and the port for HTTP, which is usually 4318');
  const compression = read('COMPRESSION');
  if (compression !== undefined && !/^(?:gzip|none)$/i.test(compression.value))
    return unspoken(compression.name, compression.value, 'gzip or none');
  if (!URL.canParse(address.value) || !/^https?:$/.test(new URL(address.value).protocol))
    return `OpenTelemetry: ${address.name} is not an http or https address, so nothing is sent there`;
  const url = new URL(address.value);
  // Its own variable has the whole address, the common one its beginning.
  if (address.name === 'OTEL_EXPORTER_OTLP_ENDPOINT')
    url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/${signal}`;
  return {
    url,
    headers: pairsIn(read('HEADERS')?.value),
    isGzip: compression?.value.toLowerCase() === 'gzip',
    timeoutMs: Math.min(Number(read('TIMEOUT')?.value) || USUAL_TIMEOUT_MS, LONGEST_TIMEOUT_MS),
  };
}

function unspoken(name: string, value: string, instead: string): string {
  return `OpenTelemetry: ${name}=${value} is not supported, so nothing is sent. Use ${instead}`;
}

function words(list: string): string[] {
  return list.split(',').map((word) => word.trim().toLowerCase());
}

/** Without a password, and without a key in its query. */
export function sayTarget({ url }: OtlpTarget): string {
  return `${url.origin}${url.pathname}`;
}

export type OtlpAnswer =
  | { readonly is: 'taken' }
  /** Worth another attempt. `afterMs`: the collector says when. */
  | { readonly is: 'later'; readonly why: string; readonly afterMs: number | null }
  | { readonly is: 'refused'; readonly why: string };

/** As the protocol names them. */
const RETRIED = new Set([429, 502, 503, 504]);

export async function postOtlp(target: OtlpTarget, message: object): Promise<OtlpAnswer> {
  const text = JSON.stringify(message);
  try {
    const answer = await fetch(withoutPassword(target.url), {
      method: 'POST',
      headers: {
        ...passwordHeader(target.url),
        ...target.headers,
        'content-type': 'application/json',
        ...(target.isGzip && { 'content-encoding': 'gzip' }),
      },
      body: target.isGzip ? gzipSync(text) : text,
      // The headers may hold a key that is meant for this address alone.
      redirect: 'manual',
      signal: AbortSignal.timeout(target.timeoutMs),
    });
    await answer.body?.cancel();
    if (answer.ok) return { is: 'taken' };
    const why = `it answers ${answer.status}`;
    if (!RETRIED.has(answer.status)) return { is: 'refused', why };
    return { is: 'later', why, afterMs: waitAsked(answer.headers.get('retry-after')) };
  } catch (error) {
    return { is: 'later', why: errorMessage(error), afterMs: null };
  }
}

function withoutPassword(url: URL): URL {
  return Object.assign(new URL(url), { username: '', password: '' });
}

function passwordHeader({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {};
  const pair = `${unescaped(username)}:${unescaped(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** `Retry-After`: seconds, or a date. */
function waitAsked(after: string | null): number | null {
  if (after === null) return null;
  const ms = /^\d+$/.test(after.trim()) ? Number(after) * 1_000 : Date.parse(after) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}

/** `name=value,name=value`, the values with the escapes of a URL. */
export function pairsIn(text = ''): Record<string, string> {
  const found = text.matchAll(/([^=,\s]+)\s*=\s*([^,]*)/g);
  return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, unescaped(value.trim())]));
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
