/**
 * The terminal while a view fills it. It is as before on every way out, also after a signal, a crash or
 * Ctrl-Z.
 */
import { writeSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { ENTER, LEAVE } from '#surfaces/screen/terminal/writer.ts';

export type FullTerminal = ReturnType<typeof takeTerminal>;

export interface TerminalUse {
  readonly bytes: (bytes: Buffer) => void;
  /** The window was resized, or the screen was away: draw all of it. */
  readonly fresh: () => void;
  /** A signal asks this process to end, or the terminal is gone. */
  readonly end: () => void;
}

export function takeTerminal({ bytes, fresh, end }: TerminalUse) {
  const { stdout } = process;
  const keys = rawKeys(bytes);
  let isOurs = false;

  const enter = (): void => {
    isOurs = true;
    keys.take();
    writeToTerminal(ENTER);
  };
  const giveBack = (): void => {
    if (!isOurs) return;
    isOurs = false;
    writeToTerminal(LEAVE);
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

  const stopHearing = hearAll(
    [stdout, { resize: fresh, error: end }],
    [process, { SIGINT: end, SIGTERM: end, SIGHUP: end }],
    [process, { exit: giveBack, uncaughtException: crash, unhandledRejection: crash }],
  );
  enter();

  return {
    /** Hands the terminal back to the shell until the person types `fg`. */
    suspend: () => {
      if (process.platform === 'win32') return;
      giveBack();
      process.once('SIGCONT', comeBack);
      process.kill(process.pid, 'SIGSTOP');
    },
    leave: () => {
      giveBack();
      stopHearing();
    },
  };
}

type Listeners = Readonly<Record<string, (heard: unknown) => void>>;

/** Listens to all these events, by name. Returns what ends that. */
export function hearAll(...all: readonly (readonly [NodeJS.EventEmitter, Listeners])[]): () => void {
  const each = all.flatMap(([source, listeners]) =>
    Object.entries(listeners).map(([name, listener]) => ({ source, name, listener })),
  );
  for (const { source, name, listener } of each) source.on(name, listener);
  return () => {
    for (const { source, name, listener } of each) source.off(name, listener);
  };
}

/** At once: after this the process may end. */
export function writeToTerminal(text: string): void {
  try {
    writeSync(1, text);
  } catch {
    // The terminal is gone.
  }
}

/** The keys as they are pressed, and the terminal as before once they are given back, also by a crash. */
export function rawKeys(bytes: (bytes: Buffer) => void) {
  const { stdin } = process;
  let isOurs = false;
  const giveBack = (): void => {
    if (!isOurs) return;
    isOurs = false;
    process.off('exit', giveBack);
    stdin.off('data', bytes);
    stdin.pause();
    try {
      stdin.setRawMode(false);
    } catch {
      // The terminal is gone.
    }
  };
  const take = (): void => {
    if (isOurs) return;
    isOurs = true;
    process.on('exit', giveBack);
    stdin.setRawMode(true);
    stdin.on('data', bytes);
    stdin.resume();
  };
  return { take, giveBack };
}

/** The system stops a background job that reads from its terminal or changes it. */
export function isForeground(): boolean {
  if (process.platform === 'win32') return true;
  const { stdout } = spawnSync('ps', ['-o', 'pgid=', '-o', 'tpgid=', '-p', String(process.pid)], {
    encoding: 'utf8',
    timeout: 5_000,
  });
  const [group, foreground] = (stdout || '').trim().split(/\s+/);
  return foreground !== undefined && group === foreground;
}
