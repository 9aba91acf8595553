/** The files in which hosts record their sessions, in JSON lines, for people who want to see what an agent said and did. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Transcripts } from './command-line.ts';
import type { HostFolders } from './names.ts';
import { timeOf } from './rows.ts';
import { jsonLines } from './stream-lines.ts';

const MODEL = /"model(?:Id)?":"([^"]+)"/;

/** `endOf`: how the name of a session's file ends, at any depth below the folder of sessions. */
export function transcriptsOf(
  { home, sessions }: HostFolders,
  endOf: (session: string) => string,
  readRow: Parameters<typeof jsonLines>[0],
): Transcripts {
  return {
    fileOf: (session, env) => {
      const folder = join(home(env), sessions);
      if (!/^[\w-]+$/.test(session) || !existsSync(folder)) return null;
      const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
      const name = names.find((path) => path.endsWith(endOf(session)));
      return name === undefined ? null : join(folder, name);
    },
    timeOf,
    modelOf: (row) => MODEL.exec(row)?.[1] ?? null,
    openRows: () => jsonLines(readRow),
  };
}
