/** MCP over HTTP: on this machine only, with a token. A page in a browser sends another Host or Origin. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import {
  createMcpHandler,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
import { urisOf } from './resources.ts';
import { makeServer } from './server.ts';
import { complain, openToolContext, type Program } from './tool-context.ts';

const PATH = '/mcp';
const TOKEN_BYTES = 32;
const LOOPBACK = '127.0.0.1';
/** As long as the longest output of an agent, in bytes, and its envelope. */
const MAX_BODY_BYTES = 1_048_576;

export interface HttpProgram extends Omit<Program, 'bound'> {
  /** 0: any free one. */
  readonly port: number;
  readonly token: string | null;
}

export async function serveOverHttp({ port, token: given, ...program }: HttpProgram) {
  const token = given ?? randomBytes(TOKEN_BYTES).toString('base64url');
  const context = openToolContext({ ...program, bound: false });
  const mcp = createMcpHandler(({ era }) => makeServer(context, era), {
    onerror: complain,
    maxRequestBodySize: MAX_BODY_BYTES,
  });
  // Each request has a server of its own, so changes go to those who listen.
  const unlisten = context.changes.listen({
    changed: (loop) => {
      for (const uri of urisOf(loop)) mcp.notify.resourceUpdated(uri);
    },
    listed: () => mcp.notify.resourcesChanged(),
  });
  const server = createServer((request, response) => {
    const refusal = refuseRequest(request, token);
    if (refusal !== null) {
      if (refusal.status === 401) response.setHeader('www-authenticate', 'Bearer');
      return void response.writeHead(refusal.status).end(`${refusal.says}\n`);
    }
    answer(response, mcp.fetch).catch((error: unknown) => {
      complain(error);
      response.destroy();
    });
  });
  const url = `http://${LOOPBACK}:${await listen(server, port)}${PATH}`;
  return {
    url,
    token,
    close: async () => {
      unlisten();
      context.changes.end();
      await mcp.close();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((ready, failed) => server.once('error', failed).listen(port, LOOPBACK, ready));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

/** Another name that leads here belongs to a page that wants to reach us through a browser. */
function refuseRequest({ headers, url = '' }: IncomingMessage, token: string) {
  const host = validateHostHeader(headers.host, localhostAllowedHostnames());
  if (!host.ok) return { status: 403, says: host.message };
  const origin = validateOriginHeader(headers.origin, localhostAllowedOrigins());
  if (!origin.ok) return { status: 403, says: origin.message };
  if (!hasToken(headers.authorization, token)) return { status: 401, says: 'no or wrong token' };
  return url === PATH || url.startsWith(`${PATH}?`) ? null : { status: 404, says: `only ${PATH} is here` };
}

/** Hashed first, so that the comparison takes the same time whatever is given. */
function hasToken(header: string | undefined, token: string): boolean {
  const [, given] = /^Bearer (.+)$/i.exec(header ?? '') ?? [];
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
}

async function answer(response: ServerResponse, fetch: (request: Request) => Promise<Response>) {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const answered = await fetch(asRequest(response.req, gone.signal));
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  response.flushHeaders();
  if (answered.body === null) return void response.end();
  Readable.fromWeb(answered.body as NodeStream)
    .on('error', () => response.destroy())
    .pipe(response);
}

function asRequest(request: IncomingMessage, signal: AbortSignal): Request {
  const { method = 'GET', url = PATH, headers } = request;
  const given = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(new URL(url, `http://${LOOPBACK}`), {
    method,
    headers: given,
    signal,
    ...(hasBody && { body: Readable.toWeb(request) as ReadableStream, duplex: 'half' }),
  });
}
