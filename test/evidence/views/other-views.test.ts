/** The views beside the markdown one, wired to loops. */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { cancelLoop, pauseLoop, resumeLoop } from '#engine/steer/control.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { readStackState } from '#evidence/views/stack/format.ts';
import { putJwz } from './jwz.ts';
import { DONE, HOUR, SECOND, Stage, toAgent, toPerson } from '../../engine/hearing/stage.ts';

const FOLDER = join('.claude', 'data', 'ralph-loops', 'current');
const PROGRESS = join(FOLDER, 'progress.txt');
const LOG = join(FOLDER, 'hook.log');
const IDLE = join('.claude', 'idle-loop.local.md');

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});

/** From another terminal. */
function inTerminal<T>(act: (open: OpenLoop) => T): T {
  const open = stage.store.open(stage.loop().id);
  if (open === null) throw new Error('no loop');
  try {
    return act(open);
  } finally {
    open.close();
  }
}

function resumeInTerminal(): void {
  const again = { by: 'terminal' as const, session: 's1', process: 100, prompt: null, iterations: null };
  inTerminal((open) => resumeLoop(open, again, stage.runtime()));
}

describe('which views a loop keeps', () => {
  it('is the markdown one alone, unless the person says otherwise', async () => {
    const loop = await stage.start('Fix.');
    expect(loop).toMatchObject({ files: { view: join('.claude', 'ralph-loop.local.md'), views: [] } });
    expect(existsSync(join(stage.dir(), 'views'))).toBe(false);
  });

  it('may be none: the agent is then pointed to where the prompt is kept', async () => {
    const loop = await stage.start(`${'Fix it. '.repeat(400)} --view none`);
    expect(loop).toMatchObject({ files: { view: null, views: [] } });
    expect(stage.hasView()).toBe(false);
    const words = toAgent(await stage.stop());
    expect(words).toContain(`The whole task is in ${join(stage.dir(), 'prompts')}`);
  });

  it('may be several, with commas or by repeating the flag; --vault adds the vault', async () => {
    const loop = await stage.start('Fix. --view markdown,progress --view stack --vault Safe');
    expect(loop.files.view).not.toBeNull();
    expect(loop.files.views).toEqual([
      { kind: 'progress', file: PROGRESS },
      { kind: 'stack', file: IDLE },
      { kind: 'vault', file: join('Safe', 'Ralph_State', `${loop.id}.json`) },
    ]);
    for (const { file } of loop.files.views) expect(stage.hasView(file)).toBe(true);
  });

  it('is refused where it makes no sense', async () => {
    expect(toPerson(await stage.command('start', 'Fix. --view html'))).toContain(
      '--view takes markdown, progress, vault, stack or none, not "html".',
    );
    expect(toPerson(await stage.command('start', 'Fix. --view none --vault V'))).toContain(
      "can't be given with --vault",
    );
  });
});

describe('progress', () => {
  it('changes its three lines and keeps every other byte, in any encoding', async () => {
    const notes = Buffer.from('\r\nNotes\xE9\xFF\0 Status: 200\r\n\r\n- done: a\tb\r\n', 'latin1');
    const head = Buffer.from('# Mine\r\nStatus: IN_PROGRESS\r\nIteration: 1\r\nMax Iterations: 15 (enough)');
    stage.write(Buffer.concat([head, notes]), { file: PROGRESS });
    chmodSync(stage.path(PROGRESS), 0o640);
    await stage.start('Fix. --view progress --max-iterations 15');
    await stage.stop();
    await stage.stop(DONE);
    const bytes = readFileSync(stage.path(PROGRESS));
    expect(bytes.subarray(0, bytes.indexOf('\r\nNotes')).toString()).toBe(
      '# Mine\r\nStatus: COMPLETE\r\nIteration: 2\r\nMax Iterations: 15 (enough)',
    );
    expect(bytes.subarray(bytes.indexOf('\r\nNotes')).equals(notes)).toBe(true);
    expect(statSync(stage.path(PROGRESS)).mode & 0o777).toBe(0o640);
    expect(stage.evidence()).toEqual([]);
  });

  it('is made where there is none, in RALPH_LOOP_DIR where that is set', async () => {
    stage.env = { RALPH_LOOP_DIR: 'loops/mine' };
    await stage.start('Fix. --view progress');
    expect(stage.view(join('loops', 'mine', 'progress.txt'))).toContain(
      'Status: IN_PROGRESS\nIteration: 1\nMax Iterations: 50\n',
    );
  });

  it('says REACHED_LIMIT at the limit, and IN_PROGRESS after a cancel', async () => {
    await stage.start('Fix. --view progress --max-iterations 1');
    await stage.stop();
    expect(stage.view(PROGRESS)).toContain('Status: REACHED_LIMIT\nIteration: 1\nMax Iterations: 1\n');
    stage = new Stage();
    await stage.start('Fix. --view progress');
    await stage.command('cancel');
    expect(stage.view(PROGRESS)).toContain('Status: IN_PROGRESS\n');
  });

  it('another limit amends; the agent may write around it', async () => {
    await stage.start('Fix. --view progress --max-iterations 20');
    const edited = stage.view(PROGRESS).replace('Max Iterations: 20', 'Max Iterations: 3');
    stage.write(`${edited}- one done\n`, { file: PROGRESS });
    expect(toAgent(await stage.stop())).toContain('iteration 2 of 3');
    expect(stage.view(PROGRESS)).toMatch(/Iteration: 2\nMax Iterations: 3\n[^]*- one done\n$/);
  });

  it('a limit that was saved this very moment waits for the next stop, and is not written over meanwhile', async () => {
    await stage.start('Fix. --view progress --max-iterations 20');
    stage.write(stage.view(PROGRESS).replace('Max Iterations: 20', 'Max Iterations: 3'), {
      file: PROGRESS,
      ago: 0,
    });
    expect(toAgent(await stage.stop())).toContain('iteration 2 of 20');
    expect(stage.view(PROGRESS)).toContain('Max Iterations: 3\n');
    stage.wait(5 * SECOND);
    expect(toAgent(await stage.stop('More.'))).toContain('iteration 3 of 3');
  });

  it('notes of this very moment are kept, and the lines are written all the same', async () => {
    await stage.start('Fix. --view progress');
    stage.write(`${stage.view(PROGRESS)}- just now\n`, { file: PROGRESS, ago: 0 });
    await stage.stop();
    expect(stage.view(PROGRESS)).toMatch(/Iteration: 2\n[^]*- just now\n$/);
  });

  it('what the agent writes while a check runs is kept', async () => {
    const check = `"${process.execPath}" -e "setTimeout(() => process.exit(1), 300)"`;
    await stage.start(`Fix. --view progress --check '${check}'`);
    const hearing = stage.stop();
    await new Promise((resolve) => setTimeout(resolve, 100));
    appendFileSync(stage.path(PROGRESS), '- in the meantime\n');
    expect((await hearing).is).toBe('continue');
    expect(stage.view(PROGRESS)).toMatch(/Iteration: 2\n[^]*- in the meantime\n$/);
  });

  it('a limit that is not a number is written anew, with a copy of what stood there', async () => {
    await stage.start('Fix. --view progress');
    const garbled = stage.view(PROGRESS).replace('Max Iterations: 50', 'Max Iterations: lots');
    stage.write(garbled, { file: PROGRESS });
    expect((await stage.stop()).is).toBe('continue');
    expect(stage.view(PROGRESS)).toContain('Max Iterations: 50\n');
    expect(stage.evidence()).toEqual(['replaced-progress.txt']);
  });

  it('is made anew when the agent deletes it, as long as its folder stands', async () => {
    await stage.start('Fix. --view progress');
    stage.deleteView(PROGRESS);
    await stage.stop();
    expect(stage.view(PROGRESS)).toContain('Iteration: 2\n');
    rmSync(stage.path(FOLDER), { recursive: true });
    expect((await stage.stop('More.')).is).toBe('continue');
    expect(existsSync(stage.path(FOLDER))).toBe(false);
  });

  it('follows no link, and the loop continues without it', async () => {
    await stage.start('Fix. --view progress');
    const outside = join(stage.project, '..', 'outside.txt');
    writeFileSync(outside, 'Status: mine\n');
    stage.deleteView(PROGRESS);
    symlinkSync(outside, stage.path(PROGRESS));
    expect((await stage.stop()).is).toBe('continue');
    expect(readFileSync(outside, 'utf8')).toBe('Status: mine\n');
    expect(stage.log.join('\n')).toContain('progress.txt: ELOOP');
  });

  it('is kept by one loop at a time', async () => {
    await stage.start('Fix. --view progress');
    const answer = await stage.command('start', 'Other. --view progress', { from: { session: 's2' } });
    expect(toPerson(answer)).toMatch(/progress\.txt is kept by loop \S+ already .*dacapo cancel/);
    await stage.command('cancel');
    await stage.start('Other. --view progress', { session: 's2', prompt: 'p2' });
  });

  it("is not touched any more by a loop that has ended, as it may be another one's by then", async () => {
    await stage.start('Fix. --view progress');
    inTerminal((open) => cancelLoop(open, 'terminal', null, stage.runtime()));
    await stage.start('Other. --view progress --max-iterations 7', { session: 's2', prompt: 'p2' });
    const shown = stage.view(PROGRESS);
    expect(shown).toContain('Max Iterations: 7\n');
    expect(toPerson(await stage.stop())).toContain('cancelled');
    expect(stage.view(PROGRESS)).toBe(shown);
  });

  it('has a hook.log beside it, in the words of its own script', async () => {
    const list = (passing: number) =>
      JSON.stringify({
        features: ['Cuisine list loads', 'Reservations open'].map((description, k) => ({
          id: k + 1,
          description,
          passes: k < passing,
        })),
      });
    const file = join(FOLDER, 'feature_list.json');
    stage.write(list(0), { file });
    await stage.start(`Fix. --view progress --features ${file} --max-iterations 3`);
    await stage.stop();
    stage.write(list(1), { file });
    await stage.stop('One.', { continuedByHook: true });
    stage.write(list(2), { file });
    await stage.stop('Two.', { continuedByHook: true });
    const lines = stage.view(LOG).trimEnd().split('\n');
    expect(lines.every((line) => /^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\] /.test(line))).toBe(true);
    expect(lines.map((line) => line.slice(22))).toEqual([
      'Stop hook triggered. Session: s1, stop_hook_active: false',
      'Iteration: 1 / 3',
      'Features: 0/2 complete, 2 remaining',
      'CONTINUE: Starting iteration 2 for Feature 1: Cuisine list loads',
      'Stop hook triggered. Session: s1, stop_hook_active: true',
      'Iteration: 2 / 3',
      'Features: 1/2 complete, 1 remaining',
      'CONTINUE: Starting iteration 3 for Feature 2: Reservations open',
      'Stop hook triggered. Session: s1, stop_hook_active: true',
      'Iteration: 3 / 3',
      'Features: 2/2 complete, 0 remaining',
      'COMPLETE: All features passed',
    ]);
  });

  it('a log of a megabyte makes room, and one that is a link is left alone', async () => {
    await stage.start('Fix. --view progress');
    stage.write('x'.repeat(1024 * 1024), { file: LOG });
    await stage.stop();
    expect(stage.hasView(LOG)).toBe(false);
    expect(stage.view(`${LOG}.1`)).toContain('CONTINUE: Starting iteration 2\n');
    const outside = join(stage.project, '..', 'outside.log');
    writeFileSync(outside, '');
    symlinkSync(outside, stage.path(LOG));
    expect((await stage.stop('More.')).is).toBe('continue');
    expect(readFileSync(outside, 'utf8')).toBe('');
  });
});

describe('vault', () => {
  const stateFile = () => join('AI_Employee_Vault', 'Ralph_State', `${stage.loop().id}.json`);
  const historyFile = (copy = '') =>
    join('AI_Employee_Vault', 'Ralph_History', `${stage.loop().id}${copy}.json`);
  const state = (file = stateFile()) => JSON.parse(stage.view(file)) as Record<string, unknown>;
  const change = (over: object, ago = 5 * SECOND) =>
    stage.write(JSON.stringify({ ...state(), ...over }), { file: stateFile(), ago });

  it('shows the loop as the hook of the format does, with the passes that ended and how each was left', async () => {
    await stage.start('Process all invoices. --vault AI_Employee_Vault --max-iterations 10');
    expect(state()).toMatchObject({ status: 'running', current_iteration: 1, iterations: [] });
    await stage.stop('Processing invoice 1...\n\u001B[31m<promise>not yet');
    await stage.stop('x'.repeat(500));
    expect(state()).toMatchObject({
      loop_id: stage.loop().id,
      prompt: 'Process all invoices.',
      max_iterations: 10,
      completion_promise: 'COMPLETE',
      current_iteration: 3,
      status: 'running',
      errors: [],
      paused_for_approval: false,
      iterations: [
        { number: 1, output_preview: 'Processing invoice 1... ‹promise>not yet', completed: false },
        { number: 2, output_preview: `${'x'.repeat(199)}…`, completed: false },
      ],
    });
  });

  it('can be made anew out of the journal alone', async () => {
    await stage.start('Fix. --vault V');
    for (const said of ['One.', 'Two.', 'Three.']) await stage.stop(said);
    const file = join('V', 'Ralph_State', `${stage.loop().id}.json`);
    const before = state(file);
    rmSync(join(stage.dir(), 'state.json'));
    inTerminal((open) => pauseLoop(open, 'terminal', 'command', stage.runtime()));
    expect(state(file)).toMatchObject({ iterations: before['iterations'], status: 'pending' });
  });

  it('shows the last hundred passes of a long loop', async () => {
    await stage.start('Fix. --view vault --max-iterations unlimited');
    for (let n = 1; n <= 104; n++) await stage.stop(`Pass ${n}.`);
    const { iterations } = state() as { iterations: { number: number }[] };
    expect(iterations.map(({ number }) => number)).toEqual(Array.from({ length: 100 }, (_, k) => k + 5));
  });

  it('moves to the history at the end, and never over what is there', async () => {
    await stage.start('Fix. --view vault');
    await stage.command('cancel');
    expect(stage.hasView(stateFile())).toBe(false);
    expect(state(historyFile())).toMatchObject({ status: 'stopped', current_iteration: 0 });
    resumeInTerminal();
    expect(state()).toMatchObject({ status: 'pending', current_iteration: 1 });
    await stage.prompt('Go on.', { prompt: 'p2' });
    await stage.stop(DONE, { from: { prompt: 'p2' } });
    expect(stage.hasView(stateFile())).toBe(false);
    expect(state(historyFile())).toMatchObject({ status: 'stopped' });
    expect(state(historyFile('-2'))).toMatchObject({
      status: 'completed',
      current_iteration: 1,
      iterations: [{ number: 1, completed: true }],
    });
    expect(readdirSync(stage.path(join('AI_Employee_Vault', 'Ralph_History')))).toHaveLength(2);
  });

  it('stopped, by a person, cancels', async () => {
    await stage.start('Fix. --view vault');
    await stage.stop();
    change({ status: 'stopped' });
    expect(toPerson(await stage.stop('More.'))).toMatch(
      /cancelled after 1 iteration \(its state file says stopped\)/,
    );
    expect(state(historyFile())).toMatchObject({ status: 'stopped' });
    expect(stage.hasView(stateFile())).toBe(false);
  });

  it('stopped this very moment cancels at the next stop, and is not written over meanwhile', async () => {
    await stage.start('Fix. --view vault');
    change({ status: 'stopped' }, 0);
    expect((await stage.stop()).is).toBe('continue');
    expect(state()).toMatchObject({ status: 'stopped' });
    stage.wait(5 * SECOND);
    expect((await stage.stop('More.')).is).toBe('tell');
    expect(stage.status()).toBe('cancelled');
  });

  it('deleted, it cancels; the history tells of it all the same', async () => {
    await stage.start('Fix. --view vault');
    stage.deleteView(stateFile());
    expect((await stage.stop()).is).toBe('tell');
    expect(stage.status()).toBe('cancelled');
    expect(state(historyFile())).toMatchObject({ status: 'stopped' });
  });

  it('what else is changed in it is nothing, and goes with a copy', async () => {
    await stage.start('Fix. --view vault');
    change({ max_iterations: 3, prompt: 'Something else.' });
    expect(toAgent(await stage.stop())).toContain('iteration 2 of 10');
    expect(state()).toMatchObject({ max_iterations: 10, prompt: 'Fix.' });
    expect(stage.evidence()).toEqual([`edited-${stage.loop().id}.json`]);
  });

  it('what is not a state aborts, with a copy', async () => {
    await stage.start('Fix. --view vault');
    stage.write('{ "prompt": ', { file: stateFile() });
    expect(toPerson(await stage.stop())).toMatch(/aborted.*can't be trusted: it is not a JSON object/);
    expect(stage.evidence()).toContain(`rejected-${stage.loop().id}.json`);
    expect(state(historyFile())).toMatchObject({ errors: [{ fatal: true }] });
  });

  it('lists what went wrong: a fault that was recovered from, and what needs a person', async () => {
    await stage.start('Fix. --view vault');
    await stage.hear({
      is: 'fault',
      from: stage.from(),
      error: 'overloaded',
      detail: 'try later',
      fatal: null,
    });
    await stage.command('resume', '', { from: { prompt: 'p2' } });
    await stage.stop('<promise>BLOCKED: no key</promise>', { from: { prompt: 'p2' } });
    expect(state(historyFile())).toMatchObject({
      status: 'stopped',
      errors: [
        { message: 'overloaded: try later', fatal: false },
        { message: 'the agent says that it is blocked: no key', fatal: true },
      ],
    });
  });

  it.each([
    ['max_iterations_reached', 'Fix. --view vault --max-iterations 1', 'Working.'],
    ['completed', 'Fix. --view vault', DONE],
  ])('ends as %s', async (status, start, said) => {
    await stage.start(start);
    await stage.stop(said);
    expect(state(historyFile())).toMatchObject({ status });
  });

  it('names the file that is watched', async () => {
    stage.write('bill', { file: 'Needs_Action/INVOICE_client.md' });
    await stage.start('Pay. --view vault --watch-file Needs_Action/INVOICE_client.md --done-folder Done/');
    expect(state()).toMatchObject({ watch_file: 'Needs_Action/INVOICE_client.md', done_folder: 'Done/' });
  });
});

describe('stack, in its file', () => {
  it('shows the frame at work, and its end', async () => {
    await stage.start('Fix it.\n\nWell. --view stack --max-iterations 10');
    await stage.stop();
    expect(stage.view(IDLE)).toMatch(/^---\nactive: true\nmode: loop\niteration: 2\nmax_iterations: 10\n/);
    expect(stage.view(IDLE)).toMatch(/---\nFix it\.\n\nWell\.$/);
    await stage.stop(DONE);
    expect(stage.view(IDLE)).toMatch(/active: false\n[^]*event: DONE\nreason: COMPLETE\n/);
  });

  it.each([
    ['event: ABORT', (content: string) => content.replace('event: STATE', 'event: ABORT'), 'aborted'],
    ['active: false', (content: string) => content.replace('active: true', 'active: false'), 'aborted'],
    ['no number', (content: string) => content.replace('iteration: 1', 'iteration: many'), 'aborted'],
  ])('%s aborts, and the file goes', async (_name, edit, status) => {
    await stage.start('Fix. --view stack');
    stage.write(edit(stage.view(IDLE)), { file: IDLE });
    expect((await stage.stop()).is).toBe('tell');
    expect(stage.status()).toBe(status);
    expect(stage.hasView(IDLE)).toBe(false);
    expect(stage.evidence()).toEqual(
      expect.arrayContaining(['rejected-idle-loop.local.md', 'last-idle-loop.local.md']),
    );
  });

  it('of another loop, written over ours, stays when we abort', async () => {
    await stage.start('Fix. --view stack,markdown');
    const theirs = stage.view(IDLE).replace(/^run_id: .*$/m, 'run_id: another');
    stage.write('garbage');
    stage.write(theirs, { file: IDLE });
    await stage.stop();
    expect(stage.hasView(IDLE)).toBe(true);
  });

  it('deleted, it cancels, and stays away', async () => {
    await stage.start('Fix. --view stack');
    stage.deleteView(IDLE);
    expect((await stage.stop()).is).toBe('tell');
    expect(stage.status()).toBe('cancelled');
    expect(stage.hasView(IDLE)).toBe(false);
  });

  it('after its ABORT a resume goes on: that was our own hand', async () => {
    await stage.start('Fix. --view stack');
    inTerminal((open) => cancelLoop(open, 'terminal', null, stage.runtime()));
    expect(stage.view(IDLE)).toContain('event: ABORT\nreason: USER_CANCELLED\n');
    resumeInTerminal();
    await stage.prompt('Go on.', { prompt: 'p2' });
    expect((await stage.stop('More.', { from: { prompt: 'p2' } })).is).toBe('continue');
    expect(stage.view(IDLE)).toContain('event: STATE\n');
  });

  it('a second loop gets a file of its own; one that is over makes room, with a copy', async () => {
    const first = await stage.start('Fix. --view stack');
    const second = await stage.start('Other. --view stack', { session: 's2', prompt: 'p2' });
    expect(second.files.views[0]?.file).toBe(join('.claude', `idle-loop.${second.id}.local.md`));
    expect(stage.view(IDLE)).toContain(first.id);
    await stage.command('cancel');
    const third = await stage.start('Third. --view stack', { session: 's3', prompt: 'p3' });
    expect(third.files.views[0]?.file).toBe(IDLE);
    expect(stage.evidence(third.id)).toEqual(['before-idle-loop.local.md']);
  });
});

describe('stack, where there is a jwz', () => {
  beforeEach(() => {
    stage.env = { PATH: putJwz(join(stage.project, '..', 'bin')) };
  });
  const messages = () =>
    readFileSync(stage.path(join('.jwz', 'messages.jsonl')), 'utf8')
      .trimEnd()
      .split('\n')
      .map((row) => JSON.parse(row) as { type: string; body: string })
      .filter(({ type }) => type === 'message')
      .map(({ body }) => body);
  const post = (body: string) => {
    const row = { type: 'message', id: 'z', topic: 'loop:current', body, created_at: Date.now() + HOUR };
    appendFileSync(stage.path(join('.jwz', 'messages.jsonl')), `${JSON.stringify(row)}\n`);
  };

  it('is a message of its topic after each stop, and the file is not made', async () => {
    const loop = await stage.start('Fix. --view stack --max-iterations 10');
    expect(loop.files.views).toEqual([{ kind: 'stack', file: 'loop:current' }]);
    expect(stage.hasView(IDLE)).toBe(false);
    await stage.stop();
    const [frame] = (JSON.parse(messages().at(-1) ?? '') as { stack: { prompt_file: string }[] }).stack;
    expect(frame).toMatchObject({ id: loop.id, mode: 'loop', iter: 2, max: 10 });
    expect(readFileSync(frame?.prompt_file ?? '', 'utf8')).toBe('Fix.');
    await stage.stop(DONE);
    expect(JSON.parse(messages().at(-1) ?? '')).toMatchObject({
      schema: 1,
      event: 'DONE',
      reason: 'COMPLETE',
      run_id: loop.id,
      stack: [],
    });
    const count = messages().length;
    await stage.stop('Said again.');
    expect(messages()).toHaveLength(count);
  });

  it("aborts by idle-loop's own cancel, which names no run", async () => {
    await stage.start('Fix. --view stack');
    post('{"schema":1,"event":"ABORT","reason":"USER_CANCELLED","stack":[]}');
    expect(toPerson(await stage.stop())).toContain('the topic loop:current says ABORT (USER_CANCELLED)');
    expect(stage.status()).toBe('aborted');
    expect(stage.evidence()).toEqual(['rejected-loop-current.json']);
  });

  it('makes store and topic where an older one does not', async () => {
    stage.env['JWZ_FAKE'] = 'old';
    const loop = await stage.start('Fix. --view stack');
    expect(loop.files.views[0]?.file).toBe('loop:current');
    expect(messages()).toHaveLength(1);
  });

  it('survives paths that its escapes would spoil', async () => {
    const { home } = stage;
    const odd = join(dirname(home.dir), 'a\\new\\table "x"');
    mkdirSync(odd);
    Object.assign(stage, { home: { ...home, loops: odd } });
    await stage.start('Fix. --view stack');
    const state = readStackState(messages().at(-1) ?? '');
    if (state.is !== 'active') throw new Error(JSON.stringify(state));
    expect(readFileSync(state.frames[0]?.promptFile ?? '', 'utf8')).toBe('Fix.');
    expect((await stage.stop()).is).toBe('continue');
  });

  it("another run's live state is left alone, before and after", async () => {
    const theirs = (at: string) =>
      `{"schema":1,"event":"STATE","run_id":"loop-1","updated_at":"${at}","stack":[{"id":"loop-1","mode":"loop","iter":1,"max":10}]}`;
    mkdirSync(stage.path('.jwz'));
    writeFileSync(stage.path(join('.jwz', 'messages.jsonl')), '{"type":"topic","name":"loop:current"}\n');
    post(theirs(stage.now()));
    const loop = await stage.start('Fix. --view stack');
    expect(loop.files.views[0]?.file).toBe(IDLE);

    stage = new Stage();
    stage.env = { PATH: putJwz(join(stage.project, '..', 'bin')) };
    await stage.start('Fix. --view stack');
    post(theirs(stage.now()));
    expect((await stage.stop()).is).toBe('continue');
    expect(messages().at(-1)).toContain('loop-1');
  });

  it('once it fails, the file takes its place', async () => {
    await stage.start('Fix. --view stack');
    stage.env['JWZ_FAKE'] = 'fails';
    expect((await stage.stop()).is).toBe('continue');
    expect(stage.loop().files.views).toEqual([{ kind: 'stack', file: IDLE }]);
    expect((await stage.stop('More.')).is).toBe('continue');
    expect(stage.view(IDLE)).toContain('iteration: 3\n');
  });

  it('one that hangs is ended, and the loop starts with the file', async () => {
    stage.env['JWZ_FAKE'] = 'hangs';
    const loop = await stage.start('Fix. --view stack');
    expect(loop.files.views[0]?.file).toBe(IDLE);
  }, 30_000);

  it('a program of that name in the project, or in a relative folder, is not started', async () => {
    const bin = stage.path('node_modules/.bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'jwz'), `#!/bin/sh\ntouch ${stage.path('ran')}\n`, { mode: 0o755 });
    stage.env = { PATH: `node_modules/.bin:.:${bin}:/usr/bin:/bin` };
    const loop = await stage.start('Fix. --view stack');
    expect(loop.files.views[0]?.file).toBe(IDLE);
    expect(stage.hasView('ran')).toBe(false);
  });
});

describe('what is adopted by the hand-written file', () => {
  it('begins at the iteration that it names', async () => {
    stage.write('---\niteration: 4\nmax_iterations: 6\nsession_id: s1\n---\nFix.');
    await stage.command('resume');
    await stage.stop();
    expect(stage.loop().frame).toMatchObject({ passes: 4, iterations: 6 });
  });

  it('is refused where none is left', async () => {
    stage.write('---\niteration: 7\nmax_iterations: 6\nsession_id: s1\n---\nFix.');
    expect(toPerson(await stage.command('resume'))).toContain('it is at iteration 7 of 6: none is left');
  });
});
