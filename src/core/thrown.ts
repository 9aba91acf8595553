/** What was thrown: its code and its message. Anything can be thrown, and most of it comes from Node. */

/** The code of a Node error (`ENOENT`); the message of any other error. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
