// @module-tag slurm
// @module-tag postgres
/**
 * The recipe for Slurm on real daemons: loops by array jobs, while nodes die, jobs are cancelled and run into
 * their time limit. `npm run engines -- slurm` is the same with larger numbers.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { environmentOf } from '../../processes.ts';
import { CLI } from '../../surfaces/cli/box.ts';
import { allEnded, counted, expectExact, numbersOf, watchPasses } from '../../fleet/exact.ts';
import { openStage, passesNow, type Stage } from '../../fleet/stage.ts';
import { openCluster, type Cluster } from './cluster.ts';

/** LIMITS: jobs that run into their time limit, which takes Slurm a minute at least. */
const { LOOPS, PASSES, NODES, DEATHS, CANCELS, LIMITS } = numbersOf('SLURM', {
  LOOPS: 4,
  PASSES: 2,
  NODES: 2,
  DEATHS: 1,
  CANCELS: 1,
  LIMITS: 0,
});
const CHECK = `test $(wc -l < lines.txt) -ge ${PASSES}`;
const FLAGS = ['--check', CHECK, '--commit', '--pause', '0s', '--max-stalls', '99'];
/** Slurm signals the commands of an agent a moment before the agent. This one does not live to tell of it. */
const DIES = 'trap "kill -9 $PPID; exit 1" TERM';
const WORK = `${DIES}; sleep 2 & wait $!; echo line >> lines.txt`;
/** Only the first pass of such a loop is slow. */
const MARK = '$HOST_DIR/slow-$(basename $PWD)';
const SLOW = `${DIES}; [ -e ${MARK} ] || { touch ${MARK}; sleep 200 & wait $!; }; ${WORK}`;
const WORKER = ['--as-owner'];

test('loops on Slurm', { timeout: 120_000 + LOOPS * PASSES * 10_000 + LIMITS * 60_000 }, async () => {
  const stage = await openStage();
  const cluster = await openRecipe(stage);
  const watched = watchPasses(stage);
  const began = performance.now();
  const slow = await limitJobs(stage, cluster);
  const first = await stage.submit(`Add.\ndo: ${WORK}`, ...FLAGS);
  const ids = [...slow, ...(await stage.copy(first, LOOPS - slow.length - 1))];
  cluster.feed('--every', '2', '--', ...WORKER);
  while (cluster.run('squeue', '-h', '-n', 'limited') !== '') await sleep(1_000);
  await strike(stage, cluster);
  await allEnded(stage);
  const seconds = Math.round((performance.now() - began) / 1_000);
  const { most, begun } = watched.end();
  await expectExact(stage, ids, PASSES);
  expect(most).toBe(1);
  const codes = expectCodes(cluster, ids, slow);
  const [taken] = await stage.sql<{ times: number }>('select sum(epoch)::int as times from dacapo.loop');
  console.log(
    `${LOOPS} loops on ${NODES} nodes; ${DEATHS} nodes died, ${CANCELS} jobs cancelled, ` +
      `${LIMITS} jobs at their time limit; ${LOOPS * PASSES} iterations counted of ${begun} passes begun, ` +
      `loops taken ${taken?.times} times, ${seconds} s; exit codes ${JSON.stringify(codes)}`,
  );
});

async function openRecipe(stage: Stage): Promise<Cluster> {
  const file = join(stage.root, 'url');
  writeFileSync(file, stage.url, { mode: 0o600 });
  const program = `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`;
  writeFileSync(join(stage.root, 'bin/dacapo'), program, { mode: 0o755 });
  const env = { ...stage.env, USER: 'somebody', DACAPO_URL_FILE: file, DACAPO_GRACE: '8s' };
  return openCluster(join(stage.root, 'slurm'), env, NODES);
}

/** Loops whose first job ends at its time limit: every second one gets no warning before. */
async function limitJobs(stage: Stage, cluster: Cluster): Promise<string[]> {
  if (LIMITS === 0) return [];
  const first = await stage.submit(`Add.\ndo: ${SLOW}`, ...FLAGS);
  const ids = await stage.copy(first, LIMITS - 1);
  for (const k of ids.keys()) {
    const warning = k % 2 === 0 ? [] : ['--signal=B:URG@1'];
    cluster.submitJob(['--time=1', '--job-name=limited', '--output=dacapo-limit-%j.log', ...warning], WORKER);
  }
  while (stage.passes().length < LIMITS) await sleep(200);
  return ids;
}

/** Spread over the run: each waits until a part of the iterations is counted. */
async function strike(stage: Stage, cluster: Cluster): Promise<void> {
  const total = DEATHS + CANCELS;
  for (let k = 0; k < total; k++) {
    await counted(stage, Math.floor((k * (LOOPS - LIMITS) * PASSES) / total));
    const { job, node } = await someJob(stage);
    // Evenly mixed: the share of deaths so far decides.
    const isDeath = Math.floor(((k + 1) * DEATHS) / total) > Math.floor((k * DEATHS) / total);
    if (!isDeath) cluster.run('scancel', job);
    else {
      await cluster.loseNode(node);
      // Some are back before Slurm has missed them.
      await sleep(k % 3 === 0 ? 15_000 : 0);
      cluster.startNode(node);
    }
  }
}

/** One whose agent is at work, as `scancel` names a task of an array. */
async function someJob(stage: Stage) {
  for (;;) {
    const pids = passesNow(stage.passes());
    const environment = environmentOf(pids[Math.floor(Math.random() * pids.length)] ?? 0);
    const valueOf = (name: string) => new RegExp(`(?:^|\\0)${name}=([^\\0]*)`).exec(environment)?.[1];
    const [array, task] = [valueOf('SLURM_ARRAY_JOB_ID'), valueOf('SLURM_ARRAY_TASK_ID')];
    const node = valueOf('SLURMD_NODENAME');
    if (node !== undefined && array !== undefined) return { job: `${array}_${task}`, node };
    await sleep(50);
  }
}

/** How often each code was said. A worker that died said none. */
function expectCodes(cluster: Cluster, ids: readonly string[], slow: readonly string[]) {
  const exits = [...cluster.logs()].flatMap(([log, lines]) =>
    lines.filter(({ is }) => is === 'exits').map((line) => ({ log, line })),
  );
  const said = (code: number) => exits.filter(({ line }) => line['code'] === code);
  for (const { line } of said(0)) expect(line).toMatchObject({ status: 'completed' });
  const ended = said(0).map(({ line }) => String(line['loop']));
  expect(ended.toSorted()).toEqual([...new Set(ended)].toSorted());
  expect(ids).toEqual(expect.arrayContaining(ended));
  for (const { line } of said(69)) expect(line).toMatchObject({ loop: null });
  for (const { line } of said(75)) expect(Date.parse(String(line['when']))).toBeGreaterThan(0);
  const limited = said(75).flatMap(({ log, line }) => (log.includes('limit') ? [String(line['loop'])] : []));
  expect(limited.toSorted()).toEqual(slow.toSorted());
  expect(said(0).length + said(69).length + said(75).length).toBe(exits.length);
  return { 0: said(0).length, 69: said(69).length, 75: said(75).length };
}
