/** What a look at the ground of the checks means, by the outcome of the clean room. */
import { describe, expect, it } from 'vitest';
import {
  groundResult,
  packagesResult,
  sayGround,
  sayGroundChange,
  type GroundSeen,
  type RoomOutcome,
} from '#law/proof/ground.ts';
import { standingOf } from '#law/standing.ts';
import type { Tag } from '#law/proof/promise.ts';
import type { Proofs } from '#law/stop.ts';
import type { GateResult } from '#law/record/verdict.ts';
import {
  after,
  check,
  decided,
  MINUTE,
  NO_PROOFS,
  PROMISE,
  proof,
  running,
  saying,
  stop,
  tag,
} from '../given.ts';

const CHANGES = [{ path: 'a.test.js', how: 'changed' }] as const;
const RED: RoomOutcome = { is: 'red', fails: '`npm test` failed with exit code 1', output: 'one\n\ntwo' };
const UNLIKE: RoomOutcome = { ...RED, is: 'unlike' };

const SEEN: Omit<GroundSeen, 'room'> = {
  changes: CHANGES,
  dependencies: [],
  without: null,
  redFirst: false,
  wasRed: true,
  wasTold: false,
  hasFirstTests: false,
  mayChange: false,
};
const seen = (room: RoomOutcome | null, over: Partial<GroundSeen> = {}): GateResult =>
  groundResult({ ...SEEN, room, ...over });

describe('the gate result of the ground', () => {
  it.each<[string, RoomOutcome | null, Partial<GroundSeen>, Partial<GateResult>]>([
    ['not asked', null, {}, { holds: true, ground: { is: 'unchanged', files: ['a.test.js'] } }],
    ['green', { is: 'green' }, {}, { holds: true, ground: { is: 'old', files: ['a.test.js'] } }],
    ['red', RED, {}, { holds: false, ground: { is: 'changed', files: ['a.test.js'] } }],
    ['red, but tests may change', RED, { mayChange: true }, { holds: true }],
    ['red, but there were no tests', RED, { hasFirstTests: true }, { holds: true }],
    ['unlike', UNLIKE, {}, { holds: false }],
    ['unlike, and told before', UNLIKE, { wasTold: true }, { holds: true, doubt: true }],
    ['unmade', { is: 'unmade', why: 'no disk' }, {}, { holds: true, doubt: true }],
    ['late', { is: 'late' }, {}, { holds: false, waits: true }],
    ['late, though tests may change', { is: 'late' }, { mayChange: true }, { holds: false, waits: true }],
    ['untested', { is: 'untested' }, {}, { holds: true, ground: { is: 'changed', files: ['a.test.js'] } }],
  ])('%s', (_what, room, over, expected) =>
    expect(seen(room, over)).toMatchObject({ gate: 'ground', trouble: null, ...expected }),
  );

  it('asks no person where the ground holds, or where the agent can mend it', () => {
    for (const gateResult of [
      seen({ is: 'green' }),
      seen(RED),
      seen(RED, { mayChange: true }),
      seen({ is: 'untested' }),
    ])
      expect(gateResult.doubt).toBeUndefined();
    expect(seen(UNLIKE).doubt).toBeUndefined();
    expect(seen(UNLIKE, { mayChange: true, wasTold: true }).doubt).toBeUndefined();
  });

  it('tells the agent what fails, what it changed, and that it cannot finish so', () => {
    const { says } = seen(RED);
    expect(says).toContain(
      '`npm test` failed with exit code 1 with the tests and configs as they were at the start',
    );
    expect(says).toContain("Changed since: a.test.js. You can't finish by changing them");
    expect(says).toContain('<promise>TESTS_CHANGED: why</promise>');
    expect(says).toContain('From its output:\n  | one\n  | two');
    expect(seen({ ...RED, output: ' \n' }).says).not.toContain('From its output');
  });

  it.each<[RoomOutcome | null, Partial<GroundSeen>, string]>([
    [null, {}, 'tests and configs are those of the start'],
    [{ is: 'untested' }, {}, 'tests or configs have changed: a.test.js'],
    [
      RED,
      { mayChange: true },
      'the checks pass with other tests or configs (--tests-may-change allows it): a.test.js',
    ],
    [
      RED,
      { hasFirstTests: true },
      'the checks pass with other tests or configs (there were none at the start): a.test.js',
    ],
    [
      UNLIKE,
      {},
      'The checks pass here and not in a clean copy of the same files: `npm test` failed with exit code 1. ' +
        'The copy has what git knows, so it lacks something that git does not. --setup CMD can prepare it. ' +
        'Changed tests or configs: a.test.js. From its output:\n  | one\n  | two',
    ],
    [
      { is: 'unmade', why: 'no disk' },
      {},
      'Tests or configs behind the checks have changed (a.test.js), and the checks could not be run with ' +
        'those of the start: no disk',
    ],
    [
      { is: 'late' },
      {},
      'tests or configs behind the checks have changed (a.test.js); the checks run again with those of the ' +
        'start',
    ],
  ])('says what it means: %j %j', (room, over, says) => expect(seen(room, over).says).toBe(says));

  it('quotes the last lines of the output', () => {
    const output = Array.from({ length: 7 }, (_, n) => `line ${n}`).join('\n');
    expect(seen({ ...RED, output }).says).toMatch(
      /From its output:\n {2}\| line 2\n(?:.*\n){3} {2}\| line 6$/,
    );
    expect(seen({ ...RED, output: '' }).says).toMatch(/a person decides$/);
  });

  it('keeps the names of the first hundred files', () => {
    const changes = Array.from({ length: 101 }, (_, n) => ({ path: `${n}`, how: 'changed' }) as const);
    expect(seen({ is: 'green' }, { changes }).ground?.files).toHaveLength(100);
  });

  it('in doubt, adds neither the new tests nor the dependencies', () => {
    const more = { without: 'green', dependencies: CHANGES } as const;
    const inDoubt = seen({ is: 'unmade', why: 'no disk' }, more);
    expect(inDoubt).toEqual(seen({ is: 'unmade', why: 'no disk' }));
  });

  it('names a few files, and counts the rest', () => {
    const changes = Array.from({ length: 7 }, (_, i) => ({ path: `${i}.test.js`, how: 'added' }) as const);
    const { says, ground } = seen({ is: 'green' }, { changes });
    expect(says).toContain('4.test.js (added), and 2 more');
    expect(ground?.files).toHaveLength(7);
  });
});

describe('the tests of now on the code of the start', () => {
  const run = (over: Partial<GroundSeen>) => seen({ is: 'green' }, over);

  it('fail there: the work is needed', () => {
    expect(run({ without: 'red', redFirst: true })).toMatchObject({
      holds: true,
      ground: { is: 'old', without: 'red' },
    });
  });

  it('pass there: it is told, and --red-first asks for another one', () => {
    const vacuous = 'pass on the code of the start as well, so they show nothing about the work';
    expect(run({ without: 'green' })).toMatchObject({ holds: true, says: expect.stringContaining(vacuous) });
    expect(run({ without: 'green', redFirst: true })).toMatchObject({
      holds: false,
      says: `the new tests ${vacuous}, and --red-first asks for tests that fail without it`,
      ground: { is: 'old', files: ['a.test.js'], without: 'green' },
    });
  });

  it.each<[Partial<GroundSeen>, string]>([
    [
      { redFirst: true, wasRed: false },
      'no test fails without your work, and --red-first asks for one: add a test that fails on the code of ' +
        'the start and passes now',
    ],
    [
      { without: 'unknown', redFirst: true, wasRed: false },
      'the checks also pass with the tests and configs of the start; changed since: a.test.js. The new tests ' +
        'could not be run on the code of the start, and --red-first asks for one that fails there',
    ],
    [{ without: 'late' }, 'the new tests run on the code of the start'],
  ])('%j is told', (over, says) => expect(run(over)).toMatchObject({ gate: 'ground', trouble: null, says }));

  it.each<[string, Partial<GroundSeen>, Partial<GateResult>]>([
    ['no new tests, and a check was red', { redFirst: true }, { holds: true }],
    ['no new tests, and none was red', { redFirst: true, wasRed: false }, { holds: false }],
    ['nobody can tell', { without: 'unknown', wasRed: false }, { holds: true }],
    ['nobody can tell, but a check was red', { without: 'unknown', redFirst: true }, { holds: true }],
    [
      'nobody can tell, and it is a gate',
      { without: 'unknown', wasRed: false, redFirst: true },
      { holds: true, doubt: true },
    ],
    ['no time is left', { without: 'late', redFirst: true }, { holds: false, waits: true }],
  ])('%s', (_what, over, expected) => {
    const { holds, doubt = false, waits = false } = run(over);
    expect({ holds, doubt, waits }).toEqual({ doubt: false, waits: false, ...expected });
  });
});

describe('dependencies that the project asks for by now', () => {
  const dependencies = [{ path: 'node_modules/c', how: 'added' }] as const;

  it('complete the loop, but nothing is proven', () => {
    expect(seen(null, { changes: [], dependencies })).toMatchObject({
      holds: true,
      says:
        'tests and configs are those of the start. The loop also changed what the project depends on ' +
        '(node_modules/c (added)), which the checks depend on as well, so nothing is called proven',
      ground: { is: 'changed', files: ['node_modules/c (added)'], dependencies: ['node_modules/c (added)'] },
    });
    expect(seen({ is: 'green' }, { dependencies })).toMatchObject({
      holds: true,
      ground: { is: 'changed', files: ['a.test.js', 'node_modules/c (added)'] },
    });
  });

  it('do not hide that the checks fail with the tests of the start', () =>
    expect(seen(RED, { dependencies })).toMatchObject({ holds: false, ground: { files: ['a.test.js'] } }));
});

describe('dependencies of the start that changed', () => {
  const changes = [{ path: 'node_modules/a', how: 'changed' }] as const;

  it.each(['unasked', 'asked', 'in the room', 'outside'] as const)(
    '%s: the agent is told; then a person is asked',
    (how) => {
      const told = packagesResult(changes, how, false);
      expect(told).toMatchObject({ holds: false, says: expect.stringContaining('Put them back') });
      expect(told.doubt).toBeUndefined();
      expect(packagesResult(changes, how, true)).toMatchObject({
        holds: true,
        doubt: true,
        ground: { is: 'changed' },
      });
    },
  );
});

it('says that dependencies which the task needs may stay, only where something asks for them', () => {
  const says = (how: 'unasked' | 'asked' | 'in the room') => packagesResult(CHANGES, how, false).says;
  const kept = 'If the task needs them, leave them: a person is asked at the next stop';
  expect(says('asked')).toMatch(new RegExp(`Put them back as they were installed. ${kept}$`));
  for (const how of ['unasked', 'in the room'] as const)
    expect(says(how)).toMatch(/Put them back as they were installed$/);
});

it('what lies outside of the project is named as such', () => {
  const { says } = packagesResult([{ path: '~/.npmrc', how: 'added' }], 'outside', false);
  expect(says).toMatch(
    /^Settings or programs outside of the project.* ~\/\.npmrc \(added\)\. Put them back as they were$/,
  );
});

it('says how a file changed, unless it only changed', () => {
  expect(sayGroundChange({ path: 'a', how: 'changed' })).toBe('a');
  expect(sayGroundChange({ path: 'a', how: 'deleted' })).toBe('a (deleted)');
  expect(sayGroundChange({ path: 'a', how: 'touched' })).toBe('a (touched while the checks ran)');
});

it.each([
  [
    14,
    ['package.json', 'vitest.config.ts'],
    'its tests: 14 files; its configs: package.json, vitest.config.ts',
  ],
  [1, [], 'its tests: 1 file'],
  [0, ['Makefile'], 'no tests found; its configs: Makefile'],
])('the start counts %i tests and names %j', (tests, configs, says) =>
  expect(sayGround(tests, configs)).toBe(says),
);

describe('the law', () => {
  const loop = running({ gates: [check('npm test')] });
  const checks = [proof('npm test', { is: 'passed' })];
  const OTHER_TESTS = tag('TESTS_CHANGED: the law has changed');
  const judge = (seenNow: Partial<Proofs>, tags: readonly Tag[]) =>
    decided(loop, stop(), { ...NO_PROOFS, ...seenNow, said: saying(tags, loop) }, after(MINUTE));
  const judged = (gateResult: GateResult, ...tags: Tag[]) =>
    judge({ checks, gateResults: [gateResult] }, tags);

  it('completes on old ground', () => expect(judged(seen({ is: 'green' }))).toEqual({ is: 'complete' }));

  it('continues on red ground, with that as the one thing missing', () => {
    expect(judged(seen(RED))).toMatchObject({ is: 'continue', missing: [{ gate: 'ground', holds: false }] });
  });

  it('asks a person in doubt', () =>
    expect(judged(seen(UNLIKE, { wasTold: true }))).toMatchObject({
      is: 'allow',
      why: 'approval',
      asks: { kind: 'completion' },
    }));

  it('looks again later where the stop had no time for the room', () => {
    const late = seen({ is: 'late' });
    expect(judged(late)).toMatchObject({ is: 'allow', why: 'not-yet' });
    const protectedFiles: GateResult = { gate: 'protected', holds: true, says: '', trouble: null };
    const both = [protectedFiles, late];
    expect(judge({ checks, gateResults: both }, [])).toMatchObject({ is: 'allow', why: 'not-yet' });
    expect(judge({ gateResults: [late] }, [])).toMatchObject({ is: 'continue' });
  });

  it('asks a person to accept other tests, if the agent says so and nothing else is missing', () => {
    expect(judged(seen(RED), OTHER_TESTS)).toMatchObject({
      is: 'allow',
      why: 'approval',
      asks: {
        kind: 'acceptance',
        text:
          'The agent says that the task asks for other tests: the law has changed. The checks pass with the ' +
          'tests of now, and not with those of the start. Do you accept it as done?',
      },
    });
    expect(judged(seen({ is: 'green' }), OTHER_TESTS)).toEqual({ is: 'complete' });
    expect(judge({}, [OTHER_TESTS])).toMatchObject({ is: 'continue', missing: [{ gate: 'check' }] });
  });

  it('counts it as the claim, alone and beside the promise', () => {
    const promised = running({ gates: [PROMISE, check('npm test')] });
    for (const tags of [[OTHER_TESTS], [tag('COMPLETE'), OTHER_TESTS]])
      expect(saying(tags, promised)).toMatchObject({
        kept: true,
        contradicted: false,
        distress: { is: 'tests_changed', words: 'the law has changed' },
      });
  });

  it('a red ground keeps the frame open, however the gates are combined', () => {
    const any = running({ gates: [check('npm test'), check('npm run lint')], require: 'any' });
    const proofs = { said: null, checks, gateResults: [seen(RED)], features: null };
    expect(standingOf(any.frame, proofs)).toMatchObject({ holds: false, done: false });
    expect(standingOf(any.frame, { ...proofs, gateResults: [] })).toMatchObject({ holds: true });
  });
});
