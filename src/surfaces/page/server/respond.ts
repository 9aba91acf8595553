/**
 * The way of a request: by its address and its origin, then by its cookie, and only then to what it asks for.
 * The page itself needs no cookie: it holds no data.
 */
import type { ServerResponse } from 'node:http';
import { reportInHtml } from '#telling/report/html.ts';
import { buildReport } from '#engine/look/read-report.ts';
import { readStats } from '#engine/look/read-stats.ts';
import { isRefusal } from '#base/refusal.ts';
import type { Runtime } from '#store/runtime.ts';
import { openById, whileOpen } from '#engine/look/loops.ts';
import type { ActionPort } from '#engine/steer/actions.ts';
import { CALLBACK_PATH } from '#engine/notices/message.ts';
import { PASS_HEADER, type Overview } from '../wire.ts';
import type { Actions } from './actions.ts';
import { hearCallback } from './callback.ts';
import type { Changes } from './changes.ts';
import type { Keys } from './keys.ts';
import type { Readings } from './readings.ts';
import { sendReply, sendAsset, sendError, sendJson, sendRefusal, type Assets } from './reply.ts';
import { partsOf, readBody, type Rate } from './request.ts';
import { isFromOtherSite, reject } from './same-origin.ts';

export interface ResponseParts {
  readonly names: ReadonlySet<string>;
  readonly keys: Keys;
  /** After the keys were renewed: ends what is open, and gives the person the new link. */
  readonly endSessions: () => void;
  readonly assets: Assets;
  readonly changes: Changes;
  readonly readings: Readings;
  readonly actions: Actions;
  readonly fleetActions: ActionPort | undefined;
  readonly overview: () => Overview;
  readonly wrongKeys: Rate;
  readonly acts: Rate;
}

export async function respond(
  response: ServerResponse,
  parts: ResponseParts,
  runtime: Runtime,
): Promise<void> {
  const { method = 'GET', headers, url: target = '/' } = response.req;
  const address = `http://page.invalid${target}`;
  if (!URL.canParse(address)) return sendError(response, 400, 'This is not an address.');
  const url = new URL(address);
  if (method === 'POST' && url.pathname === CALLBACK_PATH) return hearCallback(response, parts, runtime);
  const rejection = reject(headers, method, parts.names);
  if (rejection !== null) return sendError(response, rejection.status, rejection.why);
  const isReading = method === 'GET' || method === 'HEAD';
  const asset = isReading ? parts.assets.get(url.pathname) : undefined;
  if (asset !== undefined) return sendAsset(response, asset);
  if (isFromOtherSite(headers)) return sendError(response, 403, 'The request comes from another site.');
  if (method === 'POST' && url.pathname === '/session') return openSession(response, parts);
  if (!url.pathname.startsWith('/api/')) return sendError(response, 404, 'There is nothing here.');
  const isAdmitted = parts.keys.admits(headers.cookie);
  if (!isAdmitted || (method === 'POST' && !parts.keys.mayAct(headers[PASS_HEADER])))
    return sendError(
      response,
      401,
      'This needs the link that dacapo ui prints.',
      'Open that link in this browser.',
    );
  if (isReading) return answerRead(response, url, parts, runtime);
  if (method === 'POST') return answerAction(response, url, parts);
  return sendError(response, 405, 'Only GET and POST.');
}

async function openSession(response: ServerResponse, parts: ResponseParts): Promise<void> {
  const body = await readBody(response.req);
  if (!body.ok) return sendError(response, body.status, body.why);
  const { key } = body.value;
  const opened = typeof key === 'string' ? parts.keys.exchange(key) : null;
  if (opened === 'twice') parts.endSessions();
  else if (opened !== null) {
    response.setHeader('Set-Cookie', opened.cookie);
    return sendJson(response, 200, { pass: opened.pass });
  }
  if (!parts.wrongKeys.take()) return sendError(response, 429, 'Too many wrong keys.', 'Wait a minute.');
  return sendError(
    response,
    403,
    'This key is wrong, or was used already.',
    'Take the link that dacapo ui prints.',
  );
}

async function answerRead(
  response: ServerResponse,
  url: URL,
  parts: ResponseParts,
  runtime: Runtime,
): Promise<void> {
  const { pathname, searchParams: query } = url;
  if (pathname === '/api/loops') return sendJson(response, 200, parts.overview());
  if (pathname === '/api/stats') return sendJson(response, 200, readStats(null, runtime));
  if (pathname === '/api/events') {
    if (!parts.changes.follow(response))
      sendError(response, 503, 'Too many pages are open.', 'Close some of them.');
    return;
  }
  const [id, what = '', name = ''] = partsOf(pathname);
  if (id !== undefined && what === 'report') return sendReport(response, id, runtime);
  const value = id === undefined ? null : parts.readings.read({ id, what, name, query });
  if (value === null) return sendNothing(response);
  return isRefusal(value) ? sendRefusal(response, value) : sendJson(response, 200, value);
}

function sendNothing(response: ServerResponse): void {
  sendError(response, 404, 'Not found.', 'It may have been pruned.');
}

/** One file to keep. As an attachment, it is never shown with the rights of the page. */
async function sendReport(response: ServerResponse, id: string, runtime: Runtime): Promise<void> {
  const report = await whileOpen(openById(id, runtime), (open) => buildReport(open, runtime));
  if (isRefusal(report)) return sendNothing(response);
  sendReply(response, 200, {
    type: 'text/html; charset=utf-8',
    body: reportInHtml(report),
    headers: { 'Content-Disposition': `attachment; filename="${id}.html"` },
  });
}

async function answerAction(response: ServerResponse, url: URL, parts: ResponseParts): Promise<void> {
  const body = await readBody(response.req);
  if (!body.ok) return sendError(response, body.status, body.why);
  if (!parts.acts.take()) return sendError(response, 429, 'Too many actions at once.', 'Wait a moment.');
  const outcome = await parts.actions.act(url.pathname, body.value);
  if (outcome === null) return sendError(response, 404, 'There is no such action.');
  if (!outcome.ok) return sendRefusal(response, outcome);
  const { says, card } = outcome;
  parts.changes.look();
  return sendJson(response, 200, { says, card });
}
