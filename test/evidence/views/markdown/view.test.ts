import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HOUR, SECOND, Stage, DONE, toAgent, toPerson } from '../../../engine/hearing/stage.ts';

const OWN = (id: string) => join('.claude', `ralph-loop.${id}.local.md`);

describe('the view, deleted', () => {
  it('cancels the loop at the next stop, which is allowed', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    await stage.stop();
    stage.deleteView();
    const answer = await stage.stop();
    expect(answer.is).toBe('tell');
    expect(toPerson(answer)).toMatch(/cancelled after 1 iteration /);
    expect(stage.loop().status).toMatchObject({ is: 'cancelled', by: 'view' });
    expect(stage.hasView()).toBe(false);
  });

  it('during a hearing, cancels it all the same: gone is looked for right before it is replaced', async () => {
    const stage = new Stage();
    await stage.start(`Fix. --check '"${process.execPath}" -e "setTimeout(() => process.exit(1), 300)"'`);
    const hearing = stage.stop();
    await new Promise((resolve) => setTimeout(resolve, 100));
    stage.deleteView();
    expect((await hearing).is).toBe('tell');
    expect(stage.status()).toBe('cancelled');
    expect(stage.hasView()).toBe(false);
  });

  it.each([
    ['a resume in the session', (stage: Stage) => stage.command('resume', '', { from: { prompt: 'p2' } })],
    ['a question for the status', (stage: Stage) => stage.command('status', '', { from: { prompt: 'p2' } })],
    ["the person's own prompt", (stage: Stage) => stage.prompt('What is up?', { prompt: 'p2' })],
  ])('is noticed by %s too, which says so and starts nothing', async (_name, act) => {
    const stage = new Stage();
    await stage.start('Fix.');
    await stage.stop();
    stage.deleteView();
    const answer = await act(stage);
    expect(['tell', 'close']).toContain(answer.is);
    expect(toPerson(answer)).toMatch(/cancelled after 1 iteration /);
    expect(toPerson(answer)).not.toMatch(/goes on, .* ends it/);
    expect(stage.status()).toBe('cancelled');
    expect(await stage.stop('Next.', { from: { prompt: 'p2' } })).toEqual({ is: 'silence' });
  });

  it('while the session was away: a resume of the session finds it cancelled', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    await stage.sessionEnd('other');
    stage.deleteView();
    const answer = await stage.sessionStart('resume', { process: 200 });
    expect(toAgent(answer)).toBe('');
    expect(stage.status()).toBe('cancelled');
  });
});

describe('the view, edited', () => {
  it('amends the prompt and the limit from the next iteration on, with a copy of what was written', async () => {
    const stage = new Stage();
    await stage.start('Fix the bug. --max-iterations 20');
    const saved = stage.edit((content) =>
      content.replace('Fix the bug.', 'Fix both bugs.').replace('max_iterations: 20', 'max_iterations: 5'),
    );
    const answer = await stage.stop();
    expect(answer.is).toBe('continue');
    expect(toAgent(answer)).toContain('iteration 2 of 5');
    expect(toAgent(answer)).toContain('Fix both bugs.');
    expect(stage.loop().frame).toMatchObject({ iterations: 5, passes: 1 });
    expect(stage.view()).toContain('max_iterations: 5\n');
    expect(stage.evidence()).toEqual(['edited-ralph-loop.local.md']);
    expect(readFileSync(join(stage.dir(), 'evidence', 'edited-ralph-loop.local.md'), 'utf8')).toBe(saved);
  });

  it('never takes gates, promise, owner, iteration or status from it', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    await stage.stop();
    stage.edit((content) =>
      content
        .replace('iteration: 2', 'iteration: 49')
        .replace('"COMPLETE"', '"EASY"')
        .replace('session_id: "s1"', 'session_id: "s9"')
        .replace('status: running', 'status: completed'),
    );
    expect((await stage.stop('Done.\n\n<promise>EASY</promise>')).is).toBe('continue');
    expect(stage.loop().frame).toMatchObject({
      passes: 2,
      gates: [{ kind: 'promise', text: 'COMPLETE' }],
    });
    expect(stage.loop().session.owner?.session).toBe('s1');
  });

  it('less than a second ago, it is neither believed nor replaced; a second later it is', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    const saved = stage.edit((content) => content.replace(/Fix\.$/, 'Fix more.'), 200);
    expect(toAgent(await stage.stop('one'))).not.toContain('Fix more.');
    expect(stage.view()).toBe(saved);
    stage.wait(2 * SECOND);
    expect(toAgent(await stage.stop('two'))).toContain('Fix more.');
    expect(stage.view()).not.toBe(saved);
    expect(stage.passes()).toBe(2);
  });

  it('an editor that saves in place shows half a file: it aborts nothing', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    const whole = stage.view();
    for (const half of ['', whole.slice(0, 30), whole.slice(0, -5)]) {
      stage.write(half, { ago: 100 });
      expect((await stage.stop(`half ${half.length}`)).is).toBe('continue');
    }
    stage.write(whole);
    expect((await stage.stop('whole')).is).toBe('continue');
    expect(stage.status()).toBe('running');
  });

  it('an old rendering that is saved again is not an edit', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    const old = stage.view();
    await stage.stop('one');
    await stage.stop('two');
    stage.write(old);
    await stage.stop('three');
    expect(stage.passes()).toBe(3);
    expect(stage.evidence()).toEqual([]);
    expect(stage.view()).toMatch(/^iteration: 4$/m);
  });

  it('an edit is taken once, also from an old rendering', async () => {
    const stage = new Stage();
    await stage.start('Fix. --max-iterations 20');
    const old = stage.view();
    stage.edit((content) => content.replace('max_iterations: 20', 'max_iterations: 9'));
    await stage.stop('one');
    stage.write(old.replace(/Fix\.$/, 'Fix all.'));
    await stage.stop('two');
    expect(stage.loop().frame).toMatchObject({ iterations: 9 });
    expect(stage.journal().filter(({ type }) => type === 'amended')).toHaveLength(2);
    expect(stage.view()).toMatch(/Fix all\.$/);
  });

  it('a final newline or a byte order mark from an editor changes nothing', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    stage.edit((content) => `\uFEFF${content}\n`);
    await stage.stop();
    expect(stage.journal().some(({ type }) => type === 'amended')).toBe(false);
  });
});

describe('the view, spoiled', () => {
  it.each([
    ['garbage', 'not front matter at all'],
    ['a counter that is not a number', '---\niteration: three\nloop_id: "ID"\n---\nFix.'],
    ['a limit that is none', '---\nmax_iterations: -5\nloop_id: "ID"\n---\nFix.'],
  ])('%s aborts the loop, allows the stop, and loses nothing', async (_name, content) => {
    const stage = new Stage();
    const { id } = await stage.start('Fix.');
    const written = content.replace('ID', id);
    stage.write(written);
    const answer = await stage.stop();
    expect(answer.is).toBe('tell');
    expect(toPerson(answer)).toMatch(/aborted after 0 iterations/);
    expect(stage.loop().status).toMatchObject({ is: 'aborted', why: 'view' });
    const copies = stage.evidence().map((name) => readFileSync(join(stage.dir(), 'evidence', name), 'utf8'));
    expect(copies).toContain(written);
    expect(await stage.stop()).toEqual({ is: 'silence' });
  });

  it('saved in another encoding, it is kept byte for byte', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    const bytes = Buffer.from(`\uFEFF${stage.view()}Grüße`, 'utf16le');
    stage.write(bytes);
    await stage.stop();
    expect(stage.status()).toBe('aborted');
    const copies = stage.evidence().map((name) => readFileSync(join(stage.dir(), 'evidence', name)));
    expect(copies.length).toBeGreaterThan(0);
    for (const copy of copies) expect(copy).toEqual(bytes);
  });

  it.runIf(process.platform !== 'win32')('a link in its place is not followed', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    stage.deleteView();
    writeFileSync(join(stage.project, 'other'), 'theirs');
    symlinkSync(join(stage.project, 'other'), stage.path());
    expect((await stage.stop()).is).toBe('tell');
    expect(stage.status()).toBe('aborted');
    expect(readFileSync(join(stage.project, 'other'), 'utf8')).toBe('theirs');
  });

  it("another loop's file in its place stays, and cancels this one", async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    const theirs = '---\niteration: 1\nloop_id: "RALPH_20200101_zzzzzz"\n---\nTheirs.';
    stage.write(theirs);
    expect((await stage.stop()).is).toBe('tell');
    expect(stage.status()).toBe('cancelled');
    expect(stage.view()).toBe(theirs);
  });
});

describe('when a loop ends', () => {
  it('its view goes, and that is not a cancellation', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    await stage.stop(DONE);
    expect(stage.hasView()).toBe(false);
    expect(stage.status()).toBe('completed');
    expect(stage.evidence()).toEqual([]);
  });

  it('with a copy, if a person has edited it', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    const saved = stage.edit((content) => content.replace(/Fix\.$/, 'Fix more.'), 100);
    await stage.stop(DONE);
    expect(stage.hasView()).toBe(false);
    expect(stage.evidence()).toEqual(['last-ralph-loop.local.md']);
    expect(readFileSync(join(stage.dir(), 'evidence', 'last-ralph-loop.local.md'), 'utf8')).toBe(saved);
  });
});

describe('several loops in one project', () => {
  it('each has its own view, and its own life', async () => {
    const stage = new Stage();
    const first = await stage.start('First task.');
    const second = await stage.start('Second task.', { session: 's2', process: 200, prompt: 'q1' });
    expect(first.files.view).toBe(join('.claude', 'ralph-loop.local.md'));
    expect(second.files.view).toBe(OWN(second.id));
    expect(stage.view(OWN(second.id))).toContain('Second task.');

    expect(toAgent(await stage.stop('a', { from: { session: 's2', process: 200, prompt: 'q1' } }))).toContain(
      'Second task.',
    );
    expect(toAgent(await stage.stop('b'))).toContain('First task.');
    stage.deleteView(OWN(second.id));
    await stage.stop('c', { from: { session: 's2', process: 200, prompt: 'q1' } });
    expect([stage.status(first.id), stage.status(second.id)]).toEqual(['running', 'cancelled']);
  });

  it('started at once, none takes the file of another', async () => {
    const stage = new Stage();
    const sessions = ['a', 'b', 'c', 'd'];
    await Promise.all(
      sessions.map((session, k) =>
        stage.command('start', `Task ${session}`, { from: { session, process: 200 + k, prompt: session } }),
      ),
    );
    const views = stage.loops().map(({ files: { view } }) => view ?? '');
    expect(new Set(views).size).toBe(4);
    for (const loop of stage.loops()) expect(stage.view(loop.files.view ?? '')).toContain(loop.id);
  });

  it('a file that is there already is someone else’s, and stays', async () => {
    const stage = new Stage();
    stage.write('theirs');
    const loop = await stage.start('Fix.');
    expect(loop.files.view).toBe(OWN(loop.id));
    expect(stage.view()).toBe('theirs');
    await stage.stop(DONE);
    expect(stage.view()).toBe('theirs');
  });
});

describe('without a view', () => {
  it('a loop runs all the same where none can be written', async () => {
    const stage = new Stage();
    writeFileSync(join(stage.project, '.claude'), 'a file where the folder should be');
    const loop = await stage.start('Fix.');
    expect(loop.files.view).toBeNull();
    expect((await stage.stop()).is).toBe('continue');
    stage.wait(HOUR);
    expect((await stage.stop(DONE)).is).toBe('tell');
  });
});
