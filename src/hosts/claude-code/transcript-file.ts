/** Where Claude Code keeps the transcript of a session: one folder per project, named after its path. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseAs, isRecord } from '../../core/shape.ts';
import type { Environment } from '../arrival.ts';
import type { Transcripts } from '../command-line.ts';
import { configFolder } from './setup/places.ts';
import { namesIn } from '../../files/paths.ts';

export const transcripts: Transcripts = { fileOf, timeOf, modelOf };

/** Searches by the session's id alone, since the host may change how it turns a path into a folder name. */
function fileOf(session: string, env: Environment): string | null {
  const folder = join(configFolder(env), 'projects');
  if (!/^[\w-]+$/.test(session)) return null;
  const paths = namesIn(folder).map((project) => join(folder, project, `${session}.jsonl`));
  return paths.find((path) => existsSync(path)) ?? null;
}

function timeOf(line: string): string | null {
  const row = parseAs(isRecord, line);
  if (row === null || row['isSidechain'] === true) return null;
  return typeof row['timestamp'] === 'string' ? row['timestamp'] : null;
}

/** Rows that the host itself made up carry a name in angle brackets. */
const MODEL = /^[\w.:@/-]{1,80}$/;

function modelOf(line: string): string | null {
  if (!line.includes('"model"')) return null;
  const row = parseAs(isRecord, line);
  const model = (isRecord(row?.['message']) ? row['message'] : row)?.['model'];
  return typeof model === 'string' && MODEL.test(model) ? model : null;
}
