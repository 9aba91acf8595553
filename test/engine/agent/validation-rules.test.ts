/** Validation rules: what passes, what fails, and what is not run. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OwnRules } from '#input/config/user-config.ts';
import { match, readOwnRules, runRules, type RuleOrder } from '#engine/agent/validation-rules.ts';
import { Stage } from '../hearing/stage.ts';

let dir: string;
let project: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'dacapo-rules-')));
  project = join(dir, 'project');
  mkdirSync(project);
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const NOTHING: OwnRules = { commands: [] };
const ownRules = (config: string | null) => readOwnRules({ config: () => config });

function write(file: string, content: string): void {
  mkdirSync(dirname(join(project, file)), { recursive: true });
  writeFileSync(join(project, file), content);
}

async function run(rules: unknown, over: Partial<RuleOrder> = {}) {
  const order = { rules, project, loop: null, output: null, own: NOTHING, ...over };
  return runRules(order, new Stage().runtime());
}

async function one(rule: object, over: Partial<RuleOrder> = {}) {
  const answer = await run([{ name: 'r', ...rule }], over);
  if (!answer.ok) throw new Error(answer.message);
  const [result] = answer.results;
  if (result === undefined) throw new Error('no result');
  return result;
}

describe('a command', () => {
  const rule = { type: 'command', command: 'echo seen; test -f done' };

  it("runs if the user's config has exactly it", async () => {
    const own = { ...NOTHING, commands: [rule.command] };
    expect(await one(rule, { own })).toEqual({
      ruleName: 'r',
      passed: false,
      state: 'failed',
      message: 'failed with exit code 1\nseen',
    });
    write('done', '');
    expect(await one(rule, { own })).toMatchObject({ passed: true, state: 'passed' });
    expect(await one({ ...rule, command: `${rule.command} ` }, { own })).toMatchObject({ state: 'not-run' });
  });

  it('runs if it is a check of the loop', async () => {
    const stage = new Stage();
    const loop = await stage.start('Fix it. --check "test -f done"');
    const check = { type: 'command', command: 'test -f done' };
    expect(await one(check, { loop })).toMatchObject({ state: 'failed' });
    const other = await one({ type: 'command', command: 'touch mine' }, { loop });
    expect(other).toMatchObject({ passed: null, state: 'not-run' });
    expect(other.message).toContain('the checks of the loop are `test -f done`');
  });

  it('is not run otherwise, and a program that is missing was not run', async () => {
    expect(await one(rule)).toMatchObject({ passed: null, state: 'not-run' });
    const own = { ...NOTHING, commands: ['no-such-program-here'] };
    expect(await one({ type: 'command', command: 'no-such-program-here' }, { own })).toMatchObject({
      state: 'not-run',
    });
  });

  it('ends when the caller breaks off', async () => {
    const controller = new AbortController();
    const own = { ...NOTHING, commands: ['sleep 30'] };
    const rules = ['a', 'b'].map((name) => ({ name, type: 'command', command: 'sleep 30' }));
    const progress = () => setTimeout(() => controller.abort(), 200);
    const answer = await run(rules, { own, signal: controller.signal, progress });
    expect(answer).toMatchObject({ passed: false, results: [{ state: 'not-run' }, { state: 'not-run' }] });
  });
});

describe('a pattern', () => {
  it('is looked for in a file or in the output', async () => {
    write('src/a.ts', 'export const VERSION = 2;\n// TODO later\n');
    expect(await one({ type: 'pattern', pattern: 'version', flags: 'i', file: 'src/a.ts' })).toMatchObject({
      state: 'passed',
    });
    const todo = { type: 'pattern', pattern: 'TODO', file: 'src/a.ts', expect: 'absent' };
    expect(await one(todo)).toMatchObject({
      state: 'failed',
      message: 'the pattern occurs in src/a.ts: TODO',
    });
    const said = { type: 'pattern', pattern: '\\d+ passed' };
    expect(await one(said, { output: '12 passed' })).toMatchObject({ state: 'passed' });
    expect(await one(said, { output: 'none' })).toMatchObject({ state: 'failed' });
    expect(await one(said)).toMatchObject({ state: 'not-run' });
    expect(await one({ ...said, file: 'gone.txt' })).toMatchObject({ state: 'failed' });
  });

  it('that never ends is ended, and a broken one is not run', async () => {
    const hostile = await match(
      { pattern: '^(a+)+$', flags: '' },
      `${'a'.repeat(40)}b`,
      new AbortController().signal,
      300,
    );
    expect(hostile).toEqual({ is: 'failed', why: 'the pattern took longer than 0.3 s' });
    expect(await one({ type: 'pattern', pattern: '(' }, { output: '' })).toMatchObject({ state: 'not-run' });
    expect(await one({ type: 'pattern', pattern: 'a', flags: 'g' }, { output: 'a' })).toMatchObject({
      state: 'not-run',
    });
  });
});

describe('a file', () => {
  it('is there or not', async () => {
    write('docs/a.md', '');
    expect(await one({ type: 'file-exists', file: 'docs/a.md' })).toMatchObject({ state: 'passed' });
    expect(await one({ type: 'file-exists', file: 'docs/b.md' })).toMatchObject({ state: 'failed' });
  });

  it('is never looked for outside the project', async () => {
    writeFileSync(join(dir, 'secret'), 'x');
    symlinkSync(join(dir, 'secret'), join(project, 'link'));
    symlinkSync(dir, join(project, 'folder'));
    for (const file of ['../secret', join(dir, 'secret'), 'link', 'folder/secret', '.', '', 'a\0b'])
      expect(await one({ type: 'file-exists', file })).toMatchObject({ passed: null, state: 'not-run' });
  });
});

describe('a command of the user', () => {
  it('is what the config allows', () => {
    expect(ownRules('{"rules":{"commands":["npm test"]}}')).toEqual({ ok: true, commands: ['npm test'] });
  });

  it.each([
    ['no json', 'config.json is not JSON.'],
    ['{"rules":{"commands":"npm test"}}', 'config.json: rules.commands is "npm test".'],
    ['{"notify":"desktop"}', 'config.json: notify is "desktop".'],
  ])('the config %j allows nothing', (content, message) => {
    expect(ownRules(content)).toMatchObject({ ok: false, code: 'bad-config', message });
  });

  it('there is none without a config', () => {
    expect(ownRules(null)).toEqual({ ok: true, commands: [] });
  });
});

describe('what is refused', () => {
  it.each([
    ['no list', 'rules'],
    ['no rule', [1]],
    ['no type', [{ name: 'a' }]],
    ['a type that is unknown', [{ name: 'a', type: 'constructor' }]],
    ['a missing field', [{ name: 'a', type: 'command' }]],
    ['a field of another rule', [{ name: 'a', type: 'command', command: 'b', file: 'c' }]],
    ['a type that is gone', [{ name: 'a', type: 'coverage', threshold: 80 }]],
    ['no name', [{ name: ' ', type: 'file-exists', file: 'a' }]],
    ['one name twice', [1, 2].map(() => ({ name: 'a', type: 'file-exists', file: 'a' }))],
    ['a huge text', [{ name: 'a', type: 'pattern', pattern: 'x'.repeat(2_001) }]],
    ['too many', Array.from({ length: 51 }, (_, n) => ({ name: `${n}`, type: 'file-exists', file: 'a' }))],
  ])('%s', async (_, rules) => {
    expect(await run(rules)).toMatchObject({ ok: false, code: 'bad-rules' });
  });

  it('with the field, and what it must be', async () => {
    const [missing, misspelt, unknown] = [
      await run([{ name: 'a', type: 'command' }]),
      await run([{ name: 'a', type: 'pattern', pattern: 'x', flag: 'i' }]),
      await run([{ name: 'a', type: 'patern' }]),
    ];
    expect(missing).toMatchObject({ message: 'rules[0].command is missing.' });
    expect(misspelt).toMatchObject({ next: expect.stringContaining('Did you mean flags?') });
    expect(unknown).toMatchObject({
      next: 'Did you mean pattern? Known types: command, pattern, file-exists.',
    });
  });

  it('an output that is too long', async () => {
    expect(await run([], { output: 'x'.repeat(200_001) })).toMatchObject({ ok: false, code: 'too-long' });
  });
});

it('no rule has not passed', async () => {
  expect(await run([])).toEqual({ ok: true, results: [], passed: false });
});
