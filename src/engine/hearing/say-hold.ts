/** Tells the person why a stop is let through. Few stops are, so the hook loads this on demand. */
import { relative } from 'node:path';
import type { Loop } from '#law/loop.ts';
import type { Verdict } from '#law/record/verdict.ts';
import { openRequestsOf } from '#law/waiting/requests.ts';
import { sayNotYet } from '#law/words/check-outcomes.ts';
import type { Commands } from '#telling/audience.ts';
import { sayRequests } from '#telling/person/requests.ts';
import { timeOfDay } from '#telling/time.ts';
import { PENDING, requestFile, requestFolder } from '#evidence/views/places.ts';

export function sayHold(verdict: Extract<Verdict, { is: 'allow' }>, loop: Loop, commands: Commands): string {
  if (verdict.why === 'approval') return sayRequests(loop, commands, fileOf(loop));
  if (verdict.why === 'not-yet')
    return (
      `Da Capo: waiting for ${sayNotYet(loop.last?.proofs ?? [])}, which says "not yet". The next look ` +
      `is at ${timeOfDay(verdict.until ?? '')}, or after your next message here; no iteration is spent.`
    );
  return verdict.why === 'queue'
    ? 'Da Capo: what you typed comes first. Unless it ends the loop, the loop continues after it.'
    : 'Da Capo: waiting for background work; no iteration is spent.';
}

/** The file that a person may move to answer; null: a moved file is not an answer here. */
function fileOf(loop: Loop): string | null {
  const [first] = openRequestsOf(loop);
  if (first === undefined || loop.people.approvals?.policy === 'person') return null;
  const file = requestFile(requestFolder(loop), PENDING, first.id);
  const inside = relative(loop.project, file);
  return inside.startsWith('..') ? file : inside;
}
