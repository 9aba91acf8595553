/** The program of a pass by the Agent Client Protocol, with an agent that does what it should not. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ACP } from '#base/process/package.ts';
import { adapterNamed } from '#hosts/tables/adapters.ts';
import type { StreamEvent } from '#hosts/port/stream.ts';
import { replay } from '../hosts/headless-conformance.ts';
import { lives } from '../processes.ts';

const AGENT = join(import.meta.dirname, '../hosts/acp/agent.mjs');

function hostFor(does: string, given = '') {
  const found = adapterNamed(`acp:${process.execPath} ${AGENT} ${does} '${given}'`);
  if (found === null) throw new Error('no such host');
  return found.headless;
}

interface Asked {
  readonly given?: string;
  readonly flags?: readonly string[];
  readonly prompt?: string;
  /** After so many lines of the stream, SIGTERM. */
  readonly endAfter?: RegExp;
  /** Nothing is read for so long. */
  readonly readAfterMs?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** One pass, read and judged as a driver does it. No loop is there, so nothing but the mode decides. */
async function passOf(does: string, asked: Asked = {}) {
  const { given = '', flags = [], prompt = 'Hello', endAfter, readAfterMs = 0 } = asked;
  const words = [ACP, ...flags, '--', process.execPath, AGENT, does, given];
  const env = { PATH: process.env['PATH'] ?? '', DACAPO_DISABLE: '1', DACAPO_DRIVEN: '1', ...asked.env };
  const child = spawn(process.execPath, words, { env, cwd: import.meta.dirname });
  let [stdout, stderr] = ['', ''];
  if (readAfterMs > 0) {
    child.stdin.end(prompt);
    await sleep(readAfterMs);
  }
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
    if (endAfter?.test(stdout)) child.kill('SIGTERM');
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  child.stdin.end(prompt);
  const exit = await new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)));
  const lines = stdout.split('\n').slice(0, -1);
  return { ...replay(hostFor(does), { lines, exit, stderr }), lines };
}

const said = (seen: readonly StreamEvent[]) => seen.flatMap((one) => (one.is === 'text' ? [one.text] : []));

describe('a turn', () => {
  test('its words are joined, and its tokens, context and cost are told', async () => {
    const { outcome, record, seen } = await passOf('answers', { prompt: '--help "quoted"\n\u{1f600}' });
    const message = 'You said --help "quoted"\n\u{1f600}.';
    expect(outcome).toEqual({ is: 'stopped', message, toolUsed: false, denied: [] });
    expect(said(seen)).toEqual([message]);
    expect(record).toMatchObject({ session: 's1', model: 'small', permissionMode: 'act' });
    expect(record.spent).toEqual({
      costUsd: 0.5,
      tokens: { input: 70, output: 20, cacheRead: 10, cacheWrite: 0 },
    });
    expect(record.context).toEqual({ tokens: 90, window: 1000 });
  });

  test('one without words, calls and tokens is a fault', async () => {
    expect((await passOf('silent')).outcome).toMatchObject({
      is: 'transient',
      why: 'the agent ended its turn without a message and without tokens',
    });
  });

  test('garbage on stdout is noise, and the turn counts', async () => {
    const { outcome, seen } = await passOf('garbage');
    expect(outcome).toMatchObject({ is: 'stopped', message: 'Still here.' });
    expect(seen.filter(({ is }) => is === 'noise')).toHaveLength(3);
  });

  test('a message that is too long is dropped, and the next one is read', async () => {
    expect((await passOf('long')).outcome).toMatchObject({ is: 'stopped', message: 'Short.' });
  });

  test('a reader that is late misses nothing', async () => {
    const { outcome, seen } = await passOf('floods', { readAfterMs: 1_000 });
    expect(outcome).toMatchObject({ is: 'stopped', message: 'The end.' });
    expect(said(seen)).toHaveLength(41);
  });

  test('an agent that dies has crashed', async () => {
    expect((await passOf('dies')).outcome).toMatchObject({ is: 'crashed', exit: 3 });
    const gone = { is: 'fatal', kind: 'config', why: expect.stringContaining('Usage: agent') };
    expect((await passOf('mumbles')).outcome).toMatchObject(gone);
  });

  test('files and terminals are not offered', async () => {
    expect((await passOf('files')).outcome).toMatchObject({ message: '-32601 -32601' });
  });

  test('cancelled by a signal, it keeps its session and ends', async () => {
    const { record, lines } = await passOf('hangs', { endAfter: /"plan"/ });
    expect(lines.at(-1)).toContain('"stopReason":"cancelled"');
    expect(record.session).toBe('s1');
  });

  test.each([
    ['no login', { code: -32000, message: 'x' }, { is: 'fatal', kind: 'auth' }],
    ['a status as its code', { code: 403, message: 'x' }, { is: 'fatal', kind: 'permission' }],
    [
      'a status in its data',
      { code: -32603, message: 'x', data: { status: 429 } },
      { is: 'transient', status: 429 },
    ],
    [
      'its kind in its data',
      { code: -32603, message: 'x', data: { errorKind: 'rate_limit' } },
      { status: 429 },
    ],
    ['words alone', { code: -32603, message: '401 Unauthorized' }, { is: 'transient', status: null }],
  ])('an error with %s', async (_name, error, outcome) => {
    expect((await passOf('refuses', { given: JSON.stringify(error) })).outcome).toMatchObject(outcome);
  });
});

describe('a session', () => {
  test('that goes on: what was said and spent before is no news', async () => {
    const { outcome, record, seen } = await passOf('loads', { flags: ['--resume', 's1'] });
    expect(outcome).toMatchObject({ is: 'stopped', message: 'New.' });
    expect(said(seen)).toEqual(['New.']);
    expect(record.session).toBe('s1');
    expect(record.spent?.costUsd).toBeCloseTo(0.1);
  });

  // The driver then begins a new one.
  test.each(['answers', 'forgets'])('that %s can not go on in needs another', async (does) => {
    expect((await passOf(does, { flags: ['--resume', 's9'] })).outcome).toMatchObject({
      is: 'fatal',
      kind: 'config',
    });
  });

  test('gets the model that was asked for, or says which there are', async () => {
    expect((await passOf('answers', { flags: ['--model=big'] })).outcome).toMatchObject({ is: 'stopped' });
    expect((await passOf('answers', { flags: ['--model=huge'] })).outcome).toMatchObject({
      is: 'fatal',
      kind: 'model',
      why: 'the agent has no model huge: it offers small, big',
    });
  });

  test('that may only read gets a mode for that, or does not begin', async () => {
    const flags = ['--mode', 'reads'];
    expect((await passOf('answers', { flags })).outcome).toMatchObject({ is: 'stopped' });
    expect((await passOf('silent', { flags })).outcome).toMatchObject({ is: 'fatal', kind: 'config' });
  });
});

describe('a permission request, with nobody there', () => {
  const options = ['allow_always', 'allow_once', 'reject_once'].map((kind) => ({ optionId: kind, kind }));
  const ask = (toolCall: object, flags: readonly string[] = [], offered: unknown = options) =>
    passOf('asks', {
      given: JSON.stringify({ toolCall: { toolCallId: 'c', ...toolCall }, options: offered }),
      flags,
    });
  const run = (command: unknown) => ({ kind: 'execute', title: 'Run', rawInput: { command } });
  const edit = (path: string) => ({
    kind: 'edit',
    content: [{ type: 'diff', path, oldText: null, newText: '' }],
  });

  test('a command is denied and told, an edit in the tree is not', async () => {
    const denied = await ask(run('npm test'));
    expect(denied.outcome).toMatchObject({
      message: 'reject_once',
      denied: [{ id: 'c', tool: 'execute', summary: 'npm test' }],
    });
    expect(denied.seen).toContainEqual(expect.objectContaining({ is: 'denied', tool: 'execute' }));
    expect((await ask(edit('new.txt'))).outcome).toMatchObject({ message: 'allow_once', denied: [] });
  });

  test.each([
    ['a file elsewhere', edit('/etc/hosts'), []],
    ['a file above', edit('../x.ts'), []],
    ["git's own files", edit('.git/hooks/pre-commit'), []],
    ['an edit of nobody knows what', { kind: 'edit' }, []],
    ['an edit where only reading is allowed', edit('new.txt'), ['--mode', 'reads']],
    ['a longer command than the allowed one', run('npm test; id'), ['--tools', '["execute(npm test)"]']],
    ['a mode of its own', { kind: 'switch_mode' }, []],
    ['a call of no kind', {}, []],
  ])('%s is denied', async (_name, call, flags) => {
    expect((await ask(call, flags)).outcome).toMatchObject({ message: 'reject_once' });
  });

  test.each([
    ['reading', { kind: 'read' }, ['--mode', 'reads']],
    ['exactly the allowed command', run('npm test'), ['--tools', '["execute(npm test)"]']],
    ['the same by a shell', run(['bash', '-lc', 'npm test']), ['--tools', '["execute(npm test)"]']],
    ['an allowed kind', { kind: 'fetch' }, ['--tools', '["fetch"]']],
    ['anything, where all is allowed', run('id'), ['--mode', 'all']],
  ])('%s is allowed once', async (_name, call, flags) => {
    expect((await ask(call, flags)).outcome).toMatchObject({ message: 'allow_once' });
  });

  test('one that waits while the turn is cancelled is answered as well', async () => {
    const given = JSON.stringify({ toolCall: { toolCallId: 'c', ...run('id') }, options });
    // No loop has this session, and the program waits for one.
    const env = { DACAPO_DISABLE: '', DACAPO_HOME: mkdtempSync(join(tmpdir(), 'dc-acp-')) };
    onTestFinished(() => rmSync(env.DACAPO_HOME, { recursive: true, force: true }));
    const { lines } = await passOf('asks', { given, env, endAfter: /request_permission/ });
    expect(lines.at(-2)).toContain('"text":"cancelled"');
    expect(lines.at(-1)).toContain('"stopReason":"end_turn"');
  });

  test('a yes for always is no answer, unless all is allowed', async () => {
    const always = [{ optionId: 'always', kind: 'allow_always' }];
    expect((await ask(edit('new.txt'), [], always)).outcome).toMatchObject({ message: 'cancelled' });
    expect((await ask(run('id'), ['--mode', 'all'], always)).outcome).toMatchObject({ message: 'always' });
  });
});

describe('before anything is spent', () => {
  const findings = (does: string, allowedTools: readonly string[] = [], host = hostFor(does)) =>
    host.preflight({
      project: import.meta.dirname,
      env: process.env,
      platform: process.platform,
      program: process.execPath,
      uid: null,
      pass: { permissionMode: null, allowedTools, extra: [] },
    });

  test('the agent says who it is', () => {
    const [host, permissions] = findings('answers');
    expect(host).toMatchObject({ level: 'ok', says: expect.stringContaining('Scripted 1.2.3') });
    expect(permissions).toMatchObject({ level: 'warning', says: expect.stringContaining('can edit') });
    expect(findings('answers', ['Bash'])[1]).toMatchObject({ level: 'problem' });
  });

  test('whatever its command starts is ended after that', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dc-acp-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'pid');
    const host = adapterNamed(`acp:sh -c '"${process.execPath}" ${AGENT} stays ${file}; true'`)?.headless;
    const [found] = findings('stays', [], host);
    expect(found).toMatchObject({ level: 'ok', says: expect.stringContaining('Scripted 1.2.3') });
    const pid = Number(readFileSync(file, 'utf8'));
    await vi.waitFor(() => expect(lives(pid)).toBe(false), { timeout: 10_000 });
  });

  test.each([
    ['mumbles', 'does not speak the Agent Client Protocol'],
    ['newer', 'speaks version 2'],
  ])('a command that %s is a problem', (does, says) => {
    expect(findings(does)[0]).toMatchObject({ level: 'problem', says: expect.stringContaining(says) });
  });
});
