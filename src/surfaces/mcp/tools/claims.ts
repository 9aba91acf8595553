/** What an agent says about its loop: that it is done, that it needs a person, a lesson, a question. */
import { declare } from '#engine/claims/claim.ts';
import type { Judgement } from '#engine/claims/judgement.ts';
import { MAX_LESSON_CHARS, type Declared } from '#law/loop.ts';
import { fields, flag, list, optional, word } from '#input/schema/schema.ts';
import { askPerson, noteLesson } from '#engine/agent/say.ts';
import { MAX_ANSWER_CHARS, count, heldBy, LOOP, loopId, loopFields, whichLoop, words } from '../fields.ts';
import { lookAtLoop, loopForTool } from '../read-loop.ts';
import type { ClientCall } from '#surfaces/tasks/task.ts';
import type { ToolContext } from '../tool-context.ts';
import { tool, type AnyTool } from '../tool.ts';

const MAX_SUMMARY_CHARS = 10_000;
const MAX_QUESTION_CHARS = 1_000;

const judged = fields('a judgement', {
  ...LOOP,
  decision: word('complete', 'continue', 'escalate', 'exhaust', 'allow'),
  words: words('The verdict in words.', MAX_ANSWER_CHARS),
  missing: list(words('What is missing.', MAX_ANSWER_CHARS), 'a list of texts'),
  next: words('What to do now.', MAX_ANSWER_CHARS),
});

async function judge(declared: Declared, id: string | undefined, call: ClientCall, context: ToolContext) {
  const meant = loopForTool(id, context);
  if (!meant.ok) return meant;
  const { signal, progress } = call;
  const answer = await declare({ ...meant, mode: 'record', signal, progress, ...declared }, context.runtime);
  if (!answer.ok) return answer;
  const { decision, reason, missing, loop, gates: tested } = answer;
  return { ...loopFields(loop, tested), decision, words: reason, missing, next: nextAfter(answer) };
}

function nextAfter({ decision, recorded, asks, nextLook, toAgent, loop }: Judgement): string {
  if (recorded === 'said') {
    const then = asks !== null ? 'a person is asked' : nextLook !== null ? 'the loop waits' : 'the loop ends';
    return `This is recorded. End your turn now: ${then} when you stop.`;
  }
  if (nextLook !== null)
    return (
      'A check says "not yet". Nothing looks again by itself here: call loop_claim again after ' +
      `${nextLook}.`
    );
  if (decision === 'allow') return untilAnswered(heldBy(loop));
  if (decision !== 'continue') return 'The loop has ended. You have nothing more to do here.';
  const toDoNext =
    heldBy(loop) === 'hook'
      ? 'Continue with the task.'
      : 'Continue with the task, then call loop_claim again: nothing holds you when you stop.';
  return toAgent === '' ? toDoNext : `${toAgent}\n\n${toDoNext}`;
}

function untilAnswered(by: 'hook' | 'calls'): string {
  const wait =
    by === 'hook'
      ? 'end your turn: you are woken with the answer.'
      : 'end your turn, and ask loop_status for the answer later: nothing wakes you here.';
  return `Continue with what does not depend on the answer. When nothing else is left, ${wait}`;
}

export const claimTools: readonly AnyTool[] = [
  tool({
    name: 'loop_claim',
    title: 'Claim that the task is done',
    description:
      'Claims that the task of the loop is done, with a summary of what you did. Da Capo runs the ' +
      'proof now and answers with what is missing. If every gate holds, end your turn: the loop ends ' +
      'then. Claim only what is true. It may take minutes.',
    input: fields('loop_claim', {
      summary: words('What you did, and how you know that it works.', MAX_SUMMARY_CHARS),
      loopId: whichLoop,
    }),
    output: judged,
    run: ({ summary, loopId: id }, call, context) =>
      judge({ what: 'done', words: summary }, id, call, context),
  }),
  tool({
    name: 'loop_block',
    title: 'Say that you need a person',
    description:
      "Says that you can't continue without a person, and why. The loop ends as blocked when you stop; " +
      'a person reads the reason. With unverifiable, the loop waits for a person, who accepts the ' +
      'task as done or sends it back. Use loop_ask for a question that someone can answer meanwhile.',
    input: fields('loop_block', {
      reason: words('What you need, in words that a person can act on.', MAX_SUMMARY_CHARS),
      unverifiable: optional(flag),
      loopId: whichLoop,
    }),
    output: judged,
    run: ({ reason, unverifiable, loopId: id }, call, context) =>
      judge({ what: unverifiable ? 'unverifiable' : 'blocked', words: reason }, id, call, context),
  }),
  tool({
    name: 'loop_note',
    title: 'Note something for later iterations',
    description:
      'Keeps one lesson for the next iterations: what you learned that the next pass should know. It ' +
      'is shown with the task. The last few are kept.',
    input: fields('loop_note', {
      text: words('The lesson, in a few sentences.', MAX_LESSON_CHARS),
      loopId: whichLoop,
    }),
    output: fields('notes', {
      loopId,
      notes: list(
        fields('a note', {
          iteration: count('When it was noted.'),
          text: words('The note.', MAX_ANSWER_CHARS),
        }),
        'a list of notes',
      ),
    }),
    hints: 'repeatable',
    run: async ({ text, loopId: id }, _call, context) => {
      const meant = loopForTool(id, context);
      if (!meant.ok) return meant;
      const noted = await noteLesson({ ...meant, text }, context.runtime);
      if (!noted.ok) return noted;
      const notes = noted.notes.map(({ pass, words: kept }) => ({ iteration: pass, text: kept }));
      return { loopId: meant.loop, notes };
    },
  }),
  tool({
    name: 'loop_ask',
    title: 'Ask a person',
    description:
      'Asks a person a question that only they can decide. Continue with what does not depend on it; ' +
      'when nothing else is left, end your turn. The loop waits for the answer, and loop_status ' +
      'shows it.',
    input: fields('loop_ask', {
      question: words('The question, in one or two sentences.', MAX_QUESTION_CHARS),
      why: optional(words('What the person has to know to answer.', MAX_QUESTION_CHARS)),
      loopId: whichLoop,
    }),
    output: fields('a question', {
      loopId,
      requestId: words('The request, as dacapo approvals shows it.'),
      expiresAt: words('Unanswered by then, the loop ends.'),
      next: words('What to do now.', MAX_ANSWER_CHARS),
    }),
    hints: 'repeatable',
    run: async ({ question, why = '', loopId: id }, _call, context) => {
      const meant = loopForTool(id, context);
      if (!meant.ok) return meant;
      const asked = await askPerson({ ...meant, question, why }, context.runtime);
      if (!asked.ok) return asked;
      const look = lookAtLoop(meant.loop, context);
      const next = untilAnswered(look.ok ? heldBy(look.report) : 'calls');
      return { loopId: meant.loop, requestId: asked.request.id, expiresAt: asked.request.expires, next };
    },
  }),
];
