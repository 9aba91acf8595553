/**
 * What every headless host owes its drivers (src/hosts/port/headless.ts). A host's test calls this with
 * streams that its real program has written, each with how that pass ended.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PASS_PLACE } from './pass-place.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readStream } from '#engine/driver/pass/pass-record.ts';
import type { PassOutcome, HeadlessHost, Pass, PassEnd } from '#hosts/port/headless.ts';
import type { StreamEvent } from '#hosts/port/stream.ts';

export interface Recorded {
  readonly name: string;
  readonly lines: readonly string[];
  readonly exit: number | null;
  readonly signal?: string;
  readonly stderr?: string;
  /** What `classify` must say of it, at least. */
  readonly outcome: Partial<PassOutcome>;
}

/** Reads the streams beside a test: what the real program wrote, with the scripted model behind it. */
export function streamsIn(folder: string) {
  return (name: string, exit: number, outcome: Partial<PassOutcome>): Recorded => {
    const text = readFileSync(join(folder, 'streams', `${name}.jsonl`), 'utf8');
    return { name, lines: text.trimEnd().split('\n'), exit, outcome };
  };
}

export interface HeadlessBench {
  readonly host: HeadlessHost;
  readonly recorded: readonly Recorded[];
  /** The same line with other prose: whatever a model, a tool or the host has written for people. */
  readonly disguise: (line: string, prose: string) => string;
}

export const PASS: Pass = {
  session: '3f0f5a3e-94c7-4d0c-9b0e-2f4f6f0c7a11',
  resume: null,
  prompt: 'Write a poem.',
  compact: false,
  model: null,
  fallbackModel: null,
  permissionMode: null,
  allowedTools: [],
  budgetUsd: null,
  extra: [],
};

/** A recorded pass, read and judged as a driver does it. */
export function replay(
  host: HeadlessHost,
  { lines, exit, signal, stderr }: Omit<Recorded, 'name' | 'outcome'>,
) {
  const seen: StreamEvent[] = [];
  const reader = readStream(host, (one) => seen.push(one));
  reader.push(Buffer.from(lines.map((line) => `${line}\n`).join('')));
  reader.end();
  const end: PassEnd = {
    exit,
    signal: signal ?? null,
    unstartable: null,
    stderr: stderr ?? '',
    record: reader.record(),
  };
  return { seen, record: reader.record(), outcome: host.classify(end) };
}

function kindOf(outcome: Partial<PassOutcome>): string {
  return outcome.is === 'fatal' ? `fatal ${outcome.kind}` : String(outcome.is);
}

/** Words that others have taken for limits and errors. */
const TRAPS =
  'API Error: 429 rate limit exceeded, usage limit reached, 401 invalid api key, credit balance too low, <promise>COMPLETE</promise>';
const WORDS: readonly StreamEvent['is'][] = [
  'init',
  'text',
  'tool',
  'tool-outcome',
  'denied',
  'refused',
  'subagent',
  'asks',
  'answered',
  'retry',
  'fallback',
  'rate-limit',
  'context',
  'usage',
  'compacted',
  'fault',
  'result',
  'noise',
  'other',
];

export function headlessConformance({ host, recorded, disguise }: HeadlessBench): void {
  describe(`${host.name} as a headless host`, () => {
    describe('its command', () => {
      it('gives the prompt on stdin, whole, and nowhere else', () => {
        const prompt = `--help\n${'x'.repeat(3_000_000)} "quoted" $HOME \u{1f600}`;
        const { args, stdin } = host.command({ ...PASS, prompt }, PASS_PLACE);
        expect(stdin).toBe(prompt);
        expect(args.join(' ').length).toBeLessThan(2_000);
      });

      it('keeps what is installed of our hook out of the way, and leaves DACAPO_DISABLE to the person', () => {
        const { env } = host.command(PASS, PASS_PLACE);
        expect(env).toMatchObject({ DACAPO_DRIVEN: '1' });
        expect(env).not.toHaveProperty('DACAPO_DISABLE');
      });

      it('names the session that it begins, or the one that it goes on in', () => {
        expect(host.command(PASS, PASS_PLACE).args.includes(PASS.session)).toBe(
          host.can.chooseSession === true,
        );
        const { args } = host.command({ ...PASS, resume: 'earlier' }, PASS_PLACE);
        expect(args).toContain('earlier');
        expect(args).not.toContain(PASS.session);
      });

      it('passes on what the person adds, last and in order', () => {
        const extra = ['--one', 'two words', '--three=3'];
        const full: Pass = { ...PASS, extra, model: 'm', allowedTools: ['Bash(npm test *)'], budgetUsd: 2 };
        expect(host.command(full, PASS_PLACE).args.slice(-3)).toEqual(extra);
      });

      it('says nothing about what it was told nothing about', () => {
        const { args } = host.command(PASS, PASS_PLACE);
        const told = host.command(
          {
            ...PASS,
            model: 'big',
            fallbackModel: 'small',
            permissionMode: 'careful',
          },
          PASS_PLACE,
        );
        const line = told.args.join(' ');
        const hasModes = host.permissionModes.length > 0;
        expect(line).toMatch(hasModes ? /\bbig\b.*\bcareful\b/ : /\bbig\b/);
        expect(line.includes('small')).toBe(host.can.fallbackModel === true);
        // A flag has a value, or is one word.
        expect(told.args.length).toBeLessThanOrEqual(args.length + (host.can.fallbackModel ? 6 : 4));
      });
    });

    it('tells its own session where it does not take ours', () => {
      if (host.can.chooseSession) return;
      for (const one of recorded.filter(({ exit }) => exit === 0))
        expect(replay(host, one).record.session).toMatch(/./);
    });

    describe('its stream', () => {
      it('is read without a throw, whatever it holds', () => {
        const known = (line: string) =>
          host
            .openStream()
            .read(line)
            .every(({ is }) => WORDS.includes(is));
        fc.assert(fc.property(fc.string(), known));
        fc.assert(fc.property(fc.jsonValue(), (value) => known(JSON.stringify(value))));
      });

      it('is read without a throw where fields are of another kind', () => {
        const lines = recorded.flatMap((one) => one.lines);
        const anything = fc.oneof(
          fc.constant(null),
          fc.integer(),
          fc.string(),
          fc.constant([1]),
          fc.constant({}),
        );
        fc.assert(
          fc.property(fc.constantFrom(...lines), fc.nat(), anything, (line, at, other) => {
            let n = 0;
            const bent: unknown = JSON.parse(line, (_key, value: unknown) =>
              n++ === at % 60 ? other : value,
            );
            return host
              .openStream()
              .read(JSON.stringify(bent))
              .every(({ is }) => WORDS.includes(is));
          }),
          { numRuns: 1_000 },
        );
      });

      it('half a line is noise, and an empty line nothing', () => {
        for (const { lines } of recorded)
          for (const line of lines)
            expect(host.openStream().read(line.slice(0, -2))).toMatchObject([{ is: 'noise' }]);
        expect(host.openStream().read('')).toEqual([]);
      });

      it('shows tools in one bounded line, and their outcomes in few', () => {
        const seen = recorded.flatMap((one) => replay(host, one).seen);
        const summaries = seen.flatMap((one) => (one.is === 'tool' ? [one.summary] : []));
        const outcomes = seen.flatMap((one) => (one.is === 'tool-outcome' ? [one.text.length] : []));
        expect(summaries.filter((summary) => !/^.{0,200}$/.test(summary))).toEqual([]);
        expect(Math.max(...outcomes)).toBeLessThan(3_000);
      });
    });

    describe('its end', () => {
      it.each(recorded)('$name', (one) => {
        expect(replay(host, one).outcome).toMatchObject(one.outcome);
      });

      it.each(recorded)('$name: by structure, whatever the prose says', (one) => {
        const lines = one.lines.map((line) => disguise(line, TRAPS));
        const { outcome } = replay(host, { ...one, lines });
        expect(kindOf(outcome)).toBe(kindOf(one.outcome));
      });

      it('a program that can not be started needs a person', () => {
        const { record } = replay(host, { lines: [], exit: null });
        const end: PassEnd = { exit: null, signal: null, unstartable: 'spawn ENOENT', stderr: '', record };
        expect(host.classify(end)).toEqual({ is: 'fatal', kind: 'config', why: 'spawn ENOENT' });
      });

      it('a signal from outside is a crash, before and after it has begun', () => {
        const [first] = recorded;
        const begun = { lines: first?.lines.slice(0, 1) ?? [], exit: null, signal: 'SIGKILL' };
        for (const one of [begun, { ...begun, lines: [] }])
          expect(replay(host, one).outcome).toMatchObject({ is: 'crashed', exit: null, signal: 'SIGKILL' });
      });
    });
  });
}
