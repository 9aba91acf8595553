/** `dacapo` alone: how the loops of this project stand, and what to do next. */
import { hasEnded, type Loop } from '#law/loop.ts';
import type { CommandCall } from '../../command.ts';
import { findLoops } from '../../context.ts';
import { paint, printLines } from '../../terminal/terminal.ts';
import { statusHere } from './status.ts';
import { runStatus } from '../verbs.ts';

type OverviewStep = readonly [command: string, what: string];

export async function runOverview(call: CommandCall): Promise<number> {
  const exit = await runStatus(
    { id: undefined, json: false },
    statusHere({ all: false, json: false }, call.runtime),
  );
  const steps = overviewSteps(findLoops(false, call.runtime));
  const column = Math.max(...steps.map(([command]) => command.length)) + 3;
  printLines(
    '',
    paint.bold('Next:'),
    ...steps.map(([command, what]) => `  ${command.padEnd(column)}${paint.dim(what)}`),
    '',
    paint.dim('dacapo --help shows the other commands.'),
  );
  return exit;
}

function overviewSteps(loops: readonly Loop[]): OverviewStep[] {
  const [loop] = loops;
  if (loop === undefined || hasEnded(loop))
    return [
      ['dacapo start "PROMPT" --check "CMD"', 'a loop in a session that you see'],
      ['dacapo run "PROMPT" --check "CMD"', 'a loop without a session, with a new agent each time'],
      loop === undefined
        ? ['dacapo demo', 'see a loop at work, without an account']
        : [`dacapo report ${loop.id}`, 'what the last loop did'],
    ];
  // A command without an id means the only open loop.
  const which = loops.filter((one) => !hasEnded(one)).length > 1 ? ` ${loop.id}` : '';
  return [
    firstStep(loop, which),
    [`dacapo explain${which}`, 'why the last stop was judged as it was'],
    [`dacapo cancel${which}`, 'end it'],
  ];
}

function firstStep({ status }: Loop, which: string): OverviewStep {
  if (status.is === 'waiting' && status.for === 'approval') return ['dacapo approvals', 'what it asks you'];
  if (status.is === 'running' || status.is === 'waiting')
    return ['dacapo watch', 'follow, answer and steer it'];
  return [`dacapo resume${which}`, 'continue it'];
}
