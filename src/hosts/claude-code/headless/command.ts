/** Claude Code without a screen, as the port wants it: the command of one pass. `stream.ts` reads, `faults.ts` judges. */
import { join } from 'node:path';
import type { Command, HeadlessHost, Pass } from '../../headless.ts';
import { PACKAGE } from '../../../process/package.ts';
import { CAP_VARIABLE, NO_CAP } from '../hook/cap.ts';
import { classifyEnd } from './faults.ts';
import { PERMISSION_MODES, preflight, unattendedMode } from './preflight.ts';
import { readStreamLine } from './stream.ts';

export const claudeCodeHeadless: HeadlessHost = {
  name: 'claude-code',
  can: { resume: true, compact: true, budget: true, fallbackModel: true },
  // On SIGINT it still writes its result, with what the pass has cost; on SIGTERM it writes none.
  gentle: 'SIGINT',
  permissionModes: PERMISSION_MODES,
  ownFlags: [
    '-p',
    '--print',
    '--output-format',
    '--input-format',
    '--verbose',
    '--session-id',
    '--resume',
    '-r',
    '--continue',
    '-c',
    '--fork-session',
    '--max-budget-usd',
  ],
  command,
  // Each line names its message: there is nothing to remember.
  openStream: () => ({ read: readStreamLine }),
  classify: classifyEnd,
  unattendedMode,
  preflight,
};

/**
 * The guard as a plugin of its own, with nothing else in it: the agent is told of no command, and no stop is heard. Not
 * `--settings`, of which the host takes the last one only, and that one is the person's.
 */
const GUARD = join(PACKAGE, 'plugin', 'guard');

/** What is installed of ours stays out of the way, as the driver judges the stop itself; other people's hooks may block as often as they like. */
const ENVIRONMENT: Readonly<Record<string, string>> = { DACAPO_DRIVEN: '1', [CAP_VARIABLE]: NO_CAP };

/** The prompt comes on stdin: it may be longer than a command line can be, and may begin with a dash. */
function command(pass: Pass): Command {
  return {
    args: [
      '-p',
      // It takes any number of words, so a flag must follow it.
      ...(pass.allowedTools.length === 0 ? [] : ['--allowedTools', ...pass.allowedTools]),
      '--output-format',
      'stream-json',
      '--verbose',
      '--plugin-dir',
      GUARD,
      ...(pass.resume === null ? ['--session-id', pass.session] : ['--resume', pass.resume]),
      ...flag('--model', pass.model),
      ...flag('--fallback-model', pass.fallbackModel),
      ...flag('--permission-mode', pass.permissionMode),
      ...flag('--max-budget-usd', pass.budgetUsd === null ? null : plain(pass.budgetUsd)),
      ...pass.extra,
    ],
    env: ENVIRONMENT,
    stdin: pass.compact ? `/compact ${pass.prompt}`.trimEnd() : pass.prompt,
  };
}

function flag(name: string, value: string | null): string[] {
  return value === null ? [] : [name, value];
}

/** Never `1e-7`, and never nothing: the host refuses a budget of zero. */
function plain(usd: number): string {
  return Math.max(usd, 0.0001).toFixed(4);
}
