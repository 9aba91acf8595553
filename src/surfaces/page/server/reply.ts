/** Answers of the page's server. Each carries the same strict headers. */
import { readFileSync, readdirSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Refusal } from '#base/refusal.ts';

/**
 * No inline script, nothing from elsewhere, no frame. Trusted types make the browser refuse to parse a string
 * as HTML at all, so what an agent wrote stays text even where our own code has a mistake.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

interface ReplyContent {
  readonly type: string;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

export function sendReply(
  response: ServerResponse,
  status: number,
  { type, body, headers }: ReplyContent,
): void {
  response.writeHead(status, {
    ...HEADERS,
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  sendReply(response, status, { type: 'application/json; charset=utf-8', body: JSON.stringify(value) });
}

export function sendError(response: ServerResponse, status: number, message: string, next = ''): void {
  sendJson(response, status, { error: { code: String(status), message, next } });
}

/**
 * What an operation refused is not a fault of the server: 409, with the words that the command line would
 * print.
 */
export function sendRefusal(response: ServerResponse, { code, message, next }: Refusal): void {
  sendJson(response, 409, { error: { code, message, next } });
}

export function beginStream(response: ServerResponse): void {
  response.writeHead(200, {
    ...HEADERS,
    'Content-Type': 'text/event-stream; charset=utf-8',
    'X-Accel-Buffering': 'no',
  });
}

/* The files of the page, as the build left them. They are few and small, so they are read once and kept. */

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

interface Asset {
  readonly type: string;
  readonly plain: Buffer;
  readonly gzipped: Buffer;
}

/** By the path under which the browser asks for it. */
export type Assets = ReadonlyMap<string, Asset>;

export function readAssets(folder: string): Assets {
  const assets = new Map<string, Asset>();
  for (const name of readdirSync(folder)) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const plain = readFileSync(join(folder, name));
    assets.set(name === 'index.html' ? '/' : `/${name}`, { type, plain, gzipped: gzipSync(plain) });
  }
  return assets;
}

export function sendAsset(response: ServerResponse, asset: Asset): void {
  const zips = /\bgzip\b/.test(String(response.req.headers['accept-encoding'] ?? ''));
  sendReply(response, 200, {
    type: asset.type,
    body: zips ? asset.gzipped : asset.plain,
    headers: { Vary: 'Accept-Encoding', ...(zips && { 'Content-Encoding': 'gzip' }) },
  });
}
