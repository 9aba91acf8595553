/** Turns the host's stream into the events of a run. What only the driver needs gives none. */
import type { StreamEvent } from '../../hosts/stream.ts';
import type { RunEventBody } from '../run-event.ts';

export function runEventsOf(event: StreamEvent): RunEventBody[] {
  switch (event.is) {
    case 'text':
      return event.text.trim() === '' ? [] : [{ is: 'says', text: event.text }];
    case 'tool':
      return [{ is: 'tool', id: event.id, name: event.name, summary: event.summary }];
    case 'tool-outcome':
      return [{ is: 'tool-ended', id: event.id, failed: event.failed, text: event.text, lines: event.lines }];
    case 'subagent':
      return subagentsWork(event.event);
    case 'retry':
      return [
        { is: 'host-retry', attempt: event.attempt, why: event.why ?? 'unknown', inMs: event.delayMs ?? 0 },
      ];
    case 'fallback':
      return [{ is: 'warning', text: `the host works on with ${event.model ?? 'another model'}` }];
    case 'rate-limit':
      return event.status === 'warning'
        ? [
            {
              is: 'warning',
              text: `a usage limit of the host is near${event.resetsAt === null ? '' : `; it resets at ${event.resetsAt}`}`,
            },
          ]
        : [];
    case 'compacted':
      return [{ is: 'warning', text: 'the host has compacted the context' }];
    // Reported once, when the pass is over.
    case 'denied':
    // The result of the tool says this.
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

/** Only what a subagent does. Its text is for the agent that started it. */
function subagentsWork(event: StreamEvent): RunEventBody[] {
  return event.is === 'tool' ? [{ is: 'subagent', name: event.name, what: event.summary }] : [];
}
