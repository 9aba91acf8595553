// Every tool and field that a host offers to its model means something to the guard. What is offered was
// recorded from the real programs (`test/e2e/hosts/tools`), so a new version fails a test, and not a user.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HOST_NAMES } from '#hosts/tables/names.ts';
import { tableOf } from '#hosts/tools/tool-tables.ts';

const FOLDER = join(import.meta.dirname, 'tool-schemas');

/** Hosts that tell a hook other names than the model. Null: a field that they do not tell. */
const TOLD: Readonly<Record<string, Readonly<Record<string, ToldTool>>>> = {
  codex: {
    // The folder is told as where the agent is.
    exec_command: {
      as: 'Bash',
      fields: {
        cmd: 'command',
        workdir: null,
        justification: null,
        login: null,
        max_output_tokens: null,
        prefix_rule: null,
        sandbox_permissions: null,
        shell: null,
        tty: null,
        yield_time_ms: null,
      },
    },
    // No hook is asked: `isTypedInto` of `Bash`, and passes of ours turn typing off.
    write_stdin: { as: null },
  },
  copilot: {
    bash: { as: 'Bash' },
    create: { as: 'Write' },
    edit: { as: 'Edit' },
    view: { as: 'Read' },
  },
};

interface ToldTool {
  readonly as: string | null;
  readonly fields?: Readonly<Record<string, string | null>>;
}

const offered = HOST_NAMES.flatMap(({ name: host }) =>
  readFileSync(join(FOLDER, `${host}.txt`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [tool = '', fields = ''] = line.split(':');
      return { host, tool, fields: fields.split(' ').filter(Boolean) };
    }),
);

describe('the tables of tools', () => {
  it('have a recording for each host', () => {
    expect(readdirSync(FOLDER).toSorted()).toEqual(HOST_NAMES.map(({ name }) => `${name}.txt`).toSorted());
  });

  it.each(offered)('know $host $tool with all its fields', ({ host, tool, fields }) => {
    const { as = tool, fields: told = {} } = TOLD[host]?.[tool] ?? {};
    if (as === null) return;
    const { acting, looking } = tableOf(host);
    const known = acting.get(as)?.fields;
    const heard = fields.flatMap((field) => (Object.hasOwn(told, field) ? (told[field] ?? []) : [field]));
    const unclassified = known === undefined ? [as].filter((one) => !looking.has(one)) : heard;
    expect(unclassified.filter((name) => known?.has(name) !== true)).toEqual([]);
  });

  it.each(HOST_NAMES)('say of no tool of $name both that it acts and that it looks', ({ name }) => {
    const { acting, looking } = tableOf(name);
    expect([...acting.keys()].filter((tool) => looking.has(tool))).toEqual([]);
  });
});
