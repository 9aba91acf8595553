/**
 * The conventions that people's lists really follow: each is read by its own, or refused by name with the
 * line.
 */
import { describe, expect, it } from 'vitest';
import {
  featureFactsOf,
  nextOpen,
  progress,
  readFeatures,
  type FeatureList,
} from '#evidence/lists/features.ts';
import { readItemList } from '#evidence/lists/items.ts';
import { sayNextFeature } from '#telling/person/features.ts';

function read(value: unknown, name = 'feature_list.json'): FeatureList {
  const content = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const list = readFeatures(content, name);
  if (!list.ok) throw new Error(list.why);
  return list;
}

function whyNot(value: unknown, name = 'feature_list.json'): string {
  const list = readFeatures(typeof value === 'string' ? value : JSON.stringify(value, null, 2), name);
  return list.ok ? 'it was read' : list.why;
}

const count = (value: unknown) => {
  const { passing, total } = progress(read(value));
  return `${passing} of ${total}`;
};
const item = (id: string | number, fields: object) => ({ id, description: `Item ${id}`, ...fields });
const withStatus = (...words: unknown[]) => ({ features: words.map((status, k) => item(k + 1, { status })) });

describe('a status in place of passes', () => {
  it.each([
    'done',
    'completed',
    'Complete',
    'pass',
    'PASSED',
    'passing',
    'finished',
    'closed',
    '✅ Done',
    'done (2025-11-03)',
  ])('%s is done', (word) => expect(count(withStatus(word, 'pending'))).toBe('1 of 2'));

  it.each([
    'pending',
    'todo',
    'not_started',
    'Not Started',
    'in-progress',
    'in progress',
    'failing',
    'blocked',
    'cancelled',
    '',
    null,
    'not done',
    'partially complete',
    'incomplete',
  ])('%s is open', (word) => expect(count(withStatus(word, 'done'))).toBe('1 of 2'));

  it('may be called state', () => {
    expect(count({ features: [item(1, { state: 'passing' }), item(2, { state: 'failing' })] })).toBe(
      '1 of 2',
    );
  });

  it.each(['passed', 'done', 'complete', 'completed', 'finished', 'is_done', 'isComplete'])(
    '%s: true is done',
    (field) =>
      expect(count({ features: [item(1, { [field]: true }), item(2, { [field]: false })] })).toBe('1 of 2'),
  );

  it('passes decides where an item has both', () => {
    expect(
      count([item(1, { passes: false, status: 'done' }), item(2, { passes: true, status: 'open' })]),
    ).toBe('1 of 2');
    expect(count([item(1, { passes: null, status: 'done' })])).toBe('1 of 1');
  });

  it('a word that nobody knows is open, and the person hears of it', () => {
    const list = read(withStatus('done', 'frobnicated'));
    expect(progress(list)).toEqual({ passing: 1, total: 2 });
    expect(list.notes).toEqual(['counts as open what is marked status: "frobnicated" (item 2)']);
  });

  it('a list that never says what is done is open, and the person hears of it', () => {
    expect(read([item(1, {}), item(2, {})]).notes).toEqual([
      'does not say which items are done: the agent is told to set `passes` to true',
    ]);
  });
});

describe('the agent is told to write what the list says elsewhere', () => {
  const told = (value: unknown) => sayNextFeature(featureFactsOf(read(value)));

  it.each<[string, unknown, string]>([
    ['passes', [item(1, { passes: false })], 'set its `passes` to true'],
    ['nothing yet', [item(1, {})], 'set its `passes` to true'],
    ['the word of the items that are done', withStatus('Finished', 'open'), 'set its `status` to "Finished"'],
    ['the counterpart of failing', withStatus('failing', 'failing'), 'set its `status` to "passing"'],
    ['the counterpart of fail', withStatus('fail'), 'set its `status` to "pass"'],
    ['the counterpart of PENDING', withStatus('PENDING'), 'set its `status` to "COMPLETED"'],
    ['done, where nothing else is known', withStatus('not_started'), 'set its `status` to "done"'],
    ['complete', { stories: [item('S-1', { complete: false })] }, 'set its `complete` to true'],
    [
      'the field of the item itself',
      [item(1, { passes: true }), item(2, { status: 'todo' })],
      'set its `status` to "done"',
    ],
  ])('%s', (_name, value, words) => {
    expect(told(value)).toContain(`and only then ${words} in feature_list.json`);
  });

  it.each([
    ['stories', 'Story'],
    ['user_stories', 'Story'],
    ['tasks', 'Task'],
    ['items', 'Task'],
    ['features', 'Feature'],
  ])('%s are called by their name', (key, thing) => {
    expect(told({ [key]: [item('A1', { passes: false })] })).toContain(
      `Continue with ${thing} A1 - Item A1.`,
    );
  });
});

describe('where the list stands', () => {
  const two = [item(1, { passes: true }), item(2, { passes: false })];

  it.each([
    'features',
    'userStories',
    'user_stories',
    'stories',
    'tasks',
    'implementation_tasks',
    'items',
    'issues',
    'tests',
    'testCases',
    'todos',
    'backlog',
  ])('under %s', (key) => expect(count({ project: 'App', [key]: two })).toBe('1 of 2'));

  it.each<[string, unknown, string]>([
    ['below one more key', { master: { tasks: two, metadata: {} } }, '1 of 2'],
    [
      'below phases',
      {
        phases: [
          { name: 'One', tasks: two },
          { name: 'Two', tasks: [item(3, { passes: false })] },
        ],
      },
      '1 of 3',
    ],
    ['below epics by name', { login: { stories: two }, search: { stories: two } }, '2 of 4'],
    ['beside a list of texts', { features: ['Login', 'Search'], user_stories: two }, '1 of 2'],
    ['beside a list that does not say what is done', { tasks: two, items: [{ name: 'a' }] }, '1 of 2'],
  ])('%s', (_name, value, wanted) => {
    expect(count(value)).toBe(wanted);
  });

  it('of two lists the person says which', () => {
    const both = { features: two, tasks: [item(3, { status: 'todo' })] };
    expect(whyNot(both)).toBe(
      'feature_list.json has several lists, features and tasks: name the one that is meant, as in FILE#features',
    );
    expect(progress(read(both, 'feature_list.json#tasks'))).toEqual({ passing: 0, total: 1 });
    expect(progress(read({ prd: both }, 'prd.json#prd.features'))).toEqual({ passing: 1, total: 2 });
    expect(whyNot(both, 'feature_list.json#stories')).toContain('has no list stories');
    expect(whyNot(both, 'feature_list.json#!tasks')).toContain('one list can be named');
  });

  it.each(['title', 'name', 'behavior', 'feature', 'task', 'content', 'description'])(
    'an item has its words under %s',
    (key) => {
      expect(read([{ [key]: 'Search works', status: 'todo' }]).features[0].description).toBe('Search works');
    },
  );

  it('what is wrong with an item is told with its number', () => {
    expect(whyNot({ project: 'App', tasks: [item(1, { passes: true }), { id: 2 }] })).toBe(
      'feature_list.json has an item 2 in tasks without a description or title',
    );
    expect(whyNot({ phases: [{ tasks: [item(1, {}), 'two'] }] })).toContain(
      'item 2 in phases.tasks that is not an object',
    );
  });
});

describe('broken JSON is told with the line', () => {
  it.each([
    ['a missing comma', '{\n  "features": [\n    {"id": 1}\n    {"id": 2}\n  ]\n}', 'line 4'],
    ['a comment', '{\n  // mine\n  "features": []\n}', 'line 2'],
    ['a control character', '{\n  "features": [{"id": 1, "description": "a\tb"}]}', 'line 2'],
    ['a comma too many', '{\n  "features": [\n    {"id": 1},\n  ],\n  "x": 1\n}', 'line 4'],
    ['no JSON at all', 'version 1\nsize 4\n', 'line 1'],
    ['an end too early', '{\n  "features": [\n    {"id": 1},\n', 'line 3'],
  ])('%s', (_name, content, line) => {
    const list = readFeatures(content, 'prd.json');
    expect(list).toMatchObject({ ok: false, broken: true });
    expect(list.ok ? '' : list.why).toContain(`prd.json is not JSON (${line}: `);
  });
});

describe('what comes first', () => {
  const order = (features: object[]) =>
    read({ features })
      .features.map(({ id }) => id)
      .join(' ');

  it('the higher priority, in any list', () => {
    expect(order([item(1, { priority: 'medium' }), item(2, { priority: 'critical' }), item(3, {})])).toBe(
      '2 1 3',
    );
  });

  it.each(['dependsOn', 'depends_on', 'dependencies', 'blockedBy'])(
    'what others wait for (%s), whatever its priority',
    (key) => {
      expect(
        order([
          item('a', { priority: 1, [key]: ['b'] }),
          item('b', { priority: 2, [key]: 'c' }),
          item('c', { priority: 3 }),
        ]),
      ).toBe('c b a');
    },
  );

  it('what is blocked or put off comes last, and counts as open', () => {
    const list = read({
      features: [
        item(1, { status: 'blocked' }),
        item(2, { status: 'todo' }),
        item(3, { status: 'deferred' }),
      ],
    });
    expect(nextOpen(list)?.id).toBe(2);
    expect(progress(list)).toEqual({ passing: 0, total: 3 });
  });

  it('ids that are not in the list, and circles, hold nothing up', () => {
    expect(
      order([
        item(1, { dependencies: ['react', 9] }),
        item(2, { dependsOn: [3] }),
        item(3, { dependsOn: [2] }),
      ]),
    ).toBe('1 3 2');
    const chain = Array.from({ length: 5_000 }, (_, k) => item(k, { dependsOn: [k + 1] }));
    expect(nextOpen(read({ features: chain }))?.id).toBe(4_999);
  });
});

describe('boxes that are neither [ ] nor [x]', () => {
  const boxes = (content: string) =>
    read(content, 'fix_plan.md').features.map(
      ({ passes, description }) => `${passes ? 'x' : '_'} ${description}`,
    );

  it.each(['/', '~', '-', '>', '!', '?', 'o', '…', '🚧'])('[%s] is open', (mark) => {
    expect(boxes(`- [x] a\n- [${mark}] b`)).toEqual(['x a', '_ b']);
    expect(boxes(`- [x] a\n  - [${mark}] part`)).toEqual(['_ a']);
  });

  it.each(['✓', '✔', '✅', '☑️'])('[%s] is done', (mark) => {
    expect(boxes(`- [${mark}] a\n- [ ] b`)).toEqual(['x a', '_ b']);
  });

  it.each<[string, string, string[]]>([
    [
      'words that name a state',
      '- [x] a\n- [WIP] b\n- [BLOCKED] c\n- [DONE] d\n- [in progress] e',
      ['x a', '_ b', '_ c', 'x d', '_ e'],
    ],
    ['other words, references and links are not boxes', '- [x] a\n- [Home] b\n- [1] c\n- [~](x)', ['x a']],
    [
      'boxes in headings',
      '# Plan\n\n### 1. [ ] Login page\n- needs a form\n\n### 2. [x] Search\n\n## Done\n- [x] Set-up\n',
      ['_ 1. Login page', 'x 2. Search', 'x Set-up'],
    ],
    [
      'numbered in other ways',
      '## [~] a\n## Task 3: [ ] b\n### 1.2 [x] c\n### US-7 [ ] d\n## e [ ]',
      ['_ a', '_ Task 3: b', 'x 1.2 c', '_ US-7 d', '_ e'],
    ],
    ['a heading above boxes of its own', '## [ ] Phase 1\n- [x] a\n- [x] b', ['_ Phase 1', 'x a', 'x b']],
    ['lines without a bullet', '# To do\n\n[ ] a\n[x] b\n[~] c', ['_ a', 'x b', '_ c']],
    [
      'rows of a table',
      '| Task | Done |\n|---|---|\n| a | [x] |\n| b | [ ] |\n| [~] | c |',
      ['x a', '_ b', '_ c'],
    ],
    [
      'rows that compare are not tasks',
      '- [x] a\n\n| | Linux | Windows |\n|---|---|---|\n| b | [x] | [ ] |',
      ['x a'],
    ],
    [
      'a legend is not a task',
      '# Plan\n\nLegend:\n- [ ] not started\n- [~] in progress\n- [x] done\n\n## Tasks\n- [x] a',
      ['x a'],
    ],
    ['a legend in one line', '[ ] open, [x] done, [~] in progress\n\n- [x] a', ['x a']],
    ['a state under any other heading is a task', '## Status\n- [x] a\n- [ ] Testing', ['x a', '_ Testing']],
  ])('%s', (_name, content, wanted) => {
    expect(boxes(content)).toEqual(wanted);
  });

  it('words in brackets alone make no checklist', () => {
    expect(whyNot('- [DONE] a\n- [DONE] b', 'plan.md')).toContain('holds no checklist item');
  });

  it('the steps of a heading are the plain items below it', () => {
    expect(read('### 1. [ ] Login\n- a form\n- a button\n', 'fix_plan.md').features[0].steps).toEqual([
      'a form',
      'a button',
    ]);
  });
});

describe('a part of a list', () => {
  const plan =
    '# Plan\n\n## High Priority\n- [x] a\n### Details\n- [ ] b\n\n## Future Enhancements 🚀\n- [ ] c\n\n## Optional\n- [ ] d\n';
  const ids = (name: string) =>
    read(plan, name)
      .features.map(({ description }) => description)
      .join(' ');

  it.each([
    ['plan.md', 'a b c d'],
    ['plan.md#High Priority', 'a b'],
    ['plan.md#high-priority', 'a b'],
    ['plan.md#Details', 'b'],
    ['plan.md#!Future Enhancements', 'a b d'],
    ['plan.md#!future-enhancements#!optional', 'a b'],
    ['plan.md#High Priority#Optional', 'a b d'],
    ['plan.md#High Priority#!Details', 'a'],
  ])('%s', (name, wanted) => {
    expect(ids(name)).toBe(wanted);
  });

  it('a section that is not there is refused, and the others are named', () => {
    expect(whyNot(plan, 'plan.md#Later')).toContain(
      'has no section "Later"; its headings are: Plan, High Priority, Details, Future Enhancements 🚀, Optional',
    );
  });

  it('headings in code are none', () => {
    expect(whyNot('```\n# Later\n- [ ] a\n```\n- [ ] b', 'plan.md#Later')).toContain('it has no headings');
  });
});

describe('a list of work items follows the same conventions', () => {
  const titles = (content: string, name = 'list') => {
    const list = readItemList(content, name, 'file');
    return list.ok ? list.items.map(({ title }) => title) : list.why;
  };

  it.each<[string, string, string[]]>([
    [
      'a status',
      '{"tasks":[{"id":1,"title":"a","status":"completed"},{"id":2,"title":"b","status":"pending"}]}',
      ['2: b'],
    ],
    [
      'stories below epics',
      '{"epics":[{"stories":[{"id":1,"title":"a","passed":true},{"id":2,"title":"b"}]}]}',
      ['2: b'],
    ],
    ['other boxes', '- [x] a\n- [~] b\n### [ ] c', ['b', 'c']],
  ])('%s', (_name, content, wanted) => {
    expect(titles(content)).toEqual(wanted);
  });

  it('a part of it', () => {
    expect(titles('## Now\n- [ ] a\n## Later\n- [ ] b\n', 'plan.md#!Later')).toEqual(['a']);
    expect(titles('{"features":["a"],"tasks":[{"title":"b"}]}', 'x.json#features')).toEqual(['a']);
  });

  it('broken JSON is told with the line', () => {
    expect(titles('[\n  {"title": "a"}\n  {"title": "b"}\n]')).toContain('list is not JSON (line 3: ');
  });
});
