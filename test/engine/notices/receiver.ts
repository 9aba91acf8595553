// A receiver of web hooks on loopback, which remembers what it got and answers as it is told.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
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

/** As a receiver does it that has the library of Standard Webhooks. */
export function isSignedWith(secret: string, { headers, body }: Got): boolean {
  try {
    const text = Object.entries(headers).map(([name, value]) => [name, String(value)]);
    new Webhook(secret, { format: 'raw' }).verify(body, Object.fromEntries(text));
    return true;
  } catch {
    return false;
  }
}

export async function until(done: () => boolean, ms = 15_000): Promise<void> {
  const end = Date.now() + ms;
  while (!done()) {
    if (Date.now() > end) throw new Error('it did not happen');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
