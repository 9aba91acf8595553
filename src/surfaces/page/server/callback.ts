/**
 * Answers to a webhook come back to `/callback`. The sender is another program, perhaps behind a proxy, so
 * neither cookie nor origin can tell who it is. Its signature does, within five minutes and once.
 */
import { inWords } from '#telling/advice.ts';
import { inTerminal } from '#telling/audience.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ActionPort } from '#engine/steer/actions.ts';
import { answer } from '#engine/requests/answer.ts';
import { verifyCallback, WEBHOOK_HEADERS, type Verified } from '#engine/notices/signature.ts';
import { readUserConfig } from '#input/config/user-config.ts';
import type { Runtime } from '#store/runtime.ts';
import { readBodyBytes, type Rate } from './request.ts';
import { sendError, sendJson, sendRefusal } from './reply.ts';

const REFUSALS: Readonly<Record<Extract<Verified, { ok: false }>['why'], readonly [number, string]>> = {
  'no-secret': [403, 'No secret is set, so no callback is accepted.'],
  unsigned: [401, 'The signature is missing or wrong.'],
  old: [401, 'The timestamp is more than five minutes off.'],
  replayed: [409, 'This callback came before.'],
  'bad-body': [400, 'The body is not an answer to a request.'],
};

export async function hearCallback(
  response: ServerResponse,
  { wrongKeys, fleetActions }: { readonly wrongKeys: Rate; readonly fleetActions: ActionPort | undefined },
  runtime: Runtime,
): Promise<void> {
  const { req: request } = response;
  const body = await readBodyBytes(request);
  if (body === null) return sendError(response, 413, 'The body is too long.');
  const verified = verifyCallback(
    {
      id: headerOf(request, WEBHOOK_HEADERS.id),
      timestamp: headerOf(request, WEBHOOK_HEADERS.timestamp),
      body: body.toString('utf8'),
      signature: headerOf(request, WEBHOOK_HEADERS.signature),
    },
    readSecret(runtime),
    new Date(runtime.now()),
    runtime.store.once.isNews,
  );
  if (!verified.ok) {
    const [status, words] = REFUSALS[verified.why];
    return wrongKeys.take()
      ? sendError(response, status, words)
      : sendError(response, 429, 'Too many wrong callbacks.');
  }
  const { request: id, answer: given, note = '' } = verified.callback;
  const answered =
    fleetActions === undefined
      ? answer({ id, answer: given, note, by: 'webhook' }, null, runtime)
      : await fleetActions(null, { is: 'answer', request: id, answer: given, note, by: 'page' });
  if (!answered.ok) return sendRefusal(response, inWords(answered, inTerminal));
  return sendJson(response, 200, { request: id, loop: 'id' in answered ? answered.id : answered.loop.id });
}

function readSecret({ env, store }: Runtime): string | null {
  const config = readUserConfig(store.config);
  return env['DACAPO_NOTIFY_SECRET'] || (config.ok ? config.value.secret : null);
}

function headerOf({ headers }: IncomingMessage, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}
