/**
 * Loops that wait in a project, in the formats of our views and of tools like them: a loop folder, a vault, a
 * state file, a topic. None of them starts a loop by itself, so `doctor`, `init`, `adopt` and `ready` say
 * that they are there, and what to type.
 */
import { dirname, join, resolve } from 'node:path';
import type { Loop } from '#law/loop.ts';
import { shellWord } from '#base/words/shell-quote.ts';
import { namesIn, seenFromFolder } from '#base/files/paths.ts';
import type { Runtime } from '#store/runtime.ts';
import { existsAt } from './file.ts';
import { findHandWritten } from './markdown/import.ts';
import * as places from './places.ts';
import { isStateFile } from './names.ts';
import { isStateStale, readStackState } from './stack/format.ts';
import { findJwz } from './stack/jwz.ts';

/** The states of idle-loop, oh-my-opencode, open-ralph-wiggum and oh-my-claudecode. */
const STATES = [
  places.IDLE_FILE,
  '.sisyphus/ralph-loop.local.md',
  '.ralph/ralph-loop.state.json',
  '.omc/state/ralph-state.json',
];

/**
 * `command`: what makes it a loop, to be typed in the project. `known`: the loops of this project. What one
 * of them shows, or has adopted, does not wait any more.
 */
export function waitingStates(
  project: string,
  runtime: Pick<Runtime, 'env' | 'now'>,
  known: readonly Loop[],
): { readonly file: string; readonly command: string }[] {
  const shown = new Set(
    known.flatMap(({ files: { views } }) => views.map(({ file }) => resolve(project, file))),
  );
  const waits = (path: string) => existsAt(path) && !shown.has(path);
  const named = (command: string) => (path: string) => {
    const file = seenFromFolder(project, path);
    return { file, command: `dacapo ${command} ${shellWord(file)}` };
  };
  const vault = join(project, places.VAULT, places.STATE);
  const states = namesIn(vault).filter((name) => isStateFile('vault', name));
  return [
    ...loopFolders(project, runtime.env, shown).map(named('ready')),
    ...[...states.map((name) => join(vault, name)), ...STATES.map((file) => join(project, file))]
      .filter(waits)
      .map(named('adopt')),
    ...(findHandWritten(project)?.written.is === 'loop'
      ? [{ file: places.STATE_FILE, command: 'dacapo adopt' }]
      : []),
    ...(waitsInTopic(project, runtime, known)
      ? [{ file: places.STACK_TOPIC, command: `dacapo adopt ${places.STACK_TOPIC}` }]
      : []),
  ];
}

/**
 * The folder that `RALPH_LOOP_DIR` names, and those in the usual place. A folder without both files is half
 * written.
 */
function loopFolders(project: string, env: Runtime['env'], shown: ReadonlySet<string>): string[] {
  const usual = join(project, dirname(places.LOOP_FOLDER));
  const folders = [places.loopFolderOf(project, env), ...namesIn(usual).map((name) => join(usual, name))];
  return [...new Set(folders)].filter(
    (folder) =>
      [places.LOOP_FILES.prompt, places.LOOP_FILES.features].every((name) => existsAt(join(folder, name))) &&
      !shown.has(join(folder, places.LOOP_FILES.progress)),
  );
}

function waitsInTopic(project: string, runtime: Pick<Runtime, 'env' | 'now'>, known: readonly Loop[]) {
  const state = readStackState(findJwz(runtime.env, project)?.read() ?? '');
  return (
    state.is === 'active' &&
    !isStateStale(state, runtime.now()) &&
    !known.some(({ id }) => id === state.runId)
  );
}
