/**
 * The context windows of Claude Code's models (2.1.325, November 2026). Old models have 200k; newer ones, and
 * any model that the host does not know, have a million. A person can ask for the larger one with `[1m]` in
 * the model's name.
 */
const SMALL = /Model":"[^"[]*(?:claude-3|haiku-4|sonnet-4|opus-4(?:-[0-6]\b|-2|"))[^[]*"/;

export function windowOfModel(model: string): number {
  return windowIn(`Model":"${model}"`);
}

export function windowIn(row: string): number {
  return SMALL.test(row) ? 200_000 : 1_000_000;
}
