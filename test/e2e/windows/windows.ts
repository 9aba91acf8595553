// A project on Windows, as far as Wine carries it, with the real node.exe and git. Starting Wine takes longer
// than most commands, so a test gives all its commands at once.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { WINE, endWindows, windows, windowsPath } from '../../../scripts/test/wine.mjs';

const ROOT = resolve(import.meta.dirname, '../../..');
const CLI = windowsPath(join(ROOT, 'dist/cli.cjs'));
const HOOK = windowsPath(join(ROOT, 'plugin/dist/hook.cjs'));
const STEPS = windowsPath(join(import.meta.dirname, 'steps.mjs'));
const MOST_MS = 150_000;

const SESSION = '5e551011-aaaa-4bbb-8ccc-000000000001';

interface Step {
  /** Absent: Node. */
  readonly program?: string;
  readonly args: readonly string[];
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** How the shell that starts it writes `Path`. */
  readonly spells?: 'Path' | 'PATH';
  /** A folder in front of the `Path`. */
  readonly before?: string;
}

interface Told {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function makeWindows() {
  // Whatever a name may hold there.
  const root = realpathSync(mkdtempSync(join(tmpdir(), "dc-win ä 日本 '$x ")));
  onTestFinished(() => {
    endWindows();
    rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });
  const [project, home, temporary] = [join(root, 'project'), join(root, 'home'), join(root, 'tmp')];
  for (const folder of [project, home, temporary]) mkdirSync(folder);
  const local = join(home, 'AppData/Local');
  const place = {
    USERPROFILE: windowsPath(home),
    LOCALAPPDATA: windowsPath(local),
    APPDATA: windowsPath(join(home, 'AppData/Roaming')),
    TEMP: windowsPath(temporary),
    TMP: windowsPath(temporary),
  };
  return {
    project: windowsPath(project),
    /** Da Capo's folder, seen from here. */
    dacapoHome: join(local, 'dacapo'),
    /** Of the project. Returns the path on Windows. */
    write: (path: string, content: string) => {
      mkdirSync(dirname(join(project, path)), { recursive: true });
      writeFileSync(join(project, path), content);
      return windowsPath(join(project, path));
    },
    dacapo: (...args: string[]): Step => ({ args: [CLI, ...args] }),
    /** JavaScript for Node. */
    node: (code: string, ...args: string[]): Step => ({ args: ['-e', code, ...args] }),
    git: (...args: string[]): Step => ({ program: 'git', args }),
    hook: (event: string, fields: object): Step => ({
      args: [HOOK],
      input: JSON.stringify({
        session_id: SESSION,
        transcript_path: windowsPath(join(root, 'transcript.jsonl')),
        cwd: windowsPath(project),
        prompt_id: 'prompt-1',
        permission_mode: 'acceptEdits',
        hook_event_name: event,
        ...fields,
      }),
      env: {
        CLAUDECODE: '1',
        CLAUDE_PROJECT_DIR: windowsPath(project),
        CLAUDE_CODE_SESSION_ID: SESSION,
      },
    }),
    run: (...steps: readonly Step[]) => runSteps(root, { steps, place, cwd: windowsPath(project) }),
  };
}

async function runSteps(root: string, order: { steps: readonly Step[]; place: object; cwd: string }) {
  const machine = windows();
  if (machine.missing !== undefined) throw new Error(machine.missing);
  const [given, told] = [join(root, 'order.json'), join(root, 'told.json')];
  writeFileSync(given, JSON.stringify(order));
  const args = [machine.node, STEPS, windowsPath(given), windowsPath(told)];
  const child = spawn(WINE, args, { cwd: root, env: machine.env, stdio: 'ignore', timeout: MOST_MS });
  const code = await new Promise((done) => child.once('close', done).once('error', done));
  const all = JSON.parse(readFileSync(told, 'utf8')) as Told[];
  if (code !== 0 || all.length !== order.steps.length)
    throw new Error(`Wine ended with ${String(code)} after ${all.length} commands: ${JSON.stringify(all)}`);
  return all;
}
