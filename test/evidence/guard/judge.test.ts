/** The agent must not be able to finish a loop by editing Da Capo's own files or its checks. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Event, EventOf } from '#law/record/events.ts';
import { acceptChanges } from '#evidence/guard/changed.ts';
import type { Answer } from '#hosts/port/arrival.ts';
import { homeAt } from '#store/file/home.ts';
import { fileStore } from '#store/file/store.ts';
import { verdict } from '../../law/given.ts';
import { cpuMs } from '../../cpu.ts';
import { DONE, Stage, toAgent, toPerson } from '../../engine/hearing/stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
  put('tests/a.test.ts', 'expect(add(1, 2)).toBe(3);\n');
  put('tests/deep/b.test.ts', 'expect(true).toBe(true);\n');
  put('src/add.ts', 'export const add = () => 0;\n');
});

function put(path: string, content: string): void {
  mkdirSync(dirname(stage.path(path)), { recursive: true });
  writeFileSync(stage.path(path), content);
}

async function use(
  tool: string,
  input: Record<string, unknown>,
  more: Record<string, unknown> = {},
): Promise<Answer> {
  const use = { tool_name: tool, tool_input: input, cwd: stage.project, ...more };
  return stage.tool(use);
}

const write = (path: string, content = 'x') =>
  use('Write', { file_path: join(stage.project, path), content });
const bash = (command: string, more: Record<string, unknown> = {}) => use('Bash', { command }, more);
const PROTECT = 'Make it pass --protect "tests/**" --protect "!tests/tmp/**"';

describe('the guard', () => {
  it('says nothing in a session without a loop, whatever is written', async () => {
    expect(await write('.claude/ralph-loop.local.md')).toEqual({ is: 'silence' });
    expect(await bash(`rm -rf ${stage.home.dir}`)).toEqual({ is: 'silence' });
  });

  it('refuses the whole state of a worker to its passes, whose own state is inside', async () => {
    const outer = mkdtempSync(join(tmpdir(), 'dacapo-worker-'));
    onTestFinished(() => rmSync(outer, { recursive: true, force: true }));
    stage = new Stage(fileStore(homeAt(join(outer, 'fleet/workers/w1/home'))));
    await stage.start(PROTECT);
    for (const path of [
      'config.json',
      'trust.json',
      'fleet.json',
      'cache/x.bin',
      'fleet/mirrors/a.git/config',
      'fleet/workers/w1/trees/OTHER/src/a.ts',
      'fleet/workers/w1/home/loops/OTHER/journal.jsonl',
      'fleet/workers/w2/home/config.json',
    ]) {
      const file = join(outer, path);
      expect({ path, ...(await use('Write', { file_path: file, content: 'x' })) }).toMatchObject({
        path,
        is: 'deny',
      });
      expect({ path, ...(await bash(`echo x > ${file}`)) }).toMatchObject({ path, is: 'deny' });
    }
    expect(await bash(`rm -rf ${outer}`)).toMatchObject({ is: 'deny' });
    expect(await write('src/add.ts')).toEqual({ is: 'silence' });
    // The home that the worker has made for this loop, and that of another one.
    const homes = join(outer, 'fleet/workers/w1/homes');
    expect(await bash(`echo x > ${homes}/${stage.loop().id}/.npmrc`)).toEqual({ is: 'silence' });
    for (const path of [`${homes}/OTHER/.npmrc`, `${homes}/${stage.loop().id}.lent`])
      expect(await bash(`echo x > ${path}`)).toMatchObject({ is: 'deny' });
    expect(await bash(`echo x > ${outer}-beside`)).toEqual({ is: 'silence' });
  });

  it('refuses a protected file, and says what to do instead', async () => {
    await stage.start(PROTECT);
    const answer = await write('tests/a.test.ts');
    expect(answer.is).toBe('deny');
    expect(toAgent(answer)).toContain('tests/a.test.ts is protected (--protect tests/**, !tests/tmp/**)');
    expect(toAgent(answer)).toContain('Make the code pass the test instead of changing the test.');
    expect(toAgent(answer)).toContain('<promise>BLOCKED: why</promise>');
    expect(stage.log.at(-1)).toContain('refused protected: tests/a.test.ts');
  });

  it.each([
    ['Edit', 'file_path'],
    ['MultiEdit', 'file_path'],
    ['NotebookEdit', 'notebook_path'],
  ])('also by %s', async (tool, key) => {
    await stage.start(PROTECT);
    expect(await use(tool, { [key]: join(stage.project, 'tests/new.ipynb') })).toMatchObject({ is: 'deny' });
  });

  it('lets the work itself pass, and what was taken back', async () => {
    await stage.start(PROTECT);
    for (const path of ['src/add.ts', 'tests/tmp/x', 'feature_list.json', 'progress.txt', 'src/tests.ts'])
      expect(await write(path)).toEqual({ is: 'silence' });
  });

  it('is quick with a line that names thousands of files, and with paths that no system opens', async () => {
    for (let i = 0; i < 500; i++) put(`tests/many/${i}.test.ts`, '');
    await stage.start(PROTECT);
    const names = Array.from({ length: 5_000 }, (_, i) => `src/some/where/${i}.ts`).join(' ');
    const took = await cpuMs(async () => {
      expect(await bash(`rm ${names}`)).toEqual({ is: 'silence' });
      expect(await bash(`rm ${names} tests/many/7.test.ts`)).toMatchObject({ is: 'deny' });
      expect(toAgent(await bash(`rm ${names.replaceAll('.ts', '*.ts')}`))).toContain('too long to be judged');
      expect(await bash(`echo > ${'a/'.repeat(50_000)}`)).toEqual({ is: 'silence' });
      expect(await write('a/'.repeat(500_000))).toEqual({ is: 'silence' });
    });
    expect(took).toBeLessThan(5_000);
  });

  it('is quick with what a program is given, however long', async () => {
    await stage.start(PROTECT);
    const most = 127 * 1024;
    const took = await cpuMs(async () => {
      expect(await bash(`python3 ${'a/b '.repeat(most / 4)}`)).toEqual({ is: 'silence' });
      expect(await bash(`make ${Array.from({ length: 10_000 }, (_, i) => `x/${i}`).join(' ')}`)).toEqual({
        is: 'silence',
      });
      expect(await bash(`sh -c '${'ralph-loop'.repeat(most / 10)}'`)).toEqual({ is: 'silence' });
      expect(await bash(`sh -c '${stage.home.dir.slice(0, -1).repeat(1_000)}'`)).toEqual({ is: 'silence' });
      expect(await bash(`sh -c '${'DACAPO_HOME='.repeat(most / 12)}'`)).toEqual({ is: 'silence' });
      expect(await bash('cd a;python3 b;'.repeat(most / 15))).toEqual({ is: 'silence' });
      expect(await bash('a b|xargs c|'.repeat(most / 12))).toEqual({ is: 'silence' });
    });
    expect(took).toBeLessThan(5_000);
  });

  it('follows a link on the way to a file that is yet to be made', async () => {
    await stage.start(PROTECT);
    symlinkSync(stage.path('tests'), stage.path('elsewhere'));
    expect(await bash('touch src/x elsewhere/deep/er/new.ts')).toMatchObject({ is: 'deny' });
  });

  it("refuses Da Capo's own files, by tool and by shell", async () => {
    await stage.start('Do it');
    const journal = join(stage.dir(), 'journal.jsonl');
    const answer = await use('Edit', { file_path: journal });
    expect(toAgent(answer)).toContain('belongs to its own record of your loop');
    expect(await bash(`echo x >> ${journal}`)).toMatchObject({ is: 'deny' });
    expect(await bash(`cat ${journal}`)).toEqual({ is: 'silence' });
  });

  it.each([
    '.claude/ralph-loop.local.md',
    '.claude/ralph-loop.RALPH_20260101_abc123.local.md',
    '.claude/idle-loop.local.md',
    '.claude/idle-loop.RALPH_20260101_abc123.local.md',
    'AI_Employee_Vault/Ralph_State/RALPH_20260101_abc123.json',
    'dacapo.config.ts',
  ])('refuses what defines the loop: %s', async (path) => {
    await stage.start('Do it');
    expect(await write(path)).toMatchObject({ is: 'deny' });
    expect(await bash(`rm ${path}`)).toMatchObject({ is: 'deny' });
  });

  it('is not led around by `..`, links or the working directory', async () => {
    await stage.start(PROTECT);
    symlinkSync(stage.path('tests'), stage.path('link'));
    expect(await write('src/../tests/a.test.ts')).toMatchObject({ is: 'deny' });
    expect(await write('link/new/er.test.ts')).toMatchObject({ is: 'deny' });
    expect(await use('Write', { file_path: 'a.test.ts' }, { cwd: stage.path('tests') })).toMatchObject({
      is: 'deny',
    });
    expect(await bash('rm a.test.ts', { cwd: stage.path('tests') })).toMatchObject({ is: 'deny' });
    symlinkSync(stage.home.dir, stage.path('state'));
    expect(await write('state/hook.log')).toMatchObject({ is: 'deny' });
  });

  it.each([
    "sed -i 's/3/0/' tests/a.test.ts",
    'rm -rf tests',
    'rm tests/*.ts',
    'rm tests/{a,z}.test.ts',
    'mv tests /tmp/elsewhere',
    'cd tests && echo > a.test.ts',
    'git checkout HEAD~3 -- tests/a.test.ts',
    'cp src/add.ts tests/',
    'dacapo trust',
    'dacapo resume --accept-changes',
    'rm -rf .claude',
    'rm -rf "$CLAUDE_PROJECT_DIR/.claude"',
    'for f in tests/*.ts; do sed -i s/3/0/ "$f"; done',
    'D=$(cd src && pwd); rm tests/a.test.ts',
    'git checkout -- .',
    'git checkout HEAD~3 -- tests',
    'git restore --source=HEAD~3 .',
    "git checkout HEAD~3 -- 'tests/*'",
    'git stash push -- tests',
    'git clean -fd tests',
    'git clean -fdx',
    'git stash --all',
  ])('refuses %s', async (line) => {
    await stage.start(PROTECT);
    expect(await bash(line)).toMatchObject({ is: 'deny' });
  });

  it.each([
    'npm test',
    'npx vitest run tests/a.test.ts',
    'cat tests/a.test.ts | grep expect',
    'cp tests/a.test.ts /tmp/copy.ts',
    'git add -A && git commit -m "rm tests/a.test.ts"',
    'git checkout -b feature',
    'rm src/*.js',
    'mv src/add.ts .',
    "find . -name '*.pyc' -delete",
    'git restore --staged tests/a.test.ts',
    "git commit -m \"$(cat <<'EOF'\n1) Don't `rm tests/a.test.ts`\nEOF\n)\"",
    'git checkout -- src',
    'git checkout tests-of-mine',
    // What comes near a protected file without its name is seen at the stop, if it did.
    'git stash',
    'git stash -u && git stash pop',
    'git reset --hard HEAD~1',
    'git clean -fd',
    'git clean -fdxn',
    'git clean -fdx -e .claude',
    'git apply /tmp/fix.diff',
    'patch -p1 < /tmp/fix.diff',
    "git apply <<'X'\n--- a/src/add.ts\n+++ b/src/add.ts\n@@ -1 +1 @@\n-x\n+y\nX",
    // To run is not to write.
    'node tests/a.test.ts',
    'python3 tests/run.py --all tests',
    'bash -c "npm test -- tests/a.test.ts" > out.txt',
    'npm test > out.txt 2>&1',
    'git add -A && git commit -m "Say what .claude/ralph-loop.local.md is for"',
    'dacapo cancel',
    'dacapo status',
  ])('lets %s pass', async (line) => {
    await stage.start(PROTECT);
    expect(await bash(line)).toEqual({ is: 'silence' });
  });

  describe('of a line that is more than plain commands', () => {
    it.each([
      '# a note \\\nrm -rf tests',
      'echo \\\\\nrm -rf tests',
      'echo a \\\r\nrm -rf tests',
      'r\\\nm tests/a.test.ts',
      '(cd tests && rm a.test.ts)',
      'D=tests; rm -rf $D',
      'rm -rf t"es"ts/$x',
      'rm tests${x}/a.test.ts',
      'ls tests | xargs rm',
      'find tests -exec rm {} +',
      'if true; then echo > tests/a.test.ts; fi',
      'bash -c "rm -rf tests"',
      'eval rm -rf tests',
      "bash <<'X'\nrm -rf tests\nX",
      'awk \'BEGIN { print > "tests/a.test.ts" }\'',
      'for f in dacapo.config.ts; do sed -i s/a/b/ $f; done',
    ])('refuses %j, which mentions a protected file and can write', async (line) => {
      await stage.start(PROTECT);
      expect(await bash(line)).toMatchObject({ is: 'deny' });
    });

    it.each([
      'for f in tests/*.ts; do node $f; done',
      'for f in tests/*.ts; do node "$f" 2>&1; done > /dev/null | tail',
      '(cd tests && ls)',
      'if grep -q expect tests/a.test.ts; then npm test; fi',
      'find tests -name "*.ts" -exec grep expect {} +',
      'ls tests | xargs wc -l',
      'for f in src/*.ts; do sed -i s/a/b/ $f; done',
      'x=$(npm test); echo "$x" > out.txt',
      `node -e "require('./tests/a.test.ts'); [1].map(x => x)"`,
      'npx vitest run tests/a.test.ts -t "adds two numbers" > out.txt 2>&1',
      'set -euo pipefail; npx vitest run tests > out.txt',
      'CI=1 npx vitest run tests > out.txt # all tests',
      'source .venv/bin/activate && pytest tests > out.txt',
      "cat > src/README.md <<'EOF'\nrm -rf tests\nEOF",
    ])('lets %j pass', async (line) => {
      await stage.start(PROTECT);
      expect(await bash(line)).toEqual({ is: 'silence' });
    });

    it('says how an honest reader gets through', async () => {
      await stage.start(PROTECT);
      expect(toAgent(await bash('(cat tests/a.test.ts) > out.txt'))).toContain('use plain commands');
      expect(toAgent(await bash('rm tests/a.test.ts'))).not.toContain('use plain commands');
    });
  });

  describe("on Da Capo's own files, which nothing compares later", () => {
    /** @J: the journal. @D: the folder of all. */
    const own = async (line: string): Promise<Answer> => {
      await stage.start('Do it');
      const journal = join(stage.dir(), 'journal.jsonl');
      return bash(line.replaceAll('@J', journal).replaceAll('@D', stage.home.dir));
    };

    it.each([
      'echo x >> @J',
      'cat forged | tee -a @J',
      'cp forged @J',
      'rm -rf @D',
      'H=@D; echo x >> "$H/trust.json"',
      '# a note \\\nrm -rf @D/loops',
      'cat "$DACAPO_HOME/hook.log"',
      'for f in @D/*; do rm "$f"; done',
      'cd @D/loops && echo x >> any/journal.jsonl',
      'cd @D && python3 forge.py',
      "python3 -c \"open('@J', 'a').write('x')\"",
      "python3 - <<'X'\nopen('@J', 'a').write('x')\nX",
      "node -e 'fs.appendFileSync(process.env.DACAPO_HOME + name, line)'",
      "sh -c 'echo x >> @J'",
      "eval 'echo x >> $DACAPO_HOME/trust.json'",
      'echo "echo x >> @J" | bash',
      'bash <<X\necho x >> @J\nX',
      'ls @D/loops/*/journal.jsonl | xargs rm',
      'find @D -name journal.jsonl -delete',
      'find @D -name journal.jsonl -exec rm {} +',
      'rm $(ls @J)',
      'prettier --write @J',
      'mkdir @D/loops/X',
      'prettier --write .claude/ralph-loop.local.md',
      'python3 fix.py .claude/ralph-loop.local.md',
      "cd .claude && node -e 'fs.writeFileSync(`ralph-loop.local.md`, ``)'",
      "perl -e 'unlink glob q(.claude/idle-loop.X.local.md)'",
      "ruby -e 'File.delete(%q(AI_Employee_Vault/Ralph_State/RALPH_20260101_abc123.json))'",
    ])('refuses %s', async (line) => {
      expect(await own(line)).toMatchObject({ is: 'deny' });
    });

    it.each([
      'cat @J',
      'tail -n 20 @D/hook.log | grep refused > out.txt',
      'ls -la @D/loops; npm test',
      'jq .type @J | sort | uniq -c',
      'sed -n 1,5p @J',
      'grep -c verdict @J && node build.js',
      'find @D -name "*.jsonl"',
      'cp @J /tmp/copy.jsonl',
      'wc -l < @J',
      'cd @D && ls',
      'DACAPO_HOME=@D dacapo status',
      'cat .claude/ralph-loop.local.md',
      'git diff .claude/ralph-loop.local.md',
      'test -f .claude/ralph-loop.local.md && npm test',
      "cat > notes.md <<'X'\nThe view is .claude/ralph-loop.local.md\nX",
      'gh pr create --body "The view is .claude/ralph-loop.local.md"',
      'git commit -m "$(cat <<\'X\'\nKeep .claude/ralph-loop.local.md\nX\n)"',
      'node @D-of-another/build.js',
      "node -e 'console.log(process.env.HOME)'",
    ])('lets %s pass', async (line) => {
      expect(await own(line)).toEqual({ is: 'silence' });
    });
  });

  it('leaves our own package to the agent that works on it, but for the programs that run now', async () => {
    await stage.start('Do it');
    const runtime = stage.runtime({ runner: stage.path('plugin/dist/supervisor.cjs') });
    const heard = (path: string) =>
      stage.tool(
        { tool_name: 'Write', tool_input: { file_path: path, content: '' }, cwd: stage.project },
        { runtime },
      );
    for (const path of ['plugin/.mcp.json', 'plugin/commands/ralph.md', 'package.json'])
      expect([path, (await heard(path)).is]).toEqual([path, 'silence']);
    for (const path of ['plugin/dist/hook.cjs', 'plugin/hooks/hooks.json', 'dist/cli.cjs', 'bin/dacapo.cjs'])
      expect([path, (await heard(path)).is]).toEqual([path, 'deny']);
  });

  it('guards nobody but the session of a live loop', async () => {
    await stage.start(PROTECT);
    const other = { tool_name: 'Write', tool_input: { file_path: stage.path('tests/a.test.ts') } };
    expect(await stage.tool(other, { from: { session: 's2' } })).toEqual({ is: 'silence' });
    await stage.command('cancel');
    expect(await write('tests/a.test.ts')).toEqual({ is: 'silence' });
  });

  it('fails open: what it can not read is let through, said and logged', async () => {
    await stage.start(PROTECT);
    const use = { tool_name: 'Write', tool_input: { file_path: 'a\0b' }, cwd: stage.project };
    const runtime = stage.runtime({
      store: {
        ...stage.store,
        place: (): string => {
          throw new Error('no home');
        },
      },
    });
    expect(await stage.tool(use, { runtime })).toEqual({
      is: 'tell',
      toPerson: 'Da Capo: the guard could not check this call (no home).',
    });
    expect(stage.log.at(-1)).toContain('PreToolUse let through: Error: no home');
  });
});

describe('what slipped past', () => {
  const altered = (): Event[] => stage.journal().filter(({ type }) => type === 'altered');

  it('holds the loop until it is undone, and is an amendment by an unknown hand, once', async () => {
    const before = readFileSync(stage.path('tests/a.test.ts'), 'utf8');
    const { id } = await stage.start(PROTECT);
    put('tests/a.test.ts', 'expect(1).toBe(1);\n');
    const first = await stage.stop(DONE);
    expect(toAgent(first)).toContain('tests/a.test.ts (changed)');
    expect(toAgent(first)).toContain('`git checkout -- tests/a.test.ts`');
    expect(toPerson(first)).toContain(`dacapo resume ${id} --accept-changes`);
    await stage.stop(DONE);
    expect(altered()).toMatchObject([{ by: 'unknown', files: ['tests/a.test.ts (changed)'] }]);
    put('tests/a.test.ts', 'expect(2).toBe(2);\n');
    await stage.stop(DONE);
    expect(altered()).toHaveLength(2);
    put('tests/a.test.ts', before);
    expect(toPerson(await stage.stop(DONE))).toContain('completed after 4 iterations');
  });

  it('the same change after it was undone is another one', async () => {
    const before = readFileSync(stage.path('tests/a.test.ts'), 'utf8');
    await stage.start(PROTECT);
    for (const content of ['x', before, 'x']) {
      put('tests/a.test.ts', content);
      await stage.stop('Not yet.');
    }
    expect(altered()).toHaveLength(2);
  });

  it('files that were added or deleted count as well', async () => {
    await stage.start(PROTECT);
    put('tests/c.test.ts', '');
    rmSync(stage.path('tests/deep/b.test.ts'));
    const answer = await stage.stop(DONE);
    expect(toAgent(answer)).toContain('tests/c.test.ts (added), tests/deep/b.test.ts (deleted)');
    expect(toAgent(answer)).toContain('`rm tests/c.test.ts`');
    expect(stage.status()).toBe('running');
  });

  it('a file that became a link is changed, whatever it leads to', async () => {
    await stage.start(PROTECT);
    const path = stage.path('tests/a.test.ts');
    put('elsewhere.ts', readFileSync(path, 'utf8'));
    rmSync(path);
    symlinkSync(stage.path('elsewhere.ts'), path);
    expect(toAgent(await stage.stop(DONE))).toContain('tests/a.test.ts (changed)');
  });

  it('must hold also where any gate is enough', async () => {
    await stage.start(`${PROTECT} --check true --completion-promise COMPLETE --require any`);
    put('tests/a.test.ts', 'changed');
    const answer = await stage.stop(DONE);
    expect(answer.is).toBe('continue');
    expect(toAgent(answer)).not.toContain('any one of these');
    expect(stage.status()).toBe('running');
  });

  it('does not keep the agent from asking for a person', async () => {
    await stage.start(PROTECT);
    put('tests/a.test.ts', 'changed');
    await stage.stop('<promise>BLOCKED: the test is wrong</promise>');
    expect(stage.status()).toBe('escalated');
  });

  it('may be put back by the agent, and by nothing else', async () => {
    const before = readFileSync(stage.path('tests/a.test.ts'), 'utf8');
    await stage.start(PROTECT);
    expect(await bash('git checkout -- tests/a.test.ts')).toMatchObject({ is: 'deny' });
    put('tests/a.test.ts', 'changed');
    put('tests/new.test.ts', 'added');
    expect(await bash('git checkout -- tests/a.test.ts')).toEqual({ is: 'silence' });
    expect(await bash('git checkout -- .')).toEqual({ is: 'silence' });
    expect(await bash('git checkout -- tests/deep/b.test.ts')).toMatchObject({ is: 'deny' });
    expect(await bash('rm tests/new.test.ts')).toEqual({ is: 'silence' });
    expect(await bash('rm -r tests')).toMatchObject({ is: 'deny' });
    expect(await write('tests/a.test.ts', before)).toEqual({ is: 'silence' });
    expect(await write('tests/a.test.ts', 'something else')).toMatchObject({ is: 'deny' });
  });

  it('is accepted by a person, as a new baseline', async () => {
    const { id } = await stage.start(PROTECT);
    put('tests/a.test.ts', 'better');
    await stage.stop(DONE);
    const open = stage.store.open(id);
    if (open === null) throw new Error('no loop');
    expect(acceptChanges(open, stage.runtime())).toEqual([{ path: 'tests/a.test.ts', how: 'changed' }]);
    open.close();
    expect(altered().at(-1)).toMatchObject({ by: 'terminal' });
    await stage.stop(DONE);
    expect(stage.status()).toBe('completed');
  });

  it('needs a person where nobody knows any more what the files were', async () => {
    await stage.start(PROTECT);
    rmSync(join(stage.dir(), 'protected'), { recursive: true });
    put('tests/a.test.ts', 'changed');
    expect(toPerson(await stage.stop(DONE))).toContain("can't be read any more");
    expect(stage.status()).toBe('escalated');
  });

  it('too many files refuse the start', async () => {
    for (let n = 0; n < 2_001; n++) put(`many/${n}`, '');
    expect(toPerson(await stage.command('start', 'Do it --protect "many/**"'))).toContain(
      '--protect matches more than 2000 files.',
    );
    expect(stage.loops()).toEqual([]);
  });

  it('looks into node_modules only where it is named', async () => {
    put('node_modules/x/a.test.ts', '');
    await stage.start('Do it --protect "**/*.test.ts"');
    put('node_modules/x/a.test.ts', 'changed');
    await stage.stop(DONE);
    expect(stage.status()).toBe('completed');
  });
});

describe('forged records', () => {
  const forged = (over: Partial<EventOf<'verdict'>> = {}): EventOf<'verdict'> =>
    verdict(1, { at: stage.now(), verdict: { is: 'complete' }, ...over });

  it('a verdict for a stop that nobody claimed is void', async () => {
    await stage.start('Do it');
    stage.append(forged());
    expect(stage.status()).toBe('running');
    expect((await stage.stop('Not yet.')).is).toBe('continue');
  });

  it('nor does one for a stop that was judged already complete it', async () => {
    await stage.start('Do it');
    await stage.stop('Not yet.');
    stage.append(forged());
    stage.append(forged({ n: 2 }));
    expect(stage.status()).toBe('running');
  });

  it('a second beginning with an easier definition is not a beginning', async () => {
    await stage.start('Do it --check false');
    const [created] = stage.journal();
    if (created?.type !== 'created') throw new Error('no beginning');
    stage.append({ ...created, definition: { ...created.definition, gates: [] } });
    await stage.stop(DONE);
    expect(stage.status()).toBe('running');
  });

  it('an edited cache is not a cache', async () => {
    await stage.start('Do it');
    const path = join(stage.dir(), 'state.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"is":"running"', '"is":"completed"'));
    expect(stage.status()).toBe('running');
    expect((await stage.stop('Not yet.')).is).toBe('continue');
  });

  it('a line that is not an event ends the loop, undone', async () => {
    await stage.start('Do it');
    stage.scribble('\n{"type":"verdict","at":"now"}\n');
    expect(toPerson(await stage.stop(DONE))).toContain('aborted');
    expect(stage.status()).toBe('aborted');
    expect(toPerson(await stage.command('resume'))).not.toContain('reopens it');
  });

  it('what the view says of status, iteration, promise and owner counts for nothing', async () => {
    await stage.start('Do it --completion-promise "ALL PROVEN"');
    stage.edit((content) =>
      content
        .replace('status: running', 'status: completed')
        .replace('iteration: 1', 'iteration: 49')
        .replace('"ALL PROVEN"', '"x"'),
    );
    const answer = await stage.stop('<promise>x</promise>');
    expect(answer.is).toBe('continue');
    expect(stage.passes()).toBe(1);
    expect(stage.view()).toContain('"ALL PROVEN"');
  });

  it('an exchanged baseline shows by its digest, and needs a person', async () => {
    await stage.start(PROTECT);
    const { baseline } = stage.loop().protection;
    writeFileSync(join(stage.dir(), 'protected', `${baseline}.json`), '[]\n');
    put('tests/a.test.ts', 'changed');
    await stage.stop(DONE);
    expect(stage.status()).toBe('escalated');
  });
});
