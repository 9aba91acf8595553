/** `dacapo worker --health`: what a worker tells whoever watches its process. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { errorMessage } from '#base/shape.ts';
import type { WorkerEvent } from '#fleet/worker/worker.ts';
import { readPort } from '../terminal/port.ts';
import { EXIT, fail } from '../terminal/terminal.ts';

/** `PORT` of this machine alone, or `HOST:PORT`. */
export async function openHealth(given: string, worker: string): Promise<Health | number> {
  const [, host = '127.0.0.1', digits] = /^(?:(.+):)?([^:]*)$/.exec(given) ?? [];
  const port = readPort(digits, '--health');
  if (port === null) return EXIT.usage;
  try {
    return await serveHealth(worker, host.replace(/^\[(.*)\]$/, '$1'), port);
  } catch (error) {
    return fail(`--health ${given}: ${errorMessage(error)}.`, 'give a free port of this machine.');
  }
}

/** Until the database says. */
const USUAL_LEASE_SECONDS = 15;

/** A request is one line. Whoever opens a connection and sends none does not keep it. */
const LIMITS = {
  headersTimeout: 2_000,
  requestTimeout: 2_000,
  connectionsCheckingInterval: 500,
  keepAliveTimeout: 1_000,
};
const MAX_CONNECTIONS = 32;

type Health = Awaited<ReturnType<typeof serveHealth>>;

/**
 * `GET /health` on a port of its own. Rejects with Node's error if it can't listen. Everything that it tells,
 * it has heard.
 */
async function serveHealth(worker: string, host: string, port: number) {
  const loops = new Set<string>();
  let [isDraining, leaseSeconds, taken, lost] = [false, USUAL_LEASE_SECONDS, 0, 0];
  let database = { ok: false, since: new Date().toISOString() };
  const server = createServer(LIMITS, (request, response) => {
    if (!isOurName(request.headers.host, host)) return void response.writeHead(421).end();
    if (request.method !== 'GET' || request.url !== '/health') return void response.writeHead(404).end();
    const awayMs = database.ok ? 0 : Date.now() - Date.parse(database.since);
    response.writeHead(awayMs > leaseSeconds * 1_000 ? 503 : 200, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
    });
    const counts = { taken, lost };
    const told = { worker, loops: [...loops], database, draining: isDraining, ...counts };
    response.end(`${JSON.stringify(told)}\n`);
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(port, host);
  await once(server, 'listening');
  return {
    hear: (event: WorkerEvent): void => {
      if (event.is === 'takes') {
        taken++;
        loops.add(event.loop);
      }
      if (event.is === 'ends-loop' && event.how.is === 'lost') lost++;
      if (event.is === 'ends-loop') loops.delete(event.loop);
      if (event.is === 'drains') isDraining = true;
      if (event.is === 'ready') leaseSeconds = event.lease_seconds;
      const isThere = event.is === 'ready';
      if ((isThere || event.is === 'waits') && isThere !== database.ok)
        database = { ok: isThere, since: new Date().toISOString() };
    },
    close: (): void => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * An address, this machine's name, or the name that the person gave. A page of another site reaches this port
 * only by a name of its own that it points here (DNS rebinding). The port may be another one, behind a
 * container's.
 */
function isOurName(header: string | undefined, given: string): boolean {
  const name = (header ?? '')
    .toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1');
  return isIP(name) !== 0 || ['localhost', hostname().toLowerCase(), given.toLowerCase()].includes(name);
}
