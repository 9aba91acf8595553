/** What happens to a call that needs an approval, to its request as a file, and to a session that waits. */
import { inWords } from '#telling/advice.ts';
import { inTerminal } from '#telling/audience.ts';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { answer, openRequests } from '#engine/requests/answer.ts';
import { steer } from '#engine/steer/control.ts';
import type { Answer } from '#hosts/port/arrival.ts';
import { DONE, HOUR, Stage, toAgent, toPerson } from './stage.ts';

const START = 'Ship it --max-iterations 5 --approve "Bash(git push *)"';

let stage: Stage;
let calls = 0;
beforeEach(() => {
  stage = new Stage();
});

async function bash(command: string, more: Record<string, unknown> = {}): Promise<Answer> {
  return stage.tool({
    tool_name: 'Bash',
    tool_input: { command, description: `try ${calls}` },
    tool_use_id: `call-${++calls}`,
    cwd: stage.project,
    ...more,
  });
}

const folder = (name: string) => join(stage.project, '.dacapo', name);
const files = (name: string) => (existsSync(folder(name)) ? readdirSync(folder(name)) : []);

function move(id: string, to: string): void {
  mkdirSync(folder(to), { recursive: true });
  renameSync(join(folder('Pending_Approval'), `${id}.md`), join(folder(to), `${id}.md`));
}

async function asked(): Promise<string> {
  await stage.start(START);
  expect((await bash('git push')).is).toBe('deny');
  const [request] = openRequests(null, stage.runtime());
  return request?.id ?? '';
}

const say = (id: string, how: 'approved' | 'rejected' | 'text', note = '') => {
  const answered = answer({ id, answer: how, note, by: 'terminal' }, null, stage.runtime());
  return answered.ok ? answered : inWords(answered, inTerminal);
};

describe('a call that needs an approval', () => {
  it('is suggested for a mistyped id as long as it is open, and not once it was answered', async () => {
    const id = await asked();
    const mistyped = `${id.slice(0, -1)}2`;
    expect(say(mistyped, 'approved')).toMatchObject({ next: expect.stringContaining(`Is it ${id}?`) });
    say(id, 'approved');
    expect(say(mistyped, 'approved')).toMatchObject({
      code: 'no-request',
      next: 'dacapo approvals lists what is open.',
    });
  });

  it('is refused, a person is asked by event and by file, and the loop waits', async () => {
    const id = await asked();
    expect(stage.loop().status).toMatchObject({ is: 'waiting', for: 'approval' });
    expect(openRequests(null, stage.runtime())).toMatchObject([
      {
        id,
        kind: 'approval',
        what: `Bash (in ${stage.project}): git push`,
        tool: 'Bash',
        why: 'It matches the rule `Bash(git push *)`.',
      },
    ]);
    const file = readFileSync(join(folder('Pending_Approval'), `${id}.md`), 'utf8');
    expect(file).toContain(`id: ${id}`);
    expect(file).toContain('git push');
    expect(file).toContain(`dacapo approve ${id}`);
  });

  it('asked again while it is open, it stays one request; another call is another', async () => {
    const id = await asked();
    expect(toAgent(await bash('git push'))).toContain(id);
    await bash('git push --force');
    expect(openRequests(null, stage.runtime())).toHaveLength(2);
  });

  it('approved, that very call is let through once, whatever its label says', async () => {
    const id = await asked();
    expect(say(id, 'approved').ok).toBe(true);
    expect((await bash('git push origin evil')).is).toBe('deny');
    expect(await bash('git push')).toEqual({ is: 'permit', why: `${id} was approved from a terminal.` });
    expect((await bash('git push')).is).toBe('deny');
  });

  it('does not let the same words through in another folder, or by another tool', async () => {
    const id = await asked();
    say(id, 'approved');
    expect((await bash('git push', { cwd: join(stage.project, 'sub') })).is).toBe('deny');
    expect((await bash('git push')).is).toBe('permit');
  });

  it('delivered twice by two registrations, both are answered the same', async () => {
    const id = await asked();
    say(id, 'approved');
    const twice = { tool_use_id: 'the-same' };
    expect((await bash('git push', twice)).is).toBe('permit');
    expect((await bash('git push', twice)).is).toBe('permit');
    expect(stage.journal().filter(({ type }) => type === 'released')).toHaveLength(1);
  });

  it('stays approved in a new session of the loop', async () => {
    const id = await asked();
    await stage.sessionEnd('other');
    say(id, 'approved');
    await stage.sessionStart('resume', { process: 200 });
    const back = await stage.command('resume', '', { from: { process: 200, prompt: 'p9' } });
    expect(toAgent(back)).toContain(
      `the permission for this call is open now, once: Bash (in ${stage.project}): git push`,
    );
    expect((await bash('git push')).is).toBe('permit');
  });

  it('rejected, the loop goes on, and the agent reads the note at its next stop or call', async () => {
    const id = await asked();
    say(id, 'rejected', 'Not on a Friday.');
    expect(stage.status()).toBe('running');
    expect(toAgent(await bash('git push'))).toContain('Not on a Friday.');
    const second = await bash('git push');
    expect(toAgent(second)).not.toContain('Friday');
    const [request] = openRequests(null, stage.runtime());
    say(request?.id ?? '', 'rejected', 'Still no.');
    expect(toAgent(await stage.stop('Working.'))).toContain('Still no.');
    expect(toAgent(await stage.stop('Working on.'))).not.toContain('Still no.');
  });

  it('without rules nothing is asked', async () => {
    await stage.start('Ship it');
    expect((await bash('git push')).is).toBe('silence');
  });

  it('in a pass of the driver the pass ends there', async () => {
    await stage.start(START);
    stage.env = { DACAPO_DRIVEN: '1' };
    expect(await bash('git push')).toMatchObject({ is: 'deny', ends: true });
  });

  it('in a pass of the driver it is asked for too where nobody has told its session', async () => {
    const loop = await stage.start(START);
    const strange = { tool_name: 'Bash', tool_input: { command: 'git push' }, tool_use_id: 'first' };
    const call = (pass: string) => {
      stage.env = { DACAPO_DRIVEN: '1', DACAPO_PASS: `outer/${pass}` };
      return stage.tool(strange, { from: { session: 'chosen by the host' } });
    };
    // The driver keeps the id that it gave to the pass, also once the loop has that of the host.
    const pass = loop.session.chain ?? '';
    stage.store.sessions.keep(pass, { loop: loop.id, process: null, project: stage.project });
    expect([await call('another'), await call(pass)]).toMatchObject([{ is: 'silence' }, { is: 'deny' }]);
  });

  it('too many open requests are refused without asking', async () => {
    await stage.start(START);
    for (let k = 0; k < 20; k++) await bash(`git push origin b${k}`);
    expect(openRequests(null, stage.runtime())).toHaveLength(16);
  });
});

describe('a file that was moved', () => {
  it('to Approved opens our gate and leaves the rules of the host in force; the note goes to the agent', async () => {
    const id = await asked();
    const path = join(folder('Pending_Approval'), `${id}.md`);
    writeFileSync(path, `${readFileSync(path, 'utf8')}\nOnly this once.\n`);
    move(id, 'Approved');
    expect((await bash('git push')).is).toBe('silence');
    expect((await bash('git push')).is).toBe('deny');
    expect(stage.journal()).toContainEqual(
      expect.objectContaining({
        type: 'answered',
        id,
        answer: 'approved',
        by: 'file',
        note: 'Only this once.',
      }),
    );
    expect(readFileSync(join(folder('Approved'), `${id}.md`), 'utf8')).toContain('answered_by: file');
  });

  it('to Rejected rejects; in both folders, too', async () => {
    const id = await asked();
    mkdirSync(folder('Approved'), { recursive: true });
    writeFileSync(join(folder('Approved'), `${id}.md`), '');
    move(id, 'Rejected');
    expect((await bash('git push')).is).toBe('deny');
    expect(stage.journal()).toContainEqual(expect.objectContaining({ type: 'answered', answer: 'rejected' }));
  });

  it('that was there before the request is not an answer', async () => {
    await stage.start(START);
    const id = `ask-${stage.loop().id.split('_').at(-1)}-1`;
    mkdirSync(folder('Approved'), { recursive: true });
    writeFileSync(join(folder('Approved'), `${id}.md`), 'planted');
    expect((await bash('git push')).is).toBe('deny');
    expect((await bash('git push')).is).toBe('deny');
    const old = new Date(Date.now() - HOUR);
    writeFileSync(join(folder('Approved'), `${id}.md`), 'planted');
    utimesSync(join(folder('Approved'), `${id}.md`), old, old);
    expect((await bash('git push')).is).toBe('deny');
  });

  it('is not an answer where the policy demands a person, and goes back', async () => {
    await stage.start(`${START} --approval-policy person`);
    await bash('git push');
    const id = openRequests(null, stage.runtime())[0]?.id ?? '';
    move(id, 'Approved');
    expect((await bash('git push')).is).toBe('deny');
    expect(files('Pending_Approval')).toEqual([`${id}.md`]);
    expect(say(id, 'approved').ok).toBe(true);
    expect((await bash('git push')).is).toBe('permit');
  });

  it('answered by command, the file goes to the folder of the answer; an ending removes what is open', async () => {
    const id = await asked();
    say(id, 'rejected', 'No.');
    expect([files('Pending_Approval'), files('Rejected')]).toEqual([[], [`${id}.md`]]);
    await bash('git push');
    await bash('git push');
    expect(files('Pending_Approval')).toHaveLength(1);
    await stage.command('cancel');
    expect(files('Pending_Approval')).toEqual([]);
  });

  it('deleted, it stays away, and the command still answers', async () => {
    const id = await asked();
    rmSync(join(folder('Pending_Approval'), `${id}.md`));
    await bash('git push');
    expect(files('Pending_Approval')).toEqual([]);
    expect(say(id, 'approved').ok).toBe(true);
  });

  it('lies in the vault, which says that it waits; or where the person wants it', async () => {
    await stage.start(`${START} --view vault`);
    await bash('git push');
    const vault = join(stage.project, 'AI_Employee_Vault');
    expect(readdirSync(join(vault, 'Pending_Approval'))).toHaveLength(1);
    const state = readFileSync(join(vault, 'Ralph_State', `${stage.loop().id}.json`), 'utf8');
    expect(JSON.parse(state)).toMatchObject({
      status: 'paused_awaiting_approval',
      paused_for_approval: true,
    });
    const other = new Stage();
    stage = other;
    await stage.start(`${START} --approvals desk`);
    await bash('git push');
    expect(readdirSync(join(stage.project, 'desk/Pending_Approval'))).toHaveLength(1);
  });

  it('is kept out of git', async () => {
    mkdirSync(join(stage.project, '.git/info'), { recursive: true });
    writeFileSync(join(stage.project, '.git/HEAD'), '');
    mkdirSync(join(stage.project, '.git/objects'), { recursive: true });
    await asked();
    expect(readFileSync(join(stage.project, '.git/info/exclude'), 'utf8')).toContain(
      '**/Pending_Approval/ask-*.md',
    );
  });
});

describe('a session that waits', () => {
  it('stays usable: what a person types is answered and does not pause the loop; its stop spends nothing', async () => {
    const id = await asked();
    const held = await stage.stop('I wait.');
    expect(toPerson(held)).toContain('waiting for your answer');
    expect(await stage.prompt('What is this repository?', { prompt: 'p2' })).toEqual({ is: 'silence' });
    expect(stage.status()).toBe('waiting');
    await stage.stop('It is a parser.', { from: { prompt: 'p2' } });
    expect([stage.status(), stage.passes()]).toEqual(['waiting', 0]);
    say(id, 'approved');
    const next = await stage.prompt('go on', { prompt: 'p3' });
    expect(toAgent(next)).toContain(
      `the permission for this call is open now, once: Bash (in ${stage.project}): git push`,
    );
    expect(stage.status()).toBe('running');
  });

  it('a claim while it waits does not complete the loop', async () => {
    await asked();
    await stage.stop(DONE);
    expect(stage.status()).toBe('waiting');
  });

  it('nobody answers in time: the next look escalates, and a late answer is told so', async () => {
    const id = await asked();
    stage.wait(25 * HOUR);
    expect(say(id, 'approved')).toMatchObject({
      ok: false,
      code: 'expired',
      next: `dacapo resume ${stage.loop().id} continues it, and you are asked again.`,
    });
    expect(stage.loop().status).toMatchObject({ is: 'escalated', why: { is: 'unanswered' } });
    expect(openRequests(null, stage.runtime())).toEqual([]);
  });

  it('a question and a completion wait the same way', async () => {
    await stage.start('Ship it --approve-done');
    await stage.stop('Hm.\n\n<promise>ASK: Red or blue?</promise>');
    const [question] = openRequests(null, stage.runtime());
    // The question stands once, and without the tag.
    expect(question).toMatchObject({ kind: 'question', what: 'Red or blue?', why: 'Hm.' });
    expect(say(question?.id ?? '', 'text', 'Blue.').ok).toBe(true);
    expect(toAgent(await stage.stop('Working.'))).toContain(
      'The answer on record, given from a terminal: Blue.',
    );
    writeFileSync(join(stage.project, 'work.txt'), 'x');
    await stage.stop(DONE);
    const [completion] = openRequests(null, stage.runtime());
    expect(completion).toMatchObject({ kind: 'completion' });
    expect(say(completion?.id ?? '', 'text', 'ok')).toMatchObject({ ok: false, code: 'no-question' });
    expect(say(completion?.id ?? '', 'approved').ok).toBe(true);
    expect(stage.status()).toBe('completed');
    expect(existsSync(dirname(stage.path()))).toBe(true);
  });

  it('a second answer is refused with the first one named', async () => {
    const id = await asked();
    say(id, 'approved');
    expect(say(id, 'rejected')).toMatchObject({ ok: false, code: 'answered' });
    expect(say('ask-nothing-1', 'approved')).toMatchObject({ ok: false, code: 'no-request' });
  });
});

describe('an answer in the session', () => {
  let prompts = 0;
  const type = async (command: 'approve' | 'reject' | 'answer', args = '', more = {}) =>
    stage.command(command, args, { from: { prompt: `typed-${++prompts}` }, ...more });

  it('/approve-ralph opens the only request, without a call to the model', async () => {
    const id = await asked();
    await stage.stop('I wait.');
    expect(await type('approve')).toEqual({
      is: 'close',
      toPerson: `Da Capo: approved in the session: may the agent run Bash (in ${stage.project}): git push?`,
    });
    expect(stage.journal()).toContainEqual(
      expect.objectContaining({ type: 'answered', id, answer: 'approved', by: 'session' }),
    );
    expect((await bash('git push')).is).toBe('permit');
    expect(toPerson(await type('approve'))).toContain('Nothing waits for your answer here.');
  });

  it('with several, the commands are named; /reject-ralph takes an id and words', async () => {
    const id = await asked();
    await bash('git push --force');
    const unclear = toPerson(await type('approve'));
    expect(unclear).toContain(
      `/approve-ralph ${id}  may the agent run Bash (in ${stage.project}): git push?`,
    );
    expect(unclear).toContain(`may the agent run Bash (in ${stage.project}): git push --force?`);
    const rejected = toPerson(await type('reject', `${id} Not on a Friday.`));
    expect(rejected).toContain('Still open: /approve-ralph or /reject-ralph answers it.');
    expect(toAgent(await bash('git push'))).toContain('On record with it: Not on a Friday.');
    expect(toPerson(await type('approve', 'ask-nothing-1'))).toContain('There is no request');
  });

  it('/answer-ralph gives the words; /approve-ralph confirms a completion, and says how the loop ended', async () => {
    await stage.start('Ship it --approve-done');
    await stage.stop('<promise>ASK: Red or blue?</promise>');
    expect(toPerson(await type('answer'))).toContain('the answer is empty');
    // A yes is no answer to "Red or blue?".
    expect(toPerson(await type('approve'))).toMatch(
      /is a question: Red or blue\?.*dacapo answer ask-\w+-1 "…"/s,
    );
    expect(toPerson(await type('answer', 'Blue, and "matt".'))).toBe(
      'Da Capo: answered in the session: Red or blue?',
    );
    expect(toAgent(await stage.stop('Working.'))).toContain('given in the session: Blue, and "matt".');
    writeFileSync(join(stage.project, 'work.txt'), 'x');
    await stage.stop(DONE);
    expect(toPerson(await type('answer', 'Yes.'))).toContain('is not a question');
    expect(toPerson(await type('approve'))).toContain('completed after 2 iterations');
    expect(stage.status()).toBe('completed');
  });

  it('is one answer where two registrations of the hook hear the command', async () => {
    await asked();
    const from = { prompt: 'the-same' };
    expect((await stage.command('approve', '', { from })).is).toBe('close');
    expect((await stage.command('approve', '', { from })).is).toBe('silence');
  });

  it('is told once also where it ends the loop', async () => {
    await stage.start('Ship it --approve-done');
    writeFileSync(join(stage.project, 'work.txt'), 'x');
    await stage.stop(DONE);
    const from = { prompt: 'the-same' };
    expect(toPerson(await stage.command('approve', '', { from }))).toContain('confirmed in the session');
    expect((await stage.command('approve', '', { from })).is).toBe('silence');
  });

  it('counts only while no other process holds the loop, and only where no agent can give the command', async () => {
    await asked();
    const other = { prompt: 'p7', process: 999 };
    expect(toPerson(await stage.command('approve', '', { from: other }))).toContain('nothing was answered');
    expect(toPerson(await type('approve', '', { isAnyones: true }))).toContain('nothing was answered');
    expect(openRequests(null, stage.runtime())).toHaveLength(1);
    // Its session was opened again.
    stage.dead.add(100);
    expect(toPerson(await stage.command('approve', '', { from: { ...other, prompt: 'p8' } }))).toContain(
      'approved in the session',
    );
  });

  it('a session that goes on says who answered, unless that was here', async () => {
    const id = await asked();
    await stage.stop('I wait.');
    say(id, 'approved');
    expect(toPerson(await stage.notice({ prompt: 'p2' }))).toBe(
      `Da Capo: ${id} was approved from a terminal.`,
    );
    await bash('git push');
    await bash('git push');
    await stage.stop('I wait.', { from: { prompt: 'p2' } });
    await type('reject');
    expect(toPerson(await stage.notice({ prompt: 'p3' }))).toBe('');
  });
});

describe('an answer', () => {
  it('that is none is refused, and leaves the journal as it is', async () => {
    const id = await asked();
    const before = stage.journal().length;
    expect(say(id, '__proto__' as 'approved')).toMatchObject({ ok: false, code: 'no-answer' });
    expect(stage.journal()).toHaveLength(before);
  });
});

describe('steering', () => {
  it('reaches the next iteration once, and is refused to an agent', async () => {
    const { id } = await stage.start('Ship it');
    const order = { id, root: stage.project, words: 'Mind the tests.', by: 'terminal' as const };
    expect(steer(order, stage.runtime({ env: { CLAUDECODE: '1' } }))).toMatchObject({
      ok: false,
      code: 'people-only',
    });
    expect(steer(order, stage.runtime()).ok).toBe(true);
    expect(toAgent(await stage.stop('One.'))).toContain('Mind the tests.');
    expect(toAgent(await stage.stop('Two.'))).not.toContain('Mind the tests.');
  });

  it('is said again, like an answer, after a compaction: the newest first, within bounds', async () => {
    const { id } = await stage.start('Ship it --approve "Bash(git push *)"');
    await bash('git push');
    const [request] = openRequests(null, stage.runtime());
    say(request?.id ?? '', 'rejected', 'Not before Friday.');
    for (const words of ['Mind the tests.', `Long. ${'x'.repeat(3_000)}`, 'And\nthe docs.']) {
      expect(steer({ id, root: stage.project, words, by: 'terminal' }, stage.runtime()).ok).toBe(true);
      await stage.stop(words);
    }
    const brief = toAgent(await stage.sessionStart('compact'));
    const lines = brief.split('\n').filter((line) => line.startsWith('- in iteration'));
    expect(lines.map((line) => line.slice(0, 60))).toEqual([
      '- in iteration 3: A person says: And the docs.',
      expect.stringMatching(/^- in iteration 2: A person says: Long\. x+$/),
      '- in iteration 1: A person says: Mind the tests.',
      '- in iteration 1: the permission for this call stays closed:',
    ]);
    expect(lines.join('\n').length).toBeLessThan(2_000);
  });
});
