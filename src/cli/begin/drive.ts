/** Drives a loop in this terminal: shows its progress, handles Ctrl-C and returns the exit code. */
import { iterationsInAll, workedMs, type Loop } from '../../core/loop.ts';
import { planOf } from '../../core/record/plan.ts';
import { report } from '../../text/report.ts';
import { nextStep } from '../../text/next-step.ts';
import { sayStatus } from '../../text/status.ts';
import { sayGoesOn, sayInner, sayStarted, title } from '../../text/to-person.ts';
import { drive } from '../../fresh/drive.ts';
import { openKeeper } from '../../fresh/keep-work.ts';
import type { Show, RunEventBody } from '../../fresh/run-event.ts';
import type { Live } from '../../screen/live.ts';
import { openShow } from '../../screen/open.ts';
import type { Watchdog } from '../../process/watchdog.ts';
import { sayUnreachable } from '../../sinks/notify.ts';
import type { Runtime } from '../../store/runtime.ts';
import type { RunHost, RunReady } from '../../operations/begin/run.ts';
import { exitCodeOf, paint } from '../terminal/terminal.ts';
import { listenForStops } from '../terminal/interrupts.ts';
import { openAnswerKeys } from './answer-keys.ts';
import type { RunLine } from './run-line.ts';
import type { ViewErrors } from '../runtime.ts';

export interface Here extends Pick<RunLine, 'as'> {
  readonly on: RunHost;
  readonly watchdog: Watchdog;
  readonly viewErrors: ViewErrors;
}

export async function driveHere(
  { open, permissionMode, warnings }: RunReady,
  { on, as, watchdog, viewErrors }: Here,
  runtime: Runtime,
): Promise<number> {
  const show = openShowFor(open.loop(), as, runtime);
  const keys =
    'offer' in show ? openAnswerKeys(show, (text) => tell({ is: 'warning', text }), runtime) : null;
  const tell = (what: RunEventBody): boolean => {
    keys?.hear(what);
    return show.tell({ at: runtime.now(), ...what });
  };
  const stops = listenForStops(() => tell({ is: 'warning', text: heard(open.loop()) }));
  const comesBack = () => 'afresh' in show && show.afresh();
  process.on('SIGCONT', comesBack);
  const watched = { ...runtime, proving: provingTeller(tell) };
  try {
    tell(beginningOf(open.loop()));
    for (const text of [...warnings, ...sayUnreachable(open.loop().people.notify, runtime)])
      tell({ is: 'warning', text });
    viewErrors.tellTo((text) => tell({ is: 'warning', text }));
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
        // If the terminal blocks, lines are dropped so that the agent is not held up.
        settled: async () => 'ours',
        wait: async () => 'here',
        drained: 'afresh' in show ? async () => undefined : show.drained,
        chance: Math.random,
        keeper: openKeeper(tell, runtime),
      },
      watched,
    );
    tell(endingOf(loop, runtime.now()));
    await Promise.race([show.drained(), stops.atOnce]);
    return exitCodeOf(loop);
  } finally {
    process.off('SIGCONT', comesBack);
    keys?.end();
    show.close();
    stops.end();
  }
}

/** The answer to a first Ctrl-C. A waiting loop has no iteration to finish. */
function heard({ status }: Loop): string {
  return status.is === 'waiting'
    ? 'stopping, and waiting no longer'
    : 'stopping after this iteration; Ctrl-C again stops now';
}

function provingTeller(tell: (what: RunEventBody) => boolean): NonNullable<Runtime['proving']> {
  const begun = new Map<string, number>();
  return (what, how, tail) => {
    if (how === null) {
      begun.set(what, Date.now());
      tell({ is: 'checks-begin', commands: [what] });
      return;
    }
    const ms = Date.now() - (begun.get(what) ?? Date.now());
    const passed = how === 'passed' || how === 'holds';
    const said = passed ? '' : [tail.trimEnd(), how].filter(Boolean).join('\n');
    tell({ is: 'check-ended', command: what, passed, ms, tail: said });
  };
}

function openShowFor(loop: Loop, as: RunLine['as'], runtime: Runtime): Show | Live {
  const setting = {
    gates: report(loop, runtime.now()).gates,
    budgetUsd: loop.limits.costUsd,
    workedMs: workedMs(loop, runtime.now()),
    costUsd: loop.spent.costUsd,
    tokens: loop.spent.tokens,
    silenceMs: planOf(loop).silenceMs,
  };
  return openShow(setting, {
    out: process.stdout,
    as,
    paint,
    terminal: { isTerminal: Boolean(process.stdout.isTTY), env: process.env, platform: process.platform },
    now: Date.now,
  });
}

function beginningOf(loop: Loop): RunEventBody {
  const isNew = loop.session.owner === null && loop.stops === 0;
  return { is: 'begins', loop: loop.id, text: isNew ? sayStarted(loop) : sayGoesOn(loop) };
}

function endingOf(loop: Loop, now: string): RunEventBody {
  return {
    is: 'ends',
    status: loop.status.is,
    reason: [`loop ${title(loop)} ${sayStatus(loop)}`, sayInner(loop)]
      .filter(Boolean)
      .join('. ')
      .replace(/\.$/, ''),
    iterations: iterationsInAll(loop),
    workedMs: workedMs(loop, now),
    next: nextStep(loop, now, 'runner'),
  };
}
