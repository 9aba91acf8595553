/**
 * Starts `dacapo run` for the page, as a process of its own: it goes on when the page and its server are gone. A start
 * that is refused says so within seconds; one that first runs slow checks shows up in the list later.
 */
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { refuse, type Refusal } from '../../core/refusal.ts';
import { harmless } from '../../core/words/sanitize.ts';
import { makeScratch } from '../../files/scratch.ts';
import { HAND_VARIABLE } from '../../operations/trust/people-only.ts';
import type { Runtime } from '../../store/runtime.ts';

const LOOK_MS = 150;
const PATIENCE_MS = 12_000;
const ERROR_LIMIT = 4_000;

export interface Launch {
  /** The words after `dacapo run`. */
  readonly words: readonly string[];
  /** Given on stdin, so that no other program sees it in the list of processes. */
  readonly prompt: string | null;
  readonly folder: string;
  /** The built command line program. */
  readonly cli: string;
  /** The loop that this start has made or taken up by now; null: not yet. */
  readonly seen: () => string | null;
}

export type Launched = { readonly ok: true; readonly id: string | null } | Refusal;

export async function launch(
  { words, prompt, folder, cli, seen }: Launch,
  world: Runtime,
): Promise<Launched> {
  const scratch = makeScratch('start');
  const errors = join(scratch, 'stderr');
  const file = openSync(errors, 'w', 0o600);
  const child = spawn(process.execPath, [cli, 'run', ...words, '--quiet'], {
    cwd: folder,
    detached: true,
    stdio: ['pipe', 'ignore', file],
    env: { ...world.env, [HAND_VARIABLE]: 'page' },
    windowsHide: true,
  });
  closeSync(file);
  let ended: number | null = null;
  child.on('exit', (code) => (ended = code ?? 1));
  child.on('error', () => (ended = 1));
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(prompt ?? '');
  try {
    for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
      const id = seen();
      if (id !== null) return { ok: true, id };
      if (ended !== null) return refusalIn(errors, ended);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    return { ok: true, id: null };
  } finally {
    child.unref();
    forget(scratch);
  }
}

/** The command line prints an error and the next step. */
function refusalIn(file: string, code: number): Refusal {
  const text = harmless(readFileSync(file, 'utf8').slice(-ERROR_LIMIT));
  const [, what, next] = /(?:^|\n)error: ([^]*?)(?:\nnext: ([^]*))?$/.exec(text.trim()) ?? [];
  return refuse(
    'not-started',
    sentence(what ?? `dacapo run ended with ${code}. ${text}`),
    sentence(next ?? ''),
  );
}

function sentence(text: string): string {
  const trimmed = text.trim();
  return trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
}

/** The child may still hold the file. Then the system clears it away one day. */
function forget(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // On Windows an open file can't be removed.
  }
}
