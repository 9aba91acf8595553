/** Says what a stop hook kept at an iteration. */
import { oneLine } from '../core/words/sanitize.ts';

interface Checkpoint {
  readonly iteration: number;
  readonly data: Readonly<Record<string, unknown>>;
}

const FIELD = 120;
const DRAFT = 4_000;

export function sayCheckpoint(kept: Checkpoint): string {
  const phase = checkpointField(kept, 'executionPhase');
  const step = checkpointField(kept, 'executionStep');
  const draft = checkpointField(kept, 'draftContent');
  const context = kept.data['agentContext'];
  return [
    `This loop is resumed from a checkpoint of iteration ${kept.iteration}. The files are as they are now. Continue from the checkpoint.`,
    ...(phase === '' ? [] : [`Phase: ${oneLine(phase, FIELD)}`]),
    ...(step === '' ? [] : [`Step: ${oneLine(step, FIELD)}`]),
    ...(context === undefined ? [] : [`Context: ${oneLine(JSON.stringify(context), 10 * FIELD)}`]),
    ...(draft === '' ? [] : [`Draft:\n${draft.slice(0, DRAFT)}`]),
  ].join('\n');
}

export function checkpointField({ data }: Checkpoint, key: string): string {
  const value = data[key];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
