/** One event a shipment, as a worker would ship it. */
import type { RowSummary } from '#fleet/record.ts';
import type { Shipment } from '#fleet/ship.ts';

export function shipmentOf(from: number): Shipment {
  const event = { type: 'compacted', at: new Date().toISOString() } as const;
  const summary = { status: 'running', report: {}, requests: [] } as unknown as RowSummary;
  return { from, events: [event], files: [], removedFiles: [], summary, applied: 0 };
}
