/** Errors in our form: what is wrong, and the next step. */
import { fail } from './terminal.ts';
import type { Command, CommanderError } from 'commander';
import { nearest } from '../../flags/did-you-mean.ts';
import { EXIT } from './exit-codes.ts';
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

/** An error of the parser. */
export function usageError(error: CommanderError, command: string | undefined, program: Command): number {
  // The person asked for the help or the version, and has seen it.
  if (error.exitCode === 0) return EXIT.ok;
  const names = program.commands.map((known) => known.name());
  const asked = [...names, 'help'];
  if (error.code === 'commander.unknownCommand' && command !== undefined)
    return fail(
      `there is no command ${JSON.stringify(command.slice(0, 60))}.`,
      `${didYouMean(command, asked, 'dacapo ')}dacapo --help all lists all commands.`,
      EXIT.usage,
    );
  const [what = ''] = error.message.replace(/^error: /, '').split('\n');
  const of = command !== undefined && names.includes(command) ? `dacapo ${command}` : 'dacapo';
  return fail(
    what.endsWith('.') ? what : `${what}.`,
    `${flagMeant(error, command, program)}${of} --help shows what it takes.`,
    EXIT.usage,
  );
}

function flagMeant({ code, message }: CommanderError, command: string | undefined, program: Command): string {
  const typed = code === 'commander.unknownOption' ? /'([^']*)'/.exec(message)?.[1] : undefined;
  const owner = program.commands.find((known) => known.name() === command) ?? program;
  const flags = owner.options.flatMap(({ long }) => (long === undefined || long === null ? [] : [long]));
  return typed === undefined ? '' : didYouMean(typed, flags);
}

function didYouMean(typed: string, known: readonly string[], before = ''): string {
  const meant = nearest(typed, known);
  return meant === null ? '' : `did you mean ${before}${meant}? `;
}
