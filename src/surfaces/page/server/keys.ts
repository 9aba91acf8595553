/**
 * The key in the link, and the cookie and the pass that it is exchanged for. A fragment never leaves the
 * browser by itself, so the key is in no log and no Referer. All live as long as the server.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Long enough for a slow browser to start. */
const ONCE_MS = 120_000;

export type Keys = ReturnType<typeof makeKeys>;

/** A browser sends the cookies of all ports to each port, so the name carries ours. */
export function makeKeys(port: number, now: () => number) {
  const name = `dacapo_${port}`;
  const once = new Map<string, { readonly until: number; readonly used: () => void }>();
  const spent = new Set<string>();
  let { link, session, pass } = newSecrets();
  /**
   * A browser sends our cookie to every server on this address, whatever its port: also to the one that the
   * agent has just built. So the cookie alone does nothing. The page keeps the pass where only pages of this
   * port can read it.
   */
  const opened = () => ({
    cookie: `${name}=${session}; Path=/; HttpOnly; SameSite=Strict`,
    pass,
  });
  return {
    /** For the link that a person copies. It may be used several times. */
    link: () => link,
    /** For a browser that we start. It works once, and `used` is called then. */
    once: (used: () => void): string => {
      const key = secret();
      once.set(key, { until: now() + ONCE_MS, used });
      return key;
    },
    /**
     * What this key gives; null: it is not a key of ours. `twice`: somebody else has used it before, so every
     * key, cookie and pass so far is void.
     */
    exchange: (key: string) => {
      if (isSame(key, link)) return opened();
      if (spent.delete(key)) {
        ({ link, session, pass } = newSecrets());
        return 'twice' as const;
      }
      const waiting = once.get(key);
      if (waiting === undefined || !once.delete(key) || now() > waiting.until) return null;
      spent.add(key);
      waiting.used();
      return opened();
    },
    admits: (cookies = ''): boolean =>
      cookies.split(';').some((pair) => isSame(pair.trim(), `${name}=${session}`)),
    mayAct: (given: unknown): boolean => typeof given === 'string' && isSame(given, pass),
  };
}

function newSecrets(): { link: string; session: string; pass: string } {
  return { link: secret(), session: secret(), pass: secret() };
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
