/**
 * The fresh driver: runs one pass of the host after the other, judges each by the same rules and writes the
 * same journal as in a session. `step.ts` decides what comes next; this file does it. All that matters is in
 * the journal: killed at any point, the next driver continues from there.
 */
import { existsSync } from 'node:fs';
import type { Pass } from '#hosts/port/headless.ts';
import { planOf, type Loop } from '#law/loop.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { isOwnedElsewhere, type Runtime } from '#store/runtime.ts';
import { continueList } from '../asked/items.ts';
import { pauseLoop } from '../steer/control.ts';
import { switchHost } from './fallback.ts';
import type { Barrier, Drive, FreshRun } from './options.ts';
import { beginPass, stopIfPlanted, type PassOrder } from './pass/begin-pass.ts';
import { onePass } from './pass/one-pass.ts';
import { lastSessionOf, type SessionSoFar } from './pass/session-choice.ts';
import { endAtReserve, holdForReserve, sayUntold } from './reserve.ts';
import { countLost, interruptHere, judgeAgain } from './settle.ts';
import { firstStep, step, type DriverAct, type DriverMessage, type DriverState } from './step.ts';
import { continueLimitWait, coolDown, waitForPass } from './wait.ts';

/** Runs passes until the loop ends, is stopped, or belongs to another process. Returns its last state. */
export async function drive(open: OpenLoop, run: FreshRun, runtime: Runtime): Promise<Loop> {
  const session = lastSessionOf(open.loop(), run.host.name);
  let { state, act } = firstStep({ run, session, passStarts: passStartsIn(open) });
  await countLost({ open, run, runtime });
  continueLimitWait({ open, run, runtime });
  sayUntold({ open, run, runtime });
  holdForReserve({ open, run, runtime });
  while (act.do !== 'end') {
    const message = await performAct(act, state, { open, run: state.run, runtime });
    ({ state, act } = step(state, message));
  }
  const loop = open.look();
  // Another process may have ended the run by a line that it had no time to put on the disk.
  open.keep();
  return loop;
}

async function performAct(
  act: Exclude<DriverAct, { do: 'end' }>,
  { isFirst, session, hasStarted, passStarts }: DriverState,
  driving: Drive,
): Promise<DriverMessage> {
  const { open, runtime } = driving;
  switch (act.do) {
    case 'look':
      return { is: 'looked', ...lookAtLoop(driving) };
    case 'cool-down':
      return { is: 'cooled', held: await coolDown(driving) };
    case 'choose-host':
      return { is: 'host-chosen', run: switchHost(driving) };
    case 'wait': {
      const wait = isReserveMeant(driving) ? waitForReserve : waitForPass;
      const held = await wait(driving, isFirst, passStarts);
      return { is: 'waited', held, isAwaitingCheck: open.loop().session.awaits !== null };
    }
    case 'check-again':
      await judgeAgain(driving);
      return { is: 'checked-again', isOurs: (await settled(driving, 'recorded')) !== 'lost' };
    case 'begin-pass': {
      // A resumed list has no current item: begin with an item, not with a pass for the list itself.
      if (isFirst) await continueList(open, 'terminal', null, runtime);
      const order = stopIfPlanted(driving) ? null : await beginAdmitted(driving, session);
      return { is: 'pass-begun', order, at: runtime.now() };
    }
    case 'run-pass': {
      const result = await onePass(driving, act.order, hasStarted);
      const isLost = (await settled(driving, 'recorded')) === 'lost';
      return { is: 'pass-ended', result: isLost ? null : result };
    }
    case 'interrupt':
      interruptHere(driving, act.why);
      return { is: 'stopped' };
    case 'pause':
      pauseLoop(open, 'terminal', 'command', runtime);
      return { is: 'stopped' };
  }
}

/** The loop has a reserve, or waits for one that a person has removed since. */
function isReserveMeant({ open }: Drive): boolean {
  const loop = open.loop();
  return (
    planOf(loop).reserve !== undefined || ('reserve' in loop.status && loop.status.reserve !== undefined)
  );
}

/**
 * `stopped`: the reserve is reached, and the next look finds the wait for it, with other hosts to choose
 * from. Whoever has waited for a limit begins: its time is over, or a person said now.
 */
async function waitForReserve(driving: Drive, isFirst: boolean, passStarts: readonly string[]) {
  if (endAtReserve(driving)) return 'stopped';
  const { status } = driving.open.look();
  const held = await waitForPass(driving, isFirst, passStarts);
  const isLimitOver = status.is === 'waiting' && status.for === 'limit';
  if (held !== 'over' || isLimitOver || driving.open.loop().session.awaits !== null) return held;
  return holdForReserve(driving) ? 'stopped' : 'over';
}

function lookAtLoop({ open, run, runtime }: Drive) {
  const loop = open.look();
  const stops = run.now.aborted ? ('now' as const) : run.soon.aborted ? ('soon' as const) : null;
  return {
    loop,
    isElsewhere: isOwnedElsewhere(loop, runtime),
    hasFolder: existsSync(loop.project),
    stops,
  };
}

/** Null: another process has the loop, before this one began the pass or before it was admitted. */
async function beginAdmitted(driving: Drive, session: SessionSoFar | null): Promise<PassOrder | null> {
  const order = beginPass(driving.open, driving.run, session, driving.runtime);
  const admitted = order && (await settled(driving, 'taken'));
  if (order === null || admitted === null || admitted === 'lost') return null;
  return admitted === 'ours' ? order : { ...order, asked: within(admitted.mostUsd, order.asked) };
}

function within(mostUsd: number, pass: Pass): Pass {
  return { ...pass, budgetUsd: Math.min(mostUsd, pass.budgetUsd ?? Infinity) };
}

function settled({ open, run }: Drive, is: Barrier['is']) {
  return run.settled({ is, upTo: open.journal.end() });
}

function passStartsIn(open: OpenLoop): string[] {
  if (planOf(open.loop()).callsPerHour === null) return [];
  return open.journal.read(0).events.flatMap((event) => (event.type === 'taken' ? [event.at] : []));
}
