/**
 * Claude Code's own goal: `/goal CONDITION` makes it judge each stop as well, and its transcript shows that
 * (2.1.325).
 */
import { isRecord, parseAs, recordAt, textOrNull } from '#base/shape.ts';

const GOAL_ROW = '"goal_status"';

/**
 * The last row about a goal counts: it stands when the goal is set, at each stop, and when it is met, failed
 * or cleared.
 */
export function goalIn(rows: readonly string[]): string | null {
  const goals = rows
    .filter((row) => row.includes(GOAL_ROW))
    .map((row) => recordAt(parseAs(isRecord, row) ?? {}, 'attachment'))
    .filter((attachment) => attachment['type'] === 'goal_status');
  const last = goals.at(-1);
  if (last === undefined || last['met'] === true || last['failed'] === true) return null;
  return textOrNull(last['condition']);
}

/** With this tool the model arms a goal itself. The setting turns it off; a headless pass does not get it. */
export const GOAL_TOOL = 'ProposeGoal';
export const NO_PROPOSED_GOALS = { modelProposedGoals: 'disabled' };
