/** A review through the whole hearing, by the real program of a review; the reviewer is a script that speaks as Codex does. */
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DONE, Stage, toAgent } from './stage.ts';

const APPROVES = '{"approve": true, "missing": []}';
const OBJECTS = '{"approve": false, "missing": ["the docs"]}';

/** Says the next line of `said.txt`, or hangs, and keeps what it was started with. */
const CODEX = `#!${process.execPath}
const fs = require('node:fs'), { join } = require('node:path');
const here = (name) => join(__dirname, name);
if (process.argv.includes('--version')) { console.log('codex-cli 0.166.0'); process.exit(0); }
const said = fs.readFileSync(here('said.txt'), 'utf8').split('\\n');
fs.writeFileSync(here('said.txt'), said.slice(1).join('\\n'));
fs.appendFileSync(here('calls.txt'), JSON.stringify({ args: process.argv.slice(2), env: process.env, prompt: fs.readFileSync(0, 'utf8') }) + '\\n');
if (said[0] === 'dies') process.exit(3);
if (process.env.SPOILS) fs.writeFileSync('.git/index', 'nothing that git knows');
const tell = (line) => console.log(JSON.stringify(line));
tell({ type: 'thread.started', thread_id: 't1' });
tell({ type: 'item.completed', item: { id: 'i', type: 'agent_message', text: said[0] } });
tell({ type: 'turn.completed', usage: { input_tokens: 70, cached_input_tokens: 0, output_tokens: 30 } });
`;

interface Call {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly prompt: string;
}

let stage: Stage;
const file = (name: string) => join(stage.project, '..', name);
const says = (...words: string[]) => writeFileSync(file('said.txt'), words.join('\n'));
const calls = (): Call[] =>
  readFileSync(file('calls.txt'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Call);
const reviews = () => stage.journal().filter(({ type }) => type === 'reviewed');

beforeEach(() => {
  stage = new Stage();
  writeFileSync(file('codex.cjs'), CODEX);
  chmodSync(file('codex.cjs'), 0o755);
  writeFileSync(file('calls.txt'), '');
  vi.stubEnv('DACAPO_CODEX', file('codex.cjs'));
  vi.stubEnv('DACAPO_FLEET', 'postgres://secret');
  vi.stubEnv('CLAUDECODE', '1');
  stage.env = { DACAPO_CODEX: file('codex.cjs') };
  return () => vi.unstubAllEnvs();
});

describe('--review', () => {
  it('comes on a claim alone, read-only, and out of reach of our hooks', async () => {
    says(OBJECTS, APPROVES);
    await stage.start('Write it. --review codex');
    expect(toAgent(await stage.stop('Not yet.'))).toContain('review by codex comes when all else holds');
    expect(calls()).toEqual([]);
    expect(toAgent(await stage.stop(DONE))).toContain('(review 1 of 3). Missing: the docs');
    const [{ args, env, prompt } = { args: [], env: {}, prompt: '' }] = calls();
    expect(args).toContain('sandbox_mode="read-only"');
    expect(env).toMatchObject({ DACAPO_DISABLE: '1' });
    expect(Object.keys(env)).not.toEqual(expect.arrayContaining(['DACAPO_FLEET']));
    expect(Object.keys(env)).not.toEqual(expect.arrayContaining(['CLAUDECODE']));
    expect(prompt).toContain('Write it.');
    await stage.stop(DONE);
    expect(stage.status()).toBe('completed');
    expect(stage.loop().spent.tokens).toBe(200);
    expect(reviews()).toMatchObject([
      { answer: 'objected' },
      { answer: 'approved', words: ['nothing is missing'] },
    ]);
  });

  it('an approval counts for the work tree that it saw, and no longer', async () => {
    says(APPROVES, APPROVES);
    await stage.start('Write it. --review codex --confirm 2');
    stage.write('one', { file: 'a.txt' });
    await stage.stop(DONE);
    await stage.stop(DONE);
    expect(calls()).toHaveLength(1);
    stage.write('two more', { file: 'a.txt' });
    await stage.stop(DONE);
    expect(calls()).toHaveLength(2);
    await stage.stop(DONE);
    await stage.stop(DONE);
    expect(stage.status()).toBe('completed');
    expect(calls()).toHaveLength(2);
  });

  it('an approval counts for nothing where the work tree can not be compared afterwards', async () => {
    execFileSync('git', ['init', '-q'], { cwd: stage.project });
    vi.stubEnv('SPOILS', '1');
    says(APPROVES);
    await stage.start('Write it. --review codex');
    await stage.stop(DONE);
    expect(stage.status()).toBe('escalated');
    expect(reviews()).toMatchObject([
      { answer: 'unreached', words: [expect.stringContaining('these files changed: unknown')] },
    ]);
  });

  it('an approval counts for its task: each item of a list is reviewed by itself', async () => {
    says(APPROVES, APPROVES);
    stage.write('first\nsecond\n', { file: 'items.txt' });
    await stage.start('Do them. --items items.txt --review codex');
    const done = 'Done.\n\n<issue-complete>DONE</issue-complete>';
    await stage.stop(done);
    await stage.stop(done);
    expect(calls().map(({ prompt }) => /first|second/.exec(prompt)?.[0])).toEqual(['first', 'second']);
    expect(stage.status()).toBe('completed');
  });

  it('ends the loop after as many objections as it may make; a resume lets it make as many again', async () => {
    says(OBJECTS, OBJECTS, OBJECTS);
    await stage.start('Write it. --review codex --max-reviews 2');
    await stage.stop(DONE);
    expect(stage.status()).toBe('running');
    await stage.stop(DONE);
    expect(stage.loop().status).toMatchObject({ is: 'escalated', why: { is: 'unreviewed' } });
    await stage.command('resume');
    await stage.stop(DONE);
    expect(stage.status()).toBe('running');
    expect(reviews()).toMatchObject([{ review: 1 }, { review: 2 }, { review: 1 }]);
  });

  it.each([
    ['dies', 'could not review the work'],
    ['hm\nhm', 'gave no answer that can be read, twice'],
  ])('never approves when it %j', async (words, why) => {
    says(words);
    await stage.start('Write it. --review codex');
    await stage.stop(DONE);
    expect(stage.loop().status).toMatchObject({
      is: 'escalated',
      why: { is: 'unreviewed', why: expect.stringContaining(why) },
    });
  });
});
