/**
 * Reads what the agent said and did, for `dacapo logs --agent`: from the recorded stream of each pass of `dacapo
 * run`, or from a session's transcript. An unreadable file shows nothing, because the journal is the record and this
 * is an extra.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Event, EventOf } from '../../core/record/events.ts';
import type { What } from '../../fresh/happening.ts';
import { happeningsOf } from '../../fresh/pass/stream-happenings.ts';
import { HOST } from '../../hosts/default-host.ts';
import type { StreamReader } from '../../hosts/headless.ts';
import { evidenceFolder } from '../../store/evidence.ts';
import type { OpenLoop } from '../../store/open-loop.ts';

export interface AgentAct {
  /** Null for the stream of a pass, which has no times. */
  readonly at: string | null;
  readonly what: What;
}

export interface AgentFile {
  readonly path: string;
  /** The pass that wrote the file; null for a transcript, whose rows have times. */
  readonly pass: EventOf<'taken'> | null;
  /** Earlier rows were written before the loop started. */
  readonly since: string | null;
}

/** The driver may read the clock for an event a moment after it created the file. */
const SLACK_MS = 1_000;

/** In the order in which they were started. */
export function agentFiles(open: OpenLoop, events: readonly Event[], env: NodeJS.ProcessEnv): AgentFile[] {
  const { driver, startedAt } = open.loop();
  if (driver === 'fresh') return passFiles(evidenceFolder(open), events);
  const sessions = new Set(events.flatMap((event) => (event.type === 'bound' ? [event.session] : [])));
  return [...sessions].flatMap((session) => {
    const path = HOST.transcripts.fileOf(session, env);
    return path === null ? [] : [{ path, pass: null, since: startedAt }];
  });
}

/** A pass writes its own file until it ends, so the last write is between its start and the start of the next pass. */
function passFiles(folder: string, events: readonly Event[]): AgentFile[] {
  const files = filesIn(folder)
    .filter((name) => /^pass-.*\.jsonl$/.test(name))
    .map((name) => join(folder, name))
    .map((path) => ({ path, written: statSync(path).mtimeMs }))
    .sort((a, b) => a.written - b.written);
  const passes = events.filter((event) => event.type === 'taken');
  return files.flatMap(({ path, written }) => {
    const pass = passes.findLast(({ at }) => Date.parse(at) <= written + SLACK_MS);
    return pass === undefined ? [] : [{ path, pass, since: null }];
  });
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

export interface AgentReader {
  /** What was written since the last call. */
  readonly news: () => AgentAct[];
}

export function openAgentFile({ path, pass, since }: AgentFile): AgentReader {
  let read = 0;
  const stream = HOST.headless.openStream();
  return {
    news: () => {
      const bytes = contentOf(path);
      // The last line may still be incomplete. The next call reads it whole.
      const end = bytes.lastIndexOf(10) + 1;
      if (end <= read) return [];
      const lines = bytes.toString('utf8', read, end).split('\n');
      read = end;
      return lines.flatMap((line) => actsIn(line, stream, pass === null ? since : null, pass === null));
    },
  };
}

function contentOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
}

function actsIn(line: string, stream: StreamReader, since: string | null, hasTimes: boolean): AgentAct[] {
  if (line.trim() === '') return [];
  const at = hasTimes ? HOST.transcripts.timeOf(line) : null;
  if (hasTimes && (at === null || (since !== null && Date.parse(at) < Date.parse(since)))) return [];
  return stream
    .read(line)
    .flatMap(happeningsOf)
    .map((what) => ({ at, what }));
}
