import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Event } from '#law/record/events.ts';
import { fold } from '#law/fold/index.ts';
import type { Loop } from '#law/loop.ts';
import {
  PROGRESS_ITERATIONS,
  readProgress,
  readProgressLines,
  renderProgress,
} from '#evidence/views/progress/format.ts';
import { LOOP_FILES, LOOP_FOLDER } from '#evidence/views/places.ts';
import { after, claim, passes, running, verdict } from '../../../law/given.ts';

const fifteen = (...events: Event[]): Loop => running({ iterations: 15 }, ...events);
const third = fifteen(...passes(2));
const completed = fifteen(...passes(2), claim(3), verdict(3, { verdict: { is: 'complete' } }));
const exhausted = fifteen(
  ...passes(14),
  claim(15),
  verdict(15, { verdict: { is: 'exhaust', limit: 'iterations', missing: [] } }),
);

const NOTES = `# City dashboard

Status: IN_PROGRESS
Iteration: 2
Max Iterations: 15

## Log
- HTTP Status: 200 for /cities
- Iteration: 1 did the header
Status: notes of feature 1
`;

describe('an existing progress.txt', () => {
  it('changes in its lines only', () => {
    expect(renderProgress(third, NOTES)).toBe(NOTES.replace('Iteration: 2', 'Iteration: 3'));
    expect(renderProgress(completed, NOTES)).toBe(
      NOTES.replace('Status: IN_PROGRESS', 'Status: COMPLETE').replace('Iteration: 2', 'Iteration: 3'),
    );
    expect(renderProgress(exhausted, NOTES)).toBe(
      NOTES.replace('Status: IN_PROGRESS', 'Status: REACHED_LIMIT').replace('Iteration: 2', 'Iteration: 15'),
    );
  });

  it('keeps what is true already, remarks and all', () => {
    const remarked = 'Status: IN_PROGRESS # half way\n  Iteration:   3 / 15\n- Max Iterations: 15 (raised)';
    expect(renderProgress(third, remarked)).toBe(remarked);
  });

  it('keeps CRLF, a byte order mark and a missing last newline', () => {
    const windows = '\uFEFFStatus: COMPLETE\r\nIteration: 1\r\nMax Iterations: 10\r\nNotes';
    expect(renderProgress(third, windows)).toBe(
      '\uFEFFStatus: IN_PROGRESS\r\nIteration: 3\r\nMax Iterations: 15\r\nNotes',
    );
  });

  it('keeps every other byte, in any encoding', () => {
    const head = Buffer.from('Iteration: 1\r\n', 'latin1');
    const tail = Buffer.from('\r\nStatus: COMPLETE\nMax Iterations: 15\n', 'latin1');
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.uint8Array({ maxLength: 60 }), (before, inside) => {
        const notes = [before, inside].map((bytes) => Buffer.from([...bytes].filter((byte) => byte !== 58)));
        const file = Buffer.concat([notes[0] ?? head, Buffer.from('\n'), head, notes[1] ?? head, tail]);
        const rendered = Buffer.from(renderProgress(third, file.toString('latin1')), 'latin1');
        const wanted = file
          .toString('latin1')
          .replace('Iteration: 1\r', 'Iteration: 3\r')
          .replace('Status: COMPLETE', 'Status: IN_PROGRESS');
        expect(rendered.toString('latin1')).toBe(wanted);
      }),
    );
  });

  it('gets back a line that it lost, below the others', () => {
    expect(renderProgress(third, 'Status: COMPLETE\r\nNotes\r\n')).toBe(
      'Status: IN_PROGRESS\r\nIteration: 3\r\nMax Iterations: 15\r\nNotes\r\n',
    );
    expect(renderProgress(third, 'Notes\nMax Iterations: 15')).toBe(
      'Notes\nMax Iterations: 15\nStatus: IN_PROGRESS\nIteration: 3',
    );
    expect(renderProgress(third, 'Notes\n')).toBe(
      'Status: IN_PROGRESS\nIteration: 3\nMax Iterations: 15\n\nNotes\n',
    );
    // A line above the last one became longer meanwhile.
    expect(renderProgress(third, 'Max Iterations: 5\nIteration: 3\nNotes\n')).toBe(
      'Max Iterations: 15\nIteration: 3\nStatus: IN_PROGRESS\nNotes\n',
    );
  });

  it.each(['NOT_STARTED', '', 'Pending, not yet begun'])(
    'replaces the status %j beside the counters',
    (word) => {
      expect(
        renderProgress(third, `# P\nStatus: ${word}\nIteration: 0\nMax Iterations: 15\n\nStatus: mine\n`),
      ).toBe('# P\nStatus: IN_PROGRESS\nIteration: 3\nMax Iterations: 15\n\nStatus: mine\n');
    },
  );

  it.each([
    ['a status of their own', 'Status: WAITING for user manual steps (M1: OAuth token)\nNext: deploy\n'],
    ['a type in the notes', "# Health endpoint\n\n    - Status: 'ok' | 'degraded' | 'error'\n"],
    ['a finished session far below', '# Log\n\n## Session 1\n- done\n\nmore\n\nStatus: COMPLETE\n'],
    ['a word that only begins like ours', 'Status: COMPLETE-ish\n'],
  ])('leaves what people write alone: %s', (_name, notes) => {
    const rendered = renderProgress(third, notes);
    expect(rendered).toBe(`Status: IN_PROGRESS\nIteration: 3\nMax Iterations: 15\n\n${notes}`);
    expect(renderProgress(completed, rendered)).toBe(rendered.replace('IN_PROGRESS', 'COMPLETE'));
  });

  it('a session that its notes call complete does not end the loop', () => {
    const notes = 'Iteration: 2\n\n\n\n\nStatus: COMPLETE\n';
    expect(readProgressLines(notes)).toMatchObject({ ok: true, status: null, iteration: 2 });
  });

  it('rendered twice is rendered once', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.constantFrom(third, completed, exhausted),
        (text, loop) => {
          const once = renderProgress(loop, text);
          expect(renderProgress(loop, once)).toBe(once);
        },
      ),
    );
  });
});

describe('a progress.txt that is not there yet', () => {
  it('is made', () => {
    expect(renderProgress(third, null)).toBe(
      `# Progress of ${third.id}\n\nStatus: IN_PROGRESS\nIteration: 3\nMax Iterations: 15\n\n## Notes\n\n`,
    );
    expect(renderProgress(third, ' \n')).toBe(renderProgress(third, null));
    expect(renderProgress(running({ iterations: null }), null)).toContain('Max Iterations: unlimited\n');
  });

  it('stands where its own script looks for it', () => {
    expect(LOOP_FOLDER).toBe('.claude/data/ralph-loops/current');
    expect(LOOP_FILES).toEqual({
      progress: 'progress.txt',
      features: 'feature_list.json',
      prompt: 'RALPH_PROMPT.md',
      log: 'hook.log',
    });
  });
});

describe('progress.txt as its own script writes it', () => {
  /** From "Node.js Alternative" of its document, as it stands there. */
  function updateProgress(text: string, status: string, iteration: number): string {
    const updated = text
      .replace(/Status:.*/, `Status: ${status}`)
      .replace(/Iteration:.*/, `Iteration: ${iteration}`);
    return updated;
  }

  it('reads what is rendered', () => {
    const progressText = renderProgress(third, null);
    const currentIteration = parseInt(progressText.match(/Iteration:\s*(\d+)/)?.[1] || '1');
    const maxIterations = parseInt(progressText.match(/Max Iterations:\s*(\d+)/)?.[1] || '15');
    expect([currentIteration, maxIterations]).toEqual([3, 15]);
  });

  it('writes the same', () => {
    const before = 'Status: IN_PROGRESS\nIteration: 2\nMax Iterations: 15\n\nNotes\n';
    expect(renderProgress(third, before)).toBe(updateProgress(before, 'IN_PROGRESS', 3));
    expect(renderProgress(completed, before)).toBe(updateProgress(before, 'COMPLETE', 3));
    expect(renderProgress(exhausted, before)).toBe(updateProgress(before, 'REACHED_LIMIT', 15));
  });

  it('has 15 iterations where nothing is said', () => {
    expect(readProgressLines('Notes')).toEqual({ ok: true, status: null, iteration: null, iterations: null });
    expect(PROGRESS_ITERATIONS).toBe(15);
  });
});

describe('what people change', () => {
  const rendered = renderProgress(third, NOTES);

  it.each<[string, string, object]>([
    ['nothing', rendered, { is: 'untouched' }],
    ['notes', `${rendered}- more\n`, { is: 'untouched' }],
    [
      'the counter and the status',
      rendered.replace('Iteration: 3', 'Iteration: 1').replace('IN_PROGRESS', 'COMPLETE'),
      { is: 'untouched' },
    ],
    ['no counter at all', rendered.replace('Iteration: 3', 'Iteration: three'), { is: 'untouched' }],
    ['the line away', rendered.replace('Max Iterations: 15\n', ''), { is: 'untouched' }],
    [
      'the limit',
      rendered.replace('Max Iterations: 15', 'Max Iterations: 30'),
      { is: 'edited', prompt: null, iterations: 30 },
    ],
    [
      'the limit, with a remark',
      rendered.replace('Max Iterations: 15', 'Max Iterations: 020, then look'),
      { is: 'edited', prompt: null, iterations: 20 },
    ],
    [
      'no limit',
      rendered.replace('Max Iterations: 15', 'Max Iterations: Unlimited'),
      { is: 'edited', prompt: null, iterations: 'unlimited' },
    ],
    [
      'zero',
      rendered.replace('Max Iterations: 15', 'Max Iterations: 0'),
      { is: 'garbage', why: 'Max Iterations is not a positive number: 0' },
    ],
    [
      'no number',
      rendered.replace('Max Iterations: 15', 'Max Iterations: many'),
      { is: 'garbage', why: 'Max Iterations is not a positive number: many' },
    ],
    [
      'a number without end',
      rendered.replace('Max Iterations: 15', `Max Iterations: ${'9'.repeat(30)}`),
      { is: 'garbage', why: `Max Iterations is not a positive number: ${'9'.repeat(30)}` },
    ],
  ])('%s', (_name, content, reading) => {
    expect(readProgress(content, third, rendered)).toEqual(reading);
  });

  it('a limit that was raised elsewhere is not an edit of the file that shows the old one', () => {
    const raised =
      fold(third, { type: 'amended', at: after(0), by: 'terminal', prompt: null, iterations: 30 }) ?? third;
    expect(readProgress(rendered, raised, rendered)).toEqual({ is: 'untouched' });
    // And one back to an old limit is an edit.
    const shown = renderProgress(raised, rendered);
    expect(readProgress(shown.replace('30', '15'), raised, shown)).toEqual({
      is: 'edited',
      prompt: null,
      iterations: 15,
    });
  });

  it('a file of others is refused where a counter is not a number', () => {
    expect(readProgressLines('Iteration: three')).toEqual({
      ok: false,
      why: 'Iteration is not a number: three',
    });
    expect(readProgressLines('Max Iterations:')).toMatchObject({ ok: false });
    expect(readProgressLines(NOTES)).toEqual({
      ok: true,
      status: 'IN_PROGRESS',
      iteration: 2,
      iterations: 15,
    });
  });
});
