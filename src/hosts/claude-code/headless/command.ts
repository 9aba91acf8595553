/**
 * Claude Code as a headless host: the command of one pass. `stream.ts` reads its stream, `faults.ts` judges
 * its end.
 */
import { join } from 'node:path';
import { flagWith, modelFlag, type PassCommand, type HeadlessHost, type Pass } from '#hosts/port/headless.ts';
import { PACKAGE } from '#base/process/package.ts';
import { jsonLineReader } from '#hosts/kit/stream-lines.ts';
import { NO_CAP } from '../hook/cap.ts';
import { GOAL_TOOL } from '../goal.ts';
import { CLAUDE_CODE_NAME, CAP_VARIABLE, LOGIN } from '../names.ts';
import { classifyEnd } from './faults.ts';
import { PERMISSION_MODES, preflight, unattendedMode } from './preflight.ts';
import { readLine } from './stream.ts';
import { brought, untrusted } from './untrusted.ts';

export const claudeCodeHeadless: HeadlessHost = {
  name: CLAUDE_CODE_NAME,
  can: { compact: true, fallbackModel: true, chooseSession: true, cost: true, tools: true, windows: true },
  login: LOGIN,
  // On SIGINT it still writes its result, with the cost of the pass; on SIGTERM it writes none.
  gentle: 'SIGINT',
  permissionModes: PERMISSION_MODES,
  // Its plan mode asks for a plan in place of an answer.
  readOnly: { extra: ['--tools', 'Read,Grep,Glob', '--strict-mcp-config', '--setting-sources', 'user'] },
  ownFlags:
    `-p --print --output-format --input-format --verbose --session-id --resume -r --continue -c --fork-session
    --max-budget-usd`.split(/\s+/),
  command,
  openStream: (env) => jsonLineReader((value) => readLine(value, env)),
  classify: classifyEnd,
  unattendedMode,
  brought,
  untrusted,
  preflight,
};

/**
 * The guard as a separate plugin, without our commands and our stop hook. We can't use `--settings`: the host
 * takes only the last one, and the person may pass their own.
 */
const GUARD = join(PACKAGE, 'plugin', 'guard');

/** We pass the prompt on stdin: it may be too long for a command line, and may begin with a dash. */
function command(pass: Pass): PassCommand {
  return {
    args: [
      '-p',
      // This flag takes any number of words, so another flag must follow it.
      ...(pass.allowedTools.length === 0 ? [] : ['--allowedTools', ...pass.allowedTools]),
      '--disallowedTools',
      GOAL_TOOL,
      '--output-format',
      'stream-json',
      '--verbose',
      '--plugin-dir',
      GUARD,
      ...(pass.resume === null ? ['--session-id', pass.session] : ['--resume', pass.resume]),
      ...modelFlag('--model', pass.model),
      ...modelFlag('--fallback-model', pass.fallbackModel),
      ...flagWith('--permission-mode', pass.permissionMode),
      ...flagWith('--max-budget-usd', pass.budgetUsd === null ? null : plain(pass.budgetUsd)),
      ...pass.extra,
    ],
    // Our installed hook stays silent, as the driver judges the stop itself. Other hooks may block without a
    // cap.
    env: { DACAPO_DRIVEN: '1', [CAP_VARIABLE]: NO_CAP },
    stdin: pass.compact ? `/compact ${pass.prompt}`.trimEnd() : pass.prompt,
  };
}

/** Never `1e-7`, and never zero: the host refuses a budget of zero. */
function plain(usd: number): string {
  return Math.max(usd, 0.0001).toFixed(4);
}
