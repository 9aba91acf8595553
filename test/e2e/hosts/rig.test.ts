// @module-tag agents
// The rig itself, without Da Capo: each published agent answers the script, runs its command and hears a stop hook.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { HOSTS, installedHost } from '../../../scripts/test/hosts.mjs';
import { versionOf } from '#hosts/port/program.ts';
import { hostStage, type HostStage } from './stage.ts';
import { HOST_RIGS, type RigName } from './table.ts';

const NAMES = Object.keys(HOST_RIGS) as RigName[];

/** Blocks twice, then allows. */
function blockTwice(stage: HostStage): string {
  const file = join(stage.root, 'hook.mjs');
  const calls = join(stage.root, 'calls');
  writeFileSync(
    file,
    `import { appendFileSync, readFileSync } from 'node:fs';
appendFileSync(${JSON.stringify(calls)}, readFileSync(0, 'utf8').trim() + '\\n');
const n = readFileSync(${JSON.stringify(calls)}, 'utf8').trim().split('\\n').length;
if (n < 3) console.log(JSON.stringify({ decision: 'block', reason: 'CONTINUE-' + n }));
`,
  );
  return `node ${file}`;
}

for (const name of NAMES) {
  describe(`the real ${name}`, () => {
    test('answers the script, runs its command, and goes on twice when its stop hook blocks twice', async () => {
      const stage = await hostStage(name, [
        { run: 'echo ran > ran.txt && echo OUT' },
        'first answer',
        'second answer',
        'The scripted end.',
      ]);
      stage.stopHook(blockTwice(stage));
      const run = await stage.start('Say hello.').done;
      expect(run.stdout).toContain('The scripted end.');
      expect(run.code).toBe(0);
      expect(stage.read('ran.txt')).toBe('ran\n');
      expect(stage.model.requests.map(({ host }) => host)).toEqual([name, name, name, name]);
      const [first, second, third, fourth] = stage.model.requests.map(({ text }) => text);
      expect(first).toContain('Say hello.');
      expect(second).toContain('OUT');
      expect(third).toContain('CONTINUE-1');
      expect(fourth).toContain('CONTINUE-2');
    });
  });
}

// The stage answers in its place.
test.each(Object.keys(HOSTS) as (keyof typeof HOSTS)[])('the real %s tells its version', async (name) => {
  const stage = await hostStage(name, ['Never.']);
  expect(versionOf(installedHost(name).program ?? '', stage.env)).toBe(HOSTS[name].version);
});
