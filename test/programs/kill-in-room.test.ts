// @module-tag slow
// kill -9 of the hook while its checks run in a clean room: nothing of the project has changed, nothing is left running, and the
// same stop is judged again.
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sha256 } from '#base/files/sha256.ts';
import { allows, eventsOf, makeProgram, pause, until, type Program } from './program.ts';

/** How long the hook lives on after its check has begun in the room. */
const MOMENTS_MS = [0, 15, 60];
/** A check gets two seconds to end by itself before it is made to. */
const GRACE_MS = 15_000;

/** Each file of the project, with what it holds. */
function contentsOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  const plain = files.filter((file) => statSync(join(folder, file)).isFile());
  return Object.fromEntries(plain.map((file) => [file, sha256(readFileSync(join(folder, file)))]));
}

function opened(): Program {
  const hook = makeProgram({ git: true });
  onTestFinished(hook.close);
  const put = (path: string, content: string) => writeFileSync(join(hook.project, path), content);
  for (const folder of ['tests', 'node_modules', 'node_modules/dep'])
    mkdirSync(join(hook.project, folder), { recursive: true });
  put('node_modules/dep/index.js', 'module.exports = 1;\n');
  put('.gitignore', 'node_modules\n');
  put(
    'tests/run.sh',
    `case "$PWD" in */exports/*) test -e ${hook.home}/go || { touch ${hook.home}/in-room; sleep 60; };; esac\ntest -f done.txt\n`,
  );
  hook.git('add', '-A');
  hook.git('commit', '-q', '-m', 'Begin');
  return hook;
}

test.each(MOMENTS_MS)(
  'kill -9 in the clean room, %i ms after its check began',
  { timeout: 120_000 },
  async (moment) => {
    const hook = opened();
    await hook.start('Do it --check "sh tests/run.sh"');
    writeFileSync(join(hook.project, 'done.txt'), '');
    writeFileSync(join(hook.project, 'tests/more.txt'), '');
    const before = contentsOf(hook.project);
    const stop = hook.stopped('Done.', { prompt_id: 'one' });
    const { child, ended } = hook.begin(stop);
    await until('the check runs in the room', () => existsSync(join(hook.home, 'in-room')), 30_000);
    await pause(moment);
    child.kill('SIGKILL');
    expect((await ended).signal).toBe('SIGKILL');
    await until('nothing is left running', () => hook.processes().length === 0, GRACE_MS);
    expect(contentsOf(hook.project)).toEqual(before);
    expect(hook.loop().status.is).toBe('running');
    expect(eventsOf(hook.events(), 'verdict')).toEqual([]);

    writeFileSync(join(hook.home, 'go'), '');
    rmSync(join(hook.home, 'in-room'));
    const again = await hook.stop('Done.', { prompt_id: 'one' });
    expect(allows(again)).toBe(true);
    expect(again?.systemMessage).toContain('completed after 1 iteration');
    expect(eventsOf(hook.events(), 'verdict')).toHaveLength(1);
    expect(eventsOf(hook.events(), 'lost')).toHaveLength(1);
    // The next room removes what a killed one has left.
    expect(readdirSync(join(hook.home, 'exports'))).toEqual([]);
  },
);
