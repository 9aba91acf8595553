/** What the page does. Actions are bounded in size and in number. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Acted, Actions } from './actions.ts';
import { readBody } from './body.ts';
import type { Parts } from './parts.ts';
import { partsOf } from './paths.ts';
import { sendError, sendJson, sendRefusal } from './reply.ts';

export async function answerAction(
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
