// @module-tag strace
/**
 * Killed at every system call: a start, a stop, a completion, a cancel and a pass are killed at each call
 * that changes something outside of the process, and each such call fails as on a disk that is full, broken
 * or read-only. The suite strikes a few of them by a seed, `npm run kill-everywhere` each of them.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { chance } from '../fuzz/mutate.ts';
import { kill, processesAt } from '../processes.ts';
import { said, type Program, type Run } from '../programs/program.ts';
import { warmHome } from '../warm.ts';
import type { Image } from './crash-images.ts';
import { imageOf, layOut } from './folder-image.ts';
import { dacapo, loopsOf, SCENES, startedOf, type Scene } from './scenes.ts';
import { ofOurs, traced, whyNoTrace, type Call, type Strike } from './strace.ts';

/** How many kills and how many errors of each scene: a few in the suite. */
const STRIKES = process.env['TRUST_STRIKES'] ?? '3';
const ALL = STRIKES === 'all';
const IS_LONG = STRIKES !== '3';
const ONLY = process.env['TRUST_SCENE'] ?? '';
/** Half of the strikes, where all of them take too long. */
const KIND = process.env['TRUST_KIND'] ?? '';
const SEED = Number(process.env['TRUST_SEED'] ?? 1);
const LANES = 3;
/** A call may come later or earlier than in the undisturbed run: a Node wakes its threads when it likes. */
const MOST_AIMS = IS_LONG ? 25 : 2;

const ERRORS: Readonly<Record<string, readonly string[]>> = {
  'to read': ['EIO', 'EMFILE'],
  'to write': ['ENOSPC', 'EROFS', 'EIO', 'EMFILE'],
  write: ['ENOSPC', 'EIO'],
  pwrite64: ['ENOSPC', 'EIO'],
  fsync: ['EIO', 'ENOSPC'],
  fdatasync: ['EIO', 'ENOSPC'],
  ftruncate: ['EIO'],
  mkdir: ['ENOSPC', 'EROFS', 'EIO'],
  rename: ['ENOSPC', 'EROFS', 'EIO'],
  link: ['ENOSPC', 'EROFS', 'EIO'],
  symlink: ['ENOSPC', 'EROFS', 'EIO'],
  unlink: ['EROFS', 'EIO'],
  rmdir: ['EROFS', 'EIO'],
  clone: ['EAGAIN'],
  socketpair: ['EMFILE'],
  pipe2: ['EMFILE'],
};
const ON_RECORD = /^write\(#<\/dacapo\/(?:loops\/LOOP\/journal\.jsonl|hook\.log)>/;
/** A pipe or a socket is on no disk. */
const TO_FILE = /^(?:pwrite64|fsync|fdatasync)|^write\(#<\//;

interface Lane {
  readonly hook: Program;
  readonly before: Image;
}

async function laneFor(scene: Scene): Promise<Lane> {
  const hook = await scene.make();
  mkdirSync(join(hook.root, 'scratch'));
  rmSync(join(hook.home, 'cache'), { recursive: true, force: true });
  return { hook, before: imageOf(hook.root) };
}

/** The strikes of a scene, by the calls of its undisturbed run. */
function killsOf(calls: readonly Call[]): Strike[] {
  return calls
    .filter(({ name, opens }) => opens !== 'to read' && name !== 'socketpair' && name !== 'pipe2')
    .map((at) => ({ at, signal: 'KILL' }));
}

function errorsOf(calls: readonly Call[]): Strike[] {
  return calls
    .filter(({ name, what }) => name !== 'write' || TO_FILE.test(what))
    .flatMap((at) => (ERRORS[at.opens ?? at.name] ?? []).map((error) => ({ at, error })));
}

/** From each of these writes on, the disk of the record is full. */
function fullOf(calls: readonly Call[]): Strike[] {
  const writes = calls.filter(({ name, what }) => name === 'write' && ON_RECORD.test(what));
  return writes.map((at, before) => ({ at: { ...at, nth: before + 1 }, error: 'ENOSPC', stays: true }));
}

function show(strike: Strike): string {
  if ('signal' in strike) return `killed at ${strike.at.what}`;
  return `${strike.error} ${strike.stays ? 'from' : 'at'} ${strike.at.what}${strike.stays ? ' on' : ''}`;
}

/** What the person has in the project, without what is ours and what the agent writes at each stop. */
function personal({ project }: Program): readonly (readonly [string, string | undefined])[] {
  return [...imageOf(project)]
    .filter(([path]) => !/\/\.git\/|\/\.claude|\/work\.txt$/.test(path))
    .map(([path, bytes]) => [path, bytes?.toString('latin1')]);
}

async function allGone(hook: Program): Promise<void> {
  for (let k = 0; k < 500 && processesAt(hook.root).length > 0; k++) await sleep(20);
  const left = processesAt(hook.root);
  left.forEach((pid) => kill(pid));
  expect(left).toEqual([]);
}

/** In the end git shows the person their own files only. */
function gitIsClean(hook: Program): void {
  const shown = hook.git('status', '--porcelain').split('\n').filter(Boolean);
  expect(shown.filter((line) => !/^\?\? (?:notes\.md|done|work\.txt)$/.test(line))).toEqual([]);
}

/** How somebody looks at what is left, in turn: each takes a process. */
const LOOKS: readonly ((hook: Program) => Promise<void>)[] = [
  async (hook) => {
    const { exit, stderr } = await dacapo(hook, 'status');
    expect([0, 1]).toContain(exit);
    expect(stderr).not.toMatch(/^ +at /m);
  },
  async (hook) => {
    const { stdout } = await dacapo(hook, 'list', '--all', '--json');
    expect(JSON.parse(stdout)).toHaveLength(loopsOf(hook).length);
  },
];
let looks = 0;

/** The host gets one document or nothing, and whoever asked is told what is wrong where it had no effect. */
function failedOpen(run: Run, error: string, { isHook, isDone }: { isHook: boolean; isDone: boolean }): void {
  const answer = isHook ? said(run) : null;
  const told = isHook ? `${answer?.systemMessage ?? ''}${answer?.reason ?? ''}` : run.stdout + run.stderr;
  expect(run.stderr).not.toMatch(/^ +at /m);
  expect(run.signal).toBeNull();
  // Or what to run to see why.
  const isTold = told.includes(error) || (!isHook && /^next: run /m.test(told));
  expect(isDone || isTold ? '' : `${error} is not told`).toBe('');
}

/** Its calls up to the one that was struck. Nothing is looked at where an error came at another one. */
async function struck(scene: Scene, { hook, before }: Lane, strike: Strike): Promise<readonly Call[]> {
  layOut(hook.root, before);
  warmHome(hook.home);
  const { isHook, ...started } = startedOf(scene, hook);
  const mine = personal(hook);
  const { run, calls, isHung } = await traced(started, hook, strike);
  await allGone(hook);
  const { nth, what: wanted } = strike.at;
  const at = calls[nth - 1];
  const isKilled = run.exit === 137 || run.signal === 'SIGKILL';
  if (at === undefined || ('signal' in strike ? !isKilled : at.what !== wanted)) return calls;
  try {
    expect(isHung).toBe(false);
    expect(personal(hook)).toEqual(mine);
    if ('error' in strike) failedOpen(run, strike.error, { isHook, isDone: scene.isDone(hook) });
    scene.isTrue(hook, run.stdout);
    await LOOKS[looks++ % LOOKS.length]?.(hook);
    await scene.goOn(hook);
    await allGone(hook);
    expect(personal(hook)).toEqual(mine);
    gitIsClean(hook);
  } catch (error) {
    const told = `${run.stdout}${run.stderr}`.slice(0, 600);
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${scene.name}, ${show({ ...strike, at })}\n${told}\n${why}`, { cause: error });
  }
  return calls.slice(0, nth);
}

interface Outcome {
  readonly hit: number;
  readonly missed: readonly string[];
  readonly wrong: readonly string[];
}

async function strikeAll(scene: Scene, lanes: readonly Lane[], strikes: readonly Strike[]): Promise<Outcome> {
  const queue = [...strikes];
  const [missed, wrong]: [string[], string[]] = [[], []];
  let hit = 0;
  const aim = async (lane: Lane, strike: Strike) => {
    const { what } = strike.at;
    let [nth, isHit] = [strike.at.nth, false];
    for (let aims = 0; aims < MOST_AIMS && !isHit; aims++) {
      const calls = await struck(scene, lane, { ...strike, at: { ...strike.at, nth } });
      isHit = calls[nth - 1]?.what === what && calls.length >= nth;
      const there = calls.findIndex((call) => call.what === what);
      nth = there === -1 ? nth + 1 : there + 1;
    }
    if (isHit) hit++;
    else missed.push(show(strike));
  };
  await Promise.all(
    lanes.map(async (lane) => {
      for (let strike = queue.shift(); strike !== undefined; strike = queue.shift())
        try {
          await aim(lane, strike);
        } catch (error) {
          const found = error instanceof Error ? error.message : String(error);
          if (IS_LONG) console.error(found);
          wrong.push(found);
        }
    }),
  );
  return { hit, missed, wrong };
}

/** Some of them by the seed; all of them in the long mode. */
function chosen(strikes: readonly Strike[], seed: number): Strike[] {
  if (ALL) return [...strikes];
  const by = chance(seed);
  const [first, ...more] = strikes;
  return first === undefined ? [] : Array.from({ length: Number(STRIKES) }, () => by.of([first, ...more]));
}

const why = whyNoTrace();
if (why !== null) console.error(`kill-everywhere is left out: strace can't trace here (${why})`);

test.skipIf(why !== null).each(SCENES.filter(({ name }) => name.includes(ONLY)))(
  `$name, struck ${ALL ? 'everywhere' : `by seed ${SEED}`}`,
  { timeout: IS_LONG ? 3_600_000 : 120_000 },
  async (scene) => {
    const lanes = await Promise.all(Array.from({ length: LANES }, () => laneFor(scene)));
    try {
      const [lane] = lanes;
      if (lane === undefined) throw new Error('no lane');
      layOut(lane.hook.root, lane.before);
      warmHome(lane.hook.home);
      const { isHook: _, ...started } = startedOf(scene, lane.hook);
      const calls = ofOurs((await traced(started, lane.hook, null)).calls);
      expect(scene.isDone(lane.hook)).toBe(true);
      expect(calls.length).toBeGreaterThan(10);
      const kills = await strikeAll(scene, lanes, KIND === 'errors' ? [] : chosen(killsOf(calls), SEED));
      const errors = await strikeAll(
        scene,
        lanes,
        KIND === 'kills'
          ? []
          : chosen([...errorsOf(calls), ...(scene.hasLoop ? fullOf(calls) : [])], SEED + 1),
      );
      const missed = [...kills.missed, ...errors.missed];
      if (IS_LONG)
        console.log(
          `${scene.name}: ${kills.hit} kills, ${errors.hit} errors, missed: ${missed.join('; ') || 'none'}`,
        );
      expect([...kills.wrong, ...errors.wrong].join('\n\n')).toBe('');
      // Each place was looked for as often as may be.
      expect(ALL ? missed.length : 0).toBeLessThanOrEqual((kills.hit + errors.hit) / 20);
    } finally {
      for (const { hook } of lanes) {
        hook.close();
        rmSync(`${hook.root}.bin`, { recursive: true, force: true });
      }
    }
  },
);
