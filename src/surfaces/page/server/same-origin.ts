/**
 * Who may talk to the page's server: requests that name it by one of its own addresses, and that come from
 * its own page. A foreign name in `Host` means DNS rebinding; a foreign `Origin` means that another site
 * sends the request.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { hostname, networkInterfaces } from 'node:os';

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];
const ANY = ['0.0.0.0', '::'];

export function hostNamesOf(host: string, port: number): ReadonlySet<string> {
  const own = ANY.includes(host)
    ? [...LOOPBACK, ...addresses(), hostname().toLowerCase()]
    : [bracketed(host)];
  const names = isLoopback(host) ? [...own, ...LOOPBACK] : own;
  // Browsers leave out the default port.
  return new Set(names.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`])));
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

export function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host.toLowerCase();
}

function addresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).map(({ address }) => bracketed(address)),
  );
}

export function reject(headers: IncomingHttpHeaders, method: string, names: ReadonlySet<string>) {
  const host = headers.host?.toLowerCase();
  if (host === undefined || host === '') return { status: 400, why: 'The request names no host.' };
  if (!names.has(host)) return { status: 421, why: 'This server is not called that.' };
  const { origin } = headers;
  // A browser sends Origin with each request that could change something. We ask for it, so a request without
  // one, such as a form from an old browser, changes nothing.
  if (origin === undefined && method !== 'GET' && method !== 'HEAD')
    return { status: 403, why: 'The request does not say where it comes from.' };
  if (origin !== undefined && origin.toLowerCase() !== `http://${host}`)
    return { status: 403, why: 'The request comes from another site.' };
  return null;
}

/** A page of another site asks for data. A person who follows a link to the page itself is welcome. */
export function isFromOtherSite(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}
