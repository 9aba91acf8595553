/** The lines that a person reads, word for word: one for each turn of events. */
import { sayGates } from '#telling/gates.ts';
import { describe, expect, it } from 'vitest';
import type { Definition, FrameRecord, Gate, MovedBaseline } from '#law/record/definition.ts';
import type { Actor, Event, EventOf } from '#law/record/events.ts';
import type { Missing, Popped, Verdict } from '#law/record/verdict.ts';
import { fold } from '#law/fold/index.ts';
import { type Loop } from '#law/loop.ts';
import { sayStatus } from '#telling/person/status.ts';
import { sayShortened, sayTurn } from '#telling/person/nesting.ts';
import { sayEnded, sayInner } from '#telling/person/ended.ts';
import {
  sayContinue,
  sayGoesOn,
  sayPaused,
  sayPushed,
  sayStarted,
  sayCap,
} from '#telling/person/to-person.ts';
import { TERMINAL } from '#telling/audience.ts';
import { sayHold } from '#engine/hearing/say-hold.ts';
import { clockTime } from '#telling/time.ts';
import {
  GO_ON,
  HOUR,
  MINUTE,
  MOVE,
  PROMISE,
  UNREADABLE,
  after,
  check,
  checkBegun,
  claim,
  created,
  features,
  list,
  pass,
  running,
  told,
  verdict,
} from '../../law/given.ts';

const ID = 'RALPH_20260105_abc123';
const HOOKS = { kind: 'hooks', names: ['release', 'docs'], timeoutMs: 1, allMs: 1, mark: null } as const;
const LIST = { from: { is: 'file', file: 'todo.md' }, most: 9 } as const;
const ITEM = { id: 'i2', title: 'Fix the login', n: 2, of: 5 };
const FRAME: FrameRecord = {
  mode: 'loop',
  prompt: 'inner',
  gates: [PROMISE],
  require: 'all',
  atLeast: 0,
  iterations: 5,
  items: null,
  item: null,
};

function pushed(over: Partial<FrameRecord> = {}, prompt: string | null = 'p1'): Event {
  return { type: 'pushed', at: after(MINUTE), by: 'session', prompt, frame: { ...FRAME, ...over } };
}

function ended(said: Verdict, definition: Partial<Definition> = {}): Loop {
  return running(definition, claim(1), verdict(1, { verdict: said }));
}

function popped(over: Partial<Popped> = {}): Popped {
  return { mode: 'issue', outcome: 'complete', why: 'proven done', item: 'A', iterations: 2, ...over };
}

describe('a loop that starts', () => {
  it('says when it is done and what bounds it', () => {
    expect(sayStarted(running())).toBe(
      `Da Capo: loop ${ID} started. Done when: <promise>COMPLETE</promise>. Limits: at most 50 iterations, 24 h of work; no limit on cost.`,
    );
  });

  it('names every gate, and every bound that was asked for', () => {
    const gates = [PROMISE, check('npm test'), features(), MOVE, HOOKS];
    const bounds = { iterations: 1, timeMs: null, costUsd: 5, tokens: 2_000_000, stalls: 8 };
    const said = sayStarted(running({ name: 'login', gates, atLeast: 3, ...bounds }));
    expect(said).toContain(
      `loop "login" (${ID}) started. Done when: <promise>COMPLETE</promise> and \`npm test\` passes and every item of feature_list.json passes and Needs_Action/INVOICE_client.md is in Done/ and the stop hooks agree (release, docs), not before iteration 3.`,
    );
    expect(said).toMatch(
      /Limits: at most 1 iteration, no time limit, .*\$5\.00.*, 8 stops without progress\.(\n|$)/,
    );
    expect(said).not.toContain('no limit on cost');
  });

  it('names what is protected, and the patterns that match nothing', () => {
    const said = sayStarted(running({ protect: ['tests/**', 'spec/**'], unmatched: ['spec/**'] }));
    expect(said).toContain('Done when: <promise>COMPLETE</promise>, and tests/**, spec/** stay as they are.');
    expect(said.split('\n').slice(1)).toEqual([
      'Note: no file matches --protect spec/**, so there is nothing to keep; making such a file counts as a change.',
    ]);
    expect(sayStarted(running({ protect: ['tests/**'] }))).not.toContain('Note:');
  });

  it('where any gate is enough, or no limit was asked for', () => {
    const said = sayStarted(
      running({ gates: [PROMISE, check('npm test')], require: 'any', iterations: null }),
    );
    expect(said).toContain('Done when: <promise>COMPLETE</promise> or `npm test` passes.');
    expect(said).toContain('Limits: iterations without limit, 24 h of work');
  });

  it('passes on what the person may have meant otherwise', () => {
    const notes = (...gates: Gate[]) => sayStarted(running({ gates })).split('\n').slice(1);
    const moved = (warning: MovedBaseline['warning']): Gate => ({
      ...MOVE,
      baseline: { ...MOVE.baseline, warning },
    });
    expect(notes(PROMISE, features(), MOVE)).toEqual([]);
    expect(notes(features(list(3)), moved('absent'))).toEqual([
      'Note: every item of feature_list.json passes already.',
      'Note: Needs_Action/INVOICE_client.md does not exist: the loop is done when a file of that name arrives in Done/.',
    ]);
    expect(notes(features(UNREADABLE), moved('no-file'))).toEqual([
      'Note: feature_list.json is empty. If that is still so when the agent stops, the loop ends there and asks for you.',
      'Note: Needs_Action/INVOICE_client.md is not a regular file: only its name will be looked for in Done/.',
    ]);
    expect(notes(moved('done-already'))).toEqual([
      'Note: Needs_Action/INVOICE_client.md is in its done folder already: the loop is done when it is written there again.',
    ]);
    expect(notes(moved('folder-unreadable'))).toEqual([
      "Note: Done/ can't be read, so it can't be seen whether Needs_Action/INVOICE_client.md arrives there.",
    ]);
  });
});

describe('an inner task', () => {
  it('says what it is done by, and that the loop around it goes on', () => {
    expect(sayPushed(running({}, pushed()))).toBe(
      `Da Capo: loop ${ID} has an inner task now. Done when: <promise>COMPLETE</promise>. Limits: at most 5 iterations, and those of the loop around it, which continues afterwards.`,
    );
    expect(sayPushed(running({}, pushed({ item: ITEM })))).toContain(
      'has an inner task now. Item 2 of 5: Fix the login. Done when: <promise>COMPLETE</promise>. Limits: at most 5 iterations for each item,',
    );
  });

  it('goes on under its own number', () => {
    expect(sayGoesOn(running())).toBe(`Da Capo: loop ${ID} continues: iteration 1 of 50.`);
    expect(sayGoesOn(running({}, pushed()))).toContain('iteration 1 of 5 of the inner task.');
    expect(sayGoesOn(running({}, pushed({ item: ITEM, iterations: null })))).toContain(
      'iteration 1 (no limit) on item 2 of 5.',
    );
  });
});

describe('a stop', () => {
  it('that goes on names the first thing that is missing', () => {
    const loop = running({}, ...pass(1));
    expect(sayContinue(loop, GO_ON, TERMINAL)).toBe(
      'Da Capo: iteration 2 of 50; the promise <promise>COMPLETE</promise> has not been given.',
    );
    expect(sayContinue(loop, { ...GO_ON, missing: [] }, TERMINAL)).toBe('Da Capo: iteration 2 of 50.');
    const near: Missing = { gate: 'promise', wanted: 'COMPLETE', seen: 'it stood inside code' };
    expect(sayContinue(loop, { ...GO_ON, missing: [near] }, TERMINAL)).toBe(
      'Da Capo: iteration 2 of 50; the promise <promise>COMPLETE</promise> has not been given in the way that counts.',
    );
  });

  it('that the host may override says how to go on then', () => {
    const capped = { ...GO_ON, missing: [], capped: true };
    const words = (cap: string) =>
      `Da Capo: iteration 2 of 50. The host's cap ${cap} in a row without a tool call may end the turn here: dacapo resume then continues it.`;
    expect(sayContinue(running({}, ...pass(1)), capped, TERMINAL)).toBe(words('on stops'));
    expect(sayContinue(running({}, claim(1), verdict(1, { cap: 3 })), capped, TERMINAL)).toBe(
      words('of 3 stops'),
    );
    expect(sayCap(8)).toBe(
      "Note: this host ends a turn after 8 stops in a row without a tool call. `dacapo init`, or the plugin's option lift_cap, turns that off.",
    );
  });

  it('that is let through says for what', () => {
    const allow = { is: 'allow', shells: [], until: null } as const;
    expect(sayHold({ ...allow, why: 'queue' }, running(), TERMINAL)).toBe(
      'Da Capo: what you typed comes first. Unless it ends the loop, the loop continues after it.',
    );
    expect(sayHold({ ...allow, why: 'background' }, running(), TERMINAL)).toBe(
      'Da Capo: waiting for background work; no iteration is spent.',
    );
  });
});

describe('the status', () => {
  const paused = (why: EventOf<'paused'>['why'], by: Actor = 'session'): Event => ({
    type: 'paused',
    at: after(HOUR),
    by,
    why,
  });
  const capped = [claim(1), verdict(1, { verdict: { ...GO_ON, capped: true }, cap: 3 })];
  const interrupted = (why: EventOf<'interrupted'>['why']): Event => ({
    type: 'interrupted',
    at: after(HOUR),
    why,
    detail: 'logout',
  });
  const held = (what: EventOf<'held'>['for']): Event => ({
    type: 'held',
    at: after(0),
    for: what,
    until: after(HOUR),
  });
  const faulted = (fault: EventOf<'faulted'>['fault'], until: string | null): Event => ({
    type: 'faulted',
    at: after(0),
    fault,
    detail: 'overloaded',
    attempt: 1,
    until,
    evidence: null,
    used: null,
  });
  const cancelled = (by: Actor): Event => ({ type: 'cancelled', at: after(0), by, prompt: null });
  const aborted = (evidence: string | null): Event => ({
    type: 'aborted',
    at: after(0),
    why: 'view',
    detail: 'not ours',
    evidence,
  });
  const wait: Verdict = { is: 'allow', why: 'background', shells: [], until: after(HOUR) };

  it.each<[string, Loop]>([
    ['is ready and waits for a prompt', told(created())],
    ['is ready and waits for dacapo run', told(created({ driver: 'fresh' }))],
    ['is running, iteration 2 of 50', running({}, ...pass(1))],
    [
      'is waiting for background work, iteration 1 of 50',
      running({}, claim(1), verdict(1, { verdict: wait })),
    ],
    [
      `is waiting for the next iteration, until ${clockTime(after(HOUR))}, iteration 1 of 50`,
      running({}, held('pause')),
    ],
    [
      `is waiting for the limit of calls per hour, until ${clockTime(after(HOUR))}, iteration 1 of 50`,
      running({}, held('rate')),
    ],
    [
      `is waiting for another try, because nothing changed, until ${clockTime(after(HOUR))}, iteration 1 of 50`,
      running({}, held('circuit')),
    ],
    [
      `is waiting for the host to recover, until ${clockTime(after(HOUR))}, iteration 1 of 50`,
      running({}, faulted('crashed', after(HOUR))),
    ],
    [
      `is waiting for the host's usage limit to reset, until ${clockTime(after(HOUR))}, iteration 1 of 50`,
      running({}, faulted('limit', after(HOUR))),
    ],
    ['paused after 0 iterations (from the session)', running({}, paused('command'))],
    ['paused after 0 iterations (from a terminal)', running({}, paused('command', 'terminal'))],
    ['paused after 1 iteration: you typed a prompt of your own', running({}, ...pass(1), paused('prompt'))],
    ['paused after 0 iterations: the session was cleared', running({}, paused('clear'))],
    [
      "paused after 1 iteration: the host's cap on stops without a tool call ended the turn",
      running({}, ...capped, paused('prompt')),
    ],
    ['interrupted after 0 iterations: the session ended (logout)', running({}, interrupted('session-end'))],
    [
      'interrupted after 0 iterations: the host reported an error (logout)',
      running({}, interrupted('fault')),
    ],
    [
      "interrupted after 1 iteration: the host's cap of 3 stops in a row without a tool call ended the turn",
      running({}, ...capped, interrupted('session-end')),
    ],
    ['completed after 1 iteration: the agent says that it is done', ended({ is: 'complete' })],
    [
      'completed after 1 iteration: one of its gates holds (said by the agent)',
      ended({ is: 'complete' }, { gates: [PROMISE, MOVE], require: 'any' }),
    ],
    [
      'completed after 1 iteration: every item is done (said by the agent)',
      ended({ is: 'complete' }, { mode: 'grind', items: LIST }),
    ],
    [
      'stopped after 1 iteration and needs you: every item had its turn, and 1 of them is not done',
      ended({ is: 'escalate', why: { is: 'undone', items: 1 }, missing: [] }),
    ],
    [
      'stopped after 1 iteration and needs you: every item had its turn, and 2 of them are not done',
      ended({ is: 'escalate', why: { is: 'undone', items: 2 }, missing: [] }),
    ],
    [
      'stopped: max iterations reached (1 iteration)',
      ended({ is: 'exhaust', limit: 'iterations', missing: [] }, { iterations: 1 }),
    ],
    [
      'stopped: the agent says that it has used up its iterations (1 iteration)',
      ended({ is: 'exhaust', limit: 'iterations', missing: [] }, { iterations: null }),
    ],
    [
      'stopped: the agent says that it has done as many issues as it may (1 iteration)',
      ended({ is: 'exhaust', limit: 'items', missing: [] }),
    ],
    [
      'stopped: max items reached (0, in 1 iteration)',
      ended({ is: 'exhaust', limit: 'items', missing: [] }, { mode: 'grind', items: LIST }),
    ],
    [
      'stopped: time limit of 24 h reached after 1 iteration',
      ended({ is: 'exhaust', limit: 'time', missing: [] }),
    ],
    [
      'stopped as stale after 0 iterations: nothing happened for more than 2 h',
      ended({ is: 'exhaust', limit: 'staleness', missing: [] }),
    ],
    [
      'stuck after 1 iteration: the same again',
      ended({ is: 'exhaust', limit: 'stagnation', detail: 'the same again', missing: [] }),
    ],
    [
      'stopped after 1 iteration and needs you: the agent says that it is stuck',
      ended({ is: 'escalate', why: { is: 'stuck', words: '' }, missing: [] }),
    ],
    [
      'stopped after 1 iteration and needs you: the agent says that it is blocked: no key',
      ended({ is: 'escalate', why: { is: 'blocked', words: 'no key' }, missing: [] }),
    ],
    [
      'stopped after 1 iteration and needs you: the agent says that it is blocked',
      ended({ is: 'escalate', why: { is: 'blocked', words: '' }, missing: [] }),
    ],
    [
      'stopped after 1 iteration and needs you: the agent asks for a person: which one?',
      ended({ is: 'escalate', why: { is: 'asked', words: 'which one?' }, missing: [] }),
    ],
    [
      'stopped after 1 iteration and needs you: the agent asks for a person',
      ended({ is: 'escalate', why: { is: 'asked', words: '' }, missing: [] }),
    ],
    [
      'stopped after 1 iteration and needs you: todo.md is gone, so nothing can be proven',
      ended({ is: 'escalate', why: { is: 'unreadable', why: 'todo.md is gone' }, missing: [] }),
    ],
    [
      'stopped after 1 iteration and needs you: the config has changed',
      ended({ is: 'escalate', why: { is: 'vetoed', why: 'the config has changed' }, missing: [] }),
    ],
    [
      'stopped after 1 iteration and needs you: check `npm test` could not be run (not found), so nothing can be proven',
      ended({
        is: 'escalate',
        why: { is: 'unprovable', command: 'npm test', error: 'not found' },
        missing: [],
      }),
    ],
    [
      'stopped after 0 iterations and needs you: the host reports an error that no retry can fix (overloaded)',
      running({}, faulted('fatal', null)),
    ],
    ['cancelled after 0 iterations (from the session)', running({}, cancelled('session'))],
    ['cancelled after 0 iterations (from a terminal)', running({}, cancelled('terminal'))],
    ['cancelled after 0 iterations (its state file was deleted)', running({}, cancelled('view'))],
    [
      'cancelled after 0 iterations (by the agent itself, on the command line)',
      running({}, cancelled('agent')),
    ],
    ['cancelled after 0 iterations (by the host)', running({}, cancelled('host'))],
    ['aborted after 0 iterations: not ours', running({}, aborted(null))],
    [
      'aborted after 0 iterations: not ours; what was found is kept in evidence/1.md',
      running({}, aborted('evidence/1.md')),
    ],
  ])('%s', (words, loop) => {
    expect(sayStatus(loop)).toBe(words);
  });

  it('of a loop that is made ready for a session names it', () => {
    const ready = (...events: Event[]) => ({ ...running({}, ...events), status: { is: 'pending' } }) as const;
    expect(sayStatus(ready())).toBe('is ready and begins with the next prompt or stop of session s1');
    expect(sayStatus(ready(...pass(1)))).toBe(
      'is ready and continues with the next prompt or stop of session s1',
    );
    expect(sayStatus({ ...running(), status: { is: 'interrupted', why: 'gone', detail: '' } })).toBe(
      'interrupted after 0 iterations: the process of its session is gone',
    );
    expect(
      sayStatus({
        ...running(),
        driver: 'fresh',
        status: { is: 'interrupted', why: 'gone', detail: '' },
      }),
    ).toBe('interrupted after 0 iterations: the process that ran it is gone');
  });

  it('counts the passes of inner tasks apart, and of items as the list’s own', () => {
    const inner = running({}, ...pass(1), pushed(), ...pass(2));
    expect(sayPaused(fold(inner, paused('command')) ?? inner, TERMINAL)).toBe(
      `Da Capo: loop ${ID} is paused after 1 iteration + 1 in inner tasks (from the session). dacapo resume continues it, dacapo cancel ends it.`,
    );
    const items = running({ mode: 'grind', items: LIST }, pushed({ item: ITEM }), claim(1), verdict(1));
    expect(sayStatus(fold(items, paused('command')) ?? items)).toBe(
      'paused after 1 iteration (from the session)',
    );
  });
});

describe('the message at an ending', () => {
  const missing: Missing[] = [
    { gate: 'promise', wanted: 'COMPLETE', seen: null },
    { gate: 'check', name: 'unit', command: 'npm test', outcome: 'failed with exit code 1' },
  ];

  it('says what was still open', () => {
    expect(sayEnded(ended({ is: 'exhaust', limit: 'iterations', missing }, { iterations: 1 }))).toBe(
      `Da Capo: loop ${ID} stopped: max iterations reached (1 iteration). Still open: the promise <promise>COMPLETE</promise> has not been given; check unit \`npm test\` failed with exit code 1. \`dacapo resume ${ID} --max-iterations 6\` gives it more.`,
    );
    expect(sayEnded(ended({ is: 'complete' }))).toBe(
      `Da Capo: loop ${ID} completed after 1 iteration: the agent says that it is done.`,
    );
  });

  it('ends with the next step, in the words of whoever reads it', () => {
    const here = { ...TERMINAL, resume: '/resume-ralph', cancel: '/cancel-ralph' };
    const blocked = { is: 'escalate', why: { is: 'blocked', words: 'no key' }, missing: [] } as const;
    expect(sayEnded(ended(blocked), here)).toMatch(/no key\. Fix that, then \/resume-ralph continues it\.$/);
    expect(sayEnded(ended(blocked))).toMatch(/Fix that, then `dacapo resume RALPH_\w+` continues it\.$/);
    // In its last iteration no word of a session is enough.
    expect(sayEnded(ended(blocked, { iterations: 1 }), here)).toMatch(
      / --max-iterations 6` gives it more\.$/,
    );
    const veto = { is: 'vetoed', why: 'Run dacapo trust, then dacapo resume' } as const;
    expect(sayEnded(ended({ is: 'escalate', why: veto, missing: [] }), here)).toMatch(
      /then dacapo resume\.$/,
    );
    const dear = ended({ is: 'exhaust', limit: 'cost', missing: [] }, { costUsd: 1 });
    expect(sayEnded(dear, here)).toMatch(/`dacapo resume RALPH_\w+ --max-cost 1\.50` gives it more\.$/);
  });

  it('says nothing twice: what a veto said, or what has shown no progress', () => {
    const veto = { is: 'vetoed', why: 'no release on Fridays' } as const;
    const said: Missing = { gate: 'hooks', says: veto.why };
    expect(sayEnded(ended({ is: 'escalate', why: veto, missing: [said] }))).not.toContain('Still open');
    const other: Missing = { gate: 'hooks', says: 'something else' };
    expect(sayEnded(ended({ is: 'escalate', why: veto, missing: [other] }))).toContain(
      ' Still open: something else.',
    );
    const stuck = ended({ is: 'exhaust', limit: 'stagnation', detail: 'the same again', missing });
    expect(sayEnded(stuck)).toBe(
      `Da Capo: loop ${ID} stuck after 1 iteration: the same again. It may be waiting for you: read its last message. \`dacapo resume ${ID}\` lets it try once more.`,
    );
  });

  it('nor what could not be run or read, but names what else is open', () => {
    const unprovable = { is: 'unprovable', command: 'npm test', error: 'no such program' } as const;
    const lacks = (command: string): Missing => ({ gate: 'check', name: null, command, outcome: 'failed' });
    expect(sayEnded(ended({ is: 'escalate', why: unprovable, missing: [lacks('npm test')] }))).not.toContain(
      'Still open',
    );
    const open = sayEnded(ended({ is: 'escalate', why: unprovable, missing: [...missing, lacks('tsc')] }));
    expect(open).toContain(
      ' Still open: the promise <promise>COMPLETE</promise> has not been given; check `tsc` failed.',
    );
    expect(open).not.toContain('check unit');

    const unreadable = { is: 'unreadable', why: 'the list is empty' } as const;
    const said: Missing = { gate: 'features', says: unreadable.why };
    expect(sayEnded(ended({ is: 'escalate', why: unreadable, missing: [said] }))).not.toContain('Still open');
    const asked = { is: 'asked', words: '' } as const;
    expect(sayEnded(ended({ is: 'escalate', why: asked, missing: [said] }))).toContain(
      ' Still open: the list is empty.',
    );
  });

  it('says that a resume gives undone items another turn', () => {
    const undone = (items: number) =>
      sayEnded(ended({ is: 'escalate', why: { is: 'undone', items }, missing: [] }));
    expect(undone(2)).toMatch(/ `dacapo resume \S+` gives what is undone another turn\.$/);
    expect(undone(0)).not.toContain('another turn');
    expect(sayEnded(ended({ is: 'escalate', why: { is: 'blocked', words: '' }, missing: [] }))).not.toContain(
      'another turn',
    );
  });

  it('tells what became of its items', () => {
    const begin = (definition: Partial<Definition>, ...ends: Popped[]): Loop => {
      const events = ends.flatMap((one, k) => [
        pushed({ item: one.item === null ? null : { ...ITEM, title: one.item } }),
        claim(k + 1),
        verdict(k + 1, { verdict: { ...GO_ON, popped: [one] } }),
      ]);
      return running(definition, ...events);
    };
    const grind = { mode: 'grind', items: LIST } as const;
    expect(sayInner(running())).toBe('');
    expect(sayInner(begin(grind, popped()))).toBe('1 of 1 item completed.');
    const undone = popped({ outcome: 'escalate', why: 'no key', item: 'B' });
    expect(sayInner(begin(grind, popped(), undone))).toBe(
      '1 of 2 items completed; not completed: B (no key).',
    );
    const nameless = popped({ outcome: 'exhaust', why: 'max iterations reached', item: null, mode: 'loop' });
    expect(sayInner(begin({}, nameless))).toBe(
      '0 of 1 inner task completed; ended undone: max iterations reached.',
    );
    const many = begin(grind, ...Array.from({ length: 22 }, () => undone));
    expect(sayInner(many)).toContain('0 of 22 items completed; not completed: B (no key), ');
    const two = begin(grind, undone, undone, ...Array.from({ length: 19 }, () => popped()));
    expect(sayInner(two)).toBe('19 of 21 items completed; not completed: B (no key), 1 earlier ones.');
    const over = fold(begin(grind, popped()), {
      type: 'cancelled',
      at: after(HOUR),
      by: 'session',
      prompt: null,
    });
    expect(over && sayEnded(over)).toContain('(from the session). 1 of 1 item completed.');
  });
});

describe('items that left the list without a turn', () => {
  const grind = running({ mode: 'grind', items: LIST });
  const without = (loop: Loop, ...items: string[]): Loop => {
    const gone = { by: 'unknown', frame: 1, file: 'todo.md', count: items.length, items } as const;
    return fold(loop, { type: 'shortened', at: after(HOUR), ...gone }) ?? loop;
  };

  it('are told once, with what to do', () => {
    const one = without(grind, 'Fix the login');
    const words = `1 item left the list without a turn, by an unknown hand: Fix the login. Put them back to work on them. If they were removed on purpose: \`dacapo resume ${ID} --accept-changes\`.`;
    expect(sayShortened(grind, one)).toBe(words);
    expect(sayShortened(one, one)).toBeNull();
    expect(sayShortened(grind, grind)).toBeNull();
    expect(sayInner(one)).toBe(words);
    expect(sayInner(grind)).toBe('');
  });

  it('and again when there are more; of many the first are named', () => {
    const one = without(grind, 'A');
    const many = without(one, ...Array.from({ length: 12 }, (_, k) => `item ${k + 1}`));
    const said = sayShortened(one, many) ?? '';
    expect(said).toMatch(/^12 items left the list .*: item 1, item 2, .*, and \d+ more\. Put them back/);
    expect(said).not.toContain('item 12');
  });

  it('of a frame that was not there before are news', () => {
    const loop = without(grind, 'A');
    expect(sayShortened({ ...loop, frame: { ...loop.frame, id: 99 } }, loop)).toContain(': A.');
  });
});

describe('a turn to another frame', () => {
  const turn = (before: Loop, over: Partial<typeof GO_ON>) => {
    const said = { ...GO_ON, ...over };
    const n = before.stops + 1;
    const loop = [claim(n), verdict(n, { verdict: said })].reduce<Loop>(
      (so, event) => fold(so, event) ?? so,
      before,
    );
    return sayTurn(before, loop, said);
  };

  it('is none where the same frame goes on', () => {
    expect(turn(running(), {})).toBeNull();
  });

  it('tells how an inner task ended, and that the one around it goes on', () => {
    const task = popped({ mode: 'loop', item: null, iterations: 1 });
    expect(turn(running({}, pushed()), { popped: [task] })).toBe(
      'The inner task is done after 1 iteration. Back to the task around it: iteration 1 of 50 continues.',
    );
    expect(
      turn(running({}, pushed()), {
        popped: [{ ...task, outcome: 'escalate', why: 'no key', iterations: 2 }],
      }),
    ).toBe(
      'The inner task ended undone after 2 iterations: no key. Back to the task around it: iteration 1 of 50 continues.',
    );
  });

  it('tells of every frame that ended, from the innermost, and of an item without a number by its title', () => {
    const item = pushed({ mode: 'issue', item: ITEM });
    const deep = running({ mode: 'loop' }, pushed({ mode: 'grind', items: LIST }), item);
    const ended = [popped({ item: ITEM.title }), popped({ mode: 'grind', item: null, iterations: 1 })];
    expect(turn(deep, { popped: ended })).toBe(
      'Item 2 of 5 (Fix the login) is done after 2 iterations. The list of items is done after 1 iteration. Back to the task around it: iteration 1 of 50 continues.',
    );
    expect(turn(running({}, pushed()), { popped: [popped({ item: 'A title' })] })).toContain(
      'Item (A title) is done after 2 iterations.',
    );
  });

  it('tells of items by their number and title', () => {
    const items = running({ mode: 'grind', items: LIST });
    const next = { ...ITEM, id: 'i3', n: 3, title: 'Fix the logout', prompt: 'h3' };
    expect(turn(items, { item: next })).toBe('Item 3 of 5 begins: Fix the logout.');
    const inItem = running({ mode: 'grind', items: LIST }, pushed({ mode: 'issue', item: ITEM }));
    expect(turn(inItem, { popped: [popped({ item: ITEM.title })], item: next })).toBe(
      'Item 2 of 5 (Fix the login) is done after 2 iterations. Item 3 of 5 begins: Fix the logout.',
    );
    expect(turn(inItem, { popped: [popped({ item: ITEM.title })] })).toBe(
      'Item 2 of 5 (Fix the login) is done after 2 iterations. No item is left, but the work as a whole is not proven done yet.',
    );
    expect(
      turn(running({}, pushed({ mode: 'grind' })), { popped: [popped({ mode: 'grind', item: null })] }),
    ).toContain('The list of items is done after 2 iterations.');
  });

  it('tells of a task that was pushed while the agent worked', () => {
    const unseen = running({}, pushed({}, null));
    expect(unseen.frame.promptGiven).toBe(false);
    expect(turn(unseen, {})).toBe(
      'An inner task comes first; the task around it continues when it is done: iteration 1 of 5 of the inner task begins.',
    );
  });
});

it('a check that passed before the loop began is not enough, and every list of the gates says so', () => {
  const frame = (begun: 'passed' | 'failed') =>
    sayGates(running({ gates: [checkBegun('npm test', begun)] }).frame);
  expect(frame('passed')).toMatch(/^<promise>COMPLETE<\/promise> and `npm test` passes \(as it did/);
  expect(frame('failed')).toBe('`npm test` passes');
});
