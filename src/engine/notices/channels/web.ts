/** Posts JSON to an address: one attempt, bounded in time, that never follows a redirect to another host. */
import { oneLine } from '#base/words/sanitize.ts';
import type { SendResult } from '../message.ts';

const TIMEOUT_MS = 10_000;
const MAX_REDIRECTS = 3;
const MAX_ANSWER_CHARS = 120;
/** A receiver can't make us wait for longer. */
const LONGEST_WAIT_MS = 60_000;

/** `headersOf`: called for each request, because a signature holds the time. */
export async function postNotice(
  address: string,
  body: string,
  headersOf: () => Readonly<Record<string, string>> = () => ({}),
): Promise<SendResult> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  let url = new URL(address);
  try {
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const response = await request(url, body, headersOf(), signal);
      const to = redirectOf(response, url);
      if (to === null) return await awaitAnswer(response);
      await response.body?.cancel();
      if (!mayFollow(url, to)) return failed(`redirects to ${to.origin}, which is not followed`, false);
      url = to;
    }
    return failed('redirects too often', false);
  } catch (error) {
    return failed(sayError(error), true);
  }
}

function request(
  url: URL,
  body: string,
  more: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Response> {
  // fetch refuses an address with a password in it.
  const bare = Object.assign(new URL(url), { username: '', password: '' });
  const password = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'dacapo',
    ...(url.username !== '' && { Authorization: `Basic ${Buffer.from(password).toString('base64')}` }),
    ...more,
  };
  return fetch(bare, { method: 'POST', body, redirect: 'manual', signal, headers });
}

function redirectOf({ status, headers }: Response, from: URL): URL | null {
  const to = headers.get('location');
  if (to === null || ![301, 302, 307, 308].includes(status) || !URL.canParse(to, from.href)) return null;
  return new URL(to, from);
}

/** The same host, and never from https back to http. */
function mayFollow(from: URL, to: URL): boolean {
  if (to.hostname !== from.hostname) return false;
  return to.origin === from.origin || (from.protocol === 'http:' && to.protocol === 'https:');
}

async function awaitAnswer(response: Response): Promise<SendResult> {
  const { status } = response;
  if (response.ok) {
    await response.body?.cancel();
    return { ok: true, detail: `HTTP ${status}` };
  }
  const says = await readBeginning(response);
  const detail = `HTTP ${status}${says && `: ${says}`}`;
  const again = status >= 500 || status === 429 || status === 408;
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  if (!again || !(seconds > 0)) return failed(detail, again);
  return { ok: false, detail, again, afterMs: Math.min(seconds * 1_000, LONGEST_WAIT_MS) };
}

async function readBeginning(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const read = await reader?.read();
  await reader?.cancel();
  const bytes = read?.done === false ? read.value.subarray(0, MAX_ANSWER_CHARS * 4) : new Uint8Array();
  return oneLine(new TextDecoder().decode(bytes), MAX_ANSWER_CHARS);
}

function failed(detail: string, again: boolean): SendResult {
  return { ok: false, detail, again };
}

/** fetch says "fetch failed" and hides the reason. */
function sayError(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  if (error.name === 'TimeoutError') return `no answer within ${TIMEOUT_MS / 1_000} s`;
  const { cause } = error;
  if (!(cause instanceof Error)) return oneLine(error.message, MAX_ANSWER_CHARS);
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  return code === 'ECONNREFUSED'
    ? 'nothing is listening there (ECONNREFUSED)'
    : oneLine(code || cause.message, MAX_ANSWER_CHARS);
}
