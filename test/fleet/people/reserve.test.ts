// @module-tag postgres
/** A part of a subscription is kept for its person (`--reserve`), also where any worker may take the loop. */
import { expect, test } from 'vitest';
import { hasEnded, openStage } from '../stage.ts';

test(
  'a reserve is waited for without a worker, and one of the week ends the loop',
  { timeout: 90_000 },
  async () => {
    const stage = await openStage();
    const submit = (window: string) => {
      const check = ['--check', 'test $(wc -l < x.txt) -ge 2', '--pause', '0s', '--reserve', '20%'];
      return stage.submit(`Add.\nwindow: ${window}\ndo: echo x >> x.txt`, ...check);
    };
    const [hours, week] = [await submit('300 83'), await submit('10080 85')];
    await stage.worker('w1');
    const waiting = await stage.until(hours, ({ waits }) => waits?.for === 'limit');
    expect(waiting).toMatchObject({ status: 'waiting', iteration: 2, worker: null });
    const ends = {
      status: 'interrupted',
      reason: expect.stringMatching(/85 % of the weekly window is used/),
    };
    expect(await stage.until(week, ({ status }) => status === 'interrupted')).toMatchObject(ends);
    expect(stage.passes().filter(({ is }) => is === 'begins')).toHaveLength(2);
    // What a person reads is typed to the fleet.
    const { stdout } = await stage.run('fleet', 'status', week);
    expect(stdout).toContain(`dacapo fleet resume ${week} continues it`);
    expect(stdout).not.toContain('run --loop');
    for (const id of [hours, week]) await stage.fleet('resume', id);
    expect(await stage.until(hours, hasEnded)).toMatchObject({ status: 'completed', iteration: 2 });
    const again = ({ status, worker }: { status: string; worker: string | null }) =>
      status === 'interrupted' && worker === null;
    expect(await stage.until(week, again)).toMatchObject({ ...ends, iteration: 2 });
    expect(stage.passes().filter(({ is }) => is === 'begins')).toHaveLength(3);
  },
);
