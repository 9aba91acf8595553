// The page's server on 127.0.0.1 over a state folder of its own, and a client that sends exactly the headers
// it is told.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { request, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { isAlive, type Runtime } from '#store/runtime.ts';
import { findHome } from '#store/file/home.ts';
import { fileStore } from '#store/file/store.ts';
import { serve, type PageServer } from '#surfaces/page/server/serve.ts';
import { isRecord } from '#base/shape.ts';
import { PASS_HEADER } from '#surfaces/page/wire.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Place {
  readonly home: string;
  readonly project: string;
  readonly runtime: Runtime;
  readonly served: PageServer;
  readonly origin: string;
  readonly key: string;
  /** The links that the person got because a key was used twice. */
  readonly newLinks: readonly string[];
  /** Nothing is added to the headers. */
  readonly send: (path: string, sent?: Sent) => Promise<Answer>;
  /** As the page does it: with the cookie, the origin and the pass. */
  readonly get: (path: string) => Promise<Answer>;
  readonly post: (path: string, body: object) => Promise<Answer>;
  readonly cookie: () => Promise<string>;
  readonly pass: () => Promise<string>;
}

export function makeHome(): { home: string; project: string } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'dacapo-ui-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
  return { home: join(root, 'state'), project: root };
}

function worldIn(home: string, env: Runtime['env'] = {}): Runtime {
  return {
    store: fileStore(findHome({ DACAPO_HOME: home }, process.platform)),
    now: () => new Date().toISOString(),
    isAlive,
    process: process.pid,
    started: new Date().toISOString(),
    runner: join(ROOT, 'plugin/dist/runner.cjs'),
    log: () => undefined,
    env: { ...env, DACAPO_HOME: home },
  };
}

export async function servedIn(
  { home, project }: { home: string; project: string },
  options: { readonly host?: string; readonly env?: Runtime['env']; readonly cli?: string } = {},
): Promise<Place> {
  const runtime = worldIn(home, options.env);
  const newLinks: string[] = [];
  const served = await serve(
    {
      host: options.host ?? '127.0.0.1',
      port: 0,
      page: join(ROOT, 'dist/ui'),
      cli: options.cli ?? join(ROOT, 'dist/cli.cjs'),
      folder: project,
      onKeyUsedTwice: (url) => newLinks.push(url),
    },
    runtime,
  );
  onTestFinished(() => served.close());
  const host = `127.0.0.1:${served.port}`;
  const origin = `http://${host}`;
  const key = new URL(served.url).hash.replace('#key=', '');
  const send: Place['send'] = (path, sent = {}) => sendTo(served.port, path, { host, ...sent.headers }, sent);
  let kept: { readonly cookie: string; readonly pass: string } | null = null;
  const open = async () => {
    if (kept !== null) return kept;
    const answer = await send('/session', {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({ key }),
    });
    kept = { cookie: cookieOf(answer), pass: passOf(answer) };
    return kept;
  };
  const cookie = async () => (await open()).cookie;
  const pass = async () => (await open()).pass;
  return {
    home,
    project,
    runtime,
    served,
    origin,
    key,
    newLinks,
    send,
    cookie,
    pass,
    get: async (path) => send(path, { headers: { cookie: await cookie() } }),
    post: async (path, body) =>
      send(path, {
        method: 'POST',
        headers: {
          origin,
          cookie: await cookie(),
          [PASS_HEADER]: await pass(),
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      }),
  };
}

function passOf({ text }: Answer): string {
  const value: unknown = JSON.parse(text);
  return isRecord(value) ? String(value['pass']) : '';
}

export function cookieOf({ headers }: Answer): string {
  return String(headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
}

function sendTo(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
  { method = 'GET', body = '' }: Sent,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers, setHost: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
