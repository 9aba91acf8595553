/** `dacapo ui --fleet` and `dacapo watch --fleet`: the screens of one machine over the loops of a fleet. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Granted } from '#base/refusal.ts';
import { errorMessage } from '#base/shape.ts';
import { explainDatabaseError, type Database } from '#fleet/database/database.ts';
import { applyInFleet, loopOfRequest } from '#fleet/actions.ts';
import { openMirror } from '#fleet/look/mirror.ts';
import { findLoop } from '#fleet/record.ts';
import type { ActionPort, LoopAction } from '#engine/steer/actions.ts';
import type { Runtime } from '#store/runtime.ts';
import type { GivenFlags } from '../command.ts';
import { cliRuntime, cliSink } from '../context.ts';
import { failFor } from '../terminal/terminal.ts';
import { withFleet } from './fleet.ts';

const MIRROR_POLL_MS = 500;

export interface FleetMirror {
  readonly runtime: Runtime;
  readonly actions: ActionPort;
  /** The fleet, for people. */
  readonly name: string;
  /** The loop that was asked for. */
  readonly id: string | null;
  /** Where to tell that the database is away. */
  readonly tellTo: (tell: (text: string) => void) => void;
}

/** A screen knows the loop, a callback only the request. */
async function loopMeant(
  id: string | null,
  action: LoopAction,
  database: Database,
): Promise<Granted<{ id: string }>> {
  if (id !== null) return { ok: true, id };
  if (action.is === 'answer') return loopOfRequest(database, action.request);
  throw new Error(`no loop is named to ${action.is}`);
}

/** `show` gives the exit code. The copies are kept up to date until then. */
export function withMirror(
  { id: wanted, ...options }: GivenFlags<never, 'id' | 'database'>,
  show: (mirrored: FleetMirror) => Promise<number>,
): Promise<number> {
  return withFleet(options, async (database, address) => {
    const found = wanted === undefined ? null : await findLoop(database, wanted);
    if (found?.ok === false) return failFor(found);
    const runtime = cliRuntime();
    const mirror = openMirror(database, runtime.store, address.shown);
    const over = new AbortController();
    let tell: (text: string) => void = () => undefined;
    const actions: ActionPort = async (id, action) => {
      try {
        const meant = await loopMeant(id, action, database);
        const acted = meant.ok ? await applyInFleet(database, meant.id, action, cliSink()) : meant;
        await mirror.look().catch(() => undefined);
        return acted;
      } catch (error) {
        const refusal = explainDatabaseError(error, address);
        if (refusal === null) throw error;
        return refusal;
      }
    };
    const keepLooking = async () => {
      for (let isAway = false; !over.signal.aborted;) {
        await sleep(MIRROR_POLL_MS, undefined, { signal: over.signal }).catch(() => undefined);
        try {
          await mirror.look();
          isAway = false;
        } catch (error) {
          if (!isAway) tell(explainDatabaseError(error, address)?.message ?? errorMessage(error));
          isAway = true;
        }
      }
    };
    let kept: Promise<void> | null = null;
    try {
      await mirror.look();
      kept = keepLooking();
      return await show({
        runtime: { ...runtime, store: mirror.store },
        actions,
        name: address.shown,
        id: found?.id ?? null,
        tellTo: (listener) => (tell = listener),
      });
    } finally {
      over.abort();
      await kept;
      mirror.close();
    }
  });
}
