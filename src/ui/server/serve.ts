/**
 * The server of the page. It answers its own page alone: by address, by origin, and by a cookie that only the link gives.
 * Everything it shows is read through `src/live`; everything it does is an operation.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { HOST } from '../../hosts/default-host.ts';
import { openIndex } from '../../live/loop-index.ts';
import { readStats } from '../../live/read-stats.ts';
import type { Runtime } from '../../store/runtime.ts';
import { makeActions, type Acted, type Actions } from './actions.ts';
import { readAssets, type Assets } from './assets.ts';
import { readBody } from './body.ts';
import { CALLBACK, hearCallback } from './callback.ts';
import { openChanges, type Changes } from './changes.ts';
import { makeKeys, type Keys } from './keys.ts';
import { makeRate, type Rate } from './rate.ts';
import { openReadings, type Readings } from './readings.ts';
import { send, sendError, sendJson, sendRefusal } from './reply.ts';
import { bracketed, isForeign, namesOf, turnAway } from './same-origin.ts';

/** A person clicks; a program floods. */
const ACTIONS = { most: 30, perMs: 60_000 };
const WRONG_KEYS = { most: 10, perMs: 60_000 };
const MOST_CONNECTIONS = 128;

export interface ServeOptions {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** The folder of the built page. */
  readonly page: string;
  /** The built command line program, for loops that the page starts. */
  readonly cli: string;
  /** The folder in which it was started: the page may start loops here. */
  readonly folder: string;
  readonly version: string;
}

export interface Served {
  /** For a person to copy. */
  readonly url: string;
  /** For a browser that we open: it works once. */
  readonly onceUrl: () => string;
  readonly port: number;
  readonly close: () => Promise<void>;
}

interface Parts {
  readonly names: ReadonlySet<string>;
  readonly keys: Keys;
  readonly assets: Assets;
  readonly changes: Changes;
  readonly readings: Readings;
  readonly actions: Actions;
  readonly projects: () => readonly string[];
  readonly wrongKeys: Rate;
  readonly acts: Rate;
}

/** Rejects with Node's error if it can't listen. */
export async function serve(options: ServeOptions, world: Runtime): Promise<Served> {
  const assets = readAssets(options.page);
  const server = createServer({ requestTimeout: 20_000, headersTimeout: 10_000 });
  server.maxConnections = MOST_CONNECTIONS;
  const port = await listen(server, options);
  const keys = makeKeys(port, Date.now);
  const index = openIndex(null, world);
  const changes = openChanges(index, randomBytes(4).toString('hex'), world);
  const readings = openReadings(world);
  const projects = (): string[] => [
    ...new Set([options.folder, ...index.look().cards.map(({ project }) => project)]),
  ];
  const parts: Parts = {
    names: namesOf(options.host, port),
    keys,
    assets,
    changes,
    readings,
    actions: makeActions({ index, cli: options.cli, projects }, world),
    projects,
    wrongKeys: makeRate(WRONG_KEYS.most, WRONG_KEYS.perMs, Date.now),
    acts: makeRate(ACTIONS.most, ACTIONS.perMs, Date.now),
  };
  server.on('request', (request, response) => {
    answer(request, response, parts, options, world).catch((error: unknown) => fail(response, error, world));
  });
  const link = (key: string) => `http://${shownHost(options.host)}:${port}/#key=${key}`;
  return {
    url: link(keys.link),
    onceUrl: () => link(keys.once()),
    port,
    close: () =>
      new Promise((resolve) => {
        changes.close();
        readings.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, { host, port }: ServeOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

/** A browser can't open "any address". */
function shownHost(host: string): string {
  return host === '0.0.0.0' || host === '::' ? '127.0.0.1' : bracketed(host);
}

/** The person gets a plain word; the cause goes to the log. */
function fail(response: ServerResponse, error: unknown, world: Runtime): void {
  world.log(`ui: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  if (response.headersSent) response.destroy();
  else
    sendError(
      response,
      500,
      'The server could not do that.',
      'Reload the page; dacapo doctor looks for a cause.',
    );
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  parts: Parts,
  options: ServeOptions,
  world: Runtime,
): Promise<void> {
  const { method = 'GET', headers } = request;
  const url = new URL(request.url ?? '/', 'http://page.invalid');
  if (method === 'POST' && url.pathname === CALLBACK)
    return hearCallback(request, response, parts.wrongKeys, world);
  const turned = turnAway(headers, method, parts.names);
  if (turned !== null) return sendError(response, turned.status, turned.why);
  const isReading = method === 'GET' || method === 'HEAD';
  const asset = isReading ? parts.assets.get(url.pathname) : undefined;
  if (asset !== undefined) {
    const zips = /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''));
    return send(response, 200, {
      type: asset.type,
      body: zips ? asset.gzipped : asset.plain,
      headers: { Vary: 'Accept-Encoding', ...(zips && { 'Content-Encoding': 'gzip' }) },
    });
  }
  if (isForeign(headers)) return sendError(response, 403, 'The request comes from another site.');
  if (method === 'POST' && url.pathname === '/session') return openSession(request, response, parts);
  if (!url.pathname.startsWith('/api/')) return sendError(response, 404, 'There is nothing here.');
  if (!parts.keys.admits(headers.cookie))
    return sendError(
      response,
      401,
      'This needs the link that dacapo ui prints.',
      'Open that link in this browser.',
    );
  if (isReading) return read(request, response, url, parts, options, world);
  if (method === 'POST') return act(request, response, url, parts);
  return sendError(response, 405, 'Only GET and POST.');
}

async function openSession(request: IncomingMessage, response: ServerResponse, parts: Parts): Promise<void> {
  const body = await readBody(request);
  if (!body.ok) return sendError(response, body.status, body.why);
  const { key } = body.value;
  const cookie = typeof key === 'string' ? parts.keys.exchange(key) : null;
  if (cookie !== null) return sendJson(response, 200, {}, { 'Set-Cookie': cookie });
  if (!parts.wrongKeys.take()) return sendError(response, 429, 'Too many wrong keys.', 'Wait a minute.');
  return sendError(
    response,
    403,
    'This key is wrong, or was used already.',
    'Take the link that dacapo ui prints.',
  );
}

function read(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  { changes, readings, projects }: Parts,
  { version }: ServeOptions,
  world: Runtime,
): void {
  if (url.pathname === '/api/loops')
    return sendJson(response, 200, {
      ...changes.all(),
      projects: projects(),
      permissionModes: HOST.headless.permissionModes,
      version,
    });
  if (url.pathname === '/api/stats') return sendJson(response, 200, readStats(null, world));
  if (url.pathname === '/api/events') {
    const seen = request.headers['last-event-id'] ?? url.searchParams.get('after');
    if (!changes.follow(response, typeof seen === 'string' ? seen : null))
      sendError(response, 503, 'Too many pages are open.', 'Close some of them.');
    return;
  }
  const [id, what, name] = partsOf(url.pathname);
  const value = id === undefined ? null : readOne(id, what, name, url.searchParams, readings);
  if (value === null) return sendError(response, 404, 'There is no such thing.', 'It may have been pruned.');
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

/** `/api/loops/ID/WHAT/NAME`, and the same with `requests`. */
function partsOf(path: string, wanted: 'loops' | 'requests' = 'loops'): (string | undefined)[] {
  const [, , kind, ...rest] = path.split('/');
  return kind === wanted ? rest.map(decoded) : [];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function act(
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
