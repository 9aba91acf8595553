/**
 * Tells the sinks of a process what an event means. The hook loads this file only when the state of a loop
 * changes.
 */
import { join } from 'node:path';
import type { Loop } from '#law/loop.ts';
import { notices } from '#law/notices.ts';
import type { Event } from '#law/record/events.ts';
import { oneLine } from '#base/words/sanitize.ts';
import type { Runtime } from '#store/runtime.ts';
import { sayStatus } from '#telling/person/status.ts';
import { notifySink } from './notify.ts';
import type { Sink } from './sink.ts';

export function tellSinks(sinks: readonly Sink[], before: Loop | null, after: Loop, event: Event): void {
  for (const notice of notices(before, after, event))
    for (const sink of sinks) {
      try {
        sink(notice);
      } catch {
        // The event is in the record, where it can still be found.
      }
    }
}

export function hookSinks(runtime: Runtime): Sink[] {
  // In the plugin, the sender lies beside this file.
  return [logSink(runtime.log), peopleSink(runtime, join(import.meta.dirname, 'sender.cjs'))];
}

/** The longest status that we write: one that names an error may be long. */
const MAX_STATUS_CHARS = 300;

export function logSink(log: (line: string) => void): Sink {
  return ({ is, loop }) => log(`loop=${loop.id} notice=${is}: ${oneLine(sayStatus(loop), MAX_STATUS_CHARS)}`);
}

/** `notifySink`, loaded only for people who may have a target. */
export function peopleSink(runtime: Runtime, sender: string): Sink {
  return (notice) => {
    if (mayHaveTarget(notice.loop.people.notify, runtime)) notifySink(runtime, sender)(notice);
  };
}

/** False for most people: they have no config. `own`: the targets that the loop names itself. */
export function mayHaveTarget(own: readonly string[], { store }: Pick<Runtime, 'store'>): boolean {
  return own.length > 0 || store.config() !== null;
}
