/** What each host needs of a person's home to work in another one: its login, and its settings. */
import { join, relative } from 'node:path';
import type { Environment } from '../port/arrival.ts';
import { configFolder } from '../claude-code/setup/places.ts';
import { CODEX, COPILOT, DROID, GEMINI, OPENCODE, PI, QWEN } from './names.ts';

interface LoginFiles {
  readonly folder: (env: Environment) => string;
  readonly files: readonly string[];
}

function homeOf(env: Environment): string {
  return env['HOME'] ?? env['USERPROFILE'] ?? '';
}

const LOGINS: readonly LoginFiles[] = [
  { folder: configFolder, files: ['.credentials.json', 'settings.json'] },
  // Beside its folder, or in the one that the variable names.
  { folder: (env) => env['CLAUDE_CONFIG_DIR'] || homeOf(env), files: ['.claude.json'] },
  { folder: CODEX.home, files: ['auth.json', 'config.toml'] },
  { folder: COPILOT.home, files: ['config.json', 'settings.json'] },
  {
    folder: DROID.home,
    files: ['auth.v2.file', 'auth.v2.key', 'auth.encrypted', 'auth.json', 'settings.json'],
  },
  { folder: QWEN.home, files: ['oauth_creds.json', 'settings.json', '.env'] },
  {
    folder: GEMINI.home,
    files: ['oauth_creds.json', 'google_accounts.json', 'settings.json', '.env'],
  },
  { folder: OPENCODE.home, files: ['opencode.json', 'opencode.jsonc'] },
  {
    folder: (env) => join(env['XDG_DATA_HOME'] || join(homeOf(env), '.local', 'share'), 'opencode'),
    files: ['auth.json'],
  },
  { folder: PI.home, files: ['auth.json', 'settings.json', 'models.json'] },
];

/** The variables by which hosts are told of another folder than the one in the home. */
export const HOST_FOLDERS =
  /^(?:CLAUDE_CONFIG_DIR|CODEX_HOME|COPILOT_HOME|QWEN_HOME|GEMINI_CLI_HOME|PI_CODING_AGENT_DIR)$/;

export interface LoginFile {
  readonly from: string;
  /** Where the host looks for it in a home of its own, as seen from there. */
  readonly to: string;
}

/** Whether they are there is not looked at. */
export function loginFilesOf(env: Environment): LoginFile[] {
  const elsewhere = { HOME: '/' };
  return LOGINS.flatMap(({ folder, files }) =>
    files.map((name) => ({
      from: join(folder(env), name),
      to: relative('/', join(folder(elsewhere), name)),
    })),
  );
}
