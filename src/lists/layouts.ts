/**
 * The files of people who loop an agent by other means: a prompt, a list, and no state of a loop. What is found here is
 * only read: no program that such a tool would run is ever taken from its files.
 */
import { lstatSync } from 'node:fs';
import { isAbsolute, join, normalize } from 'node:path';
import { readTextIfAny } from '../files/read.ts';
import { nextOpen } from './features.ts';
import { readFeatureFile } from './file.ts';

export interface Layout {
  /** Whose files these are. */
  readonly tool: string;
  /** As seen from the project; null: there is none, and the person has to say what to do. */
  readonly prompt: string | null;
  readonly list: string | null;
  /** Where the agents keep their notes. */
  readonly notes: string | null;
  /** Flags of the start command that its settings amount to. */
  readonly flags: readonly string[];
}

interface Known {
  readonly tool: string;
  /** Without it, it is not this tool's. */
  readonly sign?: string;
  /** The first that is there. */
  readonly prompts: readonly string[];
  readonly lists: readonly string[];
  readonly notes?: readonly string[];
  readonly settings?: (project: string) => {
    readonly prompt: string | null;
    readonly flags: readonly string[];
  };
}

const KNOWN: readonly Known[] = [
  {
    tool: 'ralph-claude-code',
    prompts: ['.ralph/PROMPT.md'],
    lists: ['.ralph/fix_plan.md', '.ralph/@fix_plan.md', '.ralph/prd.json', 'fix_plan.md', '@fix_plan.md'],
  },
  {
    tool: 'scripts/ralph',
    prompts: ['scripts/ralph/prompt.md', 'scripts/ralph/CLAUDE.md', 'scripts/ralph/PROMPT.md'],
    lists: ['scripts/ralph/prd.json', 'prd.json'],
    notes: ['scripts/ralph/progress.txt'],
  },
  {
    tool: 'ralph-orchestrator',
    sign: 'ralph.yml',
    prompts: ['PROMPT.md'],
    lists: [],
    settings: orchestratorSettings,
  },
  {
    tool: 'ralph-tui',
    sign: '.ralph-tui',
    prompts: [],
    lists: ['.ralph-tui/prd.json', 'prd.json', 'tasks/prd.json'],
    notes: ['.ralph-tui/progress.md'],
  },
  {
    tool: 'a prompt with a plan',
    prompts: ['PROMPT.md', 'PROMPT_build.md', 'prompt.md'],
    lists: ['IMPLEMENTATION_PLAN.md', 'fix_plan.md', '@fix_plan.md', 'prd.json', 'feature_list.json'],
  },
  {
    tool: 'a feature list',
    prompts: [],
    lists: ['feature_list.json'],
    notes: ['claude-progress.txt', 'claude-progress.md', 'progress.txt', 'progress.md'],
  },
];

/** The lists that `dacapo features` finds by itself. */
export const USUAL_LISTS: readonly string[] = [
  ...new Set(['feature_list.json', ...KNOWN.flatMap(({ lists }) => lists)]),
];

/** None of their files is counted twice: the tool that is surest comes first. */
export function findLayouts(project: string): Layout[] {
  const used = new Set<string>();
  return KNOWN.flatMap((known): Layout[] => {
    if (known.sign !== undefined && !isThere(project, known.sign, 'any')) return [];
    const first = (names: readonly string[]) =>
      names.find((name) => !used.has(name) && isThere(project, name, 'file')) ?? null;
    const settings = known.settings?.(project);
    const named = settings?.prompt ?? null;
    const prompt = first([...(named === null ? [] : [named]), ...known.prompts]);
    const list = first(known.lists);
    // Of a tool with prompts, a list alone says nothing.
    if (known.prompts.length > 0 ? prompt === null : list === null) return [];
    if (list === null && known.lists.length > 0) return [];
    for (const name of [prompt, list]) if (name !== null) used.add(name);
    return [
      { tool: known.tool, prompt, list, notes: first(known.notes ?? []), flags: settings?.flags ?? [] },
    ];
  });
}

/** In place of a list that can't be a gate. */
const PROMISE = '--completion-promise';

export interface LayoutCommand {
  /** To be typed in the folder of the project. */
  readonly command: string;
  /** Why its list is not the gate; null: it is, or there is none. */
  readonly why: string | null;
}

export function commandFor(layout: Layout, project: string): LayoutCommand {
  const { prompt, list, flags } = layout;
  const why = list === null ? null : whyNoGate(list, project);
  const gate = list !== null && why === null ? ['--features', list] : [];
  const promise =
    gate.length === 0 && !flags.some((flag) => flag.startsWith(PROMISE)) ? [PROMISE, 'COMPLETE'] : [];
  const task = prompt === null ? `"${taskFor(layout)}"` : `--prompt-file ${shellWord(prompt)}`;
  return { command: ['dacapo run', task, ...[...gate, ...flags, ...promise].map(shellWord)].join(' '), why };
}

function taskFor({ list, notes }: Layout): string {
  const kept = notes === null ? '' : ` Keep notes in ${notes}.`;
  return `Work on the next open item of ${list ?? 'the list'}, one item a pass.${kept}`;
}

/** In words; null: it has open items that a loop can work off. */
function whyNoGate(list: string, project: string): string | null {
  const read = readFeatureFile(list, project);
  if (!read.ok) return read.why;
  return nextOpen(read) === null ? `every item of ${list} passes already` : null;
}

function isThere(project: string, name: string, what: 'file' | 'any'): boolean {
  const stat = lstatSync(join(project, name), { throwIfNoEntry: false });
  return stat !== undefined && (what === 'any' || stat.isFile());
}

/** `ralph.yml`: the prompt's file, the promise and the limit. It is YAML, of which these lines are plain. */
function orchestratorSettings(project: string): ReturnType<NonNullable<Known['settings']>> {
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
    flags: [
      PROMISE,
      field('completion_promise') ?? 'LOOP_COMPLETE',
      ...(limit !== null && /^[1-9]\d{0,8}$/.test(limit) ? ['--max-iterations', limit] : []),
    ],
  };
}

function shellWord(word: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
