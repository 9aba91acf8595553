/**
 * `cache/loops`: summaries of all loops, one line each. JSON with a check of every field took as long as a
 * start of Node for ten thousand. A file that is absent, damaged or of another version has none.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOOP_VERSION } from '#law/loop.ts';
import { attempt, list, parseAs, text } from '#base/shape.ts';
import type { Summary } from '../store.ts';
import { replaceFile } from './home.ts';

const VERSION = `2.${LOOP_VERSION}`;
const END = 'end';
const paths = list(text);

/** By their ids. Many loops share a project, so its path stands in the file once. */
export function readSummaries(home: string): ReadonlyMap<string, Summary> {
  const content = attempt(() => readFileSync(fileIn(home), 'utf8'), '');
  const [version, projects = '', ...lines] = content.split('\n');
  const known = parseAs(paths, projects);
  if (version !== VERSION || known === null || lines.pop() !== END) return new Map();
  const summaries = new Map<string, Summary>();
  // Read once for all loops of a project, and in a loop without calls: each costs a millisecond here.
  const projectsAt = new Map<string, readonly string[]>();
  for (const line of lines) {
    const [id = '', stamp = '', ended, updatedAt = '', places = '', more] = line.split(' ');
    let own = projectsAt.get(places);
    if (own === undefined) {
      own = places.split(',').flatMap((at) => known[Number(at)] ?? []);
      projectsAt.set(places, own);
    }
    if (own.length === 0 || more !== undefined) return new Map();
    summaries.set(id, { id, stamp, projects: own, ended: ended === '1', updatedAt });
  }
  return summaries;
}

export function keepSummaries(home: string, loops: readonly Summary[]): void {
  const known = new Map<string, number>();
  const placeOf = (project: string) => {
    const at = known.get(project) ?? known.size;
    known.set(project, at);
    return at;
  };
  const lines = loops.map(({ id, stamp, projects, ended, updatedAt }) =>
    [id, stamp, ended ? 1 : 0, updatedAt, projects.map(placeOf).join()].join(' '),
  );
  const content = [VERSION, JSON.stringify([...known.keys()]), ...lines, END].join('\n');
  // On a full disk, or in a home that can only be read, the next call reads the loops again.
  attempt(() => replaceFile(fileIn(home), content, { durable: false }), undefined);
}

function fileIn(home: string): string {
  return join(home, 'cache', 'loops');
}
