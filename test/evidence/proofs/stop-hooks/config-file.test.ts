import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pinConfig } from '#evidence/proofs/stop-hooks/config-file.ts';
import { temporaryFolder } from '../../../store/folder.ts';

const MAKE_PIPE = 'mkfifo';
const CONFIG = 'dacapo.config.mjs';

it.runIf(process.platform !== 'win32')('a config is not waited for where a pipe lies in its place', () => {
  const project = temporaryFolder();
  execFileSync(MAKE_PIPE, [join(project, CONFIG)]);
  expect(pinConfig(project, CONFIG)).toMatchObject({ ok: false, code: 'unreadable-config' });
});
