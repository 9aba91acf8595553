/** Views that can't be written: a run says so, once for each cause, and goes on. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { openViewErrors } from '#surfaces/cli/context.ts';
import { openShell, type Shell } from '../shell.ts';

const shells: Shell[] = [];
afterEach(() => shells.splice(0).forEach((shell) => shell.close()));

function newShell(): Shell {
  const shell = openShell();
  shells.push(shell);
  return shell;
}

/** Two iterations, the second of which is the last. */
const RUN = `CLAUDE_DOES='echo line >> poem.txt' dacapo run 'Write' --check 'test $(wc -l < poem.txt) -ge 2' --pause 0`;

function warnings(output: string): string[] {
  return output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line): { is: string; text: string } => JSON.parse(line))
    .flatMap(({ is, text }) => (is === 'warning' && text.includes("can't be written") ? [text] : []));
}

describe('in a run', () => {
  test('a view that can’t be made is in the stream of --json, and in plain lines', async () => {
    const shell = newShell();
    // A file where the folder of the view would be.
    shell.write('.claude', 'not a folder');
    const { output, exit } = await shell.type(`${RUN} --json`);
    expect({ output, exit }).toMatchObject({ exit: 0 });
    expect(warnings(output)).toEqual([
      expect.stringMatching(
        /^\.claude\/ralph-loop\.local\.md can't be written \((?:EEXIST: file already exists|ENOTDIR: not a directory)\); the loop continues without it\.$/,
      ),
    ]);
    const plain = await shell.type(`rm poem.txt; ${RUN}`);
    expect(plain.exit).toBe(0);
    expect(plain.output.match(/\.claude\/ralph-loop\.local\.md can't be written/g)).toHaveLength(1);
  });

  test('each cause is said once, however many iterations there are', async () => {
    const shell = newShell();
    mkdirSync(join(shell.project, 'vault', 'Ralph_State'), { recursive: true });
    shell.write('vault/Ralph_History', 'not a folder');
    const spoils = `rm -rf progress/hook.log; mkdir -p progress/hook.log`;
    const { output, exit } = await shell.type(
      `RALPH_LOOP_DIR=progress ${RUN.replace('echo', `${spoils}; echo`)} --view progress,vault --vault vault --json`,
    );
    expect(exit).toBe(0);
    expect(warnings(output)).toEqual([
      expect.stringMatching(/^hook\.log can't be written \(EISDIR: .*\); the loop continues without it\.$/),
      expect.stringMatching(/^vault\/Ralph_State\/RALPH_\w+\.json can't be written \(E\w+: .*\); the loop/),
    ]);
  });

  test('the other commands say it too', async () => {
    const shell = newShell();
    shell.write('.claude', 'not a folder');
    const { output } = await shell.type('dacapo ready "Do it" --mode fresh');
    expect(output).toContain("Da Capo: .claude/ralph-loop.local.md can't be written (");
    expect(existsSync(join(shell.project, '.claude'))).toBe(true);
  });
});

test('what is heard before anybody listens is told to the first who does, and the same only once', () => {
  const { hear, tellTo } = openViewErrors();
  const denied = (file: string) => new Error(`EACCES: permission denied, open '/p/.claude/${file}'`);
  hear('view.md', denied('.view.md.1.tmp'));
  const told: string[] = [];
  tellTo((text) => told.push(text));
  hear('view.md', denied('.view.md.2.tmp'));
  hear('view.md', new Error("EXDEV: cross-device link not permitted, rename '/a' -> '/b'"));
  hear('the vault view', new Error("vault/x.json is someone else's"));
  hear('progress.txt', 'someone else writes it all the time');
  expect(told).toEqual([
    "view.md can't be written (EACCES: permission denied); the loop continues without it.",
    "view.md can't be written (EXDEV: cross-device link not permitted); the loop continues without it.",
    "the vault view can't be written (vault/x.json is someone else's); the loop continues without it.",
    "progress.txt can't be written (someone else writes it all the time); the loop continues without it.",
  ]);
});
