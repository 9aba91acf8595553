/** The files of other tools, as people have them: found, named, and turned into the command to type. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandFor, findLayouts } from '#evidence/lists/layouts.ts';
import { temporaryFolder } from '../../store/folder.ts';

function project(files: Record<string, string>): string {
  const dir = temporaryFolder();
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(join(dir, dirname(file)), { recursive: true });
    writeFileSync(join(dir, file), content);
  }
  return dir;
}

const PLAN = '# Plan\n- [x] a\n- [ ] b\n';
const PRD = '{"userStories":[{"id":"US-1","title":"a","passes":false}]}';

function commands(files: Record<string, string>): string[] {
  const dir = project(files);
  return findLayouts(dir).map((layout) => `${layout.tool}: ${commandFor(layout, dir).command}`);
}

describe('what people have', () => {
  it.each<[string, Record<string, string>, string[]]>([
    ['nothing', { 'README.md': 'Hello.' }, []],
    [
      '.ralph with a fix plan',
      { '.ralph/PROMPT.md': 'Go on.', '.ralph/fix_plan.md': PLAN },
      ['ralph-claude-code: dacapo run --prompt-file .ralph/PROMPT.md --features .ralph/fix_plan.md'],
    ],
    [
      'the older names of that',
      { '.ralph/PROMPT.md': 'Go on.', '.ralph/@fix_plan.md': PLAN },
      ['ralph-claude-code: dacapo run --prompt-file .ralph/PROMPT.md --features .ralph/@fix_plan.md'],
    ],
    [
      'scripts/ralph with a PRD',
      {
        'scripts/ralph/prompt.md': 'Go on.',
        'scripts/ralph/prd.json': PRD,
        'scripts/ralph/progress.txt': '',
      },
      ['scripts/ralph: dacapo run --prompt-file scripts/ralph/prompt.md --features scripts/ralph/prd.json'],
    ],
    [
      'names in lower case, and a PRD in Markdown',
      { '.ralph/prompt.md': 'Go on.', '.ralph/PRD.md': PLAN },
      ['ralph-claude-code: dacapo run --prompt-file .ralph/prompt.md --features .ralph/PRD.md'],
    ],
    ...['scripts/ralph/prd.json', 'plans/prd.json', 'prd.json'].map(
      (list): [string, Record<string, string>, string[]] => [
        `${list} alone`,
        { [list]: PRD, [join(dirname(list), 'progress.txt')]: '' },
        [
          `a list without a prompt: dacapo run "Work on the next open item of ${list}, one item a pass. Keep notes in ${join(dirname(list), 'progress.txt')}." --features ${list}`,
        ],
      ],
    ),
    ['a plan without boxes alone', { 'IMPLEMENTATION_PLAN.md': '1. Think.\n' }, []],
    ['a list that is done, alone', { 'fix_plan.md': '- [x] a\n' }, []],
    [
      'a prompt with a plan at the root',
      { 'PROMPT.md': 'Go on.', 'IMPLEMENTATION_PLAN.md': PLAN },
      ['a prompt with a plan: dacapo run --prompt-file PROMPT.md --features IMPLEMENTATION_PLAN.md'],
    ],
    [
      'a plan that is prose',
      { 'PROMPT.md': 'Go on.', 'IMPLEMENTATION_PLAN.md': '1. Think.\n' },
      ['a prompt with a plan: dacapo run --prompt-file PROMPT.md --completion-promise COMPLETE'],
    ],
    [
      'a feature list with its progress',
      { 'feature_list.json': '[{"description":"a","passes":false}]', 'claude-progress.txt': 'Nothing.' },
      [
        'a feature list: dacapo run "Work on the next open item of feature_list.json, one item a pass. Keep notes in claude-progress.txt." --features feature_list.json',
      ],
    ],
    [
      'ralph-tui',
      { '.ralph-tui/config.toml': '', 'prd.json': PRD },
      [
        'ralph-tui: dacapo run "Work on the next open item of prd.json, one item a pass." --features prd.json',
      ],
    ],
    [
      'ralph-orchestrator, with its promise and limit',
      {
        'ralph.yml':
          'event_loop:\n  prompt_file: "docs/TASK.md"  # the task\n  completion_promise: "ALL DONE"\n  max_iterations: 100\ncli:\n  backend: claude\n',
        'docs/TASK.md': 'Go on.',
      },
      [
        `ralph-orchestrator: dacapo run --prompt-file docs/TASK.md --completion-promise "ALL DONE" --max-iterations 100`,
      ],
    ],
    [
      'ralph-orchestrator as it comes',
      { 'ralph.yml': 'cli:\n  backend: claude\n', 'PROMPT.md': 'Go on.', 'IMPLEMENTATION_PLAN.md': PLAN },
      ['ralph-orchestrator: dacapo run --prompt-file PROMPT.md --completion-promise LOOP_COMPLETE'],
    ],
    [
      'two tools at once',
      { '.ralph/PROMPT.md': 'Go on.', '.ralph/fix_plan.md': PLAN, 'feature_list.json': PRD },
      [
        'ralph-claude-code: dacapo run --prompt-file .ralph/PROMPT.md --features .ralph/fix_plan.md',
        'a feature list: dacapo run "Work on the next open item of feature_list.json, one item a pass." --features feature_list.json',
      ],
    ],
  ])('%s', (_name, files, wanted) => {
    expect(commands(files)).toEqual(wanted);
  });

  it('what a file names outside the project is not taken, and words are quoted', () => {
    expect(
      commands({
        'ralph.yml': 'prompt_file: ../../secret.md\ncompletion_promise: "it\'s $(done)"\n',
        'PROMPT.md': 'Go on.',
      }),
    ).toEqual([
      `ralph-orchestrator: dacapo run --prompt-file PROMPT.md --completion-promise 'it'\\''s $(done)'`,
    ]);
  });
});
