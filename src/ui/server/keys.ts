/**
 * The key in the link, and the cookie and the pass that it is exchanged for. A fragment never leaves the browser by itself,
 * so the key is in no log and no Referer. All live as long as the server.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Long enough for a slow browser to start. */
const ONCE_MS = 120_000;

export interface Keys {
  /** For the link that a person copies. It may be used several times. */
  readonly link: string;
  /** For a browser that we start: it works once, because other programs can see the arguments of a process. */
  readonly once: () => string;
  /** What this key gives; null: it is no key of ours, or was used already. */
  readonly exchange: (key: string) => OpenedKey | null;
  /** Whether a request with these cookies is a person's. */
  readonly admits: (cookies: string | undefined) => boolean;
  /** Whether an action comes from our own page. */
  readonly mayAct: (pass: unknown) => boolean;
}

/**
 * A browser sends our cookie to every server on this address, whatever its port: also to the one that the agent has just
 * built. So the cookie alone does nothing. The page keeps the pass where only pages of this port can read it.
 */
export interface OpenedKey {
  readonly cookie: string;
  readonly pass: string;
}

/** A browser sends the cookies of all ports to each port, so the name carries ours. */
export function makeKeys(port: number, now: () => number): Keys {
  const name = `dacapo_${port}`;
  const link = secret();
  const session = secret();
  const pass = secret();
  const once = new Map<string, number>();
  const cookie = `${name}=${session}; Path=/; HttpOnly; SameSite=Strict`;
  const opened: OpenedKey = { cookie, pass };
  return {
    link,
    once: () => {
      const key = secret();
      once.set(key, now() + ONCE_MS);
      return key;
    },
    exchange: (key) => {
      if (isSame(key, link)) return opened;
      const until = once.get(key);
      once.delete(key);
      return until !== undefined && now() <= until ? opened : null;
    },
    admits: (cookies) => valuesOf(cookies, name).some((value) => isSame(value, session)),
    mayAct: (given) => typeof given === 'string' && isSame(given, pass),
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
