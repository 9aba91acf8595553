/** The code of an error of Node (`ENOENT`); of any other what it says. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
