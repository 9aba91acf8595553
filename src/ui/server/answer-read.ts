/** What the page asks for: loops, their stories, evidence, figures, and the stream of changes. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { chosenHost } from '../../hosts/adapters.ts';
import { reportInHtml } from '../../live/report/html.ts';
import { reportOf } from '../../live/report/report.ts';
import { readStats } from '../../live/read-stats.ts';
import type { Runtime } from '../../store/runtime.ts';
import type { Parts } from './parts.ts';
import { partsOf } from './request.ts';
import type { Readings } from './readings.ts';
import { send, sendError, sendJson, sendRefusal } from './reply.ts';

export async function answerRead(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  { changes, readings, projects, version }: Parts,
  runtime: Runtime,
): Promise<void> {
  if (url.pathname === '/api/loops')
    return sendJson(response, 200, {
      ...changes.all(),
      projects: projects(),
      permissionModes: chosenHost().headless.permissionModes,
      version,
    });
  if (url.pathname === '/api/stats') return sendJson(response, 200, readStats(null, runtime));
  if (url.pathname === '/api/events') {
    const seen = request.headers['last-event-id'] ?? url.searchParams.get('after');
    if (!changes.follow(response, typeof seen === 'string' ? seen : null))
      sendError(response, 503, 'Too many pages are open.', 'Close some of them.');
    return;
  }
  const [id, what, name] = partsOf(url.pathname);
  if (id !== undefined && what === 'report') return sendReport(response, id, runtime);
  const value = id === undefined ? null : readOne(id, what, name, url.searchParams, readings);
  if (value === null) return sendNothing(response);
  if ('ok' in value) return sendRefusal(response, value);
  return sendJson(response, 200, value);
}

function readOne(
  id: string,
  what: string | undefined,
  name: string | undefined,
  query: URLSearchParams,
  readings: Readings,
): ReturnType<Readings[Exclude<keyof Readings, 'close'>]> {
  switch (what) {
    case undefined:
      return readings.detail(id);
    case 'story':
      return readings.story(id, {
        before: numberIn(query, 'before'),
        from: numberIn(query, 'from'),
        iteration: numberIn(query, 'iteration'),
        most: numberIn(query, 'most'),
      });
    case 'series':
      return readings.series(id, numberIn(query, 'from') ?? 0);
    case 'agent':
      return readings.agent(id, numberIn(query, 'after') ?? 0);
    case 'features':
      return readings.features(id);
    case 'evidence':
      return name === undefined ? null : readings.evidence(id, name);
    default:
      return null;
  }
}

function numberIn(query: URLSearchParams, name: string): number | undefined {
  const value = Number(query.get(name) ?? Number.NaN);
  return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function sendNothing(response: ServerResponse): void {
  sendError(response, 404, 'There is no such thing.', 'It may have been pruned.');
}

/** One file to keep. As an attachment, it is never shown with the rights of the page. */
async function sendReport(response: ServerResponse, id: string, runtime: Runtime): Promise<void> {
  const open = runtime.store.open(id);
  if (open === null) return sendNothing(response);
  try {
    send(response, 200, {
      type: 'text/html; charset=utf-8',
      body: reportInHtml(await reportOf(open, runtime)),
      headers: { 'Content-Disposition': `attachment; filename="${id}.html"` },
    });
  } finally {
    open.close();
  }
}
