// A call that is read in part: a second path, a field that nobody has classified, a folder of its own (U8,
// U9).
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '#hosts/port/arrival.ts';
import { HOST_NAMES } from '#hosts/tables/names.ts';
import type { KnownTool } from '#hosts/tools/tool-fields.ts';
import { tableOf } from '#hosts/tools/tool-tables.ts';
import { openRequests } from '#engine/requests/answer.ts';
import { Stage, toAgent } from '../../engine/hearing/stage.ts';

const PROTECT = 'Make it pass --protect "tests/**"';
const APPROVE = 'Make it pass --approve "shell(git push *)" --approve starter';

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
  mkdirSync(stage.path('tests'));
  writeFileSync(stage.path('tests/x.sh'), 'exit 1\n');
});

type Input = Readonly<Record<string, unknown>>;

async function use(host: string, tool: string, input: unknown, cwd = stage.project): Promise<Answer> {
  return stage.tool({ tool_name: tool, tool_input: input, cwd }, { from: { host } });
}

const actingTools = HOST_NAMES.flatMap(({ name: host }) =>
  Array.from(tableOf(host).acting, ([tool, known]) => ({ host, tool, known })),
);

function fieldFor(known: KnownTool, wanted: string): string {
  return [...known.fields].find(([, use]) => use === wanted)?.[0] ?? '';
}

const patch = (path: string) => `*** Begin Patch\n*** Update File: ${path}\n-a\n+b\n*** End Patch`;

/** An honest call that writes this file. */
function callFor(known: KnownTool, path: string): Input {
  if (known.does === 'shell') return { [fieldFor(known, 'command')]: `echo x > ${path}` };
  const field = fieldFor(known, 'path');
  return field === '' ? { [fieldFor(known, 'patch')]: patch(path) } : { [field]: path };
}

describe('beside protected files', () => {
  beforeEach(() => stage.start(PROTECT));

  it.each(actingTools)('$host $tool writes them not, and the rest it does', async ({ host, tool, known }) => {
    expect((await use(host, tool, callFor(known, 'tests/x.sh'))).is).toBe('deny');
    expect((await use(host, tool, callFor(known, 'src/x.ts'))).is).toBe('silence');
  });

  it.each(actingTools)('$host $tool with a second path is refused', async ({ host, tool, known }) => {
    for (const second of ['path', 'file_path', 'filePath', 'target', 'notebook_path', 'output']) {
      if (known.fields.has(second)) continue;
      const call = { ...callFor(known, 'tests/x.sh'), [second]: 'src/x.ts' };
      const swapped = { ...callFor(known, 'src/x.ts'), [second]: 'tests/x.sh' };
      for (const input of [call, swapped]) {
        const answer = await use(host, tool, input);
        expect(toAgent(answer)).toContain(`this call of ${tool} has fields that Da Capo does not know`);
      }
    }
  });

  it.each([
    ['qwen', 'run_shell_command', 'directory'],
    ['qwen', 'monitor', 'directory'],
    ['gemini', 'run_shell_command', 'dir_path'],
    ['opencode', 'bash', 'workdir'],
  ])('%s %s is judged in its %s', async (host, tool, folder) => {
    const inTests = { command: 'echo exit 0 > x.sh', [folder]: stage.path('tests') };
    expect((await use(host, tool, inTests)).is).toBe('deny');
    expect((await use(host, tool, { ...inTests, [folder]: 'tests' })).is).toBe('deny');
    expect((await use(host, tool, { command: 'echo exit 0 > x.sh' })).is).toBe('silence');
    expect((await use(host, tool, { ...inTests, [folder]: '~/x' })).is).toBe('deny');
    expect((await use(host, tool, { ...inTests, [folder]: ['tests'] })).is).toBe('deny');
  });

  it('Codex tells the folder of a command as where the agent is', async () => {
    expect((await use('codex', 'Bash', { command: 'echo > x.sh' }, stage.path('tests'))).is).toBe('deny');
  });

  it.each([
    '@tests/x.sh',
    ' tests/x.sh',
    'tests/x.sh ',
    'tests\\/x.sh',
    './tests/../tests/x.sh',
    '@./tests/x.sh',
  ])('pi does not write %j, which is a protected file to some hosts', async (path) => {
    expect((await use('pi', 'write', { path, content: 'exit 0' })).is).toBe('deny');
  });

  it.each([
    'sh',
    'bash -i',
    'cd src && bash',
    'exec sh',
    'env A=1 zsh',
    'python3',
    'node -i',
    '/bin/sh -l',
    'vi x',
  ])('Codex starts no shell into which it could type unseen: %s', async (command) => {
    expect(toAgent(await use('codex', 'Bash', { command }))).toContain('into which commands are typed');
    expect((await use('claude-code', 'Bash', { command })).is).toBe('silence');
  });

  it.each([
    'sh run.sh',
    'bash -c "npm test"',
    'node --test',
    'python3 -m pytest -s',
    'node a.js -i',
    'bash --version',
  ])('Codex runs %s', async (command) =>
    expect((await use('codex', 'Bash', { command })).is).toBe('silence'),
  );

  it('a tool that nobody has classified names no protected file', async () => {
    for (const input of [{ where: 'tests/x.sh' }, { at: { deep: ['tests', 'x.sh'] } }, 'tests/x.sh'])
      expect((await use('pi', 'patch_file', input)).is).toBe('deny');
    expect((await use('pi', 'patch_file', { where: 'src/x.ts' })).is).toBe('silence');
  });
});

it('without protected files, an unknown call still names nothing of the loop itself', async () => {
  await stage.start('Make it pass');
  const home = join(stage.home.dir, 'trust.json');
  expect((await use('pi', 'write', { path: 'a.txt', file_path: home, content: '' })).is).toBe('deny');
  expect((await use('pi', 'write', { path: 'a.txt', file_path: 'b.txt', content: '' })).is).toBe('silence');
});

describe('where calls need approvals', () => {
  beforeEach(() => stage.start(APPROVE));
  const asked = () => openRequests(null, stage.runtime()).map(({ what }) => what);

  it.each([
    ['qwen', 'run_shell_command', { command: 'git push', directory: '/srv/everything' }],
    ['gemini', 'run_shell_command', { command: 'git push', dir_path: '/srv/everything' }],
    ['opencode', 'bash', { command: 'git push', workdir: '/srv/everything' }],
  ])('%s %s shows the folder in which it runs', async (host, tool, input) => {
    expect((await use(host, tool, input)).is).toBe('deny');
    expect(asked()).toEqual([`${tool} (in /srv/everything): git push`]);
  });

  it('shows the folder where it is the project, too', async () => {
    await use('claude-code', 'Bash', { command: 'git push' });
    expect(asked()).toEqual([`Bash (in ${stage.project}): git push`]);
  });

  it('"delete outside" knows the folder of the call', async () => {
    const remove = { command: 'rm -rf build', workdir: '/srv/everything' };
    expect((await use('opencode', 'bash', remove)).is).toBe('deny');
    expect(asked()).toEqual(['bash (in /srv/everything): rm -rf build']);
    expect((await use('opencode', 'bash', { command: 'rm -rf build' })).is).toBe('silence');
  });

  it.each([
    ['opencode', 'bash', { command: 'ls', env: { PATH: '/opt/other' } }],
    ['pi', 'write', { path: 'a.txt', file_path: 'b.txt', content: '' }],
    ['pi', 'deploy', { target: 'production' }],
    ['copilot', 'Edit', { path: 'a', old_str: 'a', new_str: 'b', file_path: 'b' }],
  ])('%s %s %j is unknown: a person sees all of it', async (host, tool, input) => {
    expect((await use(host, tool, input)).is).toBe('deny');
    const [what = ''] = asked();
    expect(what).toContain(`${tool} (in ${stage.project}): {`);
    for (const [field, value] of Object.entries(input))
      expect(what).toContain(`"${field}":${JSON.stringify(value)}`);
  });

  it('an approval in one folder is none for another, however the folder is spelled', async () => {
    await use('opencode', 'bash', { command: 'git push', workdir: 'a' });
    await use('opencode', 'bash', { command: 'git push', workdir: 'b' });
    await use('opencode', 'bash', { command: 'git push', workdir: './a', timeout: 5 });
    expect(asked()).toHaveLength(2);
  });

  it('Codex asks before it starts a shell into which it could type', async () => {
    expect((await use('codex', 'Bash', { command: 'sh' })).is).toBe('deny');
    expect((await use('codex', 'Bash', { command: 'npm test' })).is).toBe('silence');
  });
});

describe('any call', () => {
  const names = [...new Set(actingTools.flatMap(({ known }) => [...known.fields.keys()]))];
  const value = fc.oneof(
    fc.constantFrom('src/a.ts', 'tests', 'a b', '', '~', 'x.txt'),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(fc.string(), { maxLength: 2 }),
  );
  const more = fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string({ maxLength: 8 })), value, {
    maxKeys: 4,
  });

  it('that writes a protected file is never harmless, whatever else it holds', async () => {
    await stage.start(PROTECT);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...actingTools), more, async ({ host, tool, known }, extra) => {
        const call = callFor(known, stage.path('tests/x.sh'));
        const answer = await use(host, tool, { ...extra, ...call });
        expect(answer.is).toBe('deny');
      }),
      { numRuns: 300 },
    );
  });

  it('of fields that are all known, with one path of the work, is let through', async () => {
    await stage.start(PROTECT);
    const manners = actingTools.map((one) => ({
      ...one,
      harmless: [...one.known.fields].filter(([, use]) => use === 'label' || use === 'manner'),
    }));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...manners), fc.string(), async (one, text) => {
        const extra = Object.fromEntries(one.harmless.map(([name]) => [name, text]));
        const answer = await use(one.host, one.tool, { ...extra, ...callFor(one.known, 'src/x.ts') });
        expect(answer.is).toBe('silence');
      }),
      { numRuns: 100 },
    );
  });
});
