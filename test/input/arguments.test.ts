import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Granted } from '#base/refusal.ts';
import { parseStart, withDefaults, type FieldsWithoutDefault, type StartRequest } from '#input/arguments.ts';
import { flagsIn } from '#input/flag.ts';
import { LOOP_FLAGS } from '#input/loop-flags.ts';
import type { StartOptions } from '#input/options.ts';
import { PLAN_FLAGS, RUN_FLAGS } from '#input/run-flags.ts';
import { parseStartWords } from './start-words.ts';

const DEFAULTS: Granted<StartRequest> = {
  ok: true,
  prompt: 'fix it',
  name: null,
  driver: 'hook',
  nest: false,
  mode: 'loop',
  items: null,
  itemsFrom: null,
  maxItems: null,
  maxIterations: 50,
  promise: 'COMPLETE',
  checks: [],
  heldOut: [],
  features: null,
  watchFile: null,
  doneFolder: null,
  require: 'all',
  reviewers: [],
  rubric: null,
  maxReviews: null,
  minIterations: 0,
  confirm: null,
  measures: [],
  keep: [],
  targets: [],
  protect: [],
  ground: [],
  testsMayChange: false,
  redFirst: false,
  clean: false,
  setup: null,
  approve: [],
  approveDone: false,
  approvalTimeoutMs: null,
  approvalPolicy: 'file',
  approvals: null,
  timeoutMs: null,
  checkTimeoutMs: null,
  checksTimeoutMs: null,
  checkLater: false,
  recheckMs: null,
  parallel: null,
  config: null,
  promiseByDefault: true,
  maxCostUsd: null,
  maxTokens: null,
  maxStalls: undefined,
  views: ['markdown'],
  vault: null,
  notify: [],
  staleAfterMs: 7_200_000,
};

const HOUR = 3_600_000;

describe('the options', () => {
  const cases: [string, Partial<StartRequest>][] = [
    ['fix it', {}],
    ['  fix it\n', {}],
    ['fix it --max-iterations 3', { maxIterations: 3 }],
    ['--max-iterations 3 fix it', { maxIterations: 3 }],
    ['fix --max-iterations 3 it', { maxIterations: 3 }],
    ['fix it --max-iterations\n3', { maxIterations: 3 }],
    ['fix it --max-iterations 007', { maxIterations: 7 }],
    ['fix it --max-iterations "3"', { maxIterations: 3 }],
    ['fix it --max-iterations unlimited', { maxIterations: null }],
    ['fix it --completion-promise DONE', { promise: 'DONE' }],
    ['fix it --completion-promise "ALL DONE"', { promise: 'ALL DONE' }],
    ["fix it --completion-promise='ALL DONE'", { promise: 'ALL DONE' }],
    ["fix it --completion-promise 'it's done'", { promise: "it's done" }],
    ["fix it --completion-promise don't", { promise: "don't" }],
    ['fix it --completion-promise "say \\"hi\\" \\n"', { promise: 'say "hi" \\n' }],
    ['fix it --completion-promise " ALL\n DONE "', { promise: 'ALL DONE' }],
    ['fix it --completion-promise "coverage > 90% && x < 5"', { promise: 'coverage > 90% && x < 5' }],
    ['fix it --completion-promise BLOCKED', { promise: 'BLOCKED' }],
    ['fix it --completion-promise=--x', { promise: '--x' }],
    ['fix it --completion-promise "--x"', { promise: '--x' }],
    ['fix it --completion-promise -1', { promise: '-1' }],
    ['fix it --completion-promise a=b', { promise: 'a=b' }],
    ['fix it --check "npm test"', { promise: null, checks: ['npm test'] }],
    ["fix it --check 'npm test' --check=true", { promise: null, checks: ['npm test', 'true'] }],
    ['fix it --check true --check true', { promise: null, checks: ['true', 'true'] }],
    ['fix it --check true --completion-promise X', { promise: 'X', checks: ['true'] }],
    ['fix it --check \'grep "a b" x\'', { promise: null, checks: ['grep "a b" x'] }],
    ['fix it --check "node -e \'1\'"', { promise: null, checks: ["node -e '1'"] }],
    ['fix it --check C:\\bin\\x.exe', { promise: null, checks: ['C:\\bin\\x.exe'] }],
    ['fix it --features feature_list.json', { promise: null, features: 'feature_list.json' }],
    ['fix it --features " docs/My list.md "', { promise: null, features: 'docs/My list.md' }],
    ['fix it --features a.json --completion-promise X', { promise: 'X', features: 'a.json' }],
    [
      'fix it --watch-file "Needs_Action/INVOICE_client.md" --done-folder "Done/"',
      { promise: null, watchFile: 'Needs_Action/INVOICE_client.md', doneFolder: 'Done/' },
    ],
    ['fix it --done-folder D --watch-file /a', { promise: null, watchFile: '/a', doneFolder: 'D' }],
    ['fix it --require any', { require: 'any' }],
    ['fix it --require=all', { require: 'all' }],
    ['fix it --min-iterations 3', { minIterations: 3 }],
    ['fix it --min-iterations 50', { minIterations: 50 }],
    ['fix it --confirm 2', { confirm: 2 }],
    ['fix it --measure "n=wc -l a=b"', { measures: [{ name: 'n', command: 'wc -l a=b' }] }],
    ['fix it --measure n=cat --keep n', { measures: [{ name: 'n', command: 'cat' }], keep: ['n'] }],
    [
      'fix it --measure n=cat --target "n <= -1.5" --target n>=3',
      {
        measures: [{ name: 'n', command: 'cat' }],
        targets: [
          { name: 'n', is: '<=', bound: -1.5 },
          { name: 'n', is: '>=', bound: 3 },
        ],
        promise: null,
        promiseByDefault: false,
      },
    ],
    ['fix it --min-iterations 3 --max-iterations 3', { minIterations: 3, maxIterations: 3 }],
    ['fix it --min-iterations 99 --max-iterations unlimited', { minIterations: 99, maxIterations: null }],
    ['fix it --timeout 90s', { timeoutMs: 90_000 }],
    ['fix it --timeout 90s', { timeoutMs: 90_000 }],
    ['fix it --timeout 15m', { timeoutMs: HOUR / 4 }],
    ['fix it --timeout 2h', { timeoutMs: 2 * HOUR }],
    ['fix it --timeout 1h30m', { timeoutMs: 1.5 * HOUR }],
    ['fix it --timeout 1h0m1s', { timeoutMs: HOUR + 1_000 }],
    ['fix it --stale-after 30m', { staleAfterMs: HOUR / 2 }],
    ['fix it --mode fresh', { driver: 'fresh' }],
    ['fix it --mode=hook', { driver: 'hook' }],
    ['fix it --nest', { nest: true }],
    ['--nest fix it', { nest: true }],
    ['fix --nest it', { nest: true }],
    ['fix it --as loop', { mode: 'loop' }],
    ['fix it --as issue', { mode: 'issue', promise: null }],
    ['fix it --as grind', { mode: 'grind', promise: null }],
    ['fix it --as issue --completion-promise X', { mode: 'issue', promise: 'X' }],
    ['fix it --items todo.md', { items: 'todo.md', mode: 'grind', promise: null }],
    ['fix it --items todo.md --as grind', { items: 'todo.md', mode: 'grind', promise: null }],
    [
      'fix it --items-from "gh issue list --json number,title" --max-items 5',
      {
        itemsFrom: 'gh issue list --json number,title',
        maxItems: 5,
        mode: 'grind',
        promise: null,
      },
    ],
    ['fix it --name login', { name: 'login' }],
    ['fix it --name " the login page "', { name: 'the login page' }],
    [
      '--name a --mode fresh fix --stale-after 1s it --max-iterations 2',
      { name: 'a', driver: 'fresh', staleAfterMs: 1_000, maxIterations: 2 },
    ],
    ['fix it --max-cost 2', { maxCostUsd: 2 }],
    ['fix it --max-cost 2.50', { maxCostUsd: 2.5 }],
    ['fix it --max-cost $5', { maxCostUsd: 5 }],
    ['fix it --max-tokens 1234', { maxTokens: 1_234 }],
    ['fix it --max-tokens 500k', { maxTokens: 500_000 }],
    ['fix it --max-tokens=1.5M', { maxTokens: 1_500_000 }],
    ['fix it --max-stalls 3', { maxStalls: 3 }],
    ['fix it --max-stalls off', { maxStalls: null }],
  ];
  it.each(cases)('%j', (raw, options) => {
    expect(parseStart(raw)).toEqual({ ...DEFAULTS, promiseByDefault: !('promise' in options), ...options });
  });
});

describe('the prompt', () => {
  const cases: [string, string, string][] = [
    ['quotes around the whole are taken off', '"fix it"', 'fix it'],
    ['single ones too', "'fix it'", 'fix it'],
    ['beside flags too', '--name x "fix it" --mode hook', 'fix it'],
    ['with its white space inside', '"  fix\n\tit "', '  fix\n\tit '],
    ['an escaped quote within', '"say \\"hi\\""', 'say "hi"'],
    ['no other escapes', '"a\\nb \\\\ c"', 'a\\nb \\\\ c'],
    ['an apostrophe within single quotes', "'don't stop'", "don't stop"],
    ['two pieces keep their quotes', '"a" and "b"', '"a" and "b"'],
    ['two pieces apart by a flag keep theirs', '"a" --max-stalls 3 "b"', '"a" "b"'],
    ['quotes in the middle stay', 'say "hi \\" there" now', 'say "hi \\" there" now'],
    ['a flag in quotes is none', 'explain "the --foo flag" well', 'explain "the --foo flag" well'],
    ['in single quotes', "explain '--foo bar' well", "explain '--foo bar' well"],
    ['in backticks', 'make `npm run --silent x` work', 'make `npm run --silent x` work'],
    [
      'in a fence',
      'run\n```sh\nnpm run \\\n  --silent\n```\nplease',
      'run\n```sh\nnpm run \\\n  --silent\n```\nplease',
    ],
    ['in brackets and quotes', 'explain ("the --foo flag")', 'explain ("the --foo flag")'],
    ['backticks around the whole stay', '`npm run --x`', '`npm run --x`'],
    ['an apostrophe is plain text', "don't --max-stalls 3 stop, can't", "don't stop, can't"],
    ['a leading one too', "'tis the season --max-stalls 3 don't", "'tis the season don't"],
    [
      'a plural one too',
      "the users' page --max-stalls 3 and the admins' page",
      "the users' page and the admins' page",
    ],
    ['a lone quote is plain text', 'say "hello --name x', 'say "hello'],
    ['an inch mark too', 'a 5" disk --max-stalls 3 and a 3" disk', 'a 5" disk and a 3" disk'],
    ['-- ends the flags', '--name x -- fix --foo --max-iterations=3', 'fix --foo --max-iterations=3'],
    ['also on a line of its own', '--name x\n--\nfix --foo', 'fix --foo'],
    ['only the first --', '-- a -- b', 'a -- b'],
    ['-- in prose is a dash', 'fix it -- it is broken', 'fix it -- it is broken'],
    ['with flags behind it', 'fix it -- it is broken --name x', 'fix it -- it is broken'],
    ['or before it', 'fix it --max-stalls 3 -- it is broken', 'fix it -- it is broken'],
    ['in a heading', '# Backfill -- the build\n\nGo --name x', '# Backfill -- the build\n\nGo'],
    ['a quoted prompt behind --', '-- "fix it"', 'fix it'],
    ['dashes are words', 'a --- b -x -- c', 'a --- b -x -- c'],
    ['so are dashes with digits', '-x --5 ---y a--b --', '-x --5 ---y a--b --'],
    [
      'a dash before a plain word',
      'fix it —name the file —check twice',
      'fix it —name the file —check twice',
    ],
    ['one space goes with the flag', 'a  --max-stalls 3  b', 'a  b'],
    ['a paragraph break stays', 'a --name x\n\nb', 'a\n\nb'],
    ['on either side', 'a\n\n--name x b', 'a\n\nb'],
    ['flags on their own lines', 'a\n\n--name x\n--mode hook\n\nb', 'a\n\nb'],
    ['a line break stays', 'a --name x --mode hook\nb', 'a\nb'],
    ['CRLF stays', 'a\r\nb --name x\r\n\r\nc', 'a\r\nb\r\n\r\nc'],
    ['indentation stays', 'a:\n    b\n\tc --name x', 'a:\n    b\n\tc'],
    [
      'any character stays',
      '$(rm) `x` *.ts {a,b} !1 \\ % # ~ & | ; < > ☃ 🎼\u0000\u200b',
      '$(rm) `x` *.ts {a,b} !1 \\ % # ~ & | ; < > ☃ 🎼\u0000\u200b',
    ],
    ['our own tags stay', 'say <promise>X</promise>', 'say <promise>X</promise>'],
  ];
  it.each(cases)('%s: %j', (_, raw, prompt) => {
    expect(parseStart(raw)).toMatchObject({ ok: true, prompt });
  });
});

describe('a refusal', () => {
  const cases: [string, string, RegExp][] = [
    ['', 'no-prompt', /Make the tests pass --check/],
    [' \n', 'no-prompt', /--max-iterations/],
    ['--name x', 'no-prompt', /Make the tests pass --check/],
    ['""', 'no-prompt', /Make the tests pass --check/],
    ['"  "', 'no-prompt', /Make the tests pass --check/],
    ['--', 'no-prompt', /Make the tests pass --check/],
    ['fix -- --foo', 'unknown-flag', /-- before the prompt/],
    ['deploy with docker run --name web nginx', 'flag-in-prose', /in quotes/],
    ['make cargo test --features=llvm pass', 'flag-in-prose', /in quotes/],
    ['a\n\ndocker run --max-stalls 3 --name web --max-iterations 3 nginx\nb', 'flag-in-prose', /in quotes/],
    ['fix it --name web -- now', 'flag-in-prose', /before or after/],
    ['--name a docker run --name web nginx', 'flag-in-prose', /in quotes/],
    ['docker run --name web --rm nginx', 'flag-in-prose', /in quotes/],
    ['Make it pass --check "npm test" --max-iterations 5 --chek foo', 'unknown-flag', /Write --check/],
    ['Make it pass --name a --max-iteration 5 now', 'unknown-flag', /Write --max-iterations/],
    ['fix it --max-iteration 3', 'unknown-flag', /--max-iterations/],
    ['fix it --MAX-ITERATIONS 3', 'unknown-flag', /--max-iterations/],
    ['fix it --iterations 3', 'unknown-flag', /--max-iterations/],
    ['fix it --max 3', 'unknown-flag', /--max-iterations/],
    ['fix it --promise X', 'unknown-flag', /--completion-promise/],
    ['fix it --chekc x', 'unknown-flag', /--check/],
    ['fix it -max-iterations 5', 'unknown-flag', /Write --max-iterations/],
    ['fix it --checktimeout 3', 'unknown-flag', /quotes.*-- before/],
    ['fix it —max-iterations 3', 'unknown-flag', /--max-iterations/],
    ['fix it –-stale-after=3', 'unknown-flag', /--stale-after/],
    ['fix it –check "npm test"', 'unknown-flag', /--check/],
    ['fix it —check “npm test”', 'unknown-flag', /--check/],
    ['fix it --max-iterations', 'missing-value', /N\|unlimited/],
    ['fix it --max-iterations=', 'missing-value', /N\|unlimited/],
    ['fix it --max-iterations= 3', 'missing-value', /N\|unlimited/],
    ['fix it --max-iterations --name x', 'missing-value', /N\|unlimited/],
    ['fix it --completion-promise -- x', 'missing-value', /TEXT/],
    ['fix it --max-iterations 0', 'bad-number', /unlimited/],
    ['fix it --max-iterations -3', 'bad-number', /number/],
    ['fix it --max-iterations 3.5', 'bad-number', /number/],
    ['fix it --max-iterations 1e3', 'bad-number', /number/],
    ['fix it --max-iterations ten', 'bad-number', /number/],
    ['fix it --max-iterations ""', 'bad-number', /number/],
    ['fix it --max-iterations 99999999999999999999', 'bad-number', /number/],
    ['fix it --max-iterations Unlimited', 'bad-number', /unlimited/],
    ['fix it --timeout 0', 'bad-duration', /1h30m/],
    ['fix it --timeout 5', 'bad-duration', /^Write "5m" for minutes, "5s" for seconds\.$/],
    ['fix it --check-timeout 90', 'bad-duration', /"90s" for seconds/],
    ['fix it --timeout 0h0m', 'bad-duration', /1h30m/],
    ['fix it --timeout -1', 'bad-duration', /1h30m/],
    ['fix it --timeout 1.5h', 'bad-duration', /1h30m/],
    ['fix it --timeout 30m1h', 'bad-duration', /1h30m/],
    ['fix it --timeout 1h30', 'bad-duration', /1h30m/],
    ['fix it --timeout soon', 'bad-duration', /1h30m/],
    ['fix it --stale-after 9000h', 'bad-duration', /1h30m/],
    ['fix it --mode nightly', 'bad-choice', /these/],
    ['fix it --as nightly', 'bad-choice', /these/],
    ['fix it --as issue --items x', 'bad-mode', /Leave --as out/],
    ['fix it --items x --items-from y', 'two-lists', /one of them/],
    ['fix it --max-items 3', 'no-items', /--items FILE/],
    ['fix it --items x --max-items 1001', 'bad-number', /several loops/],
    ['fix it --items x --max-items 0', 'bad-number', /number/],
    ['fix it --nest=true', 'needless-value', /alone/],
    ['fix it --nest --nest', 'flag-twice', /once/],
    ['fix it --nest --timeout 5m', 'bad-nest', /Leave it out/],
    ['fix it --nest --stale-after 5m', 'bad-nest', /Leave it out/],
    ['fix it --nest --max-cost 5', 'bad-nest', /Leave it out/],
    ['fix it --nest --max-tokens 5000', 'bad-nest', /Leave it out/],
    ['fix it --nest --max-stalls 3', 'bad-nest', /Leave it out/],
    ['fix it --nest --max-stalls off', 'bad-nest', /Leave it out/],
    ['fix it --nest --checks-timeout 5m', 'bad-nest', /Leave it out/],
    ['fix it --nest --parallel 2', 'bad-nest', /Leave it out/],
    ['fix it --nest --config none', 'bad-nest', /Leave it out/],
    ['fix it --nest --view none', 'bad-nest', /Leave it out/],
    ['fix it --nest --vault notes', 'bad-nest', /Leave it out/],
    ['fix it --nest --mode fresh', 'bad-nest', /Leave it out/],
    ['fix it --nest --name x', 'bad-nest', /Leave it out/],
    ['fix it --name ""', 'bad-name', /name/],
    ['fix it --name "a\nb"', 'bad-name', /name/],
    [`fix it --name ${'x'.repeat(81)}`, 'bad-name', /name/],
    ['fix it --check " "', 'bad-check', /npm test/],
    ['fix it --features ""', 'bad-path', /absolute/],
    ['fix it --features "a\u0007b"', 'bad-path', /absolute/],
    ['fix it --watch-file " " --done-folder D', 'bad-path', /absolute/],
    ['fix it --watch-file a', 'half-a-move', /--watch-file FILE --done-folder DIR/],
    ['fix it --done-folder D', 'half-a-move', /--watch-file FILE --done-folder DIR/],
    ['fix it --require both', 'bad-choice', /these/],
    ['fix it --min-iterations 0', 'bad-number', /3/],
    ['fix it --confirm 0', 'bad-number', /3/],
    ['fix it --measure tests', 'bad-measure', /tests=npm test/],
    ['fix it --measure "my tests=cat"', 'bad-measure', /tests=npm test/],
    ['fix it --measure n=a --measure n=b', 'bad-measure', /its own name/],
    ['fix it --measure n=a --target n=1', 'bad-target', /failures<=0/],
    ['fix it --measure n=a --target n<1', 'bad-target', /failures<=0/],
    ['fix it --confirm 2 --nest', 'bad-nest', /Leave it out/],
    ['fix it --min-iterations some', 'bad-number', /3/],
    ['fix it --min-iterations 4 --max-iterations 3', 'bad-number', /Lower the one/],
    ['fix it --min-iterations 51', 'bad-number', /Lower the one/],
    ['fix it --features a --features b', 'flag-twice', /once/],
    ['fix it --completion-promise ""', 'bad-promise', /plain text/],
    ['fix it --completion-promise "<b>done</b>"', 'bad-promise', /plain text/],
    ['fix it --completion-promise "</promise>"', 'bad-promise', /plain text/],
    ['fix it --completion-promise "done <!-- x"', 'bad-promise', /plain text/],
    ['fix it --completion-promise done\\', 'bad-promise', /plain text/],
    ['fix it --completion-promise "a\u0007b"', 'bad-promise', /plain text/],
    [`fix it --completion-promise ${'x'.repeat(301)}`, 'bad-promise', /plain text/],
    ['fix it --name a --name b', 'flag-twice', /once/],
    ['fix it --max-iterations 3 --max-iterations=3', 'flag-twice', /once/],
    ['fix it --completion-promise "ALL DONE', 'bad-quote', /double quotes/],
    ["fix it --completion-promise 'tis", 'bad-quote', /double quotes/],
    ['fix it --completion-promise "ALL"DONE', 'bad-quote', /double quotes/],
    ['fix it --completion-promise "ALL",', 'bad-quote', /double quotes/],
    ['fix it --completion-promise “ALL DONE”', 'bad-quote', /double quotes/],
    ['fix it --check "say "hi" now"', 'bad-quote', /double quotes/],
    ["fix it --check 'grep 'x' f'", 'bad-quote', /double quotes/],
    ['fix it --check x="a b"', 'bad-quote', /double quotes/],
    ['fix it --check `npm test`', 'bad-quote', /double quotes/],
    ['fix it --max-cost 0', 'bad-amount', /2\.50/],
    ['fix it --max-cost -1', 'bad-amount', /2\.50/],
    ['fix it --max-cost five', 'bad-amount', /2\.50/],
    ['fix it --max-cost 1e3', 'bad-amount', /2\.50/],
    ['fix it --max-cost 99999999', 'bad-amount', /2\.50/],
    ['fix it --max-tokens 0', 'bad-number', /500k/],
    ['fix it --max-tokens 1.5', 'bad-number', /500k/],
    ['fix it --max-tokens 2g', 'bad-number', /500k/],
    ['fix it --max-stalls 1', 'bad-number', /off/],
    ['fix it --max-stalls never', 'bad-number', /off/],
  ];
  it.each(cases)('%j: %s', (raw, code, next) => {
    expect(parseStart(raw)).toEqual({
      ok: false,
      code,
      message: expect.stringMatching(/\S/),
      next: expect.stringMatching(next),
    });
  });

  const later = ['--help'];
  it.each(later)('%s is not built, so it is not taken in silence', (flag) => {
    expect(parseStart(`fix it ${flag} x`)).toMatchObject({ ok: false, code: 'unknown-flag' });
    expect(parseStartWords(['fix', flag, 'x'])).toMatchObject({ ok: false, code: 'unknown-flag' });
  });

  it.each([
    ['fix it', ['markdown']],
    ['fix it --view progress', ['progress']],
    ['fix it --view markdown,progress --view stack --view stack', ['markdown', 'progress', 'stack']],
    ['fix it --view "vault, stack"', ['vault', 'stack']],
    ['fix it --view none', []],
    ['fix it --vault Safe', ['markdown', 'vault']],
    ['fix it --view vault --vault Safe', ['vault']],
  ])('%j keeps these views: %j', (raw, views) => {
    const request = parseStart(raw);
    expect(request.ok && request.views).toEqual(views);
  });

  it.each([
    ['fix it', 50, null],
    ['fix it --view vault', 10, 3_600_000],
    ['fix it --vault Safe', 10, 3_600_000],
    ['fix it --vault Safe --max-iterations 50 --timeout 2h', 50, 7_200_000],
    ['fix it --vault Safe --max-iterations unlimited', null, 3_600_000],
  ])('%j has these limits: %s iterations, %s ms', (raw, maxIterations, timeoutMs) => {
    expect(parseStart(raw)).toMatchObject({ ok: true, maxIterations, timeoutMs });
  });

  it.each(['html', 'vault,', 'None', 'markdown;vault'])('--view %s is refused', (view) => {
    expect(parseStart(`fix it --view ${view}`)).toMatchObject({ ok: false, code: 'bad-view' });
  });

  it('is bounded, whatever was typed', () => {
    const long = 'x'.repeat(100_000);
    for (const raw of [
      `a --${long}`,
      `a --max-iterations ${long}`,
      `a --mode "${long}"`,
      `a --name ${long}`,
    ]) {
      const refusal = parseStart(raw);
      expect(JSON.stringify(refusal).length).toBeLessThan(800);
      expect(refusal.ok).toBe(false);
    }
  });
});

describe('words that a shell has split', () => {
  const cases: [string[], object][] = [
    [['fix it'], DEFAULTS],
    [['fix', 'it'], DEFAULTS],
    [['--max-iterations', '3', 'fix it', '--mode=fresh'], { ...DEFAULTS, maxIterations: 3, driver: 'fresh' }],
    [['fix', '--nest', 'it'], { ...DEFAULTS, nest: true }],
    [['fix', '--nest=yes', 'it'], { ok: false, code: 'needless-value' }],
    [
      ['fix it', '--check', 'npm', 'test'],
      { ok: false, code: 'split-prompt', next: expect.stringContaining('--check "npm test"') },
    ],
    [
      ['fix', '--check', 'npm test', 'it'],
      { ...DEFAULTS, promiseByDefault: false, promise: null, checks: ['npm test'] },
    ],
    [
      ['fix it', '--check', 'npm', 'run', 'test', '--nest'],
      { ok: false, code: 'split-prompt', next: expect.stringContaining('--check "npm run test"') },
    ],
    [['--name', 'x', 'fix', 'it'], { ...DEFAULTS, name: 'x' }],
    [['fix it', '-c', 'npm test'], { ok: false, code: 'unknown-flag' }],
    [['fix -c it'], { ...DEFAULTS, prompt: 'fix -c it' }],
    [
      ['fix it', '--check', 'npm test', '--check=a "b'],
      { ...DEFAULTS, promiseByDefault: false, promise: null, checks: ['npm test', 'a "b'] },
    ],
    [['fix it', '--completion-promise', '"X"'], { ...DEFAULTS, promiseByDefault: false, promise: '"X"' }],
    [['"fix it"'], { ...DEFAULTS, prompt: '"fix it"' }],
    [['--name is wrong = fix it'], { ...DEFAULTS, prompt: '--name is wrong = fix it' }],
    [['--name', 'x', '--', 'fix', '--mode'], { ...DEFAULTS, name: 'x', prompt: 'fix --mode' }],
    [['fix it', '--check=--x'], { ...DEFAULTS, promiseByDefault: false, promise: null, checks: ['--x'] }],
    [['fix it', '--name='], { ok: false, code: 'bad-name' }],
    [['fix it', '--name'], { ok: false, code: 'missing-value' }],
    [['fix it', '--name', '--mode'], { ok: false, code: 'missing-value' }],
    [['fix it', '--name', '--'], { ok: false, code: 'missing-value' }],
    [['fix it', '--nam', 'x'], { ok: false, code: 'unknown-flag' }],
    [['fix it', '—max-iterations', '3'], { ok: false, code: 'unknown-flag' }],
    [['fix it', '–check', 'npm test'], { ok: false, code: 'unknown-flag' }],
    [['fix it', '--name', 'a', '--name', 'b'], { ok: false, code: 'flag-twice' }],
    [[], { ok: false, code: 'no-prompt' }],
    [['', ' '], { ok: false, code: 'no-prompt' }],
  ];
  it.each(cases)('%j', (words, expected) => {
    expect(parseStartWords(words)).toMatchObject(expected);
  });
});

describe('a flag that belongs elsewhere', () => {
  it.each(flagsIn({ ...PLAN_FLAGS, ...RUN_FLAGS }))('$flag is named as one of dacapo run', ({ flag }) => {
    expect(parseStart(`fix it ${flag} 3`)).toMatchObject({
      ok: false,
      code: 'unknown-flag',
      message: `${flag} is a flag of dacapo run, not of this command.`,
    });
  });

  it('--help alone explains the command instead', () => {
    for (const raw of ['--help', ' -h ']) expect(parseStart(raw)).toMatchObject({ ok: false, code: 'help' });
    expect(parseStart('fix --help')).toMatchObject({ ok: false, code: 'unknown-flag' });
  });
});

describe('a runaway', () => {
  it('--max-iterations=3 is not swallowed into the prompt', () => {
    expect(parseStart('fix it --max-iterations=3')).toEqual({ ...DEFAULTS, maxIterations: 3 });
    expect(parseStartWords(['fix it', '--max-iterations=3'])).toEqual({ ...DEFAULTS, maxIterations: 3 });
  });

  it('there is a bound by default, and only one word takes it away', () => {
    expect(parseStart('fix it')).toMatchObject({ maxIterations: 50 });
    expect(parseStart('fix it --max-iterations unlimited')).toMatchObject({ maxIterations: null });
    for (const text of ['0', '-1', 'none', 'null', 'Infinity', 'inf', '']) {
      expect(parseStart(`fix it --max-iterations="${text}"`).ok).toBe(false);
    }
  });

  it('a limit behind a dash in prose counts', () => {
    expect(parseStart('fix it -- it is broken --max-iterations 20 -- really')).toEqual({
      ...DEFAULTS,
      prompt: 'fix it -- it is broken -- really',
      maxIterations: 20,
    });
  });

  it('a misspelt limit is refused, not taken as text', () => {
    for (const limit of [
      '--max-iteration 3',
      '--max_iterations=3',
      '--maxIterations 3',
      '—max-iterations 3',
    ]) {
      expect(parseStart(`fix it ${limit}`)).toMatchObject({
        code: 'unknown-flag',
        next: expect.stringContaining('--max-iterations'),
      });
    }
  });
});

describe('ordinary text', () => {
  it.each([
    ['docker run --name web', 'docker run', { name: 'web' }],
    ['fix it --check "npm test"\n\nThe details', 'fix it\n\nThe details', { checks: ['npm test'] }],
    ['fix it\n--timeout 1h --name web\nnow', 'fix it\nnow', { timeoutMs: HOUR, name: 'web' }],
    ['fix it\n  --name web now', 'fix it\n  now', { name: 'web' }],
    ['fix it --name web \r\nnow', 'fix it \r\nnow', { name: 'web' }],
    ['"fix it" --name web --timeout 1h', 'fix it', { name: 'web', timeoutMs: HOUR }],
    ['fix "docker run --name web x" --name y', 'fix "docker run --name web x"', { name: 'y' }],
    ['-- docker run --name web nginx', 'docker run --name web nginx', { name: null }],
  ])('a flag at the end of a line counts: %j', (raw, prompt, options) => {
    expect(parseStart(raw)).toMatchObject({ ok: true, prompt, ...options });
  });

  const texts = [
    `don't break, it's "fine" (really)`,
    `Fix the login page; it can't load "user's" data (see #12)!`,
    'Build a REST API\n\nwith:\n- auth\n- tests (80 %)\n',
    'match **/*.{ts,tsx} and $HOME/$(whoami) `ls -la` && echo "done" || exit 1',
    'a \\ b \\" c',
    'C:\\Users\\me\\project "quoted"',
    'what? [yes] {no} <maybe> ~ ^ | & ; # @ %',
    '日本語のプロンプト 🎼 “curly” ‘quotes’ — dashes – too',
    `echo 'it'\\''s'`,
    `x${' word'.repeat(200_000)}`,
    `it's `.repeat(200_000).trim(),
    `'a `.repeat(300_000).trim(),
  ];
  it.each(texts.map((text) => [text.slice(0, 40), text]))('%j… comes back to the letter', (_, text) => {
    expect(parseStart(text)).toEqual({ ...DEFAULTS, prompt: text.trim() });
    expect(parseStart(`--max-iterations 3 ${text} --name n`)).toEqual({
      ...DEFAULTS,
      prompt: text.trim(),
      name: 'n',
      maxIterations: 3,
    });
    expect(parseStartWords([text, '--name', 'n'])).toEqual({ ...DEFAULTS, prompt: text.trim(), name: 'n' });
  });
});

describe('properties', () => {
  const RUNS = { numRuns: 2_000 };
  const units = fc.oneof(
    fc.constantFrom(' ', '\n', '\r\n', '\t', '-', '--', '"', "'", '`', '\\', '=', '\\"', 'a', '7', '—', '('),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  );
  const text = fc.array(units, { minLength: 1, maxLength: 30 }).map((parts) => parts.join(''));

  it('a prompt without flags, and without quotes at its ends, comes back exactly', () => {
    const flagLike = /^--(?!\S)|(?<!\S)--[A-Za-z]/;
    const plain = text
      .map((raw) => raw.trim())
      .filter((raw) => raw !== '' && !flagLike.test(raw) && !hasQuotedEnds(raw));
    fc.assert(
      fc.property(plain, (prompt) => {
        expect(parseStart(prompt)).toEqual({ ...DEFAULTS, prompt });
      }),
      RUNS,
    );
  });

  it('a prompt in quotes comes back exactly', () => {
    fc.assert(
      fc.property(text.filter(canBeQuoted), (prompt) => {
        expect(parseStart(quote(prompt))).toEqual({ ...DEFAULTS, prompt });
        expect(parseStart(`${quote(prompt)} --name n`)).toEqual({ ...DEFAULTS, prompt, name: 'n' });
      }),
      RUNS,
    );
  });

  it('behind -- everything is prompt', () => {
    const behind = text.map((raw) => raw.trim()).filter((raw) => raw !== '' && !hasQuotedEnds(raw));
    fc.assert(
      fc.property(behind, (prompt) => {
        expect(parseStart(`--name n -- ${prompt}`)).toEqual({ ...DEFAULTS, prompt, name: 'n' });
        expect(parseStartWords(['--name', 'n', '--', prompt])).toEqual({ ...DEFAULTS, prompt, name: 'n' });
      }),
      RUNS,
    );
  });

  it('flags between any two words, or at the ends where their name is a plain word, change neither the prompt nor each other', () => {
    const word = fc.stringMatching(/^[A-Za-z0-9.,!?()*$&\\<>-]+$/).filter((raw) => !raw.startsWith('--'));
    const space = fc.constantFrom(' ', '  ', '\n', '\n\n', '\t', '\r\n');
    const prompt = fc.array(fc.tuple(space, word), { minLength: 1, maxLength: 10 });
    const flags = fc.shuffledSubarray([
      ['--max-iterations 7', { maxIterations: 7 }],
      ['--completion-promise="ALL DONE"', { promise: 'ALL DONE' }],
      ["--check 'npm test'", { checks: ['npm test'] }],
      ['--timeout\n1h30m', { timeoutMs: 1.5 * HOUR }],
      ['--stale-after=5s', { staleAfterMs: 5_000 }],
      ['--max-stalls\n3', { maxStalls: 3 }],
      ['--mode fresh', { driver: 'fresh' }],
      ['--name "a --name b"', { name: 'a --name b' }],
    ] as const);
    fc.assert(
      fc.property(prompt, flags, fc.infiniteStream(fc.nat()), (words, given, chance) => {
        const boundaries: string[] = words.map(([before]) => before);
        for (const [flag] of given) {
          const isPlainWord = /^--[a-z]+[\s=]/.test(flag);
          const places = isPlainWord ? [0, words.length] : [...words.keys(), words.length];
          const at = places[(chance.next().value ?? 0) % places.length] ?? 0;
          boundaries[at] = `${boundaries[at] ?? ' '}${flag} `;
        }
        const raw = boundaries.map((boundary, i) => boundary + (words[i]?.[1] ?? '')).join('');
        const hasCheck = given.some(([flag]) => flag.startsWith('--check'));
        const hasPromise = given.some(([flag]) => flag.startsWith('--completion'));
        const expected = Object.assign(
          {},
          DEFAULTS,
          { promiseByDefault: !hasCheck && !hasPromise },
          hasCheck ? { promise: null } : {},
          ...given.map(([, options]) => options),
        );
        expected.prompt = words
          .map(([before, each]) => before + each)
          .join('')
          .trim();
        expect(parseStart(raw)).toEqual(expected);
      }),
      RUNS,
    );
  });

  it('whatever is typed gets an answer, and a refusal has a next step', () => {
    const flagged = fc.array(
      fc.oneof(text, fc.constantFrom(...flagsIn(LOOP_FLAGS).map(({ flag }) => ` ${flag} `))),
      {
        maxLength: 8,
      },
    );
    fc.assert(
      fc.property(flagged, (parts) => {
        for (const answer of [parseStart(parts.join('')), parseStartWords(parts)]) {
          const whole = answer.ok
            ? answer.mode !== 'loop' ||
              answer.promise !== null ||
              answer.checks.length + answer.heldOut.length + answer.targets.length > 0 ||
              answer.features !== null ||
              answer.watchFile !== null
            : /\S/.test(answer.next);
          expect(whole).toBe(true);
        }
      }),
      RUNS,
    );
  });
});

/** The quotes that hold a text: one that ends with a backslash can't stand in double ones. */
function quote(text: string): string {
  return text.endsWith('\\') ? `'${text}'` : `"${text.replaceAll('"', '\\"')}"`;
}

function canBeQuoted(text: string): boolean {
  return text.trim() !== '' && !(text.endsWith('\\') && /'(?![\p{L}\p{N}])/u.test(text));
}

function hasQuotedEnds(text: string): boolean {
  return /^["']/.test(text) && text.endsWith(text.charAt(0));
}

describe('a flag without a default', () => {
  it('does not compile', () => {
    const fields: { maxItems: number; forgotten: string } = { maxItems: 1, forgotten: 'x' };
    const given: Parameters<typeof withFlags>[0] = { maxItems: 1 };
    // @ts-expect-error: `forgotten` is in no table of defaults
    withFlags(fields);
    expect(withFlags(given)).toMatchObject({ maxItems: 1, driver: 'hook' });
  });

  /** As `withDefaults` is typed, for a table of flags with one that nobody gave a default. */
  function withFlags(
    given: Partial<StartOptions> & FieldsWithoutDefault<{ forgotten: string }>,
  ): StartOptions {
    return withDefaults(given);
  }
});
