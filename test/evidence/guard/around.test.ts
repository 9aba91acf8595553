/**
 * Protected files and the guard, where a loop has more to it: frames, items, limits, a config, other views.
 */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '#hosts/port/arrival.ts';
import { configured, put as putIn, trust } from '../../engine/hearing/configured.ts';
import { DONE, Stage, toAgent, toPerson } from '../../engine/hearing/stage.ts';

const TEST = 'tests/a.test.ts';
const GOOD = 'expect(add(1, 2)).toBe(3);\n';
const PROTECT = '--protect "tests/**"';
const SLIP = 'tests/a.test.ts (changed): protected';

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
  put(TEST, GOOD);
});

function put(path: string, content: string): void {
  mkdirSync(dirname(stage.path(path)), { recursive: true });
  writeFileSync(stage.path(path), content);
}

let nth = 0;
/** Other words each time: the same words in the same chain could be the same stop. */
const itemDone = (): string => `${++nth}. Fixed.\n\n<issue-complete>DONE</issue-complete>`;

describe('while a protected file is altered', () => {
  const at = { from: { prompt: 'p2' } };

  it('an inner frame is not complete, and the one around it neither', async () => {
    await stage.start(`Outer task. ${PROTECT}`);
    await stage.command('start', 'Inner task. --nest', at);
    put(TEST, 'changed');
    expect(toAgent(await stage.stop(DONE, at))).toContain(SLIP);
    expect(stage.loop().around).toHaveLength(1);
    put(TEST, GOOD);
    await stage.stop(`Back. ${DONE}`, at);
    expect(stage.loop().around).toHaveLength(0);
    put(TEST, 'changed again');
    expect(toAgent(await stage.stop(`All. ${DONE}`, at))).toContain(SLIP);
    put(TEST, GOOD);
    await stage.stop(`Really. ${DONE}`, at);
    expect(stage.status()).toBe('completed');
  });

  it('nor where any gate of the inner frame is enough', async () => {
    await stage.start(`Outer task. ${PROTECT}`);
    await stage.command(
      'start',
      'Inner. --nest --require any --check true --completion-promise COMPLETE',
      at,
    );
    put(TEST, 'changed');
    expect(toAgent(await stage.stop(DONE, at))).toContain(SLIP);
    expect(stage.loop().around).toHaveLength(1);
  });

  it('an item is not complete', async () => {
    stage.write('alpha\nbeta\n', { file: 'todo.txt' });
    await stage.start(`Work on it. --items todo.txt ${PROTECT}`);
    put(TEST, 'changed');
    expect(toAgent(await stage.stop(itemDone()))).toContain(SLIP);
    put(TEST, GOOD);
    expect(toAgent(await stage.stop(itemDone()))).toContain('Item 2 of 2 begins: beta.');
  });

  it('a list whose last item ended undone does not end before the file is as it was', async () => {
    stage.write('alpha\n', { file: 'todo.txt' });
    await stage.start(`Work on it. --items todo.txt ${PROTECT}`);
    put(TEST, 'changed');
    const answer = await stage.stop('<promise>BLOCKED: the test is wrong</promise>');
    expect(answer.is).toBe('continue');
    expect(toAgent(answer)).toContain(SLIP);
    expect(stage.loop().around).toHaveLength(0);
    expect((await stage.stop('It is what it is.')).is).toBe('continue');
    put(TEST, GOOD);
    await stage.stop('Put back.');
    expect(stage.status()).toBe('escalated');
  });

  it('the loop gets stuck like any that stands still, and is not done', async () => {
    await stage.start(`Do it. --max-stalls 2 ${PROTECT}`);
    put(TEST, 'changed');
    const look = () => ({ queue: { offset: 0, waiting: 0 }, taken: false, toolUsed: false });
    await stage.stop(DONE, { look });
    await stage.stop(`Again. ${DONE}`, { look });
    expect(stage.status()).toBe('stuck');
  });
});

describe('what belongs to the loop as a whole', () => {
  it('is not given to an inner task', async () => {
    await stage.start('Outer task.');
    const answer = await stage.command('start', `Inner. --nest ${PROTECT}`, { from: { prompt: 'p2' } });
    expect(toPerson(answer)).toContain("--protect can't be given with --nest");
  });

  it('is told to the person of an inner task all the same', async () => {
    await stage.start(`Outer task. ${PROTECT}`);
    const answer = await stage.command('start', 'Inner. --nest', { from: { prompt: 'p2' } });
    expect(toPerson(answer)).toContain('and tests/** stays as it is');
    expect(toAgent(answer)).toContain('Do not change these protected files: tests/**.');
  });
});

describe('the guard', () => {
  const use = (tool: string, input: object): Promise<Answer> =>
    stage.tool({ tool_name: tool, tool_input: input, cwd: stage.project });
  const write = (path: string) => use('Write', { file_path: join(stage.project, path), content: 'x' });
  const bash = (command: string) => use('Bash', { command });

  it('keeps the agent from a config of any name, and from all that was trusted with it', async () => {
    stage = configured(`{ hooks: ['./gates/size.mjs'] }`, 'loop.mjs');
    putIn(stage, 'gates/size.mjs', `import './deep.mjs';\nexport default () => ({ action: 'complete' });`);
    putIn(stage, 'gates/deep.mjs', 'export {};');
    putIn(stage, 'gates/other.mjs', 'export {};');
    trust(stage, 'loop.mjs', ['gates/size.mjs', 'gates/deep.mjs']);
    await stage.start('Do it. --config loop.mjs');
    for (const path of ['loop.mjs', 'gates/size.mjs', 'gates/deep.mjs']) {
      const answer = await write(path);
      expect(answer.is).toBe('deny');
      expect(toAgent(answer)).toContain(`${path} says how your work is checked`);
    }
    for (const line of ['rm -r gates', 'rm gates/*.mjs', 'sed -i s/a/b/ gates/deep.mjs', 'echo > ./loop.mjs'])
      expect(await bash(line)).toMatchObject({ is: 'deny' });
    symlinkSync(stage.path('gates'), stage.path('link'));
    expect(await write('link/size.mjs')).toMatchObject({ is: 'deny' });
    for (const path of ['gates/other.mjs', 'src/size.mjs'])
      expect(await write(path)).toEqual({ is: 'silence' });
  });

  describe('of the list that a loop works off', () => {
    const LIST = '- [ ] alpha\n- [ ] beta\n- [ ] gamma\n';
    const edit = (old_string: string, new_string: string) =>
      use('Edit', { file_path: stage.path('todo.md'), old_string, new_string });
    beforeEach(async () => {
      put('todo.md', LIST);
      await stage.start('Work on it. --items todo.md');
    });

    it('lets nothing be taken away that has not had its turn', async () => {
      const answer = await edit('- [ ] gamma\n', '');
      expect(answer.is).toBe('deny');
      expect(toAgent(answer)).toContain('todo.md lists the items of your loop');
      expect(stage.log.at(-1)).toContain('refused items: todo.md');
      expect(await edit('[ ] beta', '[x] beta')).toMatchObject({ is: 'deny' });
      expect(await write('todo.md')).toMatchObject({ is: 'deny' });
      for (const line of ['rm todo.md', 'echo > todo.md', 'sed -i 2,3d todo.md', 'mv *.md old', 'rm -r .'])
        expect([line, (await bash(line)).is]).toEqual([line, 'deny']);
    });

    it('lets the agent tick its own item, and add others', async () => {
      expect(await edit('[ ] alpha', '[x] alpha')).toEqual({ is: 'silence' });
      expect(await edit('- [ ] gamma', '- [ ] gamma\n- [ ] $& delta')).toEqual({ is: 'silence' });
      const all = { file_path: stage.path('todo.md'), content: `${LIST}- [ ] delta\n` };
      expect(await use('Write', all)).toEqual({ is: 'silence' });
      for (const line of [
        'echo "- [ ] delta" >> todo.md',
        'echo "- [ ] delta" | tee -a todo.md',
        'cat todo.md',
      ])
        expect([line, (await bash(line)).is]).toEqual([line, 'silence']);
    });

    it('leaves it to the agent once each had its turn', async () => {
      for (const _ of LIST.trim().split('\n').slice(1)) await stage.stop(itemDone());
      expect(stage.loop().frame.item?.title).toBe('gamma');
      expect(await bash('rm todo.md')).toEqual({ is: 'silence' });
    });

    it('leaves it to the agent where it is gone or broken already', async () => {
      put('todo.md', '{');
      expect(await write('todo.md')).toEqual({ is: 'silence' });
    });
  });

  it('a list that is protected as well is protected', async () => {
    put('tests/todo.md', '- [ ] alpha\n- [ ] beta\n');
    await stage.start(`Work on it. --items tests/todo.md ${PROTECT}`);
    expect(toAgent(await bash('echo "- [ ] gamma" >> tests/todo.md'))).toContain('is protected');
  });

  it("lets the agent work in a work tree that lies in Da Capo's own folder, and nowhere else there", async () => {
    const tree = join(stage.home.dir, 'worktrees', 'one');
    mkdirSync(join(tree, 'src'), { recursive: true });
    const from = { project: tree };
    await stage.command('start', 'Do it.', { from });
    const at = (tool_name: string, tool_input: object) =>
      stage.tool({ tool_name, tool_input, cwd: tree }, { from });
    for (const file_path of ['src/a.ts', join(tree, 'new.ts')])
      expect(await at('Write', { file_path, content: 'x' })).toEqual({ is: 'silence' });
    const works = [
      'rm src/*.ts; echo x >> poem.txt',
      `node ${tree}/build.js && make`,
      `python3 -c "open('${tree}/a', 'w')"`,
    ];
    for (const command of works)
      expect([command, (await at('Bash', { command })).is]).toEqual([command, 'silence']);
    const lines = [
      `python3 -c "open('${tree}/../../trust.json', 'w')"; node ${tree}-two/a.js`,
      'rm -r ../two',
      'rm ../*',
      'echo > ../../trust.json',
      'echo > .claude/ralph-loop.local.md',
    ];
    for (const command of lines)
      expect([command, (await at('Bash', { command })).is]).toEqual([command, 'deny']);
  });

  it('leaves such files to the agent where the loop has no config', async () => {
    await stage.start('Do it.');
    expect(await write('loop.mjs')).toEqual({ is: 'silence' });
  });

  it.each(['add {}', 'disable size', '--json remove size'])(
    'keeps dacapo hooks %s for a person',
    async (what) => {
      await stage.start('Do it.');
      expect(await bash(`dacapo hooks ${what}`)).toMatchObject({ is: 'deny' });
      expect(await bash('dacapo hooks list')).toEqual({ is: 'silence' });
    },
  );

  it('keeps the agent from every view of the loop but the progress file', async () => {
    await stage.start('Do it. --view markdown,progress,vault,stack --vault Safe');
    const places = stage.loop().files.views.map(({ kind, file }) => [kind, file] as const);
    expect(places.map(([kind]) => kind).toSorted()).toEqual(['progress', 'stack', 'vault']);
    for (const [kind, file] of places) {
      expect(await write(file)).toMatchObject({ is: kind === 'progress' ? 'silence' : 'deny' });
      expect(await bash(`rm -rf ${dirname(file)}`)).toMatchObject({
        is: kind === 'progress' ? 'silence' : 'deny',
      });
    }
  });
});
