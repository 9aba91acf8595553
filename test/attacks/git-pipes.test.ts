// A project ships a pipe where git reads. Git waits there forever: no stop may hang with it, and no git may
// stay behind.
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from '../programs/program.ts';
import { commandLineOf, gone, kill, nameOf, parentOf, processes } from '../processes.ts';
import { attackWorld, type AttackWorld } from './world.ts';

const MAKE_PIPE = 'mkfifo';

/** A loop whose next stop compares the work tree: the agent used a tool, and the check fails as before. */
async function atWork(): Promise<AttackWorld> {
  const world = attackWorld({ git: true });
  await world.ralph('Fix it --check false');
  useTool(world);
  await world.stop('one');
  useTool(world);
  return world;
}

function useTool({ program }: AttackWorld): void {
  const row = '{"type":"assistant","message":{"content":[{"type":"tool_use"}]}}\n';
  appendFileSync(join(program.root, 'transcript.jsonl'), row);
}

function putPipe({ project }: AttackWorld, place: string): void {
  const path = join(project, place);
  mkdirSync(dirname(path), { recursive: true });
  execFileSync(MAKE_PIPE, [path]);
}

/** Every git that works on this project. */
function gitsIn({ project }: AttackWorld): number[] {
  return processes().filter((pid) => nameOf(pid) === 'git' && commandLineOf(pid).includes(project));
}

describe.runIf(process.platform === 'linux')('a pipe where git reads', () => {
  it.each(['.gitignore', '.gitattributes', '.git/info/attributes'])(
    'as %s: no git is started, and the stop says once what it can not compare',
    async (place) => {
      const world = await atWork();
      putPipe(world, place);
      const said = await world.stop('two');
      expect(said?.systemMessage).toContain(
        `the work tree can't be compared: ${join(world.project, place)} is not a file`,
      );
      useTool(world);
      expect((await world.stop('three'))?.systemMessage).not.toContain('compared');
      expect(gitsIn(world)).toEqual([]);
    },
  );

  it('in a folder below: git is ended at its deadline, and the stop says so', async () => {
    const world = await atWork();
    putPipe(world, 'sub/.gitignore');
    const said = await world.stop('two');
    expect(said?.systemMessage).toContain('git did not answer within 5 seconds');
    expect(world.status()).toBe('running');
    expect(gitsIn(world)).toEqual([]);
  });

  it('leaves no git behind where the hook is killed', async () => {
    const world = await atWork();
    putPipe(world, 'sub/.gitignore');
    const { child, ended } = world.program.begin(world.program.stopped('two'));
    const hanging = () => gitsIn(world).filter((pid) => parentOf(pid) === child.pid);
    await until('git looks for changes', () =>
      hanging().some((pid) => commandLineOf(pid).includes('\0status\0')),
    );
    const gits = hanging();
    kill(child.pid ?? 0);
    await ended;
    for (const git of gits) expect(await gone(git)).toBe(true);
  });
});
