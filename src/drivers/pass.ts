/** One pass of the fresh driver: a new process of the host, watched to its end, ended with its whole group. */
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import {
  headlessArguments,
  HEADLESS_ENVIRONMENT,
  readStreamLine,
  type HeadlessPass,
  type Seen,
} from '../hosts/claude-code/headless.ts';
import { endGroup } from '../proofs/group.ts';

export type Outcome =
  /** `message`: the agent's last words. */
  | { readonly is: 'stopped'; readonly message: string; readonly toolUsed: boolean }
  | { readonly is: 'failed'; readonly why: string }
  | { readonly is: 'broken-off' };

export interface PassOptions {
  readonly program: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly seen: (seen: Seen) => void;
}

/** Between asking the host to end and making it. */
const GRACE_MS = 5_000;
const STDERR_KEPT = 2_000;

export function runPass(pass: HeadlessPass, options: PassOptions): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(options.program, headlessArguments(pass), {
      cwd: options.cwd,
      env: { ...options.env, ...HEADLESS_ENVIRONMENT },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    let message = '';
    let toolUsed = false;
    let result: Extract<Seen, { is: 'result' }> | null = null;
    let complaint = '';
    const end = () => endGently(child);
    options.signal.addEventListener('abort', end);
    if (options.signal.aborted) end();

    createInterface({ input: child.stdout }).on('line', (line) => {
      for (const seen of readStreamLine(line)) {
        if (seen.is === 'text') message = seen.text;
        if (seen.is === 'tool') toolUsed = true;
        if (seen.is === 'result') result = seen;
        options.seen(seen);
      }
    });
    child.stderr
      .setEncoding('utf8')
      .on('data', (chunk: string) => (complaint = (complaint + chunk).slice(-STDERR_KEPT)));
    child.stdin.on('error', () => undefined);
    child.stdin.end(pass.prompt);
    child.on('error', (error) => resolve({ is: 'failed', why: error.message }));
    child.on('close', (code) => {
      options.signal.removeEventListener('abort', end);
      endGroup(child, 'SIGKILL');
      if (options.signal.aborted) resolve({ is: 'broken-off' });
      else resolve(outcomeOf(result, code, complaint, message, toolUsed));
    });
  });
}

function outcomeOf(
  result: Extract<Seen, { is: 'result' }> | null,
  code: number | null,
  complaint: string,
  message: string,
  toolUsed: boolean,
): Outcome {
  if (result === null)
    return {
      is: 'failed',
      why: complaint.trim() || `the host ended with exit code ${code ?? 'none'} and no result`,
    };
  return result.failed ? { is: 'failed', why: result.reason } : { is: 'stopped', message, toolUsed };
}

function endGently(child: ChildProcess): void {
  endGroup(child, 'SIGTERM');
  setTimeout(() => endGroup(child, 'SIGKILL'), GRACE_MS).unref();
}
