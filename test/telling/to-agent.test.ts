/** What the agent is told, word for word where a missing sentence would change what it does. */
import { describe, expect, it } from 'vitest';
import type { Definition } from '#law/record/definition.ts';
import type { Event, EventOf } from '#law/record/events.ts';
import type { Missing } from '#law/record/verdict.ts';
import { type Loop } from '#law/loop.ts';
import { brief, freshBrief, shortBrief, startBrief } from '#telling/agent/to-agent.ts';
import { continuation, hasMoreOpen } from '#telling/agent/continuation.ts';
import { isRestored, gateActs, whatIsOpen } from '#telling/agent/open-gates.ts';
import {
  GO_ON,
  HOUR,
  MINUTE,
  MOVE,
  PROMISE,
  after,
  check,
  claim,
  features,
  pass,
  proof,
  running,
  verdict,
} from '../law/given.ts';

const ID = 'RALPH_20260105_abc123';
const TASK = { prompt: 'Fix the bug.', file: '.claude/task.md' };
const LONG = { prompt: `Begin. ${'work '.repeat(600)}`, file: TASK.file };
const HOOKS = { kind: 'hooks', names: ['release'], timeoutMs: 1, allMs: 1, mark: null } as const;
const LIST = { from: { is: 'file', file: 'todo.md' }, most: 9 } as const;

const OPENING = `Da Capo runs this session in a loop (${ID}). This is iteration 1 of 50. When you stop before the task is proven done, you will be asked to continue.`;
const CLAIM =
  'When all of it is really done, and not before, end your message with this line, outside any code block or quote:\n\n<promise>COMPLETE</promise>';
const BLOCKED =
  "If you can't continue without a person, end with <promise>BLOCKED: the reason</promise> instead.";
const PERSON = `${BLOCKED}\n\nTo ask a person something and continue with the answer, end with <promise>ASK: your question</promise>. If no gate can show that the task is done, end with <promise>UNVERIFIABLE: why</promise>, and a person decides.`;

/** What stands behind the task: how this loop ends. */
function howToEnd(definition: Partial<Definition>, ...events: Event[]): string {
  const text = brief(running(definition, ...events), TASK);
  return text.slice(text.indexOf('Fix the bug.\n\n') + 'Fix the bug.\n\n'.length);
}

describe('the brief', () => {
  it('is the opening, the task, and how to end', () => {
    const whole = [OPENING, 'The task:\n\nFix the bug.', CLAIM, PERSON].join('\n\n');
    expect(brief(running(), TASK)).toBe(whole);
    expect(startBrief(running(), TASK)).toBe(whole);
  });

  it('tells a new agent who will be asked to continue after it', () => {
    expect(freshBrief(running(), TASK, 'somebody else')).toContain(
      'proven done, somebody else will be asked to continue.',
    );
  });

  it('gives a new agent all of a long task, since it has seen none of it', () => {
    const long = { ...LONG, prompt: `Begin. ${'work '.repeat(20_000)}End.` };
    expect(freshBrief(running(), long, 'you')).toContain(`The task:\n\n${long.prompt}`);
    const endless = { ...LONG, prompt: `Begin. ${'work '.repeat(100_000)}End.` };
    const cut = freshBrief(running(), endless, 'you');
    expect(cut.length).toBeLessThanOrEqual(200_000);
    expect(cut).toContain(
      '…\n\nThis is only part of the task; all of it is in .claude/task.md. Read the rest of it before you begin.',
    );
    expect(cut).toContain(CLAIM);
  });

  it('for a prompt that the agent has before it leaves the task out', () => {
    expect(shortBrief(running({}, ...pass(1)))).toBe(
      [
        `Da Capo runs this session in a loop (${ID}): the prompt above is its task, and this is iteration 2 of 50. When you stop before the task is proven done, you will be asked to continue.`,
        CLAIM,
        PERSON,
      ].join('\n\n'),
    );
  });

  it('tells a long task once more only where it is not in front of the agent', () => {
    expect(startBrief(running(), LONG)).toContain('The whole task is in .claude/task.md: read it again now');
    expect(startBrief(running(), LONG)).not.toContain('work work');
    expect(brief(running(), LONG)).toContain(LONG.prompt.trim());
    const item = { id: 'i1', title: 'A', n: 1, of: 2 };
    const frame = {
      mode: 'issue',
      prompt: 'h',
      gates: [PROMISE],
      require: 'all',
      atLeast: 0,
      iterations: 5,
      items: null,
      item,
    } as const;
    const inItem = running({}, { type: 'pushed', at: after(0), by: 'session', prompt: 'p1', frame });
    expect(startBrief(inItem, LONG)).toContain(LONG.prompt.trim());
  });

  it('of a task that is too long gives the beginning, and says where all of it stands', () => {
    const huge = { ...LONG, prompt: `Begin. ${'work '.repeat(5_000)}` };
    const text = brief(running(), huge);
    expect(text).toContain('The task (its beginning):\n\nBegin. work');
    expect(text).toContain(
      '…\n\nThe whole task is in .claude/task.md: read it again now if you no longer see all of it.',
    );
    const shown = text.slice(text.indexOf('Begin.'), text.indexOf('…'));
    expect(shown).toHaveLength(6_000);
  });

  it('for a new agent names what the pass before left open', () => {
    const missing: Missing[] = [
      { gate: 'check', name: 'unit', command: 'npm test', outcome: 'failed with exit code 1' },
    ];
    const proofs = [proof('npm test', { is: 'failed', exit: 1, tail: '1 failed' })];
    const loop = running({}, claim(1), verdict(1, { verdict: { ...GO_ON, missing }, proofs }));
    expect(freshBrief(loop, TASK, 'you')).toContain(
      `${PERSON}\n\nThe pass before you left this open. Still missing:\n- check unit \`npm test\` failed with exit code 1. From its output:\n\`\`\`\n1 failed\n\`\`\``,
    );
    const silent = running({}, claim(1), verdict(1, { verdict: { ...GO_ON, missing: [] } }));
    expect(freshBrief(silent, TASK, 'you')).not.toContain('left this open');
  });
});

describe('how a loop ends', () => {
  it('by the promise and what Da Capo runs and sees', () => {
    const gates = [PROMISE, check('npm test'), check('npm run lint'), features(), MOVE, HOOKS];
    expect(howToEnd({ gates })).toContain(
      `${CLAIM}\n\nDa Capo checks this itself: it runs \`npm test\`, \`npm run lint\`, and reads feature_list.json, where every item has to pass, and checks whether Needs_Action/INVOICE_client.md has arrived in Done/, and asks the stop hooks. Only that counts as proof.\n\n${PERSON}`,
    );
  });

  it('by what Da Capo sees alone', () => {
    expect(howToEnd({ gates: [check('npm test')] })).toBe(
      `Da Capo checks this itself: it runs \`npm test\`. Only that counts as proof. The loop ends when this holds at one of your stops.\n\n${PERSON}`,
    );
    expect(howToEnd({ gates: [check('npm test'), MOVE], require: 'any' })).toContain(
      'Done/. The loop ends when any of these holds at one of your stops.',
    );
  });

  it('by any one of several', () => {
    expect(howToEnd({ gates: [PROMISE, check('npm test')], require: 'any' })).toBe(
      `${CLAIM}\n\nDa Capo checks this itself: it runs \`npm test\`.\n\nAny one of these is enough, the promise or what Da Capo sees.\n\n${PERSON}`,
    );
  });

  it('not before the minimum, as long as that lies ahead', () => {
    const ahead = `The loop does not end before iteration 2.\n\n${PERSON}`;
    expect(howToEnd({ atLeast: 2 })).toBe(`${CLAIM}\n\n${ahead}`);
    expect(howToEnd({ atLeast: 2 }, ...pass(1))).toBe(`${CLAIM}\n\n${PERSON}`);
  });

  it('by a list of items that is read again', () => {
    const acts = (definition: Partial<Definition>) => gateActs(running(definition).frame);
    expect(acts({})).toEqual([]);
    expect(acts({ mode: 'grind', items: LIST })).toEqual([
      'reads the list of items again, where none may be left',
    ]);
  });
});

describe('the continuation', () => {
  const loop = running({}, ...pass(1));

  it('says that nothing but the promise is missing, or what else is', () => {
    const tail = ['The task:\n\nFix the bug.', CLAIM, BLOCKED].join('\n\n');
    const stands = 'Da Capo: iteration 2 of 50 begins. The task is not proven done yet.';
    expect(continuation(loop, GO_ON, TASK, false)).toBe(
      `${tail}\n\n${stands} The promise has not been given.`,
    );
    const check = {
      gate: 'check',
      name: null,
      command: 'npm test',
      outcome: 'failed with exit code 1',
    } as const;
    expect(continuation(loop, { ...GO_ON, missing: [...GO_ON.missing, check] }, TASK, false)).toBe(
      `${tail}\n\n${stands} Still open: the promise, and 1 more.`,
    );
    const news = { gate: 'news', says: `nothing ${'x'.repeat(200)}` } as const;
    expect(continuation(loop, { ...GO_ON, missing: [news] }, TASK, false)).toMatch(/ nothing x+…$/);
    expect(continuation(loop, { ...GO_ON, missing: [] }, TASK, false)).toBe(`${tail}\n\n${stands}`);
    expect(continuation(loop, { ...GO_ON, missing: [] }, TASK, false, { open: 'Still open.' })).toBe(
      `Still open.\n\n${tail}\n\n${stands}`,
    );
  });

  it('gives the task of another frame whole, in the words of the turn', () => {
    const text = continuation(loop, GO_ON, LONG, false, { turn: 'Item 2 begins.' });
    expect(text).toMatch(/^Item 2 begins\.\n\nThe task:\n\nBegin\. work/);
  });

  it('has more to say where a shell runs, a near miss was seen, or anything besides the promise is missing', () => {
    const near: Missing = { gate: 'promise', wanted: 'COMPLETE', seen: 'inside code' };
    const [promise] = GO_ON.missing;
    expect(hasMoreOpen(GO_ON)).toBe(false);
    expect(hasMoreOpen({ ...GO_ON, shells: ['npm run dev'] })).toBe(true);
    expect(hasMoreOpen({ ...GO_ON, missing: [near] })).toBe(true);
    expect(hasMoreOpen({ ...GO_ON, missing: [] })).toBe(true);
    expect(hasMoreOpen({ ...GO_ON, missing: promise ? [promise, near] : [] })).toBe(true);
  });

  it('lists what is missing, and says where one is enough', () => {
    const missing: Missing[] = [
      { gate: 'check', name: null, command: 'npm test', outcome: 'passed' },
      { gate: 'moved', says: 'not there' },
    ];
    const open = (definition: Partial<Definition>, lacks = missing) =>
      whatIsOpen(running(definition, ...pass(1)), { ...GO_ON, missing: lacks });
    expect(open({})).toBe('Still missing:\n- not there\n- check `npm test` passed');
    const any = { gates: [check('npm test'), MOVE], require: 'any' } as const;
    expect(open(any)).toBe(
      'Still missing (any one of these is enough):\n- not there\n- check `npm test` passed',
    );
    expect(open(any, missing.slice(1))).toBe('Still missing:\n- not there');
    expect(open({}, [])).toBe('');
  });

  it('names what still runs, and the first of many', () => {
    const shells = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    expect(whatIsOpen(loop, { ...GO_ON, shells })).toBe(
      "Still running in the background: `a`, `b`, `c`, `d`, `e`, and 2 more. Nobody waits for it: look at its output if you need it, end it if you don't.",
    );
  });
});

describe('what the next pass is told besides', () => {
  const asked = (n: number, next: string | null): EventOf<'asked'> => ({
    type: 'asked',
    at: after(MINUTE),
    n,
    next,
    since: null,
    mark: null,
    account: [],
  });
  const restored = (at: string): Event => ({
    type: 'restored',
    at,
    by: 'terminal',
    file: 'c1',
    words: 'Go on at phase 2.',
  });
  const open = (told: Loop) => whatIsOpen(told, GO_ON);

  it('the words of the stop hooks that were asked at this stop, and of no earlier one', () => {
    expect(open(running({}, claim(1), asked(1, 'Write the docs.'), verdict(1)))).toBe(
      'A stop hook of this loop says:\n\nWrite the docs.',
    );
    expect(open(running({}, claim(1), asked(1, null), verdict(1)))).toBe('');
    expect(open(running({}, claim(1), asked(1, 'Write the docs.'), verdict(1), ...pass(2)))).toBe('');
  });

  it('a checkpoint, until a pass has ended since', () => {
    expect(isRestored(running())).toBe(false);
    expect(isRestored(running({}, restored(after(0))))).toBe(true);
    const late = running({}, ...pass(1), restored(after(HOUR)));
    expect(isRestored(late)).toBe(true);
    expect(open(late)).toBe('Go on at phase 2.');
    const early = running({}, restored(after(0)), ...pass(1));
    expect(isRestored(early)).toBe(false);
    expect(open(early)).toBe('');
  });

  it('the next open item of the list', () => {
    expect(open(running({ gates: [features()] }, ...pass(1)))).toContain(
      '3 of 3 items in feature_list.json do not pass yet.',
    );
    expect(open(running({ gates: [features({ is: 'unreadable', why: 'gone' })] }, ...pass(1)))).toBe('');
  });
});
