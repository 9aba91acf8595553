/** Gates that are read from files: feature lists and moved files, in a real project. */
import { featureAtWork } from '#engine/driver/work.ts';
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DONE, Stage, toAgent, toPerson } from '../stage.ts';

const LIST = 'feature_list.json';

/** A feature list as people write it, with three items. */
function putList(stage: Stage, passing = 0): void {
  const features = ['Log in', 'Log out', 'Reset a password'].map((description, k) => ({
    id: k + 1,
    description,
    passes: k < passing,
    steps: [`Open ${description}`, 'Look'],
  }));
  writeFileSync(join(stage.project, LIST), JSON.stringify({ features }, null, 2));
}

function counting(stage: Stage, exit: number): string {
  const program = `fs.appendFileSync('runs.txt', 'x'); console.log('2 tests failed'); process.exitCode = ${exit}`;
  writeFileSync(join(stage.project, 'check.cjs'), `const fs = require('node:fs'); ${program}`);
  return `--check '"${process.execPath}" check.cjs'`;
}

/** At stops: the start has run it once, for the baseline. */
function runs(stage: Stage): number {
  return readFileSync(join(stage.project, 'runs.txt'), 'utf8').length - 1;
}

describe('a feature list', () => {
  it('of three items is worked off one by one', async () => {
    const stage = new Stage();
    putList(stage);
    const begun = await stage.command('start', `Build it. --features ${LIST}`);
    expect(toPerson(begun)).toContain('Done when: every item of feature_list.json passes.');
    expect(toPerson(begun)).not.toContain('Note:');
    expect(toAgent(begun)).toContain('Continue with Feature 1 - Log in.');
    putList(stage, 1);
    const first = await stage.stop('Logged in.');
    expect(first.is).toBe('continue');
    expect(toAgent(first).match(/not pass yet/g)).toHaveLength(1);
    expect(toPerson(first)).toBe(
      'Da Capo: iteration 2 of 50; 2 of 3 items in feature_list.json do not pass yet.',
    );
    expect(toAgent(first)).toContain(
      'Continue with Feature 2 - Log out.\n\nIts steps:\n1. Open Log out\n2. Look',
    );
    // The words about the next item begin with the count, so it does not stand above them as something that
    // is missing.
    expect(toAgent(first)).not.toContain('Still missing');
    putList(stage, 2);
    expect(toAgent(await stage.stop('Logged out.'))).toContain('Continue with Feature 3 - Reset a password.');
    putList(stage, 3);
    const last = await stage.stop('All of it.');
    expect(toPerson(last)).toContain('completed after 3 iterations: all items of feature_list.json pass (3)');
    expect(stage.journal().filter(({ type }) => type === 'verdict')).toMatchObject([
      { features: { is: 'read', facts: { passing: 1 } } },
      { features: { is: 'read', facts: { passing: 2 } } },
      { features: { is: 'read', facts: { passing: 3, next: null } } },
    ]);
  });

  it('of signs is complete when the last open one is a tick, and not before', async () => {
    const stage = new Stage();
    const rows = (...states: string[]) =>
      writeFileSync(
        join(stage.project, 'plan.md'),
        ['| Task | State |', '|---|---|', ...states.map((state, k) => `| ${k + 1} | ${state} |`)].join('\n'),
      );
    rows('✅ FIXED', '⬜ Todo', '❌ BLOCKED');
    await stage.start('Build it. --features plan.md');
    rows('✅ FIXED', '✅ FIXED', '❌ BLOCKED');
    expect(toAgent(await stage.stop('Nearly.'))).toContain('1 of 3 items in plan.md does not pass yet');
    rows('✅ FIXED', '✅ FIXED', '✅ FIXED');
    expect(toPerson(await stage.stop('All.'))).toContain('all items of plan.md pass (3)');
  });

  it('an item flipped to passing while a check fails is answered with that failure, without a promise', async () => {
    const stage = new Stage();
    putList(stage);
    await stage.start(`Build it. --features ${LIST} --completion-promise COMPLETE ${counting(stage, 1)}`);
    await stage.stop('Nothing yet.');
    expect(runs(stage)).toBe(0);
    putList(stage, 1);
    const flipped = await stage.stop('Logged in.');
    expect(runs(stage)).toBe(1);
    expect(toAgent(flipped)).toMatch(/check `.*` failed with exit code 1\. From its output/);
    expect(toAgent(flipped)).toContain('2 tests failed');
  });

  it('that item is the next to repair, until the check passes or it is unmarked', async () => {
    const stage = new Stage();
    putList(stage);
    await stage.start(`Build it. --features ${LIST} --completion-promise COMPLETE ${counting(stage, 1)}`);
    putList(stage, 1);
    const repair =
      'Feature 1 - Log in - is marked as passing in feature_list.json, but a check fails. Repair that first, before you continue with any other item: make the check pass, or set its `passes` to false again';
    const flipped = toAgent(await stage.stop('Logged in.'));
    expect(flipped).toContain(repair);
    expect(flipped).not.toContain('Continue with');
    // The heading of a run and its commit say so, too.
    expect(featureAtWork(stage.loop())).toBe('Repair Log in');
    // It stays a claim: the check runs again, though no other item was marked.
    expect(toAgent(await stage.stop('Still at it.'))).toContain(repair);
    expect(runs(stage)).toBe(2);
    putList(stage, 2);
    expect(toAgent(await stage.stop('Logged out.'))).toContain(
      'Feature 2 - Log out - is marked as passing in feature_list.json, with 1 more',
    );
    putList(stage, 0);
    expect(toAgent(await stage.stop('Unmarked.'))).toContain('Continue with Feature 1 - Log in.');
    expect(featureAtWork(stage.loop())).toBe('Log in');
    expect(runs(stage)).toBe(3);
    putList(stage, 1);
    counting(stage, 0);
    expect(toAgent(await stage.stop('Mended.'))).toContain('Continue with Feature 2 - Log out.');
    expect(runs(stage)).toBe(4);
    expect(toAgent(await stage.stop('Working on it.'))).toContain('Continue with Feature 2 - Log out.');
    expect(runs(stage)).toBe(4);
  });

  it('a promise does not stand for the items', async () => {
    const stage = new Stage();
    putList(stage, 2);
    await stage.start(`Build it. --features ${LIST} --completion-promise COMPLETE`);
    expect((await stage.stop(DONE)).is).toBe('continue');
    putList(stage, 3);
    await stage.stop(`Now. ${DONE}`);
    expect(stage.status()).toBe('completed');
  });

  it.each([
    ['missing', null, /is not there/],
    ['empty', '', /is empty/],
    ['without an item', '{"features": []}', /has no item in features/],
    ['half written', '{"features": [', /is not JSON \(line 1: /],
    ['another thing', '{"chapters": []}', /has no list of items/],
  ])('that is %s is refused at the start, before a pass is paid for', async (_name, content, why) => {
    const stage = new Stage();
    if (content !== null) writeFileSync(join(stage.project, LIST), content);
    const refused = await stage.command(
      'start',
      `Build it. --features ${LIST} --completion-promise COMPLETE`,
    );
    expect(toPerson(refused)).toMatch(why);
    expect(stage.loops()).toEqual([]);
  });

  it('with nothing open is refused where no other gate is asked for', async () => {
    const stage = new Stage();
    putList(stage, 3);
    const refused = await stage.command('start', `Build it. --features ${LIST}`);
    expect(toPerson(refused)).toContain('every item of feature_list.json passes already');
    expect(stage.loops()).toEqual([]);
    const begun = await stage.command('start', `Build it. --features ${LIST} ${counting(stage, 0)}`);
    expect(toPerson(begun)).toContain('Note: every item of feature_list.json passes already.');
  });

  it('that is refused inside a loop leaves the loop as it was', async () => {
    const stage = new Stage();
    await stage.start('Build it.');
    const refused = await stage.command('start', `Part of it. --nest --features ${LIST}`);
    expect(toPerson(refused)).toContain('is not there');
    expect(stage.loop().around).toHaveLength(0);
  });

  it('that the agent breaks goes back to the agent, and to a person only if it stays broken', async () => {
    const stage = new Stage();
    putList(stage);
    await stage.start(`Build it. --features ${LIST} --completion-promise COMPLETE ${counting(stage, 0)}`);
    const path = join(stage.project, LIST);
    const whole = readFileSync(path, 'utf8');
    writeFileSync(path, whole.replace('"description": "Log in",', '"description": "Log in"'));
    const back = await stage.stop('Logged in.');
    expect(back.is).toBe('continue');
    expect(toAgent(back)).toMatch(
      /feature_list\.json is not JSON \(line 6: .*Correct the file before anything else, and keep all of its items/,
    );
    writeFileSync(path, whole);
    expect(toAgent(await stage.stop('Mended.'))).toContain('Continue with Feature 1 - Log in.');
    writeFileSync(path, '{');
    expect((await stage.stop('Oops.')).is).toBe('continue');
    const ended = await stage.stop(DONE);
    expect(toPerson(ended)).toMatch(/needs you: feature_list\.json is not JSON/);
    expect(stage.status()).toBe('escalated');
    expect(runs(stage)).toBe(0);
  });

  it('that is gone is for a person at once', async () => {
    const stage = new Stage();
    putList(stage);
    await stage.start(`Build it. --features ${LIST}`);
    rmSync(join(stage.project, LIST));
    await stage.stop();
    expect(stage.status()).toBe('escalated');
  });

  it('a Markdown checklist does as well', async () => {
    const stage = new Stage();
    const path = join(stage.project, 'TODO.md');
    writeFileSync(path, '# Plan\n\n- [x] a\n- [ ] b\n  - one\n');
    await stage.start('Build it. --features TODO.md');
    expect(toAgent(await stage.stop())).toContain('Continue with item 2 - b.\n\nIts steps:\n1. one');
    writeFileSync(path, '# Plan\n\n- [x] a\n- [x] b\n');
    await stage.stop('Ticked.');
    expect(stage.status()).toBe('completed');
  });

  it.skipIf(process.platform === 'win32')('a link is not followed', async () => {
    const stage = new Stage();
    putList(stage);
    await stage.start(`Build it. --features ${LIST}`);
    putList(stage, 3);
    renameSync(join(stage.project, LIST), join(stage.project, 'real.json'));
    symlinkSync('real.json', join(stage.project, LIST));
    await stage.stop();
    expect(stage.status()).toBe('escalated');
  });
});

describe('a watched file', () => {
  const ARGS = 'Handle the invoice. --watch-file Needs_Action/INVOICE_client.md --done-folder Done/';

  function withInvoice(): Stage {
    const stage = new Stage();
    mkdirSync(join(stage.project, 'Needs_Action'));
    mkdirSync(join(stage.project, 'Done'));
    writeFileSync(join(stage.project, 'Needs_Action/INVOICE_client.md'), '# Invoice\n');
    return stage;
  }

  it.each([
    ['by its name', 'INVOICE_client.md', 'has arrived: '],
    ['under another name', '2026 paid.md', 'has arrived, under another name'],
  ])('that is moved %s completes the loop', async (_name, to, how) => {
    const stage = withInvoice();
    const begun = await stage.command('start', ARGS);
    expect(toPerson(begun)).toContain('Done when: Needs_Action/INVOICE_client.md is in Done/.');
    expect(toPerson(begun)).not.toContain('Note:');
    const answer = await stage.stop();
    expect(toAgent(answer)).toContain('Needs_Action/INVOICE_client.md has not been moved to Done/ yet');
    renameSync(join(stage.project, 'Needs_Action/INVOICE_client.md'), join(stage.project, 'Done', to));
    await stage.stop('Moved.');
    expect(stage.status()).toBe('completed');
    expect(stage.journal().findLast(({ type }) => type === 'verdict')).toMatchObject({
      gateResults: [{ gate: 'moved', holds: true, says: expect.stringContaining(how) }],
    });
  });

  it('that is deleted is not done, and the agent is told', async () => {
    const stage = withInvoice();
    await stage.start(ARGS);
    rmSync(join(stage.project, 'Needs_Action/INVOICE_client.md'));
    expect(toAgent(await stage.stop())).toContain(
      'is gone from its place, but neither its name nor its content',
    );
  });

  it('that does not exist at the start is warned about, in the session and for a fresh loop', async () => {
    const stage = new Stage();
    const warning =
      'Note: Needs_Action/INVOICE_client.md does not exist: the loop is done when a file of that name arrives in Done/.';
    expect(toPerson(await stage.command('start', ARGS))).toContain(warning);
    const fresh = await stage.command('start', `${ARGS} --mode fresh`, { from: { session: 's2' } });
    expect(toPerson(fresh)).toContain(warning);
  });

  it('promise or move, whichever comes first', async () => {
    const stage = withInvoice();
    await stage.start(`${ARGS} --completion-promise TASK_COMPLETE --require any`);
    expect(toAgent(await stage.stop())).toContain('(any one of these is enough)');
    renameSync(
      join(stage.project, 'Needs_Action/INVOICE_client.md'),
      join(stage.project, 'Done/INVOICE_client.md'),
    );
    expect(toPerson(await stage.stop('Moved.'))).toContain(
      'completed after 2 iterations: one of its gates holds',
    );
  });
});

describe('the combinations', () => {
  it('--require any: the check is run at every stop, although a promise would do', async () => {
    const stage = new Stage();
    await stage.start(`Do it. --require any --completion-promise COMPLETE ${counting(stage, 1)}`);
    await stage.stop('one');
    await stage.stop('two');
    expect(runs(stage)).toBe(2);
    await stage.stop(DONE);
    expect(runs(stage)).toBe(2);
    expect(stage.status()).toBe('completed');
  });

  it('--min-iterations: done is done only after as many', async () => {
    const stage = new Stage();
    await stage.start('Do it. --min-iterations 2');
    const early = await stage.stop(DONE);
    expect(toPerson(early)).toContain('at least 2 iterations were asked for and this was iteration 1.');
    await stage.stop(`Again. ${DONE}`);
    expect(stage.status()).toBe('completed');
    expect(stage.passes()).toBe(2);
  });

  it('/ralph-status tells what was seen', async () => {
    const stage = new Stage();
    putList(stage, 1);
    await stage.start(`Build it. --features ${LIST}`);
    await stage.stop();
    const told = toPerson(await stage.command('status', '', { from: { prompt: 'p9' } }));
    expect(told).toContain('does not hold yet (2 of 3 items in feature_list.json do not pass yet)');
  });
});
