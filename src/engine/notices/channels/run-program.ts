/**
 * Runs a program that shows or passes on a message. It is ended, with all that it started, when it takes too
 * long.
 */
import { spawn } from 'node:child_process';
import { codeOf } from '#base/shape.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { endGroup } from '#base/process/family.ts';
import type { SendOrder } from '../message.ts';

export interface ChannelProgram {
  readonly command: string;
  /** None: the command is a line for the shell. */
  readonly args?: readonly string[];
  /** In addition to the environment of the sender. */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

export type ProgramResult =
  /** `says`: the end of what it wrote to stderr. */
  | { readonly is: 'ended'; readonly exit: number | null; readonly says: string }
  | { readonly is: 'missing' }
  | { readonly is: 'timed-out' };

const LAST_WORDS_MS = 200;
const MAX_STDERR_CHARS = 200;

export function runChannelProgram(
  { command, args, env, input }: ChannelProgram,
  options: Pick<SendOrder, 'env'> & { readonly timeoutMs: number; readonly cwd?: string },
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    let says = '';
    const child = spawn(command, args ?? [], {
      shell: args === undefined,
      env: { ...options.env, ...env },
      cwd: options.cwd,
      detached: process.platform !== 'win32',
      stdio: ['pipe', 'ignore', 'pipe'],
      windowsHide: true,
    });
    const end = (ran: ProgramResult) => {
      clearTimeout(timer);
      // What it left in the background would keep our pipe open.
      child.stderr.destroy();
      resolve(ran);
    };
    const timer = setTimeout(() => {
      endGroup(child, 'SIGKILL');
      end({ is: 'timed-out' });
    }, options.timeoutMs);
    child.stderr.on('data', (data: Buffer) => (says = (says + data.toString()).slice(-MAX_STDERR_CHARS)));
    child.on('error', (error) =>
      end(codeOf(error) === 'ENOENT' ? { is: 'missing' } : { is: 'ended', exit: null, says: error.message }),
    );
    const ended = (exit: number | null) => end({ is: 'ended', exit, says: oneLine(says, MAX_STDERR_CHARS) });
    child.on('close', ended);
    // Its last words may still be on the way, and something in the background may hold the pipe.
    child.on('exit', (exit) => setTimeout(() => ended(exit), LAST_WORDS_MS).unref());
    // It may not read its input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input ?? '');
  });
}
