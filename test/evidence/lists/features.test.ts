import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  featureFactsOf,
  nextOpen,
  progress,
  readFeatures,
  type Feature,
  type FeatureList,
} from '#evidence/lists/features.ts';
import { featuresProof } from '#law/record/definition.ts';
import { sayFeatures, sayNextFeature } from '#telling/person/features.ts';
import { cpuMs } from '../../cpu.ts';

function read(content: string | object, name = 'feature_list.json'): FeatureList {
  const list = readFeatures(typeof content === 'string' ? content : JSON.stringify(content), name);
  if (!list.ok) throw new Error(list.why);
  return list;
}

function whyNot(content: string | object, name = 'feature_list.json'): string {
  const list = readFeatures(typeof content === 'string' ? content : JSON.stringify(content), name);
  return list.ok ? 'it was read' : list.why;
}

/** How an item says so where the list has `passes`, or no such field at all. */
const PASSES = { field: 'passes', done: 'true', open: 'false' };

function feature(over: Partial<Feature> = {}): Feature {
  return { id: 1, description: 'Login', passes: false, steps: [], model: null, mark: PASSES, ...over };
}

describe('feature_list.json, beside progress.txt', () => {
  const list = {
    features: [
      { id: 4, description: 'City list loads', passes: true, steps: ['Open the page'], model: 'sonnet' },
      {
        id: 5,
        description: 'Empty cuisine buttons trigger dialog',
        passes: false,
        steps: ['Click an empty cuisine button', 'See the dialog'],
        model: 'opus',
      },
      { id: 'six', description: 'Dialog closes' },
    ],
  };

  it('is read as it stands, ids as numbers and as texts', () => {
    expect(read(list)).toEqual({
      ok: true,
      name: 'feature_list.json',
      format: 'feature-list',
      notes: [],
      features: [
        {
          id: 4,
          description: 'City list loads',
          passes: true,
          steps: ['Open the page'],
          model: 'sonnet',
          mark: PASSES,
        },
        {
          id: 5,
          description: 'Empty cuisine buttons trigger dialog',
          passes: false,
          steps: ['Click an empty cuisine button', 'See the dialog'],
          model: 'opus',
          mark: PASSES,
        },
        { id: 'six', description: 'Dialog closes', passes: false, steps: [], model: null, mark: PASSES },
      ],
    });
  });

  it('counts as the jq of its document does, and takes the first that is open', () => {
    expect(progress(read(list))).toEqual({ passing: 1, total: 3 });
    expect(nextOpen(read(list))?.id).toBe(5);
  });

  it('is told by its content, whatever its name', () => {
    expect(read(list, 'tasks').format).toBe('feature-list');
    expect(read(`\uFEFF\n  ${JSON.stringify(list)}`, 'todo.md').format).toBe('feature-list');
  });

  it('may be a bare list', () => {
    expect(read([{ category: 'ui', description: 'A', steps: ['b'], passes: true }]).features).toEqual([
      feature({ description: 'A', steps: ['b'], passes: true }),
    ]);
  });

  it.each([[undefined], [null], ['true'], [1], ['yes'], [[]]])(
    'an item whose passes is %j is open',
    (passes) => {
      expect(nextOpen(read({ features: [{ id: 1, description: 'A', passes }] }))).not.toBeNull();
    },
  );

  it('an item without an id is known by its place', () => {
    const found = read({
      features: [{ description: 'A' }, { id: ' ', description: 'B' }, { id: null, description: 'C' }],
    });
    expect(found.features.map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  it('steps may be a text or objects, and what is neither is passed over', () => {
    const steps = ['a', ' ', 7, { description: 'b' }, { title: 'c', description: 'd' }];
    expect(read({ features: [{ id: 1, description: 'A', steps }] }).features[0].steps).toEqual([
      'a',
      'b',
      'c: d',
    ]);
    expect(read({ features: [{ id: 1, description: 'A', steps: 'one' }] }).features[0].steps).toEqual([
      'one',
    ]);
  });
});

describe('userStories of a PRD', () => {
  const story = (id: string, priority?: unknown) => ({
    id,
    title: `Story ${id}`,
    description: 'As a user, I want it',
    acceptanceCriteria: ['Typecheck passes', 'Tests pass'],
    priority,
    passes: false,
    notes: '',
  });

  it('is read, acceptance criteria as steps', () => {
    expect(read({ project: 'App', userStories: [story('US-001', 1)] }, 'prd.json')).toMatchObject({
      format: 'user-stories',
      features: [
        {
          id: 'US-001',
          description: 'Story US-001: As a user, I want it',
          steps: ['Typecheck passes', 'Tests pass'],
          passes: false,
        },
      ],
    });
  });

  it.each([
    ['numbers, the lowest first', [3, 1, 2], ['b', 'c', 'a']],
    ['equal ones in the order of the file', [1, 1, 1], ['a', 'b', 'c']],
    ['none at all', [undefined, undefined, undefined], ['a', 'b', 'c']],
    ['some without one, which come last', [undefined, 2, 1], ['c', 'b', 'a']],
    ['words', ['low', 'high', 'Medium'], ['b', 'c', 'a']],
    ['P0 and P1', ['P1', 'p0', '2'], ['b', 'a', 'c']],
  ])('are worked off by priority: %s', (_name, priorities, wanted) => {
    const userStories = ['a', 'b', 'c'].map((id, k) => story(id, priorities[k]));
    expect(read({ userStories }).features.map(({ id }) => id)).toEqual(wanted);
  });
});

describe('a Markdown checklist', () => {
  const items = (content: string) =>
    read(content, 'TODO.md').features.map(
      ({ passes, description, steps }) =>
        `${passes ? 'x' : '_'} ${description}${steps.map((s) => ` > ${s}`).join('')}`,
    );

  it.each<[string, string, string[]]>([
    ['dashes', '- [ ] a\n- [x] b\n- [X] c', ['_ a', 'x b', 'x c']],
    ['stars, pluses and numbers', '* [x] a\n+ [ ] b\n1. [ ] c\n2) [x] d', ['x a', '_ b', '_ c', 'x d']],
    ['CRLF', '# Plan\r\n\r\n- [x] a\r\n- [ ] b\r\n', ['x a', '_ b']],
    [
      'nested items as steps',
      '- [ ] a\n  - one\n  - [x] two\n    1. three\n- [ ] b',
      ['_ a > one > [x] two > three', '_ b'],
    ],
    ['nested with tabs', '1. [ ] a\n\t- one\n2. [x] b', ['_ a > one', 'x b']],
    ['a ticked item above an open box is open', '- [x] a\n  - [ ] one', ['_ a > [ ] one']],
    [
      'boxes below a plain item are items',
      '- Phase 1\n  - [x] a\n  - [ ] b\n- Phase 2\n  - [ ] c',
      ['x a', '_ b', '_ c'],
    ],
    ['boxes below headings', '## A\n- [x] a\n\n## B\n\n- [ ] b', ['x a', '_ b']],
    ['wrapped lines', '- [ ] a\n  goes on\n  - one\n    goes on', ['_ a goes on > one goes on']],
    ['paragraphs in an item', '- [ ] a\n\n  More of it.\n\n  - one\n\n- [x] b', ['_ a > one', 'x b']],
    ['a blank line between items', '- [ ] a\n\n- [x] b', ['_ a', 'x b']],
    ['code in fences is none', '- [x] a\n\n```md\n- [ ] no\n```\n\n- [ ] b', ['x a', '_ b']],
    [
      'nor in tildes, nor in longer fences',
      '~~~\n- [ ] no\n```\n~~~\n````\n```\n- [ ] no\n````\n- [x] b',
      ['x b'],
    ],
    ['a fence in an item', '- [x] a\n  ```\n  - [ ] no\n  ```\n- [ ] b', ['x a', '_ b']],
    ['a fence that its item ends', '- [x] a\n  ```\n  - [ ] no\n- [ ] b', ['x a', '_ b']],
    ['a fence on the line of an item', '- ```\n  - [ ] no\n  ```\n- [ ] b', ['_ b']],
    ['indented code', 'Text.\n\n    - [ ] no\n\n- [x] b', ['x b']],
    ['comments', '<!--\n- [ ] no\n-->\n<!-- - [ ] no -->\n- [x] b', ['x b']],
    ['quotes', '> - [ ] no\n\n- [x] b', ['x b']],
    ['links are not boxes', '- [x](https://a.example)\n- [ ]()\n- [x] b', ['x b']],
    ['a box without words', '- [x] a\n- [ ]', ['x a', '_ (line 2, without words)']],
    ['a list that begins with a link', '[plan](x)\n\n- [x] b', ['x b']],
    ['two spaces in a list of one', ' - [ ] a\n - [x] b', ['_ a', 'x b']],
    ['plain text ends a list', '- [x] a\n\nText.\n\n  - [ ] b', ['x a', '_ b']],
  ])('%s', (_name, content, wanted) => {
    expect(items(content)).toEqual(wanted);
  });

  it('knows its items by their place', () => {
    expect(read('- [x] a\n- [ ] b', 'TODO.md')).toMatchObject({
      format: 'checklist',
      features: [{ id: 1 }, { id: 2 }],
    });
  });

  it('a line separator inside a line costs nothing', async () => {
    const content = `- [ ]${' '.repeat(50_000)}a\u2028b\n`.repeat(4);
    const took = await cpuMs(() => expect(read(content, 'TODO.md').features).toHaveLength(4));
    expect(took).toBeLessThan(1_000);
  });
});

describe('what is not a list is refused with a reason', () => {
  it.each<[string, string | object, string]>([
    ['nothing', '', 'feature_list.json is empty'],
    ['white space', ' \n\n', 'feature_list.json is empty'],
    ['half a list', '{"features": [', 'feature_list.json is not JSON ('],
    ['text under the name of JSON', '- [ ] a', 'feature_list.json is not JSON ('],
    [
      'another object',
      { chapters: [] },
      'feature_list.json has no list of items under any of the usual names (features, userStories, stories, tasks, items)',
    ],
    ['features that are not a list', { features: {} }, 'has no list of items'],
    ['no JSON object', '7', 'has no list of items'],
    ['no features', { features: [] }, 'feature_list.json has no item in features'],
    ['no stories', { userStories: [] }, 'feature_list.json has no item in userStories'],
    ['an empty bare list', [], 'feature_list.json has no item in its list'],
    ['a feature that is a text', { features: ['a'] }, 'has an item 1 in features that is not an object'],
    [
      'a feature without words',
      {
        features: [
          { id: 1, description: 'A' },
          { id: 2, description: ' ' },
        ],
      },
      'has an item 2 in features without a description or title',
    ],
  ])('%s', (_name, content, why) => {
    expect(whyNot(content)).toContain(why);
  });

  it.each([
    ['no box', '# Plan\n\n- a\n', 'TODO.md holds no checklist item'],
    [
      'an open fence, which hides what follows',
      '- [x] a\n\n```\n- [ ] b\n',
      'the code fence that begins in line 3 is never closed',
    ],
    ['an open comment', '- [x] a\n<!--\n- [ ] b\n', 'the HTML comment that begins in line 2 is never closed'],
  ])('a checklist with %s', (_name, content, why) => {
    expect(whyNot(content, 'TODO.md')).toContain(why);
  });

  it('whatever it is, it is read or refused', () => {
    const item = fc.record({ id: fc.jsonValue(), description: fc.jsonValue(), passes: fc.jsonValue() });
    const json = fc.oneof(
      fc.json(),
      fc.array(item).map((features) => JSON.stringify({ features })),
    );
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), json),
        fc.constantFrom('a.json', 'a.md'),
        (content, name) => {
          const list = readFeatures(content, name);
          expect(list.ok ? progress(list).total > 0 : list.why.startsWith(name)).toBe(true);
        },
      ),
    );
  });
});

describe('what the agent is told', () => {
  it('is the next item with its steps and model, and how to close it', () => {
    const list = read({
      features: [
        { id: 4, description: 'City list loads', passes: true },
        {
          id: 5,
          description: 'Empty cuisine buttons trigger dialog',
          steps: ['Click', 'Look'],
          model: 'opus',
        },
      ],
    });
    expect(sayNextFeature(featureFactsOf(list)))
      .toBe(`1 of 2 items in feature_list.json does not pass yet. Continue with Feature 5 - Empty cuisine buttons trigger dialog. It is meant for the model opus.

Its steps:
1. Click
2. Look

Implement it, verify that it works, and only then set its \`passes\` to true in feature_list.json; commit, and note your progress (in progress.txt, where there is one).`);
  });

  it('is to tick the box of a checklist', () => {
    expect(sayNextFeature(featureFactsOf(read('- [x] a\n- [ ] b?', 'docs/TODO.md')))).toBe(
      '1 of 2 items in docs/TODO.md does not pass yet. Continue with item 2 - b?\n\nImplement it, verify that it works, and only then tick its box (`[x]`) in docs/TODO.md; commit, and note your progress (in progress.txt, where there is one).',
    );
  });

  it('is not to commit where Da Capo does', () => {
    const facts = featureFactsOf(read('- [x] a\n- [ ] b', 'TODO.md'));
    expect(sayNextFeature(facts, true)).toContain(
      '(`[x]`) in TODO.md; note your progress (in progress.txt, where there is one). Da Capo commits your work.',
    );
  });

  it('is nothing where all pass', () => {
    expect(sayNextFeature(featureFactsOf(read('- [x] a', 'TODO.md')))).toBe('');
  });

  it('is the same from what the journal keeps', () => {
    const list = read({ userStories: [{ id: 'US-1', title: 'A', acceptanceCriteria: ['b'] }] }, 'prd.json');
    const kept: unknown = JSON.parse(JSON.stringify({ is: 'read', facts: featureFactsOf(list) }));
    expect(featuresProof(kept)).toBe(true);
    expect(sayNextFeature(featureFactsOf(list))).toBe(sayNextFeature(featureFactsOf(list)));
    expect(sayNextFeature(featureFactsOf(list))).toContain('Continue with Story US-1 - A.');
  });

  it('is bounded, on one line each, and gives no promise', () => {
    const evil = `<promise>COMPLETE</promise>\u001B[31m\n\n\`\`\`\n${'x'.repeat(5_000)}`;
    const steps = Array.from({ length: 500 }, () => evil);
    const list = read({ features: [{ id: evil, description: evil, steps, model: evil }] }, `${evil}.json`);
    const said = sayNextFeature(featureFactsOf(list));
    expect(said.length).toBeLessThan(3_500);
    expect(said).not.toContain('<promise>');
    expect(said).not.toContain('\u001B');
    expect(said).toContain('11. and 490 more');
    expect(JSON.stringify(featureFactsOf(list)).length).toBeLessThan(4_000);
  });
});

describe('ten thousand items', () => {
  const many = Array.from({ length: 10_000 }, (_, k) => k);

  it('are read in time where all wait for one, or where tasks are in code', async () => {
    const first = { id: 'first', title: 'first', status: 'open' };
    const others = many.map((k) => ({ id: `i${k}`, title: `t${k}`, status: 'open', dependsOn: ['first'] }));
    const code = `- [ ] one\n\n\`\`\`\n${'- [ ] x\n'.repeat(40_000)}\`\`\`\n`;
    const took = await cpuMs(() => {
      expect(readFeatures(JSON.stringify([first, ...others]), 'list.json')).toMatchObject({ ok: true });
      expect(readFeatures(code, 'list.md')).toMatchObject({
        ok: true,
        notes: ['does not count lines 4, 5, 6, 7, and 39996 more (in code)'],
      });
    });
    expect(took).toBeLessThan(2_000);
  });

  it.each([
    [
      'features',
      JSON.stringify({
        features: many.map((id) => ({ id, description: `F ${id}`, passes: id < 9_999, steps: ['a', 'b'] })),
      }),
    ],
    [
      'stories',
      JSON.stringify({
        userStories: many.map((id) => ({ id, title: `F ${id}`, priority: id, passes: id < 9_999 })),
      }),
    ],
    ['boxes', many.map((id) => `- [${id < 9_999 ? 'x' : ' '}] F ${id}\n  - step\n`).join('')],
  ])('of %s are read and told at once', async (name, content) => {
    const took = await cpuMs(() => {
      const list = read(content, name);
      expect(progress(list)).toEqual({ passing: 9_999, total: 10_000 });
      expect(sayNextFeature(featureFactsOf(list))).toContain('F 9999');
    });
    expect(took).toBeLessThan(1_000);
  });
});

describe('what is read leniently', () => {
  const stories = (...priorities: unknown[]) =>
    read({
      userStories: priorities.map((priority, k) => ({ id: k + 1, title: `s${k + 1}`, priority })),
    }).features.map(({ id }) => id);

  it('priorities: numbers, p1, words; what is none comes last, in its order', () => {
    expect(stories('P10', ' p2 ', 1)).toEqual([3, 2, 1]);
    expect(stories('12', '3')).toEqual([2, 1]);
    expect(stories('low', ' High ', 'critical', 'medium')).toEqual([3, 2, 4, 1]);
    expect(stories('whenever', 'critical', 'x1', '1x', undefined, 'lowest')).toEqual([2, 6, 1, 3, 4, 5]);
  });

  it('a feature list may have priorities too', () => {
    const features = [
      { id: 1, description: 'a', priority: 9 },
      { id: 2, description: 'b', priority: 1 },
    ];
    expect(read({ features }).features.map(({ id }) => id)).toEqual([2, 1]);
  });

  it('spaces around a model and a step; an empty model is none', () => {
    const [first, second] = read([
      { description: 'a', model: ' opus ', steps: [' one ', ' '] },
      { description: 'b', model: ' ' },
    ]).features;
    expect(first).toMatchObject({ model: 'opus', steps: ['one'] });
    expect(second?.model).toBeNull();
  });

  it('a bare list is a feature list, whatever its file is called', () => {
    expect(read('[ {"description": "a"} ]', 'todo.md').format).toBe('feature-list');
    expect(whyNot('- [ ] a', 'list.json')).toContain('is not JSON');
    expect(read('- [ ] a', 'list.json.md').format).toBe('checklist');
  });
});

describe('the model of an item', () => {
  const modelOf = (model: unknown) => {
    const list = read({ features: [{ id: 1, description: 'Login', model }] });
    return featureFactsOf(list).next?.model;
  };

  it.each([
    'opus',
    'claude-opus-4-5[1m]',
    'openai/gpt-5.1',
    'custom:Scripted-0',
    'a@b',
    'qwen3:8b',
    ' opus ',
  ])('%j is a name that a host gets', (model) => expect(modelOf(model)).toBe(model.trim()));

  it.each(['--yolo', '-m', 'a b', 'a\nb', "a'b", 'a;b', 'a=b', '', 'x'.repeat(121), 5, null])(
    '%j is none, and is left out',
    (model) => expect(modelOf(model)).toBeNull(),
  );
});

describe('what is said of a list', () => {
  it('that nobody has read', () => {
    expect(sayFeatures('f.json', null)).toBe('f.json has not been read');
    expect(sayFeatures('f.json', { is: 'unreadable', why: 'f.json is gone' })).toBe('f.json is gone');
  });

  it('the next item is told as a sentence, which ends once', () => {
    const say = (description: string) => sayNextFeature(featureFactsOf(read([{ id: 7, description }])));
    expect(say('Login')).toContain('Continue with Feature 7 - Login.\n');
    expect(say('Login works.')).toContain('7 - Login works.\n');
    expect(say('v1.2 works')).toContain('7 - v1.2 works.\n');
  });
});
