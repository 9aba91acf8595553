// A disposable world for one run of the real Claude Code: its own HOME, a project under git, an environment
// with nothing of ours in it.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { kill, processesBelow } from '../processes.ts';
import { warmHome } from '../warm.ts';

export const CLAUDE = fileURLToPath(
  new URL(
    `../../node_modules/@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`,
    import.meta.url,
  ),
);

export type Sandbox = {
  root: string;
  home: string;
  project: string;
  dacapoHome: string;
  env: Record<string, string>;
  /** Writes a file of the project and gives back its path. */
  write: (path: string, content: string) => string;
  read: (path: string) => string;
  has: (path: string) => boolean;
  /** Writes .claude/settings.json of the project. */
  settings: (value: object) => string;
  /** The processes whose working directory is in the sandbox (Linux only). */
  processes: () => number[];
  close: () => void;
};

const KEY = 'sk-ant-scripted-0123456789abcdefghijklmnopqrstuvwxyz';

export function makeSandbox(model: { url: string }, env: Record<string, string> = {}): Sandbox {
  // Short on purpose: the host puts Unix sockets below TMPDIR, and their paths end at about 100 bytes.
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'dc-')));
  const [home, project, dacapoHome, tmp] = [
    join(root, 'home'),
    join(root, 'project'),
    join(root, 'dacapo'),
    join(root, 'tmp'),
  ];
  for (const folder of [home, project, tmp]) mkdirSync(folder);
  warmHome(dacapoHome);

  const everything = {
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: home,
    TMPDIR: tmp,
    LANG: 'C.UTF-8',
    DACAPO_HOME: dacapoHome,
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    IS_SANDBOX: '1',
    // The host lives for a second: what its engine would compile and collect beside it never pays off.
    BUN_JSC_useDFGJIT: '0',
    BUN_JSC_numberOfGCMarkers: '1',
    ...env,
  };
  writeFileSync(
    join(home, '.gitconfig'),
    '[user]\n\tname = Test\n\temail = test@example.invalid\n[init]\n\tdefaultBranch = main\n',
  );
  writeFileSync(join(home, '.claude.json'), JSON.stringify(noDialogs(project)));
  execFileSync('git', ['init', '-q'], { cwd: project, env: everything });

  const write = (path: string, content: string): string => {
    const full = join(project, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, content);
    return full;
  };
  return {
    root,
    home,
    project,
    dacapoHome,
    env: everything,
    write,
    read: (path) => readFileSync(join(project, path), 'utf8'),
    has: (path) => existsSync(join(project, path)),
    settings: (value) => write('.claude/settings.json', JSON.stringify(value, null, 2)),
    processes: () => processesBelow(root),
    close: () => {
      for (const pid of processesBelow(root)) kill(pid);
      // A host that is just ending may still write below HOME.
      rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
}

/**
 * The default mode, auto, asks a classifier on the vendor's server before a tool runs, and a person when it
 * can't.
 */
export function withoutQuestions(args: string[]): string[] {
  return args.includes('--permission-mode') ? args : ['--permission-mode', 'bypassPermissions', ...args];
}

function noDialogs(project: string): object {
  return {
    hasCompletedOnboarding: true,
    theme: 'dark',
    numStartups: 5,
    bypassPermissionsModeAccepted: true,
    customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
    projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  };
}
