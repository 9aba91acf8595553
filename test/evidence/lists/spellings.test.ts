/**
 * Lists as people really write them, by structure: every open task counts, or the person is told in which
 * line it is. Nothing disappears without a word.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readChecklist } from '#evidence/lists/checklist.ts';
import { featureFactsOf, progress, readFeatures, type FeatureList } from '#evidence/lists/features.ts';
import { readItemList } from '#evidence/lists/items.ts';
import { sayNextFeature } from '#telling/person/features.ts';

function read(value: unknown, name = 'list.json'): FeatureList {
  const list = readFeatures(typeof value === 'string' ? value : JSON.stringify(value, null, 2), name);
  if (!list.ok) throw new Error(list.why);
  return list;
}
const plan = (content: string) => read(content, 'plan.md');
const count = (list: FeatureList) => `${progress(list).passing} of ${progress(list).total}`;
const item = (id: string | number, fields: object) => ({ id, description: `Item ${id}`, ...fields });
const order = (features: object[]) =>
  read(features)
    .features.map(({ id }) => id)
    .join(' ');

describe('a box counts, however it is spelled', () => {
  it.each([
    ['empty', '- [] b'],
    ['wide', '- [  ] b'],
    ['without a space behind it', '- [ ]b'],
    ['without a space before it', '-[ ] b'],
    ['after a typographic bullet', '• [ ] b'],
    ['after a dash', '– [ ] b'],
    ['after a letter', 'a) [ ] b'],
    ['after a number with parts', '1.2 [ ] b'],
    ['bold', '- **[ ] b**'],
    ['bold alone', '- **[ ]** b'],
    ['escaped', String.raw`- \[ \] b`],
    ['as code', '- `[ ]` b'],
    ['with a space that does not break', '- [\u00A0] b'],
    ['in wide brackets', '- ［ ］ b'],
    ['a ballot box', '- ☐ b'],
    ['a ballot box without a bullet', '☐ b'],
    ['a white square', '- ⬜ b'],
    ['at the end', '- b [ ]'],
    ['a sign with a space', '- [ ?] b'],
    ['a word with a sign', '- [🚧 WIP] b'],
    ['a word of another language', '- [进行中] b'],
  ])('%s', (_name, line) => {
    const list = plan(`- [x] a\n${line}\n`);
    expect(list.features.map(({ passes, description }) => `${passes} ${description}`)).toEqual([
      'true a',
      'false b',
    ]);
    expect(list.notes).toEqual([]);
    const items = readItemList(`- [x] a\n${line}\n`, 'plan.md', 'file');
    expect(items.ok && items.items.map(({ title }) => title)).toEqual(['b']);
  });

  it.each(['- [x ] b', '- [ x] b', '- [X]b', '-[x] b', '- ☑ b', '- b [x]', '- **[x]** b', '• [x] b'])(
    '%s is done',
    (line) => expect(count(plan(`- [ ] a\n${line}\n`))).toBe('1 of 2'),
  );

  it('behind an id', () => {
    expect(
      plan('- [x] a\n- T001 [ ] b\n- **T002** [ ] c').features.map(({ description }) => description),
    ).toEqual(['a', 'T001 b', '**T002** c']);
  });

  it('links, references and plain words stay what they are', () => {
    expect(count(plan('- [ ] a\n- [x](b)\n- [x][1]\n- [x]: b\n- [Home] c\n- [1] d\n- [P1] e\n'))).toBe(
      '0 of 1',
    );
  });

  it('a letter or a digit labels a line, and only a letter is told', () => {
    for (const line of ['- [P] tasks = other files', '- [A] b', '- [i] b']) {
      const list = plan(`- [x] a\n${line}\n`);
      expect(count(list)).toBe('1 of 1');
      expect(list.notes).toEqual([`does not count line 2 (marked ${line.slice(2, 5)})`]);
    }
    expect(plan('- [x] a\n- [1] b\n- [P?] c\n').notes).toEqual([]);
  });

  it('what is optional does not count, and is told while it is open', () => {
    const list = plan('- [x] 1. a\n  - [x] 1.1 b\n  - [ ]* 1.2 c\n- [ ]* 2. d\n  - [ ] 2.1 e\n- [x]* 3. f\n');
    expect(list.features.map(({ passes, description }) => `${passes} ${description}`)).toEqual(['true 1. a']);
    expect(list.notes).toEqual(['does not count lines 3, 4 (optional, marked [ ]*)']);
  });

  it('a wrapped line belongs to its item, also without a bullet', () => {
    expect(plan('[ ] a\n    goes on\n[x] b').features[0].description).toBe('a goes on');
  });

  it('a type in a table is not a box', () => {
    expect(count(plan('- [ ] a\n\n| names | `[]string` |\n'))).toBe('0 of 1');
  });

  it('the rows of a table do not run into each other', () => {
    expect(plan('| Task | |\n|---|---|\n| a | [ ] |\n| b | later |').features[0].description).toBe('a');
  });
});

describe('a mark that may be an ornament counts only together with its opposite', () => {
  it.each([
    ['ticks alone', '- ✅ fast\n- ✅ small\n'],
    ['verdicts in a table', '| Rule | Check |\n|---|---|\n| One | ✅ PASS |\n| Two | ✅ PASS |\n'],
    ['a comparison', '| | A | B |\n|---|---|---|\n| Fast | ✅ | ❌ |\n| Small | ❌ | ✅ |\n'],
    ['an opposite in code', '- ✅ fast\n\n```\n- ❌ slow\n```\n'],
    ['an opposite in a comment', '- ✅ fast\n\n<!--\n- ❌ slow\n-->\n'],
    ['an opposite that explains a sign', '## Legend\n- ✅ Done\n- ⏳ Pending\n\n## Goals\n- ✅ 500 stars\n'],
    ['scope', '## In\n- ✅ search\n- ✅ sort\n## Out\n- ❌ accounts\n- ❌ payments\n'],
    ['before and after', '**Before:**\n- ❌ Times out\n\n**After:**\n- ✅ Answers at once\n'],
    ['what was removed', '- ✅ Added a cache\n- ❌ Removed the old client\n'],
    ['what is supported', '| Browser | Works |\n|---|---|\n| One | ✅ |\n| Two | ❌ |\n'],
    ['an opposite in another table', '| a | ✅ |\n\n| b | ❌ |\n'],
    ['an assessment', '| Metric | Assessment |\n|---|---|\n| a | ✅ Excellent |\n| b | ⚠️ Slow |\n'],
  ])('%s: no list', (_name, content) => {
    expect(readFeatures(content, 'plan.md')).toMatchObject({
      why: expect.stringMatching(/^plan\.md holds no checklist item .*; a ✅ counts only beside open signs/),
    });
  });

  it.each([
    ['- ✅ a\n- ⬜ b\n', '1 of 2'],
    ['- ✅ a\n- ❌ b\n- ⏳ c\n- 🚀 d\n', '1 of 4'],
    ['## One\n1. ✅ a\n## Two\n1. **🚧 b**\n', '1 of 2'],
    ['| Task | State |\n|---|---|\n| a | ✅ FIXED |\n| b | ❌ BLOCKED |\n', '1 of 2'],
    ['| Task | State |\n|---|---|\n| a | ✅ Done |\n| b | Pending |\n| c | Done |\n', '2 of 3'],
    ['| Task | State |\n|---|---|\n| a | ✅ Done |\n| b | ✅ Planned |\n', '1 of 2'],
    ['| Task | | State |\n|---|---|---|\n| a | 🔴 high | ✅ |\n| b | 🟡 low | ⬜ |\n', '1 of 2'],
    ['| Task | Status |\n|---|---|\n| a | ✅ |\n| b | ❌ |\n', '1 of 2'],
    ['- [ ] a\n- ✅ fast\n', '0 of 1'],
  ])('%j', (content, wanted) => {
    expect(count(plan(content))).toBe(wanted);
    expect(plan(content).notes).toEqual([]);
  });

  it('a status of the whole file is told, and is no item', () => {
    const list = plan('## 상태\n🟨 진행 중\n\n- ✅ a\n- ⬜ b\n');
    expect(count(list)).toBe('1 of 2');
    expect(list.notes).toEqual(['does not count line 2 (a status without a box)']);
  });

  it('a box in backticks that is the only one is mentioned, not to be done', () => {
    expect(readFeatures('1. Do it\n2. `[ ]` marks what is open\n', 'plan.md')).toMatchObject({
      why: expect.stringContaining('It does not count line 2 (in code)'),
    });
    expect(count(plan('- `[ ]` a\n- `[ ]` b\n'))).toBe('0 of 2');
  });

  it('a row that says neither is told', () => {
    expect(plan('| a | ✅ |\n| b | ⏳ |\n| Total | 2 |\n').notes).toEqual([
      'does not count line 3 (a row without a mark)',
    ]);
  });

  it('the list is still one when its last open sign has become a tick', () => {
    const before = featureFactsOf(plan('- ✅ a\n- ⬜ b\n')).total;
    expect(readFeatures('- ✅ a\n- ✅ b\n', 'plan.md', before)).toMatchObject({
      features: [{ passes: true }, { passes: true }],
    });
    const items = readItemList('- ✅ a\n- ✅ b\n', 'plan.md', 'file');
    expect(items).toMatchObject({ ok: true, items: [] });
  });

  it('words in headings: with both they are marks, else open ones are told', () => {
    expect(count(plan('- [x] a\n## One [DONE]\n## Two [WIP]\n'))).toBe('2 of 3');
    const list = plan('- [x] a\n### [1] One [COMPLETED]\n### [4] Two [HIGH]\n### Three [V2]\n');
    expect(count(list)).toBe('1 of 1');
    expect(list.notes).toEqual(['does not count line 3 (marked [HIGH])']);
    expect(plan('- [x] a\n## One [WIP]\n## Two [MVP]\n').notes).toEqual([
      'does not count line 2 (marked [WIP])',
    ]);
  });
});

describe('rows beside boxes that are no open tasks are not told', () => {
  it.each([
    ['what is done', '| b | ✅ |\n| c | Done |'],
    ['a priority beside a status', '| | Priority | Status |\n|---|---|---|\n| b | 🔴 high | ✅ done |'],
    ['an answer', '| Field | Required |\n|---|---|\n| b | no |'],
    ['a number', '| Path | Status |\n|---|---|\n| /x | 404 Not Found |'],
    ['words', '| Name | What |\n|---|---|\n| b | opens a file |\n| c | plans a route |'],
    ['code', '```\n| b | 🔜 |\n```'],
  ])('%s', (_name, rows) => expect(plan(`- [x] a\n\n${rows}\n`).notes).toEqual([]));
});

describe('what looks like an open task and is none is told by its line', () => {
  it.each([
    ['> - [ ] b', 'line 2 (in a quote)'],
    ['```\n- [ ] b\n```', 'line 3 (in code)'],
    ['<!--\n- [ ] b\n-->', 'line 3 (in a comment)'],
    ['<!-- - [ ] b -->', 'line 2 (in a comment)'],
    ['\nWords:\n\n    - [ ] b', 'line 5 (indented like code)'],
    ['\n| b | [x] | [ ] |', 'line 3 (a row with several boxes)'],
    ['\n| b | TODO |', 'line 3 (a row without a box)'],
    ['\n| b | ❌ BLOCKED |', 'line 3 (a row without a box)'],
    ['\n| b | 🔜 |', 'line 3 (a row without a box)'],
    ['\n| b | 📋 Planned |', 'line 3 (a row without a box)'],
    ['\n| b | Backlog |', 'line 3 (a row without a box)'],
    ['\n| b | Offen |', 'line 3 (a row without a box)'],
    ['\n| b | 시작 안함 |', 'line 3 (a row without a box)'],
    ['\n| b | Da fare |', 'line 3 (a row without a box)'],
    ['\n| b | 🟡 In Progress |', 'line 3 (a row without a box)'],
    ['\n| b | 🔴 Not started |', 'line 3 (a row without a box)'],
    ['\n| Task | Status |\n|---|---|\n| b | Waits for Anna |', 'line 5 (a row without a box)'],
    ['\n| | Status |\n|---|---|\n| b | ✅ |\n| c | ⚠️ 80% |', 'line 6 (a row without a box)'],
    ['\n**Status:** Planned', 'line 3 (a status without a box)'],
    ['- ( ) b', 'line 2 (in round brackets)'],
    ['- ⏳ b', 'line 2 (marked ⏳ without a box)'],
    ['- 🟨 b', 'line 2 (marked 🟨 without a box)'],
    ['\n🟡 In Progress', 'line 3 (a status without a box)'],
    ['- [PARKED OUT] b', 'line 2 (marked [PARKED OUT])'],
    ['- [50%] b', 'line 2 (marked [50%])'],
    ['- [??] b', 'line 2 (marked [??])'],
    ['\n**Status**: Not started', 'line 3 (a status without a box)'],
    ['\nTerm\n: [ ] b', 'line 4 (a box inside a line)'],
    ['<li>[ ] b</li>', 'line 2 (in HTML)'],
    ['<input type="checkbox"> b', 'line 2 (in HTML)'],
    ['\nLegend:\n- [ ] not started', 'line 4 (a legend)'],
  ])('%j', (line, wanted) => {
    const list = plan(`- [x] a\n${line}\n`);
    expect(count(list)).toBe('1 of 1');
    expect(list.notes).toEqual([`does not count ${wanted}`]);
    expect(readItemList(`- [x] a\n${line}\n`, 'plan.md', 'file')).toMatchObject({
      ok: true,
      notes: list.notes,
    });
  });

  it('many of them in a few words', () => {
    const quotes = Array.from({ length: 9 }, () => '> - [ ] b').join('\n');
    expect(plan(`- [ ] a\n${quotes}`).notes).toEqual([
      'does not count lines 2, 3, 4, 5, and 5 more (in a quote)',
    ]);
  });

  it('what is done there, and how boxes are explained, is no news', () => {
    expect(
      plan('- [ ] a\n> - [x] b\n\n```\n- [x] c\n```\n\nTick with `[x]` when done, `[ ]` is open.\n').notes,
    ).toEqual([]);
  });

  it('a file that has nothing else is refused with the lines', () => {
    expect(readFeatures('# Plan\n\n**Status**: Not Started\n', 'plan.md')).toMatchObject({
      why: 'plan.md holds no checklist item (`- [ ] …`). It does not count line 3 (a status without a box)',
    });
  });
});

describe('whatever a file looks like', () => {
  const INDENT = ['', '', '', '  ', '    ', '\t'];
  const BEFORE = [
    '- ',
    '* ',
    '1. ',
    '',
    '## ',
    '### 1. ',
    '> ',
    '> - ',
    '| ',
    '• ',
    '- **',
    '- T1 ',
    'Task: ',
    '#',
    '- (',
    '<li>',
    '- - ',
  ];
  const BOXES = ['[ ]', '\\[ \\]', '☐', '**[ ]**', '[x]', '[~]', ''];
  const AFTER = ['', '**', ' |', ')', ' [ ]', ' (x)', ':'];
  const OTHERS = [
    '',
    'Words.',
    '---',
    '<!-- c -->',
    '- plain',
    '| a | b |',
    '|---|---|',
    '# Heading',
    'Legend:',
    '<details>',
  ];
  const line = fc.oneof(
    fc.tuple(fc.constantFrom(...INDENT), fc.constantFrom(...OTHERS)).map((parts) => parts.join('')),
    fc
      .tuple(
        fc.constantFrom(...INDENT),
        fc.constantFrom(...BEFORE),
        fc.constantFrom(...BOXES),
        fc.constantFrom(...AFTER),
      )
      .map(([indent, before, box, after]) => `${indent}${before}${box} WORD${after}`),
  );

  it('every open box is in an item, or its line is told', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), (lines) => {
        const named = lines.map((words, k) => words.replace('WORD', `word-${k}-`));
        const read = readChecklist(named.join('\n'));
        const known = read.ok ? read.items.flatMap(({ text, steps }) => [text, ...steps]).join('\n') : '';
        const told = new Set(read.ok ? read.unread.map(({ line: at }) => at) : []);
        const lost = named.filter(
          (words, k) => /\[ \\?\]|☐/.test(words) && !known.includes(`word-${k}-`) && !told.has(k + 1),
        );
        expect(read.ok).toBe(true);
        expect(lost).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('JSON by other spellings', () => {
  it.each<[string, unknown, string]>([
    [
      'keys in capitals',
      {
        Features: [
          { ID: 1, Title: 'a', Status: 'Done' },
          { Title: 'b', Passes: false },
        ],
      },
      '1 of 2',
    ],
    [
      'an object by id',
      { features: { F1: item('', { passes: true }), F2: item('', { passes: false }) } },
      '1 of 2',
    ],
    [
      'an object of groups',
      { features: { ui: [item(1, { passes: true })], api: [item(2, { passes: false })] } },
      '1 of 2',
    ],
    [
      'phases by name',
      { phases: { one: { tasks: [item(1, { done: true })] }, two: { tasks: [item(2, { done: false })] } } },
      '1 of 2',
    ],
    [
      'groups in a bare list',
      [{ category: 'ui', features: [item(1, { passes: true }), item(2, { passes: false })] }],
      '1 of 2',
    ],
    [
      'groups in a list',
      { features: [{ name: 'UI', items: [item(1, { passes: true }), item(2, { passes: false })] }] },
      '1 of 2',
    ],
    [
      'tasks of stories of epics',
      {
        epics: [
          {
            title: 'E',
            stories: [{ title: 'S', tasks: [item(1, { status: 'done' }), item(2, { status: 'todo' })] }],
          },
        ],
      },
      '1 of 2',
    ],
    ['another flag', [item(1, { implemented: true }), item(2, { implemented: false })], '1 of 2'],
    [
      'a longer name for the status',
      [item(1, { test_status: 'passing' }), item(2, { test_status: 'failing' })],
      '1 of 2',
    ],
    ['Chinese', [item(1, { status: '已完成' }), item(2, { status: '未开始' })], '1 of 2'],
    ['Spanish', [item(1, { status: 'Completado' }), item(2, { status: 'pendiente' })], '1 of 2'],
    ['German', [item(1, { status: 'erledigt' }), item(2, { status: 'in Arbeit' })], '1 of 2'],
    [
      'a story in three parts',
      [{ as_a: 'user', i_want: 'to search', so_that: 'I find it', passes: true }],
      '1 of 1',
    ],
  ])('%s', (_name, value, wanted) => {
    expect(count(read(value))).toBe(wanted);
    expect(read(value).notes).toEqual([]);
  });

  it('two flags that disagree are not an answer', () => {
    const list = read([item(1, { implemented: true, verified: false })]);
    expect(count(list)).toBe('0 of 1');
    expect(list.notes).toEqual([
      'does not say which items are done: the agent is told to set `passes` to true',
    ]);
  });

  it('a list below groups can be named', () => {
    const both = { phases: [{ tasks: [item(1, { done: true })] }, { stories: [item(2, { done: false })] }] };
    expect(readFeatures(JSON.stringify(both), 'x.json')).toMatchObject({
      why: 'x.json has several lists, phases.tasks and phases.stories: name the one that is meant, as in FILE#phases.tasks',
    });
    expect(count(read(both, 'x.json#phases.stories'))).toBe('0 of 1');
  });

  it('steps are found under the usual names', () => {
    const steps = (fields: object) => read([item(1, fields)]).features[0].steps;
    expect(steps({ acceptance: ['a', 'b'] })).toEqual(['a', 'b']);
    expect(steps({ verification: 'npm test' })).toEqual(['npm test']);
    expect(steps({ steps: [], acceptance: { files: ['x.ts'], checklist: ['b'] } })).toEqual(['x.ts', 'b']);
    expect(steps({ acceptance_criteria: [{ given: 'a', expected: 'b' }] })).toEqual(['a: b']);
  });
});

describe('the agent writes the words that the file allows', () => {
  const told = (value: unknown) => sayNextFeature(featureFactsOf(read(value)));
  const open = (status: string) => [item(1, { status })];

  it.each<[string, unknown, string]>([
    [
      'a legend',
      { status_legend: { not_started: '', passing: '' }, features: open('not_started') },
      '"passing"',
    ],
    ['a list of them', { rules: { valid_status: ['pending', 'done'] }, features: open('pending') }, '"done"'],
    [
      'another name',
      { _schema: { status_values: ['todo', 'completed'] }, tasks: open('todo') },
      '"completed"',
    ],
    ['none', { features: open('pending') }, '"completed"'],
    ['another language', open('未开始'), '"已完成"'],
  ])('%s', (_name, value, word) => {
    expect(told(value)).toContain(`set its \`status\` to ${word} in list.json`);
  });

  it('a yes in quotes is open, and the real one is asked for', () => {
    expect(told([item(1, { passes: 'false' })])).toContain('set its `passes` to true');
  });
});

describe('what a JSON file says besides its list', () => {
  it('open items elsewhere are told', () => {
    const value = {
      features: [item(1, { passes: true })],
      bugs: [item(2, { passes: false }), item(3, { passes: true })],
      phases: [{ tasks: [item(4, { status: 'todo' })] }],
    };
    expect(read(value).notes).toEqual([
      'does not count 1 open in bugs, 1 open in phases.tasks; to take another list, name it, as in FILE#name',
    ]);
    expect(readItemList(JSON.stringify(value), 'x.json', 'file')).toMatchObject({ notes: read(value).notes });
    expect(read({ ...value, bugs: [], phases: [] }).notes).toEqual([]);
  });

  it('lists that each count from 1 keep their ids and dependencies apart, and are told', () => {
    const tags = {
      master: {
        tasks: [
          item(1, { status: 'pending', priority: 'low' }),
          item(2, { status: 'pending', priority: 'high', dependencies: [1] }),
        ],
      },
      search: {
        tasks: [
          item(1, { status: 'done' }),
          item(2, { status: 'pending', priority: 'high', dependencies: [1] }),
          item(3, { status: 'pending' }),
        ],
      },
    };
    const list = read(tags, 'tasks.json');
    expect(list.features.map(({ id }) => id)).toEqual([
      'master/1',
      'master/2',
      'search/1',
      'search/2',
      'search/3',
    ]);
    expect(list.notes).toEqual([
      'counts the lists master, search together; to take one, name it, as in FILE#master',
    ]);
    const items = readItemList(JSON.stringify(tags), 'tasks.json', 'file');
    expect(items).toMatchObject({
      items: [
        { id: 'master/1', title: 'master/1: Item 1' },
        { id: 'master/2' },
        { id: 'search/2' },
        { id: 'search/3' },
      ],
      notes: list.notes,
    });
    expect(read(tags, 'tasks.json#search').features.map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  it('an item that is done with open parts is told', () => {
    const tasks = [item(1, { status: 'done', subtasks: [item(1.1, { status: 'pending' })] })];
    expect(read({ tasks }).notes).toEqual(['counts as done what has open parts: Item 1']);
  });
});

describe('the order', () => {
  it.each([
    ['words of one rank', 'low', 'urgent'],
    ['must and could', 'could have', 'must have'],
    ['a number with words', '2 - medium', '1 - high'],
    ['P with words', 'P2 (later)', 'P0 (now)'],
    ['parts of a number', '3', '2.5'],
  ])('%s', (_name, last, first) => {
    expect(
      order([item('a', { passes: false, priority: last }), item('b', { passes: false, priority: first })]),
    ).toBe('b a');
  });

  it.each([
    ['a text with commas', { dependsOn: 'b, c' }],
    ['objects', { dependencies: [{ id: 'b' }, { id: 'c' }] }],
    ['another name', { requires: ['b', 'c'] }],
    ['another spelling', { Depends_On: ['b', 'c'] }],
  ])('dependencies as %s', (_name, fields) => {
    expect(
      order([
        item('a', { passes: false, ...fields }),
        item('b', { passes: false }),
        item('c', { passes: false }),
      ]),
    ).toBe('b c a');
  });

  it('what waits for a blocked item does not come before free ones', () => {
    expect(
      order([
        item('a', { status: 'todo', dependsOn: ['b'] }),
        item('b', { status: 'blocked' }),
        item('c', { status: 'todo' }),
      ]),
    ).toBe('c b a');
    expect(order([item('a', { passes: false, blocked: true }), item('b', { passes: false })])).toBe('b a');
  });

  it('work items come in the same order', () => {
    const list = readItemList(
      JSON.stringify([
        { id: 'a', title: 'A', priority: 2, dependsOn: ['c'] },
        { id: 'b', title: 'B', priority: 1 },
        { id: 'c', title: 'C', priority: 3 },
      ]),
      'x.json',
      'file',
    );
    expect(list.ok && list.items.map(({ id }) => id)).toEqual(['b', 'c', 'a']);
  });
});

describe('work items that resemble each other', () => {
  const ids = (content: string, name = 'plan.md') => {
    const list = readItemList(content, name, 'file');
    return list.ok ? list.items.map(({ id }) => id) : [list.why];
  };

  it('the same words in two phases are two items, which keep their ids', () => {
    const [first, second, ...others] = ids('## One\n- [ ] Write tests\n## Two\n- [ ] Write tests\n');
    expect(others).toEqual([]);
    expect(second).not.toBe(first);
    expect(ids('## One\n- [x] Write tests\n## Two\n- [ ] Write tests\n')).toEqual([second]);
  });

  it('the same id in two phases are two items, if their words differ', () => {
    const phases = (done: boolean) =>
      JSON.stringify({
        phases: [{ tasks: [{ id: 1, title: 'a', done }] }, { tasks: [{ id: 1, title: 'b', done: false }] }],
      });
    expect(ids(phases(false), 'x.json')).toEqual(['phases/1/1', 'phases/2/1']);
    expect(ids(phases(true), 'x.json')).toEqual(['phases/2/1']);
    expect(ids('[{"id":1,"title":"a"},{"id":1,"title":"a"}]', 'x.json')).toEqual(['1']);
  });

  it.each([
    [
      'tasks.yaml',
      'tasks:\n  - title: a\n',
      'tasks.yaml is YAML, which is not read: use JSON or a checklist',
    ],
    ['tasks.yml', '- a\n', 'tasks.yml is YML, which is not read: use JSON or a checklist'],
    ['tasks.csv', 'id,title\n1,a\n', 'tasks.csv is CSV, which is not read: use JSON or a checklist'],
    ['tasks.json', 'version 1\n', 'tasks.json is not JSON (line 1: '],
  ])('%s is not a list of lines', (name, content, why) => {
    expect(ids(content, name)[0]).toContain(why);
  });

  it('an item without words is refused with its number', () => {
    expect(ids('{\n "tasks": [\n  { "id": 1 }\n ]\n}', 'x.json')).toEqual([
      'x.json has an item 1 without a title or description',
    ]);
  });
});
