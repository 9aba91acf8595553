/** What each role of the database may do: submit and steer, work, or look. */
import { expect, test } from 'vitest';
import { admin } from './postgres.ts';
import { hasEnded, openStage } from './stage.ts';

test(
  'people submit and steer, workers work and set no limits, readers only look',
  { timeout: 60_000 },
  async () => {
    const stage = await openStage();
    const at = new URL(stage.url);
    const owner = stage.url.replace(/\/\/[^@]*@/, '//root:root@');
    expect(await stage.run('fleet', 'init', '--database', owner, '--json')).toMatchObject({
      code: 0,
      stderr: '',
    });
    const as = async (role: string) => {
      const name = `${at.pathname.slice(1)}_${role}`;
      await admin(Number(at.port), `create role ${name} login password 'x' in role dacapo_${role}`);
      return stage.url.replace(/\/\/[^@]*@/, `//${name}:x@`);
    };
    const [person, worker, reader] = [await as('person'), await as('worker'), await as('reader')];
    const { id } = await stage.fleet<{ id: string }>(
      'submit',
      'Add a line.\ndo: echo line >> lines.txt',
      '--repo',
      stage.repo,
      '--ref',
      'main',
      '--check',
      'test -e lines.txt',
      '--account',
      'team',
      '--database',
      person,
    );
    await stage.fleet('limits', 'team', '--max-loops', '3', '--database', person);
    await stage.worker('w1', [], { DACAPO_FLEET: worker });
    expect(await stage.until(id, hasEnded)).toMatchObject({ status: 'completed', iteration: 1 });
    expect(await stage.fleet('list', '--database', reader)).toHaveLength(1);
    const refused = async (url: string, ...words: string[]) => {
      const ran = await stage.run('fleet', ...words, '--database', url, '--json');
      expect(ran).toMatchObject({ code: 1 });
      expect(ran.stdout).toContain('has no rights');
    };
    await refused(reader, 'cancel', id);
    await refused(reader, 'submit', 'Work.', '--repo', stage.repo, '--ref', 'main');
    await refused(worker, 'limits', 'team', '--max-loops', 'off');
  },
);
