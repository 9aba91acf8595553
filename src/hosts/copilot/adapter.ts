/** GitHub Copilot CLI as the command line knows it (1.0.102). */
import { join } from 'node:path';
import { readTextIfAny } from '#base/files/read.ts';
import { PLUGIN } from '#base/process/package.ts';
import { adapterOf } from '../kit/adapter.ts';
import { classifyBy } from '../kit/pass-outcome.ts';
import { modelFlag } from '../port/headless.ts';
import { COPILOT } from '../tables/names.ts';
import { permissionFinding } from '../port/program.ts';
import { usageSince } from '../kit/session-log.ts';
import { combined } from '../port/stream.ts';
import { NOT_TOLD } from '../kit/stream-lines.ts';
import { hooksSettings } from '../setup/hooks-settings.ts';
import { copilot, USAGE } from './hook.ts';
import { openStream, readRow } from './stream.ts';

/** The mode of passes where the person named none: files may be edited, and no command may run. */
const EDITS = 'write';

/** By this variable the person allows all tools. Copilot takes other words for "on" and "off", too. */
const ALLOW_ALL = 'COPILOT_ALLOW_ALL';
const OFF = /^\s*(?:false|0|no|off|n)?\s*$/i;
/**
 * Exactly this value also makes it trust every folder: the servers and hooks of a clone then run. Otherwise
 * it leaves out by itself what nobody has trusted.
 */
const TRUSTS_ALL = 'true';

export const copilotAdapter = adapterOf({
  ...COPILOT,
  hook: copilot,
  program: {
    oldest: '1.0.102',
    install: 'npm install -g @github/copilot',
    update: 'copilot update',
    sessionFlags: ['--session-id', '--resume', '-r', '--continue', '--connect', '-p', '--prompt', '--acp'],
    sessionArguments: (plugin) => ['--plugin-dir', plugin],
    promptFlag: '--interactive',
    // With an id of ours the loop would begin outside, where its variables are not set.
    newSession: null,
  },
  can: { chooseSession: true, tools: true },
  args: ({ session, resume, model, permissionMode: mode, allowedTools }) => [
    '--output-format',
    'json',
    '--session-id',
    resume ?? session,
    '--plugin-dir',
    join(PLUGIN, 'guard'),
    ...allowedTools.map((tool) => `--allow-tool=${tool}`),
    ...modelFlag('--model', model),
    ...(mode === null ? [] : [mode === EDITS ? '--allow-tool=write' : `--${mode}`]),
  ],
  headless: {
    login: 'copilot login',
    permissionModes: [EDITS, 'allow-all-tools', 'allow-all'],
    readOnly: { extra: ['--deny-tool=shell', '--deny-tool=write'] },
    ownFlags: ['-p', '--prompt', '-i', '--interactive', '--output-format', '--session-id', '-r', '--resume'],
    openStream,
    classify: classifyBy(({ type, code }) => {
      if (code === 'billing_not_configured') return 'billing';
      // The limits of an account; another 429 says that the service is busy.
      if (type === 'quota' || code?.startsWith('user_')) return 'limit';
      return type === 'authentication' ? 'auth' : undefined;
    }),
    unattendedMode: ({ env }) => (OFF.test(env[ALLOW_ALL] ?? '') ? EDITS : null),
  },
  asks: { isTrusted: ({ env }) => env[ALLOW_ALL] !== TRUSTS_ALL },
  tokensSince: (record, since) =>
    usageSince(readTextIfAny(record) ?? '', USAGE, since)
      .map(({ tokens }) => tokens)
      .reduce((a, b) => combined(a, b, (one, other) => one + other), NOT_TOLD.tokens),
  findings: ({ pass }) => [
    permissionFinding(COPILOT, pass, {
      mode: pass.permissionMode ?? 'allow-all-tools',
      edits: EDITS,
      all: 'allow-all-tools',
    }),
  ],
  settings: hooksSettings(COPILOT, {
    file: ['hooks', 'dacapo.json'],
    trust: ', and with -p it needs --trust-folder',
    mcp: 'copilot mcp add dacapo -- dacapo mcp',
  }),
  record: [(session) => join(session, 'events.jsonl'), readRow],
});
