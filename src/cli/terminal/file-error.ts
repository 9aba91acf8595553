/** Reports an error that no command expected. If the disk is the cause, it says so and what to do about it. */
import { fail } from './terminal.ts';

const CAUSES: Readonly<Record<string, { readonly what: string; readonly next: string }>> = {
  EACCES: { what: "can't be written: it is not yours to change", next: 'make it yours' },
  EPERM: { what: "can't be changed: the system does not permit it", next: 'make it yours' },
  EROFS: { what: "can't be written: it is on a read-only disk", next: 'work where you may write' },
  ENOTDIR: { what: 'lies below something that is no folder', next: 'move that away' },
  ENOSPC: { what: "can't be written: the disk is full", next: 'make room' },
};

export function failUnforeseen(error: unknown): number {
  const known = isFileError(error) ? CAUSES[error.code] : undefined;
  if (known !== undefined && isFileError(error))
    return fail(
      `${error.path} ${known.what} (${error.code}).`,
      `${known.next}, and try again. DACAPO_HOME names another state folder; dacapo doctor checks it.`,
    );
  return fail(
    error instanceof Error ? error.message : String(error),
    'this error was not expected; dacapo doctor may find the cause.',
  );
}

function isFileError(error: unknown): error is Error & { code: string; path: string } {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    'path' in error &&
    typeof error.path === 'string'
  );
}
