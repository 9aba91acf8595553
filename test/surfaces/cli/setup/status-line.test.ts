/** `dacapo init --statusline`: in front of the person's own line, and taken back byte for byte. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ourStatusLine, withoutStatusLine, withStatusLine } from '#hosts/claude-code/setup/status-line.ts';
import { HOOK } from '#base/process/package.ts';
import { makeBox, type Box } from '../box.ts';

const LOCAL = '.claude/settings.local.json';
const OWN = { type: 'command', command: `echo "it's mine"`, padding: 2 };

const init = (box: Box, ...args: string[]) => box.run(['init', '--statusline', ...args]);
const lineOf = (text: string): unknown =>
  (JSON.parse(text) as { statusLine?: { command: string } }).statusLine;

function asUser(box: Box, statusLine: object): void {
  mkdirSync(join(box.home, '.claude'), { recursive: true });
  writeFileSync(join(box.home, '.claude/settings.json'), JSON.stringify({ statusLine }));
}

/** What the host would show. */
function shownBy(box: Box): string {
  const { command } = lineOf(box.read(LOCAL)) as { command: string };
  return spawnSync('sh', ['-c', command], { env: box.env, input: '{}', encoding: 'utf8' }).stdout;
}

describe('init --statusline', () => {
  test('sets a line of its own where there is none', () => {
    const box = makeBox();
    expect(init(box).code).toBe(0);
    expect(lineOf(box.read(LOCAL))).toEqual({
      type: 'command',
      command: `node '${HOOK}' statusline`,
      refreshInterval: 5,
    });
    expect(shownBy(box)).toBe('');
  });

  test('keeps the line of the user, whichever settings it stands in, with what belongs to it', () => {
    const box = makeBox();
    asUser(box, OWN);
    init(box);
    expect(lineOf(box.read(LOCAL))).toMatchObject({ padding: 2 });
    expect(shownBy(box)).toBe("it's mine\n");
  });

  test('a second time changes nothing; without the flag nothing is set, and nothing is asked in a pipe', () => {
    const box = makeBox();
    init(box);
    expect(init(box).stdout).toContain('Nothing to do');
    expect(box.run(['init']).stdout).toContain('Nothing to do');
    const other = makeBox();
    other.run(['init']);
    expect(lineOf(other.read(LOCAL))).toBeUndefined();
  });

  test('uninstall puts the former file back, byte for byte', () => {
    const box = makeBox();
    const before = `{\t"statusLine": ${JSON.stringify(OWN)} }`;
    box.write(LOCAL, before);
    box.run(['init']);
    init(box);
    expect(shownBy(box)).toBe("it's mine\n");
    expect(box.run(['uninstall']).code).toBe(0);
    expect(box.read(LOCAL)).toBe(before);
  });

  test('uninstall after an edit leaves the line that was there, and none where there was none', () => {
    for (const [own, left] of [
      [{ statusLine: OWN }, OWN],
      [{ model: 'opus' }, undefined],
    ] as const) {
      const box = makeBox();
      asUser(box, { type: 'command', command: 'echo user' });
      box.write(LOCAL, JSON.stringify(own));
      init(box);
      box.write(LOCAL, box.read(LOCAL).replace('{', '{ "edited": true,'));
      box.run(['uninstall']);
      expect(lineOf(box.read(LOCAL))).toEqual(left);
    }
  });

  test('doctor knows it, and says where another one hides it', () => {
    const box = makeBox();
    init(box, '--scope', 'project');
    const finding = () => {
      const { findings } = JSON.parse(box.run(['doctor', '--json']).stdout) as {
        findings: { id: string; level: string }[];
      };
      return findings.find(({ id }) => id === 'statusline')?.level;
    };
    expect(finding()).toBe('ok');
    box.write(LOCAL, JSON.stringify({ statusLine: OWN }));
    expect(finding()).toBe('warning');
    const file = join(box.project, '.claude/settings.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('hook.cjs', 'gone/hook.cjs'));
    expect(finding()).toBe('warning');
  });
});

test('whatever the command, it is found again in ours, and taken back', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string(), (command, folder) => {
      const program = `${folder}/hook.cjs`;
      const settings = { statusLine: { type: 'command', command, padding: 0 } };
      fc.pre(ourStatusLine(settings.statusLine) === null);
      const set = withStatusLine(settings, program, null);
      expect(ourStatusLine(set['statusLine'])).toEqual({ program, own: command });
      expect(withStatusLine(set, program, null)).toBe(set);
      expect(withoutStatusLine(set, true)).toEqual(settings);
    }),
  );
});
