/** Starts a loop: the server runs `dacapo run` in the project, and it goes on when this page is closed. */
import { useState } from 'preact/hooks';
import type { ComponentChildren, JSX } from 'preact';
import type { StartForm } from '../../wire.ts';
import { act, isBusy } from '../data/act.ts';
import { Icon } from '../parts/icons.tsx';
import { go } from '../data/route.ts';
import { overview } from '../data/state.ts';

const PATH = '/api/loops';

export function StartView(): JSX.Element {
  const projects = overview.value?.projects ?? [];
  const [form, setForm] = useState<StartForm>({
    project: projects[0] ?? '',
    prompt: '',
    checks: [],
    promise: '',
    features: '',
    iterations: '20',
    cost: '5',
    time: '1h',
    model: '',
    tools: '',
    permissions: '',
    protect: '',
    worktree: false,
    commit: false,
  });
  const put = (part: Partial<StartForm>) => setForm({ ...form, ...part });
  const text = (
    name: 'promise' | 'features' | 'iterations' | 'cost' | 'time' | 'model' | 'tools' | 'protect',
  ) => ({
    id: `start-${name}`,
    class: 'field',
    value: form[name],
    onInput: (event: { readonly currentTarget: HTMLInputElement }) =>
      put({ [name]: event.currentTarget.value }),
  });
  const start = async () => {
    const done = await act(PATH, form);
    if (done?.card) go({ is: 'loop', id: done.card.id, tab: 'agent' });
  };
  return (
    <>
      <h1>New loop</h1>
      <form
        class="stack form"
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        <Field name="prompt" label="Task" hint="What the agent is to do. It gets this in every iteration.">
          <textarea
            id="start-prompt"
            class="field"
            rows={5}
            required
            placeholder="Make the parser handle nested lists. All tests must pass."
            value={form.prompt}
            onInput={(event) => put({ prompt: event.currentTarget.value })}
          />
        </Field>
        <Field
          name="project"
          label="Project"
          hint="The folder of dacapo ui, and those that had loops before."
        >
          <select
            id="start-project"
            class="field"
            value={form.project}
            onChange={(event) => put({ project: event.currentTarget.value })}
          >
            {projects.map((path) => (
              <option key={path} value={path}>
                {path}
              </option>
            ))}
          </select>
        </Field>
        <Field
          name="checks"
          label="Checks"
          hint="One command per line. The loop is done when all of them pass. Da Capo runs them itself."
        >
          <textarea
            id="start-checks"
            class="field mono"
            rows={2}
            placeholder="npm test"
            value={form.checks.join('\n')}
            onInput={(event) => put({ checks: event.currentTarget.value.split('\n') })}
          />
        </Field>
        <div class="fields">
          <Field name="iterations" label="Iterations at most">
            <input type="text" inputMode="numeric" {...text('iterations')} />
          </Field>
          <Field name="cost" label="Cost at most, in $">
            <input type="text" inputMode="decimal" {...text('cost')} />
          </Field>
          <Field name="time" label="Working time at most">
            <input type="text" {...text('time')} />
          </Field>
        </div>
        <details>
          <summary class="soft medium">More</summary>
          <div class="stack">
            <div class="fields">
              <Field name="promise" label="Promise" hint="The agent says this when it is done.">
                <input type="text" {...text('promise')} />
              </Field>
              <Field name="features" label="Feature list" hint="A file in the project.">
                <input type="text" placeholder="feature_list.json" {...text('features')} />
              </Field>
            </div>
            <div class="fields">
              <Field name="model" label="Model">
                <input type="text" {...text('model')} />
              </Field>
              <Field name="protect" label="Protected files" hint="The agent must not change these.">
                <input type="text" placeholder="tests/**" {...text('protect')} />
              </Field>
            </div>
            <Field
              name="tools"
              label="Allowed tools"
              hint="Nobody is there to answer permission prompts, so name what the agent may do."
            >
              <input type="text" placeholder="Bash(npm test)" {...text('tools')} />
            </Field>
            <Field
              name="permissions"
              label="Permission mode"
              hint="What the agent may do without being asked."
            >
              <select
                id="start-permissions"
                class="field"
                value={form.permissions}
                onChange={(event) => put({ permissions: event.currentTarget.value })}
              >
                <option value="">what is safe unattended</option>
                {overview.value?.permissionModes.map((mode) => (
                  <option key={mode} value={mode}>
                    {mode}
                  </option>
                ))}
              </select>
            </Field>
            <Tick
              id="start-worktree"
              label="In a work tree of its own"
              value={form.worktree}
              put={(worktree) => put({ worktree })}
            />
            <Tick
              id="start-commit"
              label="Commit after each iteration"
              value={form.commit}
              put={(commit) => put({ commit })}
            />
          </div>
        </details>
        <div>
          <button
            class="button primary"
            disabled={isBusy(PATH) || form.prompt.trim() === '' || projects.length === 0}
          >
            <Icon name="play" /> {isBusy(PATH) ? 'Starting …' : 'Start the loop'}
          </button>
        </div>
      </form>
    </>
  );
}

function Field({
  name,
  label,
  hint,
  children,
}: {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div>
      <label class="medium" for={`start-${name}`}>
        {label}
      </label>
      {children}
      {hint !== undefined && <p class="faint small">{hint}</p>}
    </div>
  );
}

function Tick({
  id,
  label,
  value,
  put,
}: {
  readonly id: string;
  readonly label: string;
  readonly value: boolean;
  readonly put: (value: boolean) => void;
}): JSX.Element {
  return (
    <div class="line">
      <input id={id} type="checkbox" checked={value} onChange={(event) => put(event.currentTarget.checked)} />
      <label for={id}>{label}</label>
    </div>
  );
}
