/**
 * `dacapo init` and `dacapo uninstall`: what they change, what they leave, and that the second takes back the
 * first.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { registrationIn } from '#hosts/claude-code/setup/hooks-file.ts';
import { recognisedIn, withHooks, withoutRecognised, placesIn } from '#hosts/setup/registration.ts';
import type { Settings } from '#hosts/setup/settings.ts';
import { makeBox, PLUGIN, type Box } from '../box.ts';

const HOOK = join(PLUGIN, 'dist', 'hook.cjs');
const LOCAL = '.claude/settings.local.json';
const COMMANDS = [
  'answer-ralph.md',
  'approve-ralph.md',
  'cancel-ralph.md',
  'ralph-status.md',
  'ralph.md',
  'reject-ralph.md',
  'resume-ralph.md',
];
const PERSON = `{
  "model": "opus",
  "hooks": {
    "Stop": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "say done"
          }
        ]
      }
    ],
    "PostToolUse": []
  },
  "permissions": {
    "allow": [
      "Bash(ls:*)"
    ]
  }
}
`;

const init = (box: Box, ...args: string[]) => box.run(['init', '--scope', 'local', ...args]);
const uninstall = (box: Box, ...args: string[]) => box.run(['uninstall', '--scope', 'local', ...args]);
const settings = (box: Box, path = LOCAL): Settings => JSON.parse(box.read(path));

/** Every file of the project with its content, to show that nothing changed. */
function snapshot(box: Box): Record<string, string> {
  const names = readdirSync(box.project, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    names.map((entry) => [
      join(entry.parentPath, entry.name),
      readFileSync(join(entry.parentPath, entry.name), 'utf8'),
    ]),
  );
}

describe('init', () => {
  test('registers every event of the plugin, lifts the cap and brings the commands', () => {
    const box = makeBox();
    const ran = init(box);
    expect(ran.code).toBe(0);
    const { hooks, env } = settings(box) as { hooks: Record<string, object[]>; env: object };
    const shipped = JSON.parse(readFileSync(join(PLUGIN, 'hooks/hooks.json'), 'utf8')) as { hooks: object };
    expect(Object.keys(hooks).sort()).toEqual(Object.keys(shipped.hooks).sort());
    expect((hooks['Stop'] as { hooks: object[] }[])[0]?.hooks[0]).toEqual({
      type: 'command',
      command: '/bin/sh',
      args: ['-c', expect.stringContaining('. "$0"'), join(PLUGIN, 'hook.sh'), 'stop'],
      timeout: 600,
      statusMessage: 'Da Capo is judging this stop',
    });
    expect(hooks['UserPromptExpansion']?.[0]).toMatchObject({
      matcher: '^(dacapo:)?(ralph|(cancel|resume|approve|reject|answer)-ralph|ralph-status)$',
    });
    expect(env).toEqual({ CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '0' });
    expect(readdirSync(join(box.project, '.claude/commands')).sort()).toEqual(COMMANDS);
  });

  test('a file that init made is replaced without a copy, unless somebody has edited it since', () => {
    const box = makeBox();
    init(box);
    box.write(LOCAL, box.read(LOCAL).replaceAll(PLUGIN, '/nowhere/plugin'));
    init(box);
    expect(existsSync(join(box.project, `${LOCAL}.before-dacapo`))).toBe(true);
    const other = makeBox();
    init(other, '--no-cap');
    init(other);
    expect(existsSync(join(other.project, `${LOCAL}.before-dacapo`))).toBe(false);
    uninstall(other);
    expect(existsSync(join(other.project, '.claude'))).toBe(false);
  });

  test('a second time changes nothing', () => {
    const box = makeBox();
    box.write(LOCAL, PERSON);
    init(box);
    const before = snapshot(box);
    expect(init(box).stdout).toContain('Nothing to do');
    expect(snapshot(box)).toEqual(before);
  });

  test('keeps what is there, in its order, with a backup', () => {
    const box = makeBox();
    box.write(LOCAL, PERSON);
    init(box);
    const after = settings(box);
    expect(Object.keys(after)).toEqual(['model', 'hooks', 'permissions', 'env']);
    expect((after['hooks'] as Record<string, unknown[]>)['Stop']?.[0]).toEqual({
      hooks: [{ type: 'command', command: 'say done' }],
    });
    expect(box.read(`${LOCAL}.before-dacapo`)).toBe(PERSON);
  });

  test('writes in the style of the file: tabs, CRLF, no final newline', () => {
    const box = makeBox();
    box.write(LOCAL, '{\r\n\t"model": "opus"\r\n}');
    init(box);
    expect(box.read(LOCAL)).toMatch(
      /^\{\r\n\t"model": "opus",\r\n\t"hooks": \{\r\n\t\t"UserPromptExpansion"/,
    );
    expect(box.read(LOCAL).endsWith('}')).toBe(true);
    expect(box.read(LOCAL)).not.toMatch(/[^\r]\n/);
  });

  test('refuses settings that are not JSON, and touches nothing', () => {
    for (const broken of ['{ "model": "opus", }', '[]', 'null', '{"hooks": []}', '{"hooks": {"Stop": {}}}']) {
      const box = makeBox();
      box.write(LOCAL, broken);
      const before = snapshot(box);
      const ran = init(box);
      expect(ran.code).toBe(1);
      expect(ran.stderr).toContain('settings.local.json');
      expect(ran.stderr).toContain('next:');
      expect(snapshot(box)).toEqual(before);
    }
  });

  test("leaves a person's own command of that name, and says so", () => {
    const box = makeBox();
    box.write('.claude/commands/ralph.md', 'my own ralph');
    const ran = init(box);
    expect(ran.stdout).toContain('ralph.md is a command of your own');
    expect(box.read('.claude/commands/ralph.md')).toBe('my own ralph');
    uninstall(box);
    expect(box.read('.claude/commands/ralph.md')).toBe('my own ralph');
    expect(box.has('.claude/commands/cancel-ralph.md')).toBe(false);
  });

  test('--dry-run shows every change and makes none', () => {
    const box = makeBox();
    box.write(LOCAL, PERSON);
    const before = snapshot(box);
    const ran = init(box, '--dry-run');
    expect(ran.stdout).toContain(`"${HOOK}"`);
    expect(ran.stdout).toContain('"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "0"');
    for (const name of COMMANDS) expect(ran.stdout).toContain(`.claude/commands/${name}`);
    expect(ran.stdout).toContain('Nothing was changed.');
    expect(ran.stdout).toContain('without --dry-run installs it');
    expect(ran.stdout).not.toContain('/ralph PROMPT');
    expect(ran.stdout).not.toContain('\u001b');
    expect(snapshot(box)).toEqual(before);
    expect(box.run(['uninstall', '--scope', 'local']).stdout).toContain('nothing of Da Capo');
  });

  test('--no-cap leaves the cap; a cap of the person stays, and is named', () => {
    const [without, own] = [makeBox(), makeBox()];
    init(without, '--no-cap');
    expect(settings(without)['env']).toBeUndefined();
    own.write(LOCAL, '{"env":{"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP":"20"}}');
    expect(init(own).stdout).toContain('The cap on stops stays at 20, because you set it');
    expect(settings(own)['env']).toEqual({ CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '20' });
  });

  test('the user scope writes to the config folder, also where CLAUDE_CONFIG_DIR names it', () => {
    const box = makeBox();
    box.run(['init', '--scope', 'user']);
    expect(
      recognisedIn(JSON.parse(readFileSync(join(box.home, '.claude/settings.json'), 'utf8'))).length,
    ).toBeGreaterThan(0);
    const config = join(box.root, 'config');
    box.run(['init', '--scope', 'user'], { CLAUDE_CONFIG_DIR: config });
    expect(readdirSync(join(config, 'commands')).sort()).toEqual(COMMANDS);
    expect(box.has('.claude')).toBe(false);
  });

  test("a link to the user's settings stays a link, and a closed file stays closed", () => {
    const box = makeBox();
    const dotfiles = join(box.root, 'dotfiles.json');
    writeFileSync(dotfiles, PERSON);
    chmodSync(dotfiles, 0o600);
    mkdirSync(join(box.home, '.claude'));
    symlinkSync(dotfiles, join(box.home, '.claude/settings.json'));
    box.run(['init', '--scope', 'user']);
    expect(readFileSync(dotfiles, 'utf8')).toContain(HOOK);
    expect(statSync(dotfiles).mode & 0o777).toBe(0o600);
    box.run(['uninstall', '--scope', 'user']);
    expect(readFileSync(dotfiles, 'utf8')).toBe(PERSON);
  });

  test('says what is missing: the host, and a rival that is switched on', () => {
    const box = makeBox();
    box.write('.claude/settings.json', '{"enabledPlugins":{"ralph-loop@claude-plugins-official":true}}');
    const { stdout } = init(box);
    expect(stdout).toContain('Claude Code was not found');
    expect(stdout).toContain('claude plugin disable ralph-loop@claude-plugins-official');
    const old = box.write('old-claude', '#!/bin/sh\necho "2.1.99 (Claude Code)"\n');
    chmodSync(old, 0o755);
    expect(init(box, '--json').code).toBe(0);
    expect(box.run(['init', '--scope', 'local'], { DACAPO_CLAUDE: old }).stdout).toContain(
      'is older than 2.1.143',
    );
  });

  test('says so when the hook program lies in the cache of npx', () => {
    const box = makeBox();
    const inCache = join(box.root, '_npx', 'abc', 'node_modules', 'dacapo');
    mkdirSync(inCache, { recursive: true });
    for (const part of ['dist', 'plugin', 'package.json'])
      cpSync(join(PLUGIN, '..', part), join(inCache, part), { recursive: true });
    const ran = spawnSync(process.execPath, [join(inCache, 'dist/cli.cjs'), 'init', '--scope', 'local'], {
      cwd: box.project,
      env: box.env,
      encoding: 'utf8',
    });
    expect(ran.stdout).toContain('temporary folder');
    // A later init from the lasting place replaces the path.
    init(box);
    expect(new Set(recognisedIn(settings(box)).map(({ program }) => program.includes('_npx')))).toEqual(
      new Set([false]),
    );
  });

  test('in the local scope nothing shows up in git', () => {
    const box = makeBox();
    execFileSync('git', ['init', '-q'], { cwd: box.project, env: box.env });
    const status = () =>
      execFileSync('git', ['status', '--short'], { cwd: box.project, env: box.env, encoding: 'utf8' });
    const exclude = box.read('.git/info/exclude');
    init(box);
    expect(status()).toBe('');
    uninstall(box);
    expect(box.read('.git/info/exclude')).toBe(exclude);
    expect(box.has('.claude')).toBe(false);
  });

  test('--json is one document', () => {
    const box = makeBox();
    expect(JSON.parse(init(box, '--json', '--dry-run').stdout)).toMatchObject({
      scope: 'local',
      dry_run: true,
      settings: join(box.project, LOCAL),
    });
    expect(JSON.parse(uninstall(box, '--json').stdout)).toMatchObject({ edits: [] });
  });
});

describe('uninstall', () => {
  test.each([
    ['a normal file', PERSON],
    ['four spaces', JSON.stringify(JSON.parse(PERSON), null, 4)],
    ['one line', '{"hooks":{},"env":{}}'],
    ['odd but valid', '{ "a" : [1,\n2] , "hooks":{"Stop":[]}}\n\n'],
    ['CRLF with a byte order mark', '\uFEFF{\r\n  "a": 1\r\n}\r\n'],
    ['an empty file', ''],
  ])('gives back the former file, byte for byte: %s', (_, former) => {
    for (const flags of [[], ['--no-cap']]) {
      const box = makeBox();
      box.write(LOCAL, former);
      init(box, ...flags);
      expect(box.read(LOCAL)).not.toBe(former);
      uninstall(box);
      expect(box.read(LOCAL)).toBe(former);
    }
  });

  /** `dacapo init --guard` of older versions put a line of shell before Node. */
  test('a hook behind the shell line of an older version is ours: init replaces it, and uninstall removes it', () => {
    const home =
      'd=$XDG_STATE_HOME; case $d in /*) ;; *) d=$HOME/.local/state ;; esac; d=$d/dacapo; case $DACAPO_HOME in /*) d=$DACAPO_HOME ;; esac';
    const owned = '[ -z "$HOME$DACAPO_HOME" ] || [ -e "$d/sessions/$CLAUDE_CODE_SESSION_ID" ]';
    const line = `${home}; ${owned} || false || exit 0; exec node '${HOOK}'`;
    const guarded = () => {
      const box = makeBox();
      box.write(LOCAL, PERSON);
      init(box);
      box.write(
        LOCAL,
        box
          .read(LOCAL)
          .replaceAll(
            /"command": "(?:node|\/bin\/sh)",\s*"args": \[[^\]]*\]/g,
            () => `"command": ${JSON.stringify(line)}`,
          ),
      );
      expect(
        recognisedIn(settings(box)).map(({ program, handler }) => [program, handler['command']]),
      ).toContainEqual([HOOK, line]);
      return box;
    };
    const again = guarded();
    init(again);
    expect(again.read(LOCAL)).not.toContain('exit 0');
    const commands = recognisedIn(settings(again)).map(({ handler }) => handler['command']);
    expect(commands.every((command) => command === 'node' || command === '/bin/sh')).toBe(true);
    const gone = guarded();
    uninstall(gone);
    expect(settings(gone)).toEqual(JSON.parse(PERSON));
  });

  test('removes a file that init created, and the folders', () => {
    const box = makeBox();
    init(box);
    uninstall(box);
    expect(box.has('.claude')).toBe(false);
    expect(readdirSync(box.dacapoHome)).toEqual(['cache']);
  });

  test('takes back its own parts when a person has edited around them', () => {
    const box = makeBox();
    box.write(LOCAL, PERSON);
    init(box);
    const edited = settings(box) as {
      hooks: Record<string, { hooks: object[] }[]>;
      env: Record<string, string>;
    };
    edited.hooks['Stop']?.at(-1)?.hooks.push({ type: 'command', command: 'mine, in your group' });
    edited.hooks['SessionEnd']?.push({ hooks: [{ type: 'command', command: 'bye' }] });
    edited.env['MINE'] = '1';
    box.write(LOCAL, JSON.stringify({ ...edited, theme: 'dark' }));
    uninstall(box);
    expect(settings(box)).toEqual({
      ...JSON.parse(PERSON),
      theme: 'dark',
      env: { MINE: '1' },
      hooks: {
        Stop: [
          { hooks: [{ type: 'command', command: 'say done' }] },
          { hooks: [{ type: 'command', command: 'mine, in your group' }] },
        ],
        PostToolUse: [],
        SessionEnd: [{ hooks: [{ type: 'command', command: 'bye' }] }],
      },
    });
  });

  test('a file that init created and a person has used since stays, without our parts and without a backup', () => {
    const box = makeBox();
    init(box);
    box.write(LOCAL, JSON.stringify({ ...settings(box), model: 'opus' }));
    uninstall(box);
    expect(settings(box)).toEqual({ model: 'opus' });
    expect(box.has(`${LOCAL}.before-dacapo`)).toBe(false);
  });

  test('a cap that the person had set stays', () => {
    const box = makeBox();
    box.write(LOCAL, '{"env":{"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP":"0"}}');
    init(box);
    box.write(LOCAL, box.read(LOCAL) + '\n');
    uninstall(box);
    expect(settings(box)).toEqual({ env: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '0' } });
  });

  test('a command that was edited since stays, and is named', () => {
    const box = makeBox();
    init(box);
    box.write('.claude/commands/ralph.md', 'changed');
    expect(uninstall(box).stdout).toContain('ralph.md was edited since, so it was kept');
    expect(readdirSync(join(box.project, '.claude/commands'))).toEqual(['ralph.md']);
  });

  test('without the record it knows our hooks and commands by their look, and leaves the cap', () => {
    const box = makeBox();
    box.write(LOCAL, PERSON);
    init(box);
    rmSync(box.dacapoHome, { recursive: true });
    expect(uninstall(box).stdout).toContain('CLAUDE_CODE_STOP_HOOK_BLOCK_CAP stays');
    expect(settings(box)).toEqual({ ...JSON.parse(PERSON), env: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '0' } });
    expect(box.has('.claude/commands')).toBe(true);
    expect(readdirSync(join(box.project, '.claude/commands'))).toEqual([]);
  });

  test('the commands stay as long as the other scope of the project has the hooks', () => {
    const box = makeBox();
    init(box);
    box.run(['init', '--scope', 'project']);
    expect(uninstall(box).stdout).toContain('The commands stay');
    expect(readdirSync(join(box.project, '.claude/commands')).sort()).toEqual(COMMANDS);
    box.run(['uninstall', '--scope', 'project']);
    expect(box.has('.claude/commands/ralph.md')).toBe(false);
  });

  test('--dry-run changes nothing', () => {
    const box = makeBox();
    init(box);
    const before = snapshot(box);
    expect(uninstall(box, '--dry-run').stdout).toContain('removed');
    expect(snapshot(box)).toEqual(before);
  });

  test('for any settings: add, then take away, is the same again', () => {
    const wanted = registrationIn(
      JSON.parse(readFileSync(join(PLUGIN, 'hooks/hooks.json'), 'utf8')),
      '/opt/da capo/plugin',
    );
    const handler = fc.record({ type: fc.constantFrom('command', 'prompt'), command: fc.string() });
    const group = fc.record({ matcher: fc.string(), hooks: fc.array(handler) }, { requiredKeys: ['hooks'] });
    const events = fc.dictionary(fc.constantFrom('Stop', 'SessionEnd', 'PreToolUse'), fc.array(group));
    fc.assert(
      fc.property(fc.record({ hooks: events, other: fc.json() }, { requiredKeys: [] }), (before) => {
        const added = withHooks(before, wanted);
        expect(withHooks(added, wanted)).toBe(added);
        expect(withoutRecognised(added, placesIn(before))).toEqual(before);
      }),
    );
  });
});

test('what people have here already for looping an agent is named, with the command to type', () => {
  const box = makeBox();
  mkdirSync(join(box.project, '.ralph'));
  writeFileSync(join(box.project, '.ralph/PROMPT.md'), 'Go on.\n');
  writeFileSync(join(box.project, '.ralph/fix_plan.md'), '- [ ] a\n');
  expect(init(box, '--dry-run').stdout).toContain(
    'Found .ralph/PROMPT.md and .ralph/fix_plan.md (ralph-claude-code). To continue with them, type:  dacapo run --prompt-file .ralph/PROMPT.md --features .ralph/fix_plan.md',
  );
  expect(JSON.parse(init(box, '--dry-run', '--json').stdout).layouts).toMatchObject([
    { tool: 'ralph-claude-code', why: null },
  ]);
});
