/** Traps that several hosts share. Those of one host are in its own tests. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { allAdapters } from '#hosts/tables/adapters.ts';
import type { Answer, Arrival } from '#hosts/port/arrival.ts';
import { OTHER_HOOK_HOSTS } from '#hosts/tables/hook-hosts.ts';
import { PLUGIN } from '#base/process/package.ts';
import { temporaryFolder } from '../store/folder.ts';

const words = { toAgent: 'go on', toPerson: 'iteration 2' };
const ANSWERS: readonly [Arrival['is'], Answer][] = [
  ['stop', { is: 'silence' }],
  ['stop', { is: 'continue', iteration: { n: 2, of: null }, ...words }],
  ['tool', { is: 'deny', ends: true, ...words }],
  ['tool', { is: 'permit', why: 'approved' }],
  ['prompt', { is: 'brief', ...words }],
  ['stop', { is: 'tell', toPerson: 'done' }],
];

describe.each(OTHER_HOOK_HOSTS)('answers to $name', (host) => {
  const documents = ANSWERS.map(([is, answer]) => host.encode(answer, { is } as Arrival));

  it('are JSON with exit code 0: on exit code 2 Copilot ends the turn', () => {
    expect(documents.map(({ exit, stderr }) => [exit, stderr])).toEqual(ANSWERS.map(() => [0, '']));
  });

  it('never say continue: false: Qwen goes on with it, and Codex lets the tool run', () => {
    const said = documents.map(({ stdout }) => JSON.parse(stdout || '{}') as object);
    expect(said.filter((one) => 'continue' in one)).toEqual([]);
  });
});

interface Handler {
  readonly command: unknown;
  readonly args?: unknown;
  readonly timeout?: number;
}

function handlersOf(hooks: string): Handler[] {
  const { hooks: events } = JSON.parse(hooks) as { hooks: Record<string, { hooks: Handler[] }[]> };
  return Object.values(events).flatMap((groups) => groups.flatMap((group) => group.hooks));
}

/** Codex, Copilot, droid and Qwen never run a hook with `args`. */
const isShellLine = ({ command, args }: Handler) => typeof command === 'string' && args === undefined;

const FILED = allAdapters().filter(({ name }) => OTHER_HOOK_HOSTS.some((host) => host.name === name));

test.each(FILED)(
  'hooks that dacapo init registers for $name are shell lines with a time in its unit',
  (host) => {
    const home = temporaryFolder();
    const place = { project: join(home, 'project'), env: { HOME: home }, platform: 'linux' };
    const rest = { guard: false, cap: false, statusLine: false, home: join(home, 'dacapo'), exclude: null };
    const plan = host.settings.planInstall({ scope: 'user', place, plugin: PLUGIN, ...rest });
    const handlers = plan.ok ? handlersOf(plan.edits[0]?.after ?? '') : [];
    expect(handlers.length).toBeGreaterThan(3);
    expect(handlers.filter((one) => !isShellLine(one))).toEqual([]);
    const [longest, shortest] = [Math.max, Math.min].map((pick) =>
      pick(...handlers.map((one) => one.timeout ?? 0)),
    );
    // From 1000 on, Qwen reads milliseconds in every version.
    const inMilliseconds = ['qwen', 'gemini'].includes(host.name);
    expect([longest, shortest]).toEqual(inMilliseconds ? [600_000, 3_000] : [600, 3]);
  },
);

test.each([
  'hooks/droid.json',
  'hooks/shell.json',
  'guard/hooks/droid.json',
  'guard/hooks/shell.json',
  'extensions/qwen/hooks/hooks.json',
])('%s has shell lines only', (file) => {
  const handlers = handlersOf(readFileSync(join(PLUGIN, file), 'utf8'));
  expect(handlers.length).toBeGreaterThan(0);
  expect(handlers.filter((one) => !isShellLine(one))).toEqual([]);
});
