/** The health of a worker for whatever watches it: `GET /health` on a port of its own. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { WorkerEvent } from '../../fleet/worker/worker.ts';

/** Until the database says. */
const USUAL_LEASE_SECONDS = 15;

export type Health = Awaited<ReturnType<typeof serveHealth>>;

/** Rejects with Node's error if it can't listen. Everything that it tells, it has heard. */
export async function serveHealth(worker: string, host: string, port: number) {
  const loops = new Set<string>();
  let [isDraining, leaseSeconds] = [false, USUAL_LEASE_SECONDS];
  let database = { ok: false, since: new Date().toISOString() };
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/health') return void response.writeHead(404).end();
    const awayMs = database.ok ? 0 : Date.now() - Date.parse(database.since);
    response.writeHead(awayMs > leaseSeconds * 1_000 ? 503 : 200, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
    });
    response.end(`${JSON.stringify({ worker, loops: [...loops], database, draining: isDraining })}\n`);
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    hear: (event: WorkerEvent): void => {
      if (event.is === 'takes') loops.add(event.loop);
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
