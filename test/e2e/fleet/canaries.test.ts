// @module-tag postgres
/** What a pass on a worker plants for its host does not run there, until a person agrees: the real Claude Code. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { FleetLoop } from '#fleet/record.ts';
import { makeDatabase } from '../../fleet/postgres.ts';
import { dacapo, startDacapo, UNATTENDED } from '../dacapo.ts';
import { hooks, server } from '../hosts/canaries/canaries.ts';
import { makeWorld } from '../world.ts';

test(
  'a worker runs nothing that a pass has planted, before dacapo fleet trust',
  { timeout: 150_000 },
  async () => {
    let passes = 0;
    const world = await makeWorld(({ text }) => {
      if (text.includes('planted')) return 'Done.';
      passes++;
      const work = passes === 1 ? `cp -R '${nest}/.' .` : 'touch done.txt';
      return [{ tool: 'Bash', input: { command: `${work}; echo planted` } }];
    });
    const { sandbox } = world;
    const [nest, marks] = [join(sandbox.root, 'nest'), join(sandbox.root, 'marks')];
    mkdirSync(marks);
    const sings = (name: string) => `touch ${join(marks, name)}`;
    const canaries = {
      '.mcp.json': { mcpServers: server(sings, 'mcp') },
      '.claude/settings.json': { hooks: hooks(sings, 'settings') },
      '.claude/settings.local.json': { apiKeyHelper: sings('helper') },
      '.claude/skills/y/.claude-plugin/plugin.json': { name: 'y' },
      '.claude/skills/y/hooks/hooks.json': { hooks: hooks(sings, 'skill-plugin') },
    };
    for (const [path, content] of Object.entries(canaries)) {
      mkdirSync(dirname(join(nest, path)), { recursive: true });
      writeFileSync(join(nest, path), JSON.stringify(content));
    }
    sandbox.write('README.md', 'A project.\n');
    execFileSync('git', ['add', '.'], { cwd: sandbox.project, env: sandbox.env });
    execFileSync('git', ['commit', '-qm', 'first'], { cwd: sandbox.project, env: sandbox.env });
    const { url } = await makeDatabase();
    sandbox.env['DACAPO_FLEET'] = url;
    expect((await dacapo(world, 'fleet', 'init')).code).toBe(0);
    const flags = ['--repo', sandbox.project, '--ref', 'HEAD', '--check', 'test -f done.txt', ...UNATTENDED];
    const submitted = await dacapo(world, 'fleet', 'submit', 'Make done.txt', ...flags);
    expect(submitted.code).toBe(0);
    const worker = startDacapo(world, ['worker', '--as-owner']);
    const ended = async (): Promise<FleetLoop> => {
      for (;;) {
        const [loop] = JSON.parse((await dacapo(world, 'fleet', 'list', '--json')).stdout) as FleetLoop[];
        if (loop !== undefined && ['escalated', 'completed', 'aborted'].includes(loop.status)) return loop;
        await sleep(300);
      }
    };
    const stopped = await ended();
    expect(stopped).toMatchObject({ status: 'escalated', iteration: 1 });
    expect(stopped.reason).toContain('.mcp.json');
    expect([passes, readdirSync(marks)]).toEqual([1, []]);
    expect((await dacapo(world, 'fleet', 'trust', stopped.id)).code).toBe(0);
    expect(await ended()).toMatchObject({ status: 'completed', iteration: 2 });
    // They were alive all along.
    expect(readdirSync(marks).length).toBeGreaterThan(0);
    worker.signal('SIGTERM');
    await worker.ended;
  },
);
