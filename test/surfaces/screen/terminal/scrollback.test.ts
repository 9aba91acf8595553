import { describe, expect, test } from 'vitest';
import type { GateSeen, RunEvent } from '#engine/run-event.ts';
import { view } from '#surfaces/screen/view.ts';
import { timeOfDay } from '#telling/time.ts';
import { at, begins, frame, JUDGED, plain, run, says, SETTING, tool, toolEnded, USAGE } from '../given.ts';

describe('what is told', () => {
  test('words and deeds, with air between them and marks in the margin', () => {
    const { told } = run([
      begins(3),
      says('I look at it.\n\nThen I fix it.'),
      tool('a', 'Read', 'greet.mjs'),
      toolEnded('a', ''),
      tool('b', 'Bash', 'npm test'),
      toolEnded('b', `> test\n> node --test\n${'at line\n'.repeat(220)}# fail 1\nexit code 1`, true),
      says('Fixed.'),
      says('Really.'),
    ]);
    expect(told).toEqual([
      '  iteration 3 of 10 · sonnet',
      '',
      '  I look at it.',
      '',
      '  Then I fix it.',
      '',
      '✓ Read   greet.mjs',
      '✗ Bash   npm test',
      '    > test',
      '    > node --test',
      '    … 216 more lines',
      '    at line',
      '    at line',
      '    at line',
      '    at line',
      '    # fail 1',
      '    exit code 1',
      '',
      '  Fixed.',
      '',
      '  Really.',
    ]);
  });

  test('checks, the verdict and what follows', () => {
    const { told } = run([
      { is: 'checks-begin', at: at(1), commands: ['npm test', 'npm run lint'] },
      { is: 'check-ended', at: at(3), command: 'npm test', passed: true, ms: 1_840, tail: 'all fine' },
      { is: 'check-ended', at: at(4), command: 'npm run lint', passed: false, ms: 75_000, tail: '1 problem' },
      JUDGED,
      { is: 'committed', at: at(9), sha: '3fa92c1', files: 1 },
      { is: 'fault', at: at(10), class: 'transient', why: '529' },
      { is: 'waits', at: at(10), for: 'retry', until: at(40), why: 'overloaded' },
      { is: 'goes-on', at: at(40) },
      { is: 'waits', at: at(40), for: 'pause', until: at(41), why: '' },
      { is: 'host-retry', at: at(42), attempt: 2, why: '529', inMs: 4_000 },
      { is: 'subagent', at: at(43), name: 'explore', what: 'callers' },
      { is: 'warning', at: at(44), text: 'the context is at 80 %' },
    ]);
    expect(told).toEqual([
      '✓ npm test  1.8 s',
      '✗ npm run lint  1:15',
      '    1 problem',
      '',
      '· not done yet',
      '✗ the promise <promise>COMPLETE</promise> has not been given',
      '',
      '· committed 3fa92c1, 1 file',
      '✗ the service failed: 529',
      '· waits 0:30 for another try: overloaded',
      '· the host tries again, attempt 2: 529',
      '',
      '· agent  explore: callers',
      '',
      '! the context is at 80 %',
    ]);
  });

  test('a number that was measured neither passes nor fails', () => {
    const measured = {
      is: 'check-ended',
      at: at(2),
      command: 'n `wc -l`',
      passed: null,
      measured: true,
      ms: 400,
      tail: '42',
    } as const;
    expect(run([measured]).told).toEqual(['· n `wc -l`: 42  0.4 s']);
    expect(plain([measured])).toEqual([expect.stringContaining(' measured in 0.4 s: n `wc -l`: 42')]);
  });

  test('without a terminal a check that fails says why, in its line', () => {
    const tail = 'Looking for it.\n\nThere is no pull request of fix\nfailed with exit code 1';
    const failed = {
      is: 'check-ended',
      at: at(2),
      command: '`./pr.sh`',
      passed: false,
      ms: 400,
      tail,
    } as const;
    expect(plain([failed])).toEqual([
      expect.stringContaining(
        ' check failed in 0.4 s: `./pr.sh`: Looking for it. | There is no pull request of fix | failed with exit code 1',
      ),
    ]);
  });

  test('a check that says "not yet" has not failed, and a further look takes one line', () => {
    const checked = (command: string, passed: boolean | null, seconds: number): RunEvent[] => [
      { is: 'checks-begin', at: at(seconds), commands: [command] },
      { is: 'check-ended', at: at(seconds), command, passed, ms: 400, tail: passed ? '' : '2 jobs run' },
    ];
    const waits = (seconds: number): RunEvent => ({
      is: 'waits',
      at: at(seconds),
      for: 'check',
      until: at(seconds + 300),
      why: '`ci`',
    });
    const look = (seconds: number, passed: boolean | null): RunEvent[] => [
      { is: 'goes-on', at: at(seconds) },
      ...checked('`npm test`', true, seconds),
      ...checked('`ci`', passed, seconds),
    ];
    const events = [
      ...look(10, null),
      { ...JUDGED, verdict: 'allow', words: 'not yet', gates: [], missing: [] } as const,
      waits(60),
      ...look(360, null),
      waits(360),
      ...look(660, true),
      { ...JUDGED, verdict: 'complete', words: 'done', gates: [], missing: [] } as const,
    ];
    const next = (seconds: number) => `waits for \`ci\`, next look ${timeOfDay(at(seconds))}`;
    expect(run(events).told).toEqual([
      '✓ `npm test`  0.4 s',
      '· `ci`  0.4 s',
      '    2 jobs run',
      '',
      '· not yet',
      '',
      `· ${next(360)}`,
      `· ${next(660)}`,
      '',
      '✓ `ci`  0.4 s',
      '',
      '✓ done',
    ]);
    const lines = plain(events).map((line) => line.slice(21));
    expect(lines.slice(-5)).toEqual([
      'judged allow: not yet',
      next(360),
      next(660),
      'check passed in 0.4 s: `ci`',
      'judged complete: done',
    ]);
    expect(lines).toContain('check says "not yet": `ci`');
  });

  test('a list that holds is told by what was seen of it alone', () => {
    const wanted = 'every item of list.json passes';
    const list = { gate: 'features', wanted, holds: true, seen: 'all 3 items in list.json pass' } as const;
    const { told } = run([{ ...JUDGED, gates: [list], missing: [] }]);
    expect(told).toEqual(['· not done yet', '✓ features all 3 items in list.json pass']);
  });

  test('protected files are named once', () => {
    const seen = '1 protected file unchanged';
    const { told } = run([
      { ...JUDGED, gates: [{ gate: 'protected', wanted: 't/**', holds: true, seen }], missing: [] },
    ]);
    expect(told).toEqual(['· not done yet', `✓ ${seen}`]);
  });

  test('of a long output, the lines of a failed check that show what failed', () => {
    const tap = (from: number) => Array.from({ length: 20 }, (_, n) => `ok ${from + n} - fine`);
    const tail = [...tap(1), 'not ok 21 - joins words', '  expected: a-b', ...tap(22), '# fail 1'].join('\n');
    const { told } = run([
      { is: 'check-ended', at: at(4), command: 'node --test', passed: false, ms: 900, tail },
    ]);
    expect(told).toHaveLength(9);
    expect(told.slice(1, 3)).toEqual(['    not ok 21 - joins words', '      expected: a-b']);
    expect(told.at(-1)).toBe('    # fail 1');
  });

  test('a tool that never ended is told when its pass is over', () => {
    const { told, state } = run([begins(1), tool('a', 'Bash', 'npm start'), begins(2)]);
    expect(told.slice(1)).toEqual([
      '',
      '· Bash   npm start  not finished',
      '',
      '  iteration 2 of 10 · sonnet',
    ]);
    expect(state.tools).toEqual([]);
  });

  test('of the agent’s words nothing is cut, of an output only what fits', () => {
    const long = 'word '.repeat(40).trim();
    const { told } = run(
      [says(long), tool('a', 'Bash', long), toolEnded('a', long)],
      SETTING,
      frame({ width: 40 }),
    );
    expect(told.join(' ').split('word').length - 1).toBeGreaterThan(40);
    expect(told.slice(-2)).toEqual([
      '✓ Bash   word word word word word word…',
      '    word word word word word word word…',
    ]);
  });
});

describe('the beginning', () => {
  test('begins in the first column, as the lines before a run do, and is wrapped between words', () => {
    const text = `Da Capo: loop L started. Done when: ${'`npm test` '.repeat(8)}`;
    const { told } = run([{ is: 'begins', at: at(0), loop: 'L', text }, begins(1)]);
    expect(told).toHaveLength(4);
    expect(told.slice(0, 2)).toEqual([
      expect.stringMatching(/^Da Capo: .{1,71}$/),
      expect.stringMatching(/^ {2}\S.{1,77}$/),
    ]);
    expect(told.slice(2)).toEqual(['', '  iteration 1 of 10 · sonnet']);
  });
});

describe('a verdict', () => {
  test('does not say again what was told of a check in this iteration, and the ending does', () => {
    const failed = 'check `npm test` failed with exit code 1';
    const check: GateSeen = { gate: 'check', wanted: 'npm test', holds: false, seen: 'exit code 1' };
    const judged: RunEvent = { ...JUDGED, gates: [check], missing: [failed] };
    const ended: RunEvent = {
      is: 'check-ended',
      at: at(8),
      command: '`npm test`',
      passed: false,
      ms: 900,
      tail: '2 tests failed\nfailed with exit code 1',
    };
    const { told, state } = run([begins(1), ended, judged]);
    expect(told.slice(2)).toEqual([
      '✗ `npm test`  0.9 s',
      '    2 tests failed',
      '    failed with exit code 1',
      '',
      '· not done yet',
    ]);
    expect(state.missing).toEqual([failed]);
    // In the next one it was not run: then it has to be said.
    expect(run([begins(1), ended, judged, begins(2), judged]).told.at(-1)).toBe(`✗ ${failed}`);
  });
});

describe('the ending', () => {
  const ends = (over: Partial<Extract<RunEvent, { is: 'ends' }>> = {}): RunEvent => ({
    is: 'ends',
    at: at(724),
    status: 'exhausted',
    reason: 'max iterations reached',
    iterations: 10,
    workedMs: 724_000,
    next: 'dacapo resume 7f3a goes on.',
    commands: [],
    ...over,
  });

  test('the reason, what it took, what is open, what to do; and then nothing', () => {
    const { told, state } = run([begins(10), USAGE, JUDGED, ends(), says('late')], {
      ...SETTING,
      budgetUsd: 5,
    });
    expect(told.slice(-6)).toEqual([
      '',
      '✗ max iterations reached',
      '  10 iterations · 12 min 4 s · $0.42 of $5.00 · 128k tokens',
      '  still open:',
      '  ✗ the promise <promise>COMPLETE</promise> has not been given',
      '  next: dacapo resume 7f3a goes on.',
    ]);
    expect(view(state, frame())).toEqual([]);
  });

  test('says of a cost that it is estimated, where the host tells tokens only', () => {
    const { told } = run([begins(10), { ...USAGE, isEstimate: true }, ends()], { ...SETTING, budgetUsd: 5 });
    expect(told).toContain('  10 iterations · 12 min 4 s · about $0.42 of $5.00 · 128k tokens');
  });

  test('of a completed loop nothing is open', () => {
    const { told } = run([
      begins(1),
      JUDGED,
      ends({ status: 'completed', reason: 'every gate holds', iterations: 1, next: null }),
    ]);
    expect(told.slice(-2)).toEqual(['✓ every gate holds', '  1 iteration · 12 min 4 s · cost not known']);
  });

  test('fits a low window, however much is open', () => {
    const missing = Array.from({ length: 30 }, (_, n) => `check ${n} failed with exit code ${n}`);
    const low = frame({ width: 44, height: 12 });
    expect(
      run([begins(1), { ...JUDGED, missing }, ends({ iterations: 1 })], SETTING, low).told.slice(-9),
    ).toEqual([
      '',
      '✗ max iterations reached',
      '  1 iteration · 12 min 4 s · cost not known',
      '  still open:',
      '  ✗ check 0 failed with exit code 0',
      '  ✗ check 1 failed with exit code 1',
      '  ✗ check 2 failed with exit code 2',
      '  ✗ and 27 more',
      '  next: dacapo resume 7f3a goes on.',
    ]);
    const lowest = frame({ width: 44, height: 7 });
    expect(
      run([begins(1), { ...JUDGED, missing }, ends({ iterations: 1 })], SETTING, lowest).told.slice(-4, -1),
    ).toEqual(['✗ max iterations reached', '  1 iteration · 12 min 4 s · cost not known', '✗ 30 still open']);
  });
});
