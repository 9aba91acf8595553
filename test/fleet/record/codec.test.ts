/** The door of the database: what may come in, and that nothing else does, whatever the rows say. */
import { execFileSync } from 'node:child_process';
import { join, relative, sep } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { act } from '#fleet/codec/acts.ts';
import { isNewsLine } from '#fleet/codec/news.ts';
import { address, commit, fitEach, readFileRow, readJournal, ref, UnfitRecord } from '#fleet/codec/rows.ts';
import { loopSummaryRow } from '#fleet/codec/summary.ts';
import { assertKnownRequest, loopRow, submittedRequest } from '#fleet/codec/loop-row.ts';
import { memoryRuntime, pendingLoop } from '#fleet/memory.ts';
import { summaryOf } from '#fleet/record.ts';
import { fold } from '#law/fold/index.ts';
import type { Loop } from '#law/loop.ts';
import { isLoopFileName } from '#store/manifest.ts';
import { askedOf } from '../asked.ts';

const ID = 'RALPH_20260301_1a2b3c4d';
const SHA = 'a'.repeat(40);
const ASKED = askedOf('Work.', { '--check': 'true' });

function honest() {
  const runtime = memoryRuntime();
  const open = pendingLoop(ID, ASKED, runtime);
  const { status, report, requests } = summaryOf(open, runtime);
  const work = {
    repo: 'https://example.org/team/app.git',
    ref: 'main',
    points: null,
    branch: `dacapo/${ID}`,
    base: SHA,
    head: null,
    point: SHA,
    point_ref: `refs/dacapo/${ID}/1/1`,
  };
  const row = {
    id: ID,
    task: 'Fix it',
    account: 'default',
    needs: [],
    worker: null,
    waits_for: null,
    trouble: null,
  };
  return {
    events: open.journal.read(0).events,
    summary: { ...row, ...work, status, report, requests, ready_at: null, is_due: false, at_work: false },
    taken: { ...row, ...work, epoch: 1, events: 2, setup: null, takes: [], request: ASKED },
  };
}

const rows = (events: readonly unknown[]) => events.map((body, k) => ({ n: k + 1, body }));

test('what Da Capo writes comes in', () => {
  const { events, summary, taken } = honest();
  expect(readJournal(ID, rows(events))).toEqual({ events, upTo: events.length, unknown: 0 });
  expect(loopSummaryRow(JSON.parse(JSON.stringify(summary)))).toBe(true);
  expect(loopRow(taken)).toBe(true);
  for (const name of ['usage.json', 'prompts/1.md', 'git/points/3.json', 'evidence/stop-1-a b.txt'])
    expect({ name, ok: isLoopFileName(name) }).toEqual({ name, ok: true });
  for (const words of ['cancel', 'pause', 'resume'] as const) expect(act({ is: words })).toBe(true);
  expect(isNewsLine({ is: 'says', at: '2026-03-01T10:00:00.000Z', text: 'hi' })).toBe(true);
});

test.each([
  'evidence/../../../home/x/.bashrc',
  '../x',
  '/etc/passwd',
  'evidence/a/b',
  'evidence/..',
  '..',
  '',
  'evidence/',
  'evidence\\..\\x',
  'evidence/a\0b',
  'C:x',
  'journal.jsonl',
  'state.json',
  'environment.json',
  'views/markdown',
  'git/objects/info/alternates',
  'prompts/x.tmp',
])('no file of a loop is called %j', (name) => {
  expect(isLoopFileName(name)).toBe(false);
  const file = { name, sha256: '', content: Buffer.from('') };
  expect(() => readFileRow(ID, file)).toThrow(UnfitRecord);
});

test.each(['--upload-pack=touch X;', '-x', 'HEAD', SHA.slice(1), `${SHA}^`, `${SHA}\n`, 'A'.repeat(40), ''])(
  'no commit is %j',
  (word) => expect(commit(word)).toBe(false),
);

test.each(['--upload-pack=touch X;', '-a', 'ext::sh -c x', 'a\nb', ''])('no repository is at %j', (word) =>
  expect(address(word)).toBe(false),
);

test.each(['/srv/app.git', 'git@example.org:team/app.git', 'file:///x', 'ssh://h/x', '.', 'https://[::1]/x'])(
  'a repository may be at %j',
  (word) => expect(address(word)).toBe(true),
);

test('a ref is what git takes for one', () => {
  const piece = fc.constantFrom(
    'a',
    '.',
    '/',
    '-',
    '@',
    '{',
    '~',
    '^',
    ':',
    '.lock',
    ' ',
    '\\',
    '*',
    'é',
    '\t',
  );
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), (pieces) => {
      const name = pieces.join('');
      const git = () => {
        try {
          execFileSync('git', ['check-ref-format', '--branch', name], { stdio: 'ignore' });
          return true;
        } catch {
          return false;
        }
      };
      // `@` and `@{-1}` stand for others.
      const isOther = name === '@' || name.includes('@{');
      expect({ name, is: ref(name) }).toEqual({ name, is: !isOther && git() });
    }),
    { numRuns: 150 },
  );
});

test('events of strangers: each is refused as what it is', () => {
  const { events } = honest();
  const [created, ...others] = events;
  const refused = (bodies: readonly unknown[]) => () => readJournal(ID, rows(bodies));
  expect(refused([{ type: 'created' }])).toThrow('line 1 of its journal is not an event');
  expect(refused([created, { type: 'created' }])).toThrow('line 2 of its journal is not an event');
  expect(refused([created, created])).toThrow('does not begin with exactly one creation of this loop');
  expect(refused(others)).toThrow('does not begin with exactly one creation of this loop');
  expect(refused([{ ...created, id: 'other' }])).toThrow(
    'does not begin with exactly one creation of this loop',
  );
  expect(refused([{ ...created, version: 99 }])).toThrow('a newer Da Capo has begun it');
  expect(refused([null])).toThrow('is longer than');
  expect(() => readJournal(ID, [{ n: 2, body: created }])).toThrow('lacks event 1');
  // A session of the person who pulls it would take such a loop for its own.
  const session = { ...created, definition: { ...Object(Object(created).definition), driver: 'hook' } };
  expect(refused([session])).toThrow('does not begin with exactly one creation of this loop');
  const later = { type: 'invented', at: '2026-03-01T10:00:00.000Z' };
  expect(readJournal(ID, rows([created, later]))).toEqual({ events: [created], upTo: 2, unknown: 1 });
});

/** An honest value in which something was replaced by anything, at any depth. */
function bent(value: unknown): fc.Arbitrary<unknown> {
  const anything = fc.oneof(
    fc.anything({ maxDepth: 2 }),
    fc.constantFrom('../../x', '--upload-pack=x', '__proto__', Number.NaN, -1, Infinity, {}, [], null),
  );
  if (typeof value !== 'object' || value === null) return anything;
  const entries = Object.entries(value);
  if (entries.length === 0) return anything;
  const deeper = fc.constantFrom(...entries).chain(([key, one]) =>
    bent(one).map((other): unknown => {
      const copy: unknown = Array.isArray(value) ? [...value] : { ...value };
      Object.defineProperty(copy, key, {
        value: other,
        enumerable: true,
        configurable: true,
        writable: true,
      });
      return copy;
    }),
  );
  return fc.oneof({ weight: 1, arbitrary: anything }, { weight: 5, arbitrary: deeper });
}

test('a request is the same value after its row, and what no flag could give does not fit', () => {
  const full = askedOf('Work.', {
    '--check': 'npm test',
    '--max-stalls': 'off',
    '--target': 'failures<=0',
    '--review': 'codex:big',
    '--notify': 'desktop',
    '--config': 'none',
    '--view': 'progress',
    '--fresh-every': '3',
  });
  const read: unknown = JSON.parse(JSON.stringify(full));
  expect(submittedRequest(read)).toBe(true);
  expect(read).toEqual(full);
  expect(submittedRequest(JSON.parse(JSON.stringify(ASKED)))).toBe(true);
  for (const bad of [
    { checks: [''] },
    { mode: 'other' },
    { maxIterations: 0 },
    { promise: '<x>' },
    { protect: ['a\n'] },
    { notify: ['command: rm'] },
    { views: 'markdown' },
  ])
    expect({ bad, fits: submittedRequest({ ...ASKED, request: { ...ASKED.request, ...bad } }) }).toEqual({
      bad,
      fits: false,
    });
  const onto = (branch: string) => ({ ...ASKED.plan, part: { set: 's', item: 'i', onto: branch } });
  expect(submittedRequest({ ...ASKED, plan: onto('main') })).toBe(true);
  expect(submittedRequest({ ...ASKED, plan: onto('--upload-pack=x') })).toBe(false);
  expect(submittedRequest({ ...ASKED, plan: { ...ASKED.plan, worktreeOf: '/etc' } })).toBe(false);
});

test('flags as words, as rows had them before, are no request', () => {
  expect(submittedRequest({ prompt: 'Work.', words: ['--check=true'], host: 'claude-code', extra: [] })).toBe(
    false,
  );
});

test('what only a newer program knows is left to newer programs', () => {
  const newer = [
    { ...ASKED, host: 'tomorrow' },
    { ...ASKED, request: { ...ASKED.request, tomorrow: true } },
    { ...ASKED, plan: { ...ASKED.plan, tomorrow: true } },
  ];
  for (const asked of newer) {
    expect(submittedRequest(asked)).toBe(true);
    expect(() => assertKnownRequest(ID, asked)).toThrow(expect.objectContaining({ isNewer: true }));
  }
  expect(() => assertKnownRequest(ID, ASKED)).not.toThrow();
});

/** What came in is folded and shown, as those do who look. */
function use(bodies: readonly unknown[], listed: unknown, row: unknown): readonly (string | null)[] {
  const { events } = readJournal(ID, rows(bodies));
  const loop = events.reduce<Loop | null>(fold, null);
  const shown = loopSummaryRow(listed) ? [listed.id, listed.report.cost_usd.toFixed(2)] : [];
  submittedRequest(row);
  act(row);
  isNewsLine(row);
  const { base, head, point, point_ref, branch, ref: begun, repo } = loopRow(row) ? row : honest().taken;
  return [loop?.id ?? ID, ...shown, base, head, point, point_ref, branch, begun, repo];
}

test('fuzz: whatever a row says, it comes in with its shape or costs its loop', () => {
  const { events, summary, taken } = honest();
  fc.assert(
    fc.property(bent(events), bent(summary), bent(taken), (bodies, listed, row) => {
      const list = Array.isArray(bodies) ? bodies : [bodies];
      // Anything else that is thrown fails the test.
      const words = fitEach([list], (one) => use(one, listed, row)).fitting.flat();
      expect(words.filter((word) => word?.startsWith('-'))).toEqual([]);
    }),
    { numRuns: 1_000 },
  );
});

test('fuzz: no name of a file leads out of the folder of its loop', () => {
  const piece = fc.constantFrom(
    'evidence',
    'prompts',
    'git',
    'points',
    '..',
    '.',
    '/',
    '\\',
    'x',
    '\0',
    ':',
    '',
  );
  const name = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
    fc.array(piece, { maxLength: 4 }).map((pieces) => `evidence/${pieces.join('')}`),
  );
  fc.assert(
    fc.property(name, (given) => {
      fc.pre(isLoopFileName(given));
      const path = relative('/loops/X', join('/loops/X', given)).split(sep);
      expect(path.length).toBeLessThanOrEqual(3);
      expect(path).not.toContain('..');
    }),
    { numRuns: 1_000 },
  );
});
