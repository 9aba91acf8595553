/** Waits for the `dacapo run` of another terminal to end its agent, after the loop was paused or cancelled there. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Refusal } from '../core/refusal.ts';
import { LETTING_GO } from '../operations/steer/resume.ts';
import { note } from './terminal/terminal.ts';

const LOOK_MS = 200;

/** Tries again while the other run is letting go. This ends: after a while that refusal no longer comes. */
export async function waitForRelease<T extends { readonly ok: true } | Refusal>(act: () => T): Promise<T> {
  for (let first = true; ; first = false) {
    const result = act();
    if (result.ok || result.code !== LETTING_GO) return result;
    if (first) note('Da Capo: waiting until the run in the other terminal has ended its agent …');
    await sleep(LOOK_MS);
  }
}
