// @module-tag nodes
/**
 * The built product on every line of Node that people use: the demo goes through the command line, the driver,
 * the watchdog, the hook and its compiled code; then the library and the MCP server start.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { NODES, installedHost } from '../../../scripts/test/hosts.mjs';
import { CLI, makeBox } from '../../surfaces/cli/box.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const DEMO_MS = 60_000;

describe.each(['node-20', 'node-22', 'node-24', 'node-26'] as const)('%s', (name) => {
  function onThisNode(args: readonly string[], input = '') {
    const { program, missing } = installedHost(name);
    if (program === undefined) throw new Error(missing);
    const box = makeBox();
    const path = [dirname(program), box.env['PATH'] ?? ''].join(delimiter);
    const env = { ...box.env, PATH: path };
    return spawnSync(program, args, { cwd: box.project, env, input, encoding: 'utf8', timeout: DEMO_MS });
  }

  test('is the version that we say', () => {
    expect(onThisNode(['--version']).stdout.trim()).toBe(`v${NODES[name].version}`);
  });

  test('runs the demo to its proven end', { timeout: DEMO_MS }, () => {
    const ran = onThisNode([CLI, 'demo', '--agent', 'scripted', '--json']);
    expect(ran.stderr).toBe('');
    expect(ran.status).toBe(0);
    const judged = ran.stdout
      .trim()
      .split('\n')
      .map((line): { is: string; verdict?: { is: string } } => JSON.parse(line))
      .filter(({ is }) => is === 'judged');
    expect(judged.map(({ verdict }) => verdict?.is)).toEqual(['continue', 'continue', 'complete']);
  });

  test('loads the library', () => {
    const script = join(makeBox().root, 'library.mjs');
    const library = JSON.stringify(join(ROOT, 'dist/index.js'));
    writeFileSync(script, `import * as dacapo from ${library}; console.log(typeof dacapo.startLoop);`);
    expect(onThisNode([script])).toMatchObject({ stdout: 'function\n', stderr: '', status: 0 });
  });

  test('answers the first request to the MCP server', () => {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    };
    const request = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
    const ran = onThisNode([CLI, 'mcp'], `${JSON.stringify(request)}\n`);
    const [answer = ''] = ran.stdout.split('\n');
    expect(JSON.parse(answer)).toMatchObject({ id: 1, result: { serverInfo: { name: 'dacapo' } } });
  });
});
