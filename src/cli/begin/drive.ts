/** Drives a loop in this terminal: shows its progress, handles Ctrl-C and returns the exit code. */
import { workedMs, type Loop } from '../../core/loop.ts';
import { planOf } from '../../core/record/plan.ts';
import { report } from '../../text/report.ts';
import { drive } from '../../fresh/drive.ts';
import { openKeeper } from '../../fresh/keep-work.ts';
import type { FreshRun } from '../../fresh/options.ts';
import type { Show, RunEventBody } from '../../fresh/run-event.ts';
import { beginningOf, endingOf, provingTeller, withTelemetry } from '../../fresh/telling.ts';
import type { Live } from '../../screen/live.ts';
import { openShow, type ShowOptions } from '../../screen/open.ts';
import type { Setting } from '../../screen/state.ts';
import type { Watchdog } from '../../process/watchdog.ts';
import { sayUnreachable } from '../../sinks/notify.ts';
import type { Runtime } from '../../store/runtime.ts';
import type { RunHost, RunReady } from '../../operations/begin/run.ts';
import { exitCodeOf, paint } from '../terminal/terminal.ts';
import { listenForStops, type Stops } from '../terminal/interrupts.ts';
import { openAnswerKeys } from './answer-keys.ts';
import { hideEcho } from '../terminal/hide-echo.ts';
import type { RunLine } from './run-line.ts';
import type { ViewErrors } from '../context.ts';

export interface Here extends Pick<RunLine, 'as'> {
  readonly on: RunHost;
  readonly watchdog: Watchdog;
  readonly viewErrors: ViewErrors;
}

export async function driveHere(
  ready: RunReady,
  { on, as, watchdog, viewErrors }: Here,
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
  const stops = listenForStops(() => tell({ is: 'warning', text: heard(open.loop()) }));
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

export interface Told extends Pick<FreshRun, 'tell' | 'drained' | 'watchdog'> {
  readonly on: RunHost;
  readonly stops: Pick<Stops, 'soon' | 'now'>;
}

export async function driveTold(
  { open, permissionMode, warnings }: RunReady,
  { on, stops, tell: show, drained, watchdog }: Told,
  runtime: Runtime,
): Promise<Loop> {
  const { tell, close } = await withTelemetry(open.loop(), runtime, show);
  tell(beginningOf(open.loop()));
  for (const text of [...warnings, ...sayUnreachable(open.loop().people.notify, runtime)])
    tell({ is: 'warning', text });
  const loop = await drive(
    open,
    {
      ...on,
      env: process.env,
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
    },
    { ...runtime, proving: provingTeller(tell) },
  );
  await close();
  tell(endingOf(loop, runtime.now()));
  return loop;
}

/** The answer to a first Ctrl-C. A waiting loop has no iteration to finish. */
function heard({ status }: Loop): string {
  return status.is === 'waiting'
    ? 'stopping, and waiting no longer'
    : 'stopping after this iteration; Ctrl-C again stops now';
}

export function settingOf(loop: Loop, runtime: Runtime): Setting {
  return {
    gates: report(loop, runtime.now()).gates,
    budgetUsd: loop.limits.costUsd,
    workedMs: workedMs(loop, runtime.now()),
    ...loop.spent,
    silenceMs: planOf(loop).silenceMs,
  };
}

export function showOptions(as: RunLine['as']): ShowOptions {
  const { env, platform, stdout } = process;
  const terminal = { isTerminal: Boolean(stdout.isTTY), env, platform };
  return { out: stdout, as, paint, terminal, now: Date.now };
}
