/** The watchdog as its driver sees it: started once, told of each pass, started again if somebody ends it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { keepTail } from './tail.ts';
import type { Word } from './watchdog-program.ts';

export interface Watchdog {
  /** Null: it stands by. Else why there is none: then no host may be started, as nobody might end it. */
  ready(): Promise<string | null>;
  tell(word: Word): void;
  /** Nothing is left to be watched. */
  close(): void;
}

const PROGRAM = join(import.meta.dirname, 'watchdog.js');
const COMPLAINT = 2_000;

/** `program`: the bundled watchdog, where it is not beside the command line's own file. */
export function openWatchdog(env: Readonly<NodeJS.ProcessEnv>, program = PROGRAM): Watchdog {
  /** What it must know of the pass under way. */
  let words: Word[] = [];
  let closed = false;
  let dog = start();

  function start(): { readonly child: ChildProcess; readonly ready: Promise<string | null> } {
    const child: ChildProcess = spawn(process.execPath, [program], {
      env: { ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      // A group of its own: Ctrl-C is for the driver, which then decides.
      detached: true,
      windowsHide: true,
    });
    child.stdin?.on('error', () => undefined);
    const complaint = child.stderr ? keepTail(child.stderr, COMPLAINT) : () => '';
    let isReady = false;
    const ready = new Promise<string | null>((resolve) => {
      child.stdout?.once('data', () => {
        isReady = true;
        resolve(null);
      });
      child.on('error', ({ message }) => resolve(message));
      child.on('close', () => {
        resolve(complaint().trim() || 'it ended at once');
        // One that never stood by would not do so the next time.
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
    ready: () => dog.ready,
    tell: (word) => {
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

function write({ stdin }: ChildProcess, word: Word): void {
  stdin?.write(`${JSON.stringify(word)}\n`);
}
