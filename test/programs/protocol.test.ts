// The hook program as the host sees it: exit 0 always, one JSON document or nothing, and whatever goes wrong
// lets the session stop.
import { listBelow } from '#base/files/list-below.ts';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import {
  HOOK,
  SESSION,
  allows,
  beginHook,
  continues,
  eventsOf,
  makeProgram,
  pause,
  said,
  type Payload,
  type Program,
  type Run,
} from './program.ts';

const NOTHING = { exit: 0, signal: null, stdout: '', stderr: '' };

const opened: { close: () => void }[] = [];
afterEach(() => {
  for (const each of opened.splice(0).toReversed()) each.close();
});

function program(options: { isNew?: boolean } = {}): Program {
  const made = makeProgram(options);
  opened.push(made);
  return made;
}

async function live(args = 'Build it --max-iterations unlimited'): Promise<Program> {
  const made = program();
  await made.start(args);
  return made;
}

describe('one document or nothing', () => {
  test('a stop of a live loop gets one document that continues, with a word for the person', async () => {
    const hook = await live();
    const run = await hook.run(hook.stopped());
    expect(run).toMatchObject({ exit: 0, stderr: '' });
    const answer = said(run);
    expect(continues(answer)).toBe(true);
    expect(answer?.systemMessage).toMatch(/iteration 2/);
    expect(answer?.decision).toBeUndefined();
    expect(run.stdout).toBe(JSON.stringify(answer));
  });

  test('a session without a loop gets nothing, and leaves nothing behind', async () => {
    const hook = program({ isNew: true });
    for (const input of [hook.stopped(), hook.payload('UserPromptSubmit', { prompt: 'Hello' })])
      expect(await hook.run(input)).toEqual(NOTHING);
    expect(readdirSync(hook.root)).toEqual(['project']);
    expect(readdirSync(hook.project)).toEqual([]);
  });

  test('another session in the same project gets nothing', async () => {
    const hook = await live();
    expect(await hook.stop('Done. <promise>COMPLETE</promise>', { session_id: 'another' })).toBeNull();
    expect(hook.passes()).toBe(0);
  });

  test('a session without a loop needs two files, and a common stop of a loop one more', async () => {
    const hook = await live();
    const alone = join(hook.root, 'hook.cjs');
    const third = join(hook.root, 'stop.cjs');
    for (const name of ['hook.cjs', 'hook-program.cjs', 'stop.cjs'])
      copyFileSync(join(dirname(HOOK), name), join(hook.root, name));
    const run = (input: Payload) => {
      // As the host sets it for its hooks.
      const env = { ...hook.env, CLAUDE_CODE_SESSION_ID: String(input['session_id']) };
      return beginHook(process.execPath, [alone], input, { cwd: hook.project, env }).ended;
    };
    expect(continues(said(await run(hook.stopped())))).toBe(true);
    rmSync(third);
    const none = { session_id: 'another', prompt: 'Hello' };
    for (const event of ['UserPromptSubmit', 'SessionEnd'])
      expect(said(await run(hook.payload(event, none)))).toBeNull();
    expect(said(await run(hook.stopped('Hello.', none)))).toBeNull();
    rmSync(join(hook.project, '.claude'), { recursive: true });
    expect(said(await run(hook.stopped('Hello.', none)))).toBeNull();
    expect(hook.log()).not.toContain('failed open');
  });

  test('the host may send slowly, in pieces, and much', async () => {
    const hook = await live();
    const text = JSON.stringify(hook.stopped('word '.repeat(1_000_000)));
    const pieces = [text.slice(0, 100), text.slice(100, 3_000_000), text.slice(3_000_000)];
    expect(continues(said(await runSlowly(hook, pieces)))).toBe(true);
    expect(hook.passes()).toBe(1);
  });

  test('a host that no longer listens is not an error', async () => {
    const hook = await live();
    const { child, ended } = hook.begin(hook.stopped());
    child.stdout?.destroy();
    expect(await ended).toMatchObject({ exit: 0, stderr: '' });
    expect(continues(await hook.stop('Next.'))).toBe(true);
  });
});

async function runSlowly(hook: Program, pieces: readonly string[]): Promise<Run> {
  const { child, ended } = hook.begin(null);
  for (const piece of pieces) {
    await pause(100);
    child.stdin?.write(piece);
  }
  child.stdin?.end();
  return ended;
}

describe('switched off', () => {
  test.each(['DACAPO_DISABLE', 'IDLE_LOOP_DISABLE'])('%s=1 allows before anything is read', async (name) => {
    const hook = await live();
    const [journal, log, view] = [hook.journal(), hook.log(), hook.view()];
    // Nothing is read: not even what would be refused.
    for (const input of [hook.stopped(), hook.command('ralph', 'Another'), hook.command('cancel-ralph'), '{'])
      expect(await hook.run(input, { [name]: '1' })).toEqual(NOTHING);
    expect([hook.journal(), hook.log(), hook.view()]).toEqual([journal, log, view]);
    expect(continues(said(await hook.run(hook.stopped(), { [name]: '0' })))).toBe(true);
  });
});

describe('in a pass that a driver judges', () => {
  const DRIVEN = { DACAPO_DRIVEN: '1' };
  const guard = (hook: Program, input: Payload, env: Record<string, string>): Promise<Run> =>
    beginHook(process.execPath, [HOOK, 'guard'], input, { cwd: hook.project, env: { ...hook.env, ...env } })
      .ended;
  const writes = (hook: Program, path: string): Payload =>
    hook.payload('PreToolUse', { tool_name: 'Write', tool_input: { file_path: path, content: 'x' } });

  test('what is installed hears nothing: neither stops nor tools', async () => {
    const hook = await live();
    const [journal, log] = [hook.journal(), hook.log()];
    const inputs = [hook.stopped(), hook.command('cancel-ralph'), writes(hook, join(hook.home, 'x')), '{'];
    for (const input of inputs) expect(await hook.run(input, DRIVEN)).toEqual(NOTHING);
    expect([hook.journal(), hook.log()]).toEqual([journal, log]);
  });

  test('the guard that the pass brought along refuses as in a session, and lets the rest through', async () => {
    const hook = await live();
    const refused = await guard(hook, writes(hook, join(hook.home, 'x')), DRIVEN);
    expect(refused.stdout).toContain('"permissionDecision":"deny"');
    expect(refused.stdout).toContain('belongs to its own record of your loop');
    expect(await guard(hook, writes(hook, join(hook.project, 'x')), DRIVEN)).toEqual(NOTHING);
  });

  test('DACAPO_DISABLE=1 switches that off as well', async () => {
    const hook = await live();
    const env = { ...DRIVEN, DACAPO_DISABLE: '1' };
    expect(await guard(hook, writes(hook, join(hook.home, 'x')), env)).toEqual(NOTHING);
  });

  test('the guard fails open', async () => {
    const hook = await live();
    writeFileSync(join(hook.loopDir(), 'journal.jsonl'), 'no journal');
    rmSync(join(hook.loopDir(), 'state.json'), { force: true });
    const run = await guard(hook, writes(hook, join(hook.home, 'x')), DRIVEN);
    expect(run.exit).toBe(0);
    expect(run.stdout).not.toContain('deny');
  });
});

test('the program beside the file that hosts start is gone: allowed, and the person reads why', async () => {
  const hook = await live();
  const alone = join(hook.root, 'hook.cjs');
  copyFileSync(HOOK, alone);
  const { project: cwd, env } = hook;
  const answer = said(await beginHook(process.execPath, [alone], hook.stopped(), { cwd, env }).ended);
  expect(allows(answer)).toBe(true);
  expect(answer?.systemMessage).toMatch(/ENOENT.*hook-program\.cjs/);
});

describe('what is not a stop of the session', () => {
  test('garbage on stdin: allowed, and the log says why', async () => {
    const hook = await live();
    const journal = hook.journal();
    for (const input of ['', ' ', '{', 'not json', '\u0000\u0001', '{"session_id":'])
      expect(await hook.run(input)).toEqual(NOTHING);
    expect(hook.log().match(/failed open: SyntaxError/g)).toHaveLength(6);
    expect(hook.journal()).toBe(journal);
  });

  test('other values, unknown events, missing fields: nothing', async () => {
    const hook = await live();
    const journal = hook.journal();
    const without = (key: string) => ({ ...hook.stopped(), [key]: undefined });
    const inputs = [
      'null',
      '[]',
      '42',
      '"Stop"',
      '{}',
      hook.payload('PreToolUse', { tool_name: 'Bash' }),
      hook.payload('NoSuchEvent'),
      hook.payload('SessionStart', { source: 'startup' }),
      hook.command('review'),
      hook.command('someone:ralph', 'Build it'),
      without('hook_event_name'),
      without('session_id'),
      { ...hook.stopped(), session_id: 7 },
      { ...hook.stopped(), session_id: '../../../etc/passwd' },
      { ...hook.stopped(), session_id: '' },
    ];
    for (const input of inputs) expect({ input, ...(await hook.run(input)) }).toEqual({ input, ...NOTHING });
    expect(hook.journal()).toBe(journal);
  });

  test('a stop whose fields have the wrong shape, or are missing, is still a stop', async () => {
    const hook = await live();
    const wrong = {
      last_assistant_message: 7,
      background_tasks: 'none',
      transcript_path: {},
      prompt_id: [],
      cwd: 1,
    };
    expect(continues(said(await hook.run({ ...hook.stopped(), ...wrong })))).toBe(true);
    const bare = { session_id: SESSION, hook_event_name: 'Stop' };
    expect(continues(said(await hook.run(bare)))).toBe(true);
    expect(hook.passes()).toBe(2);
  });

  test('a subagent never counts, whatever it says', async () => {
    const hook = await live();
    const words = 'All done. <promise>COMPLETE</promise>';
    for (const event of ['Stop', 'SubagentStop'])
      expect(
        await hook.stop(words, { hook_event_name: event, agent_id: 'a1', agent_type: 'Explore' }),
      ).toBeNull();
    expect(hook.loop().status.is).toBe('running');
    expect(hook.loop().stops).toBe(0);
  });

  test('stop_hook_active is logged with the session, and decides nothing', async () => {
    const hook = await live();
    for (const continuedByHook of [false, true, true])
      expect(continues(await hook.stop('On.', { stop_hook_active: continuedByHook }))).toBe(true);
    const lines = hook
      .log()
      .split('\n')
      .filter((line) => line.includes(`Stop session=${SESSION}`));
    expect(lines.map((line) => /stop_hook_active=(\w+)/.exec(line)?.[1])).toEqual(['false', 'true', 'true']);
  });

  test('the project is where the host says, wherever the agent went', async () => {
    const hook = program();
    const elsewhere = join(hook.root, 'elsewhere');
    mkdirSync(elsewhere);
    await hook.run(hook.command('ralph', 'Build it', { cwd: elsewhere }), {}, elsewhere);
    expect(hook.hasView()).toBe(true);
    const run = await hook.run(hook.stopped('On.', { cwd: elsewhere }), {}, elsewhere);
    expect(continues(said(run))).toBe(true);
    expect(hook.loop().project).toBe(hook.project);
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test('where the host names no project, it is the directory of the payload', async () => {
    const hook = program();
    const run = await hook.run(hook.command('ralph', 'Build it'), { CLAUDE_PROJECT_DIR: '' }, hook.root);
    expect(continues(said(run))).toBe(true);
    expect(hook.loop().project).toBe(hook.project);
  });
});

describe('a home that is not as it should be', () => {
  test('a file in its place: every event is allowed, and a start says why', async () => {
    const hook = program({ isNew: true });
    writeFileSync(hook.home, 'I was here first.\n');
    expect(await hook.stop()).toBeNull();
    expect(allows(said(await hook.run(hook.payload('UserPromptSubmit', { prompt: 'Hello' }))))).toBe(true);
    const started = said(await hook.run(hook.command('ralph', 'Build it')));
    expect(continues(started)).toBe(false);
    expect(started?.systemMessage).toMatch(/Da Capo failed.*ENOTDIR|Da Capo failed.*EEXIST/);
    expect(hook.hasView()).toBe(false);
    expect(readFileSync(hook.home, 'utf8')).toBe('I was here first.\n');
  });

  test('one that does not exist and can not be made', async () => {
    const hook = program({ isNew: true });
    symlinkSync(join(hook.root, 'unplugged'), hook.home);
    const run = await hook.run(hook.command('ralph', 'Build it'));
    expect(said(run)?.systemMessage).toMatch(/Da Capo failed.*ENOENT/);
    expect(hook.hasView()).toBe(false);
  });

  test('read-only: the stop is allowed, and the loop goes on when it can be written again', async (context) => {
    const hook = program({ isNew: true });
    mkdirSync(hook.home);
    const disk = tryMount(hook.home, '1m');
    // A user who may write everything needs a disk that forbids it.
    if (disk === null && process.getuid?.() === 0) return context.skip();
    await hook.start('Build it');
    const set = (mode: 'ro' | 'rw') =>
      disk === null ? makeWritable(hook.home, mode === 'rw') : disk.remount(mode);
    set('ro');
    for (const words of ['One.', 'Two.']) expect(allows(await hook.stop(words))).toBe(true);
    expect(said(await hook.run(hook.command('cancel-ralph')))?.reason).toMatch(/can't be opened/);
    set('rw');
    expect(continues(await hook.stop('Three.'))).toBe(true);
    expect(hook.passes()).toBe(1);
  });

  test('a full disk: the stop is allowed, and the loop goes on when there is room again', async (context) => {
    const hook = program({ isNew: true });
    mkdirSync(hook.home);
    const disk = tryMount(hook.home, '64k');
    if (disk === null) return context.skip();
    await hook.start('Build it');
    expect(continues(await hook.stop('One.'))).toBe(true);
    // The last page of the journal has room for a few events; then not even a claim can be written.
    fill(join(hook.home, 'filler'));
    let answer = await hook.stop('Two.');
    for (let n = 0; n < 20 && continues(answer); n++) answer = await hook.stop(`Word ${n}.`);
    expect(allows(answer)).toBe(true);
    const spent = hook.passes();
    expect(eventsOf(readable(hook), 'verdict')).toHaveLength(spent);
    rmSync(join(hook.home, 'filler'));
    expect(continues(await hook.stop('Room again.'))).toBe(true);
    expect(hook.passes()).toBe(spent + 1);
    expect(hook.viewIsWhole()).toBe(true);
  });

  test('a write that is cut short leaves a torn line, which is skipped', async () => {
    const hook = await live();
    let answer = await hook.stop('Zero.');
    let cut = 0;
    for (let n = 1; n < 40 && continues(answer); n++) {
      // 4096 bytes a file: the journal is the first to reach it.
      const run = await beginHook(
        'sh',
        ['-c', 'ulimit -f 8; exec "$0" "$1"', process.execPath, HOOK],
        hook.stopped(`${n}`),
        {
          cwd: hook.project,
          env: hook.env,
        },
      ).ended;
      answer = said(run);
      cut = hook.journal().length;
    }
    expect(allows(answer)).toBe(true);
    expect(cut).toBeGreaterThan(3_500);
    expect(hook.log()).toMatch(/failed open: Error: (journal: only \d+ of \d+ bytes|EFBIG)/);
    const before = hook.passes();
    expect(continues(await hook.stop('Room again.'))).toBe(true);
    expect(continues(await hook.stop('And again.'))).toBe(true);
    expect(hook.passes()).toBe(before + 2);
    expect(hook.loop().status.is).toBe('running');
  });
});

describe('what can not be trusted', () => {
  test('a session entry that is not an entry: the loop is found again by its view, and the log says so', async () => {
    const hook = await live();
    await hook.stop('One.');
    for (const content of ['', 'garbage', '{"loop":"../../etc"}', 'null']) {
      writeFileSync(join(hook.home, 'sessions', SESSION), content);
      expect(continues(await hook.stop(`After ${content}.`))).toBe(true);
    }
    expect(hook.passes()).toBe(5);
    expect(hook.log().match(/entry made again/g)).toHaveLength(4);
  });

  test('a session entry that is not an entry, without a view: allowed', async () => {
    const hook = await live();
    writeFileSync(join(hook.home, 'sessions', SESSION), 'garbage');
    rmSync(join(hook.project, '.claude'), { recursive: true });
    expect(await hook.stop()).toBeNull();
  });

  test('a cache that is wrong, old or empty is rebuilt', async () => {
    const hook = await live();
    await hook.stop('One.');
    const cache = join(hook.loopDir(), 'state.json');
    const old = readFileSync(cache, 'utf8');
    await hook.stop('Two.');
    const lies = old.replace('"passes":1', '"passes":40');
    expect(lies).not.toBe(old);
    const contents = ['', '{}', 'garbage\n{}\n', old, lies, old.slice(0, -20), '\n\n'];
    for (const [k, content] of contents.entries()) {
      writeFileSync(cache, content);
      expect(continues(await hook.stop(`Words ${k}.`))).toBe(true);
      expect(hook.passes()).toBe(3 + k);
    }
  });

  test.each([
    ['no JSON', '\nnot an event\n'],
    [
      'a counter that is not a number',
      `\n${JSON.stringify({ type: 'stop', at: '2026-01-01T00:00:00Z', n: 'x' })}\n`,
    ],
    ['no time', '\n{"type":"paused"}\n'],
  ])(
    'a journal with a line that is not an event (%s): aborted, with a copy of what was found',
    async (_, line) => {
      const hook = await live();
      await hook.stop('One.');
      appendFileSync(join(hook.loopDir(), 'journal.jsonl'), line);
      const found = hook.journal();
      const answer = await hook.stop('Two.');
      expect(allows(answer)).toBe(true);
      expect(answer?.systemMessage).toMatch(
        /aborted after 1 iteration.*not an event.*broken-journal\.jsonl/s,
      );
      expect(hook.evidence()).toEqual(['broken-journal.jsonl']);
      expect(readFileSync(join(hook.loopDir(), 'evidence/broken-journal.jsonl'), 'utf8')).toBe(found);
      expect(hook.journal().startsWith(found)).toBe(true);
      expect(await hook.stop('Three.')).toBeNull();
      expect(hook.hasView()).toBe(false);
    },
  );

  test('a journal that is empty, or gone: allowed, said once, and the log says why', async () => {
    for (const spoil of [(path: string) => truncateSync(path, 0), (path: string) => rmSync(path)]) {
      const hook = await live();
      spoil(join(hook.loopDir(), 'journal.jsonl'));
      const answer = await hook.stop();
      expect(allows(answer)).toBe(true);
      expect(answer?.systemMessage).toMatch(/can't be read/);
      expect(hook.log()).toMatch(/can't be read/);
      expect(await hook.stop('Again.')).toBeNull();
    }
  });

  test('an event of a newer Da Capo is passed over', async () => {
    const hook = await live();
    const event = { type: 'from-the-future', at: new Date().toISOString(), deep: { a: [1] } };
    appendFileSync(join(hook.loopDir(), 'journal.jsonl'), `\n${JSON.stringify(event)}\n`);
    expect(continues(await hook.stop())).toBe(true);
    expect(hook.journal()).toContain('from-the-future');
  });

  test('a journal of a newer Da Capo: allowed with a clear word, and left as it is', async () => {
    const hook = await live();
    const path = join(hook.loopDir(), 'journal.jsonl');
    writeFileSync(path, readFileSync(path, 'utf8').replace(/"version":\d+/, '"version":999'));
    rmSync(join(hook.loopDir(), 'state.json'));
    const before = readFileSync(path, 'utf8');
    const answer = await hook.stop();
    expect(allows(answer)).toBe(true);
    expect(answer?.systemMessage).toMatch(/the journal has version 999, .*Update Da Capo/);
    expect(readFileSync(path, 'utf8')).toBe(before);
  });

  test('a prompt that is gone: allowed, and the log says why', async () => {
    const hook = await live();
    rmSync(join(hook.loopDir(), 'prompts'), { recursive: true });
    const answer = await hook.stop();
    expect(allows(answer)).toBe(true);
    expect(hook.log()).toMatch(/failed open.*the prompt is missing/);
  });

  test('a view that is garbage: aborted, allowed, with a copy', async () => {
    const hook = await live();
    const path = join(hook.project, '.claude/ralph-loop.local.md');
    writeFileSync(path, 'My own notes, not a state.\n');
    await pause(1_100);
    const answer = await hook.stop();
    expect(allows(answer)).toBe(true);
    expect(answer?.systemMessage).toMatch(/aborted/);
    const copies = hook
      .evidence()
      .map((name) => readFileSync(join(hook.loopDir(), 'evidence', name), 'utf8'));
    expect(copies).toContain('My own notes, not a state.\n');
  });
});

function readable(hook: Program) {
  return hook
    .journal()
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line)];
      } catch {
        return [];
      }
    });
}

function makeWritable(dir: string, writable: boolean): void {
  const mode = writable ? 0o700 : 0o500;
  if (writable) chmodSync(dir, mode);
  for (const entry of listBelow(dir))
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? mode : writable ? 0o600 : 0o400);
  chmodSync(dir, mode);
}

interface Disk {
  readonly remount: (mode: 'ro' | 'rw') => void;
}

/** A small disk of its own; null where this user may not mount one. */
function tryMount(dir: string, size: string): Disk | null {
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0700`, 'none', dir], {
    stdio: 'ignore',
  });
  if (mounted.status !== 0) return null;
  opened.push({ close: () => void spawnSync('umount', ['-l', dir]) });
  return { remount: (mode) => void execFileSync('mount', ['-o', `remount,${mode}`, dir]) };
}

function fill(path: string): void {
  for (const size of [4096, 64, 1])
    try {
      for (;;) appendFileSync(path, Buffer.alloc(size));
    } catch {
      // Full.
    }
}
