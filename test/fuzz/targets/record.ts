/** What a journal and the record of a fleet hold. Other versions, and workers that were taken over, write them. */
import { fold } from '#law/fold/index.ts';
import { type Loop } from '#law/loop.ts';
import { readEvent, type Event } from '#law/record/events.ts';
import { act } from '#fleet/codec/acts.ts';
import { loopRow } from '#fleet/codec/loop-row.ts';
import { isNewsLine } from '#fleet/codec/news.ts';
import { address, readFileRow, readJournal, ref, UnfitRecord } from '#fleet/codec/rows.ts';
import { loopSummaryRow } from '#fleet/codec/summary.ts';
import { isRecord, recordsIn, textAt } from '#base/shape.ts';
import { sayEvent } from '#telling/event.ts';
import { sayStatus } from '#telling/person/status.ts';
import { bound, claim, created, PROMISE, verdict } from '../../law/given.ts';
import { JSON_WORDS, lines, must, parsed, type Target } from '../target.ts';

function eventsIn(text: string): Event[] {
  return text.split('\n').flatMap((line) => {
    const read = readEvent(parsed(line));
    return read.is === 'event' ? [read.event] : [];
  });
}

/** The cache keeps a loop as JSON: from there the fold goes on to the same loop. */
function foldAll(text: string): unknown {
  let loop: Loop | null = null;
  for (const event of eventsIn(text)) {
    sayEvent(event);
    const kept: Loop | null = loop && (JSON.parse(JSON.stringify(loop)) as Loop);
    const passes: number = loop?.frame.passes ?? 0;
    loop = fold(loop, event);
    const again = fold(kept, event);
    must(JSON.stringify(again) === JSON.stringify(loop), 'a loop goes on from its cache as it was', event);
    const isOneMore = (loop?.frame.passes ?? 0) <= passes + 1 || loop?.frame.id !== kept?.frame.id;
    must(isOneMore, 'one event counts one pass at most', event);
  }
  return loop && [sayStatus(loop), loop.status];
}

/** What a row is worth is said by an error of its own. */
function unfit(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnfitRecord) return error.refusal.code;
    throw error;
  }
}

const ID = 'RALPH_20260105_abc123';

function readRows(text: string): unknown {
  const value = parsed(text);
  const rows = recordsIn(value).map((row, at) => ({ n: at + 1, body: row['body'] ?? row }));
  const file = isRecord(value) ? value : {};
  const row = { name: textAt(file, 'name'), sha256: textAt(file, 'sha256'), content: Buffer.from(text) };
  return [
    unfit(() => readJournal(ID, rows).upTo),
    unfit(() => readFileRow(ID, row).name),
    [loopRow(value), loopSummaryRow(value), isNewsLine(value), act(value)],
  ];
}

function readRefs(text: string): unknown {
  if (ref(text)) must(!/^-|\.\.|[ \t\n~^:?*[\\]|@\{/.test(text), 'a ref is no option and no range', text);
  if (address(text))
    must(!/^(?:-|[A-Za-z0-9+.-]+::)/.test(text), 'an address is no option and no program', text);
  return [ref(text), address(text)];
}

export const RECORD: readonly Target[] = [
  {
    name: 'journal, fold and words',
    samples: [
      lines(created(), bound(), claim(1), verdict(1)),
      lines(created({ gates: [PROMISE] }), claim(1)),
      lines(created(), bound(), claim(1), verdict(1), claim(2), verdict(2), claim(2), verdict(2)),
    ],
    words: [...JSON_WORDS, '"type":"cancelled",', '"type":"resumed",', '"n":', '"by":"terminal"', '\n'],
    read: foldAll,
  },
  {
    name: 'rows of the record',
    samples: [
      JSON.stringify([created({ driver: 'fresh' }), bound(), claim(1), verdict(1)]),
      JSON.stringify({ name: 'evidence/pass-1.jsonl', sha256: 'a'.repeat(64) }),
      '{"is":"resume","limits":{"iterations":3},"by":"page"}',
      '{"is":"judged","at":"2026-01-05T10:00:00.000Z","verdict":"continue","words":"x","gates":[],"missing":[]}',
    ],
    words: [...JSON_WORDS, '"is":"cancel"', '../', '"name":', '"body":'],
    read: readRows,
  },
  {
    name: 'refs and addresses of the record',
    samples: ['refs/heads/main', 'dacapo/RALPH_20260105_abc123', 'https://x.invalid/a.git', 'git@x:a/b.git'],
    words: ['..', '@{', '.lock', '-', '::', 'ext::', '/', '.'],
    read: readRefs,
  },
];
