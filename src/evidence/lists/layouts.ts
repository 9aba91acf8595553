/**
 * Recognises the files of people who loop an agent with other tools: a prompt, a list, and no loop state. It
 * only reads them: no program that such a tool would run is ever taken from its files.
 */
import { lstatSync } from 'node:fs';
import { isAbsolute, join, normalize } from 'node:path';
import { shellWord } from '#base/words/shell-quote.ts';
import { namesIn } from '#base/files/paths.ts';
import { readTextIfAny } from '#base/files/read.ts';
import { wordList } from '#base/words/word-list.ts';
import { USUAL_PROMISE } from '#law/gates.ts';
import { nextOpen } from './features.ts';
import { readFeatureFile } from './file.ts';

export interface Layout {
  readonly tool: string;
  /** Relative to the project; null: there is none, and the person has to say what to do. */
  readonly prompt: string | null;
  readonly list: string | null;
  readonly notes: string | null;
  readonly settings: LayoutSettings;
}

/** What the settings of the tool ask of a loop. */
interface LayoutSettings {
  readonly promise?: string;
  readonly maxIterations?: number;
}

interface KnownLayout {
  readonly tool: string;
  /** Without this file, the project does not use this tool. */
  readonly sign?: string;
  /** The first one that exists is used. A `*` stands for the name of one folder. */
  readonly prompts: readonly string[];
  readonly lists: readonly string[];
  readonly notes?: readonly string[];
  readonly settings?: typeof orchestratorSettings;
}

const NOTES = 'claude-progress.txt claude-progress.md progress.txt progress.md';

const KNOWN: readonly KnownLayout[] = [
  {
    tool: 'ralph-claude-code',
    prompts: wordList('.ralph/PROMPT.md .ralph/prompt.md .ralph/CLAUDE.md'),
    lists: wordList(`
      .ralph/fix_plan.md .ralph/@fix_plan.md .ralph/prd.json .ralph/PRD.md .ralph/IMPLEMENTATION_PLAN.md
      .ralph/ralph-tasks.md fix_plan.md @fix_plan.md
    `),
  },
  {
    tool: 'scripts/ralph',
    prompts: wordList('scripts/ralph/prompt.md scripts/ralph/CLAUDE.md scripts/ralph/PROMPT.md'),
    lists: wordList('scripts/ralph/prd.json prd.json'),
    notes: wordList('scripts/ralph/progress.txt'),
  },
  { tool: 'ralph-wiggum-cursor', prompts: wordList('RALPH_TASK.md'), lists: wordList('RALPH_TASK.md') },
  {
    tool: 'ralph-orchestrator',
    sign: 'ralph.yml',
    prompts: wordList('PROMPT.md'),
    lists: [],
    settings: orchestratorSettings,
  },
  {
    tool: 'ralph-tui',
    sign: '.ralph-tui',
    prompts: [],
    lists: wordList('.ralph-tui/prd.json prd.json tasks/prd.json'),
    notes: wordList('.ralph-tui/progress.md'),
  },
  {
    tool: 'a prompt with a plan',
    prompts: wordList('PROMPT.md PROMPT_build.md prompt.md'),
    lists: wordList('IMPLEMENTATION_PLAN.md fix_plan.md @fix_plan.md prd.json feature_list.json'),
  },
  { tool: 'a feature list', prompts: [], lists: wordList('feature_list.json'), notes: wordList(NOTES) },
];

/** Other files have such names too, so each counts only with open items, and beside no other tool. */
const GUESSED = {
  tool: 'a list without a prompt',
  lists: wordList(`
    scripts/ralph/prd.json ralph/prd.json plans/prd.json prd.json .ralph/fix_plan.md .ralph/prd.json
    fix_plan.md @fix_plan.md IMPLEMENTATION_PLAN.md .ralph/ralph-tasks.md .omc/prd.json .taskmaster/tasks/tasks.json
    .kiro/specs/*/tasks.md specs/*/tasks.md
  `),
  notes: wordList(`scripts/ralph/progress.txt ralph/progress.txt plans/progress.txt ${NOTES}`),
};

/** The lists that `dacapo features` finds by itself. */
export const USUAL_LISTS: readonly string[] = [
  ...new Set(['feature_list.json', ...[...KNOWN, GUESSED].flatMap(({ lists }) => lists)]),
];

/** Each file counts for one tool only. The tools that are recognised most surely come first. */
export function findLayouts(project: string): Layout[] {
  const used = new Set<string>();
  const first = (names: readonly string[]) =>
    names.find((name) => !used.has(name) && isThere(project, name, 'file')) ?? null;
  const found = KNOWN.flatMap((known): Layout[] => {
    if (known.sign !== undefined && !isThere(project, known.sign, 'any')) return [];
    const { prompt: named = null, ...settings } = known.settings?.(project) ?? {};
    const prompt = first([...(named === null ? [] : [named]), ...known.prompts]);
    const list = first(known.lists);
    // For a tool with prompts, a list alone proves nothing.
    if (known.prompts.length > 0 ? prompt === null : list === null) return [];
    if (list === null && known.lists.length > 0) return [];
    for (const name of [prompt, list]) if (name !== null) used.add(name);
    return [{ tool: known.tool, prompt, list, notes: first(known.notes ?? []), settings }];
  });
  if (found.length > 0) return found;
  const open = GUESSED.lists
    .flatMap((name) => expand(name, project))
    .filter((name) => isThere(project, name, 'file') && whyNoGate(name, project) === null);
  const notes = first(GUESSED.notes);
  return open.map((list) => ({ tool: GUESSED.tool, prompt: null, list, notes, settings: {} }));
}

/** `why` its list is not the gate; null: it is, or there is no list. */
export function commandFor(layout: Layout, project: string) {
  const { prompt, list, settings } = layout;
  const why = list === null ? null : whyNoGate(list, project);
  const gate = list !== null && why === null ? ['--features', list] : [];
  const { promise = gate.length === 0 ? USUAL_PROMISE : null, maxIterations } = settings;
  const flags = [
    ...gate,
    ...(promise === null ? [] : ['--completion-promise', promise]),
    ...(maxIterations === undefined ? [] : ['--max-iterations', String(maxIterations)]),
  ];
  const task = prompt === null ? `"${taskFor(layout)}"` : `--prompt-file ${shellWord(prompt)}`;
  return { command: ['dacapo run', task, ...flags.map(shellWord)].join(' '), why };
}

function taskFor({ list, notes }: Layout): string {
  const kept = notes === null ? '' : ` Keep notes in ${notes}.`;
  return `Work on the next open item of ${list ?? 'the list'}, one item a pass.${kept}`;
}

/** The reason in words; null: the list has open items that a loop can work off. */
function whyNoGate(list: string, project: string): string | null {
  const read = readFeatureFile(list, project);
  if (!read.ok) return read.why;
  return nextOpen(read) === null ? `every item of ${list} passes already` : null;
}

function expand(name: string, project: string): string[] {
  const [before = '', after] = name.split('*');
  if (after === undefined) return [name];
  return namesIn(join(project, before)).map((folder) => `${before}${folder}${after}`);
}

function isThere(project: string, name: string, what: 'file' | 'any'): boolean {
  const stat = lstatSync(join(project, name), { throwIfNoEntry: false });
  return stat !== undefined && (what === 'any' || stat.isFile());
}

/**
 * `ralph.yml`: the file of the prompt, the promise and the limit. In practice these lines of the YAML are
 * plain.
 */
function orchestratorSettings(project: string): LayoutSettings & { readonly prompt: string | null } {
  const yaml = readTextIfAny(join(project, 'ralph.yml')) ?? '';
  const field = (key: string) =>
    new RegExp(
      `^[ \\t]*${key}:[ \\t]*(?:"([^"\\n]*)"|'([^'\\n]*)'|([^\\s#"'][^#\\n]*?))[ \\t]*(?:#.*)?$`,
      'm',
    )
      .exec(yaml)
      ?.slice(1)
      .find((value) => value !== undefined) ?? null;
  const prompt = field('prompt_file');
  const limit = field('max_iterations');
  return {
    prompt:
      prompt === null || isAbsolute(prompt) || normalize(prompt).startsWith('..') ? null : normalize(prompt),
    promise: field('completion_promise') ?? 'LOOP_COMPLETE',
    ...(limit !== null && /^[1-9]\d{0,8}$/.test(limit) && { maxIterations: Number(limit) }),
  };
}
