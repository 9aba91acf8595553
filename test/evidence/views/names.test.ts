/**
 * The table of our own files, and its four readers: git's exclude file, the marks of the work tree, the
 * guard, doctor. The names are written out here as they lie on disk.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loopFindings } from '#surfaces/cli/setup/home-findings.ts';
import { viewKind, type ViewKind } from '#law/record/definition.ts';
import { matcherOf } from '#evidence/git/lists.ts';
import { excludeFromGit } from '#evidence/views/exclude.ts';
import {
  NOTES,
  VIEW_FILES,
  isStateFile,
  fileNamesOf,
  notesFileOf,
  writerOf,
  ownFiles,
} from '#evidence/views/names.ts';
import {
  historyFile,
  IDLE_FILE,
  idleFileOf,
  STATE_FILE,
  stateFileOf,
  vaultFile,
} from '#evidence/views/places.ts';
import { temporaryOf } from '#evidence/views/file.ts';
import { Stage } from '../../engine/hearing/stage.ts';

const ID = 'RALPH_20260119_abc123';
const PROGRESS = join('loops', 'mine', 'progress.txt');

/** What each view writes, and what lies there and is not ours. */
const KEPT: Readonly<
  Record<ViewKind, { state: readonly string[]; aside: readonly string[]; others: readonly string[] }>
> = {
  markdown: {
    state: [STATE_FILE, stateFileOf(ID)],
    aside: [],
    others: [join('.claude', 'settings.json'), 'ralph-loop.md'],
  },
  progress: {
    state: [],
    aside: [join('loops', 'mine', 'hook.log'), join('loops', 'mine', 'hook.log.1')],
    others: [PROGRESS, join('loops', 'mine', 'feature_list.json'), 'hook.log'],
  },
  vault: {
    state: [vaultFile('Safe', ID), historyFile('Safe', ID), historyFile('Safe', `${ID}-2`)],
    aside: [],
    others: [join('Safe', 'Ralph_State', 'notes.json'), join('Safe', 'Plans', 'RALPH_1.json')],
  },
  stack: { state: [IDLE_FILE, idleFileOf(ID)], aside: [], others: [join('.claude', 'idle.md')] },
};
const KINDS = Object.keys(KEPT).filter(viewKind);
const views = [
  { kind: 'progress' as const, file: PROGRESS },
  { kind: 'vault' as const, file: vaultFile('Safe', ID) },
  { kind: 'stack' as const, file: idleFileOf(ID) },
];
const DEAD = 4_194_304;

/** The files themselves, and what a hook that was killed leaves beside them. */
function oursIn(kind: ViewKind): string[] {
  const { state, aside } = KEPT[kind];
  const unfinished = kind === 'progress' ? [PROGRESS] : state;
  return [...state, ...aside, ...unfinished.map((file) => temporaryOf(file, DEAD))];
}

function put(project: string, file: string): void {
  mkdirSync(dirname(join(project, file)), { recursive: true });
  writeFileSync(join(project, file), 'x');
}

describe.each(KINDS)('the files of the %s view', (kind) => {
  const { state, others } = KEPT[kind];
  const ours = oursIn(kind);

  it('are in the table, and in it once', () => {
    const names = VIEW_FILES[kind].flatMap((file) =>
      fileNamesOf(file).map((name) => `${file.folder}/${name}`),
    );
    expect(new Set(names).size).toBe(names.length);
    for (const file of state) expect(isStateFile(kind, file.replace(/^.*[/\\]/, ''))).toBe(true);
  });

  it('git does not show', () => {
    const { project } = new Stage();
    execFileSync('git', ['init', '-q'], { cwd: project });
    excludeFromGit(project, views);
    for (const file of [...ours, ...others, notesFileOf(ID)]) put(project, file);
    const seen = execFileSync('git', ['status', '--porcelain', '-uall', '-z'], {
      cwd: project,
      encoding: 'utf8',
    });
    expect(seen.split('\0').filter(Boolean).toSorted()).toEqual(
      others.map((file) => `?? ${file}`).toSorted(),
    );
  });

  it('no mark of the work tree counts', () => {
    const isIgnored = matcherOf(ownFiles({ files: { views } }).ignored);
    for (const file of [...ours, notesFileOf(ID)]) expect([file, isIgnored(file)]).toEqual([file, true]);
    for (const file of others) expect([file, isIgnored(file)]).toEqual([file, false]);
  });

  it('the agent may not write, unless it works with them', async () => {
    const stage = new Stage();
    await stage.start('Fix. --view markdown,progress,stack --vault Safe');
    const write = (file: string) =>
      stage.tool({
        tool_name: 'Write',
        tool_input: { file_path: stage.path(file), content: 'x' },
        cwd: stage.project,
      });
    for (const file of state)
      for (const one of [file, temporaryOf(file, DEAD), join('packages', 'a', file)])
        expect([one, (await write(one)).is]).toEqual([one, 'deny']);
    for (const file of [...others, notesFileOf(ID)])
      expect([file, (await write(file)).is]).toEqual([file, 'silence']);
  });

  it('doctor names where they are half-written', () => {
    const stage = new Stage();
    stage.dead.add(DEAD);
    const half = state.map((file) => temporaryOf(file, DEAD));
    for (const file of half) {
      expect(writerOf(file.replace(/^.*[/\\]/, ''))).toBe(DEAD);
      put(stage.project, file);
    }
    const near = half.filter((file) => file.startsWith('.claude'));
    const found = loopFindings(stage.project, stage.runtime());
    expect(found.filter(({ says }) => says.includes('half-written'))).toHaveLength(near.length);
  });
});

it('the notes of a run are none of the views', () => {
  expect(notesFileOf(ID)).toBe(join('.claude', `ralph-notes.${ID}.local.md`));
  expect(NOTES.use).toBe('aside');
});
