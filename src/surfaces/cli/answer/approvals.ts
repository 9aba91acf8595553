/** `dacapo approvals`: what waits for a person's answer. And what becomes of an answer on this machine. */
import { answer, openRequests } from '#engine/requests/answer.ts';
import type { LoopAction } from '#engine/steer/actions.ts';
import type { Runtime } from '#store/runtime.ts';
import type { Loop } from '#law/loop.ts';
import { hostOf } from '#hosts/tables/adapters.ts';
import { orOtherGates, sayRequest } from '#telling/person/requests.ts';
import { sayStatus, title } from '#telling/person/status.ts';
import { sayResume, projectRoot, shownPath } from '../context.ts';
import { failFor, headedTable, reply, linesWhen } from '../terminal/terminal.ts';
import { ago } from '#telling/time.ts';
import { oneLine } from '#base/words/sanitize.ts';
import type { CommandCall, GivenFlags } from '../command.ts';

export async function answerOnMachine(
  asked: string | null,
  { request: wanted, answer: given, note }: Extract<LoopAction, { is: 'answer' }>,
  json: boolean,
  runtime: Runtime,
): Promise<number> {
  const answered = answer({ id: wanted, answer: given, note, by: 'terminal' }, asked, runtime);
  if (!answered.ok) return failFor(answered);
  const { loop, request } = answered;
  const { id: requestId, kind, what } = request;
  return reply(
    json,
    { id: requestId, loop: loop.id, kind, what: what.text, answer: given, note, status: loop.status.is },
    `Da Capo: ${requestId} ${given === 'text' ? 'answered' : given}: ${sayRequest(request)}`,
    `Loop ${title(loop)} ${sayStatus(loop)}.`,
    ...sayResume(loop),
    ...sayPrompt(loop),
  );
}

/** Only some hosts can be woken. In the others the agent hears of an answer with the next prompt. */
function sayPrompt(loop: Loop): readonly string[] {
  const { hook, title: host } = hostOf(loop);
  const isAsleep = loop.status.is === 'running' && loop.driver === 'hook' && hook.wake === null;
  return linesWhen(isAsleep, `If ${host} has stopped, type any prompt in its session, for example: continue`);
}

const MAX_REQUEST_CHARS = 200;

export async function runApprovals(
  { all, json }: GivenFlags<'all' | 'json'>,
  { runtime }: CommandCall,
): Promise<number> {
  const open = openRequests(all ? null : projectRoot(), runtime);
  const [first] = open;
  if (first === undefined)
    return reply(
      json,
      open,
      all
        ? 'Nothing waits for your answer.'
        : 'Nothing of this project waits for your answer. dacapo approvals --all shows other projects.',
    );
  const heading = ['ID', 'LOOP', 'KIND', 'ASKED', ...(all ? ['PROJECT'] : []), 'WHAT'];
  const rows = open.map(({ id, loop, kind, asked_at, project, what }) => [
    id,
    loop,
    kind,
    ago(asked_at, runtime.now()),
    ...(all ? [shownPath(project)] : []),
    oneLine(what, MAX_REQUEST_CHARS),
  ]);
  const how =
    first.kind === 'question'
      ? `dacapo answer ${first.id} "…" answers it.`
      : `dacapo approve ${first.id} or dacapo reject ${first.id} --note "…" answers ` +
        `it${orOtherGates(first.kind, first.loop)}.`;
  return reply(json, open, ...headedTable(heading, rows), '', how);
}
