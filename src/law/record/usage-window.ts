/** A window of a subscription, as its host tells it: its length, how much is used, when it resets. */
import * as s from '#base/shape.ts';

export const usageWindow = s.record({ minutes: s.positive, usedPercent: s.amount, resetsAt: s.instant });
export type UsageWindow = s.Infer<typeof usageWindow>;
