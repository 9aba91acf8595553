/** What a host's stream shows, as happenings. What is for the driver alone is not among them. */
import type { Seen } from '../hosts/stream.ts';
import type { What } from './happening.ts';

export function happeningsOf(seen: Seen): What[] {
  switch (seen.is) {
    case 'text':
      return seen.text.trim() === '' ? [] : [{ is: 'says', text: seen.text }];
    case 'tool':
      return [{ is: 'tool', id: seen.id, name: seen.name, summary: seen.summary }];
    case 'tool-outcome':
      return [{ is: 'tool-ended', id: seen.id, failed: seen.failed, text: seen.text, lines: seen.lines }];
    case 'subagent':
      return subagentsWork(seen.seen);
    case 'retry':
      return [
        { is: 'host-retry', attempt: seen.attempt, why: seen.why ?? 'unknown', inMs: seen.delayMs ?? 0 },
      ];
    case 'fallback':
      return [{ is: 'warning', text: `the host works on with ${seen.model ?? 'another model'}` }];
    case 'rate-limit':
      return seen.status === 'warning'
        ? [
            {
              is: 'warning',
              text: `a usage limit of the host is near${seen.resetsAt === null ? '' : `; it resets at ${seen.resetsAt}`}`,
            },
          ]
        : [];
    case 'compacted':
      return [{ is: 'warning', text: 'the host has compacted the context' }];
    // Told once, when the pass is over.
    case 'denied':
    // What the tool gives back says it.
    case 'refused':
    case 'init':
    case 'context':
    case 'usage':
    case 'fault':
    case 'result':
    case 'noise':
    case 'other':
      return [];
  }
}

/** Only what it does: its words are for the agent that sent it. */
function subagentsWork(seen: Seen): What[] {
  return seen.is === 'tool' ? [{ is: 'subagent', name: seen.name, what: seen.summary }] : [];
}
