// Writes the table of hosts in docs/hosts.md from what the adapters say of themselves: node
// scripts/docs/matrix.mjs. A test says when the page is out of date.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../source.mjs';

const PAGE = join(ROOT, 'docs/hosts.md');
const [BEGIN, END] = ['<!-- hosts: node scripts/docs/matrix.mjs -->\n', '<!-- /hosts -->'];
const PLUGIN = join(ROOT, 'plugin');

const PASS = {
  session: 'ID',
  resume: null,
  prompt: '',
  compact: false,
  model: null,
  fallbackModel: null,
  permissionMode: null,
  allowedTools: [],
  budgetUsd: null,
  extra: [],
};
const PASS_PLACE = { cwd: '/project', env: { HOME: '/~' } };
const ORDER = {
  scope: 'user',
  place: { project: '/project', env: { HOME: '/~' }, platform: 'linux' },
  plugin: PLUGIN,
  home: '/~/.dacapo',
  exclude: null,
  cap: true,
  statusLine: false,
};

const code = (word) => `\`${word}\``;
const yes = (is) => (is ? 'yes' : 'no');
const listed = (words) => words.map(code).join(', ') || 'none';
/** Whether the command of a pass loads something of our plugin's folder. */
const bringsGuard = ({ headless }) => JSON.stringify(headless.command(PASS, PASS_PLACE)).includes(PLUGIN);
const brings = ({ program }) => program.sessionArguments(PLUGIN).length > 0;
const mcpOf = ({ settings }) => {
  const says = settings.installFindings(ORDER).find(({ id }) => id === 'mcp')?.says ?? 'with the plugin';
  const [, command] = /agents: (.*)/.exec(says) ?? [];
  return command === undefined ? says : code(command);
};

/** One row for each fact, in the order in which a person asks. */
const FACTS = {
  'program on the PATH (another one: variable)': ({ word }) =>
    `${code(word)} (${code(`DACAPO_${word.toUpperCase()}`)})`,
  'from version': ({ program }) => program.oldest,
  '`init --scope user` writes': ({ settings }) =>
    code(settings.planInstall(ORDER).settings.replace('/~', '~')),
  '`start` opens a session': (host) => (brings(host) ? 'yes' : 'after `init`'),
  'commands in the session': ({ commands }) =>
    commands === null ? 'no: `dacapo` in a terminal' : code(commands.start),
  'who chooses the id of a session': ({ headless: { can }, title }) =>
    can.chooseSession ? 'Da Capo' : title,
  'tool calls that the guard and approvals see': ({ tools: { acting, serverTool } }) =>
    listed([...acting.keys(), serverTool]),
  'guard in passes of `run`': (host) => (bringsGuard(host) ? 'yes' : 'after `init`'),
  'longest hearing of a stop': ({ hook }) => `${hook.limits.stopMs / 60_000} min`,
  'longest text to the agent': ({ hook }) => `${hook.limits.text} characters`,
  'MCP, for the tools of Da Capo': mcpOf,
  'money (`--max-cost`)': ({ headless: { can } }) =>
    can.cost ? 'the host reports it' : '[estimated](#what-a-loop-costs)',
  '`--allowed-tools`': ({ headless: { can } }) => yes(can.tools),
  '`--fallback-model`': ({ headless: { can } }) => yes(can.fallbackModel),
  '`--compact-every`': ({ headless: { can } }) => yes(can.compact),
  '`--permission-mode`': ({ headless }) => listed(headless.permissionModes),
  '`--review`, by an agent that may change nothing': ({ headless: { readOnly } }) =>
    readOnly === undefined ? 'no' : listed([readOnly.permissionMode ?? readOnly.extra.join(' ')]),
  'wakes a stopped session': ({ hook }) => yes(hook.wake !== null),
  'status bar': ({ settings }) => yes(settings.statusLine !== undefined),
  '`doctor --probe`': ({ rehearsal }) => yes(rehearsal !== null),
};

/** `tableOf`: the tools of a host, by its name. */
export function matrixOf(all, tableOf) {
  const adapters = all.map((adapter) => ({ ...adapter, tools: tableOf(adapter.name) }));
  const row = (cells) => `| ${cells.join(' | ')} |\n`;
  const head = row(['', ...adapters.map(({ name }) => code(name))]) + row(['', ...adapters].map(() => '---'));
  const facts = Object.entries(FACTS).map(([fact, of]) => row([fact, ...adapters.map(of)]));
  return BEGIN + head + facts.join('') + END;
}

/** The page with this table in place of the one in it. */
export function withMatrix(page, matrix) {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from === -1 || to < from) throw new Error(`docs/hosts.md has no ${BEGIN.trim()} … ${END}`);
  return page.slice(0, from) + matrix + page.slice(to + END.length);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { build } = await import('esbuild');
  // In a folder of the package: the adapters look for the plugin above themselves.
  const outfile = join(ROOT, 'dist', `.matrix-${process.pid}.mjs`);
  const banner = {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  };
  await build({
    absWorkingDir: ROOT,
    stdin: {
      contents: "export * from './tables/adapters.ts'; export { tableOf } from './tools/tool-tables.ts';",
      resolveDir: join(ROOT, 'src/hosts'),
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    banner,
  });
  try {
    const { ADAPTERS, tableOf } = await import(outfile);
    writeFileSync(PAGE, withMatrix(readFileSync(PAGE, 'utf8'), matrixOf(ADAPTERS, tableOf)));
  } finally {
    rmSync(outfile, { force: true });
  }
}
