// What most end-to-end tests need: a scripted model, a sandbox, the host with our plugin, and a look at the
// loops.
import { appendFileSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach } from 'vitest';
import type { Loop } from '#law/loop.ts';
import { isRecord } from '#base/shape.ts';
import { statusOf, type LoopStatus } from '#telling/loop-status.ts';
import { homeAt } from '#store/file/home.ts';
import { fileStore } from '#store/file/store.ts';
import {
  makeSandbox,
  openScreen,
  replies,
  startClaude,
  startModel,
  type Model,
  type Reply,
  type Run,
  type Sandbox,
  type Screen,
  type Script,
  type Turn,
} from './host.ts';
import type { RunOptions, Started } from './headless.ts';
import type { ScreenOptions } from './screen/screen.ts';

export const PLUGIN = fileURLToPath(new URL('../../plugin', import.meta.url));
export const DONE = 'All done.\n\n<promise>COMPLETE</promise>';

export type World = {
  model: Model;
  sandbox: Sandbox;
  /** `claude -p PROMPT` with the plugin. */
  run: (prompt: string, args?: string[], options?: RunOptions) => Promise<Run>;
  start: (prompt: string, args?: string[], options?: RunOptions) => Started;
  /** The interactive host with the plugin. */
  open: (args?: string[], options?: ScreenOptions) => Promise<Screen>;
  /** Every loop, oldest id first. */
  loops: () => Loop[];
  /** The only loop, as `dacapo status --json` reports it. */
  status: () => LoopStatus;
};

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

export async function makeWorld(
  script: Script | readonly [Reply, ...Reply[]],
  env: Record<string, string> = {},
): Promise<World> {
  const given = typeof script === 'function' ? script : replies(script);
  // An agent has worked before it claims to be done. What it wrote stands for that, so that no further turn
  // is needed.
  const model = await startModel(async (turn) => {
    const reply = await given(turn);
    if (/<promise>(?!BLOCKED)|<(?:issue-complete|loop-done|grind-done)>(?!STUCK)/.test(JSON.stringify(reply)))
      appendFileSync(join(sandbox.project, 'work.txt'), '.');
    return reply;
  });
  closers.push(model.close);
  const sandbox = makeSandbox(model, env);
  closers.push(sandbox.close);
  const plugged = (args: string[]): string[] => ['--plugin-dir', PLUGIN, ...args];
  const start: World['start'] = (prompt, args = [], options = {}) =>
    startClaude(sandbox, [...plugged(args), '--', prompt], options);
  const loops = (): Loop[] => loopsIn(sandbox);
  return {
    model,
    sandbox,
    start,
    run: (prompt, args, options) => start(prompt, args, options).done,
    open: async (args = [], options = {}) => {
      const screen = await openScreen(sandbox, plugged(args), options);
      closers.push(screen.kill);
      return screen;
    },
    loops,
    status: () => {
      const [loop, ...others] = loops();
      if (loop === undefined || others.length > 0)
        throw new Error(`${others.length} loops besides ${loop?.id}`);
      return statusOf(loop, new Date().toISOString());
    },
  };
}

function loopsIn(sandbox: Sandbox): Loop[] {
  return fileStore(homeAt(sandbox.dacapoHome))
    .loops()
    .flatMap(({ loop }) => loop ?? []);
}

/** Everything that the model was given in this turn, in one text. */
export function context(turn: Turn | undefined): string {
  return (turn?.body.messages ?? []).map(({ content }) => textsIn(content)).join('\n');
}

/** What the model was given in this turn and not in the one before. */
export function newContext(model: Model, n: number): string {
  const before = model.requests[n - 1]?.body.messages.length ?? 0;
  return (model.requests[n]?.body.messages.slice(before) ?? [])
    .map(({ content }) => textsIn(content))
    .join('\n');
}

function textsIn(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((block: unknown) => {
      if (!isRecord(block)) return '';
      return typeof block['text'] === 'string' ? block['text'] : textsIn(block['content']);
    })
    .join('\n');
}

/** What the person is told outside the conversation. */
export function notices(run: { messages: Run['messages'] }): string[] {
  return run.messages
    .filter(({ type, subtype }) => type === 'system' && subtype === 'informational')
    .map(({ content }) => String(content));
}

/** A point in a script that waits until the test says so. */
export type Gate = { opened: Promise<void>; open: () => void };

export function makeGate(): Gate {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

/** Resolves when the host has written a row with these words into the transcript of any session. */
export async function written({ sandbox }: World, ...words: string[]): Promise<void> {
  const folder = join(sandbox.home, '.claude/projects');
  await until(
    () => rowsBelow(folder).some((row) => words.every((word) => row.includes(word))),
    `a row with ${words.join(' and ')}`,
  );
}

function rowsBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'));
}

export async function until<T>(
  look: () => T | undefined | null | false,
  what = 'what was waited for',
  timeout = 15_000,
): Promise<T> {
  for (const deadline = Date.now() + timeout; ; await sleep(50)) {
    const seen = look();
    if (seen !== undefined && seen !== null && seen !== false) return seen;
    if (Date.now() > deadline) throw new Error(`${what}: not within ${timeout} ms`);
  }
}
