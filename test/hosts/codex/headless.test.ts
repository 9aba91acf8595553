import { PASS_PLACE } from '../pass-place.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sinceEarlier } from '#engine/driver/pass/pass-record.ts';
import { codexAdapter } from '#hosts/codex/adapter.ts';
import { temporaryFolder } from '../../store/folder.ts';
import { headlessConformance, PASS, replay, streamsIn } from '../headless-conformance.ts';

const host = codexAdapter.headless;

/** What 0.166.0 wrote, with the scripted model behind it. */
const of = streamsIn(import.meta.dirname);

const TOOLS = of('tools', 0, { is: 'stopped', message: 'Done.', toolUsed: true });
const RETRIED = of('401', 1, { is: 'fatal', kind: 'auth' });

/**
 * Codex has no field for a status: it stands at the beginning of its words. What follows is what the service
 * said.
 */
const OWN_WORDS =
  /^(?:Reconnecting\.\.\. \d+\/\d+ \()?(?:unexpected status \d{3} [A-Z]\w+:|exceeded retry limit, last status: \d{3} [\w ]+|You.ve hit your usage limit\.|Quota exceeded\.|\{"error":)/;

function disguise(line: string, prose: string): string {
  return JSON.stringify(
    JSON.parse(line, (key, value: unknown) => {
      if (typeof value !== 'string' || !['text', 'message', 'aggregated_output'].includes(key)) return value;
      const own = key === 'message' ? (OWN_WORDS.exec(value)?.[0] ?? '') : '';
      return own === '' ? prose : `${own} ${prose}${value.startsWith('Reconnecting') ? ')' : ''}`;
    }),
  );
}

headlessConformance({
  host,
  recorded: [
    of('stopped', 0, { is: 'stopped', message: 'One.', toolUsed: false }),
    TOOLS,
    RETRIED,
    of('403', 1, { is: 'fatal', kind: 'permission' }),
    of('400', 1, { is: 'fatal', kind: 'config' }),
    of('quota', 1, { is: 'fatal', kind: 'billing' }),
    of('429', 1, { is: 'transient', status: 429 }),
    of('limit', 1, { is: 'limit', resetsAt: null }),
  ],
  disguise,
});

describe('its command', () => {
  it('resumes a thread, with the model and the sandbox that were asked for', () => {
    const { args } = host.command(
      { ...PASS, resume: 't1', model: 'm', permissionMode: 'read-only' },
      PASS_PLACE,
    );
    expect(args.slice(0, 4)).toEqual(['exec', 'resume', 't1', '--json']);
    expect(args).toContain('--model=m');
    expect(args.slice(-2)).toEqual(['-c', 'sandbox_mode="read-only"']);
  });

  it('keeps a folder untrusted that the person has not trusted, here or above', () => {
    const home = temporaryFolder();
    const words = (config: string) => {
      writeFileSync(join(home, 'config.toml'), config);
      return host.command(PASS, { cwd: '/code/shop', env: { CODEX_HOME: home } }).args;
    };
    const untrusted = 'projects={"/code/shop"={trust_level="untrusted"}}';
    expect(words('')).toContain(untrusted);
    expect(words('[projects."/other"]\ntrust_level = "trusted"\n')).toContain(untrusted);
    for (const folder of ['/code/shop', '/code'])
      expect(words(`[projects."${folder}"]\ntrust_level = "trusted"\n`)).not.toContain(untrusted);
  });

  it('warns of a folder that Codex does not know, unless the person has chosen a sandbox', () => {
    const home = temporaryFolder();
    const place = { project: '/project', env: { CODEX_HOME: home }, platform: 'linux' };
    const warns = (config: string, pass = {}) => {
      writeFileSync(join(home, 'config.toml'), config);
      const asked = { ...place, program: '/nowhere/codex', uid: 1000, pass: { ...PASS, ...pass } };
      return host.preflight(asked).some(({ id, level }) => id === 'permissions' && level === 'warning');
    };
    expect(warns('')).toBe(true);
    expect(warns('', { permissionMode: 'workspace-write' })).toBe(false);
    expect(warns('', { extra: ['--sandbox', 'workspace-write'] })).toBe(false);
    expect(warns('sandbox_mode = "workspace-write"\n')).toBe(false);
    expect(warns('[projects."/project"]\ntrust_level = "trusted"\n')).toBe(false);
  });

  it('brings the guard along, trusted for this call only, and no other hook', () => {
    const given = host.command(PASS, PASS_PLACE).args.filter((word) => word.startsWith('hooks.'));
    expect(given).toHaveLength(2);
    expect(given[0]).toMatch(/^hooks\.PreToolUse=.*hook\.cjs' guard"/);
    expect(given[1]).toMatch(
      /^hooks\.state=\{"\/<session-flags>\/config\.toml:pre_tool_use:0:0"=\{trusted_hash="sha256:[0-9a-f]{64}"\}\}$/,
    );
  });
});

describe('its stream', () => {
  it('shows commands, patches and how they ended', () => {
    const { seen } = replay(host, TOOLS);
    expect(seen.flatMap((one) => (one.is === 'tool' ? [`${one.name}: ${one.summary}`] : []))).toEqual([
      "Bash: /bin/bash -lc 'echo HI > a.txt; ls'",
      'apply_patch: /project/e.txt',
      "Bash: /bin/bash -lc 'exit 3'",
    ]);
    expect(seen.flatMap((one) => (one.is === 'tool-outcome' ? [one.failed] : []))).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('says at the first retry that no retry can fix a key that is not accepted', () => {
    const retry = replay(host, RETRIED).seen.find(({ is }) => is === 'retry');
    expect(retry).toMatchObject({ attempt: 1, most: 5, status: 401, hopeless: 'auth' });
  });

  it('tells the tokens of the whole thread, of which a resumed pass is the rest', () => {
    const { record } = replay(host, TOOLS);
    expect(record.spent).toEqual({
      costUsd: null,
      tokens: { input: 360, output: 80, cacheRead: 40, cacheWrite: 0 },
    });
    const earlier = { costUsd: null, tokens: { input: 300, output: 60, cacheRead: 30, cacheWrite: 0 } };
    expect(sinceEarlier(record, earlier).spent?.tokens).toEqual({
      input: 60,
      output: 20,
      cacheRead: 10,
      cacheWrite: 0,
    });
  });
});

it('a session that is not there, and a flag that Codex does not know, need a person', () => {
  const stderr = 'Error: thread/resume failed: no rollout found';
  for (const exit of [1, 2])
    expect(replay(host, { lines: [], exit, stderr }).outcome).toEqual({
      is: 'fatal',
      kind: 'config',
      why: stderr,
    });
});
