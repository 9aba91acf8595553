/**
 * The driver's side of the watchdog: starts it once, tells it of each pass, and starts it again if someone
 * kills it.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { keepTail } from './output.ts';
import type { Manners } from './family.ts';

export type WatchdogMessage =
  /** Sent before the driver starts the host, so that the watchdog misses none. */
  | (Manners & { readonly is: 'begins' })
  | { readonly is: 'started'; readonly pid: number }
  | { readonly is: 'ended' };

export type Watchdog = ReturnType<typeof openWatchdog>;

const PROGRAM = join(import.meta.dirname, 'watchdog.cjs');
const MAX_COMPLAINT_CHARS = 2_000;

/** `program`: the bundled watchdog, where it is not beside the command line's own file. */
export function openWatchdog(env: Readonly<NodeJS.ProcessEnv>, program = PROGRAM) {
  /** The messages about the current pass, to send again to a new watchdog. */
  let words: WatchdogMessage[] = [];
  let closed = false;
  let dog = start();

  function start(): { readonly child: ChildProcess; readonly ready: Promise<string | null> } {
    const child: ChildProcess = spawn(process.execPath, [program], {
      env: { ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      // Its own process group: Ctrl-C goes to the driver alone, which then decides.
      detached: true,
      windowsHide: true,
    });
    child.stdin?.on('error', () => undefined);
    const complaint = child.stderr ? keepTail(child.stderr, MAX_COMPLAINT_CHARS) : () => '';
    let isReady = false;
    const ready = new Promise<string | null>((resolve) => {
      child.stdout?.once('data', () => {
        isReady = true;
        resolve(null);
      });
      child.on('error', ({ message }) => resolve(message));
      child.on('close', () => {
        resolve(complaint().trim() || 'it ended at once');
        // A watchdog that never became ready would fail the next time too.
        if (isReady && !closed) dog = startAgain();
      });
    });
    return { child, ready };
  }

  function startAgain(): typeof dog {
    const next = start();
    for (const word of words) write(next.child, word);
    return next;
  }

  return {
    /** Null: it is running. Else the reason why not: then no host may be started, as nothing would end it. */
    ready: () => dog.ready,
    tell: (word: WatchdogMessage) => {
      if (word.is === 'begins') words = [];
      words.push(word);
      write(dog.child, word);
    },
    close: () => {
      closed = true;
      dog.child.stdin?.end();
    },
  };
}

function write({ stdin }: ChildProcess, word: WatchdogMessage): void {
  stdin?.write(`${JSON.stringify(word)}\n`);
}
