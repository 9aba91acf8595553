/** `dacapo doctor`: what it finds, that each finding has its remedy, and that it never cries wolf. */
import { appendFileSync, chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { JOURNAL_VERSION } from '#law/record/events.ts';
import type { Finding } from '#hosts/port/headless.ts';
import { hooksOffFindings } from '#hosts/claude-code/setup/host-settings.ts';
import { layersOf } from '#hosts/claude-code/setup/layers.ts';
import { CLAUDE, makeBox, type Box } from '../box.ts';

interface Report {
  readonly code: number | null;
  readonly ok: boolean;
  readonly findings: readonly Finding[];
}

function doctor(box: Box, args: string[] = [], env: Record<string, string> = {}): Report {
  const ran = box.run(['doctor', '--json', ...args], { DACAPO_CLAUDE: CLAUDE, ...env });
  return { code: ran.code, ...(JSON.parse(ran.stdout) as Omit<Report, 'code'>) };
}

const found = (report: Report, id: string): string[] =>
  report.findings.filter((one) => one.id === id).map(({ level, says }) => `${level}: ${says}`);

/** As after "Yes" at the question of Claude Code. */
function trust(box: Box): void {
  const projects = { [box.project]: { hasTrustDialogAccepted: true } };
  writeFileSync(join(box.home, '.claude.json'), JSON.stringify({ projects }));
}

function initialised(): Box {
  const box = makeBox();
  box.run(['init', '--scope', 'local']);
  return box;
}

describe('a sound installation', () => {
  test('has no problem, and exits 0', () => {
    const report = doctor(initialised());
    expect(report.findings.filter(({ level }) => level === 'problem')).toEqual([]);
    expect(report).toMatchObject({ code: 0, ok: true });
    expect(found(report, 'host')).toEqual([expect.stringMatching(/^ok: Claude Code 2\.1\.\d+/)]);
    expect(found(report, 'cap')).toEqual([expect.stringContaining('ok:')]);
    expect(found(report, 'home')).toEqual([expect.stringContaining('closed to others')]);
  });

  test('every finding that is not ok has a remedy', () => {
    for (const box of [makeBox(), initialised()])
      for (const { level, remedy } of doctor(box, [], { DACAPO_CLAUDE: '/nowhere' }).findings)
        expect(remedy === null).toBe(level === 'ok');
  });

  test('reads as text, without colours in a pipe', () => {
    const box = initialised();
    trust(box);
    const { stdout, code } = box.run(['doctor'], { DACAPO_CLAUDE: CLAUDE });
    expect(code).toBe(0);
    expect(stdout).toContain('✓ Claude Code');
    expect(stdout).toContain('All is well.');
    expect(stdout).not.toContain('\u001b');
  });

  test('a second registration is fine, and said', () => {
    const box = initialised();
    box.run(['init', '--scope', 'user']);
    expect(found(doctor(box), 'registered-twice')).toEqual([expect.stringContaining('2 times')]);
  });
});

describe('the question of trust', () => {
  test('a folder that Claude Code does not know yet is named, with what "No" does', () => {
    const box = makeBox();
    expect(found(doctor(box), 'trust')).toEqual([expect.stringMatching(/^warning: .*"No" ends the session/)]);
    trust(box);
    expect(found(doctor(box), 'trust')).toEqual([]);
  });
});

describe('permissions', () => {
  test.each([
    ['manual', 'warning'],
    ['plan', 'warning'],
    ['acceptEdits', 'ok'],
    [null, 'ok'],
  ])('mode %s: %s', (defaultMode, level) => {
    const box = makeBox();
    if (defaultMode !== null)
      box.write('.claude/settings.json', JSON.stringify({ permissions: { defaultMode } }));
    expect(found(doctor(box), 'permissions')).toEqual([expect.stringContaining(`${level}: `)]);
  });
});

describe('the host', () => {
  test('is missing', () => {
    const report = doctor(initialised(), [], { DACAPO_CLAUDE: '' });
    expect(report).toMatchObject({ code: 1, ok: false });
    expect(found(report, 'host')).toEqual([expect.stringContaining('problem: Claude Code was not found')]);
  });

  test('is too old, or tells no version', () => {
    const box = initialised();
    const fake = box.write('claude', '#!/bin/sh\necho "2.1.142 (Claude Code)"\n');
    chmodSync(fake, 0o755);
    expect(found(doctor(box, [], { DACAPO_CLAUDE: fake }), 'host')).toEqual([
      expect.stringContaining('older than 2.1.143'),
    ]);
    writeFileSync(fake, '#!/bin/sh\necho hello\n');
    expect(found(doctor(box, [], { DACAPO_CLAUDE: fake }), 'host')).toEqual([
      expect.stringContaining('does not report its version'),
    ]);
  });
});

describe('the registration', () => {
  test('is nowhere', () => {
    const report = doctor(makeBox());
    expect(found(report, 'registered')).toEqual([expect.stringMatching(/^ok: No hook is registered/)]);
    expect(found(report, 'cap')).toEqual([]);
    // `dacapo start` and `dacapo run` work, so nothing is wrong.
    expect(report).toMatchObject({ code: 0, ok: true });
  });

  test('names a program that is gone', () => {
    const box = initialised();
    box.write(
      '.claude/settings.local.json',
      box.read('.claude/settings.local.json').replaceAll(/"[^"]*\/plugin\/dist/g, '"/gone/plugin/dist'),
    );
    expect(found(doctor(box), 'registered')).toEqual([
      expect.stringContaining('/gone/plugin/dist/hook.cjs, which is not there'),
    ]);
  });

  test('is by the plugin: installed, or switched on and not installed', () => {
    const box = makeBox();
    const plugins = join(box.home, '.claude', 'plugins');
    mkdirSync(plugins, { recursive: true });
    const settings = join(box.home, '.claude', 'settings.json');
    writeFileSync(settings, JSON.stringify({ enabledPlugins: { 'dacapo@dacapo': true } }));
    expect(found(doctor(box), 'registered')).toEqual([
      expect.stringContaining('switched on, but not installed'),
    ]);
    // As `claude plugin install` of 2.1.325 writes it.
    const installPath = join(plugins, 'cache', 'dacapo', 'dacapo', '0.1.0');
    const entry = { scope: 'user', installPath, version: '0.1.0' };
    writeFileSync(
      join(plugins, 'installed_plugins.json'),
      JSON.stringify({ version: 2, plugins: { 'dacapo@dacapo': [entry] } }),
    );
    expect(found(doctor(box), 'registered')).toEqual([expect.stringContaining('no hook program')]);
    mkdirSync(join(installPath, 'dist'), { recursive: true });
    writeFileSync(join(installPath, 'dist', 'hook.cjs'), '');
    expect(found(doctor(box), 'registered')).toEqual([
      'ok: The hook is registered by the plugin dacapo@dacapo',
    ]);
    expect(found(doctor(box), 'cap')).toEqual([
      expect.stringContaining('warning: The host ends a turn after 8'),
    ]);
    writeFileSync(
      settings,
      JSON.stringify({
        enabledPlugins: { 'dacapo@dacapo': true },
        pluginConfigs: { 'dacapo@dacapo': { options: { lift_cap: true } } },
      }),
    );
    expect(found(doctor(box), 'cap')).toEqual([expect.stringContaining('lift_cap')]);
  });

  test('is in a file that is not JSON', () => {
    const box = initialised();
    box.write('.claude/settings.json', '{,}');
    expect(found(doctor(box), 'settings')).toEqual([expect.stringContaining('not valid JSON')]);
  });
});

describe('the host does not call the hook', () => {
  test('disableAllHooks, where it is not overruled', () => {
    const box = initialised();
    mkdirSync(join(box.home, '.claude'));
    writeFileSync(join(box.home, '.claude', 'settings.json'), '{"disableAllHooks": true}');
    const report = doctor(box);
    expect(report.code).toBe(1);
    expect(found(report, 'hooks-off')).toEqual([expect.stringContaining('disableAllHooks')]);
    box.write('.claude/settings.json', '{"disableAllHooks": false}');
    expect(found(doctor(box), 'hooks-off')).toEqual([]);
  });

  test("allowManagedHooksOnly, in the organisation's settings only", () => {
    const box = makeBox();
    const managed = box.write('managed-settings.json', '{"allowManagedHooksOnly": true}');
    const place = { project: box.project, env: box.env, platform: process.platform };
    expect(hooksOffFindings(layersOf(place, managed))).toMatchObject([{ id: 'hooks-off', level: 'problem' }]);
    box.write('managed-settings.json', '{}');
    box.write('.claude/settings.json', '{"allowManagedHooksOnly": true}');
    expect(hooksOffFindings(layersOf(place, managed))).toMatchObject([{ id: 'hooks-on' }]);
    box.write('managed-settings.d/10-hooks.json', '{"disableAllHooks": true}');
    expect(hooksOffFindings(layersOf(place, managed))).toMatchObject([{ id: 'hooks-off' }]);
  });

  test('the log says when it was last called, and how', () => {
    const box = initialised();
    expect(found(doctor(box), 'called')).toEqual([
      'ok: No loop has called the hook yet; `dacapo doctor --probe` tests that',
    ]);
    expect(found(doctor(box, ['--host', 'gemini']), 'called')).toEqual([
      'ok: No loop has called the hook yet',
    ]);
    writeFileSync(join(box.dacapoHome, 'hook.log'), `${new Date().toISOString()} Stop session=x\n`);
    expect(found(doctor(box), 'called')).toEqual(['ok: The hook was last called just now']);
    writeFileSync(join(box.dacapoHome, 'hook.log'), `${new Date().toISOString()} failed open: boom\n`);
    expect(found(doctor(box), 'called')).toEqual([expect.stringContaining('boom')]);
  });

  test('a notification that could not be sent, until one is sent again to that target', () => {
    const box = initialised();
    const log = (target: string, words: string) =>
      appendFileSync(
        join(box.dacapoHome, 'hook.log'),
        `${new Date().toISOString()} notify event=ended loop=x target=${target}: ${words}\n`,
      );
    log('ntfy https://example.org', 'failed after 4 attempts (no answer)');
    log('desktop', 'failed (notify-send is not installed)');
    log('webhook http://127.0.0.1:4666', 'sent (200)');
    expect(found(doctor(box), 'unsent')).toEqual([
      'warning: The last notification to ntfy https://example.org could not be sent, just now (no answer).',
      'warning: The last notification to desktop could not be sent, just now (notify-send is not installed).',
    ]);
    log('ntfy https://example.org', 'sent (200)');
    log('desktop', 'sent (notify-send)');
    expect(found(doctor(box), 'unsent')).toEqual([]);
  });

  test('a target of the config that no program can reach', () => {
    const box = initialised();
    writeFileSync(join(box.dacapoHome, 'config.json'), '{"notify": ["desktop"]}');
    expect(found(doctor(box, [], { PATH: box.home }), 'unsent')).toEqual([
      'warning: You get no notification on the desktop: notify-send is not installed. Install it, or name another target.',
    ]);
  });

  test('--probe runs the host and sees the hook called', { timeout: 60_000 }, () => {
    const box = initialised();
    expect(found(doctor(box, ['--probe']), 'probe')).toEqual([expect.stringContaining('ok: ')]);
  });

  test('--probe runs the host and sees that it is not called', { timeout: 60_000 }, () => {
    const box = initialised();
    box.write('.claude/settings.json', '{"disableAllHooks": true}');
    const off = doctor(box, ['--probe']);
    expect(found(off, 'probe')).toEqual([
      expect.stringContaining('problem: The host was run, and did not call the hook'),
    ]);
    rmSync(join(box.project, '.claude', 'settings.json'));
    const settings: { hooks: Record<string, unknown> } = JSON.parse(box.read('.claude/settings.local.json'));
    delete settings.hooks['Stop'];
    box.write('.claude/settings.local.json', JSON.stringify(settings));
    expect(found(doctor(box, ['--probe']), 'probe')).toEqual([expect.stringContaining('for its stop')]);
  });
});

describe('a registration by an older Da Capo', () => {
  test('has no guard for protected files, and dacapo init mends it', () => {
    const box = initialised();
    const settings: { hooks: Record<string, unknown> } = JSON.parse(box.read('.claude/settings.local.json'));
    delete settings.hooks['PreToolUse'];
    box.write('.claude/settings.local.json', JSON.stringify(settings));
    expect(found(doctor(box), 'registered')).toEqual([
      expect.stringContaining('has the hooks of an older Da Capo'),
    ]);
    expect(box.run(['init']).code).toBe(0);
    expect(box.read('.claude/settings.local.json')).toContain('Write|Edit|MultiEdit|NotebookEdit|Bash');
  });
});

describe('two loop hooks compete', () => {
  test.each(['ralph-loop@claude-plugins-official', 'ralph-wiggum@claude-code-plugins'])(
    'the plugin %s is on, or off',
    (id) => {
      const box = initialised();
      box.write('.claude/settings.json', JSON.stringify({ enabledPlugins: { [id]: true } }));
      const report = doctor(box);
      expect(report.code).toBe(1);
      expect(report.findings.find((one) => one.id === 'rival')).toMatchObject({
        level: 'problem',
        remedy: `claude plugin disable ${id}`,
      });
      box.write('.claude/settings.json', JSON.stringify({ enabledPlugins: { [id]: false } }));
      expect(found(doctor(box), 'rival')).toEqual([]);
    },
  );

  test("the official plugin's state file", () => {
    const box = initialised();
    box.write(
      '.claude/ralph-loop.local.md',
      '---\nactive: true\niteration: 1\nmax_iterations: 0\ncompletion_promise: null\n---\n\nDo it\n',
    );
    const report = doctor(box);
    expect(report.code).toBe(1);
    expect(found(report, 'rival')).toEqual([expect.stringContaining('official ralph-loop plugin')]);
  });

  test('another Stop hook that looks like a loop; others are nobody’s business', () => {
    const box = initialised();
    const hook = (command: string) =>
      JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } });
    box.write('.claude/settings.json', hook('bash ~/.claude/ralph-stop.sh'));
    expect(found(doctor(box), 'rival')).toEqual([expect.stringContaining('warning:')]);
    box.write('.claude/settings.json', hook('say done'));
    expect(found(doctor(box), 'rival')).toEqual([]);
  });
});

describe('the home and what is left over', () => {
  test('a home that is open to others, or can not be written', () => {
    const box = initialised();
    chmodSync(box.dacapoHome, 0o755);
    expect(found(doctor(box), 'home')).toEqual([expect.stringContaining('open to other users (mode 755)')]);
    chmodSync(box.dacapoHome, 0o775);
    expect(found(doctor(box), 'home')).toEqual([expect.stringContaining('runs no compiled code')]);
    const file = box.write('../file', '');
    expect(found(doctor(box, [], { DACAPO_HOME: join(file, 'home') }), 'home')).toEqual([
      expect.stringContaining('problem:'),
    ]);
  });

  test.runIf(process.platform === 'linux')(
    'a home that nobody can make, whatever the permissions say',
    () => {
      const box = initialised();
      expect(found(doctor(box, [], { DACAPO_HOME: '/sys/dacapo' }), 'home')).toEqual([
        expect.stringContaining('problem:'),
      ]);
    },
  );

  test('a home whose loops can not be read', () => {
    const box = initialised();
    const home = join(box.root, 'unreadable');
    mkdirSync(home);
    symlinkSync('loops', join(home, 'loops'));
    const report = doctor(box, [], { DACAPO_HOME: home });
    expect(report.code).toBe(1);
    expect(found(report, 'home')).toContainEqual(
      expect.stringMatching(/^problem: The loops can't be read: /),
    );
  });

  test('stale and half-written state files of this project', () => {
    const box = initialised();
    box.write(
      '.claude/ralph-loop.local.md',
      '---\nloop_id: "RALPH_20260101_gone00"\niteration: 2\n---\nDo it\n',
    );
    box.write('.claude/.ralph-loop.local.md.4194304.tmp', '');
    const report = doctor(box);
    expect(found(report, 'state-file')).toEqual([expect.stringContaining('not known here')]);
    expect(found(report, 'leftovers')).toEqual([expect.stringContaining('half-written')]);
    expect(report.code).toBe(0);
  });

  test('interrupted loops, entries without a loop, temporary files', () => {
    const box = initialised();
    interruptedLoop(box);
    mkdirSync(join(box.dacapoHome, 'sessions'), { recursive: true });
    writeFileSync(join(box.dacapoHome, 'sessions', 'abc.4194304.tmp'), '');
    const report = doctor(box);
    expect(found(report, 'interrupted')).toEqual([
      expect.stringContaining('Loop RALPH_20261115_abc123 interrupted after 0 iterations'),
    ]);
    expect(found(report, 'leftovers')).toEqual([expect.stringContaining('abc.4194304.tmp')]);
  });
});

test('an interrupted loop of another project is named with its folder', () => {
  const box = initialised();
  interruptedLoop(box, '/nowhere/shop');
  expect(found(doctor(box), 'interrupted')).toEqual([
    expect.stringContaining('Loop RALPH_20261115_abc123 in /nowhere/shop interrupted'),
  ]);
});

function interruptedLoop(box: Box, project = box.project): void {
  const dir = join(box.dacapoHome, 'loops', 'RALPH_20261115_abc123');
  mkdirSync(join(dir, 'prompts'), { recursive: true });
  const at = '2026-11-15T08:00:00.000Z';
  const definition = {
    name: null,
    mode: 'loop',
    driver: 'hook',
    prompt: 'x',
    gates: [],
    require: 'all',
    atLeast: 0,
    iterations: 5,
    items: null,
    timeMs: null,
    staleMs: 7_200_000,
    checking: { parallel: 1, timeoutMs: 540_000 },
    config: null,
    costUsd: null,
    tokens: null,
    stalls: null,
    stallsAsked: false,
    passes: 0,
    views: ['markdown'],
    protect: [],
    baseline: null,
  };
  const events = [
    {
      type: 'created',
      at,
      version: JOURNAL_VERSION,
      id: 'RALPH_20261115_abc123',
      project,
      host: 'claude-code',
      definition,
      by: { actor: 'session', session: 's', prompt: null },
    },
    { type: 'bound', at, session: 's', process: 1, prompt: null, how: 'command' },
    { type: 'interrupted', at, why: 'session-end', detail: 'other' },
  ];
  writeFileSync(join(dir, 'journal.jsonl'), events.map((event) => `\n${JSON.stringify(event)}\n`).join(''));
}
