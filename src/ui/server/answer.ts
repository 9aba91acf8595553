/**
 * The way of a request: by its address and its origin, then by its cookie, and only then to what it asks for. The page
 * itself needs no cookie: it holds no data.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Runtime } from '../../store/runtime.ts';
import { answerRead } from './answer-read.ts';
import type { Asset } from './assets.ts';
import { readBody, partsOf } from './request.ts';
import { CALLBACK_PATH } from '../../sinks/message.ts';
import { hearCallback } from './callback.ts';
import type { Parts } from './parts.ts';
import { send, sendError, sendJson, sendRefusal } from './reply.ts';
import { isForeign, reject } from './same-origin.ts';
import { PASS_HEADER } from '../wire.ts';
import type { Acted, Actions } from './actions.ts';

export async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  parts: Parts,
  runtime: Runtime,
): Promise<void> {
  const { method = 'GET', headers } = request;
  const address = `http://page.invalid${request.url ?? '/'}`;
  if (!URL.canParse(address)) return sendError(response, 400, 'This is not an address.');
  const url = new URL(address);
  if (method === 'POST' && url.pathname === CALLBACK_PATH)
    return hearCallback(request, response, parts.wrongKeys, runtime);
  const rejection = reject(headers, method, parts.names);
  if (rejection !== null) return sendError(response, rejection.status, rejection.why);
  const isReading = method === 'GET' || method === 'HEAD';
  const asset = isReading ? parts.assets.get(url.pathname) : undefined;
  if (asset !== undefined) return sendAsset(request, response, asset);
  if (isForeign(headers)) return sendError(response, 403, 'The request comes from another site.');
  if (method === 'POST' && url.pathname === '/session') return openSession(request, response, parts);
  if (!url.pathname.startsWith('/api/')) return sendError(response, 404, 'There is nothing here.');
  const isAdmitted = parts.keys.admits(headers.cookie);
  if (!isAdmitted || (method === 'POST' && !parts.keys.mayAct(headers[PASS_HEADER])))
    return sendError(
      response,
      401,
      'This needs the link that dacapo ui prints.',
      'Open that link in this browser.',
    );
  if (isReading) return answerRead(request, response, url, parts, runtime);
  if (method === 'POST') return answerAction(request, response, url, parts);
  return sendError(response, 405, 'Only GET and POST.');
}

async function openSession(request: IncomingMessage, response: ServerResponse, parts: Parts): Promise<void> {
  const body = await readBody(request);
  if (!body.ok) return sendError(response, body.status, body.why);
  const { key } = body.value;
  const opened = typeof key === 'string' ? parts.keys.exchange(key) : null;
  if (opened === 'twice') parts.endSessions();
  else if (opened !== null)
    return sendJson(response, 200, { pass: opened.pass }, { 'Set-Cookie': opened.cookie });
  if (!parts.wrongKeys.take()) return sendError(response, 429, 'Too many wrong keys.', 'Wait a minute.');
  return sendError(
    response,
    403,
    'This key is wrong, or was used already.',
    'Take the link that dacapo ui prints.',
  );
}

function sendAsset({ headers }: IncomingMessage, response: ServerResponse, asset: Asset): void {
  const zips = /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''));
  send(response, 200, {
    type: asset.type,
    body: zips ? asset.gzipped : asset.plain,
    headers: { Vary: 'Accept-Encoding', ...(zips && { 'Content-Encoding': 'gzip' }) },
  });
}

/** What the page does. Actions are bounded in size and in number. */
async function answerAction(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  { actions, acts, changes }: Parts,
): Promise<void> {
  const body = await readBody(request);
  if (!body.ok) return sendError(response, body.status, body.why);
  if (!acts.take()) return sendError(response, 429, 'Too many actions at once.', 'Wait a moment.');
  const outcome = await actOn(url.pathname, body.value, actions);
  if (outcome === null) return sendError(response, 404, 'There is no such action.');
  if (!outcome.ok) return sendRefusal(response, outcome);
  const { says, card } = outcome;
  changes.all();
  return sendJson(response, 200, { says, card });
}

/** Null: there is no such action. */
async function actOn(
  path: string,
  body: Readonly<Record<string, unknown>>,
  actions: Actions,
): Promise<Acted | null> {
  if (path === '/api/loops') return actions.start(body);
  const [request, how] = partsOf(path, 'requests');
  if (request !== undefined && how !== undefined) return actions.onRequest(how, request, body);
  const [id, what] = partsOf(path);
  return id === undefined || what === undefined ? null : actions.onLoop(what, id, body);
}
