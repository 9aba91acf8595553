// A working day on one machine, for the screenshots: loops in every state, with words and figures as they
// really come.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEAD, seed, type Seeded } from './seed.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const VITEST = ` FAIL  test/parser/lists.test.ts > nested lists > keeps the indent of a second paragraph
AssertionError: expected '<ul><li>one</li></ul>' to equal '<ul><li>one<p>two</p></li></ul>'

 ❯ test/parser/lists.test.ts:48:25
     46|   const html = render('- one\\n\\n  two');
     47|
     48|   expect(html).toEqual('<ul><li>one<p>two</p></li></ul>');
       |                ^

 Test Files  1 failed | 41 passed (42)
      Tests  2 failed | 318 passed (320)`;

const TYPES = `src/store/cart.ts(71,5): error TS2322: Type 'string | undefined' is not assignable to type 'string'.
src/store/cart.ts(93,12): error TS2532: Object is possibly 'undefined'.`;

const FEATURES = [
  'A visitor can register with an e-mail address and a password',
  'A registered user can sign in and sign out',
  'A wrong password is refused, without saying which part was wrong',
  'After five wrong passwords the account waits for a minute',
  'A user can ask for a link to set a new password',
  'That link works once, and for one hour',
  'A user can see the sessions that are open, and end them',
  'Signing in from a new device sends an e-mail',
  'A user can turn on a second factor',
  'Recovery codes work once each',
  'An administrator can lock an account',
  'Every sign-in is in the audit log',
];

export interface Showcase {
  readonly parser: Seeded;
  readonly done: Seeded;
}

/** `folder`: for the projects. `now`: in ms. */
export function showcase(home: string, folder: string, now: number): Showcase {
  const project = (name: string): string => {
    const path = join(folder, name);
    mkdirSync(path, { recursive: true });
    return path;
  };
  const parser = working(home, project('markdown'), now);
  withFeatures(home, project('shop'), now);
  const done = completed(home, project('billing'), now);
  others(home, project, now);
  history(home, project, now);
  return { parser, done };
}

function working(home: string, project: string, now: number): Seeded {
  const loop = seed(home, {
    id: 'RALPH_20261116_9f2c41',
    project,
    prompt:
      'Make the parser handle nested lists.\n\nA list item may hold paragraphs, code blocks and further lists. Keep the output for flat lists as it is, byte for byte. All tests must pass, and the types must be clean. Do not change the tests.',
    name: 'Make the parser handle nested lists',
    checks: ['npm test', 'npm run types'],
    promise: 'ALL TESTS PASS',
    iterations: 20,
    costUsd: 5,
    model: 'sonnet',
    protect: ['test/**'],
    startedAt: now - 38 * MINUTE,
  });
  const words = [
    'I read the parser and the failing tests. Lists are flattened in collectItems(), so I will give each item its own block parser.',
    'Items now keep their children. Two tests about loose lists still fail.',
    'Loose lists are done. I believe everything passes now.',
    'The second paragraph of an item loses its indent. I found the place in trimIndent() and will fix it next.',
    'Fixed the indent. All tests pass on my side.',
    'The type of ListItem was too wide; narrowing it broke one caller, which I am adapting.',
  ];
  loop.pass(process.pid, { ms: 6.4 * MINUTE, words: words[0] ?? '', costUsd: 0.31 });
  loop.pass(process.pid, { ms: 5.1 * MINUTE, words: words[1] ?? '', costUsd: 0.22 });
  loop.pass(process.pid, {
    ms: 4.2 * MINUTE,
    words: words[2] ?? '',
    claims: true,
    failing: { 'npm test': VITEST },
    costUsd: 0.19,
  });
  loop.pass(process.pid, { ms: 7.7 * MINUTE, words: words[3] ?? '', costUsd: 0.35 });
  loop.pass(process.pid, {
    ms: 3.3 * MINUTE,
    words: words[4] ?? '',
    claims: true,
    failing: { 'npm run types': TYPES },
    costUsd: 0.16,
  });
  loop.pass(process.pid, { ms: 4.9 * MINUTE, words: words[5] ?? '', costUsd: 0.24 });
  loop.take(process.pid);
  loop.says(
    'pass-7.jsonl',
    {
      type: 'text',
      text: 'The two remaining type errors are both in the caller of `ListItem`. Let me look at it.',
    },
    { type: 'tool_use', id: 't1', name: 'Read', input: { file_path: join(project, 'src/render/list.ts') } },
    { type: 'tool_use', id: 't2', name: 'Grep', input: { pattern: 'ListItem', path: join(project, 'src') } },
    {
      type: 'text',
      text: 'Three places build a `ListItem` by hand. I will give them one constructor, so that the narrow type holds everywhere.',
    },
    {
      type: 'tool_use',
      id: 't3',
      name: 'Edit',
      input: { file_path: join(project, 'src/parser/list-item.ts'), old_string: 'a', new_string: 'b' },
    },
    {
      type: 'tool_use',
      id: 't4',
      name: 'Bash',
      input: { command: 'npm run types', description: 'Check the types' },
    },
    { type: 'text', text: 'The types are clean. Running the tests once more before I say so.' },
    {
      type: 'tool_use',
      id: 't5',
      name: 'Bash',
      input: { command: 'npm test', description: 'Run the tests' },
    },
  );
  loop.close();
  return loop;
}

function withFeatures(home: string, project: string, now: number): void {
  const passing = 7;
  writeFileSync(
    join(project, 'feature_list.json'),
    JSON.stringify({
      features: FEATURES.map((description, k) => ({ id: `F${k + 1}`, description, passes: k < passing })),
    }),
  );
  const loop = seed(home, {
    id: 'RALPH_20261116_27be08',
    project,
    prompt: 'Build the sign-in of the shop, feature by feature, from feature_list.json.',
    checks: ['npm test'],
    features: { file: 'feature_list.json', total: FEATURES.length },
    iterations: 40,
    costUsd: 20,
    timeMs: 4 * HOUR,
    model: 'opus',
    startedAt: now - 104 * MINUTE,
  });
  for (let k = 0; k < 9; k++)
    loop.pass(process.pid, {
      ms: (6 + ((k * 7) % 9)) * MINUTE,
      words: `${FEATURES[Math.min(k, passing)]}: done and covered by a test.`,
      claims: k % 3 !== 1,
      passing: Math.min(passing, k),
      costUsd: 0.4 + 0.13 * ((k * 5) % 4),
    });
  loop.take(process.pid);
  loop.says('pass-10.jsonl', {
    type: 'text',
    text: 'Next is the e-mail for a new device. I keep a fingerprint of the browser with each session.',
  });
  loop.close();
}

function completed(home: string, project: string, now: number): Seeded {
  const loop = seed(home, {
    id: 'RALPH_20261116_c0ffee',
    project,
    prompt: 'Round invoice totals per line, as the tax office wants it. Adapt the tests of the totals.',
    checks: ['make test', 'make lint'],
    iterations: 10,
    startedAt: now - 3.4 * HOUR,
  });
  loop.pass(DEAD, {
    ms: 9 * MINUTE,
    words: 'Totals are rounded per line now.',
    claims: true,
    failing: { 'make lint': 'totals.py:18:1: E302 expected 2 blank lines, found 1' },
    costUsd: 0.4,
  });
  loop.pass(DEAD, { ms: 3 * MINUTE, words: 'The linter is happy as well.', claims: true, costUsd: 0.12 });
  loop.close();
  return loop;
}

function others(home: string, project: (name: string) => string, now: number): void {
  const blocked = seed(home, {
    id: 'RALPH_20261116_3d41aa',
    project: project('infra'),
    prompt: 'Move the nightly backup to the new bucket, and prove that a restore works.',
    checks: ['./restore-test.sh'],
    startedAt: now - 82 * MINUTE,
  });
  blocked.pass(DEAD, { ms: 12 * MINUTE, words: 'The script writes to the new bucket.' });
  blocked.pass(DEAD, {
    ms: 6 * MINUTE,
    words: 'I need credentials with write access to the new bucket.',
    verdict: {
      is: 'escalate',
      why: { is: 'blocked', words: 'no credentials with write access to the new bucket' },
      missing: [],
    },
  });
  blocked.close();

  const asking = seed(home, {
    id: 'RALPH_20261116_e07d19',
    project: project('shop'),
    prompt: 'Release version 2.4: changelog, tag, and the packages.',
    checks: ['npm run release:check'],
    approve: ['Bash(git push *)', 'Bash(npm publish *)'],
    approveDone: true,
    iterations: 12,
    costUsd: 5,
    model: 'sonnet',
    startedAt: now - 21 * MINUTE,
  });
  asking.pass(process.pid, {
    ms: 7 * MINUTE,
    words: 'The changelog is written. The tag comes next.',
    costUsd: 0.27,
  });
  asking.take(process.pid);
  asking.ask('Bash: git push origin main --follow-tags', asking.at(5 * MINUTE), 23.8 * HOUR);
  asking.close();

  const paused = seed(home, {
    id: 'RALPH_20261116_71ab5e',
    project: project('docs'),
    prompt: 'Bring the guide up to date with version 4 of the API.',
    driver: 'hook',
    promise: 'GUIDE DONE',
    startedAt: now - 5 * HOUR,
  });
  paused.pass(process.pid, { ms: 8 * MINUTE, words: 'Chapters one to three follow version 4 now.' });
  paused.write({ type: 'paused', at: paused.at(MINUTE), by: 'session', why: 'command' });
  paused.close();

  const exhausted = seed(home, {
    id: 'RALPH_20261115_5512dd',
    project: project('markdown'),
    prompt: 'Get the fuzzer through a million inputs without a crash.',
    checks: ['npm run fuzz'],
    iterations: 4,
    startedAt: now - 26 * HOUR,
  });
  for (let k = 1; k <= 4; k++)
    exhausted.pass(DEAD, {
      ms: 11 * MINUTE,
      words: `Crash ${k} is fixed.`,
      claims: true,
      failing: {
        'npm run fuzz': `crash after ${k * 180_000} inputs: RangeError: Maximum call stack size exceeded`,
      },
      costUsd: 0.5,
      ...(k === 4 && { verdict: { is: 'exhaust', limit: 'iterations', missing: [] } as const }),
    });
  exhausted.close();
}

/** Two weeks of smaller loops, so that the statistics have something to show. */
function history(home: string, project: (name: string) => string, now: number): void {
  const tasks = [
    'Fix the flaky upload test',
    'Port the date picker to the new design',
    'Raise the coverage of the tax rules to 90 %',
    'Replace the deprecated logger',
    'Make the export stream instead of buffering',
    'Translate the e-mails into Dutch',
  ];
  for (let k = 0; k < 26; k++) {
    const loop = seed(home, {
      id: `RALPH_202611${String(2 + Math.floor(k / 2)).padStart(2, '0')}_a${String(k).padStart(5, '0')}`,
      project: project(['shop', 'billing', 'markdown'][k % 3] ?? 'shop'),
      prompt: `${tasks[k % tasks.length]}.`,
      checks: [['npm test', 'make test', 'npm run lint'][k % 3] ?? 'npm test'],
      model: k % 4 === 0 ? 'opus' : 'sonnet',
      startedAt: now - (14 - k / 2) * DAY + ((k * 37) % 9) * HOUR,
    });
    const passes = 1 + ((k * 5) % 7);
    for (let n = 1; n <= passes; n++)
      loop.pass(DEAD, {
        ms: (2 + ((k * n) % 6)) * MINUTE,
        claims: true,
        ...(n < passes && { failing: { [loop.wanted.checks?.[0] ?? '']: 'not yet' } }),
        ...(n === passes &&
          k % 6 === 5 && { verdict: { is: 'exhaust', limit: 'cost', missing: [] } as const }),
        costUsd: 0.1 + 0.05 * ((k + n) % 5),
      });
    loop.close();
  }
}
