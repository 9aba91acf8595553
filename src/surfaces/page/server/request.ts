/** Reads a request: the parts of its path, and its JSON body up to a bound. Bounds how many come. */
import type { IncomingMessage } from 'node:http';
import { isRecord } from '#base/shape.ts';

/** A long prompt fits. */
const MAX_BODY_BYTES = 256 * 1024;

export type BodyRead =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly status: 400 | 413 | 415; readonly why: string };

/** A form of another site can't send this content type without asking first, and we never agree. */
export async function readBody(request: IncomingMessage): Promise<BodyRead> {
  const bytes = await readBodyBytes(request);
  if (bytes === null) return { ok: false, status: 413, why: `More than ${MAX_BODY_BYTES} bytes were sent.` };
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    return { ok: false, status: 415, why: 'Send JSON.' };
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return isRecord(value) ? { ok: true, value } : { ok: false, status: 400, why: 'Send one JSON object.' };
  } catch {
    return { ok: false, status: 400, why: 'The body is not JSON.' };
  }
}

export async function readBodyBytes(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** `/api/loops/ID/WHAT/NAME`. */
export function partsOf(path: string): (string | undefined)[] {
  const [, , kind, ...rest] = path.split('/');
  return kind === 'loops' ? rest.map(decoded) : [];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export type Rate = ReturnType<typeof makeRate>;

/** A bucket of tokens: a few requests at once are fine, a flood is not. */
export function makeRate(most: number, perMs: number, now: () => number) {
  let left = most;
  let at = now();
  return {
    take: (): boolean => {
      const time = now();
      // A clock that is set back must not take tokens away: nobody could act until it has caught up.
      const passed = Math.max(0, time - at);
      left = Math.min(most, left + (passed * most) / perMs);
      at = time;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}
