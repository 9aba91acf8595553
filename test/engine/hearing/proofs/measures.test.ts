/**
 * Measures and confirmations through the whole hearing: commands that are run, and what the agent and the
 * person read.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { statusOf } from '#telling/loop-status.ts';
import { configured } from '../configured.ts';
import { DONE, Stage, toAgent, toPerson } from '../stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});

const put = (file: string, content: string) => stage.write(content, { file });
const gate = (kind: string) => statusOf(stage.loop(), stage.now()).gates.find((one) => one.gate === kind);

describe('--keep', () => {
  it('a suite that turns green because it tests less does not complete, and the agent reads why', async () => {
    put('tests/a.sh', 'true');
    put('tests/b.sh', 'test -f b.txt');
    const suite = `for t in tests/*.sh; do sh $t || exit 1; done`;
    const begun = await stage.command(
      'start',
      `Fix it. --check "${suite}" --measure "tests=ls tests | wc -l" --keep tests`,
    );
    expect(toPerson(begun)).toMatch(/Done when: `for t .*` passes and tests >= 2\./);
    rmSync(join(stage.project, 'tests/b.sh'));
    const told = await stage.stop('All green.');
    expect(told.is).toBe('continue');
    expect(toAgent(told)).toContain('tests is 1 (2 at the start, goal >= 2)');
    expect(toAgent(told)).toContain('No progress: the measures are further from their goals');
    expect(gate('measures')).toMatchObject({ holds: false, wanted: 'tests >= 2' });
    put('tests/b.sh', 'test -f b.txt');
    put('b.txt', '');
    expect(toPerson(await stage.stop('Now it tests b.'))).toMatch(
      /completed after 2 iterations: `for t .*` passes and tests >= 2 \(proven\)\./,
    );
  });

  it('what holds is not named among what is missing', async () => {
    put('n.txt', '5');
    await stage.start(
      'Fix. --measure "tests=echo 3" --keep tests --measure "failures=cat n.txt" --target "failures<=0"',
    );
    const told = await stage.stop('Not yet.');
    expect(toPerson(told)).toContain('failures is 5 (5 at the start, goal <= 0)');
    expect(toPerson(told)).not.toContain('tests is 3');
    expect(gate('measures')).toMatchObject({ seen: expect.stringContaining('tests is 3') });
  });

  it('alone is no proof of work: the promise is asked for as well', async () => {
    put('n.txt', '3');
    await stage.start('Tidy up. --measure "n=cat n.txt" --keep n');
    put('n.txt', '2');
    expect((await stage.stop(DONE)).is).toBe('continue');
    put('n.txt', '4');
    await stage.stop(DONE);
    expect(stage.status()).toBe('completed');
  });
});

describe('--target', () => {
  it('is a gate of its own, measured at each stop', async () => {
    put('n.txt', '12 failures');
    const begun = await stage.command('start', 'Fix. --measure "failures=cat n.txt" --target "failures<=0"');
    expect(toPerson(begun)).toContain('Done when: failures <= 0.');
    expect(toAgent(begun)).toContain('it measures failures <= 0');
    expect(gate('measures')).toMatchObject({
      holds: null,
      seen: 'failures is 12 (12 at the start, goal <= 0)',
    });
    put('n.txt', '5 failures');
    expect(toPerson(await stage.stop())).toContain('failures is 5 (12 at the start, goal <= 0)');
    put('n.txt', '0 failures');
    await stage.stop();
    expect(stage.status()).toBe('completed');
    const values = stage.journal().flatMap((event) => (event.type === 'verdict' ? event.gateResults : []));
    expect(values.map(({ says }) => says.slice(0, 13))).toEqual(['failures is 5', 'failures is 0']);
  });

  it('that is reached at the start proves nothing by itself', async () => {
    put('n.txt', '0');
    const begun = await stage.command('start', 'Fix. --measure "n=cat n.txt" --target "n<=0"');
    expect(toPerson(begun)).toContain('Done when: <promise>COMPLETE</promise> and n <= 0.');
    expect((await stage.stop('Not yet.')).is).toBe('continue');
  });

  it('a command that fails or prints no number is said, and holds for nothing', async () => {
    put('n.txt', '3');
    await stage.start('Fix. --measure "n=cat n.txt" --target "n<=0"');
    put('n.txt', 'none');
    expect(toAgent(await stage.stop())).toContain('n could not be measured: its command printed no number');
    rmSync(join(stage.project, 'n.txt'));
    expect(toAgent(await stage.stop())).toContain(
      'n could not be measured: its command failed with exit code 1',
    );
    expect(stage.passes()).toBe(2);
  });

  it.each(['10,5', '7.000,1', '-1e309', `-${'9'.repeat(400)}`, '3 of 10'])(
    'a text that can be read in two ways completes nothing: %s',
    async (printed) => {
      put('n.txt', '12');
      await stage.start('Fix. --measure "n=cat n.txt" --target "n<=6"');
      put('n.txt', printed);
      expect(toAgent(await stage.stop())).toContain('n could not be measured: ');
      expect(stage.status()).toBe('running');
      put('n.txt', '5');
      await stage.stop();
      expect(stage.status()).toBe('completed');
    },
  );

  it('a warning on stderr is not the number, unless stdout has none', async () => {
    const warn = 'echo "(node:4711) Warning: 3 things" >&2';
    await stage.start(`Fix. --measure 'n=${warn}; echo 12; ${warn}' --measure 'm=echo "Tests: 7" >&2'`);
    expect(gate('measures')).toMatchObject({ seen: 'n is 12 (12 at the start); m is 7 (7 at the start)' });
  });

  it('a command that can not be run needs a person', async () => {
    put('count.sh', 'echo 3');
    await stage.start('Fix. --measure "n=./node_modules/.bin/count || sh count.sh" --target "n<=0"');
    put('count.sh', 'exit 127');
    expect(toPerson(await stage.stop())).toMatch(/needs you: n could not be measured: .* could not be run/);
  });

  it('a number that can not be had at the start is refused with the next step', async () => {
    const refused = await stage.command('start', 'Fix. --measure "n=grep -c x /dev/null" --target "n<=0"');
    expect(toPerson(refused)).toContain(
      'the measure n could not be taken: its command failed with exit code 1.',
    );
    expect(toPerson(refused)).toContain('"CMD || true"');
    expect(stage.loops()).toEqual([]);
  });
});

describe('a goal', () => {
  it.each([
    ['--keep m', 'no measure has the name m.', 'There is: n. Add one: --measure m=CMD.'],
    ['--target "m>=1"', 'no measure has the name m.', 'There is: n. Add one: --measure m=CMD.'],
    ['--keep n --require any', '--keep needs its measure to hold always', 'one of the two'],
  ])('%s is refused with the next step', async (flags, why, next) => {
    const refused = toPerson(await stage.command('start', `Fix. --measure "n=echo 3" ${flags}`));
    expect(refused).toContain(why);
    expect(refused).toContain(next);
    expect(stage.loops()).toEqual([]);
  });
});

describe('measures of the config', () => {
  const TESTS = `tests: { command: 'cat tests.txt', keep: true }`;

  it('are kept or reached as those that are typed, and a target stands for the promise', async () => {
    stage = configured(`{ measures: { ${TESTS}, failures: { command: 'cat n.txt', target: '<= 0' } } }`);
    put('tests.txt', '2');
    put('n.txt', '5');
    const begun = await stage.command('start', 'Fix.');
    expect(toPerson(begun)).toContain('Done when: tests >= 2 and failures <= 0.');
    put('n.txt', '0');
    put('tests.txt', '1');
    expect(toAgent(await stage.stop())).toContain('tests is 1 (2 at the start, goal >= 2)');
    put('tests.txt', '2');
    await stage.stop();
    expect(stage.status()).toBe('completed');
  });

  it('that is only kept shows no work, so the promise stays', async () => {
    stage = configured(`{ measures: { ${TESTS} } }`);
    put('tests.txt', '2');
    expect(toPerson(await stage.command('start', 'Fix.'))).toContain(
      'Done when: <promise>COMPLETE</promise> and tests >= 2.',
    );
  });

  it('take goals that are typed, and give way to a measure of the same name', async () => {
    stage = configured(`{ measures: { ${TESTS}, lines: 'cat lines.txt' } }`);
    put('tests.txt', '2');
    put('lines.txt', '9');
    await stage.start('Fix. --target "lines<=4" --measure "tests=echo 7"');
    expect(stage.loop().frame.measures).toMatchObject([
      { name: 'tests', command: 'echo 7', goals: [] },
      { name: 'lines', begun: 9, goals: [{ is: '<=', bound: 4 }] },
    ]);
  });

  it('and how long a loop waits after "not yet"', async () => {
    stage = configured(`{ checks: { ci: 'exit 75' }, recheck: '5m' }`);
    await stage.start('Do it.');
    expect(stage.loop().limits.checking.recheckMs).toBe(300_000);
    expect(toPerson(await stage.stop(DONE))).toContain('waiting for `ci`');
  });
});

describe('a measure without a goal', () => {
  it('is only told', async () => {
    put('n.txt', '3');
    await stage.start('Do it. --measure "lines=cat n.txt"');
    put('n.txt', '1');
    await stage.stop('Working.');
    expect(stage.loop().frame.gates).toEqual([{ kind: 'promise', text: 'COMPLETE' }]);
    expect(gate('measures')).toMatchObject({ wanted: 'lines', seen: 'lines is 1 (3 at the start)' });
    rmSync(join(stage.project, 'n.txt'));
    await stage.stop(DONE);
    expect(stage.status()).toBe('completed');
  });
});

describe('measures of a list of items', () => {
  it('hold for each item, and at the end of the list', async () => {
    put('todo.md', '- [ ] one\n- [ ] two\n');
    put('n.txt', '2');
    await stage.start('Do it. --items todo.md --measure "n=cat n.txt" --keep n');
    put('n.txt', '1');
    expect(toAgent(await stage.stop('<issue-complete>DONE</issue-complete>'))).toContain('n is 1');
    put('n.txt', '2');
    await stage.stop('<issue-complete>DONE</issue-complete>');
    put('n.txt', '3');
    await stage.stop('Again. <issue-complete>DONE</issue-complete>');
    expect(stage.status()).toBe('completed');
  });
});

describe('--confirm', () => {
  it('asks the same agent to look again, and completes after it changed nothing', async () => {
    await stage.start('Write it. --check "test -f done.txt" --confirm 1');
    put('done.txt', 'x');
    const asked = await stage.stop('There.');
    expect(toAgent(asked)).toContain('confirmed 0 of 1. Now look for what is missing');
    put('done.txt', 'better');
    expect(toAgent(await stage.stop('Found something.'))).toContain('(the last pass changed something)');
    expect(toPerson(await stage.stop('Nothing is missing.'))).toContain(
      'completed after 3 iterations: `test -f done.txt` passes and 1 iteration confirmed it (proven).',
    );
  });

  it('a limit ends it, and says what was missing', async () => {
    await stage.start('Write it. --check "test -f done.txt" --confirm 2 --max-iterations 2');
    put('done.txt', 'x');
    await stage.stop('There.');
    expect(toPerson(await stage.stop('Nothing is missing.'))).toMatch(
      /max iterations reached \(2 iterations\)\. Still open: the gates hold; confirmed 1 of 2\./,
    );
  });
});
