/** The sink port: a sink is told when something happens to a loop. If a sink fails, the loop goes on undisturbed. */
import type { Notice } from '../core/notices.ts';

export interface Sink {
  /**
   * Called after the event is recorded, in the order of the record. It must return at once and do slow work elsewhere.
   */
  readonly tell: (notice: Notice) => void;
}
