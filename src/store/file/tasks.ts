/** `tasks/<id>.jsonl`: one append is one write of newline, entry, newline, as in a journal. */
import { closeSync, constants, fsyncSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isId } from '../../core/shape.ts';
import type { TaskLogs } from '../store.ts';
import { appendLine, isExistsError, makePrivateFolder, namesIn, readIfThere, type Home } from './home.ts';

const { O_APPEND, O_CREAT, O_EXCL, O_WRONLY } = constants;
const ENDING = '.jsonl';

export function tasksFolder({ dir }: Home): string {
  return join(dir, 'tasks');
}

export function fileTasks(home: Home): TaskLogs {
  const folder = tasksFolder(home);
  const pathOf = (id: string) => join(folder, `${id}${ENDING}`);
  return {
    read: (id) => {
      const content = isId(id) ? readIfThere(pathOf(id)) : null;
      return content === null ? null : entriesOf(content);
    },
    make: (id, first) => {
      if (!isId(id)) throw new Error(`task id ${JSON.stringify(id)} can't be a file name`);
      makePrivateFolder(folder);
      try {
        write(pathOf(id), O_CREAT | O_EXCL, first, true);
        return true;
      } catch (error) {
        if (isExistsError(error)) return false;
        throw error;
      }
    },
    append: (id, entry, { durable = true } = {}) => write(pathOf(id), 0, entry, durable),
    ids: () =>
      namesIn(folder)
        .filter((name) => name.endsWith(ENDING))
        .map((name) => name.slice(0, -ENDING.length))
        .filter(isId)
        .sort(),
    size: () =>
      namesIn(folder)
        .map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0)
        .reduce((sum, size) => sum + size, 0),
  };
}

function write(path: string, flags: number, entry: object, durable: boolean): void {
  const file = openSync(path, O_WRONLY | O_APPEND | flags, 0o600);
  try {
    appendLine(file, 'task', entry);
    if (durable) fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

export function entriesOf(content: string): unknown[] {
  return content.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as unknown];
    } catch {
      return [];
    }
  });
}
