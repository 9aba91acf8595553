// A receiver of web hooks on loopback, which remembers what it got and answers as it is told.
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Got {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly at: number;
}

export interface Receiver {
  readonly url: string;
  readonly got: readonly Got[];
}

/** `answer`: gets the number of the request, from 1. By default it answers 204. */
export async function receiver(
  answer: (response: ServerResponse, n: number, got: Got) => void = (response) => {
    response.writeHead(204).end();
  },
): Promise<Receiver> {
  const got: Got[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { headers, url: path = '' } = request;
      const one = { path, headers, body: Buffer.concat(chunks).toString(), at: Date.now() };
      got.push(one);
      answer(response, got.length, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, got };
}

/** An address where nobody listens any more. */
export async function deadUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}/hook`;
}

/** As docs/notifications.md tells a receiver to do it. */
export function isSignedWith(secret: string, { headers, body }: Got): boolean {
  const timestamp = String(headers['x-dacapo-timestamp']);
  const wanted = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  const age = Math.abs(Date.now() / 1_000 - Number(timestamp));
  return headers['x-dacapo-signature'] === `sha256=${wanted}` && age < 300;
}

export async function until(done: () => boolean, ms = 15_000): Promise<void> {
  const end = Date.now() + ms;
  while (!done()) {
    if (Date.now() > end) throw new Error('it did not happen');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
