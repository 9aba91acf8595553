/** `dacapo resume` at a terminal: opens the session of a loop again, as `dacapo start` opened it. */
import type { Loop } from '#law/loop.ts';
import { hostOf } from '#hosts/tables/adapters.ts';
import type { HostAdapter } from '#hosts/port/command-line.ts';
import { findProgram } from '#hosts/port/program.ts';
import { openById, whileOpen } from '#engine/look/loops.ts';
import type { CarriedOn } from '#engine/steer/resume.ts';
import { refuseHost } from '#engine/trust/trust.ts';
import { PLUGIN } from '#base/process/package.ts';
import type { Runtime } from '#store/runtime.ts';
import { sayStatus, title } from '#telling/person/status.ts';
import { openHost, promptArguments, settleSession } from '../begin/open-host.ts';
import { placeOf } from '../context.ts';
import { fail, failFor, printNote } from '../terminal/terminal.ts';

/** What continues a loop whose session is not open. */
export type Reopened = Extract<CarriedOn, { by: 'session' | 'prompt' }>;

/** The person has given their word already, so any prompt continues the loop. */
const CONTINUE = 'continue';

export async function openSession(loop: Loop, carriedOn: Reopened, runtime: Runtime): Promise<number> {
  const host = hostOf(loop);
  const found = findProgram(host, process.env);
  if (!found.ok) return fail(found.message, found.next);
  const refusal = refuseHost(host.headless, loop.project, runtime);
  if (refusal !== null) return failFor(refusal);
  const { args, hasPrompt } = sessionCommand(loop, host, carriedOn);
  printNote(`Da Capo: loop ${title(loop)} ${sayStatus(loop)}. Its session opens now.`);
  const { program } = found;
  const ended = await openHost(host, { program, args, folder: loop.project, stdin: 'inherit' });
  if ('why' in ended)
    return fail(`${program} could not be started: ${ended.why}`, 'dacapo doctor finds the cause.');
  const settled = await whileOpen(openById(loop.id, runtime), (open) =>
    settleSession(open, host, { how: ended.how, mustHear: hasPrompt }, runtime),
  );
  return typeof settled === 'number' ? settled : failFor(settled);
}

/** The hook comes along in any case: one that is registered twice is heard once. */
function sessionCommand(loop: Loop, { program, transcripts }: HostAdapter, carriedOn: Reopened) {
  const ours = program.sessionArguments(PLUGIN, placeOf(loop.project));
  const prompted = (words: string) => promptArguments(program.promptFlag, words);
  if (carriedOn.by === 'prompt') return { args: [...ours, ...prompted(carriedOn.prompt)], hasPrompt: true };
  const { session, prompt } = carriedOn;
  // The host was ended before its session began, for example at its question whether the folder can be
  // trusted.
  if (program.newSession !== null && transcripts.fileOf(session, process.env) === null)
    return { args: [...program.newSession(session), ...ours, ...prompted(prompt)], hasPrompt: true };
  const hasPrompt = program.resumesWithPrompt === true;
  const first = hasPrompt ? prompted(CONTINUE) : [];
  return { args: [...program.resumeSession(session), ...ours, ...first], hasPrompt };
}
