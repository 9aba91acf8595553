/**
 * The key in the link and the cookie that it is exchanged for. A fragment never leaves the browser by itself, so the key
 * is in no log and no Referer. Both live as long as the server.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Long enough for a slow browser to start. */
const ONCE_MS = 120_000;

export interface Keys {
  /** For the link that a person copies. It may be used several times. */
  readonly link: string;
  /** For a browser that we start: it works once, because other programs can see the arguments of a process. */
  readonly once: () => string;
  /** The cookie for this key; null: it is no key of ours, or was used already. */
  readonly exchange: (key: string) => string | null;
  /** Whether a request with these cookies is a person's. */
  readonly admits: (cookies: string | undefined) => boolean;
}

/** A browser sends the cookies of all ports to each port, so the name carries ours. */
export function makeKeys(port: number, now: () => number): Keys {
  const name = `dacapo_${port}`;
  const link = secret();
  const session = secret();
  const once = new Map<string, number>();
  const cookie = `${name}=${session}; Path=/; HttpOnly; SameSite=Strict`;
  return {
    link,
    once: () => {
      const key = secret();
      once.set(key, now() + ONCE_MS);
      return key;
    },
    exchange: (key) => {
      if (isSame(key, link)) return cookie;
      const until = once.get(key);
      once.delete(key);
      return until !== undefined && now() <= until ? cookie : null;
    },
    admits: (cookies) => valuesOf(cookies, name).some((value) => isSame(value, session)),
  };
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}

/** In constant time: how long it takes says nothing about the secret. */
function isSame(given: string, wanted: string): boolean {
  return timingSafeEqual(digest(given), digest(wanted));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function valuesOf(cookies: string | undefined, name: string): string[] {
  return (cookies ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
}
