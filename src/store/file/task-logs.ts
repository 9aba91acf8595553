/** The logs of tasks that agents work on by tools. */
import { closeSync, constants, fsyncSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isId, jsonLines } from '#base/shape.ts';
import type { Store } from '../store.ts';
import {
  appendLine,
  isExistsError,
  makePrivateFolder,
  namesIfThere,
  readIfThere,
  type Home,
} from './home.ts';
import { syncFolder } from '#base/files/rename.ts';

const { O_APPEND, O_CREAT, O_EXCL, O_WRONLY } = constants;
const TASK_ENDING = '.jsonl';

/** `tasks/<id>.jsonl`: lines as in a journal. */
export function fileTasks({ tasks: folder }: Home): Store['tasks'] {
  const pathOf = (id: string) => join(folder, `${id}${TASK_ENDING}`);
  return {
    read: (id) => {
      const content = isId(id) ? readIfThere(pathOf(id)) : null;
      return content === null ? null : jsonLines(content);
    },
    make: (id, first) => {
      if (!isId(id)) throw new Error(`task id ${JSON.stringify(id)} can't be a file name`);
      makePrivateFolder(folder);
      try {
        writeTask(pathOf(id), O_CREAT | O_EXCL, first, true);
        syncFolder(folder);
        return true;
      } catch (error) {
        if (isExistsError(error)) return false;
        throw error;
      }
    },
    append: (id, entry, { durable = true } = {}) => writeTask(pathOf(id), 0, entry, durable),
    ids: () =>
      namesIfThere(folder)
        .filter((name) => name.endsWith(TASK_ENDING))
        .map((name) => name.slice(0, -TASK_ENDING.length))
        .filter(isId)
        .sort(),
    size: () =>
      namesIfThere(folder)
        .map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0)
        .reduce((sum, size) => sum + size, 0),
  };
}

function writeTask(path: string, flags: number, entry: object, durable: boolean): void {
  const file = openSync(path, O_WRONLY | O_APPEND | flags, 0o600);
  try {
    appendLine(file, 'task', entry);
    if (durable) fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
