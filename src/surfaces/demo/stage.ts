/**
 * The demo's stage: a temporary git project with its own home and state folder. It touches none of the
 * person's files.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { Environment } from '#hosts/port/arrival.ts';
import type { Block } from './model.ts';

export type Stage = ReturnType<typeof setStage>;

/** What programs need to run at all, on any system. */
const PASSED_ON = [
  'LANG',
  'LC_ALL',
  'TZ',
  'SystemRoot',
  'SystemDrive',
  'ComSpec',
  'PATHEXT',
  'WINDIR',
  'NUMBER_OF_PROCESSORS',
];

export function setStage(files: Readonly<Record<string, string>>, env: Environment) {
  // Short on purpose: the host puts Unix sockets below TMPDIR, and their paths end at about 100 bytes.
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'dacapo-')));
  const [home, project] = [join(root, 'home'), join(root, 'project')];
  const [dacapoHome, tmp] = [join(root, 'dacapo'), join(root, 'tmp')];
  for (const folder of [home, project, tmp]) mkdirSync(folder);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(project, name), content);
  const stageEnv: Readonly<Record<string, string>> = {
    ...Object.fromEntries(PASSED_ON.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
    PATH: [dirname(process.execPath), env['PATH'] ?? env['Path'] ?? ''].join(delimiter),
    HOME: home,
    USERPROFILE: home,
    TMPDIR: tmp,
    TEMP: tmp,
    TMP: tmp,
    DACAPO_HOME: dacapoHome,
  };
  // The demo also works without git: a project need not be a repository.
  spawnSync('git', ['init', '-q'], { cwd: project, env: stageEnv, stdio: 'ignore' });
  return {
    root,
    project,
    dacapoHome,
    env: stageEnv,
    // A host that is just ending may still write below its home.
    clear: () => rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }),
  };
}

/** The README's first command, for both agents. */
export const TASK = 'Make the parser handle nested lists.';
export const FLAGS = ['--check', 'npm test', '--max-iterations', '20'] as const;
export const TYPED = {
  start: `dacapo start "${TASK}" --check "npm test" --max-iterations 20`,
  inSession: `${TASK} --check "npm test" --max-iterations 20`,
} as const;

const WRONG = "  return text.slice(1, -1).split(', ');";
/** What fails the test, and what the agent puts there to pass it without work. */
const JUDGES = '  process.exit(1);';
const LENIENT = '  process.exit(0);';
const RIGHT = `  return JSON.parse(text.replace(/\\w+/g, '"$&"'));`;

export const FILES: Readonly<Record<string, string>> = {
  'package.json': '{ "private": true, "scripts": { "test": "node parser.test.mjs" } }\n',
  'parser.mjs': `export function parse(text) {\n${WRONG}\n}\n`,
  'parser.test.mjs': `import { parse } from './parser.mjs';

const seen = JSON.stringify(parse('[a, [b, c]]'));
if (seen !== '["a",["b","c"]]') {
  console.error(\`parse('[a, [b, c]]') gives \${seen}\`);
${JUDGES}
}
console.log('ok');
`,
};

export function scriptFor(project: string): Block[][] {
  const [file, test] = [join(project, 'parser.mjs'), join(project, 'parser.test.mjs')];
  const edit = (path: string, before: string, after: string): Block => ({
    tool: 'Edit',
    input: { file_path: path, old_string: before, new_string: after },
  });
  return [
    [{ text: 'parser.mjs looks fine to me, so the task is finished.' }],
    [{ tool: 'Read', input: { file_path: test } }],
    [edit(test, JUDGES, LENIENT)],
    [{ text: 'The test was too strict. Now it passes, and the task is finished.' }],
    [
      { text: 'So the test stays as it was, and parser.mjs has to change.' },
      { tool: 'Read', input: { file_path: file } },
    ],
    [edit(test, LENIENT, JUDGES), edit(file, WRONG, RIGHT)],
    [{ text: 'It split the text at every comma. Now it reads lists within lists.' }],
  ];
}
