/**
 * The server of the page. It answers its own page alone: by address, by origin, and by a cookie that only the
 * link gives. Everything it shows is read through `engine/look`; everything it does is an operation.
 */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { chosenHost } from '#hosts/tables/adapters.ts';
import { openIndex } from '#engine/look/loop-index.ts';
import type { ActionPort } from '#engine/steer/actions.ts';
import type { Runtime } from '#store/runtime.ts';
import { makeActions } from './actions.ts';
import { respond, type ResponseParts } from './respond.ts';
import { openChanges } from './changes.ts';
import { makeKeys } from './keys.ts';
import { makeRate } from './request.ts';
import { openReadings } from './readings.ts';
import { readAssets, sendError } from './reply.ts';
import { bracketed, hostNamesOf } from './same-origin.ts';
import { errorMessage } from '#base/shape.ts';
import type { Overview } from '../wire.ts';

/** A person clicks; a program floods. */
const ACTIONS = { most: 30, perMs: 60_000 };
const WRONG_KEYS = { most: 10, perMs: 60_000 };
const MAX_CONNECTIONS = 128;
/** Node looks for slow connections every 30 s by itself: long enough to take all of them. */
const TIMEOUTS = { requestTimeout: 20_000, headersTimeout: 5_000, connectionsCheckingInterval: 2_000 };

export interface ServeOptions {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  readonly page: string;
  /** The built command line program, for loops that the page starts. */
  readonly cli: string;
  /** The folder in which it was started: the page may start loops here. */
  readonly folder: string;
  /** The loops are those of a fleet: its name for people, and how a person acts on them. */
  readonly fleet?: { readonly name: string; readonly actions: ActionPort };
  /** A key that works once came a second time: all sessions have ended, and this is the new link. */
  readonly onKeyUsedTwice: (url: string) => void;
}

export type PageServer = Awaited<ReturnType<typeof serve>>;

/** Rejects with Node's error if it can't listen. */
export async function serve(options: ServeOptions, runtime: Runtime) {
  const assets = readAssets(options.page);
  const server = createServer(TIMEOUTS);
  server.maxConnections = MAX_CONNECTIONS;
  const port = await listen(server, options);
  const keys = makeKeys(port, Date.now);
  const index = openIndex(null, runtime);
  const readings = openReadings(runtime);
  const { fleet } = options;
  const projects = (): string[] =>
    fleet === undefined
      ? [...new Set([options.folder, ...index.look().cards.map(({ project }) => project)])]
      : [];
  const overview = (): Overview => {
    const { cards: loops, unread } = changes.look();
    const { permissionModes } = chosenHost().headless;
    return { loops, unread, projects: projects(), permissionModes, fleet: fleet?.name ?? null };
  };
  const fleetActions = fleet?.actions;
  const changes = openChanges(index, overview, runtime);
  const actions = makeActions({ fleetActions, index, cli: options.cli, projects }, runtime);
  const link = (key: string) => `http://${shownHost(options.host)}:${port}/#key=${key}`;
  const parts: ResponseParts = {
    names: hostNamesOf(options.host, port),
    keys,
    endSessions: () => {
      changes.endStreams();
      options.onKeyUsedTwice(link(keys.link()));
    },
    assets,
    changes,
    readings,
    actions,
    fleetActions,
    overview,
    wrongKeys: makeRate(WRONG_KEYS.most, WRONG_KEYS.perMs, Date.now),
    acts: makeRate(ACTIONS.most, ACTIONS.perMs, Date.now),
  };
  server.on('request', (_, response) => {
    respond(response, parts, runtime).catch((error: unknown) => fail(response, error, runtime));
  });
  return {
    url: link(keys.link()),
    onceUrl: (used: () => void) => link(keys.once(used)),
    port,
    close: async () => {
      await actions.close();
      await new Promise<void>((resolve) => {
        changes.close();
        readings.close();
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

async function listen(server: Server, { host, port }: ServeOptions): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

/** A browser can't open "any address". */
function shownHost(host: string): string {
  return host === '0.0.0.0' || host === '::' ? '127.0.0.1' : bracketed(host);
}

/** Only a person with the link gets here, so the page may say what went wrong. The log has the place. */
function fail(response: ServerResponse, error: unknown, runtime: Runtime): void {
  const words = errorMessage(error);
  runtime.log(`ui: ${error instanceof Error ? (error.stack ?? words) : words}`);
  if (response.headersSent) response.destroy();
  else sendError(response, 500, `The server could not do that: ${words}`, 'dacapo doctor looks for a cause.');
}
