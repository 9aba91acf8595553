/**
 * The baseline of a start, the question about no work, and checks that change what they prove, through the
 * whole hearing.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { DONE, Stage, toAgent, toPerson } from '../stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});

const QUIET = { look: () => ({ queue: { offset: 0, waiting: 0 }, taken: false, toolUsed: false }) };

function put(file: string, content: string): void {
  mkdirSync(join(stage.project, file, '..'), { recursive: true });
  writeFileSync(join(stage.project, file), content);
}

describe('the baseline', () => {
  it('a green check completes nothing: the agent is told from the start to claim', async () => {
    const begun = await stage.command('start', 'Add a discount. --check "exit 0"');
    expect(toPerson(begun)).toContain('Done when: <promise>COMPLETE</promise> and `exit 0` passes.');
    expect(toPerson(begun)).toContain(
      'Note: `exit 0` passes already, which proves nothing by itself: the agent also has to say that it is done.',
    );
    expect(toAgent(begun)).toContain('`exit 0` passed before you began');
    expect(toAgent(begun)).toContain('<promise>COMPLETE</promise>');
    put('cart.js', 'half');
    const asked = await stage.stop('Per item or per cart?');
    expect(toAgent(asked)).toContain('the promise <promise>COMPLETE</promise> has not been given');
    put('cart.js', 'whole');
    expect(toPerson(await stage.stop(DONE))).toContain(
      'completed after 2 iterations: `exit 0` passes and the agent says that it is done (said by the agent).',
    );
  });

  it('a red check that the work turns green completes at once', async () => {
    const begun = await stage.command('start', 'Write it. --check "test -f done.txt"');
    expect(toPerson(begun)).toContain('Done when: `test -f done.txt` passes.');
    expect(toAgent(begun)).not.toContain('COMPLETE');
    put('done.txt', 'x');
    await stage.stop('There.', QUIET);
    expect(stage.status()).toBe('completed');
  });

  it('each check of a list of items is claimed item by item, and is not run at the start', async () => {
    put('todo.md', '- [ ] one\n');
    await stage.start('Do it. --items todo.md --check "echo x >> runs.txt"');
    expect(() => readFileSync(join(stage.project, 'runs.txt'))).toThrow('ENOENT');
  });

  it('an inner task has a baseline of its own', async () => {
    await stage.start('Outer.');
    await stage.command('start', 'Inner. --nest --check "exit 0"', { from: { prompt: 'p2' } });
    expect(stage.loop().frame.gates).toMatchObject([{ kind: 'check', begun: 'passed' }]);
    expect((await stage.stop('Inner done?', { from: { prompt: 'p2' } })).is).toBe('continue');
    expect(stage.loop().around).toHaveLength(1);
  });

  it('of one start that is delivered twice the checks run once', async () => {
    const start = () => stage.command('start', 'Do it. --check "echo x >> runs.txt; false"');
    await Promise.all([start(), start()]);
    expect(readFileSync(join(stage.project, 'runs.txt'), 'utf8')).toBe('x\n');
    expect(stage.loops()).toHaveLength(1);
  });

  it('a program that is nowhere is refused before anything is made', async () => {
    stage.env = { PATH: process.env['PATH'] ?? '' };
    const refused = await stage.command('start', 'Do it. --check "nmp test"');
    expect(toPerson(refused)).toMatch(/there is no program nmp in PATH\. Did you mean npm\?/);
    expect(stage.loops()).toEqual([]);
  });

  it('what a check runs is named', async () => {
    put('check.sh', 'exit 1');
    const named = await stage.command('start', 'Do it. --check "sh check.sh"');
    expect(toPerson(named)).toContain('The checks depend on: no tests found; its configs: check.sh.');
  });
});

describe('a claim without any work', () => {
  it('is questioned once; then the ending says that nothing was changed', async () => {
    await stage.start('Do it.');
    const asked = await stage.stop(DONE, QUIET);
    expect(toAgent(asked)).toContain('nothing in the work tree has changed since the loop began');
    const ended = await stage.stop(`It was done before. ${DONE}`, QUIET);
    expect(toPerson(ended)).toContain(
      'completed after 2 iterations: the agent says that it is done, but nothing was changed.',
    );
  });

  it('is remembered: later stops say that it was given and counts again, never that it was not', async () => {
    await stage.start('Do it.');
    await stage.stop(DONE, QUIET);
    const words =
      'the promise <promise>COMPLETE</promise> was given in iteration 1 and questioned, because nothing had changed; it counts when it is given again';
    for (const iteration of [3, 4]) {
      const later = await stage.stop(`Thinking ${iteration}.`, QUIET);
      expect(toAgent(later)).toContain(words);
      expect(toAgent(later)).not.toContain('not been given');
      expect(toPerson(later)).toBe(`Da Capo: iteration ${iteration} of 50; ${words}.`);
    }
    expect(toPerson(await stage.stop(DONE, QUIET))).toContain('but nothing was changed');
  });

  it('is questioned for an adopted loop as well', async () => {
    stage.write('---\nmax_iterations: 5\n---\n\nWrite it.\n');
    await stage.command('resume');
    expect(toAgent(await stage.stop(DONE, QUIET))).toContain('nothing in the work tree has changed');
    expect(toPerson(await stage.stop(DONE, QUIET))).toContain('but nothing was changed');
  });

  it('is believed where the work tree has changed, or a tool was called', async () => {
    await stage.start('Do it.');
    put('new.txt', 'x');
    expect(toPerson(await stage.stop(DONE, QUIET))).toContain(
      'completed after 1 iteration: the agent says that it is done.',
    );
    const other = new Stage();
    await other.start('Do it.');
    expect(toPerson(await other.stop(DONE))).toContain('the agent says that it is done.');
  });
});

describe('a check that changes what it proves', () => {
  it('a protected file: the checks of this stop are void, and the agent is told', async () => {
    put('tests/run.sh', 'exit 1');
    put('build.sh', 'true');
    await stage.start('Fix. --check "sh build.sh" --check "sh tests/run.sh" --protect "tests/**"');
    put('build.sh', 'echo exit 0 > tests/run.sh');
    const told = await stage.stop('Done.');
    expect(told.is).toBe('continue');
    expect(toAgent(told)).toContain('It changed while the checks ran, so their results do not count');
    expect(stage.journal().at(-1)).toMatchObject({ type: 'verdict', proofs: [] });
    expect((await stage.stop('Again.')).is).toBe('continue');
  });

  it('the feature list: void as well', async () => {
    const item = (passes: boolean) => JSON.stringify({ features: [{ id: 'a', description: 'A', passes }] });
    put('feature_list.json', item(false));
    put('yes.json', item(true));
    put('no.json', item(false));
    put('check.sh', 'cp no.json feature_list.json');
    await stage.start('Fix. --features feature_list.json --check "sh check.sh"');
    put('feature_list.json', item(true));
    const told = await stage.stop('Done.');
    expect(toAgent(told)).toContain('The feature list has changed. It changed while the checks ran');
    expect(stage.status()).toBe('running');
  });
});

describe('a message that is typed while a check runs', () => {
  it('is next, and nothing is spent', async () => {
    await stage.start('Fix. --check "test -f done.txt"');
    let looks = 0;
    const look = () => ({
      queue: { offset: 0, waiting: looks++ === 0 ? 0 : 1 },
      taken: false,
      toolUsed: true,
    });
    const answer = await stage.stop('Working.', { look });
    expect(toPerson(answer)).toContain('what you typed comes first');
    expect(stage.passes()).toBe(0);
  });
});
