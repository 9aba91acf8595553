/**
 * What holds after any strikes: nothing is lost, nothing counted twice, every file exact, and no loop ever had
 * two passes at a time. For tests of loops whose passes each add the line "line" to lines.txt.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { lives } from '../processes.ts';
import type { Pass, Stage } from './stage.ts';

/** Resolves when no loop waits for anything. */
export async function allEnded(stage: Stage): Promise<void> {
  const open = 'select 1 from dacapo.loop where ready_at is not null or worker is not null limit 1';
  while ((await stage.sql(open)).length > 0) await sleep(200);
}

export async function expectExact(stage: Stage, ids: readonly string[], passes: number): Promise<void> {
  const judged = await stage.sql<{ loop: string; status: string; stops: number[] }>(
    `select l.id as loop, status, array(
       select stop from dacapo.event where loop = l.id and stop is not null order by n) stops
     from dacapo.loop l`,
  );
  const exact = Array.from({ length: passes }, (_, k) => k + 1);
  expect(
    judged.filter(({ status, stops }) => status !== 'completed' || String(stops) !== String(exact)),
  ).toEqual([]);
  expect(judged.map(({ loop }) => loop).toSorted()).toEqual(ids.toSorted());
  stage.git('fetch', '-q', stage.repo, 'refs/heads/dacapo/*:refs/heads/dacapo/*');
  for (const id of ids) {
    expect(stage.git('show', `dacapo/${id}:lines.txt`)).toBe(exact.map(() => 'line').join('\n'));
    expect(stage.git('rev-list', '--count', `dacapo/${id}`, '--not', 'main')).toBe(String(passes));
  }
  expect(await stage.fleet('doctor')).toMatchObject({ ok: true });
  expect(await stage.sql('select 1 from dacapo.pass where ended is null')).toEqual([]);
}

/** Resolves when the record has so many iterations. A database that is away is asked again. */
export async function counted(stage: Stage, wanted: number): Promise<void> {
  for (let count = 0; count < wanted; await sleep(100)) {
    const asked = stage.sql<{ count: number }>('select count(stop)::int as count from dacapo.event');
    const [row] = await asked.catch(() => []);
    count = row?.count ?? 0;
  }
}

/** How many passes of one loop were ever seen alive at once, at most. */
export function watchPasses({ root }: Stage) {
  const file = openSync(join(root, 'passes.jsonl'), 'a+');
  const alive = new Map<number, string>();
  const bytes = Buffer.alloc(65_536);
  let [most, begun, rest] = [0, 0, ''];
  const look = () => {
    for (let n = readSync(file, bytes); n > 0; n = readSync(file, bytes))
      rest += bytes.toString('latin1', 0, n);
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const { is, pid, cwd = '' } = JSON.parse(line) as Pass;
      if (is === 'ends') alive.delete(pid);
      else {
        alive.set(pid, basename(cwd));
        begun++;
      }
    }
    for (const pid of alive.keys()) if (!lives(pid)) alive.delete(pid);
    const byLoop = new Map<string, number>();
    for (const loop of alive.values()) byLoop.set(loop, (byLoop.get(loop) ?? 0) + 1);
    most = Math.max(most, ...byLoop.values());
  };
  const timer = setInterval(look, 50);
  return {
    end: () => {
      clearInterval(timer);
      look();
      closeSync(file);
      return { most, begun };
    },
  };
}

/** Each may be given as `KIND_NAME` in the environment. */
export function numbersOf<K extends string>(kind: string, usual: Record<K, number>): Record<K, number> {
  const given = Object.entries<number>(usual).map(([name, value]) => [
    name,
    Number(process.env[`${kind}_${name}`] ?? value),
  ]);
  return Object.fromEntries(given) as Record<K, number>;
}
