/**
 * The terminal while a view fills it: raw keys, the alternate screen, and everything as before on every way out, also
 * after a signal, a crash or Ctrl-Z.
 */
import { writeSync } from 'node:fs';
import { ENTER, LEAVE } from '../../screen/writer.ts';
import { rawKeys } from './raw-keys.ts';

export interface FullTerminal {
  /** Hands the terminal back to the shell until the person types `fg`. */
  readonly suspend: () => void;
  readonly leave: () => void;
}

export interface TerminalUse {
  readonly bytes: (bytes: Buffer) => void;
  /** The window was resized, or the screen was away: draw all of it. */
  readonly fresh: () => void;
  /** A signal asks this process to end, or the terminal is gone. */
  readonly end: () => void;
}

const ENDINGS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export function takeTerminal({ bytes, fresh, end }: TerminalUse): FullTerminal {
  const { stdout } = process;
  const keys = rawKeys(bytes);
  let isOurs = false;

  const enter = (): void => {
    isOurs = true;
    keys.take();
    put(ENTER);
  };
  const giveBack = (): void => {
    if (!isOurs) return;
    isOurs = false;
    put(LEAVE);
    keys.giveBack();
  };
  const comeBack = (): void => {
    enter();
    fresh();
  };
  const crash = (error: unknown): void => {
    // On the ordinary screen, where it can be read.
    giveBack();
    console.error(error);
    process.exit(1);
  };

  stdout.on('resize', fresh);
  stdout.on('error', end);
  for (const signal of ENDINGS) process.on(signal, end);
  process.on('exit', giveBack);
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
  enter();

  return {
    suspend: () => {
      if (process.platform === 'win32') return;
      giveBack();
      process.once('SIGCONT', comeBack);
      process.kill(process.pid, 'SIGSTOP');
    },
    leave: () => {
      giveBack();
      stdout.off('resize', fresh);
      stdout.off('error', end);
      for (const signal of ENDINGS) process.off(signal, end);
      process.off('exit', giveBack);
      process.off('uncaughtException', crash);
      process.off('unhandledRejection', crash);
    },
  };
}

/** At once: after this the process may end. */
export function put(text: string): void {
  try {
    writeSync(1, text);
  } catch {
    // The terminal is gone.
  }
}
