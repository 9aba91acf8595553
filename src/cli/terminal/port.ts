/** The port of a server: read from the command line, and why it can't be had. */
import { codeOf } from '../../core/thrown.ts';

const HIGHEST_PORT = 65_535;

/** 0 means a free one. Null: it is not a port. Digits only, since `Number` also takes 0x1f and 1e3. */
export function readPort(given: string | undefined): number | null {
  if (given === undefined) return 0;
  return /^\d{1,5}$/.test(given) && Number(given) <= HIGHEST_PORT ? Number(given) : null;
}

export function badPort(given: string | undefined): [message: string, next: string] {
  return [
    `--port takes a number up to ${HIGHEST_PORT}, not ${JSON.stringify(given)}.`,
    'leave it out for a free one.',
  ];
}

/** The error and the next step if the port can't be had; null: it is another error. */
export function portTaken(error: unknown, port: number): [message: string, next: string] | null {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return [`port ${port} is in use.`, 'leave --port out for a free one, or name another.'];
    case 'EACCES':
      return [`port ${port} needs more rights than you have.`, 'take one above 1023, or leave --port out.'];
    default:
      return null;
  }
}
