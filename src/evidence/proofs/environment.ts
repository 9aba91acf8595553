/**
 * The environment in which proofs are taken is the one that the session had when a person gave it the loop. A
 * host puts the `env` of its settings files into the environment of its hooks, so a write to such a file
 * would choose the `sh` or the `node` that a check runs. At a stop this process takes the environment of the
 * start back, and all that it starts inherits it: checks, stop hooks, git.
 *
 * Values are kept only of variables that decide what runs; of the others a hash, since they may be secret.
 * What is new or changed among those is taken away.
 */
import { hash } from '#base/hash.ts';
import { readAs, isRecord, list, oneOf, record, text, type Infer, type Shape } from '#base/shape.ts';
import { matchOneOf } from '#base/words/word-list.ts';
import { isOfHost } from '#hosts/tables/names.ts';
import type { Blobs, OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';

const ENVIRONMENT_FILE = 'environment.json';
const DIFFERENCE = 'environment-difference.json';

/**
 * They tell where and for whom a process runs, and differ from call to call. None of them names a program or
 * an option.
 */
const PRESENT = matchOneOf(`
  DACAPO_.* IDLE_LOOP_DISABLE _ PWD OLDPWD SHLVL TERM TERM_.* COLUMNS LINES COLORTERM
  SSH_(?:AUTH_SOCK|AGENT_PID|CLIENT|CONNECTION|TTY) DISPLAY WAYLAND_DISPLAY TRACEPARENT TRACESTATE
`);
/** Programs, libraries, options and settings files of shells, languages and build tools. */
const DECIDES = matchOneOf(`
  .*PATH PATHEXT HOME USERPROFILE USER LOGNAME SHELL COMSPEC TMPDIR TEMP TMP IFS ENV BASH.*
  SHELLOPTS ZDOTDIR LANG LANGUAGE LC_.* TZ CI EDITOR VISUAL PAGER XDG_.* .*_HOME .*_ROOT .*_OPTIONS
  .*OPTS? .*FLAGS NODE.* NPM.* npm_.* YARN.* PNPM.* BUN.* DENO.* NVM.* LD_.* DYLD_.* GIT_.* PYTHON.*
  PY.* PIP_.* VIRTUAL_ENV CONDA.* RUBY.* GEM_.* BUNDLE_.* PERL.* JAVA.* GO.* CARGO.* RUST.* MAKE.*
  CC CXX LINKER PHP.* DOTNET.*
`);
const SECRET = /TOKEN|SECRET|PASS|AUTH|KEY|CREDENTIAL/i;

const texts: Shape<Readonly<Record<string, string>>> = (value): value is Record<string, string> =>
  isRecord(value) && Object.values(value).every(text);
const kept = record({ values: texts, hashes: texts });
type KeptEnvironment = Infer<typeof kept>;

const difference = record({ name: text, how: oneOf('changed', 'new', 'gone') });
export type VariableDifference = Infer<typeof difference>;
const differences = list(difference);

/**
 * When a person gives a session the loop. A driver that starts its agent itself has an environment that no
 * agent changes.
 */
export function keepEnvironment({ blobs, loop }: OpenLoop, runtime: Runtime): void {
  if (loop().driver !== 'hook') return;
  const env = byTheirNames(runtime.env, process.platform);
  const values: Record<string, string> = {};
  const hashes: Record<string, string> = {};
  for (const name of lastingNames(Object.keys(env))) {
    const value = env[name];
    if (value === undefined) continue;
    if (DECIDES.test(name) && !SECRET.test(name)) values[name] = value;
    else hashes[name] = hash(value);
  }
  blobs.write(ENVIRONMENT_FILE, JSON.stringify({ values, hashes } satisfies KeptEnvironment));
  blobs.remove(DIFFERENCE);
}

/**
 * Takes the environment of the start back, for this process and all that it starts. It judges one stop, and
 * ends.
 */
export function restoreEnvironment(open: OpenLoop, runtime: Runtime): void {
  const [{ blobs, loop }, { env, log }] = [open, runtime];
  if (loop().driver !== 'hook') return;
  const start = readAs(kept, () => blobs.read(ENVIRONMENT_FILE));
  if (start === null) return keepEnvironment(open, runtime);
  const found = differencesBetween(start, byTheirNames(env, process.platform));
  if (found.length === 0) return blobs.remove(DIFFERENCE);
  if (env === process.env)
    for (const { name } of found) {
      const value = start.values[name];
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  blobs.write(DIFFERENCE, JSON.stringify(found));
  log(
    `loop=${loop().id} environment as at the start: ` +
      `${found.map(({ name, how }) => `${name} ${how}`).join(', ')}`,
  );
}

export function readVariableDifferences(blobs: Blobs): readonly VariableDifference[] {
  return readAs(differences, () => blobs.read(DIFFERENCE)) ?? [];
}

/** A person accepts it: what the next stop finds is the environment from then on. */
export function forgetEnvironment(blobs: Blobs): void {
  blobs.remove(ENVIRONMENT_FILE);
  blobs.remove(DIFFERENCE);
}

/** On Windows `Path` and `PATH` are one variable, and each shell writes it in its own way. */
export function byTheirNames(env: Runtime['env'], platform: string): Runtime['env'] {
  if (platform !== 'win32') return env;
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name.toUpperCase(), value]));
}

function differencesBetween({ values, hashes }: KeptEnvironment, env: Runtime['env']): VariableDifference[] {
  const names = lastingNames([...new Set([...Object.keys(env), ...Object.keys(values)])]);
  return names.flatMap((name): VariableDifference[] => {
    const now = env[name];
    const then = values[name];
    if (now === undefined) return then === undefined ? [] : [{ name, how: 'gone' }];
    if (then === undefined && hashes[name] === undefined) return [{ name, how: 'new' }];
    return now === then || hash(now) === hashes[name] ? [] : [{ name, how: 'changed' }];
  });
}

/** Without those that differ from call to call. */
function lastingNames(names: readonly string[]): string[] {
  return names.filter((name) => !isOfHost(name) && !PRESENT.test(name));
}
