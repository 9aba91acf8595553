// @module-tag agents
// The real Qwen Code in all of Da Capo.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dacapo } from '../dacapo.ts';
import { hostStage } from './stage.ts';
import { startHeadless } from '../headless.ts';
import { CHECK, hostSuite, readySession, shown, THREE, type HostCase } from './suite.ts';

const QWEN: HostCase = {
  name: 'qwen',
  unattended: ['--permission-mode', 'yolo'],
  login: '/auth',
  // It waits and asks again itself.
  faults: [],
  refused: 'Da Capo refuses',
  // It loads the tools of servers when they are searched for.
  mcp: {
    add: ['mcp', 'add', 'dacapo', 'dacapo', 'mcp'],
    calls: (tool, input) => [
      { call: { tool: 'tool_search', input: { query: `select:mcp__dacapo__${tool}` } } },
      { call: { tool: 'tool_call', input: { name: `mcp__dacapo__${tool}`, arguments: input } } },
    ],
  },
  servers: '.mcp.json',
  guardByInit: true,
  settings: '.qwen/settings.json',
  session: (stage, prompt, id) => stage.start(prompt, id === undefined ? [] : ['--resume', id]).done,
  write: (path, content) => ({ tool: 'write_file', input: { file_path: path, content } }),
};

describe('the real Qwen Code', () => {
  hostSuite(QWEN);

  test('a session that exits because its key is refused does not show as running', async () => {
    const stage = await hostStage('qwen', [{ status: 401 }]);
    await dacapo({ sandbox: stage }, 'init', '--host', 'qwen', '--scope', 'user');
    await dacapo({ sandbox: stage }, 'ready', '--host', 'qwen', 'Make done.txt', ...CHECK);
    expect((await QWEN.session(stage, 'Make done.txt')).code).not.toBe(0);
    expect(await shown(stage)).not.toMatchObject({ status: 'running' });
  });

  test('goes on beyond its own cap of eight blocks, which init lifts', async () => {
    const stage = await hostStage('qwen', ({ n }) => (n < 9 ? `Not yet, ${n}.` : (THREE[n - 7] ?? 'Done.')));
    await dacapo({ sandbox: stage }, 'init', '--host', 'qwen', '--scope', 'user');
    await readySession(stage, QWEN);
    expect(await shown(stage)).toMatchObject({ status: 'completed', iteration: 10 });
  });

  test('three iterations with our extension, by its own command', async () => {
    const stage = await hostStage('qwen', THREE);
    const folder = join(import.meta.dirname, '../../../plugin/extensions/qwen');
    const link = ['extensions', 'link', folder];
    await startHeadless(join(stage.root, 'bin', 'qwen'), link, stage, { input: 'y\n' }).done;
    await readySession(stage, QWEN);
    expect(stage.model.requests[0]?.text).toContain('mcp__dacapo__');
    expect(await shown(stage)).toMatchObject({ status: 'completed', iteration: 3 });
  });
});
