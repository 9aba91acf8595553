/** Runs one command under the bundled supervisor, a separate process that never outlives its caller. */
import { spawn, type ChildProcess } from 'node:child_process';
import { parseAs, either, oneOf, orNull, record, text, whole, type Infer } from '../shape.ts';
import { endMarked } from './descendants.ts';

export interface Order {
  /** A shell command; with `args`, a program that we start without a shell. */
  readonly command: string;
  readonly args?: readonly string[];
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly output: string;
  /** A separate file for stderr, if stdout is to be read as data. */
  readonly errors?: string;
  /** The whole environment of the command. Absent: that of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Identifies what the command starts: nothing of it may be left when the command has ended. */
  readonly mark: string;
}

const account = either(
  record({ is: oneOf('ended'), exit: orNull(whole), signal: orNull(text), ms: whole }),
  record({ is: oneOf('timed-out'), ms: whole }),
  record({ is: oneOf('unstartable'), error: text, ms: whole }),
);

export type Account = Infer<typeof account>;

let started = 0;

/** `signal`: aborted when the caller has to end. The command ends with it. */
export function supervise(order: Omit<Order, 'mark'>, runner: string, signal: AbortSignal): Promise<Account> {
  const mark = `check-${process.pid}-${Date.now()}-${++started}`;
  return new Promise((resolve) => {
    // Where a process can't be had (EMFILE, EAGAIN), there are no pipes: the error comes as an event.
    const supervisor: ChildProcess = spawn(process.execPath, [runner], {
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
      windowsHide: true,
    });
    let said = '';
    const give = (value: Account) => {
      signal.removeEventListener('abort', end);
      resolve(value);
    };
    const end = () => supervisor.stdin?.end();
    signal.addEventListener('abort', end);
    supervisor.stdout?.setEncoding('utf8');
    supervisor.stdout?.on('data', (chunk: string) => (said += chunk));
    supervisor.stdin?.on('error', () => undefined);
    supervisor.on('error', (error) => give({ is: 'unstartable', error: error.message, ms: 0 }));
    supervisor.on('close', () => {
      const told = parseAs(account, said);
      // It was killed from outside, and could not end the command.
      if (told === null) endMarked(mark);
      give(told ?? { is: 'ended', exit: null, signal: 'its supervisor', ms: 0 });
    });
    supervisor.stdin?.write(`${JSON.stringify({ ...order, mark })}\n`);
    if (signal.aborted) end();
  });
}
