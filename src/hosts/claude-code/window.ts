/**
 * The context windows of Claude Code's models (2.1.325, November 2026). Those of old have 200k; all since, and any model
 * that the host does not know, have a million. `[1m]`, a person's word for the larger one, stands in what was requested.
 */
const SMALL = /Model":"[^"[]*(?:claude-3|haiku-4|sonnet-4|opus-4(?:-[0-6]\b|-2|"))[^[]*"/;

/** As it is named at the beginning of a stream. */
export function windowOfModel(model: string): number {
  return windowIn(`Model":"${model}"`);
}

/** The row of a transcript. */
export function windowIn(row: string): number {
  return SMALL.test(row) ? 200_000 : 1_000_000;
}
