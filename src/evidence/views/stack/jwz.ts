/**
 * `jwz`, a message program: its topic holds the stack view where the program is on the PATH. It is started
 * with arguments and no shell, in the project (it finds its store from there), and never for long.
 */
import { codeOf, parseAs, recordsIn, text, textAt } from '#base/shape.ts';
import type { Runtime } from '#store/runtime.ts';
import { STACK_TOPIC } from '../places.ts';
import { isIn, programOnPath, realPath } from '#base/files/paths.ts';

/** `jwz` answers within milliseconds, and a stop waits for it. */
const MAX_JWZ_MS = 3_000;
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;
/** `jwz` returns messages of one millisecond in any order, so we ask for several to find the newest. */
const NEWEST = '8';

export type Jwz = ReturnType<typeof jwzAt>;

/**
 * Null: there is none. We do not start a program inside the project, as the person has not agreed to run it.
 */
export function findJwz(env: Runtime['env'], project: string): Jwz | null {
  const found = programOnPath(process.platform === 'win32' ? 'jwz.exe' : 'jwz', env);
  const program = found === null ? null : realPath(found);
  return program === null || isIn(program, realPath(project)) ? null : jwzAt(program, project, env);
}

function jwzAt(program: string, project: string, env: Runtime['env']) {
  let hangs = false;
  const run = (...args: readonly string[]): string | null => {
    if (hangs) return null;
    // Loaded here: only loops that have this view pay for it.
    const { spawnSync } = process.getBuiltinModule('node:child_process');
    const { status, stdout, error } = spawnSync(program, args, {
      cwd: project,
      env: { ...env, ...WITHOUT_PROGRAMS },
      encoding: 'utf8',
      timeout: MAX_JWZ_MS,
      killSignal: 'SIGKILL',
      maxBuffer: MAX_OUTPUT_BYTES,
      stdio: ['ignore', 'pipe', 'ignore'],
      windowsHide: true,
    });
    hangs = codeOf(error) === 'ETIMEDOUT';
    return status === 0 ? stdout : null;
  };
  const post = (message: string) => run('post', STACK_TOPIC, '-m', unescapable(message)) !== null;
  return {
    /** The newest message of the topic; null: there is none, or it can't be read. */
    read: () => newestIn(run('read', STACK_TOPIC, '--json', '--limit', NEWEST) ?? ''),
    // Newer versions of `jwz` make their store and topics by themselves.
    post: (message: string) =>
      post(message) || (run('init'), run('topic', 'new', STACK_TOPIC), post(message)),
  };
}

/** `jwz` asks git for the commit, and a repository's own config can name programs that git runs. */
const WITHOUT_PROGRAMS = {
  GIT_CONFIG_COUNT: '2',
  GIT_CONFIG_KEY_0: 'core.fsmonitor',
  GIT_CONFIG_VALUE_0: 'false',
  GIT_CONFIG_KEY_1: 'core.hooksPath',
  GIT_CONFIG_VALUE_1: '',
};

/** `jwz` unescapes `\n`, `\t` and `\\` in a message. The long JSON form means the same, and is left alone. */
function unescapable(json: string): string {
  return json.replace(/\\([\\nt])/g, (_, short: string) => LONG[short] ?? '');
}

const LONG: Readonly<Record<string, string>> = { '\\': '\\u005c', n: '\\u000a', t: '\\u0009' };

function newestIn(output: string): string | null {
  const messages = recordsIn(parseAs(Array.isArray, output)).filter(({ body }) => text(body));
  const timeOf = (message: Record<string, unknown>) => Number(message['created_at']) || 0;
  const [newest] = messages.toSorted(
    (a, b) => timeOf(b) - timeOf(a) || (textAt(a, 'id') < textAt(b, 'id') ? 1 : -1),
  );
  return newest === undefined ? null : textAt(newest, 'body');
}
