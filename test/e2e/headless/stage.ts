// One pass of the real Claude Code through the port, in a sandbox.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runPass, type Passed, type PassRun } from '#engine/driver/pass/run-pass.ts';
import { openWatchdog } from '#base/process/watchdog.ts';
import { claudeCodeHeadless } from '#hosts/claude-code/headless/command.ts';
import type { Pass } from '#hosts/port/headless.ts';
import { PASS } from '../../hosts/headless-conformance.ts';
import { CLAUDE, type Sandbox } from '../host.ts';

const WATCHDOG = fileURLToPath(new URL('../../../dist/watchdog.cjs', import.meta.url));

export async function realPass(
  sandbox: Sandbox,
  pass: Partial<Pass> = {},
  run: Partial<PassRun> = {},
): Promise<Passed> {
  const watchdog = openWatchdog(sandbox.env, WATCHDOG);
  try {
    return await runPass(
      { ...PASS, session: randomUUID(), permissionMode: 'bypassPermissions', ...pass },
      {
        host: claudeCodeHeadless,
        program: CLAUDE,
        cwd: sandbox.project,
        env: sandbox.env,
        watchdog,
        limits: { passMs: 45_000, silenceMs: 45_000, hangMs: 2_000 },
        evidence: join(sandbox.root, 'stream.jsonl'),
        signal: new AbortController().signal,
        onEvent: () => null,
        ...run,
      },
    );
  } finally {
    watchdog.close();
  }
}
