/**
 * What every adapter of the Journal port owes (src/store/open-loop.ts). An adapter's test calls this with a
 * bench: how to open the same record again, and, where its storage can hold half an append, how to put one
 * there.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Event } from '#law/record/events.ts';
import type { Journal } from '#store/open-loop.ts';

export interface Bench {
  /** Opens the one record of this bench, any number of times. */
  readonly open: () => Journal;
  /** Puts raw text at the end of the record; absent where nothing but whole appends can be stored. */
  readonly scribble?: (raw: string) => void;
  readonly end: () => void;
}

export function prompted(prompt: string, at = '2026-01-05T10:00:00.000Z'): Event {
  return { type: 'prompted', at, prompt };
}

function told(journal: Journal, from = 0): string[] {
  return journal.read(from).events.map((event) => ('prompt' in event ? String(event.prompt) : event.type));
}

export function journalConformance(name: string, makeBench: () => Bench): void {
  describe(`${name} as a journal`, () => {
    let bench: Bench;
    let opened: Journal[];
    const open = () => {
      const journal = bench.open();
      opened.push(journal);
      return journal;
    };
    beforeEach(() => {
      bench = makeBench();
      opened = [];
    });
    afterEach(() => {
      for (const journal of opened) journal.close();
      bench.end();
    });

    it('begins empty', () => {
      expect(open().read(0)).toEqual({ events: [], upTo: 0, broken: null });
    });

    it('gives back what was appended, whole and in order, to every reader', () => {
      const [writer, reader] = [open(), open()];
      const hard = prompted('line\none "two" \\ three \u2028 😀 \u0000 four');
      for (const event of [prompted('a'), hard, prompted('c')]) writer.append(event);
      expect(writer.read(0).events).toEqual([prompted('a'), hard, prompted('c')]);
      expect(reader.read(0)).toEqual(writer.read(0));
      expect(open().read(0)).toEqual(writer.read(0));
    });

    it('takes an event of a megabyte', () => {
      const big = prompted('x'.repeat(1_048_576));
      open().append(big);
      expect(open().read(0).events).toEqual([big]);
    });

    it('reads on from a position', () => {
      const [writer, reader] = [open(), open()];
      writer.append(prompted('a'));
      const { upTo } = reader.read(0);
      expect(told(reader, upTo)).toEqual([]);
      writer.append(prompted('b'));
      writer.append(prompted('c'));
      expect(told(reader, upTo)).toEqual(['b', 'c']);
      expect(reader.read(upTo).upTo).toBe(writer.end());
    });

    it('two writers are told apart by one order, and neither loses a line', () => {
      const [left, right] = [open(), open()];
      const wanted: string[] = [];
      for (let k = 0; k < 200; k++) {
        const name = `${k % 3 === 0 ? 'left' : 'right'} ${k}`;
        (k % 3 === 0 ? left : right).append(prompted(name));
        wanted.push(name);
      }
      expect(told(left)).toEqual(wanted);
      expect(told(right)).toEqual(wanted);
    });

    it('what was settled is there for whoever opens it next', () => {
      const journal = open();
      journal.append(prompted('a'));
      journal.settle();
      expect(told(open())).toEqual(['a']);
      expect(journal.end()).toBe(open().end());
    });

    it('tells a watcher that it grew, until it is told to stop', async () => {
      const [writer, reader] = [open(), open()];
      writer.append(prompted('a'));
      let calls = 0;
      const stop = await new Promise<() => void>((resolve) => {
        const end = reader.watch(() => {
          calls++;
          resolve(end);
        });
        writer.append(prompted('b'));
      });
      expect(told(reader)).toEqual(['a', 'b']);
      stop();
      const before = calls;
      writer.append(prompted('c'));
      await new Promise((resolve) => setTimeout(resolve, 700));
      expect(calls).toBe(before);
    });

    describe('what should not be there', () => {
      const scribble = (raw: string) => bench.scribble?.(raw);
      const line = (event: Event) => JSON.stringify(event);
      const half = line(prompted('torn')).slice(0, 25);

      it('an unknown event is passed over, and stays', (context) => {
        if (bench.scribble === undefined) return context.skip();
        const journal = open();
        journal.append(prompted('a'));
        scribble(`\n{"type":"approved","at":"2026-01-05T10:00:00.000Z","by":"someone"}\n`);
        journal.append(prompted('b'));
        expect(journal.read(0)).toMatchObject({ events: [prompted('a'), prompted('b')], broken: null });
      });

      it('a torn last line is skipped, and read when it is complete', (context) => {
        if (bench.scribble === undefined) return context.skip();
        const journal = open();
        journal.append(prompted('a'));
        scribble(`\n${half}`);
        const first = journal.read(0);
        expect(first).toMatchObject({ events: [prompted('a')], broken: null });
        scribble(`${line(prompted('torn')).slice(25)}\n`);
        expect(told(journal, first.upTo)).toEqual(['torn']);
        expect(told(journal)).toEqual(['a', 'torn']);
      });

      it('a torn line in the middle is skipped, and swallows nothing', (context) => {
        if (bench.scribble === undefined) return context.skip();
        const journal = open();
        journal.append(prompted('a'));
        scribble(`\n${half}`);
        journal.append(prompted('b'));
        journal.append(prompted('c'));
        expect(journal.read(0)).toMatchObject({ broken: null });
        expect(told(journal)).toEqual(['a', 'b', 'c']);
      });

      it('two torn lines in a row are skipped', (context) => {
        if (bench.scribble === undefined) return context.skip();
        const journal = open();
        scribble(`\n${half}`);
        scribble(`\n${half}`);
        journal.append(prompted('b'));
        expect(journal.read(0)).toMatchObject({ events: [prompted('b')], broken: null });
      });

      it.each([
        ['no JSON', 'garbage'],
        ['no event', '{"iteration":"three"}'],
        [
          'a known event with a wrong field',
          '{"type":"prompted","at":"2026-01-05T10:00:00.000Z","prompt":7}',
        ],
      ])('a whole line that is %s is reported, and what stands around it is read', (_name, raw) => {
        if (bench.scribble === undefined) return;
        const journal = open();
        journal.append(prompted('a'));
        scribble(`\n${raw}\n`);
        expect(journal.read(0).broken).toBe(raw);
        journal.append(prompted('b'));
        expect(journal.read(0).broken).toBe(raw);
        expect(told(journal)).toEqual(['a', 'b']);
      });
    });
  });
}
