/** The port of a server, and what to say where it can't be had. */
import { codeOf } from '#base/shape.ts';
import { fail, failUsage } from './terminal.ts';

const MAX_PORT = 65_535;

/**
 * 0 means a free one. Null: the person was told that it is not a port. Digits only, since `Number` also takes
 * 0x1f and 1e3.
 */
export function readPort(given = '0', flag = '--port'): number | null {
  if (/^\d{1,5}$/.test(given) && Number(given) <= MAX_PORT) return Number(given);
  failUsage(
    `${flag} takes a number up to ${MAX_PORT}, not ${JSON.stringify(given)}.`,
    flag === '--port' ? 'leave it out for a free one.' : `write ${flag} 8080, or ${flag} 0.0.0.0:8080.`,
  );
  return null;
}

/** Throws an error that is not about the port. */
export function failPort(error: unknown, port: number): number {
  const code = codeOf(error);
  if (code === 'EADDRINUSE')
    return fail(`port ${port} is in use.`, 'leave --port out for a free one, or give another one.');
  if (code !== 'EACCES') throw error;
  return fail(`port ${port} needs more rights than you have.`, 'use one above 1023, or leave --port out.');
}
