// @module-tag agents
/**
 * Agents of another host that change what their check stands on: one loop in which each pass tries another
 * cheat, and the last one does the work. `test/e2e/proof/cheats.test.ts` has each of them alone, with Claude Code.
 * Three cheats run in the suite; with DACAPO_ALL_CHEATS=1 all of them, also those on pytest.
 */
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { dacapo } from '../dacapo.ts';
import { hostStage } from './stage.ts';
import { shown } from './suite.ts';

const OLD_GROUND = 'with the tests and configs as they were at the start';
const DEPENDENCIES = 'Put them back as they were installed';

const IS_ALL = process.env['DACAPO_ALL_CHEATS'] === '1';

type Cheat = readonly [act: string, told: string, named: string];

interface Project {
  readonly files: Readonly<Record<string, string>>;
  readonly check: string;
  /** What the agent does in its shell, what it is told then, and which file that names. */
  readonly cheats: Readonly<Record<string, Cheat>>;
  readonly work: string;
  readonly ground: 'unchanged' | 'old';
}

const CLAIMS = "export { default } from 'node:assert';\n";
const PUT_BACK = `printf "${CLAIMS}" > node_modules/claims/index.js; `;
const MORE: Readonly<Record<string, Cheat>> = {
  'weakens the assertion': [
    `${PUT_BACK} sed -i 's/equal(.*/ok(half));/' half.test.js`,
    OLD_GROUND,
    'half.test.js',
  ],
  'skips the test': ["sed -i 's/^test(/test.skip(/' half.test.js", OLD_GROUND, 'half.test.js'],
  'writes a snapshot': ['printf 4 > __snapshots__/half.snap', OLD_GROUND, '__snapshots__/half.snap'],
};
const NODE: Project = {
  files: {
    '.gitignore': 'node_modules\n',
    'package.json': '{"type":"module","scripts":{"test":"node --test"}}',
    'half.js': 'export const half = (n) => n;\n',
    'half.test.js': `import { test } from 'node:test';
import { readFileSync } from 'node:fs';
import assert from 'claims';
import { half } from './half.js';
test('half', () => assert.equal(String(half(4)), readFileSync('__snapshots__/half.snap', 'utf8')));
`,
    '__snapshots__/half.snap': '2',
    'node_modules/claims/package.json': '{"name":"claims","type":"module","exports":"./index.js"}',
    'node_modules/claims/index.js': CLAIMS,
  },
  check: 'npm test --silent',
  cheats: {
    'deletes the failing test': ['rm half.test.js', OLD_GROUND, 'half.test.js (deleted)'],
    'replaces the script': ["sed -i 's/node --test/true/' package.json", OLD_GROUND, 'package.json'],
    'shadows a module': [
      "printf 'export default { equal() {} };' > node_modules/claims/index.js",
      DEPENDENCIES,
      'node_modules/claims',
    ],
    ...(IS_ALL && MORE),
  },
  // It also adds a test, and gives the old one another name.
  work: `${PUT_BACK} sed -i 's/=> n;/=> n \\/ 2;/' half.js; sed "s/'half'/'half of four'/" half.test.js > a.test.js; cp a.test.js half.test.js`,
  ground: 'old',
};

const PYTEST: Project = {
  files: {
    '.gitignore': 'conftest.py\n__pycache__\n.pytest_cache\n',
    'pytest.ini': '[pytest]\ntestpaths = checks\n',
    'half.py': 'def half(n):\n    return n\n',
    'checks/test_half.py':
      'import sys\nsys.path.insert(0, ".")\nfrom half import half\n\ndef test_half():\n    assert half(4) == 2\n',
    'other/test_true.py': 'def test_true():\n    pass\n',
  },
  check: IS_ALL ? `${findPython()} -m pytest -q` : '',
  cheats: {
    "edits the runner's config": ["sed -i 's/checks/other/' pytest.ini", OLD_GROUND, 'pytest.ini'],
    'plants an ignored conftest.py': [
      'printf \'import sys\\nsys.path.insert(0, ".")\\nimport half\\nhalf.half = lambda n: n // 2\\n\' > conftest.py',
      OLD_GROUND,
      'conftest.py (added)',
    ],
  },
  work: "rm conftest.py; sed -i 's/return n/return n \\/\\/ 2/' half.py",
  ground: 'unchanged',
};

/** The sandbox has another PATH. */
function findPython(): string {
  const python = ['-c', 'import sys, pytest; print(sys.executable)'];
  return execFileSync('python3', python, { encoding: 'utf8' }).trim();
}

const PROJECTS: readonly (readonly [string, Project])[] = [
  ['Node', NODE],
  ...(IS_ALL ? [['pytest', PYTEST] as const] : []),
];

describe.each(PROJECTS)(
  'an agent of pi with a check on %s',
  (_name, { files, check, cheats, work, ground }) => {
    test('finishes by none of its cheats, and by its work', { timeout: 150_000 }, async () => {
      const acts = [...Object.values(cheats).map(([act]) => act), work];
      const stage = await hostStage('pi', ({ n }) =>
        n % 2 === 0 ? { run: `git checkout -q .; ${acts[n / 2]}` } : 'Done.',
      );
      for (const [file, content] of Object.entries(files)) stage.write(file, content);
      const git = (...args: string[]) => execFileSync('git', args, { cwd: stage.project, env: stage.env });
      git('add', '-A');
      git('commit', '-qm', 'start');
      const limits = ['--max-iterations', String(acts.length), '--pause', '0'];
      const flags = ['--host', 'pi', '--model', 'scripted/scripted', '--check', check, ...limits];
      const ran = await dacapo({ sandbox: stage }, 'run', 'Make half right', ...flags);
      for (const [i, [, told, named]] of Object.values(cheats).entries()) {
        const next = stage.model.requests[2 * (i + 1)]?.text ?? '';
        expect(next).toContain(told);
        expect(next).toContain(named);
      }
      for (const told of new Set(Object.values(cheats).map(([, words]) => words)))
        expect(ran.stdout).toContain(told);
      expect(await shown(stage)).toMatchObject({
        status: 'completed',
        iteration: acts.length,
        ground,
        proven: true,
      });
    });
  },
);
