/**
 * Reads what the agent said and did: from the recorded stream of each pass of `dacapo run`, or from a
 * session's transcript. An unreadable file shows nothing, because the journal is the record and this is an
 * extra.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Loop } from '#law/loop.ts';
import type { Event, EventOf } from '#law/record/events.ts';
import { isRecord, parseAs } from '#base/shape.ts';
import { type RunEvent, type RunEventBody, runEventsOf } from '../run-event.ts';
import type { Environment } from '#hosts/port/arrival.ts';
import { hostOf } from '#hosts/tables/adapters.ts';
import type { HostAdapter } from '#hosts/port/command-line.ts';
import type { StreamReader } from '#hosts/port/headless.ts';
import { evidenceFolder } from '#store/evidence.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { namesIn } from '#base/files/paths.ts';
import { bytesFrom, readEnd } from '#base/files/read.ts';

export interface AgentAct {
  /** Null for the stream of a pass, which has no times. */
  readonly at: string | null;
  readonly what: RunEventBody;
}

export type ToldAct = Readonly<ReturnType<typeof toldAct>[number]>;
type ToldKind = 'says' | 'tool' | 'subagent' | 'failed' | 'warning';

/** An act for a reader. Empty: no news, such as a tool that ended well. */
export function toldAct({ at, what }: AgentAct) {
  const told = (kind: ToldKind, text: string, name = '') => [{ at, kind, name, text }];
  if (what.is === 'says' || what.is === 'warning') return told(what.is, what.text);
  if (what.is === 'tool') return told('tool', what.summary, what.name);
  if (what.is === 'subagent') return told('subagent', what.what, what.name);
  if (what.is === 'tool-ended' && what.failed) return told('failed', what.text || 'failed');
  return what.is === 'host-retry' ? told('warning', `the host is retrying: ${what.why}`) : [];
}

export interface AgentFile {
  readonly path: string;
  readonly host: HostAdapter;
  readonly project: string;
  /** The pass that wrote the stream, if that was asked for. */
  readonly pass: EventOf<'taken'> | null;
  /**
   * Earlier rows of a transcript were written before the loop started. Null: the stream of a pass, which has
   * no times.
   */
  readonly since: string | null;
  /** Its lines are events of a run already: the news of a fleet's loop. */
  readonly isTold?: boolean;
}

/** The driver may read the clock for an event a moment after it created the file. */
const SLACK_MS = 1_000;

/** In the order in which they were started. */
export function agentFiles(open: OpenLoop, events: readonly Event[], env: Environment): AgentFile[] {
  const loop = open.loop();
  const host = hostOf(loop);
  if (loop.driver === 'fresh') return passFiles(evidenceFolder(open), events, loop);
  const sessions = new Set(events.flatMap((event) => (event.type === 'bound' ? [event.session] : [])));
  return [...sessions].flatMap((session) => {
    const path = host.transcripts.fileOf(session, env);
    return path === null ? [] : [{ path, host, project: loop.project, pass: null, since: loop.startedAt }];
  });
}

/**
 * A pass writes its own file until it ends, so the last write is between its start and the start of the next
 * pass.
 */
function passFiles(folder: string, events: readonly Event[], { host, project }: Loop): AgentFile[] {
  const files = namesIn(folder)
    .filter((name) => /^pass-.*\.jsonl$/.test(name))
    .map((name) => join(folder, name))
    .map((path) => ({ path, written: statSync(path).mtimeMs }))
    .sort((a, b) => a.written - b.written);
  const passes = events.filter((event) => event.type === 'taken');
  return files.flatMap(({ path, written }) => {
    const pass = passes.findLast(({ at }) => Date.parse(at) <= written + SLACK_MS);
    if (pass === undefined) return [];
    return [{ path, host: hostOf({ host: pass.host ?? host }), project, pass, since: null }];
  });
}

export type AgentReader = ReturnType<typeof openAgentFile>;

/**
 * `last`: one call reads at most that many bytes, at the end of the file. What was written before is skipped,
 * and so is a first line that may be half a line.
 */
export function openAgentFile(file: AgentFile, last = Number.POSITIVE_INFINITY) {
  const { path } = file;
  let read = 0;
  const stream = openReader(file);
  return {
    news: (): AgentAct[] => {
      let from = read;
      // Only what was appended: the stream of a pass may have 64 MB.
      const bytes = bytesFrom(path, (size) => (from = Math.max(read, size - last)));
      // The last line may still be incomplete. The next call reads it whole.
      const end = bytes.lastIndexOf(10) + 1;
      if (end === 0) return [];
      const lines = bytes.toString('utf8', 0, end).split('\n');
      const isCut = from > read;
      read = from + end;
      return (isCut ? lines.slice(1) : lines).flatMap((line) => actsIn(line, stream, file));
    },
  };
}

/** The newest first. The oldest may be half a line. */
export function lastLines({ path }: AgentFile, bytes: number): string[] {
  return readEnd(path, bytes).split('\n').reverse();
}

export function lastSaid(lines: readonly string[], file: AgentFile): string | null {
  const stream = openReader(file);
  for (const line of lines) {
    const said = actsIn(line, stream, file).findLast(({ what }) => what.is === 'says')?.what;
    if (said?.is === 'says') return said.text;
  }
  return null;
}

function openReader({ host, since }: AgentFile): StreamReader {
  return since === null
    ? host.headless.openStream()
    : (host.transcripts.openRows?.() ?? host.headless.openStream());
}

function actsIn(line: string, stream: StreamReader, { host, project, since, isTold }: AgentFile): AgentAct[] {
  if (line.trim() === '') return [];
  if (isTold === true) return toldIn(line);
  const at = since === null ? null : host.transcripts.timeOf(line);
  if (since !== null && (at === null || Date.parse(at) < Date.parse(since))) return [];
  return stream
    .read(line)
    .flatMap((event) => runEventsOf(event, project))
    .map((what) => ({ at, what }));
}

/** Only a mirror of the fleet writes such a file. */
function toldIn(line: string): AgentAct[] {
  const event = parseAs(isRecord, line) as RunEvent | null;
  return event === null ? [] : [{ at: event.at, what: event }];
}
