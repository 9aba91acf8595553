/**
 * What every adapter of the Store port owes (src/store/store.ts). An adapter's test calls this with a bench.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JOURNAL_VERSION } from '#law/record/events.ts';
import { evidenceFile, keepEvidence, readEvidence } from '#store/evidence.ts';
import { sha256 } from '#base/files/sha256.ts';
import { buildManifest } from '#store/manifest.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { keepPrompt, promptPlace, readPromptText } from '#store/prompts.ts';
import type { Store } from '#store/store.ts';
import { after, bound, created, passes } from '../law/given.ts';

export interface StoreBench {
  /** The same store, as another process would open it. */
  readonly open: () => Store;
  readonly end: () => void;
}

const ID = created().id;
const PROJECT = '/project';

export function storeConformance(name: string, makeBench: () => StoreBench): void {
  describe(`${name} as a store`, () => {
    let bench: StoreBench;
    let store: Store;
    let opened: OpenLoop[];
    beforeEach(() => {
      bench = makeBench();
      store = bench.open();
      opened = [];
    });
    afterEach(() => {
      for (const open of opened) open.close();
      bench.end();
    });
    const make = (id = ID): OpenLoop => {
      const open = store.make({ ...created(), id }, () => undefined);
      if (open === 'taken') throw new Error('taken');
      opened.push(open);
      return open;
    };
    const reopen = (): OpenLoop => {
      const open = bench.open().open(ID);
      if (open === null) throw new Error('there is no such loop');
      opened.push(open);
      return open;
    };

    describe('loops', () => {
      it('there is none at first', () => {
        expect(store.loops()).toEqual([]);
        expect(store.open(ID)).toBeNull();
      });

      it('a loop is opened again as it was', () => {
        const open = make();
        for (const event of [bound(), ...passes(3)]) open.write(event);
        open.keep();
        expect(open.loop().frame.passes).toBe(3);
        expect(reopen().loop()).toEqual(open.loop());
        expect(reopen().broken()).toBeNull();
      });

      it('of two who make one loop the second reads taken, and prepares nothing', () => {
        make();
        let prepared = false;
        expect(bench.open().make(created(), () => (prepared = true))).toBe('taken');
        expect(prepared).toBe(false);
      });

      it('what was prepared is there before the first event', () => {
        const open = store.make(created(), ({ blobs }) => keepPrompt(blobs, 'the task'));
        if (open === 'taken') throw new Error('taken');
        opened.push(open);
        expect(readPromptText(reopen().blobs, keepPrompt(open.blobs, 'the task'))).toBe('the task');
      });

      it('a writer reads what the record says, not what it hoped', () => {
        make().write(bound());
        const [mine, theirs] = [reopen(), reopen()];
        theirs.write({ type: 'cancelled', at: after(1000), by: 'terminal', prompt: null });
        const loop = mine.write({ type: 'paused', at: after(1001), by: 'session', why: 'prompt' });
        expect(loop.status.is).toBe('cancelled');
        expect(theirs.look()).toEqual(loop);
      });

      it('tells which version of the journal it writes', () => {
        expect(make().journal.read(0).events[0]).toMatchObject({ type: 'created', version: JOURNAL_VERSION });
      });

      it('copies the record as it is stored', () => {
        const open = make();
        open.write(bound());
        const lines = Buffer.from(open.journal.raw()).toString('utf8').split('\n').filter(Boolean);
        expect(lines.map((line) => JSON.parse(line))).toEqual(open.journal.read(0).events);
      });

      it('lists them in the order of their ids, with what each is', () => {
        make('RALPH_2');
        make('RALPH_1').write(bound());
        expect(store.loops()).toMatchObject([
          { id: 'RALPH_1', loop: { status: { is: 'running' } }, broken: null },
          { id: 'RALPH_2', loop: { status: { is: 'pending' } }, broken: null },
        ]);
      });

      it('the stamp of a loop changes when its record grows, and only then', () => {
        const open = make();
        make('L2');
        const before = new Map(store.stamps().map(({ id, stamp }) => [id, stamp]));
        expect([...before.keys()].toSorted()).toEqual([ID, 'L2'].toSorted());
        expect(
          new Map(
            bench
              .open()
              .stamps()
              .map(({ id, stamp }) => [id, stamp]),
          ),
        ).toEqual(before);
        open.write(bound());
        const after = new Map(store.stamps().map(({ id, stamp }) => [id, stamp]));
        expect(after.get('L2')).toBe(before.get('L2'));
        expect(after.get(ID)).not.toBe(before.get(ID));
      });

      it('summarizes each loop as its record is now, for whoever asks', () => {
        const open = make('RALPH_1');
        make('RALPH_2');
        const seen = () =>
          bench
            .open()
            .summaries()
            .known.map(({ id, ended, projects }) => [id, ended, ...projects]);
        expect(seen()).toEqual([
          ['RALPH_1', false, PROJECT],
          ['RALPH_2', false, PROJECT],
        ]);
        open.write({ type: 'cancelled', at: after(5), by: 'terminal', prompt: null });
        expect(seen()).toEqual([
          ['RALPH_1', true, PROJECT],
          ['RALPH_2', false, PROJECT],
        ]);
        store.remove('RALPH_2');
        expect(seen().map(([id]) => id)).toEqual(['RALPH_1']);
      });

      it('a visit opens each loop that fits once, and closes what nobody keeps', () => {
        make('RALPH_1');
        make('RALPH_2').write({ type: 'cancelled', at: after(5), by: 'terminal', prompt: null });
        make('RALPH_3');
        const visited: string[] = [];
        const keepFirst = (open: OpenLoop) => visited.push(open.loop().id) === 1;
        const look = () => bench.open().visit(({ ended }) => !ended, keepFirst);
        expect(look().known.map(({ id }) => id)).toEqual(['RALPH_1', 'RALPH_2', 'RALPH_3']);
        expect(visited).toEqual(['RALPH_1', 'RALPH_3']);
        look();
        expect(visited.slice(2)).toEqual(['RALPH_1', 'RALPH_3']);
      });

      it('a removed loop is gone, and no other is', () => {
        make('RALPH_1');
        make('RALPH_2');
        store.remove('RALPH_1');
        store.remove('../sessions');
        expect(store.loops().map(({ id }) => id)).toEqual(['RALPH_2']);
        expect(bench.open().open('RALPH_1')).toBeNull();
      });

      it('what is not an id names no loop', () => {
        for (const name of ['../loops', '..', '', 'a/b', 'x'.repeat(129)])
          expect(store.open(name)).toBeNull();
      });
    });

    describe('blobs', () => {
      it('are read by everyone who has the loop open', () => {
        const { blobs } = make();
        expect(blobs.read('a.json')).toBeNull();
        blobs.write('a.json', 'one\r\n\u2028 \uFEFF😀');
        expect(reopen().blobs.read('a.json')).toBe('one\r\n\u2028 \uFEFF😀');
        blobs.write('a.json', 'two', { durable: true });
        expect(reopen().blobs.read('a.json')).toBe('two');
      });

      it('are never overwritten where they are kept: a taken name gets a number', () => {
        const { blobs } = make();
        const names = ['one', 'two', 'three'].map((content) => blobs.keep('e/x.local.md', content));
        expect(names).toEqual(['e/x.local.md', 'e/x.local-2.md', 'e/x.local-3.md']);
        expect(names.map((kept) => reopen().blobs.read(kept))).toEqual(['one', 'two', 'three']);
        expect([blobs.keep('e/.hidden', ''), blobs.keep('e/.hidden', '')]).toEqual([
          'e/.hidden',
          'e/.hidden-2',
        ]);
        expect([blobs.keep('v.1/x', ''), blobs.keep('v.1/x', '')]).toEqual(['v.1/x', 'v.1/x-2']);
      });

      it('keep bytes that are text', () => {
        const { blobs } = make();
        expect(blobs.read(blobs.keep('x', Buffer.from('naïve')))).toBe('naïve');
      });

      it('are listed by how their names begin, in order', () => {
        const { blobs } = make();
        for (const kept of ['c/2.json', 'c/10.json', 'c/deep/1.json', 'd/1.json']) blobs.write(kept, '');
        expect(blobs.list('c/')).toEqual(['c/10.json', 'c/2.json']);
        expect(blobs.list('c/1')).toEqual(['c/10.json']);
        expect(blobs.list('nothing/')).toEqual([]);
      });

      it('are removed, also where there is none', () => {
        const { blobs } = make();
        blobs.write('a', '');
        blobs.remove('a');
        blobs.remove('a');
        expect(blobs.read('a')).toBeNull();
      });

      it('belong to their loop', () => {
        make('RALPH_1').blobs.write('a', 'one');
        expect(make('RALPH_2').blobs.read('a')).toBeNull();
      });

      it('have a place that a person can be told', () => {
        const { blobs } = make();
        expect(blobs.place('a')).toContain(ID);
        expect(blobs.place('a').startsWith(store.place(ID))).toBe(true);
        expect(store.place(ID).startsWith(store.place())).toBe(true);
      });

      it('evidence and prompts are blobs', () => {
        const { blobs } = make();
        expect(keepEvidence(blobs, 'a.txt', 'seen')).toContain('a.txt');
        expect(readEvidence(blobs, 'a.txt')).toBe('seen');
        const key = keepPrompt(blobs, 'the task');
        expect(keepPrompt(blobs, 'the task')).toBe(key);
        expect(promptPlace(blobs, key)).toContain(key);
        expect(() => readPromptText(blobs, 'never-kept')).toThrow(/the prompt is missing/);
      });

      it('the manifest of a loop names what another machine needs, each part with its digest', () => {
        const open = make();
        open.blobs.write('checkpoints/1.json', '{}');
        open.blobs.write('waiting-0.json', '[]');
        open.blobs.write('environment.json', '{"PATH": "/here/alone"}');
        open.blobs.keep('evidence/stop-1.txt', 'output');
        open.keep();
        const parts = buildManifest(open);
        expect(parts.map(({ name }) => name)).toEqual(['checkpoints/1.json', 'waiting-0.json']);
        expect(parts[0]).toMatchObject({ content: '{}', sha256: sha256('{}') });
        open.blobs.write('checkpoints/1.json', '{"a": 1}');
        expect(buildManifest(open)[0]?.sha256).not.toBe(parts[0]?.sha256);
      });

      it('a loop has real folders for what other programs write', () => {
        const open = make();
        writeFileSync(join(open.folder('objects'), 'x'), '');
        const outputs = [evidenceFile(open, 'stop-1.txt'), evidenceFile(open, 'stop-1.txt')];
        for (const path of outputs) writeFileSync(path, '', { flag: 'a' });
        expect(new Set(outputs).size).toBe(2);
      });
    });

    describe('sessions', () => {
      const ENTRY = { loop: ID, process: 7, project: PROJECT };

      it('are kept, replaced and dropped; one call is told that it dropped it', () => {
        const { sessions } = store;
        expect(sessions.find('s1')).toBeNull();
        sessions.keep('s1', ENTRY);
        sessions.keep('s2', { ...ENTRY, process: null });
        sessions.keep('s1', { ...ENTRY, process: 8 });
        expect(bench.open().sessions.find('s1')).toEqual({ ...ENTRY, process: 8 });
        expect(sessions.all().map(({ session }) => session)).toEqual(['s1', 's2']);
        expect([bench.open().sessions.drop('s1'), sessions.drop('s1')]).toEqual([true, false]);
        expect(sessions.find('s1')).toBeNull();
      });

      it('an id that can be no file name is refused, and found nowhere', () => {
        expect(() => store.sessions.keep('../loops', ENTRY)).toThrow(/can't be a file name/);
        expect(store.sessions.find('../loops')).toBeNull();
        expect(store.sessions.drop('../loops')).toBe(false);
      });
    });

    it('what was said once is no news until it is forgotten', () => {
      const { once } = store;
      expect([once.isNews('a'), bench.open().once.isNews('a'), once.isNews('b')]).toEqual([
        true,
        false,
        true,
      ]);
      expect([once.forget('a'), once.forget('a')]).toEqual([true, false]);
      expect([once.isNews('a'), once.isNews('b')]).toEqual([true, false]);
    });

    it('a loop that is ready is found by its project and prompt, whatever white space is around it', () => {
      const { ready } = store;
      expect(ready.any()).toBe(false);
      ready.keep(PROJECT, 'Do it.', ID);
      expect(bench.open().ready.any()).toBe(true);
      expect(ready.find(`${PROJECT}/x/..`, '  Do it.\n')).toBe(ID);
      expect([ready.find('/elsewhere', 'Do it.'), ready.find(PROJECT, 'Do  it.')]).toEqual([null, null]);
      ready.drop(PROJECT, 'Do it. ');
      expect(ready.find(PROJECT, 'Do it.')).toBeNull();
    });

    it('trust is for one file of one project, and can be taken back', () => {
      const { trust } = store;
      const pin = {
        project: PROJECT,
        file: 'a.json',
        digest: 'd1',
        files: [{ file: 'a.json', digest: 'f1' }],
        fields: [],
        at: after(0),
      };
      expect(trust.find(PROJECT, 'a.json')).toBeNull();
      trust.keep(pin);
      trust.keep({ ...pin, file: 'b.json' });
      trust.keep({ ...pin, digest: 'd2' });
      expect(bench.open().trust.find(PROJECT, 'a.json')).toEqual({ ...pin, digest: 'd2' });
      expect(trust.find('/elsewhere', 'a.json')).toBeNull();
      expect([trust.drop(pin), trust.drop(pin)]).toEqual([true, false]);
      expect([trust.find(PROJECT, 'a.json'), trust.find(PROJECT, 'b.json')?.file]).toEqual([null, 'b.json']);
    });

    it('saved hooks are read as they were written', () => {
      const hook = { id: 'h1', taskId: PROJECT, enabled: true, metadata: {}, spec: { kind: 'x' } };
      expect([store.hooks.any(), store.hooks.read()]).toEqual([false, { ok: true, hooks: [] }]);
      store.hooks.write([hook]);
      const again = bench.open().hooks;
      expect([again.any(), again.read()]).toEqual([true, { ok: true, hooks: [hook] }]);
    });

    describe('task logs', () => {
      it('there is none at first', () => {
        expect(store.tasks.ids()).toEqual([]);
        expect(store.tasks.read('TASK-a')).toBeNull();
        expect(() => store.tasks.append('TASK-a', { n: 1 })).toThrow(/TASK-a/);
        expect(bench.open().tasks.read('TASK-a')).toBeNull();
      });

      it('are read by everyone, in the order of writing', () => {
        expect(store.tasks.make('TASK-b', { n: 1, gone: undefined })).toBe(true);
        bench.open().tasks.append('TASK-b', { n: 2 });
        store.tasks.append('TASK-b', { n: 3 }, { durable: false });
        expect(bench.open().tasks.read('TASK-b')).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
        const before = store.tasks.size();
        store.tasks.append('TASK-b', { words: 'x'.repeat(1_000) });
        expect(bench.open().tasks.size()).toBeGreaterThan(before + 1_000);
      });

      it('of two who make one log, the second is told', () => {
        store.tasks.make('TASK-c', { by: 'one' });
        expect(bench.open().tasks.make('TASK-c', { by: 'two' })).toBe(false);
        expect(store.tasks.read('TASK-c')).toEqual([{ by: 'one' }]);
        store.tasks.make('IT-1', {});
        expect(store.tasks.ids()).toEqual(['IT-1', 'TASK-c']);
      });

      it('an id that can be no file name is refused, and found nowhere', () => {
        expect(() => store.tasks.make('../x', {})).toThrow('file name');
        expect(store.tasks.read('../x')).toBeNull();
      });
    });

    it('a machine has one id', () => {
      expect(store.machine()).toMatch(/^\w+$/);
      expect(bench.open().machine()).toBe(store.machine());
    });

    it('a store in use has no leftovers', () => {
      make().keep();
      store.sessions.keep('s1', { loop: ID, process: 7, project: PROJECT });
      const leftovers = store.leftovers({ removed: new Set(), now: after(0), isAlive: () => true });
      expect(leftovers).toEqual([]);
      store.sweep(leftovers);
      expect(store.loops()).toHaveLength(1);
    });
  });
}

/** A folder for a bench of files. */
export function benchFolder(): { readonly dir: string; readonly end: () => void } {
  const dir = mkdtempSync(join(tmpdir(), 'dacapo-store-'));
  return { dir, end: () => rmSync(dir, { recursive: true, force: true }) };
}
