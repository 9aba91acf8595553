/**
 * One at a time for each loop of this process. Between processes the journal decides who hears a stop, but it takes two
 * hearings of one process for one that died and one that lives.
 */
const turns = new Map<string, Promise<unknown>>();

export async function inTurn<T>(loop: string, act: () => Promise<T>): Promise<T> {
  const before = turns.get(loop) ?? Promise.resolve();
  const turn = before.then(act, act);
  const settled = turn.then(
    () => undefined,
    () => undefined,
  );
  turns.set(loop, settled);
  try {
    return await turn;
  } finally {
    if (turns.get(loop) === settled) turns.delete(loop);
  }
}
