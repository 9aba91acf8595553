/** Starts a loop: the server runs `dacapo run` in the project, and it goes on when this page is closed. */
import { useState } from 'preact/hooks';
import type { StartForm } from '#surfaces/page/wire.ts';
import { instead } from '../parts/parts.tsx';
import { postAction, isBusy } from '../parts/toasts.tsx';
import { Icon } from '../parts/icons.tsx';
import { go } from '../data/route.ts';
import { overview } from '../data/state.ts';

const PATH = '/api/loops';
/** By flag, as first shown. The server takes a value per line. */
const FLAGS = { '--max-iterations': '20', '--max-cost': '5', '--timeout': '1h' };
type Texts = Readonly<Record<'prompt' | 'project' | `--${string}`, string>>;

/** `rows`: for a text of several lines. */
interface FieldOptions {
  readonly hint?: string;
  readonly placeholder?: string;
  readonly rows?: number;
  readonly choices?: readonly (readonly [value: string, words: string])[];
}

export function StartView() {
  const { projects = [], permissionModes = [] } = overview.value ?? {};
  const [texts, setTexts] = useState<Texts>({ prompt: '', project: projects[0] ?? '', ...FLAGS });
  const [ticks, setTicks] = useState({ worktree: false, commit: false });
  const start = async () => {
    const { prompt, project, ...flags } = texts;
    const order: StartForm = { prompt, project, flags, ...ticks };
    const done = await postAction(PATH, order);
    if (done?.card) go({ is: 'loop', id: done.card.id, tab: 'agent' });
  };
  const field = (name: keyof Texts, label: string, more: FieldOptions = {}) => {
    const { hint, placeholder, rows, choices } = more;
    const shared = {
      id: `start-${name.replace(/^--/, '')}`,
      class: 'field',
      value: texts[name] ?? '',
      onInput: ({ currentTarget: { value } }: { readonly currentTarget: { readonly value: string } }) =>
        setTexts({ ...texts, [name]: value }),
    };
    return (
      <div>
        <label class="medium" for={shared.id}>
          {label}
        </label>
        {choices !== undefined ? (
          <select {...shared}>
            {choices.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        ) : rows !== undefined ? (
          <textarea {...shared} rows={rows} required={name === 'prompt'} placeholder={placeholder} />
        ) : (
          <input
            {...shared}
            inputMode={name.startsWith('--max-') ? 'decimal' : 'text'}
            placeholder={placeholder}
          />
        )}
        {hint !== undefined && <p class="faint small">{hint}</p>}
      </div>
    );
  };
  const tick = (name: 'worktree' | 'commit', label: string) => (
    <label class="line">
      <input
        type="checkbox"
        checked={ticks[name]}
        onChange={(event) => setTicks({ ...ticks, [name]: event.currentTarget.checked })}
      />
      {label}
    </label>
  );
  return (
    <>
      <h1>New loop</h1>
      <form class="stack form" onSubmit={instead(start)}>
        {field('prompt', 'Task', {
          hint: 'What the agent is to do. It gets this in every iteration.',
          placeholder: 'Make the parser handle nested lists. All tests must pass.',
          rows: 5,
        })}
        {field('project', 'Project', {
          hint: 'The folder of dacapo ui, and those that had loops before.',
          choices: projects.map((path) => [path, path]),
        })}
        {field('--check', 'Checks', {
          hint: 'One command per line. The loop is done when all of them pass. Da Capo runs them itself.',
          placeholder: 'npm test',
          rows: 2,
        })}
        <div class="fields">
          {field('--max-iterations', 'Iterations at most')}
          {field('--max-cost', 'Cost at most, in $')}
          {field('--timeout', 'Working time at most')}
        </div>
        <details>
          <summary class="soft medium">More</summary>
          <div class="stack">
            <div class="fields">
              {field('--completion-promise', 'Promise', { hint: 'The agent says this when it is done.' })}
              {field('--features', 'Feature list', {
                hint: 'A file in the project.',
                placeholder: 'feature_list.json',
              })}
            </div>
            {field('--measure', 'Measures', {
              hint: 'One per line: a name, and a command that prints a number. Told at each stop.',
              placeholder: 'tests=npm test | grep -c ok',
              rows: 2,
            })}
            <div class="fields">
              {field('--keep', 'Measures to keep', {
                hint: 'One name per line. Done only while they are not below their first value.',
                placeholder: 'tests',
                rows: 2,
              })}
              {field('--target', 'Measures to reach', {
                hint: 'One per line. Done only when they are reached.',
                placeholder: 'failures<=0',
                rows: 2,
              })}
            </div>
            <div class="fields">
              {field('--model', 'Model')}
              {field('--protect', 'Protected files', {
                hint: 'The agent must not change these.',
                placeholder: 'tests/**',
              })}
            </div>
            {field('--allowed-tools', 'Allowed tools', {
              hint: 'Nobody is there to answer permission prompts, so name what the agent may do.',
              placeholder: 'Bash(npm test)',
            })}
            {field('--permission-mode', 'Permission mode', {
              hint: 'What the agent may do without being asked.',
              choices: [
                ['', 'what is safe unattended'],
                ...permissionModes.map((mode) => [mode, mode] as const),
              ],
            })}
            {tick('worktree', 'In a work tree of its own')}
            {tick('commit', 'Commit after each iteration')}
          </div>
        </details>
        <div>
          <button
            class="button primary"
            disabled={isBusy(PATH) || texts.prompt.trim() === '' || projects.length === 0}
          >
            <Icon name="play" /> {isBusy(PATH) ? 'Starting …' : 'Start the loop'}
          </button>
        </div>
      </form>
    </>
  );
}
