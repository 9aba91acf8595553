// Runs a host headless and reads its stream. A run that takes too long is killed with its process group and
// says so: it never throws.
import { spawn } from 'node:child_process';
import { CLAUDE, withoutQuestions, type Sandbox } from './sandbox.ts';

export type StreamMessage = { type: string; subtype?: string; [key: string]: unknown };

export type Run = {
  code: number | null;
  timedOut: boolean;
  messages: StreamMessage[];
  /** The last `result` message; a process may give several. */
  result: StreamMessage | undefined;
  stdout: string;
  stderr: string;
  duration: number;
};

export type RunOptions = {
  timeout?: number;
  env?: Record<string, string>;
  cwd?: string;
  input?: string;
  /** How long what the host started may outlive it. Some do not wait for the hook that hears of their end. */
  grace?: number;
};

export type Started = {
  pid: number;
  messages: StreamMessage[];
  done: Promise<Run>;
  kill: (signal: NodeJS.Signals) => void;
};

export function runClaude(sandbox: Sandbox, args: string[], options: RunOptions = {}): Promise<Run> {
  return startClaude(sandbox, args, options).done;
}

/** Like runClaude, for a test that acts while the host runs. */
export function startClaude(sandbox: Sandbox, args: string[], options: RunOptions = {}): Started {
  const stream = ['-p', '--output-format', 'stream-json', '--verbose'];
  return startHeadless(CLAUDE, [...stream, ...withoutQuestions(args)], sandbox, options);
}

export function startHeadless(
  program: string,
  args: readonly string[],
  sandbox: Pick<Sandbox, 'project' | 'env'>,
  options: RunOptions = {},
): Started {
  const began = performance.now();
  const child = spawn(program, args, {
    cwd: options.cwd ?? sandbox.project,
    env: { ...sandbox.env, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  const pid = child.pid;
  if (pid === undefined) throw new Error(`could not start ${program}`);
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');

  const messages: StreamMessage[] = [];
  let [stdout, stderr, rest, timedOut] = ['', '', '', false];
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') messages.push(parse(line));
  });

  const timer = setTimeout(() => {
    timedOut = true;
    // Told to end, the host ends its background shells too; killed, it leaves them behind.
    signalGroup(pid, 'SIGTERM');
    setTimeout(() => signalGroup(pid, 'SIGKILL'), 2000).unref();
  }, options.timeout ?? 30_000);

  // A leftover child of the host may hold the pipes open for ever, so its exit ends the run shortly after.
  child.once('exit', () => {
    setTimeout(() => signalGroup(pid, 'SIGKILL'), options.grace ?? 0).unref();
    setTimeout(() => [child.stdout, child.stderr].forEach((stream) => stream.destroy()), 300).unref();
  });
  const done = new Promise<Run>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      const result = messages.findLast((message) => message.type === 'result');
      resolve({ code, timedOut, messages, result, stdout, stderr, duration: performance.now() - began });
    });
  });
  return { pid, messages, done, kill: (signal) => signalGroup(pid, signal) };
}

function parse(line: string): StreamMessage {
  try {
    const value: unknown = JSON.parse(line);
    if (isMessage(value)) return value;
  } catch {
    // Falls through: a line that is not JSON is worth seeing in a failing test.
  }
  return { type: 'garbage', line };
}

function isMessage(value: unknown): value is StreamMessage {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // Gone already.
  }
}
