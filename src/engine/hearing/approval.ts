/**
 * Calls that need an approval. Such a call is refused, and a person is asked; once they approve, this very
 * call is let through by the host's permission mechanism, once. Unlike the rest of the guard, this fails
 * closed.
 */
import type { Request } from '#law/loop.ts';
import { approvalFor, untoldAnswers, MAX_REQUEST_CHARS } from '#law/waiting/requests.ts';
import { headOf, oneLine } from '#base/words/sanitize.ts';
import { sha256 } from '#base/files/sha256.ts';
import { SILENCE, type Answer, type ToolArrival, type ToolCall } from '#hosts/port/arrival.ts';
import { ruleTools } from '#hosts/tables/rules.ts';
import { openRequest, type AskedRequest } from '../requests/ask.ts';
import { syncRequests } from '../requests/sync.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { isDriven, type Runtime } from '#store/runtime.ts';
import type { Commands } from '#telling/audience.ts';
import { sayAnswer, sayHow } from '#telling/person/requests.ts';
import { approvalRule } from '#evidence/guard/approval-match.ts';
import type { LetThrough } from '#evidence/guard/judge.ts';
import { sayUnjudged } from '#evidence/guard/refusals.ts';
import { errorMessage } from '#base/shape.ts';

const MAX_RULE_CHARS = 200;
const LEFT_OUT_NOTE_CHARS = 60;

export function hearApproval(
  arrival: ToolArrival,
  { acts, open, place, variables }: LetThrough,
  runtime: Runtime,
): Answer {
  const rules = open.loop().people.approvals?.rules ?? [];
  if (rules.length === 0) return SILENCE;
  try {
    const call = arrival.call();
    const { host, commands } = arrival.from;
    const toMatch = { tool: call.tool, tools: ruleTools(host), acts };
    const rule = approvalRule(rules, toMatch, place(), variables());
    return rule === null ? SILENCE : settleCall(open, { call, rule, commands }, runtime);
  } catch (error) {
    const why = errorMessage(error);
    runtime.log(`PreToolUse refused, nobody could be asked: ${why}`);
    return deny(sayUnjudged(why));
  }
}

interface MatchedCall {
  readonly call: ToolCall;
  readonly rule: string;
  readonly commands: Commands;
}

function settleCall(open: OpenLoop, { call, rule, commands }: MatchedCall, runtime: Runtime): Answer {
  const digest = sha256(call.exact);
  syncRequests(open, runtime);
  const approval = release(open, digest, call, runtime);
  if (approval !== null) return letThrough(approval);
  const rejected = rejection(open, digest, runtime);
  if (rejected !== null) return deny(rejected);
  const text = visible(call.shown);
  // Nobody can agree to a command of which they see a part.
  if (call.isCommand && text.length > MAX_REQUEST_CHARS) return tooLong(rule);
  const asked = openRequest(
    open,
    {
      kind: 'approval',
      what: { tool: call.tool, digest, text: bounded(text) },
      why: `It matches the rule \`${rule}\`.`,
    },
    runtime,
  );
  return denyUntilApproved(asked, rule, commands, runtime);
}

/** Blanks push words out of sight, in a file as on a screen. */
function visible(text: string): string {
  return text
    .replace(/[^\S\n]{9,}/g, (run) => ` [${run.length} spaces] `)
    .replace(/(?:[^\S\n]*\n){5,}/g, (run) => `\n[${run.split('\n').length - 2} empty lines]\n`);
}

/** It says how much is left out: a text that just ends looks whole. */
function bounded(text: string): string {
  if (text.length <= MAX_REQUEST_CHARS) return text;
  const room = MAX_REQUEST_CHARS - LEFT_OUT_NOTE_CHARS;
  return `${headOf(text, room)}\n[${text.length - room} more characters are not shown]`;
}

function tooLong(rule: string): Answer {
  return deny(
    `Da Capo refuses this: it needs the approval of a person (${oneLine(rule, MAX_RULE_CHARS)}) ` +
      'and is too long to show. Make the call that needs approval on its own, in fewer than ' +
      `${MAX_REQUEST_CHARS} characters.`,
  );
}

function deny(toAgent: string): Answer {
  return { is: 'deny', toAgent, toPerson: null };
}

/**
 * A moved file opens our gate, and no more: whoever moved it, the host's own rules stay in force. Otherwise a
 * rule that asks for more control would hand an agent that can move a file what its host would have asked a
 * person about.
 */
function letThrough(approval: Request): Answer {
  const { answer } = approval;
  const isSurelyPerson = answer !== null && answer.is !== 'expired' && answer.by !== 'file';
  return isSurelyPerson ? { is: 'permit', why: `${approval.id} was ${sayHow(approval)}.` } : SILENCE;
}

/** The approval that this call uses; null: it has none. The journal decides which of two calls uses one. */
function release(open: OpenLoop, digest: string, { id }: ToolCall, runtime: Runtime): Request | null {
  // Without the host's id, two calls can't be told from two deliveries of one: then each counts as a call.
  const call = id === '' ? `${runtime.process} ${runtime.started}` : id;
  const approval = approvalFor(open.loop(), digest, call);
  if (approval === null) return null;
  if (approval.released === null) open.write({ type: 'released', at: runtime.now(), id: approval.id, call });
  open.keep();
  return open.loop().people.requests.find((one) => one.id === approval.id && one.released === call) ?? null;
}

/** The answer came while the agent worked, and it tries the same call again. */
function rejection(open: OpenLoop, digest: string, runtime: Runtime): string | null {
  const rejected = untoldAnswers(open.loop()).find(
    ({ what, answer }) => what.digest === digest && answer?.is === 'rejected',
  );
  if (rejected === undefined) return null;
  open.write({ type: 'told', at: runtime.now(), ids: [rejected.id] });
  open.keep();
  return sayAnswer(rejected);
}

function denyUntilApproved(asked: AskedRequest, rule: string, commands: Commands, { env }: Runtime): Answer {
  if (!asked.ok) return deny(`Da Capo refuses this: ${asked.message} Continue with the task without it.`);
  const { id } = asked.request;
  const asksWhom =
    `Da Capo: this call needs the approval of a person (${oneLine(rule, MAX_RULE_CHARS)}). ` +
    `A person has been asked (${id}). Do not do the same in another way.`;
  // A pass of the driver ends here: it goes on with a new one when the answer is there.
  if (isDriven(env))
    return { is: 'deny', toAgent: `${asksWhom} The loop waits for the answer.`, toPerson: null, ends: true };
  return {
    is: 'deny',
    toAgent:
      `${asksWhom} Do what you can do without it, then end your turn: the answer starts you again. ` +
      'Then try exactly the same call if you still need it; the permission system decides.',
    // The stop that follows says the rest: the same four lines twice would fill half of a small screen.
    toPerson:
      `Da Capo: the agent asks you for this call. ${commands.approve} ${id} or ${commands.reject} ` +
      `${id} answers it.`,
  };
}
