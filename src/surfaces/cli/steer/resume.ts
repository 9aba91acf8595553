/**
 * `dacapo resume`: reopens a loop that is paused, interrupted or ended unfinished. At a terminal it opens the
 * session of the loop; elsewhere it says what to type.
 */
import { few, plural } from '#law/words/phrases.ts';
import type { Loop } from '#law/loop.ts';
import type { Accepted } from '#engine/trust/trust.ts';
import type { LoopAction } from '#engine/steer/actions.ts';
import { resume, type CarriedOn } from '#engine/steer/resume.ts';
import { sayChange } from '#evidence/proofs/changes.ts';
import { sayStatus, title } from '#telling/person/status.ts';
import { hostOf } from '#hosts/tables/adapters.ts';
import { promptWord, sayNeedsHook } from '../begin/ready.ts';
import type { Runtime } from '#store/runtime.ts';
import { replyFor, waitForRelease, here, choiceOf, actor } from '../context.ts';
import { PLUGIN } from '#base/process/package.ts';
import { isConversation } from '../terminal/confirm.ts';
import { failFor, paint, printLines, verbatim, linesWhen, type Line } from '../terminal/terminal.ts';
import { shellWord } from '#base/words/shell-quote.ts';

const MAX_FILES_LISTED = 10;

type ResumeAction = Extract<LoopAction, { is: 'resume' }>;

export async function resumeOnMachine(
  id: string | undefined,
  { limits = {}, checkpoint, acceptChanges = false }: ResumeAction,
  json: boolean,
  runtime: Runtime,
): Promise<number> {
  const order = { ...choiceOf(id), checkpoint, acceptChanges, limits, by: actor() };
  const resumed = await waitForRelease(() => resume(order, runtime));
  if (!resumed.ok) return failFor(resumed);
  const { loop, carriedOn } = resumed;
  const accepted = resumed.accepted === null ? [] : sayAccepted(resumed.accepted);
  if (carriedOn.by === 'run') {
    if (!json && accepted.length > 0) printLines(...accepted);
    const { runRun } = await import('../begin/run.ts');
    return runRun({ words: ['--loop', loop.id, ...linesWhen(json, '--json')], runtime });
  }
  if ((carriedOn.by === 'session' || carriedOn.by === 'prompt') && isConversation(json)) {
    if (accepted.length > 0) printLines(...accepted);
    return (await import('./open-session.ts')).openSession(loop, carriedOn, runtime);
  }
  return replyFor(loop, json, runtime, ...accepted, ...resumedLines(loop, carriedOn));
}

function sayAccepted({ changes, lists, gone }: Accepted): string[] {
  const files = few(changes ?? [], sayChange, MAX_FILES_LISTED).join(', ');
  const without = gone === 0 ? '' : `, without ${plural(gone, 'item')} that had no turn`;
  return [
    ...linesWhen(
      changes !== null,
      `Da Capo: the protected files are accepted as they are now${files && `: ${files}`}.`,
    ),
    ...linesWhen(lists.length > 0, `Da Capo: ${lists.join(', ')} is accepted as it is now${without}.`),
  ];
}

function resumedLines(loop: Loop, carriedOn: Exclude<CarriedOn, { by: 'run' }>): Line[] {
  const stands = `Da Capo: loop ${title(loop)} ${sayStatus(loop)}.`;
  const { program, commands } = hostOf(loop);
  switch (carriedOn.by) {
    case 'nobody':
      return [stands];
    case 'its-run':
      return [`Da Capo: loop ${title(loop)} no longer waits. It continues in the terminal that runs it.`];
    case 'prompt':
      return [
        stands,
        'It begins when a session gets its prompt first:',
        '',
        verbatim(`  ${command(loop, [promptWord(carriedOn.prompt, carriedOn.file)])}`),
        ...sayNeedsHook(hostOf(loop)),
      ];
    case 'open-session':
      return [
        stands,
        `Type ${commands === null ? 'any' : `${commands.resume}, or any other`} prompt, in that session.`,
      ];
    case 'session': {
      // `dacapo start` loaded the plugin and lifted the cap for that session only, so the command does both
      // again. Where the host chose the session, nobody knows who opened it; a hook that is there twice is
      // heard once.
      const extra =
        carriedOn.ours || program.newSession === null ? program.sessionArguments(PLUGIN).map(shellWord) : [];
      return [
        stands,
        'Open its session again and type any prompt, for example: continue',
        '',
        verbatim(`  ${command(loop, [...program.resumeSession(carriedOn.session), ...extra])}`),
      ];
    }
  }
}

function command(loop: Loop, words: readonly string[]): string {
  const folder = loop.project === here() ? '' : `cd ${shellWord(loop.project)} && `;
  return paint.bold(`${folder}${hostOf(loop).word} ${words.join(' ')}`);
}
