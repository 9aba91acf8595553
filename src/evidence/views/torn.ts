/**
 * Views are replaced without a sync, which would cost each stop a wait for the disk. So a power cut may leave
 * the beginning of a rendering, or its length with zeros at the end. That is nobody's edit.
 */
import { uptime } from 'node:os';
import { fold } from '#law/fold/index.ts';
import type { Loop } from '#law/loop.ts';
import type { FileReading } from '#base/files/read.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';

type ViewFile = Extract<FileReading, { is: 'content' }>;

/** Of the last so many states of the loop. The power was cut while one of them was shown. */
const STATES_COMPARED = 50;

/** Who cuts the end off a prompt by hand does that on a machine that runs: then it is an edit. */
export function isFromBeforeBoot({ modifiedMs }: ViewFile, { now }: Pick<Runtime, 'now'>): boolean {
  return modifiedMs < Date.parse(now()) - uptime() * 1_000;
}

export function isTornPart({ bytes }: ViewFile, rendering: string): boolean {
  const whole = Buffer.from(rendering);
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return end < whole.length && whole.subarray(0, end).equals(bytes.subarray(0, end));
}

/** The loop after each of its last events. */
export function lastStates({ journal }: OpenLoop): Loop[] {
  const { events } = journal.read(0);
  const states: Loop[] = [];
  let loop: Loop | null = null;
  for (const [at, event] of events.entries()) {
    loop = fold(loop, event);
    if (loop !== null && at >= events.length - STATES_COMPARED) states.push(loop);
  }
  return states;
}
