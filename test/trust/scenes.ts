/** What is struck: a start, a stop, a cancel, a run. Each with what must hold after it, and how it goes on. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import type { Loop } from '#law/loop.ts';
import { homeAt } from '#store/file/home.ts';
import { fileStore } from '#store/file/store.ts';
import {
  allows,
  beginHook,
  continues,
  eventsOf,
  HOOK,
  makeProgram,
  said,
  type Payload,
  type Program,
  type Run,
} from '../programs/program.ts';

const CLI = resolve(import.meta.dirname, '../../dist/cli.cjs');
const CHECK = '--check "test -f done" --max-iterations 9';
const FLAGS = `--completion-promise COMPLETE ${CHECK}`;

export interface Act {
  readonly args: readonly string[];
  readonly input: Payload | null;
}

export interface Scene {
  readonly name: string;
  /** The loop is there before. */
  readonly hasLoop: boolean;
  /** What is there before. */
  readonly make: () => Promise<Program>;
  readonly act: (hook: Program) => Act;
  /** It had its usual effect. */
  readonly isDone: (hook: Program) => boolean;
  /** What somebody was told is so. */
  readonly isTrue: (hook: Program, told: string) => void;
  /** The person and the agent go on. */
  readonly goOn: (hook: Program) => Promise<void>;
}

const NEXT: Payload = { prompt_id: 'prompt-2' };
const DONE = 'All of it. <promise>COMPLETE</promise>';

const byHook = (input: Payload): Act => ({ args: [HOOK], input });
const byCli = (...words: string[]): Act => ({ args: [CLI, ...words], input: null });

export function dacapo(hook: Program, ...words: string[]): Promise<Run> {
  const env = { ...hook.env, CLAUDECODE: '', DACAPO_CLAUDE: hostOf(hook) };
  const begun = beginHook(process.execPath, [CLI, ...words], null, { cwd: hook.project, env });
  begun.child.stdin?.end();
  return begun.ended;
}

export function loopsOf(hook: Program): readonly Loop[] {
  return fileStore(homeAt(hook.home))
    .loops()
    .flatMap(({ loop }) => loop ?? []);
}

/** Of the only loop. */
function statusOf(hook: Program): string {
  return loopsOf(hook)[0]?.status.is ?? 'none';
}

/** Where the journal could not take the name of the view, no loop knows the file. */
function hasKnownView(hook: Program): boolean {
  return hook.hasView() && loopsOf(hook).some(({ files }) => files.view !== null);
}

/** Each stop was claimed and judged at most once, and each pass counted once. */
function countsOnce(hook: Program): void {
  const verdicts = eventsOf(hook.events(), 'verdict').map(({ n }) => n);
  expect(verdicts).toEqual([...new Set(verdicts)]);
  expect(hook.passes()).toBeLessThanOrEqual(verdicts.length);
}

/** Where the loop waits for its person, what was wrong is mended by now. */
async function resume(hook: Program): Promise<void> {
  for (const { id, status } of loopsOf(hook)) if (status.is === 'escalated') await dacapo(hook, 'resume', id);
}

/** One pass is judged already. */
async function inLoop(flags: string): Promise<Program> {
  const hook = makeProgram({ git: true });
  writeFileSync(join(hook.project, 'notes.md'), 'A person wrote this.\n');
  await hook.start(`Build it. ${flags}`);
  await hook.stop('One.');
  return hook;
}

const START: Scene = {
  name: 'a start',
  hasLoop: false,
  make: async () => {
    const hook = makeProgram({ git: true });
    writeFileSync(join(hook.project, 'notes.md'), 'A person wrote this.\n');
    return Promise.resolve(hook);
  },
  act: (hook) => byHook(hook.command('dacapo:ralph', `Build it. ${FLAGS}`)),
  isDone: (hook) => statusOf(hook) === 'running' && hook.hasView(),
  isTrue: (hook, told) => {
    if (/ started\./.test(told)) expect(statusOf(hook)).toBe('running');
  },
  goOn: async (hook) => {
    const again = said(await hook.run(hook.command('dacapo:ralph', `Build it. ${FLAGS}`, NEXT)));
    expect(again?.systemMessage ?? again?.reason).toMatch(/ started\.|already/);
    expect(continues(await hook.stop('One.', NEXT))).toBe(true);
    for (const { id } of loopsOf(hook)) await dacapo(hook, 'cancel', id);
    expect(loopsOf(hook).map(({ status }) => status.is)).not.toContain('running');
    expect(hasKnownView(hook)).toBe(false);
  },
};

const STOP: Scene = {
  name: 'a stop that goes on',
  hasLoop: true,
  make: () => inLoop(CHECK),
  act: (hook) => byHook(hook.stopped('Two.')),
  isDone: (hook) => hook.passes() === 2,
  isTrue: (hook, told) => {
    if (told.includes('additionalContext')) expect(hook.passes()).toBe(2);
  },
  goOn: async (hook) => {
    await resume(hook);
    const before = hook.passes();
    expect(continues(await hook.stop('Three.', NEXT))).toBe(true);
    expect(hook.passes()).toBe(before + 1);
    expect(hook.viewIsWhole()).toBe(true);
    countsOnce(hook);
  },
};

const COMPLETION: Scene = {
  name: 'a stop that completes',
  hasLoop: true,
  make: async () => {
    const hook = await inLoop(FLAGS);
    writeFileSync(join(hook.project, 'done'), '');
    const told = { type: 'command', command: 'cat >> "$HOME/told"' };
    writeFileSync(join(hook.home, 'config.json'), JSON.stringify({ notify: [told] }), { mode: 0o600 });
    return hook;
  },
  act: (hook) => byHook(hook.stopped(DONE)),
  isDone: (hook) => statusOf(hook) === 'completed',
  isTrue: (hook, told) => {
    if (/complete/.test(told) && !/failed/.test(told)) expect(statusOf(hook)).toBe('completed');
  },
  goOn: async (hook) => {
    await resume(hook);
    const answer = await hook.stop(DONE, NEXT);
    expect(allows(answer)).toBe(true);
    expect(statusOf(hook)).toBe('completed');
    expect(hasKnownView(hook)).toBe(false);
    const verdicts = eventsOf(hook.events(), 'verdict').filter(({ verdict }) => verdict.is === 'complete');
    expect(verdicts).toHaveLength(1);
    countsOnce(hook);
  },
};

const CANCEL: Scene = {
  name: 'a cancel',
  hasLoop: true,
  make: () => inLoop(FLAGS),
  act: () => byCli('cancel'),
  isDone: (hook) => statusOf(hook) === 'cancelled',
  isTrue: (hook, told) => {
    if (/cancelled/.test(told)) expect(statusOf(hook)).toBe('cancelled');
  },
  goOn: async (hook) => {
    const [loop] = loopsOf(hook);
    await dacapo(hook, 'cancel', loop?.id ?? '');
    expect(statusOf(hook)).toBe('cancelled');
    expect(allows(await hook.stop('Two.', NEXT))).toBe(true);
    expect(hasKnownView(hook)).toBe(false);
    expect(hook.passes()).toBe(1);
  },
};

/** It leaves a program behind that somebody else has to end. */
const HOST = `#!${process.execPath}
const { appendFileSync, writeSync } = require('node:fs');
const say = (value) => writeSync(1, JSON.stringify(value) + '\\n');
const [first] = process.argv.slice(2);
if (first === '--version') { console.log('2.1.325 (Claude Code)'); process.exit(); }
if (first === 'auth') { console.log(JSON.stringify({ loggedIn: true })); process.exit(); }
require('node:child_process').spawn('sleep', ['600'], { stdio: 'ignore' }).unref();
appendFileSync(process.env.HOME + '/begun', 'x');
say({ type: 'system', subtype: 'init', session_id: 's', model: 'm', claude_code_version: '2.1.325', permissionMode: 'acceptEdits' });
say({ type: 'assistant', parent_tool_use_id: null, message: { id: 'n', content: [{ type: 'text', text: 'Not yet.' }] } });
say({ type: 'result', subtype: 'success', is_error: false, terminal_reason: 'completed', result: 'Not yet.', num_turns: 1, total_cost_usd: 0 });
`;

function hostOf(hook: Program): string {
  const folder = `${hook.root}.bin`;
  const path = join(folder, 'claude.cjs');
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, HOST);
    chmodSync(path, 0o755);
  }
  return path;
}

function hostsBegun(hook: Program): number {
  const path = join(hook.root, 'begun');
  return existsSync(path) ? readFileSync(path, 'utf8').length : 0;
}

const RUN: Scene = {
  name: 'a pass of dacapo run',
  hasLoop: false,
  make: START.make,
  act: () => byCli('run', 'Build it.', '--max-iterations', '1', '--max-stalls', 'off', '--pause', '0'),
  isDone: (hook) => statusOf(hook) === 'exhausted',
  isTrue: (hook, told) => {
    if (/ started\./.test(told)) expect(loopsOf(hook)).toHaveLength(1);
    if (/judged exhaust/.test(told)) expect(hook.passes()).toBe(1);
    if (/ends, exhausted/.test(told)) expect(statusOf(hook)).toBe('exhausted');
  },
  goOn: async (hook) => {
    await resume(hook);
    for (const { id } of loopsOf(hook)) {
      const { stderr } = await dacapo(hook, 'run', '--loop', id);
      expect(stderr).not.toMatch(/^ +at /m);
      expect(statusOf(hook)).toBe('exhausted');
      expect(hook.passes()).toBe(1);
      expect(hasKnownView(hook)).toBe(false);
      countsOnce(hook);
    }
    expect(hostsBegun(hook)).toBeLessThanOrEqual(2);
  },
};

export const SCENES: readonly Scene[] = [START, STOP, COMPLETION, CANCEL, RUN];

export function startedOf(scene: Scene, hook: Program) {
  const { args, input } = scene.act(hook);
  const isHook = args[0] === HOOK;
  const env = isHook ? hook.env : { ...hook.env, CLAUDECODE: '', DACAPO_CLAUDE: hostOf(hook) };
  return { args, input, isHook, cwd: hook.project, env: { ...env, TMPDIR: join(hook.root, 'scratch') } };
}
