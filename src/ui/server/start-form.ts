/** The form of the page, as the request of a run. */
import { refuse, type Granted } from '../../core/refusal.ts';
import { flag, list, record, text, type Infer } from '../../core/shape.ts';
import { parseRunWords } from '../../flags/run-request.ts';
import type { BeginRun } from '../../operations/begin/run.ts';

/** What the form sends. An empty field is left out. */
const form = record({
  project: text,
  prompt: text,
  checks: list(text),
  measures: list(text),
  keep: list(text),
  targets: list(text),
  promise: text,
  features: text,
  iterations: text,
  cost: text,
  time: text,
  model: text,
  tools: text,
  permissions: text,
  protect: text,
  worktree: flag,
  commit: flag,
});
export type StartForm = Infer<typeof form>;

type FormRead = Granted<Pick<BeginRun, 'project' | 'request' | 'plan' | 'worktree'>>;

/** `projects`: where the page may start a loop. It can't name any other folder. `modes`: permission modes of the host. */
export function readForm(value: unknown, projects: readonly string[], modes: readonly string[]): FormRead {
  if (!form(value)) return refuse('bad-form', 'The form is not complete.', 'Reload the page, and try again.');
  const { project, prompt, worktree, commit } = value;
  if (!projects.includes(project))
    return refuse('unknown-project', 'The page can’t start a loop there.', 'Start dacapo ui in that folder.');
  if (prompt.trim() === '') return refuse('no-prompt', 'The task is empty.', 'Say what the agent is to do.');
  const given = valuesOf(value);
  // A value that looks like a flag would be read as one, and could reach the host.
  const odd = given.find(([, one]) => one.startsWith('-'));
  if (odd !== undefined)
    return refuse('odd-value', `${odd[0]} can’t begin with a dash.`, 'Start such a loop in a terminal.');
  const read = parseRunWords([...given.flat(), ...(commit ? ['--commit'] : [])], prompt, modes);
  return read.ok ? { ok: true, project, ...read.value, worktree: worktree ? { setup: null } : null } : read;
}

const each = (flag: string, values: readonly string[]) => values.map((one): [string, string] => [flag, one]);

function valuesOf(value: StartForm): [string, string][] {
  const pairs: [string, string][] = [
    ...each('--check', value.checks),
    ...each('--measure', value.measures),
    ...each('--keep', value.keep),
    ...each('--target', value.targets),
    ['--completion-promise', value.promise],
    ['--features', value.features],
    ['--max-iterations', value.iterations],
    ['--max-cost', value.cost.replace(/^\s*\$/, '')],
    ['--timeout', value.time],
    ['--model', value.model],
    ['--allowed-tools', value.tools],
    ['--permission-mode', value.permissions],
    ['--protect', value.protect],
  ];
  return pairs.map(([flag, one]): [string, string] => [flag, one.trim()]).filter(([, one]) => one !== '');
}
