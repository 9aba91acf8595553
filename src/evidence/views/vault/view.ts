/** The vault view: a state file in `Ralph_State` while the loop lives, `Ralph_History` once it has ended. */
import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fold } from '#law/fold/index.ts';
import { movedBaselineOf } from '#law/gates.ts';
import { hasEnded, type Loop } from '#law/loop.ts';
import type { Event } from '#law/record/events.ts';
import { openRequestsOf } from '#law/waiting/requests.ts';
import { sayEscalation } from '#law/words/phrases.ts';
import { readEvidence } from '#store/evidence.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { makeViewFile } from '../file.ts';
import { ADOPTED_STATE, hasVaultEnded, readVault, readVaultFile, renderVault } from './format.ts';
import type { ErrorRecord, VaultPass, VaultFacts } from './format.ts';
import { importVault, isVault, isVaultState } from './import.ts';
import { VAULT, historyFile, vaultFile } from '../places.ts';
import { fileView, keepRendering, readRenderings } from '../file-view.ts';
import type { View } from '../view.ts';
import { readPromptOf } from '#store/prompts.ts';

export const vaultView: View = {
  ...fileView({
    kind: 'vault',
    render,
    read: (open, content, last) => readVault(content, open.loop(), last),
    places: ({ id }, vault) => [vaultFile(vault ?? VAULT, id)],
    goes: hasEnded,
    putAside,
  }),
  import: {
    place: VAULT,
    knows: ({ path, is }) => (is === 'folder' ? isVault(path) : is === 'file' && isVaultState(path)),
    from: importVault,
  },
};

function render(open: OpenLoop, loop: Loop): string {
  return renderVault(loop, {
    ...readHistory(open),
    prompt: readPromptOf(open, loop),
    awaitsApproval: openRequestsOf(loop).length > 0,
    moved: movedBaselineOf(loop.frame),
  });
}

/**
 * Into the history, once: an ending may be rendered again later, when its file is already gone. Files there
 * are never replaced, so another one of this name gets a number.
 */
function putAside(open: OpenLoop, path: string): void {
  const { last } = readRenderings(open, 'vault');
  if (!existsSync(path) && last !== null && hasVaultEnded(last)) return;
  const loop = open.loop();
  const rendering = render(open, loop);
  const [vault, id] = [dirname(dirname(path)), basename(path, '.json')];
  keepRendering(open, 'vault', rendering, () => {
    for (let copy = 1; ; copy++) {
      const file = historyFile(vault, copy === 1 ? id : `${id}-${copy}`);
      if (makeViewFile(file, rendering, loop.project)) return true;
    }
  });
}

/**
 * Ended passes and errors. `Loop` does not keep them, so they are folded out of the journal at each
 * rendering. Only loops with this view pay for that.
 */
function readHistory(open: OpenLoop): Pick<VaultFacts, 'iterations' | 'errors'> {
  const adopted = readVaultFile(readEvidence(open.blobs, ADOPTED_STATE) ?? '');
  const iterations = adopted.ok ? [...adopted.iterations] : [];
  const errors = adopted.ok ? [...adopted.errors] : [];
  let before: Loop | null = null;
  for (const event of open.journal.read(0).events) {
    const loop: Loop | null = fold(before, event);
    const pass = before === null || loop === null ? null : passOf(before, loop, event);
    const isNews = event.type === 'faulted' || loop?.status !== before?.status;
    const error = loop === null || !isNews ? null : errorOf(loop, event);
    if (pass !== null) iterations.push(pass);
    if (error !== null) errors.push(error);
    before = loop;
  }
  return { iterations, errors };
}

/** A voided verdict ended no pass, nor did a stop that was only let through. */
function passOf(before: Loop, loop: Loop, event: Event): VaultPass | null {
  if (event.type !== 'verdict' || loop.last === null || loop.last.n === before.last?.n) return null;
  const { verdict, iteration, at } = loop.last;
  const spent = verdict.is !== 'allow' && !(verdict.is === 'exhaust' && verdict.limit === 'staleness');
  if (!spent) return null;
  return {
    number: iteration,
    timestamp: at,
    output_preview: event.preview ?? '',
    completed: verdict.is === 'complete',
  };
}

function errorOf({ status }: Loop, event: Event): ErrorRecord | null {
  const timestamp = event.at;
  // The class comes first, because people sort by it.
  if (event.type === 'faulted')
    return { timestamp, message: `${event.fault}: ${event.detail}`, fatal: event.fault === 'fatal' };
  if (status.is === 'interrupted')
    return status.why === 'fault' ? { timestamp, message: status.detail, fatal: false } : null;
  if (status.is === 'aborted') return { timestamp, message: status.detail, fatal: true };
  return status.is === 'escalated' ? { timestamp, message: sayEscalation(status.why), fatal: true } : null;
}
