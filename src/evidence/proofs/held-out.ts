/**
 * Checks that the agent never sees (`--held-out CMD`). The record has only a label for each, so nothing that
 * is rendered from it contains the command. Only the code that runs checks, and the screens of a person,
 * resolve the label. The commands and their outputs are in one blob, in base64, so that a search through the
 * files of a loop does not find them. That is no boundary: an agent that runs as the same user can decode it.
 */
import { list, readAs, record, text, type Infer } from '#base/shape.ts';
import type { Blobs } from '#store/open-loop.ts';

/** The guard refuses lines that name it. */
export const HELD_OUT_FILE = 'held-out.coded';

const heldOutCheck = record({ label: text, command: text, output: text });
/** `output`: the part that tells the most of the last one; empty: it passed, or has not run. */
export type HeldOutCheck = Infer<typeof heldOutCheck>;

export interface HeldOut {
  /** Null: there is no such check, or it can't be read any more. */
  readonly commandOf: (label: string) => string | null;
  readonly keepOutput: (label: string, output: string) => void;
}

/** Before there is a loop to keep them. */
export interface HeldOutBefore extends HeldOut {
  readonly all: () => readonly HeldOutCheck[];
}

/** For a loop without any. */
export const NONE_HELD_OUT: HeldOutBefore = {
  all: () => [],
  commandOf: () => null,
  keepOutput: () => undefined,
};

export function heldOutBefore(commands: readonly string[]): HeldOutBefore {
  let all = commands.map((command, at) => ({ label: `held-out check ${at + 1}`, command, output: '' }));
  return {
    all: () => all,
    commandOf: (label) => commandIn(all, label),
    keepOutput: (label, output) => (all = withOutput(all, label, output)),
  };
}

export function openHeldOut(blobs: Blobs): HeldOut {
  return {
    commandOf: (label) => commandIn(readHeldOut(blobs), label),
    keepOutput: (label, output) => keepHeldOut(blobs, withOutput(readHeldOut(blobs), label, output)),
  };
}

export function keepHeldOut(blobs: Blobs, all: readonly HeldOutCheck[]): void {
  if (all.length === 0) return;
  blobs.write(HELD_OUT_FILE, Buffer.from(JSON.stringify(all)).toString('base64'), { durable: true });
}

export function readHeldOut(blobs: Blobs): readonly HeldOutCheck[] {
  const coded = blobs.read(HELD_OUT_FILE);
  if (coded === null) return [];
  return readAs(list(heldOutCheck), () => Buffer.from(coded, 'base64').toString('utf8')) ?? [];
}

function commandIn(all: readonly HeldOutCheck[], label: string): string | null {
  return all.find((one) => one.label === label)?.command ?? null;
}

function withOutput(all: readonly HeldOutCheck[], label: string, output: string): HeldOutCheck[] {
  return all.map((one) => (one.label === label ? { ...one, output } : one));
}
