/** A network between a worker and its database that a test can disturb. */
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * A way to the database that can swallow every byte, or refuse everybody. `roundTripMs`: what it adds to each
 * question and its answer.
 */
export async function proxyTo(url: string, atEnd = onTestFinished, roundTripMs = 0) {
  const target = new URL(url);
  const { port, hostname } = target;
  const sockets = new Set<Socket>();
  let mode: 'open' | 'cut' | 'down' = 'open';
  let untilBreak = Infinity;
  const server = createServer((socket) => {
    if (mode === 'down') return socket.destroy();
    const there = connect(Number(port), hostname);
    for (const [from, to] of [
      [socket, there],
      [there, socket],
    ] as const) {
      sockets.add(from);
      const pass = (bytes: Buffer) => mode === 'open' && to.writable && to.write(bytes);
      from.on('data', (bytes: Buffer) => {
        if (from === socket && --untilBreak === 0) drop();
        else if (roundTripMs === 0) pass(bytes);
        else setTimeout(() => pass(bytes), roundTripMs / 2);
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        if (mode !== 'cut') to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  target.port = String((server.address() as AddressInfo).port);
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  atEnd(() => {
    drop();
    server.close();
  });
  return {
    url: target.href,
    /** Breaks all connections once, instead of passing on what the worker says at that turn. */
    breakAt: (turn: number) => {
      untilBreak = turn;
    },
    set: (to: typeof mode) => {
      mode = to;
      if (to !== 'cut') drop();
    },
  };
}
