/** What still runs or waits in a session at a stop (2.1.325). Most stops have none of it and never load this file. */
import { isRecord, textAt } from '../../../core/shape.ts';
import type { BackgroundTask } from '../../../core/stop.ts';
import type { HookPayload } from './rare-events.ts';

export function backgroundOf(payload: HookPayload, attended: boolean): BackgroundTask[] {
  const tasks = tasksOf(payload['background_tasks']);
  return attended ? [...tasks, ...wakeUpsOf(payload['session_crons'])] : tasks;
}

function tasksOf(value: unknown): BackgroundTask[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown): BackgroundTask[] => {
    if (!isRecord(item) || isOver(item['status'])) return [];
    const kind =
      item['type'] === 'subagent' || item['type'] === 'workflow'
        ? 'agent'
        : item['type'] === 'shell'
          ? 'shell'
          : null;
    if (kind === null) return [];
    return [
      { id: textAt(item, 'id'), kind, description: textAt(item, 'command') || textAt(item, 'description') },
    ];
  });
}

function isOver(status: unknown): boolean {
  return status === 'completed' || status === 'failed' || status === 'killed';
}

/** Minute, hour, day and month, each as one number: how the host writes a single moment, in local time. */
const MOMENT = /^(\d+) (\d+) (\d+) (\d+) \*$/;

/**
 * Prompts that the session has scheduled for itself. They wake it only after an allowed stop. A recurring one lets a
 * loop wait once, like a background shell. Otherwise the loop would wait forever.
 */
export function wakeUpsOf(crons: unknown, now = new Date()): BackgroundTask[] {
  if (!Array.isArray(crons)) return [];
  return crons.filter(isRecord).map((cron): BackgroundTask => {
    const { schedule, recurring } = cron;
    const due = recurring === true || typeof schedule !== 'string' ? null : momentOf(schedule, now);
    return {
      id: textAt(cron, 'id'),
      kind: recurring === true ? 'shell' : 'agent',
      description: textAt(cron, 'prompt'),
      ...(due !== null && { due: due.toISOString() }),
    };
  });
}

/** The moment of this year, or of the next one if it is long over. Null: no single moment. */
function momentOf(schedule: string, now: Date): Date | null {
  const [, minute, hour, day, month] = MOMENT.exec(schedule)?.map(Number) ?? [];
  if (minute === undefined || hour === undefined || day === undefined || month === undefined) return null;
  const inYear = (year: number) => new Date(year, month - 1, day, hour, minute);
  const moment = inYear(now.getFullYear());
  const isOver = now.getTime() - moment.getTime() > 24 * 60 * 60_000;
  return isOver ? inYear(now.getFullYear() + 1) : moment;
}
