/** Drives a loop in this terminal: shows its progress, handles Ctrl-C and returns the exit code. */
import { workedMs, planOf, type Loop } from '#law/loop.ts';
import { inTerminal } from '#telling/audience.ts';
import { gateStatuses } from '#telling/gate-status.ts';
import { drive } from '#engine/driver/drive.ts';
import { openKeeper } from '#engine/driver/keep-work.ts';
import type { FreshRun } from '#engine/driver/options.ts';
import type { Show, RunEventBody } from '#engine/run-event.ts';
import {
  beginningOf,
  endingOf,
  loopLeftBy,
  provingTeller,
  tellActs,
  withTelemetry,
} from '#engine/driver/telling.ts';
import type { Live } from '#surfaces/screen/live.ts';
import { openShow, type ShowOptions } from '#surfaces/screen/open.ts';
import type { Setting } from '#surfaces/screen/state.ts';
import type { Watchdog } from '#base/process/watchdog.ts';
import { sayUnreachable } from '#engine/notices/notify.ts';
import { mayHaveTarget } from '#engine/notices/tell-sinks.ts';
import type { Runtime } from '#store/runtime.ts';
import type { RunHost, RunReady } from '#engine/begin/run.ts';
import { exitCodeOf, paint } from '../terminal/terminal.ts';
import { listenForStops, type Stops } from '../terminal/interrupts.ts';
import { openAnswerKeys } from './answer-keys.ts';
import { hideEcho } from '../terminal/hide-echo.ts';
import type { RunLine } from './run-line.ts';
import type { ViewErrors } from '../context.ts';

export interface TerminalRun extends Pick<RunLine, 'as'> {
  readonly on: RunHost;
  readonly watchdog: Watchdog;
  readonly viewErrors: ViewErrors;
}

export async function driveHere(
  ready: RunReady,
  { on, as, watchdog, viewErrors }: TerminalRun,
  runtime: Runtime,
): Promise<number> {
  const { open } = ready;
  const show: Show | Live = openShow(settingOf(open.loop(), runtime), showOptions(as));
  const keys =
    'offer' in show ? openAnswerKeys(show, (text) => tell({ is: 'warning', text }), runtime) : null;
  const tell = (what: RunEventBody): boolean => {
    keys?.hear(what);
    return show.tell({ at: runtime.now(), ...what });
  };
  const stops = listenForStops(() => {
    const text = heard(open.loop());
    if ('stopping' in show) show.stopping(text);
    else tell({ is: 'warning', text });
  });
  const comesBack = () => 'afresh' in show && show.afresh();
  process.on('SIGCONT', comesBack);
  const showEcho = 'offer' in show ? hideEcho() : null;
  try {
    viewErrors.tellTo((text) => tell({ is: 'warning', text }));
    // If the terminal blocks, lines are dropped so that the agent is not held up.
    const drained = 'afresh' in show ? async () => undefined : show.drained;
    const loop = await driveTold(ready, { on, watchdog, stops, tell, drained }, runtime);
    await Promise.race([show.drained(), stops.atOnce]);
    return exitCodeOf(loop);
  } finally {
    process.off('SIGCONT', comesBack);
    keys?.end();
    show.close();
    showEcho?.();
    stops.end();
  }
}

export interface ToldRun extends Pick<FreshRun, 'tell' | 'drained' | 'watchdog'> {
  readonly on: RunHost;
  readonly stops: Pick<Stops, 'soon' | 'now'>;
}

export async function driveTold(
  { open, permissionMode, warnings }: RunReady,
  { on, stops, tell: show, drained, watchdog }: ToldRun,
  runtime: Runtime,
): Promise<Loop> {
  const { tell, traces, close } = await withTelemetry(open, runtime, show);
  tell(beginningOf(open.loop()));
  const own = open.loop().people.notify;
  const unreachable = mayHaveTarget(own, runtime) ? sayUnreachable(own, runtime) : [];
  for (const text of [...warnings, ...unreachable]) tell({ is: 'warning', text });
  const endActs = tellActs(open, tell);
  const run: FreshRun = {
    ...on,
    env: process.env,
    ...traces,
    watchdog,
    permissionMode,
    now: stops.now,
    soon: stops.soon,
    tell,
    settled: async () => 'ours',
    wait: async () => 'here',
    drained,
    chance: Math.random,
    keeper: openKeeper(tell, runtime),
  };
  try {
    const loop = loopLeftBy(await drive(open, run, { ...runtime, proving: provingTeller(tell) }), runtime);
    await close();
    tell(endingOf(loop, runtime.now(), inTerminal));
    return loop;
  } finally {
    endActs();
  }
}

/** The answer to a first Ctrl-C. A waiting loop has no iteration to finish. */
function heard({ status }: Loop): string {
  return status.is === 'waiting'
    ? 'stopping, and waiting no longer'
    : 'stopping after this iteration; Ctrl-C again stops now';
}

export function settingOf(loop: Loop, runtime: Runtime): Setting {
  return {
    gates: gateStatuses(loop),
    budgetUsd: loop.limits.costUsd,
    workedMs: workedMs(loop, runtime.now()),
    ...loop.spent,
    silenceMs: planOf(loop).silenceMs,
    folder: loop.project,
  };
}

export function showOptions(as: RunLine['as']): ShowOptions {
  const { env, platform, stdout } = process;
  const terminal = { isTerminal: Boolean(stdout.isTTY), env, platform };
  return { out: stdout, as, paint, terminal, now: Date.now };
}
