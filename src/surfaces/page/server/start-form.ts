/** The form of the page, as the request of a run. */
import { refuse, type Granted } from '#base/refusal.ts';
import { flag, isRecord, record, text, type Infer } from '#base/shape.ts';
import { readRunFlags } from '#input/run-request.ts';
import type { BeginRun } from '#engine/begin/run.ts';

/** What the form sends. `flags`: by name, with a value per line. An empty one is left out. */
const form = record({ project: text, prompt: text, flags: isTexts, worktree: flag, commit: flag });
export type StartForm = Infer<typeof form>;

/** Those that the form offers. Others could reach more of the machine. */
const OFFERED =
  `--check --measure --keep --target --completion-promise --features --max-iterations --max-cost --timeout
  --model --allowed-tools --permission-mode --protect`.split(/\s+/);

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isRecord(value) && Object.values(value).every(text);
}

type FormRead = Granted<Pick<BeginRun, 'project' | 'request' | 'plan' | 'worktree'>>;

/**
 * `projects`: where the page may start a loop. It can't name any other folder. `modes`: permission modes of
 * the host.
 */
export function readForm(value: unknown, projects: readonly string[], modes: readonly string[]): FormRead {
  if (!form(value)) return refuse('bad-form', 'The form is not complete.', 'Reload the page, and try again.');
  const { project, prompt, flags, worktree, commit } = value;
  if (!projects.includes(project))
    return refuse('unknown-project', 'The page can’t start a loop there.', 'Start dacapo ui in that folder.');
  if (prompt.trim() === '') return refuse('no-prompt', 'The task is empty.', 'Say what the agent is to do.');
  const given = Object.entries(flags).flatMap(([name, lines]): [string, string[]][] => {
    const values = lines
      .split('\n')
      .map((line) => line.trim().replace(name === '--max-cost' ? /^\$/ : '', ''))
      .filter(Boolean);
    return values.length === 0 ? [] : [[name, values]];
  });
  // A value that looks like a flag could reach the host as one.
  const odd = given.find(
    ([name, values]) => !OFFERED.includes(name) || values.some((one) => one.startsWith('-')),
  );
  if (odd !== undefined)
    return refuse(
      'odd-value',
      `The form can’t take ${odd[0]} with that value.`,
      'Start such a loop in a terminal.',
    );
  const asked = new Map(given);
  if (commit) asked.set('--commit', ['']);
  const read = readRunFlags(asked, prompt, modes);
  return read.ok ? { ok: true, project, ...read.value, worktree: worktree ? { setup: null } : null } : read;
}
