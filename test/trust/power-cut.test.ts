// @module-tag slow
/**
 * Power cuts: the machine goes off while a loop is started, judged or cancelled. `record-writes.mjs` notes
 * what the process does to files, `crash-images.ts` makes what a disk may hold after a cut at any of these
 * operations, and each of these images has to be lived with: nothing that was told is undone, the hook
 * answers, and the command line shows the loop or says why it can't.
 *
 * TRUST_SEED and TRUST_CUTS choose which images, and how many for each operation.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { jsonLines } from '#base/shape.ts';
import type { Loop } from '#law/loop.ts';
import { homeAt } from '#store/file/home.ts';
import { fileStore } from '#store/file/store.ts';
import { readPromptOf } from '#store/prompts.ts';
import { makeProgram, said, type Payload, type Program } from '../programs/program.ts';
import { crashImage, type Operation } from './crash-images.ts';
import { imageOf, layOut } from './folder-image.ts';

const RECORDER = resolve(import.meta.dirname, 'record-writes.mjs');
const CLI = resolve(import.meta.dirname, '../../dist/cli.cjs');
const SEED = Number(process.env['TRUST_SEED'] ?? 1);
const CUTS = Number(process.env['TRUST_CUTS'] ?? 1);

let program: Program | null = null;
afterEach(() => program?.close());

/** Mulberry32: small, and the same everywhere. */
function chanceFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Compiled code is made again, and large. */
function isCache(path: string): boolean {
  return path.includes('/compiled');
}

type Recovery = (hook: Program) => Promise<void>;

/** What somebody was told before the cut has to be true after it. */
type Promised = (told: string, hook: Program) => void;

interface Cuts {
  /** Cuts only after each of so many operations, where recovering takes long. */
  readonly every?: number;
  readonly looks?: readonly Recovery[];
}

async function cutEverywhere(
  act: () => Payload | readonly string[],
  promised: Promised,
  { every = 1, looks = LOOKS }: Cuts = {},
): Promise<number> {
  const hook = program;
  if (hook === null) throw new Error('no program');
  const before = new Map([...imageOf(hook.root)].filter(([path]) => !isCache(path)));
  layOut(hook.root, before);
  const log = `${hook.root}.writes`;
  const recording = {
    NODE_OPTIONS: `--import=${RECORDER}`,
    WRITES_LOG: log,
    WRITES_BELOW: hook.root,
  };
  const what = act();
  if (Array.isArray(what)) dacapo(hook, what as readonly string[], recording);
  else said(await hook.run(what as Payload, recording));
  const operations = jsonLines(readFileSync(log, 'utf8')) as Operation[];
  rmSync(log);
  expect(operations.length).toBeGreaterThan(3);

  const chance = chanceFrom(SEED);
  let images = 0;
  for (let count = 1 + (SEED % every); count <= operations.length; count += every)
    for (let cut = 0; cut < CUTS; cut++) {
      const told = operations
        .slice(0, count)
        .flatMap((one) => (one.is === 'say' ? [one.text] : []))
        .join('');
      layOut(hook.root, crashImage({ root: hook.root, before, operations }, count, chance));
      images++;
      try {
        promised(told, hook);
        await looks[images % looks.length]?.(hook);
      } catch (error) {
        const at = operations
          .slice(0, count)
          .map(({ is, ...rest }) => `${is} ${JSON.stringify(rest).slice(0, 160)}`);
        throw new Error(`seed ${SEED}, image ${images}, cut after:\n${at.join('\n')}`, { cause: error });
      }
    }
  return images;
}

function dacapo(hook: Program, args: readonly string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], {
    cwd: hook.project,
    env: { ...hook.env, CLAUDECODE: '', ...env },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

function loopsOf(hook: Program): readonly Loop[] {
  return fileStore(homeAt(hook.home))
    .loops()
    .flatMap(({ loop }) => loop ?? []);
}

/**
 * Whatever is left, the hook gives one document or nothing, and the command line says what it finds: half of
 * a start that nobody was told of is named, and hides no other loop. One of them for each image, in turn:
 * they take most of the time.
 */
const LOOKS: readonly Recovery[] = [
  async (hook) => {
    const { status, stderr } = dacapo(hook, ['status']);
    expect([0, 1]).toContain(status);
    expect(stderr).not.toMatch(/\.cjs:\d/);
  },
  async (hook) => {
    const { stderr, stdout } = dacapo(hook, ['list', '--all', '--json']);
    expect(stderr).toMatch(/^(?:Loop \S+ can't be read: its journal does not begin with a loop\n)?$/);
    expect(JSON.parse(stdout)).toHaveLength(loopsOf(hook).length);
  },
  async (hook) => {
    said(await hook.run(hook.stopped('I am back.')));
  },
];

const FLAGS = '--completion-promise COMPLETE --max-iterations 9';

test('a start: a loop that was told of is there, with its prompt', { timeout: 600_000 }, async () => {
  program = makeProgram({ isNew: true });
  const { command } = program;
  const images = await cutEverywhere(
    () => command('dacapo:ralph', `Build the parser. ${FLAGS}`),
    (told, hook) => {
      const started = [['running', 'Build the parser.']];
      const found = () =>
        loopsOf(hook).map((loop) => {
          const open = fileStore(homeAt(hook.home)).open(loop.id);
          const prompt = open && readPromptOf(open, loop);
          open?.close();
          return [loop.status.is, prompt];
        });
      expect(told === '' ? started : found()).toEqual(started);
    },
  );
  expect(images).toBeGreaterThan(20);
});

test('a stop that goes on: the pass that was told of is counted', { timeout: 600_000 }, async () => {
  program = makeProgram();
  await program.start(`Build the parser. ${FLAGS}`);
  await program.stop('One.');
  const { stopped } = program;
  await cutEverywhere(
    () => stopped('Two.'),
    (told, hook) => {
      expect(loopsOf(hook)[0]?.stops).toBeGreaterThanOrEqual(told === '' ? 1 : 2);
    },
  );
});

test('a stop that completes: done stays done', { timeout: 600_000 }, async () => {
  program = makeProgram();
  await program.start(`Build the parser. ${FLAGS}`);
  const { stopped } = program;
  await cutEverywhere(
    () => stopped('<promise>COMPLETE</promise>'),
    (told, hook) => {
      const [loop] = loopsOf(hook);
      expect(told === '' ? ['running', 'completed'] : ['completed']).toContain(loop?.status.is);
    },
  );
});

test('a cancel: what was cancelled stays so', { timeout: 600_000 }, async () => {
  program = makeProgram();
  await program.start(`Build the parser. ${FLAGS}`);
  const id = program.loop().id;
  await cutEverywhere(
    () => ['cancel', id],
    (told, hook) => {
      const [loop] = loopsOf(hook);
      expect(told === '' ? ['running', 'cancelled'] : ['cancelled']).toContain(loop?.status.is);
    },
  );
});

test('an answer: what was answered stays so', { timeout: 600_000 }, async () => {
  program = makeProgram();
  await program.start(`Build the parser. ${FLAGS}`);
  await program.stop('<promise>ASK: Which one?</promise>');
  const [request] = program.loop().people.requests;
  if (request === undefined) throw new Error('nothing was asked');
  await cutEverywhere(
    () => ['answer', request.id, 'The small one.'],
    (told, hook) => {
      const given = loopsOf(hook)[0]?.people.requests[0]?.answer;
      const note = given !== null && given?.is === 'text' ? given.note : null;
      expect(told === '' ? [null, 'The small one.'] : ['The small one.']).toContain(note);
    },
  );
});

/** A host that is found on the way to programs, outside of what is cut. */
function installHost(): string {
  const bin = mkdtempSync(join(tmpdir(), 'dacapo-bin-'));
  onTestFinished(() => rmSync(bin, { recursive: true, force: true }));
  const host = resolve(import.meta.dirname, '../surfaces/cli/host.mjs');
  writeFileSync(join(bin, 'claude'), `#!/bin/sh\nexec '${process.execPath}' '${host}' claude "$@"\n`, {
    mode: 0o755,
  });
  return bin;
}

/** However far it came, the next run takes the loop on, and it gets exactly its two passes. */
const RUNS_ON: Recovery = async (hook) => {
  const [loop] = loopsOf(hook);
  if (loop === undefined) return;
  const { status, stderr } = dacapo(hook, ['run', '--loop', loop.id, '--host', 'claude-code']);
  expect([0, 1, 2, 3, 4]).toContain(status);
  expect(stderr).not.toMatch(/\.cjs:\d/);
  expect(loopsOf(hook)[0]).toMatchObject({ status: { is: 'exhausted' }, frame: { passes: 2 } });
};

test('a run: the next one takes it on from every image', { timeout: 600_000 }, async () => {
  program = makeProgram();
  program.env['PATH'] = `${installHost()}:${program.env['PATH']}`;
  await cutEverywhere(
    () => ['run', 'Build the parser.', '--max-iterations', '2', '--pause', '0', '--host', 'claude-code'],
    (told, hook) => {
      const passes = loopsOf(hook)[0]?.frame.passes ?? 0;
      const isOver = /2 iterations\)/.test(told);
      expect(passes).toBeGreaterThanOrEqual(isOver ? 2 : 0);
    },
    { every: 6, looks: [RUNS_ON, ...LOOKS.slice(0, 2)] },
  );
});
