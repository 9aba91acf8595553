/** Reads the port of a server from the command line. */
const HIGHEST_PORT = 65_535;

/** 0 means a free one. Null: it is no port. Digits only, since `Number` also takes 0x1f and 1e3. */
export function readPort(given: string | undefined): number | null {
  if (given === undefined) return 0;
  return /^\d{1,5}$/.test(given) && Number(given) <= HIGHEST_PORT ? Number(given) : null;
}

/** The error and the next step. */
export function badPort(given: string | undefined): [message: string, next: string] {
  return [
    `--port takes a number up to ${HIGHEST_PORT}, not ${JSON.stringify(given)}.`,
    'leave it out for a free one.',
  ];
}
