import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pinConfig } from '../../../src/proofs/stop-hooks/config-file.ts';
import { cpuMs } from '../../cpu.ts';
import { temporaryFolder } from '../../store/folder.ts';

const MAKE_PIPE = 'mkfifo';
const CONFIG = 'dacapo.config.mjs';

describe('the files that a config names', () => {
  it.runIf(process.platform !== 'win32')('are not waited for where a pipe lies in their place', () => {
    const project = temporaryFolder();
    execFileSync(MAKE_PIPE, [join(project, CONFIG)]);
    expect(pinConfig(project, CONFIG)).toMatchObject({ ok: false, code: 'unreadable-config' });
  });

  it('are found in time that grows with the config alone', async () => {
    const project = temporaryFolder();
    writeFileSync(join(project, 'hook.mjs'), '');
    const gap = ' '.repeat(1_000_000);
    const names = Array.from({ length: 20_000 }, (_, i) => `'./none-${i}.mjs'`).join('\n');
    writeFileSync(join(project, CONFIG), `import${gap}x;\nimport (${gap}'./hook.mjs');\n${names}`);
    const took = await cpuMs(() => {
      const pinned = pinConfig(project, CONFIG);
      expect(pinned.ok && pinned.files.map(({ file }) => file)).toEqual([CONFIG, 'hook.mjs']);
    });
    expect(took).toBeLessThan(3_000);
  });
});
