import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RunEvent } from '#engine/run-event.ts';
import { canMoveCursor, isAscii, reflows } from '#surfaces/screen/terminal/style.ts';
import { openJson, openShow } from '#surfaces/screen/open.ts';
import { anyRun, at, begins, Log, plain, SETTING, NO_PAINT } from './given.ts';

const END: RunEvent = {
  is: 'ends',
  at: at(65),
  status: 'completed',
  reason: 'every gate holds',
  iterations: 1,
  workedMs: 61_000,
  next: 'git log shows what was done.',
  commands: [],
};
const RUN: readonly RunEvent[] = [
  begins(1),
  { is: 'says', at: at(1), text: 'One.\nTwo.' },
  { is: 'tool', at: at(2), id: 'a', name: 'Bash', summary: 'npm test' },
  { is: 'tool-ended', at: at(3), id: 'a', failed: true, text: 'many\nlines\nexit code 1\n', lines: 3 },
  {
    is: 'usage',
    at: at(3),
    costUsd: 0.001,
    tokens: 950,
    contextTokens: 1,
    contextWindow: 4,
    isReckoned: false,
  },
  {
    is: 'usage',
    at: at(4),
    costUsd: 0.001,
    tokens: 950,
    contextTokens: 1,
    contextWindow: 4,
    isReckoned: false,
  },
  { is: 'fault', at: at(5), class: 'transient', why: 'overloaded' },
  { is: 'waits', at: at(5), for: 'retry', until: at(9), why: '' },
  { is: 'goes-on', at: at(9) },
  { is: 'checks-begin', at: at(10), commands: ['npm test'] },
  { is: 'check-ended', at: at(11), command: 'npm test', passed: true, ms: 900, tail: '' },
  { is: 'judged', at: at(12), verdict: 'complete', words: 'done', gates: [], missing: [] },
];

describe('paths below the folder of the agent', () => {
  const FOLDER = '/home/u/.local/state/dacapo/worktrees/run_1';
  const ran: readonly RunEvent[] = [
    begins(1),
    { is: 'tool', at: at(1), id: 'a', name: 'Write', summary: `${FOLDER}/src/a.mjs` },
    { is: 'tool-ended', at: at(2), id: 'a', failed: true, text: `no ${FOLDER}/src`, lines: 1 },
    { is: 'tool', at: at(3), id: 'b', name: 'Bash', summary: `rm ${FOLDER}/x` },
    {
      is: 'check-ended',
      at: at(4),
      command: 'npm test',
      passed: false,
      ms: 900,
      tail: `Error: at ${FOLDER}/a.mjs:3`,
    },
  ];

  test('are shown without it, but a command is shown as it ran, and JSON as it was told', () => {
    const shown = (as: 'view' | 'json') => {
      const out = new Log();
      const terminal = { isTerminal: false, env: {}, platform: 'linux' as const };
      const show = openShow(
        { ...SETTING, folder: FOLDER },
        { out, as, paint: NO_PAINT, terminal, now: () => 0 },
      );
      for (const event of ran) show.tell(event);
      return out.text.split('\n').slice(1, -1);
    };
    expect(shown('view').map((line) => line.replace(/^\S+ /, ''))).toEqual([
      'tool Write: src/a.mjs',
      'tool Write failed: no src',
      `tool Bash: rm ${FOLDER}/x`,
      'check failed in 0.9 s: npm test: Error: at a.mjs:3',
    ]);
    expect(shown('json').filter((line) => line.includes(FOLDER))).toHaveLength(4);
  });
});

describe('plain lines', () => {
  test('one for each happening, with its time', () => {
    expect(plain([...RUN, END, begins(2)])).toEqual([
      '2026-03-01T10:00:00Z iteration 1 of 10, model sonnet, session a1b2c3d4',
      '2026-03-01T10:00:01Z says: One. Two.',
      '2026-03-01T10:00:02Z tool Bash: npm test',
      '2026-03-01T10:00:03Z tool Bash failed: exit code 1',
      '2026-03-01T10:00:03Z usage: $0.0010, 950 tokens, context 25 %',
      '2026-03-01T10:00:05Z the service failed: overloaded',
      '2026-03-01T10:00:05Z waits 0:04 for another try',
      '2026-03-01T10:00:09Z continues',
      '2026-03-01T10:00:10Z checks begin: npm test',
      '2026-03-01T10:00:11Z check passed in 0.9 s: npm test',
      '2026-03-01T10:00:12Z judged complete: done',
      '2026-03-01T10:01:05Z ends, completed: every gate holds; 1 iteration, 1 min 1 s, $0.0010, 950 tokens; next: git log shows what was done.',
    ]);
  });

  test('quiet: the headings, the faults, the waits that they cause, and the ending', () => {
    expect(plain([...RUN, END], true).map((line) => line.slice(21, 36))).toEqual([
      'iteration 1 of ',
      'the service fai',
      'waits 0:04 for ',
      'ends, completed',
    ]);
  });

  test('quiet: a warning is said, among them that a Ctrl-C was heard', () => {
    const warning: RunEvent = { is: 'warning', at: at(1), text: 'stopping after this iteration' };
    expect(plain([warning], true)).toEqual([
      expect.stringContaining('warning: stopping after this iteration'),
    ]);
  });

  test('never more than a line for a happening, never a control character', () => {
    fc.assert(
      fc.property(anyRun, (events) => {
        const lines = plain(events);
        expect(lines.length).toBeLessThanOrEqual(events.length);
        const told = events.filter(({ is }) => is !== 'usage').length;
        expect(lines.length).toBeGreaterThanOrEqual(told);
        for (const line of lines) expect(line).toMatch(/^2026-03-01T10:[^\p{Cc}]*$/u);
      }),
    );
  });
});

describe('JSON lines', () => {
  test('a happening a line, as it came, and nothing that a terminal obeys', () => {
    fc.assert(
      fc.property(anyRun, (events) => {
        const out = new Log();
        const show = openJson(out);
        for (const event of events) show.tell(event);
        const lines = out.text.split('\n').slice(0, -1);
        expect(lines.map((line): unknown => JSON.parse(line))).toEqual(events);
        for (const line of lines) expect(line).not.toMatch(/\p{Cc}/u);
      }),
    );
    const out = new Log();
    openJson(out).tell({ at: at(1), text: '\u009B2J', is: 'says' });
    expect(out.text).toBe(`{"is":"says","at":"${at(1)}","text":"\\u009b2J"}\n`);
  });

  test('whoever tells hears that the reader is behind, and when it is not any more', async () => {
    const out = new Log();
    const show = openJson(out);
    expect(show.tell(END)).toBe(true);
    await show.drained();
    out.takes = false;
    expect(show.tell(END)).toBe(false);
    const drained = show.drained();
    out.emit('drain');
    await drained;
    await show.drained();
    expect(show.tell(END)).toBe(false);
    out.emit('close');
    await show.drained();
    expect(out.listenerCount('drain') + out.listenerCount('close')).toBe(0);
  });
});

describe('the terminal', () => {
  const on = (env: Record<string, string>, isTerminal = true, platform = 'linux') => ({
    env,
    isTerminal,
    platform,
  });

  test('a terminal that can move its cursor has the live view', () => {
    expect(canMoveCursor(on({ TERM: 'xterm-256color' }))).toBe(true);
    expect(canMoveCursor(on({ TERM: 'dumb' }))).toBe(false);
    expect(canMoveCursor(on({ TERM: 'xterm-256color' }, false))).toBe(false);
  });

  test.each([
    [{ LANG: 'C.UTF-8' }, false],
    [{ LANG: 'de_DE.utf8' }, false],
    [{}, false],
    [{ LANG: '' }, false],
    [{ LANG: 'en_US.UTF-8', LC_ALL: 'C' }, true],
    [{ LANG: 'de_DE.ISO-8859-1' }, true],
    [{ TERM: 'dumb', LANG: 'C.UTF-8' }, true],
  ])('%j is for ASCII alone: %s', (env, ascii) => {
    expect(isAscii(on(env as Record<string, string>))).toBe(ascii);
  });

  test('terminals that cut lines off are known', () => {
    expect(reflows(on({ TERM: 'xterm-256color' }))).toBe(true);
    expect(reflows(on({ TERM: 'linux' }))).toBe(false);
    expect(reflows(on({ TERM: 'xterm', XTERM_VERSION: 'XTerm(390)' }))).toBe(false);
    expect(reflows(on({ TERM: 'tmux', TMUX: '/tmp/x', XTERM_VERSION: 'XTerm(390)' }))).toBe(true);
  });

  test.each([
    ['view', true, /^\p{Cc}\[\?25l/u],
    ['view', false, /^2026-03-01T10:00:00Z iteration 1/],
    ['quiet', true, /^2026-03-01T10:00:00Z iteration 1/],
    ['json', true, /^\{"is":"iteration-begins"/],
  ] as const)('asked for %s on a terminal (%s)', (as, isTerminal, looks) => {
    const out = new Log();
    const terminal = on({ TERM: 'xterm' }, isTerminal);
    const show = openShow(SETTING, { out, as, paint: NO_PAINT, terminal, now: Date.now });
    show.tell(begins(1));
    show.tell(END);
    show.close();
    expect(out.text).toMatch(looks);
    expect(out.text).toContain('every gate holds');
  });

  test("Node's own stdout will do", () => {
    const show = openShow(SETTING, {
      out: process.stdout,
      as: 'quiet',
      paint: NO_PAINT,
      terminal: on({}),
      now: Date.now,
    });
    show.close();
  });
});
