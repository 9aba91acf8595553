/** The loop asks a person and waits. The agent is told what was answered. */
import { hasEnded, wasSpokenTo, type Loop, type Request } from '#law/loop.ts';
import type { RequestFields } from '#law/record/events.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import {
  ANSWER_MS,
  MAX_OPEN_REQUESTS,
  nextRequestId,
  openFor,
  openRequestsOf,
  MAX_REQUEST_CHARS,
  MAX_REQUEST_WHY_CHARS,
  untoldAnswers,
} from '#law/waiting/requests.ts';
import { headOf, harmless } from '#base/words/sanitize.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import { title } from '#telling/person/status.ts';
import { syncRequests } from './sync.ts';
import type { Verdict } from '#law/record/verdict.ts';
import type { Stop } from '#law/stop.ts';
import type { FatalKind } from '#hosts/port/stream.ts';
import { sayNews } from '#telling/person/requests.ts';

export type AskedRequest = { readonly ok: true; readonly request: Request } | Refusal;

/**
 * The same call, asked twice, is one request. Two processes that ask at once get two ids, or one for the same
 * call.
 */
export function openRequest(open: OpenLoop, fields: RequestFields, runtime: Runtime): AskedRequest {
  const { kind, why } = fields;
  const what = { ...fields.what, text: headOf(fields.what.text, MAX_REQUEST_CHARS) };
  for (let loop = open.look(); ;) {
    if (hasEnded(loop))
      return refuse('ended', `Loop ${title(loop)} has ended.`, 'Requests of an ended loop are not sent.');
    const same = what.digest === null ? null : openFor(loop, what.digest);
    if (same !== null) return { ok: true, request: same };
    if (openRequestsOf(loop).length >= MAX_OPEN_REQUESTS)
      return refuse(
        'too-many',
        `${MAX_OPEN_REQUESTS} requests are open already.`,
        'dacapo approvals lists them.',
      );
    const id = nextRequestId(loop);
    const at = runtime.now();
    const expires = new Date(Date.parse(at) + (loop.people.approvals?.timeoutMs ?? ANSWER_MS)).toISOString();
    loop = open.write({
      type: 'requested',
      at,
      id,
      kind,
      what,
      why: headOf(why, MAX_REQUEST_WHY_CHARS),
      expires,
    });
    const request = loop.people.requests.find((one) => one.id === id);
    // Another process may have asked something else under this id, a moment before.
    if (request === undefined || request.what.text !== what.text || request.what.digest !== what.digest)
      continue;
    syncRequests(open, runtime);
    return { ok: true, request };
  }
}

const PROMISE = /<promise>[^]*?<\/promise>/gi;

type Asks = NonNullable<Extract<Verdict, { is: 'allow' }>['asks']>;

/**
 * At a stop: the agent asks a question, or a person confirms the completion. The agent's last words tell why.
 */
export function askAtStop(open: OpenLoop, { kind, text }: Asks, stop: Stop, runtime: Runtime): void {
  // The tag holds the question or the claim, which the request says itself.
  const why = harmless(stop.message.replace(PROMISE, '')).trim();
  openRequest(open, { kind, what: { tool: null, digest: null, text }, why }, runtime);
}

/** An error that no retry can fix needs a person: writes a request with all that is known about it. */
export function askAboutFault(
  open: OpenLoop,
  { kind, why }: { readonly kind: FatalKind; readonly why: string },
  evidence: string | null,
  runtime: Runtime,
): string {
  const loop = open.loop();
  const { id, project } = loop;
  const name = `requests/fault-${loop.events}.json`;
  const error = { class: kind, message: why, evidence };
  const about = { loop_id: id, title: title(loop), project, at: runtime.now() };
  const request = { kind: 'review', ...about, error, next: `dacapo resume ${id}` };
  open.blobs.write(name, `${JSON.stringify(request, null, 2)}\n`, { durable: true });
  return open.blobs.place(name);
}

export interface News {
  readonly words: string;
  /** The answers and messages that the words tell. */
  readonly ids: readonly string[];
}

export const NO_NEWS: News = { words: '', ids: [] };

/** Without recording that it was told: a pass may fail before the agent has read it. */
export function readNews({ people: { requests, steers } }: Loop): News {
  const untold = [...untoldAnswers({ people: { requests } }), ...steers.filter(({ told }) => !told)];
  return { words: sayNews({ people: { requests, steers } }), ids: untold.map(({ id }) => id) };
}

export function recordTold(open: OpenLoop, { ids }: News, runtime: Pick<Runtime, 'now'>): void {
  if (ids.length === 0) return;
  open.write({ type: 'told', at: runtime.now(), ids });
  open.keep();
}

/** For a message that reaches the agent at once. */
export function deliverNews(open: OpenLoop, runtime: Pick<Runtime, 'now'>): string {
  const loop = open.loop();
  if (!wasSpokenTo(loop)) return '';
  const news = readNews(loop);
  recordTold(open, news, runtime);
  return news.words;
}
