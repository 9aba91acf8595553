// What most end-to-end tests need: a scripted model, a sandbox, the host with our plugin, and a look at the loops.
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach } from 'vitest';
import type { Loop } from '../../src/core/loop.ts';
import { report, type Report } from '../../src/core/report.ts';
import { homeAt } from '../../src/journal/home.ts';
import { loopIds, openLoop } from '../../src/journal/store.ts';
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
} from './host.ts';
import type { RunOptions, Started } from './headless.ts';
import type { ScreenOptions } from './screen.ts';

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
  status: () => Report;
};

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

export async function makeWorld(
  script: Script | readonly [Reply, ...Reply[]],
  env: Record<string, string> = {},
): Promise<World> {
  const model = await startModel(typeof script === 'function' ? script : replies(script));
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
      closers.push(screen.close);
      return screen;
    },
    loops,
    status: () => {
      const [loop, ...others] = loops();
      if (loop === undefined || others.length > 0) throw new Error(`${others.length} loops besides ${loop?.id}`);
      return report(loop, new Date().toISOString());
    },
  };
}

function loopsIn(sandbox: Sandbox): Loop[] {
  const home = homeAt(sandbox.dacapoHome);
  return loopIds(home).flatMap((id) => {
    const open = openLoop(home, id);
    if (open === null) return [];
    open.close();
    return [open.loop()];
  });
}

/** What the person is told outside the conversation. */
export function notices(run: { messages: Run['messages'] }): string[] {
  return run.messages
    .filter(({ type, subtype }) => type === 'system' && subtype === 'informational')
    .map(({ content }) => String(content));
}

export async function until<T>(
  look: () => T | undefined | null | false,
  what = 'what was waited for',
  timeout = 15_000,
): Promise<T> {
  for (const deadline = Date.now() + timeout; ; await sleep(20)) {
    const seen = look();
    if (seen !== undefined && seen !== null && seen !== false) return seen;
    if (Date.now() > deadline) throw new Error(`${what}: not within ${timeout} ms`);
  }
}
