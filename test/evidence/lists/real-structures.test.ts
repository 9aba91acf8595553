/**
 * The structures of lists in public repositories, with words of our own: what each is read as, the field that
 * the agent is told to set, and what the person is told.
 */
import { describe, expect, it } from 'vitest';
import { nextOpen, progress, readFeatures } from '#evidence/lists/features.ts';

const J = (value: unknown) => JSON.stringify(value, null, 2);

function summary(file: string, content: string): string {
  const list = readFeatures(content, file);
  if (!list.ok) return `refused: ${list.why}`;
  const { passing, total } = progress(list);
  const mark = nextOpen(list)?.mark;
  const set = mark ? `; ${mark.field} = ${mark.done}` : '';
  return [`${passing} of ${total}${set}`, ...list.notes].join('. It ');
}

const LISTS: Readonly<Record<string, readonly [string, string, string]>> = {
  'plain boxed lines with wraps': [
    'fix_plan.md',
    '## DONE\n[x] one\n[x] two: long\n    wrapped line\n\nPlan: `specs/x.md`.\n\n## PENDING (user)\n\n[ ] Visual QA: a, b,\n    and c\n[ ] Field test\n',
    '2 of 4',
  ],
  'steps with status emoji in headings, fences in items, criteria with emoji': [
    'fix_plan.md',
    '## Step 1: A ✅ COMPLETED\n- [x] a\n  ```cpp\n  int x[] = {};\n  ```\n- [x] b:\n  - [x] c ✅ Line 3\n\n## Step 2 ⏳ PENDING\n- [ ] d\n  - [ ] e\n\n## Success\n- ✅ one\n- ⏳ two\n',
    '2 of 3. It does not count line 15 (marked ⏳ without a box)',
  ],
  'open box with DONE in words': [
    'fix_plan.md',
    '- [ ] **Task 1** ✅ DONE (2026-02-27)\n  - detail\n- [ ] **Task 2**\n\n## Completed\n- ✅ x\n',
    '0 of 2',
  ],
  'numbered queue, no boxes': [
    'fix_plan.md',
    '## Queue\n\n1. A\n   - Done when:\n     - x\n2. B\n',
    'refused: fix_plan.md holds no checklist item (`- [ ] …`)',
  ],
  'no issues': [
    'fix_plan.md',
    '# Fix Plan\n\n_No known issues._\n',
    'refused: fix_plan.md holds no checklist item (`- [ ] …`)',
  ],
  'tags in bold': ['fix_plan.md', '- [x] **[ASDF]** a\n- [ ] **[TELEGRAM]** b\n', '1 of 2'],
  'quote rules above': [
    'fix_plan.md',
    '> Move completed tasks down\n\n## Critical\n- [ ] a\n## High\n_None._\n## Completed\n- [x] b\n',
    '1 of 2',
  ],
  'acceptance boxes in Russian plan': [
    'IMPLEMENTATION_PLAN.md',
    '> **Doc**\n\n### §1.1. T\n\n**Acceptance criteria:**\n- [ ] a\n  - x\n- [ ] b:\n  ```rust\n  loop {}\n  ```\n**Guard:** x\n',
    '0 of 2',
  ],
  'stage status': [
    'IMPLEMENTATION_PLAN.md',
    '## Stage 1\n**狀態（Status）**: Complete\n## Stage 2\n**狀態（Status）**: Not Started\n',
    'refused: IMPLEMENTATION_PLAN.md holds no checklist item (`- [ ] …`). It does not count line 4 (a status without a box)',
  ],
  'status table': [
    'IMPLEMENTATION_PLAN.md',
    '| # | Status | Stage |\n|---|---|---|\n| 0 | **DONE** | a |\n| 10 | | b |\n',
    'refused: IMPLEMENTATION_PLAN.md holds no checklist item (`- [ ] …`)',
  ],
  'passes + status + dependencies': [
    'feature_list.json',
    J({
      features: [
        { id: 'F1', name: 'a', description: 'd', priority: 'critical', status: 'complete', passes: true },
        {
          id: 'F2',
          name: 'b',
          description: 'd',
          priority: 'medium',
          status: 'planned',
          passes: false,
          dependencies: ['F1'],
        },
      ],
    }),
    '1 of 2; passes = true',
  ],
  'state and status': [
    'feature_list.json',
    J({
      features: [
        {
          id: 'f1',
          name: 'a',
          description: 'd',
          verification: './init.sh',
          dependencies: [],
          state: 'not_started',
          status: 'not-started',
          layers: [{ label: 'x', cmd: 'y' }],
        },
      ],
    }),
    '0 of 1; status = "done"',
  ],
  'spec-kit tasks, with the notes of the template': [
    'tasks.md',
    '## Format: `[ID] [P?] [Story] Description`\n- **[P]**: Can run in parallel\n\n## Phase 1\n- [x] T001 Set up\n- [x] T002 [P] [US1] Write tests\n\n## Notes\n- [P] tasks = different files, no dependencies\n- [Story] label maps a task to its story\n',
    '2 of 2. It does not count line 9 (marked [P])',
  ],
  'rules of a plan as comment lines': [
    'PRD.md',
    '# Plan\n# - Mark done:    - [x]\n# - Mark blocked: - [-]\n\n- [x] a\n- [ ] b\n',
    '1 of 2',
  ],
  'a legend of boxes in code': [
    'tasks.md',
    '## Legend\n- `[ ]` open\n- `[~]` in progress\n- `[x]` done and verified\n\n## Tasks\n- [ ] a\n',
    '0 of 1. It does not count lines 2, 3 (a legend)',
  ],
  YAML: [
    'sprint-status.yaml',
    'stories:\n  one: done\n',
    'refused: sprint-status.yaml is YAML, which is not read: use JSON or a checklist',
  ],
  'JSON lines': [
    'issues.jsonl',
    '{"id":1,"title":"a"}\n{"id":2,"title":"b"}\n',
    'refused: issues.jsonl holds JSON lines, which --items reads: use that, or JSON or a checklist',
  ],
  legend: [
    'feature_list.json',
    J({
      status_legend: { not_started: 'a', in_progress: 'b', blocked: 'c', passing: 'd' },
      features: [
        {
          id: 'w1',
          priority: 2.5,
          title: 't',
          user_visible_behavior: 'u',
          status: 'not_started',
          verification: ['a', 'b'],
          evidence: [],
        },
        { id: 'w0', priority: 1, title: 't0', status: 'passing' },
      ],
    }),
    '1 of 2; status = "passing"',
  ],
  spec_ready: [
    'feature_list.json',
    J({
      allowed_statuses: ['pending', 'spec_ready', 'done'],
      features: [
        { id: '001', title: 'a', status: 'spec_ready', summary: 's' },
        { id: '002', title: 'b', status: 'pending', summary: 's' },
      ],
    }),
    '0 of 2; status = "done"',
  ],
  empty: [
    'feature_list.json',
    J({ rules: { valid_status: ['pending', 'done'] }, features: [] }),
    'refused: feature_list.json has no item in features',
  ],
  lfs: [
    'feature_list.json',
    'version https://git-lfs.github.com/spec/v1\noid sha256:2e\n',
    "refused: feature_list.json is not JSON (line 1: Unexpected token 'v')",
  ],
  'started/complete flags': [
    'prd.json',
    J([{ category: 'prd', description: 'd', steps: ['a'], started: false, complete: false }]),
    '0 of 1; complete = true',
  ],
  'stories with passes and track': [
    'prd.json',
    J({
      feature: 'x',
      stories: [
        {
          id: 's1',
          title: 'a',
          description: 'd',
          priority: 1,
          passes: false,
          acceptance_criteria: ['x'],
          dependencies: [],
        },
      ],
    }),
    '0 of 1; passes = true',
  ],
  'status in stories with features strings': [
    'prd.json',
    J({
      stories: [
        { id: 'US-1', title: 'a', status: 'in_progress', priority: 'critical', features: ['x', 'y'] },
        { id: 'US-2', title: 'b', status: 'pending', priority: 'high' },
      ],
    }),
    '0 of 2; status = "completed"',
  ],
  'features without status': [
    'prd.json',
    J({ features: [{ id: 'F-001', name: 'a', description: 'd', details: ['x'] }] }),
    '0 of 1; passes = true. It does not say which items are done: the agent is told to set `passes` to true',
  ],
  'passes + status + _schema': [
    'prd.json',
    J({
      _schema: { status_values: ['not_started', 'completed'] },
      userStories: [
        { id: 'US-1', title: 'a', passes: true, status: 'completed', priority: 1.1 },
        { id: 'US-2', title: 'b', passes: false, status: 'not_started', priority: 2 },
      ],
    }),
    '1 of 2; passes = true',
  ],
  'prose in .json': [
    'prd.json',
    '@ralph/PRD.md @ralph/progress.txt\n',
    "refused: prd.json is not JSON (line 1: Unexpected token '@')",
  ],
  'routes and dataModel beside stories': [
    'prd.json',
    J({
      routes: [{ path: '/', name: 'Home', purpose: 'x' }],
      dataModel: [{ entity: 'users', fields: ['id'] }],
      userStories: [{ id: 'US-1', title: 'a', passes: false }],
    }),
    '0 of 1; passes = true',
  ],
};

const ROADMAP = `## Milestones

| # | What | State |
|---|---|:---:|
| M1 | Calendar export | ✅ |
| M2 | Bank import | 🔜 |
| M3 | Reminders | 🔜 |
| M4 | Release | ⏳ |

## Next
- [ ] Sort the list
`;

describe('a roadmap with a table beside boxes', () => {
  it('names each row that is not done, and counts the boxes', () =>
    expect(summary('ROADMAP.md', ROADMAP)).toBe(
      '0 of 1. It does not count lines 6, 7, 8 (a row without a box)',
    ));
});

describe('the lists that people really have', () => {
  it.each(Object.entries(LISTS))('%s', (_name, [file, content, wanted]) => {
    expect(summary(file, content)).toBe(wanted);
  });
});
