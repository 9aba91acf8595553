/** Prompts that the session has scheduled for itself (2.1.325). They wake it only after an allowed stop. */
import { isRecord, textAt } from '../../../core/shape.ts';
import type { BackgroundTask } from '../../../core/stop.ts';

/** Minute, hour, day and month, each as one number: how the host writes a single moment, in local time. */
const MOMENT = /^(\d+) (\d+) (\d+) (\d+) \*$/;

/** A recurring wake-up lets a loop wait once, like a background shell. Otherwise the loop would wait forever. */
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
