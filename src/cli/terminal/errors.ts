/** Errors in our form: what is wrong, and the next step. */
import { fail } from './terminal.ts';
import { codeOf, errorMessage } from '../../core/thrown.ts';
import { findHome } from '../../store/file/home.ts';

const CAUSES: Readonly<Record<string, { readonly what: string; readonly next: string }>> = {
  EACCES: { what: "can't be read or written: it is not yours", next: 'make it yours' },
  EPERM: { what: "can't be changed: the system does not permit it", next: 'make it yours' },
  EROFS: { what: "can't be written: it is on a read-only disk", next: 'work where you may write' },
  ENOTDIR: { what: 'lies below something that is not a folder', next: 'move that away' },
  ENOSPC: { what: "can't be written: the disk is full", next: 'make room' },
};

/** An error that no command expected. If the disk is the cause, it says so and what to do about it. */
export function failUnforeseen(error: unknown): number {
  if (error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd')
    return fail('the current folder is gone.', 'change to a folder that is there, and try again.');
  const [code, path] = [codeOf(error), pathOf(error)];
  // A write to a full disk names no file.
  const known = path !== null || code === 'ENOSPC' ? CAUSES[code] : undefined;
  if (known === undefined)
    return fail(errorMessage(error), 'this error was not expected; dacapo doctor may find the cause.');
  const elsewhere = mayBeHome(path)
    ? ' DACAPO_HOME names another state folder; dacapo doctor checks it.'
    : '';
  return fail(`${path ?? 'a file'} ${known.what} (${code}).`, `${known.next}, and try again.${elsewhere}`);
}

/** Whether the path is in the state folder, or around it where it can't be made. */
function mayBeHome(path: string | null): boolean {
  const { dir } = findHome(process.env, process.platform);
  return path === null || path.startsWith(dir) || dir.startsWith(path);
}

function pathOf(error: unknown): string | null {
  return error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : null;
}
